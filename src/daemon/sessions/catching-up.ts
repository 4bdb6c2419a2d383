/**
 * Catching up: the daemon answers requests while it still reads what sessions have printed, before its start or before
 * they were killed.
 *
 * A start waits a limited time until all sessions are read, and a kill until the end of its session is. A session that
 * is not read by then is `catching up`. Whatever depends on its unread output waits: typing into the session, its
 * answers, and what needs its end. Runs, tasks and workflows wait for all sessions that belong to runs. A request waits
 * for GATE_MS at most. It is then refused with ORCHD_CATCHING_UP and may be sent again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { bytesText, OPERATIONS, type OperationEntry, type OperationName, OrchdError } from '../../protocol/index.js';
import type { Registry, SessionEntry } from '../registry/index.js';

/** Less than the timeout of clients. */
const GATE_MS = 8_000;
/** How long a kill waits until the end of its session is read. */
const END_MS = 1_000;

/** Knows which sessions still have unread output from before the start, and lets requests wait for them. */
export class CatchingUp {
  readonly #registry: Registry;
  readonly #isFull: () => boolean;
  /** Resolves when the session is read up to the position that its journal had at the start. */
  readonly #sessions = new Map<SessionEntry, Promise<void>>();
  /** Resolves when runs, tasks and workflows continue; null once they do. */
  #work: Promise<void> | null = null;

  /**
   * @param isFull  True while the disk is full. Requests then do not wait: they fail with the error for a full disk.
   */
  constructor(registry: Registry, isFull: () => boolean) {
    this.#registry = registry;
    this.#isFull = isFull;
  }

  /**
   * Waits until the sessions' journals are read. Sessions that are not done after `waitMs` continue in the background.
   * @param hearing  By session: resolves when its journal is read. A session that is missing has no unread output.
   * @param until    Ends the wait early.
   * @param goOn     Called for each session of the registry once its journal is read: now, or later.
   */
  async hear(
    hearing: ReadonlyMap<SessionEntry, Promise<void>>,
    waitMs: number,
    until: Promise<unknown>,
    goOn: (entry: SessionEntry) => void,
  ): Promise<void> {
    const unread = new Set(hearing.keys());
    const all = [...hearing].map(([entry, read]) => read.finally(() => unread.delete(entry)));
    const waiting = new AbortController();
    const late = sleep(waitMs, undefined, { signal: waiting.signal }).catch(() => {});
    await Promise.race([Promise.all(all), late, until]);
    waiting.abort();
    for (const entry of this.#registry.entries) {
      const read = hearing.get(entry);
      if (read && unread.has(entry)) this.#add(entry, read, goOn);
      else goOn(entry);
    }
  }

  #add(entry: SessionEntry, read: Promise<void>, goOn: (entry: SessionEntry) => void): void {
    entry.isCatchingUp = true;
    const done = read.finally(() => {
      entry.isCatchingUp = false;
      this.#sessions.delete(entry);
      goOn(entry);
    });
    this.#sessions.set(entry, done);
  }

  /**
   * Waits until the end of a killed session is read, for END_MS at most. A session whose last output takes longer to
   * read is catching up from then on, and ends when that is done.
   */
  async hearEnd(entry: SessionEntry): Promise<void> {
    const heard = entry.reader?.caughtUp();
    if (!heard || this.#sessions.has(entry)) return;
    await this.hear(new Map([[entry, heard]]), END_MS, new Promise(() => {}), () => {});
  }

  /** Begins the work of runs, tasks and workflows. It begins at once if no session of a run has unread output. */
  beginWork(begin: () => void): void {
    const ofRuns = [...this.#sessions].filter(([entry]) => entry.view.run_id !== undefined);
    if (ofRuns.length === 0) {
      begin();
      return;
    }
    this.#work = Promise.allSettled(ofRuns.map(([, read]) => read)).then(() => {
      this.#work = null;
      begin();
    });
  }

  /** Number of sessions that are catching up, and of their unread journal bytes. */
  get behind(): { sessions: number; bytes: number } {
    let bytes = 0;
    for (const entry of this.#sessions.keys()) bytes += entry.reader?.bytesBehind ?? 0;
    return { sessions: this.#sessions.size, bytes };
  }

  /**
   * Waits until a request can be carried out.
   * @throws {OrchdError} ORCHD_CATCHING_UP if that takes longer than GATE_MS. The request had no effect then.
   */
  async need(name: OperationName, input: object): Promise<void> {
    if ((this.#sessions.size === 0 && !this.#work) || this.#isFull()) return;
    // looked at one by one
    const { session, item, forever: isForever } = input as Partial<Record<'session' | 'item' | 'forever', unknown>>;
    const { waitsFor = [] }: Pick<OperationEntry, 'waitsFor'> = OPERATIONS[name];
    if (this.#work && waitsFor.includes('work')) await this.#wait(this.#work, null);
    const isWaiting = waitsFor.includes('session') || (waitsFor.includes('end') && isForever !== true);
    if (isWaiting && typeof session === 'string') await this.needRead(this.#registry.session(session));
    if (!waitsFor.includes('item') || typeof item !== 'string') return;
    const asked = this.#registry.item(item);
    const isOfWork = [asked.item.run_id, asked.item.task_id, asked.item.workflow_id].some((id) => id !== undefined);
    if (this.#work && isOfWork) await this.#wait(this.#work, null);
    await this.needRead(asked.entry);
  }

  /**
   * Waits until a session may call a tool.
   * @throws {OrchdError} ORCHD_CATCHING_UP as `need`.
   */
  async needTools(entry: SessionEntry): Promise<void> {
    if (this.#work) await this.#wait(this.#work, null);
    await this.needRead(entry);
  }

  /** Waits until a session is read. @throws {OrchdError} ORCHD_CATCHING_UP as `need`. */
  async needRead(entry: SessionEntry): Promise<void> {
    const read = this.#sessions.get(entry);
    if (read) await this.#wait(read, entry);
  }

  async #wait(until: Promise<void>, entry: SessionEntry | null): Promise<void> {
    const waiting = new AbortController();
    const late = sleep(GATE_MS, 'late' as const, { signal: waiting.signal });
    const read = until.then(() => 'read' as const);
    const outcome = await Promise.race([read, late]).finally(() => waiting.abort());
    if (outcome === 'late') throw this.#refusal(entry);
  }

  #refusal(entry: SessionEntry | null): OrchdError {
    const { sessions, bytes } = this.behind;
    const left = entry?.reader?.bytesBehind ?? bytes;
    const who = entry ? `session '${entry.view.name}'` : `${sessions} session${sessions === 1 ? '' : 's'}`;
    const message = `the daemon still hears what ${who} printed: ${bytesText(left)} to go`;
    return new OrchdError('ORCHD_CATCHING_UP', message);
  }
}
