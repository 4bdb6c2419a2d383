/**
 * Typist: types into a session when its program takes input, and makes sure that Enter arrives. One text at a time for
 * each session.
 *
 * In:   a text, or keys, with the id of its write. The host ignores an id that it has seen, so all of this may be
 *       repeated after a crash.
 * Out:  `onWait` reports what it waits for, or that the text was not submitted. The promise resolves when the text was
 *       typed and its effect checked.
 *
 *     wait until the input line is empty, and an agent's composer is drawn and uncovered     wait-to-type.ts
 *     text, a pause until it is shown, Enter in a separate write; in line mode a line and its end at once
 *     Enter once more if the same text is still there; watch until it is gone                verify.ts
 *
 * input-line.ts determines what is visible.
 */
import { PROCEED_CONTRACT, type WriteStep } from '../../host/index.js';
import { KeyedQueue, whenFree } from '../concurrency/index.js';
import type { SessionEntry } from '../registry/index.js';
import { type Choice, keySteps, keysNow } from './dialog-keys.js';
import {
  holdsDraft,
  type InputLineWatch,
  type Manner,
  mannerOf,
  sightOf,
  watchAgain,
  watchText,
} from './input-line.js';
import { mayTakeInput, readsTerminal } from './prompt.js';
import { HAS_PROC } from './shells.js';
import { isAnswer, LOOK_MS, type TypeRequest, type TypingPorts, type TypistPorts, takesPaste } from './type-request.js';
import { VERIFY_MS, Verification } from './verify.js';
import { PATIENCE_MS, type WaitPorts, whenTypeable } from './wait-to-type.js';

/** Pause before Enter for programs with bracketed paste, which otherwise treat it as part of the paste. */
const SETTLE_MS = 150;
/** Pause for programs that paint: some treat an earlier Enter as a line break. */
const PAINTER_SETTLE_MS = 400;
/**
 * The pause ends when the text is on the screen, at the latest after this time. If Enter came too early, a busy program
 * could read text and Enter together, as a paste.
 */
const LONGEST_SETTLE_MS = 2_000;
/** A repaint hides a dialog for less than this time. */
const REPAINT_MS = 500;
/** A program that was slow to show the text gets this multiple of that time to act on Enter, up to the longest. */
const VERIFY_FACTOR = 3;
const LONGEST_VERIFY_MS = 8_000;
/** Interval of the looks at a program that does not read its terminal. */
const READER_LOOK_MS = 250;

/** A text that was typed, or whose typing has begun. */
interface TypedText {
  readonly manner: Manner;
  readonly watch: InputLineWatch;
  /** Ids of the items that were open before the text. */
  readonly open: ReadonlySet<string>;
}

/** Types texts and keys into sessions, one text at a time for each session. */
export class Typist {
  readonly #ports: TypistPorts;
  readonly #waitPorts: WaitPorts;
  readonly #verification: Verification;
  /** The texts that are typed into each session. */
  readonly #queue = new KeyedQueue();
  /** The text of each session that is typed before any other text. */
  readonly #reserved = new Map<string, { readonly writeId: string; readonly released: Promise<void> }>();
  /** Write ids of the texts that `type` has not resolved yet. */
  readonly #typing = new Set<string>();
  #isClosed = false;

  constructor(ports: TypistPorts) {
    this.#ports = ports;
    const typing: TypingPorts = { ...ports, isOver: (entry) => this.#isOver(entry) };
    this.#verification = new Verification(typing);
    this.#waitPorts = {
      ...typing,
      isUnsent: (entry) => this.#verification.isUnsent(entry),
      partLeft: (entry) => this.#verification.partLeft(entry),
      isUnread: (entry, writeId) => this.#verification.isUnread(entry, writeId),
    };
  }

  /**
   * Reserves a session's input for the text with this write id; the session need not have started. Other texts wait
   * until the returned function is called. Answers do not wait, because the program may ask a question before it
   * accepts the text.
   */
  reserve(sessionId: string, writeId: string): () => void {
    let resolve = (): void => {};
    const released = new Promise<void>((done) => {
      resolve = done;
    });
    const reserved = { writeId, released };
    this.#reserved.set(sessionId, reserved);
    return () => {
      if (this.#reserved.get(sessionId) === reserved) this.#reserved.delete(sessionId);
      resolve();
    };
  }

  /**
   * @returns True if it was typed.
   * @throws {OrchdError} The host's error: ORCHD_INPUT_FULL if the program does not read; also for a session that has
   *   ended.
   */
  async type(entry: SessionEntry, request: TypeRequest): Promise<boolean> {
    this.#typing.add(request.writeId);
    try {
      return await this.#typeInTurn(entry, request);
    } finally {
      this.#typing.delete(request.writeId);
    }
  }

  /** True while `type` has not resolved for this write id. */
  isTyping(writeId: string): boolean {
    return this.#typing.has(writeId);
  }

  async #typeInTurn(entry: SessionEntry, request: TypeRequest): Promise<boolean> {
    const first = this.#reserved.get(entry.id);
    if (first && first.writeId !== request.writeId && !request.choice && !isAnswer(entry, request.writeId)) {
      if (await whenFree(first.released, request.signal)) return this.#typeInTurn(entry, request);
      request.onWait('queued');
      return false;
    }
    // A choice in a dialog skips the queue: the text at its head may wait for the end of this dialog.
    if (request.choice) return this.#type(entry, request);
    return this.#queue.run(entry.id, () => this.#type(entry, request), {
      signal: request.signal,
      otherwise: () => {
        request.onWait('queued');
        return false;
      },
    });
  }

  /** Returns how a line is typed into this session now, whatever its input line contains. */
  async steps(entry: SessionEntry, text: string): Promise<WriteStep[]> {
    return this.#steps(entry, text, await mannerOf(entry, this.#ports.host()));
  }

  /** True for an agent with an adapter that recognizes when the agent accepts input. */
  sees(entry: SessionEntry): boolean {
    return sightOf(entry) !== null;
  }

  /**
   * Waits while a program without signals is seen not to read its terminal (Linux). Other texts may be typed meanwhile.
   * Resolves at the latest after `limitMs`.
   */
  async whenReading(entry: SessionEntry, limitMs: number): Promise<void> {
    const { monotonicNow, pause } = this.#ports;
    const until = monotonicNow() + limitMs;
    while (monotonicNow() < until && !this.#isOver(entry) && !this.sees(entry)) {
      if (mayTakeInput(entry.view.pid) !== false) return;
      const next = monotonicNow() + READER_LOOK_MS;
      while (monotonicNow() < next && !this.#isOver(entry)) await pause(entry, next - monotonicNow());
    }
  }

  /** True if several lines arrive as one text: the program uses bracketed paste now, or is an agent. */
  async takesLines(entry: SessionEntry): Promise<boolean> {
    if (this.sees(entry)) return true;
    return takesPaste(entry) && (await mannerOf(entry, this.#ports.host())) === 'keys';
  }

  /** False if a tab would be a key, which completes a word: the program reads keys, and takes no paste. */
  async takesTabs(entry: SessionEntry): Promise<boolean> {
    if (this.sees(entry) || entry.keeper?.hasBracketedPaste === true) return true;
    return (await mannerOf(entry, this.#ports.host())) !== 'keys';
  }

  close(): void {
    this.#isClosed = true;
  }

  async #type(entry: SessionEntry, request: TypeRequest): Promise<boolean> {
    const { writeId, choice } = request;
    if (choice) return this.#choose(entry, request);
    const isNew = !hasBegun(entry, writeId);
    const typed = isNew ? await this.#begin(entry, request) : await this.#continue(entry, request);
    if (!typed) return false;
    const { manner, watch, open } = typed;
    // In line mode the kernel buffers the line, so the caller does not wait until a slow program reads it.
    if (isNew && manner === 'lines' && !isAnswer(entry, writeId)) return true;
    const verifyMs = await this.#whenWritten(entry, request, typed);
    if (manner !== 'lines' && !this.#isOver(entry))
      await this.#verification.verify(entry, request, manner, { ...watch, verifyMs }, open);
    return true;
  }

  /**
   * Waits until the program takes input, and types the text.
   * @returns Null if it was not typed.
   */
  async #begin(entry: SessionEntry, request: TypeRequest): Promise<TypedText | null> {
    const { writeId, text } = request;
    for (;;) {
      const manner = await whenTypeable(this.#waitPorts, entry, request);
      if (manner === null || this.#isOver(entry) || request.mayType?.() === false) return null;
      const watch = watchText(entry, manner, text);
      if (manner !== 'agent' && isAnswer(entry, writeId)) await noteWait(entry, manner, writeId);
      // A person may have begun to type while the note was stored.
      if (holdsDraft(entry, manner, isAnswer(entry, writeId))) continue;
      this.#verification.forget(entry);
      const open = openBefore(entry, Number.POSITIVE_INFINITY);
      const steps = this.#steps(entry, text, manner);
      await this.#ports.host().call('write', { sessionId: entry.id, writeId, steps });
      entry.pressed('\r');
      return { manner, watch, open };
    }
  }

  /** Watches a text that an earlier daemon has begun to type. */
  async #continue(entry: SessionEntry, { writeId, text }: TypeRequest): Promise<TypedText> {
    const manner = await mannerOf(entry, this.#ports.host());
    const screens = manner === 'keys' ? await this.#ports.screensAround(entry, writeId) : null;
    const watch = watchAgain(entry, manner, text, screens);
    return { manner, watch, open: openBefore(entry, screens?.from ?? 0) };
  }

  async #choose(entry: SessionEntry, request: TypeRequest): Promise<boolean> {
    const { writeId, text, choice, onWait, mayType } = request;
    if (entry.endOf(writeId) !== null) return true;
    const keys = choice && (await this.#whenChoosable(entry, text, choice));
    if (!keys) {
      onWait('dialog_gone');
      return false;
    }
    if (mayType?.() === false) return false;
    await this.#ports.host().call('write', { sessionId: entry.id, writeId, steps: keySteps(keys) });
    await this.#whenWritten(entry, request);
    return true;
  }

  #steps(entry: SessionEntry, text: string, manner: Manner): WriteStep[] {
    if (manner === 'lines') return [{ text: `${text.replaceAll('\n', '\r')}\r` }];
    const isPaste = entry.keeper?.hasBracketedPaste ?? false;
    const typed = isPaste ? `\x1b[200~${text}\x1b[201~` : manner === 'agent' ? text : text.replaceAll('\n', '\r');
    const mayProceed = this.#ports.host().welcome.contract >= PROCEED_CONTRACT;
    const settleMs = mayProceed ? LONGEST_SETTLE_MS : shortestSettle(entry, manner);
    return [{ text: typed }, { settleMs }, { text: '\r' }];
  }

  /**
   * Waits while a repaint hides the dialog.
   * @returns The keys; null if that dialog is not open.
   */
  async #whenChoosable(entry: SessionEntry, text: string, choice: Choice): Promise<string | null> {
    const until = this.#ports.monotonicNow() + REPAINT_MS;
    for (;;) {
      const keys = keysNow(entry, text, choice);
      if (keys !== null || this.#ports.monotonicNow() >= until || this.#isOver(entry)) return keys;
      await this.#ports.pause(entry, LOOK_MS);
    }
  }

  /**
   * @param typed  The pause before Enter ends when this text is shown. Absent for keys.
   * @returns How long to wait for the effect of Enter.
   */
  async #whenWritten(entry: SessionEntry, { writeId, onWait }: TypeRequest, typed?: TypedText): Promise<number> {
    const since = this.#ports.monotonicNow();
    let verifyMs = VERIFY_MS;
    let isReported = false;
    let isPaused = typed !== undefined && typed.manner !== 'lines';
    while (!this.#isOver(entry) && !isWritten(entry, writeId)) {
      const passed = this.#ports.monotonicNow() - since;
      if (isPaused && typed?.watch.isShown() && passed >= shortestSettle(entry, sightOf(entry) ? 'agent' : 'keys')) {
        isPaused = false;
        verifyMs = Math.min(Math.max(VERIFY_MS, VERIFY_FACTOR * passed), LONGEST_VERIFY_MS);
        await this.#proceed(entry, writeId);
      }
      if (!isReported && passed >= PATIENCE_MS.not_reading) {
        isReported = true;
        onWait('not_reading');
      }
      await this.#ports.pause(entry, isPaused ? LOOK_MS / 2 : LOOK_MS);
    }
    return verifyMs;
  }

  async #proceed(entry: SessionEntry, writeId: string): Promise<void> {
    const host = this.#ports.host();
    if (host.welcome.contract >= PROCEED_CONTRACT) await host.call('proceed', { sessionId: entry.id, writeId });
  }

  #isOver(entry: SessionEntry): boolean {
    return this.#isClosed || entry.hasEnded;
  }
}

/** Returns the shortest pause. Programs that print lines need less: a shell shows typed text at once. */
function shortestSettle(entry: SessionEntry, manner: Manner): number {
  if (manner === 'agent') return PAINTER_SETTLE_MS;
  const screen = entry.keeper?.screen;
  const isPainted = !screen || screen.isAlternate || !screen.cursor.visible || !screen.hasBracketedPaste;
  return isPainted ? PAINTER_SETTLE_MS : SETTLE_MS;
}

/**
 * Records what the program's next output will say about an answer that is about to be typed. The output says nothing if
 * the program reads single keys, because such a program repaints its screen for many reasons. It also says nothing if
 * the program is not seen to read its terminal now. A program that is blocked until a line comes takes the line,
 * whatever it printed before.
 */
async function noteWait(entry: SessionEntry, manner: Manner, writeId: string): Promise<void> {
  const { pid } = entry.view;
  const isReading = !HAS_PROC || mayTakeInput(pid) === true;
  if (manner === 'keys' || !isReading) await entry.apply({ kind: 'watched', writeId });
  else if (readsTerminal(pid)) await entry.apply({ kind: 'had_waited', writeId });
}

/** True if the text was typed, or could not be. */
const isWritten = (entry: SessionEntry, writeId: string): boolean =>
  entry.endOf(writeId) !== null ||
  entry.aggregate.items.some((item) => item.writeId === writeId && item.isWritten === true);

/** True if an earlier daemon has had the text typed. The host may still be typing it. */
const hasBegun = (entry: SessionEntry, writeId: string): boolean =>
  isWritten(entry, writeId) || entry.hearing?.hasBegun(writeId) === true;

/** Returns the ids of the open items that were asked before a position of the journal. */
const openBefore = (entry: SessionEntry, position: number): ReadonlySet<string> =>
  new Set(entry.openItems().flatMap(({ id, origin }) => ((origin?.from ?? 0) < position ? [id] : [])));
