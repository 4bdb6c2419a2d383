/**
 * Pruning: removes old data, by the configured retention at the start and once a day, or when a person requests it.
 * Nothing is old while the clock is not believed (guard/clock-guard.ts).
 *
 *     an ended session     with its journal, its items and its row; never one with an open item or an undelivered
 *                          answer
 *     a closed item        also of a living session
 *     a run                that is over
 *     events               from the beginning of the log up to a time; readers positioned there get a `gap`
 *
 * A journal is first renamed and removed, then its rows are removed. A daemon that is killed in between leaves either a
 * session without a journal, which the next pruning removes, or a folder that the next daemon removes. Other data is
 * never touched.
 */
import { existsSync, readdirSync, renameSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { timestamp } from '../../lifecycle/index.js';
import {
  type Config,
  DAY_MS,
  type ErrorCode,
  type InputOf,
  type Item,
  OrchdError,
  type OutputOf,
  type Paths,
} from '../../protocol/index.js';
import type { NewEvent, Store } from '../../store/index.js';
import { limitConcurrency } from '../concurrency/index.js';
import type { EventBus, Outbox } from '../events/index.js';
import type { ClockGuard } from '../guard/index.js';
import type { Log } from '../log.js';
import { clearLaunch } from '../program/index.js';
import type { Registry, SessionEntry } from '../registry/index.js';
import type { Runs } from '../runs/index.js';
import type { Tasks } from '../tasks/index.js';
import type { Workflows } from '../workflows/index.js';
import { allowCut } from './bounded-journal.js';
import { type Trash, withdrawals } from './trash.js';

interface PrunePorts {
  readonly now: () => number;
  readonly paths: Paths;
  readonly registry: Registry;
  readonly outbox: Outbox;
  readonly bus: EventBus;
  readonly store: Store;
  readonly log: Log;
  readonly clock: Pick<ClockGuard, 'jump' | 'believe'>;
  readonly retention: Config['retention'];
  readonly trash: Pick<Trash, 'put' | 'begin'>;
  readonly runs: Pick<Runs, 'collection' | 'forget'>;
  readonly tasks: Pick<Tasks, 'collection' | 'forget'>;
  readonly workflows: Pick<Workflows, 'collection' | 'forget'>;
}

type Outcome = OutputOf<'daemon.prune'>;

interface Plan {
  readonly sessions: readonly { readonly entry: SessionEntry; readonly bytes: number }[];
  /** Closed items of sessions that are kept. */
  readonly items: readonly string[];
  readonly runs: readonly string[];
  readonly tasks: readonly string[];
  readonly workflows: readonly string[];
  /** Events with a lower `seq` are removed. */
  readonly beforeSeq: number;
  readonly outcome: Omit<Outcome, 'dry_run'>;
}

/** Suffix of a journal that is being removed; ids of sessions contain no dot. */
const ASIDE = '.removed';

/** Removes old sessions, items, runs and events by the configured retention or on request. */
export class Prune {
  readonly #ports: PrunePorts;
  #timer: NodeJS.Timeout | null = null;
  /** Prunings run one after the other. */
  readonly #inTurn = limitConcurrency(1);

  constructor(ports: PrunePorts) {
    this.#ports = ports;
  }

  /**
   * Finishes a pruning that the previous daemon began, prunes by the configured retention, and repeats that once a day.
   */
  begin(): void {
    const { paths, retention } = this.#ports;
    const left = readdirSync(paths.journalsDir).filter((name) => name.endsWith(ASIDE));
    void this.#inTurn(() => Promise.all(left.map((name) => removeFolder(join(paths.journalsDir, name)))));
    this.#ports.trash.begin((entry, items) =>
      this.#inTurn(async () => {
        await this.#removeFiles(entry);
        await this.#commit([], { sessions: [entry.id], items });
      }),
    );
    if (retention.days === 0 && retention.max_bytes === 0) return;
    const prune = () =>
      this.run({}, false).catch((error: unknown) => this.#ports.log.error('what is old could not be removed', error));
    void prune();
    this.#timer = setInterval(() => void prune(), DAY_MS).unref();
  }

  /**
   * Prunes by the given limits; a missing limit is that of the configured retention.
   * @param isAsked  False for the daemon's own pruning, which does not touch running sessions.
   * @throws {OrchdError} ORCHD_CLOCK if a person requests it while the clock is not believed.
   */
  run(input: InputOf<'daemon.prune'>, isAsked = true): Promise<Outcome> {
    return this.#inTurn(async () => {
      const { dry_run = false, trust_clock = false } = input;
      const { clock } = this.#ports;
      if (trust_clock && !dry_run) clock.believe();
      if (isAsked && !dry_run && clock.jump()) {
        throw new OrchdError('ORCHD_CLOCK', 'the clock has jumped, so ages may be wrong and nothing was removed');
      }
      const plan = await this.#plan(input, isAsked || clock.jump() === null);
      if (dry_run) return { ...plan.outcome, dry_run };
      await this.#forget(plan);
      if (isAsked) this.#allowCut();
      for (const { entry } of plan.sessions) await this.#removeSession(entry, 'pruned');
      if (plan.items.length > 0) await this.#removeItems(plan.items);
      if (plan.outcome.events > 0) {
        await this.#ports.store.prune(plan.beforeSeq);
        this.#ports.bus.forget(plan.beforeSeq);
      }
      const { sessions, ...counts } = plan.outcome;
      if (sessions.length + counts.items + counts.runs + counts.tasks + counts.workflows + counts.events > 0) {
        this.#ports.log.info('pruned', { ...counts, sessions: sessions.length });
      }
      return { ...plan.outcome, dry_run };
    });
  }

  /**
   * Puts an ended session into the trash, or deletes it.
   *
   * @throws {OrchdError} ORCHD_SESSION_ALIVE; ORCHD_TASK_STATE, ORCHD_WORKFLOW_STATE, ORCHD_RUN_ALIVE if it contains an
   *   open question of that task, workflow or run.
   */
  remove(entry: SessionEntry, isForever: boolean): Promise<OutputOf<'session.remove'>> {
    return this.#inTurn(async () => {
      const { id, name } = entry.view;
      const alive = new OrchdError('ORCHD_SESSION_ALIVE', `session '${name}' is alive`);
      if (!entry.hasEnded) throw alive;
      this.#ports.registry.session(id); // an earlier request may have removed it
      this.#mustNotAsk(entry);
      const bytes = this.bytesOf(entry);
      if (isForever) {
        if (!(await this.#removeSession(entry, 'removed'))) throw alive;
        return { id, name, bytes };
      }
      if (!(await hasEndedForGood(entry))) throw alive;
      return { id, name, bytes, until: timestamp(await this.#ports.trash.put(entry, bytes)) };
    });
  }

  async close(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.#inTurn(async () => {});
  }

  /** @param hasAges  False if nothing is old, because the clock is wrong. */
  async #plan(input: InputOf<'daemon.prune'>, hasAges: boolean): Promise<Plan> {
    const { registry, store, bus, retention } = this.#ports;
    const configured = retention.days === 0 || !hasAges ? undefined : retention.days * DAY_MS;
    const { older_than_ms = configured, max_bytes = retention.max_bytes } = input;
    const before = older_than_ms === undefined ? null : timestamp(Math.max(0, this.#ports.now() - older_than_ms));
    const isOld = (time: string): boolean => before !== null && time < before;

    const held = [...registry.entries].flatMap(({ aggregate }) => aggregate.items.map(({ item }) => item.opened_at));
    const firstSeq = await store.firstSeq();
    const oldest = before === null ? null : ([before, ...held].sort(compare)[0] ?? before);
    const recordings = [...registry.entries].filter((entry) => entry.view.imported && !isOld(endOf(entry)));
    const beforeSeq =
      oldest === null
        ? firstSeq
        : Math.min(await store.seqAt(oldest), bus.lastSeq + 1, ...(await this.#beginningsOf(recordings)));
    // No `await` may follow. Otherwise an object that has ended could change before it is removed.
    const sized = [...registry.entries].map((entry) => ({ entry, bytes: this.bytesOf(entry) }));
    const ended = sized.filter(({ entry }) => mayGo(entry)).sort((a, b) => compare(endOf(a.entry), endOf(b.entry)));
    let total = sized.reduce((sum, { bytes }) => sum + bytes, 0);
    const sessions = ended.filter(({ entry, bytes }) => {
      const hasNoJournal = bytes === 0; // a daemon was killed while it removed the journal
      const goes = isOld(endOf(entry)) || hasNoJournal || (max_bytes > 0 && total > max_bytes);
      if (goes) total -= bytes;
      return goes;
    });
    const gone = new Set(sessions.map(({ entry }) => entry.id));
    const closed = registry.items().filter(({ id }) => !this.#isHeld(id));
    const ofRecordings = new Set(recordings.map(({ id }) => id));
    const items = closed
      .filter(({ session_id: id, opened_at }) => !gone.has(id) && !ofRecordings.has(id) && isOld(opened_at))
      .map(({ id }) => id);
    const withSessions = closed.filter((item) => gone.has(item.session_id)).length;

    const tasks = before === null ? [] : this.#ports.tasks.collection.endedBefore(before);
    const workflows = before === null ? [] : this.#ports.workflows.collection.endedBefore(before);
    const isGone = new Set([...tasks, ...workflows]);
    // The runs of a task or a workflow run are removed together with it, because its history shows them.
    const runs = (before === null ? [] : this.#ports.runs.collection.endedBefore(before)).filter((id) => {
      const { task_id, workflow_id } = this.#ports.runs.collection.get(id) ?? {};
      return !this.#isKept(task_id ?? workflow_id) || isGone.has(task_id ?? workflow_id ?? '');
    });
    const outcome = {
      sessions: sessions.map(({ entry: { view }, bytes }) => ({
        id: view.id,
        name: view.name,
        ended_at: view.ended_at ?? '',
        bytes,
      })),
      items: items.length + withSessions,
      runs: runs.length,
      tasks: tasks.length,
      workflows: workflows.length,
      events: Math.max(0, beforeSeq - firstSeq),
      bytes: sessions.reduce((sum, { bytes }) => sum + bytes, 0),
    };
    return { sessions, items, runs, tasks, workflows, beforeSeq, outcome };
  }

  /** Returns the `seq` of the first event of each kept session. */
  async #beginningsOf(entries: readonly SessionEntry[]): Promise<number[]> {
    const { store } = this.#ports;
    const firsts = entries.map(({ id }) => store.readLines({ since: 0, limit: 1, sessionId: id }));
    return (await Promise.all(firsts)).flat().map(({ seq }) => seq);
  }

  /** Throws if a task, workflow or run has an open question in the session. */
  #mustNotAsk({ aggregate, view }: SessionEntry): void {
    for (const { item } of aggregate.items) {
      const asking = this.#askingBy(item);
      if (!asking) continue;
      const [what, code] = asking;
      const message = `${what} asks in session '${view.name}': answer it (\`orchd answer ${item.id}\`) or cancel it first`;
      throw new OrchdError(code, message);
    }
  }

  #askingBy({ id, state, task_id, workflow_id, run_id }: Item): readonly [what: string, code: ErrorCode] | null {
    const isOpen = state === 'open';
    if (isOpen && this.#isKept(task_id)) return [`task ${task_id}`, 'ORCHD_TASK_STATE'];
    if (isOpen && this.#isKept(workflow_id)) return [`workflow run ${workflow_id}`, 'ORCHD_WORKFLOW_STATE'];
    const isAsking = this.#ports.runs.collection.get(run_id ?? '')?.asking?.includes(id);
    return isAsking ? [`run ${run_id}`, 'ORCHD_RUN_ALIVE'] : null;
  }

  #isKept(id: string | undefined): boolean {
    return id !== undefined && (this.#ports.tasks.collection.has(id) || this.#ports.workflows.collection.has(id));
  }

  #isHeld(itemId: string): boolean {
    const { item, entry } = this.#ports.registry.item(itemId);
    return item.state === 'open' || entry.trackedItem(itemId) !== undefined;
  }

  /** @returns False if the session was revived meanwhile, and so was not removed. */
  async #removeSession(entry: SessionEntry, reason: 'removed' | 'pruned'): Promise<boolean> {
    const { registry } = this.#ports;
    if (!(await hasEndedForGood(entry))) return false;
    const open = entry.remove();
    const items = registry.remove(entry); // from now on no request can find it
    await this.#removeFiles(entry);
    const about = { timestamp: timestamp(this.#ports.now()), session_id: entry.id };
    const removed = { event_type: 'session_removed', ...about, name: entry.view.name, reason };
    await this.#commit([...withdrawals(open, about), removed], { sessions: [entry.id], items });
    return true;
  }

  async #removeFiles({ id }: SessionEntry): Promise<void> {
    const { paths } = this.#ports;
    const folder = join(paths.journalsDir, id);
    if (existsSync(folder)) {
      renameSync(folder, folder + ASIDE);
      await removeFolder(folder + ASIDE);
    }
    clearLaunch(paths, id);
  }

  async #removeItems(items: readonly string[]): Promise<void> {
    for (const id of items) this.#ports.registry.removeItem(id);
    await this.#commit([], { items });
  }

  /**
   * Removes all objects in the turn of the event loop in which they were found to have ended. Otherwise a run could
   * continue in a session that was just removed.
   */
  async #forget({ tasks, workflows, runs }: Plan): Promise<void> {
    await Promise.all([
      ...(tasks.length > 0 ? [this.#ports.tasks.forget(tasks)] : []),
      ...(workflows.length > 0 ? [this.#ports.workflows.forget(workflows)] : []),
      ...(runs.length > 0 ? [this.#ports.runs.forget(runs)] : []),
    ]);
  }

  #commit(events: readonly NewEvent[], removes: { sessions?: readonly string[]; items?: readonly string[] }) {
    const { outbox, bus } = this.#ports;
    return outbox.commit({ events, removes }, (committed) => bus.publish(events, committed));
  }

  /** Allows the cutting of long journals of running sessions from before the limit existed. */
  #allowCut(): void {
    const { registry, retention, paths } = this.#ports;
    if (retention.session_bytes === 0) return;
    for (const entry of registry.entries) {
      if (!entry.hasEnded && entry.view.run_id === undefined && this.bytesOf(entry) > retention.session_bytes)
        allowCut(paths.journalsDir, entry.id);
    }
  }

  /** Returns the size of the session's journal. */
  bytesOf({ id }: SessionEntry): number {
    const folder = join(this.#ports.paths.journalsDir, id);
    const sizes = listed(folder).map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0);
    return sizes.reduce((sum, size) => sum + size, 0);
  }
}

/**
 * Waits for the end of a revival that has begun.
 * @returns  False if the session lives again.
 */
async function hasEndedForGood(entry: SessionEntry): Promise<boolean> {
  await entry.leaving;
  while (entry.revival) await entry.revival.catch(() => {}); // its caller gets the error
  return entry.hasEnded;
}

/** True if the session may be removed: it has ended, and has neither an open question nor an undelivered answer. */
const mayGo = (entry: SessionEntry): boolean => entry.view.ended_at !== null && entry.aggregate.items.length === 0;

/** Returns the time from which the session's age counts: for an imported recording, the import. */
const endOf = ({ view }: SessionEntry): string => view.imported_at ?? view.ended_at ?? '';
const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
const removeFolder = (path: string): Promise<void> => rm(path, { recursive: true, force: true });

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // The session has no journal.
  }
}
