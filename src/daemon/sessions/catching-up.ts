/**
 * Catching up: after its start the daemon answers requests while it still hears what sessions printed before.
 *
 * A start waits a limited time for all sessions. Then the daemon listens, and a session that is not heard to its end is
 * `catching up`. Whatever depends on what such a session has said waits for it: typing into it, its answers. Runs,
 * tasks and workflows wait for all sessions that belong to runs. A request waits for GATE_MS at most, then it is
 * refused with ORCHD_CATCHING_UP and may be sent again.
 */
import { setTimeout } from 'node:timers/promises';
import { type OperationName, OrchdError } from '../../protocol/index.js';
import type { Registry, SessionEntry } from '../registry/index.js';

/** Less than clients wait for a reply. */
const GATE_MS = 8_000;
const TYPES_OR_CALLS: ReadonlySet<OperationName> = new Set(['session.send', 'session.tool', 'session.hook']);
const OF_WORK = /^(run|task|workflow|blueprint)\.|^session\.tool$/;

export class CatchingUp {
  readonly #registry: Registry;
  readonly #isFull: () => boolean;
  /** Resolves when the session is heard to where it was at the start. */
  readonly #sessions = new Map<SessionEntry, Promise<void>>();
  /** Resolves when runs, tasks and workflows go on; null once they do. */
  #work: Promise<void> | null = null;

  /** @param isFull  True while the disk is full: requests are not held then, because each says so itself. */
  constructor(registry: Registry, isFull: () => boolean) {
    this.#registry = registry;
    this.#isFull = isFull;
  }

  /**
   * Waits until sessions are heard. Those that are not heard after `waitMs` go on catching up.
   *
   * @param hearing  Resolves when a session is heard. A session that is not in it needs nothing to be heard.
   * @param until    Ends the wait early.
   * @param goOn     Called for each session of the registry once it is heard: now, or later.
   */
  async hear(
    hearing: ReadonlyMap<SessionEntry, Promise<void>>,
    waitMs: number,
    until: Promise<unknown>,
    goOn: (entry: SessionEntry) => void,
  ): Promise<void> {
    const unheard = new Set(hearing.keys());
    const all = [...hearing].map(([entry, heard]) => heard.finally(() => unheard.delete(entry)));
    const waiting = new AbortController();
    const late = setTimeout(waitMs, undefined, { signal: waiting.signal }).catch(() => {});
    await Promise.race([Promise.all(all), late, until]);
    waiting.abort();
    for (const entry of this.#registry.entries) {
      const heard = hearing.get(entry);
      if (heard && unheard.has(entry)) this.#add(entry, heard, goOn);
      else goOn(entry);
    }
  }

  #add(entry: SessionEntry, heard: Promise<void>, goOn: (entry: SessionEntry) => void): void {
    entry.isCatchingUp = true;
    const done = heard.finally(() => {
      entry.isCatchingUp = false;
      this.#sessions.delete(entry);
      goOn(entry);
    });
    this.#sessions.set(entry, done);
  }

  /** Begins the work of runs, tasks and workflows: at once if no session of a run is behind. */
  beginWork(begin: () => void): void {
    const ofRuns = [...this.#sessions].filter(([entry]) => entry.view.run_id !== undefined);
    if (ofRuns.length === 0) {
      begin();
      return;
    }
    this.#work = Promise.allSettled(ofRuns.map(([, heard]) => heard)).then(() => {
      this.#work = null;
      begin();
    });
  }

  /** Number of sessions that are behind, and the journal bytes that are still to be heard. */
  get behind(): { sessions: number; bytes: number } {
    let bytes = 0;
    for (const entry of this.#sessions.keys()) bytes += entry.runner?.bytesBehind ?? 0;
    return { sessions: this.#sessions.size, bytes };
  }

  /**
   * Waits until a request can be carried out.
   *
   * @throws {OrchdError} ORCHD_CATCHING_UP if that takes longer than GATE_MS. Nothing was done then.
   */
  async need(name: OperationName, input: object): Promise<void> {
    if ((this.#sessions.size === 0 && !this.#work) || this.#isFull()) return;
    const { session, item } = input as { readonly session?: unknown; readonly item?: unknown }; // looked at one by one
    if (this.#work && OF_WORK.test(name)) await this.#wait(this.#work, null);
    if (TYPES_OR_CALLS.has(name) && typeof session === 'string') await this.#needEntry(this.#registry.session(session));
    if (name !== 'inbox.answer' || typeof item !== 'string') return;
    const asked = this.#registry.item(item);
    const isOfWork = [asked.item.run_id, asked.item.task_id, asked.item.workflow_id].some((id) => id !== undefined);
    if (this.#work && isOfWork) await this.#wait(this.#work, null);
    await this.#needEntry(asked.entry);
  }

  /** The same for a session that calls a tool. */
  async needTools(entry: SessionEntry): Promise<void> {
    if (this.#work) await this.#wait(this.#work, null);
    await this.#needEntry(entry);
  }

  async #needEntry(entry: SessionEntry): Promise<void> {
    const heard = this.#sessions.get(entry);
    if (heard) await this.#wait(heard, entry);
  }

  async #wait(until: Promise<void>, entry: SessionEntry | null): Promise<void> {
    const waiting = new AbortController();
    const late = setTimeout(GATE_MS, 'late' as const, { signal: waiting.signal });
    const heard = until.then(() => 'heard' as const);
    const outcome = await Promise.race([heard, late]).finally(() => waiting.abort());
    if (outcome === 'late') throw this.#refusal(entry);
  }

  #refusal(entry: SessionEntry | null): OrchdError {
    const { sessions, bytes } = this.behind;
    const left = entry?.runner?.bytesBehind ?? bytes;
    const who = entry ? `session '${entry.view.name}'` : `${sessions} session${sessions === 1 ? '' : 's'}`;
    const message = `the daemon still hears what ${who} printed before its start: ${(left / 1e6).toFixed(1)} MB to go`;
    return new OrchdError('ORCHD_CATCHING_UP', message);
  }
}
