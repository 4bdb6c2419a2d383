/**
 * Answers: the first answer to an item counts. It is typed, or given to the tool call that waits for it
 * (tools/tools.ts).
 *
 * The decision is made in one turn of the event loop, and the caller gets the reply when it is on disk. Then the host
 * types the answer. It is typed only once, even after a crash: the write's id is part of the decision, and the host
 * refuses an id that it has seen.
 */
import { randomBytes } from 'node:crypto';
import type { HostClient } from '../../host/index.js';
import {
  type AnswerRequest,
  answerText,
  type BookItem,
  type Effect,
  isDeliveryPending,
  outlivesSession,
  type StallReason,
  timestamp,
} from '../../lifecycle/index.js';
import { type Item, makeId, OrchdError, optionsOf } from '../../protocol/index.js';
import { Timers } from '../concurrency/index.js';
import { needRoom, type Outbox } from '../events/index.js';
import type { Log } from '../log.js';
import type { Registry, SessionEntry } from '../registry/index.js';
import { AnswerWatch } from './answer-watch.js';
import { typedAnswer, typedWords } from './typed-words.js';
import type { Typist } from './typist.js';

export interface AnswerPorts {
  readonly registry: Registry;
  readonly outbox: Outbox;
  readonly host: () => HostClient;
  readonly typist: Typist;
  readonly log: Log;
  /** True if an answer begins with its question while the agent has other open questions. */
  readonly namesQuestions: boolean;
  /** Milliseconds within which an accepted answer must be written or reported as stalled. */
  readonly stallMs: number;
}

/** Interval for offering a text again that the host has not accepted. */
const RETRY_MS = 10_000;
/**
 * Only for a longer line is the host asked for the terminal's mode: in line mode, a terminal drops what exceeds its
 * limit.
 */
const SUSPECT_LINE_BYTES = 1_000;
/** Errors that are normal for an automatic answer. */
const NO_LONGER: ReadonlySet<string> = new Set(['ORCHD_ITEM_CLOSED', 'ORCHD_SESSION_ENDED', 'ORCHD_NO_TERMINAL']);

export class Answers {
  readonly #ports: AnswerPorts;
  readonly #timers = new Timers();
  readonly #watch: AnswerWatch;

  constructor(ports: AnswerPorts) {
    this.#ports = ports;
    const onOverdue = (itemId: string, entry: SessionEntry): void => this.#overdue(itemId, entry);
    this.#watch = new AnswerWatch({ stallMs: ports.stallMs, onOverdue, now: Date.now });
  }

  /** Called when the state of an item has changed. */
  onItem(item: Item, entry: SessionEntry): void {
    this.#watch.onItem(item, entry);
  }

  /** Returns the number of accepted answers that should have been written, or stalled, by now. */
  get overdue(): number {
    return this.#watch.overdue(this.#ports.registry.items());
  }

  /**
   * @returns The item with its answer, which is on disk.
   * @throws {OrchdError} ORCHD_ITEM_CLOSED with the first answer in `details.answer`; ORCHD_SESSION_ENDED if the
   *   session is lost and could be revived; ORCHD_NO_TERMINAL; ORCHD_LINE_TOO_LONG; ORCHD_ONE_LINE; ORCHD_STORE_FULL;
   *   errors in the request.
   */
  async answer(selector: string, request: AnswerRequest, by: string): Promise<Item> {
    const { item, entry } = this.#ports.registry.item(selector);
    const text = answerText(item, request);
    // A task, a run or a workflow reads the answer from the item, so the program may have ended.
    const isAsked = outlivesSession(item);
    const isTyped = item.awaited !== true && !isAsked; // an answer that is not typed has no length limit
    if (item.state === 'open' && isTyped) entry.needTerminal();
    if (isTyped) await this.checkLines(entry, text.text);
    needRoom(this.#ports.outbox, 'no answer can be kept');
    const isOpen = entry.book.items.some((other) => other.item.id === item.id && other.item.state === 'open');
    if (!isOpen) {
      await this.#ports.outbox.drain();
      throw this.#closed(item.id);
    }
    if (entry.hasEnded && !isAsked) {
      const { name } = entry.view;
      const message = `'${name}' is lost and cannot be answered: \`orchd revive ${name}\` first`;
      throw new OrchdError('ORCHD_SESSION_ENDED', message);
    }
    const { keys, decides } = entry.book.items.find((other) => other.item.id === item.id) ?? {};
    const at = (request.option ?? 0) - 1;
    if (request.option !== undefined && keys?.[at] === null && !decides?.[at]) {
      const message = `option ${request.option} cannot be chosen from here: attach to '${entry.view.name}' and choose it there`;
      throw new OrchdError('ORCHD_INVALID', message);
    }
    if (!keys && isTyped) this.#checkIsOneAnswer(entry, text.text); // keys are pressed, not typed
    const isWords = isTyped && item.type !== 'attention';
    const typed = isWords ? typedAnswer(this.#ports, entry, item, text.text) : text.text;
    const time = Date.now();
    const answer = { ...text, ...(typed !== text.text && { typed }), by, at: timestamp(time) };
    const writeId = makeId('write', randomBytes(10));
    await entry.apply({ kind: 'answered', itemId: item.id, answer, writeId, time });
    return this.#ports.registry.item(item.id).item;
  }

  #closed(itemId: string): OrchdError {
    const { item } = this.#ports.registry.item(itemId);
    const how = item.state === 'answered' ? `was answered by ${item.answer?.by}` : 'is withdrawn';
    return new OrchdError('ORCHD_ITEM_CLOSED', `item ${item.id} ${how}`, {
      state: item.state,
      answer: item.answer,
      item,
    });
  }

  /** @throws {OrchdError} ORCHD_LINE_TOO_LONG if the session's terminal would cut one of its lines. */
  async checkLines(entry: SessionEntry, text: string): Promise<void> {
    const longest = Math.max(...text.split('\n').map((line) => Buffer.byteLength(line)));
    if (longest <= SUSPECT_LINE_BYTES || entry.hasEnded) return;
    const { maxLineBytes } = await this.#ports.host().call('terminal', { sessionId: entry.id });
    if (maxLineBytes === null || longest <= maxLineBytes) return;
    const message = `a line of ${longest} bytes is too long for the terminal of '${entry.view.name}', which takes ${maxLineBytes}`;
    throw new OrchdError('ORCHD_LINE_TOO_LONG', message, { bytes: longest, max_bytes: maxLineBytes });
  }

  /** @throws {OrchdError} ORCHD_ONE_LINE if the following lines would answer the program's next questions. */
  #checkIsOneAnswer(entry: SessionEntry, text: string): void {
    const lines = text.split('\n').length;
    if (lines === 1 || this.#ports.typist.takesLines(entry)) return;
    const message = `'${entry.view.name}' reads one line at a time (it has not set bracketed paste): the other ${lines - 1} would answer what it asks next`;
    throw new OrchdError('ORCHD_ONE_LINE', message, { lines });
  }

  carryOut(effect: Effect, entry: SessionEntry): void {
    if (effect.kind === 'write') {
      const answered = entry.book.items.find(({ item }) => item.id === effect.itemId);
      if (answered) this.#deliver(entry, answered);
    } else if (effect.kind === 'deadline' && isAnswerable(entry, this.#ports.registry.item(effect.itemId).item)) {
      this.#arm(effect.itemId, effect.text, effect.time);
    }
  }

  /**
   * Called after a restart: types accepted answers (the host knows which ones it has already typed) and restarts
   * deadlines.
   */
  resume(entry: SessionEntry): void {
    for (const answered of entry.book.items) {
      const { item, keys, isWritten } = answered;
      this.#watch.onItem(item, entry);
      if (entry.hasEnded && !outlivesSession(item)) continue;
      const { answer, data } = item;
      // A written answer may still need its Enter.
      const isUnproven = answer?.delivery === 'written' || answer?.stalled_reason === 'not_submitted';
      const isToType = isDeliveryPending(answer) || (isWritten && isUnproven && !keys);
      if (isToType && !item.awaited) this.#deliver(entry, answered);
      if (!isAnswerable(entry, item)) continue;
      if (item.state === 'open' && typeof data['default'] === 'string' && typeof data['deadlineSeconds'] === 'number') {
        this.#arm(item.id, data['default'], Date.parse(item.opened_at) + data['deadlineSeconds'] * 1000);
      }
    }
  }

  #deliver(entry: SessionEntry, answered: BookItem): void {
    const { log, typist } = this.#ports;
    const { item, writeId, keys, labels = optionsOf(item) } = answered;
    if (!item.answer || writeId === null) return;
    const { text, typed, option } = item.answer;
    const pressed = option === undefined ? undefined : keys?.[option - 1];
    const words =
      pressed === undefined || pressed === null
        ? { text: typed ?? typedWords(this.#ports, entry, text) } // an earlier version did not store `typed`
        : {
            text: String(item.data['text']),
            choice: { index: labels.indexOf(optionsOf(item)[(option ?? 1) - 1] ?? ''), labels },
          };
    const onWait = (reason: StallReason, seen?: string): void => {
      if (entry.hasEnded) return;
      entry
        .apply({ kind: 'stalled', writeId, reason, ...(seen !== undefined && { seen }), time: Date.now() })
        .catch((error: unknown) => log.error('a stalled answer could not be noted', error));
    };
    typist.type(entry, { writeId, onWait, ...words }).catch((error: unknown) => {
      if (entry.hasEnded) return; // the journal contains the end, which stalls the answer
      const reason = stallReasonOf(error);
      if (reason !== 'not_reading')
        log.error('an answer could not be typed', error, { session_id: entry.id, write_id: writeId });
      onWait(reason);
      if (reason !== 'write_failed') {
        this.#timers.set(`text of ${answered.item.id}`, RETRY_MS, () => {
          if (!entry.hasEnded) this.#deliver(entry, answered);
        });
      }
    });
  }

  /** Reports why an answer that was accepted long ago is not written yet. Types it if no other code is about to. */
  #overdue(itemId: string, entry: SessionEntry): void {
    const { log, typist, outbox } = this.#ports;
    const answered = entry.book.items.find(({ item }) => item.id === itemId);
    const writeId = answered?.writeId ?? null;
    if (!answered || writeId === null || answered.item.answer?.delivery !== 'accepted') return;
    const reason = outbox.isFull ? 'disk_full' : 'delayed';
    log.error('an accepted answer is not typed in time', undefined, { item_id: itemId, write_id: writeId, reason });
    entry
      .apply({ kind: 'stalled', writeId, reason, time: Date.now() })
      .catch((error: unknown) => log.error('a stalled answer could not be noted', error));
    if (!answered.item.awaited && !typist.isTyping(writeId)) this.#deliver(entry, answered);
  }

  #arm(itemId: string, text: string, time: number): void {
    this.#timers.set(`deadline of ${itemId}`, time - Date.now(), () => {
      this.answer(itemId, { text }, 'deadline').catch((error: unknown) => {
        // Without a terminal, only the answer to a waiting tool call is sent.
        if (!(error instanceof OrchdError) || !NO_LONGER.has(error.code))
          this.#ports.log.error('an automatic answer failed', error, { item_id: itemId });
      });
    });
  }

  close(): void {
    this.#watch.close();
    this.#timers.close();
  }
}

/** Returns why the host did not type it. Only `write_failed` is permanent. */
function stallReasonOf(error: unknown): StallReason {
  const code = error instanceof OrchdError ? error.code : null;
  if (code === 'ORCHD_INPUT_FULL') return 'not_reading';
  if (code === 'ORCHD_STORE_FULL') return 'disk_full';
  return code === 'ORCHD_TOO_LARGE' ? 'write_failed' : 'delayed';
}

/**
 * Returns false if there is no way to deliver an answer: without a terminal nothing can be typed. The answer to a
 * waiting call goes to the call, and that to a run goes into its next attempt.
 */
const isAnswerable = ({ view }: SessionEntry, item: Item): boolean =>
  view.mode !== 'batch' || item.awaited === true || outlivesSession(item);
