/**
 * Follows sessions: reads their journals for findings, screens and transcripts, until they have ended and are released.
 *
 * In:   a session, and the position of its hearing (`follow`); the growth of its journal (`grew`).
 * Out:  findings applied to its entry; the host is told what was read. Does not start or find sessions.
 */
import { join } from 'node:path';
import type { Finding } from '../../ears/index.js';
import {
  type HostClient,
  type HostCommandName,
  type HostCommands,
  openJournal,
  STANDING_TICK_CONTRACT,
} from '../../host/index.js';
import { timestamp } from '../../lifecycle/index.js';
import { OrchdError, type Paths } from '../../protocol/index.js';
import type { ReadScheduler, Runner, Slice } from '../../session/index.js';
import type { StoredState } from '../../store/index.js';
import type { IdleWatch } from '../answers/index.js';
import { limitConcurrency } from '../concurrency/index.js';
import {
  BoundedJournal,
  type DiskBrake,
  type JournalLoads,
  keepHearing,
  LargeCheckpoints,
  openHearing,
  smallCheckpoint,
  tornTailEnd,
} from '../disk/index.js';
import type { Outbox } from '../events/index.js';
import type { HearingGuard } from '../guard/index.js';
import type { Log } from '../log.js';
import { clearLaunch, isLaunched } from '../program/index.js';
import type { EntryPorts, Registry, SessionEntry } from '../registry/index.js';
import { joinReplies, type Terminals } from '../terminals/index.js';
import type { Transcripts } from '../transcripts/index.js';
import { Progress } from './progress.js';
import { openScreen } from './screens.js';

export interface FollowingPorts {
  readonly paths: Paths;
  readonly registry: Registry;
  readonly outbox: Outbox;
  readonly host: () => HostClient;
  readonly log: Log;
  readonly entryPorts: EntryPorts;
  readonly transcripts: Transcripts;
  /**
   * The clients that watch terminals. They get every record as it is read, and know the colours for replies to terminal
   * queries.
   */
  readonly terminals: Pick<Terminals, 'onRecord' | 'isWatched' | 'replyFor'>;
  readonly idleWatch: Pick<IdleWatch, 'onRecord'>;
  readonly loads: JournalLoads;
  readonly brake: DiskBrake;
  readonly guard: HearingGuard;
  /** Setting `retention.session_bytes`; 0: no limit. */
  readonly sessionBytes: number;
}

export type Cursor = StoredState['cursors'][number];
/** The cursor is stored at least after this many bytes, so that a restart never reads more than this again. */
const CURSOR_BYTES = 1024 * 1024;

export class Following {
  readonly #ports: FollowingPorts;
  /** Bytes that the journals of sessions have grown by while the sessions are being opened, by id. */
  readonly #early = new Map<string, number>();
  /** Opens sessions one after the other, even if fifty are started together. */
  readonly #inTurn = limitConcurrency(1);
  #scheduler: ReadScheduler | null = null;
  #isClosing = false;

  constructor(ports: FollowingPorts) {
    this.#ports = ports;
  }

  /** Stops following. This daemon ignores output that it has not read. */
  close(): void {
    this.#isClosing = true;
  }

  /** Called when the host reports the length of a journal. */
  grew(sessionId: string, position: number): void {
    const entry = this.#ports.registry.get(sessionId);
    this.#ports.loads.grew(sessionId, position);
    this.#ports.brake.grew();
    if (entry?.runner) entry.runner.grew(position);
    else if (!entry?.hasEnded || this.#early.has(sessionId)) this.#early.set(sessionId, position);
  }

  /** Called before an ended session is started again, whose journal will grow. */
  expect(sessionId: string): void {
    this.#early.set(sessionId, 0);
  }

  /** Called if the session was not started after all. */
  expectNothing(sessionId: string): void {
    this.#early.delete(sessionId);
  }

  follow(entry: SessionEntry, cursor: Cursor | undefined): Promise<Runner> {
    return this.#inTurn(() => this.#follow(entry, cursor));
  }

  async #follow(entry: SessionEntry, cursor: Cursor | undefined): Promise<Runner> {
    const { paths, outbox, log } = this.#ports;
    const session = await import('../../session/index.js');
    this.#scheduler ??= new session.ReadScheduler();
    const dir = join(paths.journalsDir, entry.id);
    const opened = await openHearing(dir, cursor, log);
    const { hearing, hearFrom } = opened;
    const large = new LargeCheckpoints(dir, opened);
    let time = 0;
    const sendReply = joinReplies((query, text) => this.#tell('reply', { sessionId: entry.id, query, text }));
    const onReply = (query: number, text: string): void => {
      if (entry.view.mode === 'batch') return; // A batch session has no terminal that would reply.
      sendReply(query, this.#ports.terminals.replyFor(entry, text));
    };
    const keeper = await openScreen(paths, entry, onReply, cursor === undefined);
    entry.keeper = keeper;
    const { journalsDir: journals } = paths;
    const bounded = new BoundedJournal(
      {
        journals,
        entry,
        hearing,
        keeper,
        log,
        maxBytes: this.#ports.sessionBytes,
        onCut: () => this.#ports.loads.wasCut(entry.id),
      },
      hearFrom,
    );
    entry.hearing = hearing;
    const known = cursor?.position ?? 0;
    let written = known;
    const progress = new Progress();
    const ticksStay = (this.#host()?.welcome.contract ?? 0) >= STANDING_TICK_CONTRACT;
    const runner = session.createRunner({
      reader: openJournal(paths.journalsDir, entry.id, { from: Math.min(hearFrom, keeper.position) }),
      hearing,
      keeper,
      scheduler: this.#scheduler,
      cells: () => entry.view.size.cols * entry.view.size.rows,
      isAwaited: () => entry.isAwaited || this.#ports.terminals.isWatched(entry),
      hearFrom,
      cursor: known,
      whenRoomy: () => outbox.whenRoomy() ?? this.#ports.brake.whenFree(entry.id),
      onRecord: (record) => {
        ({ time } = record);
        if (record.kind === 'resize' && record.position >= known) {
          void entry.apply({ kind: 'resized', cols: record.cols, rows: record.rows });
        }
        if (record.kind === 'out') this.#ports.transcripts.nudge(entry);
        this.#ports.terminals.onRecord(entry, record);
        this.#ports.idleWatch.onRecord(entry, record);
      },
      onFindings: (findings, position) => {
        if (findings.some(mayBeElsewhere)) this.#ports.transcripts.rested(entry);
        // The waiting callers continue in the next turn of the event loop: then the events of this output are decided.
        if (entry.isAwaited) setImmediate(() => entry.outputRead());
        const keep = large.make(position);
        const cut = bounded.make(position, time);
        if (findings.length === 0 && position - written < CURSOR_BYTES && !keep && !cut) return;
        written = position;
        const isOver = findings.some(hasEnded);
        // The program has ended, so no more output follows.
        const checkpoint = isOver ? {} : smallCheckpoint(hearing, position);
        const done = entry.applyFindings(findings, { sessionId: entry.id, position, ...checkpoint });
        if (keep) void done.then(keep);
        if (cut) void done.then(cut);
        if (!isOver) return;
        const leaving = done
          .then(() => large.remove())
          .then(() => bounded.remove())
          .then(() => this.release(entry));
        entry.leaving = leaving;
        void leaving;
      },
      onDamage: (from, to, detail) => void this.noteDamage(entry, from, to, detail),
      onTaken: (position) => {
        if (progress.isDue(position, runner.bytesBehind)) this.#tell('taken', { sessionId: entry.id, position });
      },
      askTick: (since, quietMs) => this.#tell('tick', { sessionId: entry.id, since, quietMs, stays: ticksStay }),
      ticksStay,
      onHear: this.#ports.guard.watch(entry.id),
      onError: (error, slice) => {
        log.error('a session cannot be followed any more', error, { session_id: entry.id, ...slicePlace(slice) });
        if (slice) this.#ports.guard.failed(entry.id, slice);
      },
    });
    entry.runner = runner;
    const early = this.#early.get(entry.id);
    this.#early.delete(entry.id);
    if (early !== undefined) runner.grew(early);
    return runner;
  }

  lose(entry: SessionEntry, runner: Runner, reason: string): Promise<void> {
    this.#ports.brake.release(entry.id);
    entry.leaving = this.#lose(entry, runner, reason);
    return entry.leaving;
  }

  async #lose(entry: SessionEntry, runner: Runner, reason: string): Promise<void> {
    await runner.readToEnd();
    if (this.#isClosing) return; // The output was not read to its end. The next daemon does that.
    const { position } = runner;
    const end = tornTailEnd(this.#ports.paths.journalsDir, entry.id, position);
    if (end !== null) await this.noteDamage(entry, position, end, 'what was being written when its host ended');
    if (!entry.hasEnded) await entry.apply({ kind: 'lost', reason, time: Date.now() });
    await this.release(entry);
  }

  /** Ends a session whose processes have ended. The rest of its output is not read, and its last screen is lost. */
  async drop(entry: SessionEntry): Promise<void> {
    const { runner, keeper } = entry;
    runner?.close();
    entry.runner = null;
    entry.hearing = null;
    entry.keeper = null;
    keeper?.dispose();
    await this.#ports.transcripts.drop(entry);
    await entry.apply({ kind: 'lost', reason: 'it was removed before all of its output was heard', time: Date.now() });
    clearLaunch(this.#ports.paths, entry.id);
    await this.#forget(entry);
  }

  /**
   * Releases a session whose exit a previous daemon had read without releasing it. The agent's last transcript entries
   * may be missing in the journal.
   */
  async releaseLate(entry: SessionEntry, cursor: Cursor | undefined, position: number): Promise<void> {
    if (!isLaunched(this.#ports.paths, entry.id)) return this.#forget(entry);
    const runner = await this.follow(entry, cursor);
    runner.grew(position);
    await runner.caughtUp();
    await this.release(entry);
  }

  /** Releases a session that produces no more output. */
  async release(entry: SessionEntry): Promise<void> {
    const { transcripts, paths } = this.#ports;
    if (entry.book.session.state === 'lost') await transcripts.drop(entry);
    else await transcripts.finish(entry);
    const { runner, hearing } = entry;
    await runner?.caughtUp();
    if (runner && hearing && entry.view.mode !== 'batch')
      keepHearing(join(paths.journalsDir, entry.id), hearing, runner.position);
    runner?.close();
    entry.runner = null;
    entry.hearing = null;
    clearLaunch(paths, entry.id);
    const { keeper } = entry;
    entry.keeper = null;
    await keeper?.saveSlowly();
    keeper?.dispose();
    if (entry.book.session.state === 'lost') return; // The host of a lost session is gone.
    await this.#forget(entry);
  }

  /**
   * A previous daemon may have sent this request just before it died, so the host may have forgotten the session
   * already.
   */
  async #forget({ id }: SessionEntry): Promise<void> {
    await this.#ask('forget', { sessionId: id }).catch((error: unknown) => {
      const isForgotten = error instanceof OrchdError && error.code === 'ORCHD_SESSION_UNKNOWN';
      if (!isForgotten) this.#ports.log.error('the host did not forget a session', error, { session_id: id });
    });
  }

  /** Returns a rejected promise, instead of throwing, while there is no host. */
  async #ask<N extends HostCommandName>(name: N, input: HostCommands[N]['in']): Promise<HostCommands[N]['out']> {
    return this.#ports.host().call(name, input);
  }

  /** Records that a part of a journal is skipped. */
  noteDamage(entry: SessionEntry, from: number, to: number, detail: string): Promise<void> {
    const event = {
      event_type: 'journal_damaged',
      timestamp: timestamp(Date.now()),
      session_id: entry.id,
      from,
      to,
      detail,
    };
    const { outbox, entryPorts } = this.#ports;
    return outbox.commit({ events: [event] }, (committed) => entryPorts.bus.publish([event], committed));
  }

  /** Does nothing while there is no host: its sessions are lost then. */
  #tell<N extends HostCommandName>(name: N, input: HostCommands[N]['in']): void {
    this.#host()?.tell(name, input);
  }

  #host(): HostClient | null {
    try {
      return this.#ports.host();
    } catch {
      return null;
    }
  }
}

const slicePlace = (slice: Slice | null): object => (slice ? { from: slice.position, to: slice.end } : {});

/** True for findings after which the agent may continue its transcript in another file. */
const mayBeElsewhere = (finding: Finding): boolean =>
  (finding.kind === 'transcript' && finding.health === 'lost') ||
  (finding.kind === 'activity' && finding.activity === 'idle');

const hasEnded = (finding: Finding): boolean => finding.kind === 'exited';
