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
  type AnswerText,
  answerText,
  type Effect,
  isDeliveryPending,
  outlivesSession,
  RECORD_MS,
  type StallReason,
  type TrackedItem,
  timestamp,
} from '../../lifecycle/index.js';
import { defaultAnswerOf, type Item, makeId, OrchdError, optionsOf, takesText } from '../../protocol/index.js';
import { Timers } from '../concurrency/index.js';
import { needRoom, type Outbox } from '../events/index.js';
import type { Log } from '../log.js';
import type { Registry, SessionEntry } from '../registry/index.js';
import { AnswerWatch } from './answer-watch.js';
import { typedAnswer, typedWords, withoutTabs } from './typed-words.js';
import type { Typist } from './typist.js';

interface AnswerPorts {
  readonly registry: Registry;
  readonly outbox: Outbox;
  readonly host: () => HostClient;
  readonly typist: Typist;
  readonly log: Log;
  /** True if an answer begins with its question while the agent has other open questions. */
  readonly namesQuestions: boolean;
  /** Milliseconds within which an accepted answer must be written or reported as stalled. */
  readonly stallMs: number;
  readonly now: () => number;
  readonly monotonicNow: () => number;
}

/** Interval for offering a text again that the host has not accepted. */
const RETRY_MS = 10_000;
/**
 * The host is asked for the terminal's mode only if a line is longer. In line mode, the kernel cuts a line at its
 * limit.
 */
const SUSPECT_LINE_BYTES = 1_000;
/** Errors that are normal for an automatic answer: a person was faster, or the session ended. */
const NO_LONGER: ReadonlySet<string> = new Set(['ORCHD_ITEM_CLOSED', 'ORCHD_SESSION_ENDED', 'ORCHD_NO_TERMINAL']);

/** Accepts one answer for each item, stores it, and delivers it to the program or to the waiting tool call. */
export class Answers {
  readonly #ports: AnswerPorts;
  readonly #timers = new Timers();
  readonly #watch: AnswerWatch;
  /** The answers that `#deliver` is about to type, by write id. `hasBegun`: their typing can no longer be prevented. */
  readonly #typings = new Map<string, { hasBegun: boolean; readonly end: AbortController }>();

  constructor(ports: AnswerPorts) {
    this.#ports = ports;
    const onOverdue = (itemId: string, entry: SessionEntry): void => this.#overdue(itemId, entry);
    this.#watch = new AnswerWatch({ ...ports, onOverdue });
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
   * @param requestKey  Marks repetitions of a request. A repetition returns the item with its first answer.
   * @returns The item with its answer, which is on disk.
   * @throws {OrchdError} ORCHD_ITEM_CLOSED with the first answer in `details.answer`; ORCHD_SESSION_ENDED if the
   *   session is lost and could be revived; ORCHD_NO_TERMINAL; ORCHD_LINE_TOO_LONG; ORCHD_ONE_LINE; ORCHD_STORE_FULL;
   *   ORCHD_INVALID if the agent would remove every character; errors in the request.
   */
  async answer(selector: string, request: AnswerRequest, by: string, requestKey: string | null = null): Promise<Item> {
    const { item, entry } = this.#ports.registry.item(selector);
    const isRepeated = ({ id, answer }: Item): boolean => id === item.id && answer?.request_key === requestKey;
    if (entry.aggregate.items.some((tracked) => isRepeated(tracked.item))) await this.#ports.outbox.drain();
    const stored = this.#ports.registry.item(item.id).item;
    if (isRepeated(stored)) return stored;
    const answered = answerText(item, request);
    const { text } = answered;
    const takes = isTyped(item) ? await this.#whatIsTaken(entry, item, text) : TAKES_ALL;
    needRoom(this.#ports.outbox, 'no answer can be kept');
    // No `await` stands between this look-up and `apply`, so the first answer counts.
    const open = entry.trackedItem(item.id);
    if (open?.item.state !== 'open') {
      await this.#ports.outbox.drain();
      throw this.#closed(item.id);
    }
    checkDeliverable(entry, open, answered, takes);
    const typed = isTyped(item) ? this.#wordsToType(entry, item, text, takes) : text;
    if (typed.trim() === '') {
      const message = `'${entry.view.name}' removes each character of this answer, and would read an empty one`;
      throw new OrchdError('ORCHD_INVALID', message);
    }
    const time = this.#ports.now();
    const key = requestKey === null ? {} : { request_key: requestKey };
    const answer = { ...answered, ...(typed !== text && { typed }), by, at: timestamp(time), ...key };
    const writeId = makeId('write', randomBytes(10));
    await entry.apply({ kind: 'answered', itemId: item.id, answer, writeId, time });
    return this.#ports.registry.item(item.id).item;
  }

  /**
   * Asks the terminal of a session how its program takes a text.
   *
   * @throws {OrchdError} ORCHD_NO_TERMINAL, ORCHD_LINE_TOO_LONG
   */
  async #whatIsTaken(entry: SessionEntry, item: Item, text: string): Promise<Takes> {
    const { typist } = this.#ports;
    if (item.state === 'open') entry.needTerminal();
    await this.checkLines(entry, text);
    return {
      lines: !text.includes('\n') || entry.hasEnded || (await typist.takesLines(entry)),
      tabs: !text.includes('\t') || entry.hasEnded || (await typist.takesTabs(entry)),
    };
  }

  #wordsToType(entry: SessionEntry, item: Item, text: string, takes: Takes): string {
    const words = item.type === 'attention' ? text : typedAnswer(this.#ports, entry, item, text);
    return takes.tabs ? words : withoutTabs(words);
  }

  /**
   * Takes an answer back whose typing has not begun.
   *
   * @returns The item, open again; that is on disk.
   * @throws {OrchdError} ORCHD_ITEM_UNKNOWN, ORCHD_AMBIGUOUS; ORCHD_TOO_LATE if the answer is typed, or is used by a
   *   tool call, a task, a run or a workflow; ORCHD_INVALID for an item without an answer.
   */
  async takeBack(selector: string, by: string): Promise<Item> {
    const { item, entry } = this.#ports.registry.item(selector);
    const answered = entry.trackedItem(item.id);
    const answer = (answered?.item ?? item).answer;
    if (!answer) throw new OrchdError('ORCHD_INVALID', `item ${item.id} has no answer that could be taken back`);
    const writeId = answered?.writeId ?? null;
    if (!answered || writeId === null || !this.#isUntyped(answered, entry)) {
      throw new OrchdError('ORCHD_TOO_LATE', `the answer of ${item.id} cannot be taken back: ${whyTooLate(item)}`);
    }
    const time = this.#ports.now();
    const done = entry.apply({ kind: 'taken_back', itemId: item.id, by, time });
    this.#typings.get(writeId)?.end.abort();
    this.#timers.clear(`text of ${item.id}`);
    await done;
    return this.#ports.registry.item(item.id).item;
  }

  #isUntyped({ item, writeId, answeredTurn, isWritten }: TrackedItem, { isCatchingUp }: SessionEntry): boolean {
    const isBegun = writeId !== null && this.#typings.get(writeId)?.hasBegun === true;
    const isSeen = answeredTurn !== null || isWritten === true || isCatchingUp;
    return isDeliveryPending(item.answer) && item.awaited !== true && !isBegun && !isSeen;
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

  carryOut(effect: Effect, entry: SessionEntry): void {
    if (effect.kind === 'write') {
      const answered = entry.trackedItem(effect.itemId);
      if (answered) this.#deliver(entry, answered);
    } else if (effect.kind === 'deadline' && isAnswerable(entry, this.#ports.registry.item(effect.itemId).item)) {
      this.#arm(effect.itemId, effect.text, effect.time);
    } else if (effect.kind === 'settle') this.#settleSoon(entry, effect.writeId);
  }

  /** Waits for the record of an answer in the agent's transcript. */
  #settleSoon(entry: SessionEntry, writeId: string): void {
    this.#timers.set(`record of ${writeId}`, RECORD_MS, () => {
      entry
        .apply({ kind: 'settled', writeId, time: this.#ports.now() })
        .catch((error: unknown) => this.#ports.log.error('an answer could not be acknowledged', error));
    });
  }

  /**
   * Called after a restart: types accepted answers (the host knows which ones it has already typed) and restarts
   * deadlines.
   */
  resume(entry: SessionEntry): void {
    for (const answered of entry.aggregate.items) {
      const { item, keys, isWritten, writeId, unrecorded } = answered;
      if (unrecorded && writeId !== null) this.#settleSoon(entry, writeId);
      this.#watch.onItem(item, entry);
      if (entry.hasEnded && !outlivesSession(item)) continue;
      const { answer } = item;
      // A written answer may still need its Enter.
      const isUnproven = answer?.delivery === 'written' || answer?.stalled_reason === 'not_submitted';
      const isToType = isDeliveryPending(answer) || (isWritten && isUnproven && !keys);
      if (isToType && !item.awaited) this.#deliver(entry, answered);
      if (!isAnswerable(entry, item)) continue;
      const suggested = item.state === 'open' ? defaultAnswerOf(item) : null;
      if (suggested?.at != null) this.#arm(item.id, suggested.text, suggested.at);
    }
  }

  #deliver(entry: SessionEntry, answered: TrackedItem): void {
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
        .apply({ kind: 'stalled', writeId, reason, ...(seen !== undefined && { seen }), time: this.#ports.now() })
        .catch((error: unknown) => log.error('a stalled answer could not be noted', error));
    };
    const typing = { hasBegun: this.#typings.get(writeId)?.hasBegun === true, end: new AbortController() };
    this.#typings.set(writeId, typing);
    const { signal } = typing.end;
    const mayType = (): boolean => {
      if (!signal.aborted) typing.hasBegun = true;
      return !signal.aborted;
    };
    const onTyped = (): boolean => this.#typings.delete(writeId);
    typist.type(entry, { writeId, onWait, mayType, signal, ...words }).then(onTyped, (error: unknown) => {
      const reason = stallReasonOf(error);
      if (reason === 'not_reading' || reason === 'disk_full') typing.hasBegun = false; // The host refused the write.
      if (entry.hasEnded) return; // the journal contains the end, which stalls the answer
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

  /**
   * Reports why an answer that was accepted long ago is not written yet. Types the answer if no other code is about to.
   */
  #overdue(itemId: string, entry: SessionEntry): void {
    const { log, typist, outbox } = this.#ports;
    const answered = entry.trackedItem(itemId);
    const writeId = answered?.writeId ?? null;
    if (!answered || writeId === null || answered.item.answer?.delivery !== 'accepted') return;
    const reason = outbox.isFull ? 'disk_full' : 'delayed';
    log.error('an accepted answer is not typed in time', undefined, { item_id: itemId, write_id: writeId, reason });
    entry
      .apply({ kind: 'stalled', writeId, reason, time: this.#ports.now() })
      .catch((error: unknown) => log.error('a stalled answer could not be noted', error));
    if (!answered.item.awaited && !typist.isTyping(writeId)) this.#deliver(entry, answered);
  }

  #arm(itemId: string, text: string, time: number): void {
    this.#timers.set(`deadline of ${itemId}`, time - this.#ports.now(), () => {
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

/** How a program takes the text of an answer. */
interface Takes {
  /** True if all lines arrive as one text. */
  readonly lines: boolean;
  /** True if no tab acts as a key. */
  readonly tabs: boolean;
}

const TAKES_ALL: Takes = { lines: true, tabs: true };

/** False if the answer is given to a waiting tool call, or read from the item by a task, a run or a workflow. */
const isTyped = (item: Item): boolean => item.awaited !== true && !outlivesSession(item);

/** @throws {OrchdError} ORCHD_SESSION_ENDED, ORCHD_INVALID, ORCHD_ONE_LINE */
function checkDeliverable(
  { hasEnded, view: { name } }: SessionEntry,
  { item, keys, decides }: TrackedItem,
  { option, text }: AnswerText,
  takes: Takes,
): void {
  if (hasEnded && !outlivesSession(item)) {
    const message = `'${name}' is lost and cannot be answered: \`orchd revive ${name}\` first`;
    throw new OrchdError('ORCHD_SESSION_ENDED', message);
  }
  if (option !== undefined && keys?.[option - 1] === null && !decides?.[option - 1]) {
    const message = `option ${option} cannot be chosen from here: attach to '${name}' and choose it there`;
    throw new OrchdError('ORCHD_INVALID', message);
  }
  if (takes.lines || (keys && !takesText(item))) return; // keys are pressed, not typed
  const lines = text.split('\n').length;
  const message = `'${name}' would read only the first of the ${lines} lines as this answer, and the rest as answers to its next questions`;
  throw new OrchdError('ORCHD_ONE_LINE', message, { lines });
}

const whyTooLate = (item: Item): string =>
  isTyped(item)
    ? 'orchd has begun to type it, or it was given in the terminal'
    : 'the tool call, task, run or workflow that asked has received it';

/** Returns why the host did not type the answer. Only `write_failed` is permanent. */
function stallReasonOf(error: unknown): StallReason {
  const code = error instanceof OrchdError ? error.code : null;
  if (code === 'ORCHD_INPUT_FULL') return 'not_reading';
  if (code === 'ORCHD_STORE_FULL') return 'disk_full';
  return code === 'ORCHD_TOO_LARGE' ? 'write_failed' : 'delayed';
}

/**
 * Returns false if an answer cannot be delivered, because nothing can be typed without a terminal. A waiting call and a
 * run need no terminal: the call returns the answer, and the run's next attempt contains it.
 */
const isAnswerable = ({ view }: SessionEntry, item: Item): boolean =>
  view.mode !== 'batch' || item.awaited === true || outlivesSession(item);
