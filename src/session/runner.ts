/**
 * Follows a session's journal: reads the records that the host has announced, and passes them to the ears, the screen
 * and the viewers.
 *
 * In:   `grew`: the journal reaches to this position.
 * Out:  findings after the cursor, with the position up to which they are complete; the position up to which the
 *       daemon has read (flow control).
 *
 * It reads at most GULP_BYTES, or a slice of time (turns.ts), before other sessions have their turn, so a flood in one
 * session does not delay another. A session for which a client waits has its turn at once. It waits while the log or
 * the session's screen is behind, so that the host, and in the end the program, waits too.
 */
import type { Finding } from '../ears/index.js';
import type { JournalReader, JournalRecord, OutRecord } from '../host/index.js';
import type { Hearing } from './hearing/hearing.js';
import type { ScreenKeeper } from './screen/screen-keeper.js';
import type { Turns } from './turns.js';

export interface RunnerPorts {
  readonly reader: JournalReader;
  readonly hearing: Hearing;
  readonly keeper: ScreenKeeper;
  /** Shared by all sessions. */
  readonly turns: Turns;
  /** True while a client waits for what the session prints. */
  readonly isAwaited: () => boolean;
  /** The ears have heard everything before this; records before it are for the screen only. */
  readonly hearFrom: number;
  /** Findings up to here are in the log already. */
  readonly cursor: number;
  /** Findings in order, complete up to `position`. Called for every gulp, with none if there are none. */
  readonly onFindings: (findings: readonly Finding[], position: number) => void;
  /** Every record, in order; its bytes are borrowed. */
  readonly onRecord: (record: JournalRecord) => void;
  /** Called for damage after the cursor. Damage before it was already reported. */
  readonly onDamage: (from: number, to: number, detail: string) => void;
  readonly onTaken: (position: number) => void;
  /**
   * Orders a tick after each silence of `quietMs`; null: none. `since`: everything before this is heard.
   */
  readonly askTick: (since: number, quietMs: number | null) => void;
  /** False if an order is for one tick (contract.ts). */
  readonly ticksStay: boolean;
  /** Null when the log takes more now; else resolves when it does. */
  readonly whenRoomy: () => Promise<void> | null;
  /** A clock, in milliseconds; for tests. */
  readonly now?: () => number;
  /** Called before a record, or the rest of one, is heard. Null once it is heard. None: the caller need not know. */
  readonly onHear?: ((slice: Slice | null) => void) | undefined;
  /** Something has thrown; nothing more is read. `slice`: what was being heard. */
  readonly onError: (error: unknown, slice: Slice | null) => void;
}

/** The place of a record. */
export type Slice = Pick<JournalRecord, 'position' | 'end'>;

export interface Runner {
  /** The host has said that the journal reaches to `position`. */
  grew(position: number): void;
  /** The host is gone: reads what is there. */
  readToEnd(): Promise<void>;
  /** Resolves when everything announced up to now is heard. */
  caughtUp(): Promise<void>;
  readonly position: number;
  /** Number of announced journal bytes that are not heard yet. */
  readonly bytesBehind: number;
  close(): void;
}

const GULP_BYTES = 64 * 1024;
/**
 * Maximum size of a piece of output. The cost of a piece depends on its content, so its size follows the time of the
 * last piece.
 */
const MAX_PIECE_BYTES = 4 * 1024;
const MIN_PIECE_BYTES = 32;
const FIRST_PIECE_BYTES = 512;
const LONG_PIECE_MS = 4;
const SHORT_PIECE_MS = 1;

export function createRunner(ports: RunnerPorts): Runner {
  const { reader, hearing, keeper, turns, now = () => performance.now() } = ports;
  let limit = reader.position;
  let isRunning = false;
  let isClosed = false;
  let waiters: (() => void)[] = [];
  /** Quiet after which the host appends a tick, as ordered last. */
  let ordered: number | null = null;
  let wished: number | null = null;
  /** The host has appended the tick of this silence. */
  let hasTicked = false;
  /** It was not wished for. */
  let isNeedless = false;
  /** The unread rest of an output record that took too long. Its findings are reported when all of it is read. */
  let rest: OutRecord | null = null;
  let pieceBytes = FIRST_PIECE_BYTES;
  let findings: Finding[] = [];
  /** The record that is being heard. */
  let heard: Slice | null = null;

  /** Fifty sessions grow by a line each, all the time: where there is nothing to wait for, nothing waits. */
  function step(): void {
    if (isClosed || (reader.position >= limit && !rest && !keeper.isBehind)) {
      stop();
      return;
    }
    try {
      if (rest) {
        hears(rest);
        goOnHearing(rest);
      } else if (keeper.isBehind) {
        keeper.catchUp(() => turns.isOver());
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
    if (reader.position < limit || rest || keeper.isBehind) turns.later(step);
    else stop();
  }

  function hears(slice: Slice | null): void {
    heard = slice;
    ports.onHear?.(slice);
  }

  function push(record: JournalRecord): void {
    for (const finding of hearing.push(record)) if (finding.at > ports.cursor) findings.push(finding);
  }

  /** As much of it as there is time for; at least one piece. */
  function goOnHearing(record: OutRecord): void {
    const { bytes, bytesPosition } = record;
    let at = 0;
    while (at < bytes.length) {
      const piece = bytes.subarray(at, at + pieceBytes);
      const begun = now();
      push({ ...record, bytes: piece, bytesPosition: bytesPosition + at });
      const tookMs = now() - begun;
      if (tookMs > LONG_PIECE_MS) pieceBytes = Math.max(MIN_PIECE_BYTES, (pieceBytes * LONG_PIECE_MS) / tookMs) | 0;
      else if (tookMs < SHORT_PIECE_MS && piece.length === pieceBytes)
        pieceBytes = Math.min(MAX_PIECE_BYTES, pieceBytes * 2);
      at += piece.length;
      if (at < bytes.length && turns.isOver()) {
        // The reader's bytes are borrowed.
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
    if (reader.position >= limit) orderTicks();
  }

  function gulp(): void {
    let bytes = 0;
    /** Shown, and not heard yet: a key, whose echo comes next. */
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
      if (record.kind === 'out') hasTicked = false;
      else if (record.kind === 'tick') {
        hasTicked = true;
        isNeedless = wished === null;
      }
      hears(record);
      keeper.take(record);
      // A snapshot record stands for what is before its end.
      if ((record.kind === 'snapshot' ? record.end - 1 : record.position) >= ports.hearFrom) {
        ports.onRecord(record); // first: who watches does not wait until it is understood
        unheard.push(record);
        if (record.kind !== 'input') hear(); // output is borrowed
      }
      return bytes < GULP_BYTES && !rest && !keeper.isBehind && !turns.isOver();
    });
    hear();
    for (const { from, to, detail } of damaged) if (to > ports.cursor) ports.onDamage(from, to, detail);
  }

  /**
   * Orders ticks. An order stays: a program that prints all the time costs no commands. An order that brings needless
   * ticks is taken back.
   */
  function orderTicks(): void {
    wished = hearing.wantsTick()?.quietMs ?? null;
    const isOrdered = wished === null ? ordered === null || !isNeedless : wished === ordered && !hasTicked;
    if (ports.ticksStay ? isOrdered : wished === null) return;
    ordered = wished;
    hasTicked = false;
    isNeedless = false;
    ports.askTick(reader.position, wished);
  }

  function start(): void {
    if (isRunning) return;
    isRunning = true;
    if (ports.isAwaited()) step();
    else turns.take(step);
  }

  function fail(error: unknown): void {
    isClosed = true; // it would fail again
    ports.onError(error, heard);
    stop();
  }

  function stop(): void {
    isRunning = false;
    const woken = waiters;
    waiters = [];
    for (const wake of woken) wake();
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
    caughtUp: () => (isRunning ? new Promise((resolve) => waiters.push(resolve)) : Promise.resolve()),
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
