/**
 * Follows a session's journal: reads the records that the host has announced, and passes them to the ears, the screen
 * and the viewers.
 *
 * In:   `grew`: the journal reaches to this position.
 * Out:  findings after the cursor, with the position up to which they are complete; the position up to which the daemon
 *       has read (flow control).
 *
 * It reads at most GULP_BYTES, or for a slice of time (read-scheduler.ts), before other sessions have their turn. A
 * flood in one session therefore does not delay another. A session for which a client waits is read at once. Reading
 * pauses while the log or the session's screen is behind. The host then pauses as well, and in the end the program.
 */
import type { Finding } from '../ears/index.js';
import type { JournalReader, JournalRecord, OutRecord } from '../host/index.js';
import { pieceOf } from '../terminal/index.js';
import type { Hearing } from './hearing/hearing.js';
import type { ReadScheduler } from './read-scheduler.js';
import { ReadingCost } from './reading-cost.js';
import type { ScreenKeeper } from './screen/screen-keeper.js';
import { TickOrders, type TickOrdersPorts } from './tick-orders.js';

interface RunnerPorts extends TickOrdersPorts {
  readonly reader: JournalReader;
  readonly hearing: Hearing;
  readonly keeper: ScreenKeeper;
  /** Shared by all sessions. */
  readonly scheduler: ReadScheduler;
  /** Number of cells of the program's screen. */
  readonly cells: () => number;
  /** True while a client waits for what the session prints. */
  readonly isAwaited: () => boolean;
  /** The ears have already read everything before this position; records before it are for the screen only. */
  readonly hearFrom: number;
  /** Findings up to this position are in the log already. */
  readonly cursor: number;
  /** Called after every piece, even if it has no findings. They are in order, and complete up to `position`. */
  readonly onFindings: (findings: readonly Finding[], position: number) => void;
  /** Called with every record, in order; its bytes are valid only during the call. */
  readonly onRecord: (record: JournalRecord) => void;
  /** Called for damage after the cursor. Damage before it was already reported. */
  readonly onDamage: (from: number, to: number, detail: string) => void;
  readonly onTaken: (position: number) => void;
  /** Returns null if the log has room, otherwise a promise that resolves when it has. */
  readonly whenRoomy: () => Promise<void> | null;
  /** A clock, in milliseconds. Tests replace it. */
  readonly now?: () => number;
  /** The CPU time of this process, in milliseconds; for tests. */
  readonly cpuMs?: () => number;
  /**
   * Called before a record, or the rest of one, is read; with null after that. Undefined if the caller need not know.
   */
  readonly onHear?: ((slice: Slice | null) => void) | undefined;
  /** Called when something has thrown; nothing more is read. `slice`: the record that was being read. */
  readonly onError: (error: unknown, slice: Slice | null) => void;
}

/** The place of a record. */
export type Slice = Pick<JournalRecord, 'position' | 'end'>;

export interface Runner {
  /** Called when the host reports that the journal reaches to `position`. */
  grew(position: number): void;
  /** Reads the rest of the journal, because the host has died. */
  readToEnd(): Promise<void>;
  /** Resolves when everything announced up to now was read, whatever is announced meanwhile. */
  caughtUp(): Promise<void>;
  readonly position: number;
  /** Number of announced journal bytes that were not read yet. */
  readonly bytesBehind: number;
  close(): void;
}

const GULP_BYTES = 64 * 1024;
/** Maximum size of a piece of output. The next piece is smaller if the last one took long, or if this one will. */
const MAX_PIECE_BYTES = 4 * 1024;
const MIN_PIECE_BYTES = 32;
const FIRST_PIECE_BYTES = 512;
const LONG_PIECE_MS = 4;
const SHORT_PIECE_MS = 1;

/** Creates the runner of one session. It reads nothing until `grew` is called. */
export function createRunner(ports: RunnerPorts): Runner {
  const { reader, hearing, keeper, scheduler, now = () => performance.now(), cpuMs = ownCpuMs } = ports;
  let limit = reader.position;
  let isRunning = false;
  let isClosed = false;
  /** Callers of `caughtUp`: each waits until everything before `until` was read. */
  let waiters: { readonly until: number; readonly wake: () => void }[] = [];
  /** The unread rest of an output record that took too long. Its findings are reported when all of it is read. */
  let rest: OutRecord | null = null;
  let pieceBytes = FIRST_PIECE_BYTES;
  let findings: Finding[] = [];
  /** The record that is being read. */
  let heard: Slice | null = null;
  const cost = new ReadingCost(reader.position, { now, cpuMs });
  const ticks = new TickOrders(ports);

  /** Often, fifty sessions grow by one line each. No promise is awaited if there is nothing to wait for. */
  function step(): void {
    if (isClosed || (reader.position >= limit && !rest && !keeper.isBehind)) {
      stop();
      return;
    }
    cost.begin();
    try {
      if (rest) {
        hears(rest);
        goOnHearing(rest);
      } else if (keeper.isBehind) {
        keeper.catchUp(() => scheduler.isOver());
      } else {
        const before = reader.position;
        gulp();
        if (reader.position === before) limit = before; // the journal ends here, whatever was announced
      }
      hears(null);
      if (!rest) tell();
      const roomy = ports.whenRoomy();
      if (roomy) roomy.then(goOn).catch(fail);
      else goOn();
    } catch (error) {
      fail(error);
    }
  }

  function goOn(): void {
    ports.onTaken(reader.position); // not earlier: the host would read on
    if (!rest) wake(reader.position);
    const tookMs = cost.end(reader.position);
    if (reader.position >= limit && !rest && !keeper.isBehind) stop();
    // A caller that waits for the rest of the journal, for example to end the session, does not wait longer.
    else if (cost.isCostly && waiters.length === 0) scheduler.slowly(step, tookMs);
    else scheduler.later(step);
  }

  function hears(slice: Slice | null): void {
    heard = slice;
    ports.onHear?.(slice);
  }

  function push(record: JournalRecord): void {
    for (const finding of hearing.push(record)) if (finding.at > ports.cursor) findings.push(finding);
  }

  /** Reads as much of the record as time allows; at least one piece. */
  function goOnHearing(record: OutRecord): void {
    const { bytes, bytesPosition } = record;
    let at = 0;
    while (at < bytes.length) {
      const next = bytes.subarray(at, at + pieceBytes);
      const piece = next.subarray(0, pieceOf(next, ports.cells()));
      const begun = now();
      push({ ...record, bytes: piece, bytesPosition: bytesPosition + at });
      const tookMs = now() - begun;
      if (tookMs > LONG_PIECE_MS) pieceBytes = Math.max(MIN_PIECE_BYTES, (pieceBytes * LONG_PIECE_MS) / tookMs) | 0;
      else if (tookMs < SHORT_PIECE_MS && piece.length === pieceBytes)
        pieceBytes = Math.min(MAX_PIECE_BYTES, pieceBytes * 2);
      at += piece.length;
      if (at < bytes.length && scheduler.isOver()) {
        // The bytes are copied, because those of the reader are valid only during the call.
        rest = { ...record, bytes: Uint8Array.from(bytes.subarray(at)), bytesPosition: bytesPosition + at };
        return;
      }
    }
    rest = null;
  }

  function tell(): void {
    const told = findings;
    findings = [];
    ports.onFindings(told, reader.position);
    if (reader.position >= limit) ticks.order(hearing.wantsTick()?.quietMs ?? null, reader.position);
  }

  function gulp(): void {
    let bytes = 0;
    /** Records whose output is on the screen but that the ears have not read, such as a key that waits for its echo. */
    let unheard: JournalRecord[] = [];
    const hear = (): void => {
      for (const record of unheard) {
        hears(record);
        if (record.kind === 'out' && record.bytes.length > MIN_PIECE_BYTES) goOnHearing(record);
        else push(record);
      }
      unheard = [];
    };
    const { damaged } = reader.read(limit, (record) => {
      bytes += record.end - record.position;
      if (record.kind === 'out') ticks.printed();
      else if (record.kind === 'tick') ticks.ticked();
      hears(record);
      keeper.take(record);
      // A snapshot record replaces all records before its end.
      if ((record.kind === 'snapshot' ? record.end - 1 : record.position) >= ports.hearFrom) {
        ports.onRecord(record); // first: who watches does not wait until it is understood
        unheard.push(record);
        if (record.kind !== 'input') hear(); // output is borrowed
      }
      return bytes < GULP_BYTES && !rest && !keeper.isBehind && !scheduler.isOver();
    });
    hear();
    for (const { from, to, detail } of damaged) if (to > ports.cursor) ports.onDamage(from, to, detail);
  }

  function start(): void {
    if (isRunning) return;
    isRunning = true;
    if (ports.isAwaited()) step();
    else scheduler.take(step);
  }

  function fail(error: unknown): void {
    isClosed = true; // it would fail again
    ports.onError(error, heard);
    stop();
  }

  function stop(): void {
    isRunning = false;
    wake(Number.POSITIVE_INFINITY);
  }

  /** Wakes the callers that wait for what was read before `position`. */
  function wake(position: number): void {
    if (waiters.length === 0) return;
    const woken = waiters.filter(({ until }) => until <= position);
    waiters = waiters.filter(({ until }) => until > position);
    for (const waiter of woken) waiter.wake();
  }

  return {
    grew(position) {
      limit = Math.max(limit, position);
      if (!isClosed && reader.position < limit) start();
    },
    readToEnd() {
      limit = Number.POSITIVE_INFINITY;
      start();
      return this.caughtUp();
    },
    caughtUp: () => (isRunning ? new Promise((wake) => waiters.push({ until: limit, wake })) : Promise.resolve()),
    get position() {
      return reader.position;
    },
    get bytesBehind() {
      return isRunning && Number.isFinite(limit) ? limit - reader.position : 0;
    },
    close() {
      isClosed = true;
      reader.close();
    },
  };
}

function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
