/**
 * Follows a session's journal: reads what the host has announced, and gives it to the ears, the screen and whoever watches.
 *
 * In:   `grew`: the journal reaches to this position.
 * Out:  findings after the cursor, with the position up to which they are complete; how far the daemon has taken (flow control).
 * Reads at most GULP_BYTES in one turn of the event loop, so that a flood in one session does not hold up another; waits while the
 * log is behind, so that the host, and in the end the program, waits too.
 */
import type { Finding } from '../ears/index.js';
import type { JournalReader, JournalRecord } from '../host/index.js';
import type { Hearing } from './hearing.js';
import type { ScreenKeeper } from './screen-keeper.js';

export interface RunnerPorts {
  readonly reader: JournalReader;
  readonly hearing: Hearing;
  readonly keeper: ScreenKeeper;
  /** The ears have heard everything before this; records before it are for the screen only. */
  readonly hearFrom: number;
  /** Findings up to here are in the log already. */
  readonly cursor: number;
  /** Findings in order, complete up to `position`. Called for every gulp, with none if there are none. */
  readonly onFindings: (findings: readonly Finding[], position: number) => void;
  /** Every record, in order; its bytes are borrowed. */
  readonly onRecord: (record: JournalRecord) => void;
  /** Behind the cursor: what lies before it was told already. */
  readonly onDamage: (from: number, to: number, detail: string) => void;
  readonly onTaken: (position: number) => void;
  readonly askTick: (since: number, quietMs: number) => void;
  /** Null when the log takes more now; else resolves when it does. */
  readonly whenRoomy: () => Promise<void> | null;
  /** Something has thrown; nothing more is read. */
  readonly onError: (error: unknown) => void;
}

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

export function createRunner(ports: RunnerPorts): Runner {
  const { reader, hearing, keeper } = ports;
  let limit = reader.position;
  let isRunning = false;
  let isClosed = false;
  let waiters: (() => void)[] = [];

  /** Fifty sessions grow by a line each, all the time: where there is nothing to wait for, nothing waits. */
  function step(): void {
    if (isClosed || reader.position >= limit) {
      rest();
      return;
    }
    try {
      const before = reader.position;
      gulp();
      if (reader.position === before) limit = before; // the journal ends here, whatever was announced
      const roomy = ports.whenRoomy();
      if (roomy) roomy.then(goOn).catch(fail);
      else goOn();
    } catch (error) {
      fail(error);
    }
  }

  function goOn(): void {
    ports.onTaken(reader.position); // not earlier: the host would read on
    if (reader.position < limit) setImmediate(step);
    else rest();
  }

  function gulp(): void {
    const findings: Finding[] = [];
    let bytes = 0;
    /** Shown, and not heard yet: a key, whose echo comes next. */
    let unheard: JournalRecord[] = [];
    const hear = (): void => {
      for (const record of unheard)
        for (const finding of hearing.push(record)) if (finding.at > ports.cursor) findings.push(finding);
      unheard = [];
    };
    const { damaged } = reader.read(limit, (record) => {
      bytes += record.end - record.position;
      keeper.take(record);
      if (record.position >= ports.hearFrom) {
        ports.onRecord(record); // first: who watches does not wait until it is understood
        unheard.push(record);
        if (record.kind !== 'input') hear(); // output is borrowed
      }
      return bytes < GULP_BYTES;
    });
    hear();
    for (const { from, to, detail } of damaged) if (to > ports.cursor) ports.onDamage(from, to, detail);
    ports.onFindings(findings, reader.position);
    const tick = hearing.wantsTick();
    if (tick && reader.position >= limit) ports.askTick(reader.position, tick.quietMs);
  }

  function start(): void {
    if (isRunning) return;
    isRunning = true;
    step();
  }

  function fail(error: unknown): void {
    isClosed = true; // it would fail again
    ports.onError(error);
    rest();
  }

  function rest(): void {
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
