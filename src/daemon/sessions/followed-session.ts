/**
 * One followed session: what the daemon does with the records, the findings and the positions that its reader passes.
 *
 * In:   the records and findings of its journal.
 * Out:  findings applied to the entry, with checkpoints; records for viewers; progress and ticks for the host.
 */
import { join } from 'node:path';
import type { Finding } from '../../ears/index.js';
import { type HostCommandName, type HostCommands, type JournalRecord, openJournal } from '../../host/index.js';
import type { Paths } from '../../protocol/index.js';
import type { Hearing, ReadScheduler, SessionReader, Slice } from '../../session/index.js';
import type { StoredState } from '../../store/index.js';
import type { IdleWatch } from '../answers/index.js';
import {
  BoundedJournal,
  type DiskBrake,
  type JournalLoads,
  LargeCheckpoints,
  openHearing,
  smallCheckpoint,
} from '../disk/index.js';
import type { Outbox } from '../events/index.js';
import type { HearingGuard } from '../guard/index.js';
import type { Log } from '../log.js';
import type { SessionEntry } from '../registry/index.js';
import { joinReplies, type Terminals } from '../terminals/index.js';
import type { Transcripts } from '../transcripts/index.js';
import { Progress } from './progress.js';
import { openScreen } from './screens.js';

export type StoredCursor = StoredState['cursors'][number];

export interface FollowedPorts {
  readonly paths: Paths;
  readonly outbox: Outbox;
  readonly log: Log;
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

interface ReaderPorts extends FollowedPorts {
  readonly scheduler: ReadScheduler;
  /** False if the host forgets an order for ticks after one tick. */
  readonly ticksStay: boolean;
  /** Does nothing while there is no host. */
  readonly tellHost: <N extends HostCommandName>(name: N, input: HostCommands[N]['in']) => void;
  readonly noteDamage: (from: number, to: number, detail: string) => void;
  /** Called when the program has ended and its events are in the log. */
  readonly release: () => Promise<void>;
}

/** The cursor is stored at least after this many bytes, so that a restart never reads more than this again. */
const CURSOR_BYTES = 1024 * 1024;

/** Opens the ears and the screen of a session, and a reader that begins at its cursor once it is told of growth. */
export async function openReader(
  entry: SessionEntry,
  cursor: StoredCursor | undefined,
  ports: ReaderPorts,
): Promise<SessionReader> {
  const { SessionReader } = await import('../../session/index.js');
  const { paths, outbox, brake, terminals, log, tellHost } = ports;
  const sessionId = entry.id;
  const dir = join(paths.journalsDir, sessionId);
  const opened = await openHearing(dir, cursor, log);
  const { hearing, hearFrom } = opened;
  const sendReply = joinReplies((query, text) => tellHost('reply', { sessionId, query, text }));
  const onReply = (query: number, text: string): void => {
    if (entry.view.mode === 'batch') return; // A batch session has no terminal that would reply.
    sendReply(query, terminals.replyFor(entry, text));
  };
  const keeper = await openScreen(paths, entry, onReply, cursor === undefined);
  entry.keeper = keeper;
  entry.hearing = hearing;
  const known = cursor?.position ?? 0;
  const bounded = new BoundedJournal(
    {
      journals: paths.journalsDir,
      entry,
      hearing,
      keeper,
      log,
      maxBytes: ports.sessionBytes,
      onCut: () => ports.loads.wasCut(sessionId),
    },
    hearFrom,
  );
  const followed = new FollowedSession(entry, known, ports, {
    hearing,
    large: new LargeCheckpoints(dir, opened),
    bounded,
  });
  const progress = new Progress();
  const reader = new SessionReader({
    reader: openJournal(paths.journalsDir, sessionId, { from: Math.min(hearFrom, keeper.position) }),
    hearing,
    keeper,
    scheduler: ports.scheduler,
    cells: () => entry.view.size.cols * entry.view.size.rows,
    isAwaited: () => entry.isAwaited || terminals.isWatched(entry),
    hearFrom,
    cursor: known,
    whenRoomy: () => outbox.whenRoomy() ?? brake.whenFree(sessionId),
    onRecord: (record) => followed.onRecord(record),
    onFindings: (findings, position) => followed.onFindings(findings, position),
    onDamage: ports.noteDamage,
    onTaken: (position) => {
      if (progress.isDue(position, reader.bytesBehind)) tellHost('taken', { sessionId, position });
    },
    askTick: (since, quietMs) => tellHost('tick', { sessionId, since, quietMs, stays: ports.ticksStay }),
    ticksStay: ports.ticksStay,
    onHear: ports.guard.watch(sessionId),
    onError: (error, slice) => followed.onError(error, slice),
  });
  return reader;
}

interface Checkpoints {
  readonly hearing: Hearing;
  readonly large: LargeCheckpoints;
  readonly bounded: BoundedJournal;
}

class FollowedSession {
  readonly #entry: SessionEntry;
  /** Position of the cursor in the log when following began. */
  readonly #known: number;
  readonly #ports: ReaderPorts;
  readonly #checkpoints: Checkpoints;
  /** Position of the newest cursor. */
  #written: number;
  /** Time of the last record, in milliseconds. */
  #time = 0;

  constructor(entry: SessionEntry, known: number, ports: ReaderPorts, checkpoints: Checkpoints) {
    this.#entry = entry;
    this.#known = known;
    this.#written = known;
    this.#ports = ports;
    this.#checkpoints = checkpoints;
  }

  onRecord(record: JournalRecord): void {
    const { transcripts, terminals, idleWatch } = this.#ports;
    const entry = this.#entry;
    this.#time = record.time;
    if (record.kind === 'resize' && record.position >= this.#known)
      void entry.apply({ kind: 'resized', cols: record.cols, rows: record.rows });
    if (record.kind === 'out') transcripts.nudge(entry);
    terminals.onRecord(entry, record);
    idleWatch.onRecord(entry, record);
  }

  onFindings(findings: readonly Finding[], position: number): void {
    const { hearing, large, bounded } = this.#checkpoints;
    const entry = this.#entry;
    if (findings.some(mayBeElsewhere)) this.#ports.transcripts.rested(entry);
    entry.noteOutput();
    // The waiting callers continue in the next turn of the event loop: then the events of this output are decided.
    if (entry.isAwaited) setImmediate(() => entry.outputRead());
    const keep = large.make(position);
    const cut = bounded.make(position, this.#time);
    if (findings.length === 0 && position - this.#written < CURSOR_BYTES && !keep && !cut) return;
    this.#written = position;
    const isOver = findings.some(hasEnded);
    // The program has ended, so no more output follows.
    const checkpoint = isOver ? {} : smallCheckpoint(hearing, position);
    const done = entry.applyFindings(findings, { sessionId: entry.id, position, ...checkpoint });
    if (keep) void done.then(keep);
    if (cut) void done.then(cut);
    if (isOver) entry.leaving = this.#leave(done);
  }

  async #leave(done: Promise<unknown>): Promise<void> {
    await done;
    this.#checkpoints.large.remove();
    this.#checkpoints.bounded.remove();
    await this.#ports.release();
  }

  onError(error: unknown, slice: Slice | null): void {
    const { log, guard } = this.#ports;
    const at = slice ? { from: slice.position, to: slice.end } : {};
    log.error('a session cannot be followed any more', error, { session_id: this.#entry.id, ...at });
    if (slice) guard.failed(this.#entry.id, slice);
  }
}

/** True for findings after which the agent may continue its transcript in another file. */
const mayBeElsewhere = (finding: Finding): boolean =>
  (finding.kind === 'transcript' && finding.health === 'lost') ||
  (finding.kind === 'activity' && finding.activity === 'idle');

const hasEnded = (finding: Finding): boolean => finding.kind === 'exited';
