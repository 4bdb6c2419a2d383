/**
 * Typist: types into a session when its program takes input, and makes sure that Enter arrives. One text at a time for
 * each session.
 *
 * In:   a text, or keys, with the id of its write. The host ignores an id that it has seen, so all of this may be
 *       repeated after a crash.
 * Out:  `onWait` reports what it waits for, or that the text was not submitted. The promise resolves when the text was
 *       typed and its effect checked.
 *
 *     wait until the input line is empty, and an agent's composer is drawn and uncovered
 *     text, a pause until it is shown, Enter in a separate write      (in line mode: a line and its end at once)
 *     Enter once more if the same text is still there
 *     watch until it is gone: then the program took it               (input-line.ts determines what is visible)
 *
 * The file is long because these steps share the state of the text that is being typed.
 */
import { type HostClient, PROCEED_CONTRACT, type WriteStep } from '../../host/index.js';
import {
  enterAgain,
  type Since,
  type StallReason,
  sinceDialog,
  type Wait,
  whatToWaitFor,
} from '../../lifecycle/index.js';
import { KeyedQueue, whenFree } from '../concurrency/index.js';
import type { Log } from '../log.js';
import type { SessionEntry } from '../registry/index.js';
import { type Choice, keySteps, keysNow } from './dialog-keys.js';
import {
  holdsDraft,
  isDeaf,
  type LineState,
  type LineWatch,
  type Manner,
  mannerOf,
  mayBeStale,
  seenIn,
  sightOf,
  watchAgain,
  watchText,
  worksForPerson,
} from './input-line.js';
import { mayTakeInput, readsTerminal } from './prompt.js';
import { editorInFront, HAS_PROC, wrapsLines } from './shells.js';

interface TypistPorts {
  readonly host: () => HostClient;
  readonly log: Log;
  /** Makes the program paint its whole screen again. */
  readonly repaint: (entry: SessionEntry) => Promise<void>;
}

interface TypeRequest {
  readonly writeId: string;
  readonly text: string;
  /** The option to choose. Its keys are pressed while the dialog that asks `text` is open. */
  readonly choice?: Choice;
  /** @param seen  What stands in the input line: the text that was not submitted, or what is in its way. */
  readonly onWait: (reason: StallReason, seen?: string) => void;
  /** Called directly before the text is typed. If it returns false, nothing is typed. */
  readonly mayType?: () => boolean;
  /** Ends the waiting; the text is then not typed. */
  readonly signal?: AbortSignal;
}

/** Pause before Enter for programs with bracketed paste, which otherwise treat it as part of the paste. */
const SETTLE_MS = 150;
/** Pause for programs that paint: some treat an earlier Enter as a line break. */
const PAINTER_SETTLE_MS = 400;
/**
 * The pause ends when the text is on the screen, at the latest after this time. If Enter came too early, a busy program
 * could read text and Enter together, as a paste.
 */
const LONGEST_SETTLE_MS = 2_000;
/** Maximum duration of each obstacle before it is reported. */
const PATIENCE_MS = {
  not_ready: 10_000,
  agent_busy: 10_000,
  composer_busy: 1_000,
  not_reading: 10_000,
} as const;
/** Shortest time after an Enter after which a text that is still there counts as not submitted. */
const VERIFY_MS = 1_500;
/** A program that was slow to show the text gets this multiple of that time to act on Enter, up to the longest. */
const VERIFY_FACTOR = 3;
const LONGEST_VERIFY_MS = 8_000;
/**
 * Minimum time for which a text must have disappeared from the input line: the program may be in the middle of a
 * repaint.
 */
const GONE_MS = 400;
/** The daemon stops watching after this time if it cannot see the outcome. */
const GIVE_UP_MS = 30_000;
const LOOK_MS = 100;
/** Times after which an agent is made to repaint if its composer may be what an earlier picture left there. */
const REPAINT_AFTER_MS = [2_000, 8_000, 30_000] as const;
/** A repaint hides a dialog for less than this time. */
const REPAINT_MS = 500;
const UNSENT_LOOK_MS = 250;
/** Maximum time from the output of a question until the daemon has found it. */
const HEARD_WITHIN_MS = 2_000;

/** Types texts and keys into sessions, one text at a time for each session. */
export class Typist {
  readonly #ports: TypistPorts;
  /** The texts that are typed into each session. */
  readonly #queue = new KeyedQueue();
  /**
   * Texts that are still watched after `type` has resolved, by session. `isUnsent`: the text is still in the input
   * line.
   */
  readonly #watched = new Map<string, { readonly writeId: string; readonly isUnsent: boolean }>();
  /** The text of each session that is typed before any other text. */
  readonly #reserved = new Map<string, { readonly writeId: string; readonly released: Promise<void> }>();
  /** Write ids of the texts that `type` has not resolved yet. */
  readonly #typing = new Set<string>();
  #isClosed = false;

  constructor(ports: TypistPorts) {
    this.#ports = ports;
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
      request.onWait('not_ready');
      return false;
    }
    // A choice in a dialog skips the queue: the text at its head may wait for the end of this dialog.
    if (request.choice) return this.#type(entry, request);
    return this.#queue.run(entry.id, () => this.#type(entry, request), {
      signal: request.signal,
      otherwise: () => {
        request.onWait('composer_busy'); // another caller is about to type a text
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

  /** True if several lines arrive as one text: the program uses bracketed paste now, or is an agent. */
  async takesLines(entry: SessionEntry): Promise<boolean> {
    if (this.sees(entry)) return true;
    return takesPaste(entry) && (await mannerOf(entry, this.#ports.host())) === 'keys';
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
      if (manner === null || this.#isOver(entry) || request.mayType?.() === false) return false;
      watch = watchText(entry, manner, text);
      if (manner !== 'agent' && isAnswer(entry, writeId)) await noteWait(entry, manner, writeId);
      const steps = this.#steps(entry, text, manner);
      this.#watched.delete(entry.id);
      await this.#ports.host().call('write', { sessionId: entry.id, writeId, steps });
      entry.pressed('\r');
      // In line mode the kernel buffers the line, so the caller does not wait until a slow program reads it.
      if (manner === 'lines' && !isAnswer(entry, writeId)) return true;
      watch = { ...watch, verifyMs: await this.#whenWritten(entry, writeId, onWait, { watch, steps }) };
    } else {
      manner = await mannerOf(entry, this.#ports.host());
      watch = watchAgain(entry, manner, text);
    }
    if (manner !== 'lines' && !this.#isOver(entry)) await this.#verify(entry, request, manner, watch);
    return true;
  }

  async #choose(entry: SessionEntry, { writeId, text, choice, onWait, mayType }: TypeRequest): Promise<boolean> {
    if (entry.endOf(writeId) !== null) return true;
    const keys = choice && (await this.#whenChoosable(entry, text, choice));
    if (!keys) {
      onWait('dialog_gone');
      return false;
    }
    if (mayType?.() === false) return false;
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

  /** @returns  How to type it; null if the request's signal ended the waiting. */
  async #whenTypeable(entry: SessionEntry, { writeId, text, onWait, signal }: TypeRequest): Promise<Manner | null> {
    const since = performance.now();
    let from: Since = { startedAt: entry.start.time, monotonic: since };
    let reported: StallReason | null = null;
    let hasWaited = false;
    let manner = await mannerOf(entry, this.#ports.host());
    const repaintAfter = [...REPAINT_AFTER_MS];
    let staleSince: number | null = null;
    while (!this.#isOver(entry)) {
      from = sinceDialog(from, sightOf(entry), { startedAt: Date.now(), monotonic: performance.now() });
      const wait =
        this.#obstacle(entry, manner, from, writeId) ??
        covers(entry, manner, writeId) ??
        splits(entry, manner, text, writeId);
      if (!wait && !signal?.aborted) {
        // During the wait, the program may have changed the way it reads input.
        const now = hasWaited ? await mannerOf(entry, this.#ports.host()) : manner;
        if (now === manner) return manner;
        manner = now;
        continue;
      }
      if (
        wait &&
        wait.reason !== reported &&
        (signal?.aborted || performance.now() - since >= PATIENCE_MS[wait.reason])
      ) {
        reported = wait.reason;
        onWait(wait.reason, wait.reason === 'composer_busy' ? seenIn(entry) : undefined);
      }
      if (signal?.aborted) return null;
      hasWaited = true;
      const isStale = wait?.reason === 'composer_busy' && mayBeStale(entry);
      staleSince = isStale ? (staleSince ?? performance.now()) : null;
      const [staleMs = Number.POSITIVE_INFINITY] = repaintAfter;
      if (staleSince !== null && performance.now() - staleSince >= staleMs) {
        repaintAfter.shift();
        await this.#repaint(entry);
      }
      await entry.whenOutputRead(Math.min(wait?.forMs ?? LOOK_MS, LOOK_MS));
    }
    return null;
  }

  async #repaint(entry: SessionEntry): Promise<void> {
    try {
      await this.#ports.repaint(entry);
    } catch (error) {
      if (!entry.hasEnded) this.#ports.log.error('a program could not repaint', error, { session_id: entry.id });
    }
  }

  /**
   * Waits while a repaint hides the dialog.
   * @returns The keys; null if that dialog is not open.
   */
  async #whenChoosable(entry: SessionEntry, text: string, choice: Choice): Promise<string | null> {
    const until = performance.now() + REPAINT_MS;
    for (;;) {
      const keys = keysNow(entry, text, choice);
      if (keys !== null || performance.now() >= until || this.#isOver(entry)) return keys;
      await entry.whenOutputRead(LOOK_MS);
    }
  }

  #obstacle(entry: SessionEntry, manner: Manner, { startedAt, monotonic }: Since, writeId: string): Wait | null {
    const sight = sightOf(entry);
    // The agent draws its composer only after the answer to a question that it asks before that.
    const isAwaited = sight?.readyAt === null && sight.dialog === null && answersOpening(entry, writeId);
    const wait = sight && !isAwaited && whatToWaitFor(sight, Date.now(), performance.now() - monotonic, startedAt);
    if (wait) return wait;
    const isHeld = holdsDraft(entry, manner, isAnswer(entry, writeId)) || this.#watched.get(entry.id)?.isUnsent;
    if (isHeld) return { reason: 'composer_busy', forMs: LOOK_MS };
    const isWorking = isAnswer(entry, writeId) && worksForPerson(entry, manner);
    if (isWorking) return { reason: 'agent_busy', forMs: LOOK_MS };
    const isUnread = isAnswer(entry, writeId) && isDeaf(entry, manner, performance.now() - monotonic);
    return isUnread ? { reason: 'not_reading', forMs: LOOK_MS } : null;
  }

  /**
   * @param typed  Its pause ends when the text is shown.
   * @returns How long to wait for the effect of Enter.
   */
  async #whenWritten(
    entry: SessionEntry,
    writeId: string,
    onWait: TypeRequest['onWait'],
    typed?: { readonly watch: LineWatch; readonly steps: readonly WriteStep[] },
  ): Promise<number> {
    const since = performance.now();
    let verifyMs = VERIFY_MS;
    let isReported = false;
    let isPaused = typed?.steps.some((step) => 'settleMs' in step) ?? false;
    while (!this.#isOver(entry) && entry.endOf(writeId) === null) {
      const passed = performance.now() - since;
      if (isPaused && typed?.watch.isShown() && passed >= shortestSettle(entry, sightOf(entry) ? 'agent' : 'keys')) {
        isPaused = false;
        verifyMs = Math.min(Math.max(VERIFY_MS, VERIFY_FACTOR * passed), LONGEST_VERIFY_MS);
        await this.#proceed(entry, writeId);
      }
      if (!isReported && passed >= PATIENCE_MS.not_reading) {
        isReported = true;
        onWait('not_reading');
      }
      await entry.whenOutputRead(isPaused ? LOOK_MS / 2 : LOOK_MS);
    }
    return verifyMs;
  }

  async #proceed(entry: SessionEntry, writeId: string): Promise<void> {
    const host = this.#ports.host();
    if (host.welcome.contract >= PROCEED_CONTRACT) await host.call('proceed', { sessionId: entry.id, writeId });
  }

  /** Presses Enter once more if the text is still in the input line, and reports if that did not help. */
  async #verify(entry: SessionEntry, request: TypeRequest, manner: Manner, watch: LineWatch): Promise<void> {
    const { writeId, onWait } = request;
    const isKept = isAnswer(entry, writeId);
    const { standing, seen } = await this.#submit(entry, writeId, watch, isKept);
    if (this.#isOver(entry)) return;
    const isUnsent = standing === 'stands' || standing === 'changed';
    if (isUnsent) onWait('not_submitted', seen ?? undefined);
    if (standing === 'left' && manner === 'keys' && isKept && watch.wentOn()) return this.#taken(entry, writeId);
    if (!isUnsent && (manner === 'agent' || !isKept)) return;
    this.#watched.set(entry.id, { writeId, isUnsent });
    void this.#lookOn(entry, request, manner, watch, isUnsent).catch((error: unknown) => {
      if (!entry.hasEnded) this.#ports.log.error('an answer could not be watched', error, { session_id: entry.id });
    });
  }

  /** Watches the text. If it stays in the input line and `mayPress` returns true, Enter is pressed once more. */
  async #submit(entry: SessionEntry, writeId: string, watch: LineWatch, isKept: boolean, mayPress = () => true) {
    const { verifyMs = VERIFY_MS } = watch;
    const look = await this.#lookFor(entry, watch, verifyMs, isKept);
    if (look.standing !== 'stands' || !mayPress()) return look;
    const steps = [{ text: '\r' }];
    await this.#ports.host().call('write', { sessionId: entry.id, writeId: enterAgain(writeId), steps });
    return this.#lookFor(entry, watch, verifyMs, isKept);
  }

  /**
   * Watches until the text has left the input line; with `isKept`, or if the empty line is not seen, until it has left
   * for GONE_MS. The watch ends after `withinMs`. The time begins again when the text is first seen.
   */
  async #lookFor(entry: SessionEntry, watch: LineWatch, withinMs: number, isKept: boolean): Promise<LineState> {
    let until = performance.now() + withinMs;
    let goneAt: number | null = null;
    let isSeen = false;
    for (;;) {
      const look = watch.look();
      const now = performance.now();
      if (!isSeen && look.standing === 'stands') {
        isSeen = true;
        until = now + withinMs;
      }
      goneAt = look.standing === 'left' ? (goneAt ?? now) : null;
      const isGone = goneAt !== null && ((!isKept && look.isLineSeen) || now - goneAt >= GONE_MS);
      if (isGone || (goneAt === null && now >= until) || this.#isOver(entry)) return look;
      await entry.whenOutputRead(LOOK_MS);
    }
  }

  /** Continues to watch, because a slow program may react late or never. Ends when another text is typed. */
  async #lookOn(
    entry: SessionEntry,
    { writeId, onWait }: TypeRequest,
    manner: Manner,
    watch: LineWatch,
    wasUnsent: boolean,
  ): Promise<void> {
    let { turn } = entry.aggregate.session;
    let isUnsent = wasUnsent;
    const since = performance.now();
    const isCurrent = (): boolean => !this.#isOver(entry) && this.#watched.get(entry.id)?.writeId === writeId;
    while (isCurrent() && (isUnsent || performance.now() - since < GIVE_UP_MS)) {
      let { standing, seen } = await this.#lookFor(entry, watch, UNSENT_LOOK_MS, true);
      if (!isUnsent && standing === 'stands') {
        // Enter must not submit what a person has begun to type.
        const mayPress = (): boolean => isCurrent() && entry.draft.text === '';
        ({ standing, seen } = await this.#submit(entry, writeId, watch, true, mayPress));
        isUnsent = standing === 'stands' && isCurrent();
        ({ turn } = entry.aggregate.session);
        if (isUnsent) this.#watched.set(entry.id, { writeId, isUnsent });
        if (isUnsent) onWait('not_submitted', seen ?? undefined);
      }
      const isEntered = !isUnsent || entry.aggregate.session.turn > turn;
      if (isCurrent() && standing === 'left' && (!isEntered || watch.wentOn())) {
        // A person may have deleted the text instead of pressing Enter.
        if (isEntered && (isUnsent || manner === 'keys')) await this.#taken(entry, writeId);
        else await entry.apply({ kind: 'unwatched', writeId });
        break;
      }
      await entry.whenOutputRead(UNSENT_LOOK_MS);
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

/** Returns the shortest pause. Programs that print lines need less: a shell shows typed text at once. */
function shortestSettle(entry: SessionEntry, manner: Manner): number {
  if (manner === 'agent') return PAINTER_SETTLE_MS;
  const screen = entry.keeper?.screen;
  const isPainted = !screen || screen.isAlternate || !screen.cursor.visible || !screen.hasBracketedPaste;
  return isPainted ? PAINTER_SETTLE_MS : SETTLE_MS;
}

/** True for a program with bracketed paste that takes a paste of several lines as one text. */
const takesPaste = (entry: SessionEntry): boolean =>
  entry.keeper?.hasBracketedPaste === true && !wrapsLines(entry.view.pid);

const isAnswer = (entry: SessionEntry, writeId: string): boolean =>
  entry.aggregate.items.some((item) => item.writeId === writeId);

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

/** True for an answer to a question that a program asks before it takes its prompt (attempts/before-prompt.ts). */
const answersOpening = (entry: SessionEntry, writeId: string): boolean =>
  entry.aggregate.items.some(({ writeId: its, item }) => its === writeId && item.data['source'] === 'question');

/**
 * An editor or a pager that was opened after the question would run the answer's letters as commands. One that was
 * opened before may itself show the program that asks, in a terminal inside the editor.
 */
function covers(entry: SessionEntry, manner: Manner, writeId: string): Wait | null {
  const asked = entry.aggregate.items.find((item) => item.writeId === writeId)?.item;
  if (manner !== 'keys' || !asked) return null;
  const isCovered = editorInFront(entry.view.pid, Date.parse(asked.opened_at) - HEARD_WITHIN_MS) !== null;
  return isCovered ? { reason: 'composer_busy', forMs: LOOK_MS } : null;
}

/**
 * A program that takes lines one by one would take the others for answers to its next questions. It took several lines
 * as one text when the answer was given, or the answer would have been refused.
 */
function splits(entry: SessionEntry, manner: Manner, text: string, writeId: string): Wait | null {
  if (manner === 'agent' || !text.includes('\n') || !isAnswer(entry, writeId)) return null;
  const isOneText = manner === 'keys' && takesPaste(entry);
  return isOneText ? null : { reason: 'not_reading', forMs: LOOK_MS };
}

/** True if a previous daemon has typed the text. */
const isWritten = (entry: SessionEntry, writeId: string): boolean =>
  entry.aggregate.items.some((item) => item.writeId === writeId && item.isWritten === true);
