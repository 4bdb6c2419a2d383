/**
 * Typist: types into a session as its program takes it, and sees to it that Enter arrives. One text at a time for each session.
 *
 * In:   a text, or keys, with the id of its write: the host does nothing for an id that it has seen, so that all of this may be
 *       done again after a crash.
 * Out:  `onWait` says what it waits for, or that the text was not submitted; the promise resolves when it was typed and looked at.
 *
 *     wait until nothing else stands in the input line, and an agent's composer is drawn and uncovered
 *     text, a pause until it is shown, Enter in a write of its own       (a line and its end at once, in line mode)
 *     Enter once more, if the same text still stands there
 *     look on until it is gone: then the program took it                 (input-line.ts says what is seen)
 */
import { type HostClient, PROCEED_CONTRACT, type WriteStep } from '../host/index.js';
import { enterAgain, type StallReason, type Wait, whatToWaitFor } from '../lifecycle/index.js';
import { isSameDialog } from '../session/adapters/index.js';
import {
  holdsDraft,
  type LineLook,
  type LineWatch,
  type Manner,
  mannerOf,
  sightOf,
  watchAgain,
  watchText,
} from './input-line.js';
import type { Log } from './log.js';
import type { SessionEntry } from './session-entry.js';

export interface TypistPorts {
  readonly host: () => HostClient;
  readonly log: Log;
}

export interface Choice {
  /** Which one, from 0, of these; its keys are looked up when they are pressed: the pointer may have moved since. */
  readonly index: number;
  readonly labels: readonly string[];
}

export interface TypeRequest {
  readonly writeId: string;
  readonly text: string;
  /** Pressed instead, while the dialog that asks `text` is open: the keys that choose this. */
  readonly choice?: Choice;
  /** @param seen  What the input line shows, of a text that was not submitted. */
  readonly onWait: (reason: StallReason, seen?: string) => void;
  /** Ends the waiting; nothing is typed then. */
  readonly signal?: AbortSignal;
}

/** Programs with bracketed paste need a pause before Enter, or they take it for part of the paste. */
const SETTLE_MS = 150;
/** Programs that paint need a longer one: some take an Enter that comes sooner for a line break. */
const PAINTER_SETTLE_MS = 400;
/** The pause ends when the text is shown, or after this: a busy program may read the text and an early Enter at once, as a paste. */
const LONGEST_SETTLE_MS = 2_000;
/** What holds it up for so long is said. */
const PATIENCE_MS = {
  ...{ not_ready: 10_000, agent_busy: 10_000, composer_busy: 1_000, not_reading: 10_000 },
} as const;
/** After an Enter, so long until a text that still stands there was not submitted. */
const VERIFY_MS = 1_500;
/** A text that has left the input line must stay away so long: a program may be painting. */
const GONE_MS = 400;
/** The daemon stops looking after this time if the outcome of the text is not seen. */
const GIVE_UP_MS = 30_000;
const LOOK_MS = 100;
/** A repaint hides a dialog for less. */
const REPAINT_MS = 500;
const UNSENT_LOOK_MS = 250;

export class Typist {
  readonly #ports: TypistPorts;
  /** The last text of each session that has one under way. */
  readonly #under = new Map<string, Promise<unknown>>();
  /** Texts that are looked for after `type` has resolved, by session. `isUnsent`: they still stand in the input line. */
  readonly #watched = new Map<string, { readonly writeId: string; readonly isUnsent: boolean }>();
  /** The text that each of these sessions gets before any other. */
  readonly #reserved = new Map<string, { readonly writeId: string; readonly released: Promise<void> }>();
  /** Write ids of the texts that `type` has not resolved yet. */
  readonly #typing = new Set<string>();
  #isClosed = false;

  constructor(ports: TypistPorts) {
    this.#ports = ports;
  }

  /**
   * Reserves a session's input, which need not have started, for the text with this write id. Other texts wait until
   * the returned function is called. Answers do not: the program may ask something before it takes the text.
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
   * @returns  Whether it was typed.
   * @throws {OrchdError} as the host: ORCHD_INPUT_FULL when the program does not read; and for a session that has ended.
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
      request.onWait('not_ready');
      return false;
    }
    // What chooses in a dialog must not wait for a text that waits for the dialog's end.
    if (request.choice) return this.#type(entry, request);
    const before = this.#under.get(entry.id) ?? Promise.resolve();
    const done = whenFree(before, request.signal).then((isFree) => {
      if (isFree) return this.#type(entry, request);
      request.onWait('composer_busy'); // what another is about to type
      return false;
    });
    const both = Promise.allSettled([before, done]);
    this.#under.set(entry.id, both);
    void both.then(() => {
      if (this.#under.get(entry.id) === both) this.#under.delete(entry.id);
    });
    return done;
  }

  /** Returns how a line is typed into this session now, whatever stands in its input line. */
  async steps(entry: SessionEntry, text: string): Promise<WriteStep[]> {
    return this.#steps(entry, text, await mannerOf(entry, this.#ports.host()));
  }

  /** Whether it can be seen when its program takes input: an agent whose signals are known. */
  sees(entry: SessionEntry): boolean {
    return sightOf(entry) !== null;
  }

  /** Whether several lines arrive as one text: its program tells a paste from keys, or is an agent. */
  takesLines(entry: SessionEntry): boolean {
    return this.sees(entry) || (entry.keeper?.hasBracketedPaste ?? false);
  }

  close(): void {
    this.#isClosed = true;
  }

  async #type(entry: SessionEntry, request: TypeRequest): Promise<boolean> {
    const { writeId, text, choice, onWait } = request;
    if (choice) return this.#choose(entry, request);
    let manner: Manner | null = null;
    let watch: LineWatch;
    if (entry.endOf(writeId) === null && !isWritten(entry, writeId)) {
      manner = await this.#whenTypeable(entry, request);
      if (manner === null || this.#isOver(entry)) return false;
      watch = watchText(entry, manner, text);
      // Of a program that reads keys, output alone says nothing: it repaints its screen for many reasons.
      if (manner === 'keys' && isAnswer(entry, writeId)) await entry.apply({ kind: 'watched', writeId });
      const steps = this.#steps(entry, text, manner);
      this.#watched.delete(entry.id);
      await this.#ports.host().call('write', { sessionId: entry.id, writeId, steps });
      entry.pressed('\r');
      // A line is the kernel's, and a caller that sends one does not wait for a program that is slow to read it.
      if (manner === 'lines' && !isAnswer(entry, writeId)) return true;
      await this.#whenWritten(entry, writeId, onWait, { watch, steps });
    } else {
      manner = await mannerOf(entry, this.#ports.host());
      watch = watchAgain(entry, manner, text);
    }
    if (manner !== 'lines' && !this.#isOver(entry)) await this.#verify(entry, request, manner, watch);
    return true;
  }

  async #choose(entry: SessionEntry, { writeId, text, choice, onWait }: TypeRequest): Promise<boolean> {
    if (entry.endOf(writeId) !== null) return true;
    const keys = choice && (await this.#whenChoosable(entry, text, choice));
    if (!keys) {
      onWait('dialog_gone');
      return false;
    }
    await this.#ports.host().call('write', { sessionId: entry.id, writeId, steps: keySteps(keys) });
    await this.#whenWritten(entry, writeId, onWait);
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

  /** @returns  How it is to be typed; null when the request's signal ended the waiting. */
  async #whenTypeable(entry: SessionEntry, { writeId, onWait, signal }: TypeRequest): Promise<Manner | null> {
    const since = Date.now();
    let told: StallReason | null = null;
    let manner = await mannerOf(entry, this.#ports.host());
    while (!this.#isOver(entry)) {
      const wait = this.#obstacle(entry, manner, { since, isAnswer: isAnswer(entry, writeId) });
      if (!wait && !signal?.aborted) {
        // A person may have been waited for, and the program may read in another way by now.
        if (told === null || (await mannerOf(entry, this.#ports.host())) === manner) return manner;
        manner = await mannerOf(entry, this.#ports.host());
        continue;
      }
      if (wait && wait.reason !== told && (signal?.aborted || Date.now() - since >= PATIENCE_MS[wait.reason])) {
        told = wait.reason;
        onWait(wait.reason);
      }
      if (signal?.aborted) return null;
      await entry.whenHeard(Math.min(wait?.forMs ?? LOOK_MS, LOOK_MS));
    }
    return null;
  }

  /** Waits while a repaint hides the dialog. @returns  The keys; null if that dialog is not open. */
  async #whenChoosable(entry: SessionEntry, text: string, choice: Choice): Promise<string | null> {
    const until = Date.now() + REPAINT_MS;
    for (;;) {
      const keys = keysNow(entry, text, choice);
      if (keys !== null || Date.now() >= until || this.#isOver(entry)) return keys;
      await entry.whenHeard(LOOK_MS);
    }
  }

  #obstacle(
    entry: SessionEntry,
    manner: Manner,
    { since, isAnswer }: { readonly since: number; readonly isAnswer: boolean },
  ): Wait | null {
    const sight = sightOf(entry);
    const wait = sight && whatToWaitFor(sight, Date.now(), since, entry.start.time);
    if (wait) return wait;
    const isHeld = holdsDraft(entry, manner, isAnswer) || this.#watched.get(entry.id)?.isUnsent;
    return isHeld ? { reason: 'composer_busy', forMs: LOOK_MS } : null;
  }

  /** @param typed  Its pause ends when the text is shown. */
  async #whenWritten(
    entry: SessionEntry,
    writeId: string,
    onWait: TypeRequest['onWait'],
    typed?: { readonly watch: LineWatch; readonly steps: readonly WriteStep[] },
  ): Promise<void> {
    const since = Date.now();
    let isTold = false;
    let isPaused = typed?.steps.some((step) => 'settleMs' in step) ?? false;
    while (!this.#isOver(entry) && entry.endOf(writeId) === null) {
      const passed = Date.now() - since;
      if (isPaused && typed?.watch.isShown() && passed >= shortestSettle(entry, sightOf(entry) ? 'agent' : 'keys')) {
        isPaused = false;
        await this.#proceed(entry, writeId);
      }
      if (!isTold && passed >= PATIENCE_MS.not_reading) {
        isTold = true;
        onWait('not_reading');
      }
      await entry.whenHeard(isPaused ? LOOK_MS / 2 : LOOK_MS);
    }
  }

  async #proceed(entry: SessionEntry, writeId: string): Promise<void> {
    const host = this.#ports.host();
    if (host.welcome.contract >= PROCEED_CONTRACT) await host.call('proceed', { sessionId: entry.id, writeId });
  }

  /** Presses Enter once more if the text still stands in the input line, and says so if that did not help. */
  async #verify(entry: SessionEntry, request: TypeRequest, manner: Manner, watch: LineWatch): Promise<void> {
    const { writeId, onWait } = request;
    const isKept = isAnswer(entry, writeId);
    let { standing, seen } = await this.#lookFor(entry, watch, VERIFY_MS, isKept);
    if (standing === 'stands') {
      const steps = [{ text: '\r' }];
      await this.#ports.host().call('write', { sessionId: entry.id, writeId: enterAgain(writeId), steps });
      ({ standing, seen } = await this.#lookFor(entry, watch, VERIFY_MS, isKept));
    }
    if (this.#isOver(entry)) return;
    const isUnsent = standing === 'stands' || standing === 'changed';
    if (isUnsent) onWait('not_submitted', seen ?? undefined);
    if (standing === 'left' && manner === 'keys' && isKept && watch.hasChanged()) return this.#taken(entry, writeId);
    if (!isUnsent && (manner === 'agent' || !isKept)) return;
    this.#watched.set(entry.id, { writeId, isUnsent });
    void this.#lookOn(entry, writeId, manner, watch, isUnsent).catch((error: unknown) => {
      if (!entry.hasEnded) this.#ports.log.error('an answer could not be watched', error, { session_id: entry.id });
    });
  }

  /** Looks until the text has left the input line, for good if `isKept`, or until so much time has passed. */
  async #lookFor(entry: SessionEntry, watch: LineWatch, withinMs: number, isKept: boolean): Promise<LineLook> {
    const until = Date.now() + withinMs;
    let goneAt: number | null = null;
    for (;;) {
      const look = watch.look();
      const now = Date.now();
      goneAt = look.standing === 'left' ? (goneAt ?? now) : null;
      const isGone = goneAt !== null && (!isKept || now - goneAt >= GONE_MS);
      if (isGone || (goneAt === null && now >= until) || this.#isOver(entry)) return look;
      await entry.whenHeard(LOOK_MS);
    }
  }

  /** Its outcome is seen later, or not at all. Ends when another text is typed. */
  async #lookOn(
    entry: SessionEntry,
    writeId: string,
    manner: Manner,
    watch: LineWatch,
    isUnsent: boolean,
  ): Promise<void> {
    const { turn } = entry.book.session;
    const since = Date.now();
    const isCurrent = (): boolean => !this.#isOver(entry) && this.#watched.get(entry.id)?.writeId === writeId;
    while (isCurrent() && (isUnsent || Date.now() - since < GIVE_UP_MS)) {
      const { standing } = await this.#lookFor(entry, watch, UNSENT_LOOK_MS, true);
      const isEntered = !isUnsent || entry.book.session.turn > turn;
      if (isCurrent() && standing === 'left' && (!isEntered || watch.hasChanged())) {
        // A person may have deleted it instead: then no Enter was pressed.
        if (isEntered && (isUnsent || manner === 'keys')) await this.#taken(entry, writeId);
        else await entry.apply({ kind: 'unwatched', writeId });
        break;
      }
      await entry.whenHeard(UNSENT_LOOK_MS);
    }
    if (this.#watched.get(entry.id)?.writeId === writeId) this.#watched.delete(entry.id);
  }

  #taken(entry: SessionEntry, writeId: string): Promise<void> {
    const evidence = 'its text left the input line, and the program went on';
    return entry.apply({ kind: 'taken', writeId, evidence, time: Date.now() });
  }

  #isOver(entry: SessionEntry): boolean {
    return this.#isClosed || entry.hasEnded;
  }
}

/** @returns  False when the signal came first. */
async function whenFree(before: Promise<unknown>, signal: AbortSignal | undefined): Promise<boolean> {
  if (!signal) return before.then(() => true);
  let leave = (): void => {};
  const aborted = new Promise<false>((resolve) => {
    leave = () => resolve(false);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
  });
  const isFree = await Promise.race([before.then(() => true), aborted]);
  signal.removeEventListener('abort', leave);
  return isFree;
}

/** What chooses it where the pointer stands now; null: that very dialog is not open. */
function keysNow(entry: SessionEntry, text: string, { index, labels }: Choice): string | null {
  const dialog = entry.hearing?.signal()?.dialog;
  const asked = { text, choices: labels.map((label) => ({ label, keys: null })) };
  return (dialog && isSameDialog(dialog, asked) && dialog.choices[index]?.keys) || null;
}

/** Each key in a write of its own, as a person presses them: several at once are taken for a paste. */
function keySteps(keys: string): WriteStep[] {
  const each = keys.match(/\x1b\[[0-9;]*[A-Za-z~]|\x1bO.|[\s\S]/g) ?? [];
  return each.flatMap((text, at): WriteStep[] => (at === 0 ? [{ text }] : [{ settleMs: SETTLE_MS }, { text }]));
}

/** Programs that print lines need less: a shell shows at once what is typed. */
function shortestSettle(entry: SessionEntry, manner: Manner): number {
  if (manner === 'agent') return PAINTER_SETTLE_MS;
  const screen = entry.keeper?.screen;
  const isPainted = !screen || screen.isAlternate || !screen.cursor.visible || !screen.hasBracketedPaste;
  return isPainted ? PAINTER_SETTLE_MS : SETTLE_MS;
}

const isAnswer = (entry: SessionEntry, writeId: string): boolean =>
  entry.book.items.some((item) => item.writeId === writeId);

/** An earlier daemon has typed it. */
const isWritten = (entry: SessionEntry, writeId: string): boolean =>
  entry.book.items.some((item) => item.writeId === writeId && item.isWritten === true);
