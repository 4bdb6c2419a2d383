/**
 * Follows a session's journal: reads the records that the host has announced, and passes them to the ears, the screen
 * and the viewers.
 *
 * In:   `grew`: the journal reaches to this position.
 * Out:  findings after the cursor, with the position up to which they are complete; the position up to which the daemon
 *       has read (flow control).
 *
 * It reads at most STEP_BYTES, or for a slice of time (read-scheduler.ts), before other sessions have their turn. A
 * flood in one session therefore does not delay another. A session for which a client waits is read at once. Reading
 * pauses while the log or the session's screen is behind. The host then pauses as well, and in the end the program.
 */
import type { Finding } from '../ears/index.js';
import type { JournalReader, JournalRecord } from '../host/index.js';
import type { Hearing } from './hearing/hearing.js';
import { PieceReader } from './piece-reader.js';
import { PositionWaiters } from './position-waiters.js';
import type { ReadScheduler } from './read-scheduler.js';
import { ReadingCost } from './reading-cost.js';
import type { ScreenKeeper } from './screen/screen-keeper.js';
import { TickOrders, type TickOrdersPorts } from './tick-orders.js';

interface SessionReaderPorts extends TickOrdersPorts {
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

/** The position of a record. */
export type Slice = Pick<JournalRecord, 'position' | 'end'>;

/** Bytes of one step, after which other sessions have their turn. They are one batch of the host. */
const STEP_BYTES = 64 * 1024;

/** Reads the journal of one session. It reads nothing until `grew` is called. */
export class SessionReader {
  readonly #ports: SessionReaderPorts;
  readonly #pieces: PieceReader;
  readonly #cost: ReadingCost;
  readonly #ticks: TickOrders;
  readonly #waiters = new PositionWaiters();
  readonly #step = (): void => this.#readStep();
  /** The announced length of the journal. */
  #limit: number;
  #isRunning = false;
  #isClosed = false;
  /** The record that is being read. */
  #heard: Slice | null = null;

  constructor(ports: SessionReaderPorts) {
    const { reader, hearing, scheduler, cells, cursor, now = () => performance.now(), cpuMs = ownCpuMs } = ports;
    this.#ports = ports;
    this.#limit = reader.position;
    this.#pieces = new PieceReader({ hearing, cells, cursor, isOver: () => scheduler.isOver(), now });
    this.#cost = new ReadingCost(reader.position, { now, cpuMs });
    this.#ticks = new TickOrders(ports);
  }

  get position(): number {
    return this.#ports.reader.position;
  }

  /** Number of announced journal bytes that were not read yet. */
  get bytesBehind(): number {
    return this.#isRunning && Number.isFinite(this.#limit) ? this.#limit - this.position : 0;
  }

  /** Called when the host reports that the journal reaches to `position`. */
  grew(position: number): void {
    this.#limit = Math.max(this.#limit, position);
    if (!this.#isClosed && this.position < this.#limit) this.#start();
  }

  /** Reads the rest of the journal, because the host has died. */
  readToEnd(): Promise<void> {
    this.#limit = Number.POSITIVE_INFINITY;
    this.#start();
    return this.caughtUp();
  }

  /** Resolves when everything announced up to now was read, whatever is announced meanwhile. */
  caughtUp(): Promise<void> {
    return this.#isRunning ? this.#waiters.wait(this.#limit) : Promise.resolve();
  }

  close(): void {
    this.#isClosed = true;
    this.#ports.reader.close();
  }

  #start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    if (this.#ports.isAwaited()) this.#readStep();
    else this.#ports.scheduler.take(this.#step);
  }

  get #isFinished(): boolean {
    return this.position >= this.#limit && !this.#pieces.rest && !this.#ports.keeper.isBehind;
  }

  /** Reads a part of the journal. Avoids a promise per line: with fifty sessions, most steps read one line. */
  #readStep(): void {
    if (this.#isClosed || this.#isFinished) {
      this.#stop();
      return;
    }
    this.#cost.begin();
    try {
      this.#readOn();
      this.#note(null);
      if (!this.#pieces.rest) this.#report();
      const roomy = this.#ports.whenRoomy();
      if (roomy) roomy.then(() => this.#scheduleNext()).catch((error: unknown) => this.#fail(error));
      else this.#scheduleNext();
    } catch (error) {
      this.#fail(error);
    }
  }

  #readOn(): void {
    const { keeper, scheduler } = this.#ports;
    const { rest } = this.#pieces;
    if (rest) {
      this.#note(rest);
      this.#pieces.readPieces(rest);
    } else if (keeper.isBehind) {
      keeper.catchUp(() => scheduler.isOver());
    } else {
      const before = this.position;
      this.#readRecords();
      if (this.position === before) this.#limit = before; // the journal ends here, whatever was announced
    }
  }

  #scheduleNext(): void {
    const { scheduler } = this.#ports;
    this.#ports.onTaken(this.position); // not earlier: the host would read on
    if (!this.#pieces.rest) this.#waiters.reached(this.position);
    const tookMs = this.#cost.end(this.position);
    if (this.#isFinished) this.#stop();
    // A caller that waits for the rest of the journal, for example to end the session, does not wait longer.
    else if (this.#cost.isCostly && this.#waiters.isEmpty) scheduler.slowly(this.#step, tookMs);
    else scheduler.later(this.#step);
  }

  /** Notes which record is being read, for the report of an error. */
  #note(slice: Slice | null): void {
    this.#heard = slice;
    this.#ports.onHear?.(slice);
  }

  #report(): void {
    this.#ports.onFindings(this.#pieces.takeFindings(), this.position);
    if (this.position < this.#limit) return;
    this.#ticks.order(this.#ports.hearing.wantsTick()?.quietMs ?? null, this.position);
  }

  #readRecords(): void {
    const { reader, keeper, scheduler, hearFrom } = this.#ports;
    let bytes = 0;
    /** Records whose output is on the screen but that the ears have not read, such as a key that waits for its echo. */
    let unheard: JournalRecord[] = [];
    const hear = (): void => {
      for (const record of unheard) {
        this.#note(record);
        this.#pieces.read(record);
      }
      unheard = [];
    };
    const { damaged } = reader.read(this.#limit, (record) => {
      bytes += record.end - record.position;
      if (record.kind === 'out') this.#ticks.printed();
      else if (record.kind === 'tick') this.#ticks.ticked();
      this.#note(record);
      keeper.take(record);
      // A snapshot record replaces all records before its end.
      if ((record.kind === 'snapshot' ? record.end - 1 : record.position) >= hearFrom) {
        this.#ports.onRecord(record); // before it is understood, so that viewers do not wait for that
        unheard.push(record);
        if (record.kind !== 'input') hear(); // the bytes of output are valid only during this call
      }
      return bytes < STEP_BYTES && !this.#pieces.rest && !keeper.isBehind && !scheduler.isOver();
    });
    hear();
    for (const { from, to, detail } of damaged) if (to > this.#ports.cursor) this.#ports.onDamage(from, to, detail);
  }

  #fail(error: unknown): void {
    this.#isClosed = true; // another attempt would fail again
    this.#ports.onError(error, this.#heard);
    this.#stop();
  }

  #stop(): void {
    this.#isRunning = false;
    this.#waiters.reached(Number.POSITIVE_INFINITY);
  }
}

function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
