/**
 * Typist: types into a session as its program takes it, and sees to it that Enter arrives. One text at a time for each session.
 *
 * In:   a text, or keys, with the id of its write: the host does nothing for an id that it has seen, so that all of this may be
 *       done again after a crash.
 * Out:  `onWait` says what it waits for, when that takes long; the promise resolves when everything is done that can be.
 *
 *     wait until the composer is drawn, empty and uncovered     an agent whose signals are known (lifecycle/typing.ts)
 *     paste, settle, Enter in a write of its own                a program that reads keys; line by line for one that reads lines
 *     Enter once more, if the text still stands there           an agent whose signals are known
 */
import type { HostClient, WriteStep } from '../host/index.js';
import { type AgentSight, enterAgain, isStillThere, type StallReason, whatToWaitFor } from '../lifecycle/index.js';
import { adapterNamed, isSameDialog } from '../session/adapters/index.js';
import type { SessionEntry } from './session-entry.js';

export interface TypistPorts {
  readonly host: () => HostClient;
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
  readonly onWait: (reason: StallReason) => void;
  /** Ends the waiting; nothing is typed then. */
  readonly signal?: AbortSignal;
}

/** Programs with bracketed paste need a pause before Enter, or they take it for part of the paste. */
const SETTLE_MS = 150;
/** Agents on a busy machine need a longer one: some take an Enter that comes sooner for a line break. */
const AGENT_SETTLE_MS = 400;
/** What holds it up for so long is said. */
const PATIENCE_MS = { not_ready: 10_000, agent_busy: 10_000, composer_busy: 1_000, not_reading: 10_000 } as const;
/** After an Enter an agent has shown that it took it, or it has lost it. */
const VERIFY_MS = 1_500;
const LOOK_MS = 100;
/** A repaint hides a dialog for less. */
const REPAINT_MS = 500;

export class Typist {
  readonly #ports: TypistPorts;
  /** The last text of each session that has one under way. */
  readonly #under = new Map<string, Promise<unknown>>();
  #isClosed = false;

  constructor(ports: TypistPorts) {
    this.#ports = ports;
  }

  /**
   * @returns  Whether it was typed.
   * @throws {OrchdError} as the host: ORCHD_INPUT_FULL when the program does not read; and for a session that has ended.
   */
  type(entry: SessionEntry, request: TypeRequest): Promise<boolean> {
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

  /** How text is typed into this session now. */
  steps(entry: SessionEntry, text: string, enter: boolean): WriteStep[] {
    if (!enter) return [{ text }];
    const isAgent = sightOf(entry) !== null;
    const settled = [{ settleMs: isAgent ? AGENT_SETTLE_MS : SETTLE_MS }, { text: '\r' }];
    if (entry.keeper?.hasBracketedPaste) return [{ text: `\x1b[200~${text}\x1b[201~` }, ...settled];
    if (isAgent) return [{ text }, ...settled];
    return [{ text: `${text.replaceAll('\n', '\r')}\r` }];
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
    if (entry.endOf(writeId) === null) {
      if (!choice && !(await this.#whenTypeable(entry, request))) return false;
      if (this.#isOver(entry)) return false;
      const keys = choice && (await this.#whenChoosable(entry, text, choice));
      if (keys === null) {
        onWait('dialog_gone');
        return false;
      }
      const steps = keys === undefined ? this.steps(entry, text, true) : keySteps(keys);
      await this.#ports.host().call('write', { sessionId: entry.id, writeId, steps });
      await this.#whenWritten(entry, writeId, onWait);
    }
    if (!choice && !this.#isOver(entry)) await this.#verify(entry, writeId, text);
    return true;
  }

  /** @returns  False when the request's signal ended the waiting. */
  async #whenTypeable(entry: SessionEntry, { onWait, signal }: TypeRequest): Promise<boolean> {
    const since = Date.now();
    const startedAt = entry.start.time;
    let told: StallReason | null = null;
    while (!this.#isOver(entry)) {
      const sight = sightOf(entry);
      const wait = sight && whatToWaitFor(sight, Date.now(), since, startedAt);
      if (!wait && !signal?.aborted) return true;
      if (wait && wait.reason !== told && (signal?.aborted || Date.now() - since >= PATIENCE_MS[wait.reason])) {
        told = wait.reason;
        onWait(wait.reason);
      }
      if (signal?.aborted) return false;
      await entry.whenHeard(Math.min(wait?.forMs ?? LOOK_MS, LOOK_MS));
    }
    return false;
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

  async #whenWritten(entry: SessionEntry, writeId: string, onWait: (reason: StallReason) => void): Promise<void> {
    const since = Date.now();
    let isTold = false;
    while (!this.#isOver(entry) && entry.endOf(writeId) === null) {
      if (!isTold && Date.now() - since >= PATIENCE_MS.not_reading) {
        isTold = true;
        onWait('not_reading');
      }
      await entry.whenHeard(LOOK_MS);
    }
  }

  /** What was typed last stood in an empty composer: if it still stands there, and nothing has begun, its Enter was lost. */
  async #verify(entry: SessionEntry, writeId: string, text: string): Promise<void> {
    const until = Date.now() + VERIFY_MS;
    while (Date.now() < until) {
      const sight = sightOf(entry);
      if (!sight || sight.activity === 'busy' || this.#isOver(entry)) return;
      await entry.whenHeard(Math.min(LOOK_MS, until - Date.now()));
    }
    const sight = sightOf(entry);
    if (!sight || !isStillThere(sight, text)) return;
    await this.#ports
      .host()
      .call('write', { sessionId: entry.id, writeId: enterAgain(writeId), steps: [{ text: '\r' }] });
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

/** What its adapter sees; null for a program without signals, and for an agent that prints lines. */
function sightOf(entry: SessionEntry): AgentSight | null {
  const seen = entry.hearing?.signal() ?? null;
  if (seen) return seen;
  const signals = adapterNamed(entry.view.adapter)?.signals;
  if (!signals || entry.book.standing.state !== 'starting') return null;
  const { readyQuietMs, readyLimitMs } = signals;
  return { readyAt: null, activity: null, composer: null, dialog: null, readyQuietMs, readyLimitMs };
}
