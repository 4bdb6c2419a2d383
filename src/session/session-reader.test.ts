import { describe, expect, test } from 'vitest';
import type { JournalReader, JournalRecord } from '../host/index.js';
import { ReadScheduler } from './read-scheduler.js';
import { createRecorder, type Happening } from './recordings/made-journal.js';
import { SessionReader } from './session-reader.js';

const key: Happening = {
  kind: 'input',
  phase: 'keys',
  writeId: null,
  text: null,
  length: 1,
  submits: false,
};
const out = (text: string): Happening => ({ kind: 'out', bytes: Buffer.from(text) });

/** Ports of a session reader that reads these records immediately and ignores the findings. */
function portsOf(records: readonly JournalRecord[]) {
  const reader = {
    position: 0,
    read(_limit: number, onRecord: (record: JournalRecord) => unknown) {
      for (const one of records) {
        reader.position = one.end;
        onRecord(one);
      }
      return { position: reader.position, damaged: [], torn: null };
    },
    passTo: () => {},
    close: () => {},
  };
  return {
    reader: reader satisfies JournalReader,
    hearFrom: 0,
    cursor: 0,
    scheduler: new ReadScheduler({ now: () => 0 }),
    ticksStay: true,
    cells: () => 80 * 24,
    isAwaited: () => false,
    onRecord: () => {},
    onFindings: () => {},
    onDamage: () => {},
    onTaken: () => {},
    askTick: () => {},
    whenRoomy: () => null,
    onError: (error: unknown) => {
      throw error;
    },
  };
}

/** Checks that the records of a journal are handled in order. */
function follow(happenings: readonly Happening[]): string[] {
  const done: string[] = [];
  const record = createRecorder();
  const records = happenings.map((happening) => record(happening));
  const note = (what: string) => (taken: JournalRecord) =>
    void done.push(`${what} ${taken.kind === 'out' ? Buffer.from(taken.bytes).toString() : taken.kind}`);
  const heard = note('heard');
  const session = new SessionReader({
    ...portsOf(records),
    // Only the methods that the session reader calls.
    hearing: { push: (taken: JournalRecord) => heard(taken) ?? [], wantsTick: () => null } as never,
    keeper: { take: note('kept') } as never,
    onRecord: note('shown'),
  });
  session.grew(records.at(-1)?.end ?? 0);
  return done;
}

test('puts a record on the screen, then shows it, and then searches it for messages', () => {
  expect(follow([out('a'), out('b')])).toEqual(['kept a', 'shown a', 'heard a', 'kept b', 'shown b', 'heard b']);
});

test('shows the echo of a key before the key is read, and reads all records in order', () => {
  const shown = ['kept input', 'shown input', 'kept k', 'shown k'];
  const heard = ['heard input', 'heard k'];
  expect(follow([key, out('k'), key])).toEqual([...shown, ...heard, 'kept input', 'shown input', 'heard input']);
});

describe('the tick order', () => {
  /** Returns the tick orders of a program. Each step is a record and the silence that the hearing asks for after it. */
  function ordersOf(steps: readonly (readonly [Happening, number | null])[], ticksStay = true): (number | null)[] {
    const orders: (number | null)[] = [];
    const record = createRecorder();
    let wished: number | null = null;
    let next: JournalRecord | null = null;
    const reader = {
      position: 0,
      read(_limit: number, onRecord: (record: JournalRecord) => unknown) {
        if (next) {
          reader.position = next.end;
          onRecord(next);
        }
        return { position: reader.position, damaged: [], torn: null };
      },
      passTo: () => {},
      close: () => {},
    };
    const wantsTick = () => (wished === null ? null : { quietMs: wished });
    const session = new SessionReader({
      reader: reader satisfies JournalReader,
      hearFrom: 0,
      cursor: 0,
      ticksStay,
      scheduler: new ReadScheduler({ now: () => 0 }),
      cells: () => 80 * 24,
      isAwaited: () => true,
      // Only the methods that the session reader calls.
      hearing: { push: () => [], wantsTick } as never,
      keeper: { take: () => {} } as never,
      onRecord: () => {},
      onFindings: () => {},
      onDamage: () => {},
      onTaken: () => {},
      whenRoomy: () => null,
      askTick: (_, quietMs) => void orders.push(quietMs),
      onError: (error) => {
        throw error;
      },
    });
    for (const [happening, wish] of steps) {
      wished = wish;
      next = record(happening);
      session.grew(next.end);
    }
    return orders;
  }
  const tick: Happening = { kind: 'tick', quietMs: 40 };

  test('is sent once for the same interval, also after ticks and while none is needed', () => {
    expect(
      ordersOf([
        [out('a'), 40],
        [out('b'), 40],
        [tick, null],
        [out('c'), null],
        [out('d'), 40],
      ]),
    ).toEqual([40]);
  });

  test('is sent again for another interval, and for a second tick in the same silence', () => {
    expect(
      ordersOf([
        [out('a'), 40],
        [out('b'), 400],
        [tick, 40],
        [tick, 40],
        [key, 40],
      ]),
    ).toEqual([40, 400, 40, 40]);
  });

  test('is cancelled after an unnecessary tick', () => {
    expect(
      ordersOf([
        [out('a'), 40],
        [out('b'), null],
        [tick, null],
        [out('c'), null],
      ]),
    ).toEqual([40, null]);
  });

  test('is sent after every record and never cancelled if the host does not keep it', () => {
    const steps = [
      [out('a'), 40],
      [out('b'), 40],
      [out('c'), null],
      [tick, null],
    ] as const;
    expect(ordersOf(steps, false)).toEqual([40, 40]);
  });
});

test('reads a long record in pieces, lets other sessions run between, and reports its findings together', () => {
  const done: string[] = [];
  const later: (() => void)[] = [];
  let now = 0;
  const scheduler = new ReadScheduler({ now: () => (now += 10), afterOthers: (next) => void later.push(next) });
  const text = 'abcdefgh'.repeat(2048);
  const record = createRecorder()(out(text));
  let heard = '';
  // The pieces grow while the hearing needs no time.
  const pieces = [512, 1024, 2048, 4096, 4096, 4096, 512];
  const push = (piece: JournalRecord) => {
    if (piece.kind !== 'out') return [];
    expect(piece.bytesPosition).toBe(heard.length);
    heard += Buffer.from(piece.bytes).toString();
    done.push('heard');
    return [{ kind: 'prompt', at: piece.end }];
  };
  const session = new SessionReader({
    ...portsOf([record]),
    hearing: { push, wantsTick: () => null } as never,
    keeper: { take: () => {} } as never,
    scheduler,
    now: () => 0,
    onFindings: (findings, position) => void done.push(`told ${findings.length} at ${position}`),
  });
  session.grew(record.end);
  while (later.length > 0) {
    done.push('others');
    later.shift()?.();
  }
  expect(heard).toBe(text);
  expect(done.filter((what) => what === 'heard')).toHaveLength(pieces.length);
  expect(done.slice(0, 3)).toEqual(['others', 'heard', 'others']);
  expect(done.slice(done.lastIndexOf('heard') + 1)).toContain(`told ${pieces.length} at ${record.end}`);
  expect(done.filter((what) => what.startsWith('told'))).toHaveLength(1);
});

test('reads slow output in small pieces, so that other sessions wait for one piece only', () => {
  let now = 0;
  const sizes: number[] = [];
  const record = createRecorder()(out('abcdefgh'.repeat(512)));
  const push = (piece: JournalRecord) => {
    if (piece.kind !== 'out') return [];
    sizes.push(piece.bytes.length);
    now += piece.bytes.length; // a millisecond for each byte
    return [];
  };
  const later: (() => void)[] = [];
  const session = new SessionReader({
    ...portsOf([record]),
    hearing: { push, wantsTick: () => null } as never,
    keeper: { take: () => {} } as never,
    scheduler: new ReadScheduler({ now: () => now, afterOthers: (next) => void later.push(next) }),
    now: () => now,
  });
  session.grew(record.end);
  while (later.length > 0) later.shift()?.();
  expect(sizes.slice(0, 3)).toEqual([512, 32, 32]);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(4096);
});

test('reads output that is known to be costly in small pieces, even after cheap output', () => {
  const sizes: number[] = [];
  const record = createRecorder();
  const records = [out('x'.repeat(16 * 1024)), out('\x1b[2J'.repeat(1024))].map((one) => record(one));
  const push = (piece: JournalRecord) => {
    if (piece.kind === 'out') sizes.push(piece.bytes.length);
    return [];
  };
  const session = new SessionReader({
    ...portsOf(records),
    hearing: { push, wantsTick: () => null } as never,
    keeper: { take: () => {} } as never,
    scheduler: new ReadScheduler({ now: () => 0, afterOthers: () => {} }),
    now: () => 0,
    cells: () => 250_000,
  });
  session.grew(records.at(-1)?.end ?? 0);
  expect(sizes.slice(-512).every((size) => size === 8)).toBe(true);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(20 * 1024);
});

test('caughtUp waits for the announced output, but not for output announced later', async () => {
  const record = createRecorder();
  const records = Array.from({ length: 3 }, () => record(out('x')));
  const ends = records.map(({ end }) => end);
  const reader = {
    ...portsOf([]).reader,
    position: 0,
    read(limit: number, onRecord: (one: JournalRecord) => unknown) {
      const one = (records[0]?.end ?? Number.POSITIVE_INFINITY) <= limit ? records.shift() : undefined;
      if (one) reader.position = one.end;
      if (one) onRecord(one);
      return { position: reader.position, damaged: [], torn: null };
    },
  };
  const steps: (() => void)[] = [];
  const scheduler = new ReadScheduler({ now: () => 0 });
  scheduler.take = (step) => void steps.push(step);
  scheduler.later = (step) => void steps.push(step);
  const session = new SessionReader({
    ...portsOf([]),
    reader,
    scheduler,
    hearing: { push: () => [], wantsTick: () => null } as never,
    keeper: { take: () => {} } as never,
  });
  session.grew(ends[0] ?? 0);
  const first = session.caughtUp();
  session.grew(ends[2] ?? 0);
  steps.shift()?.();
  await first;
  expect(reader.position).toBe(ends[0]);
});

test('pauses between the steps of costly output, unless a caller waits for it', async () => {
  const run = async (msPerByte: number, isAwaited: boolean, clockMsPerByte = msPerByte) => {
    let cpu = 0;
    let clock = 0;
    const asked: string[] = [];
    const next: (() => void)[] = [];
    const record = createRecorder();
    const records = Array.from({ length: 6 }, () => record(out('x'.repeat(4096))));
    const reader = {
      ...portsOf([]).reader,
      position: 0,
      read(_limit: number, onRecord: (one: JournalRecord) => unknown) {
        const one = records.shift();
        if (one) reader.position = one.end;
        if (one) onRecord(one);
        return { position: reader.position, damaged: [], torn: null };
      },
    };
    const scheduler = new ReadScheduler({ now: () => 0 });
    scheduler.take = (step) => step();
    const ask = (what: string, step: () => void) => {
      asked.push(what);
      next.push(step);
    };
    scheduler.later = (step) => ask('later', step);
    scheduler.slowly = (step, ms) => ask(`after ${Math.round(ms)} ms`, step);
    const session = new SessionReader({
      ...portsOf([]),
      reader,
      scheduler,
      cpuMs: () => cpu,
      now: () => clock,
      hearing: {
        push: ({ bytes = '' }: { bytes?: { length: number } | '' }) => {
          cpu += bytes.length * msPerByte;
          clock += bytes.length * clockMsPerByte;
          return [];
        },
        wantsTick: () => null,
      } as never,
      keeper: { take: () => {} } as never,
    });
    session.grew(records.at(-1)?.end ?? 0);
    const done = isAwaited ? session.caughtUp() : null;
    for (let step = next.shift(); step; step = next.shift()) step();
    await done;
    return asked;
  };
  // The clock alone does not make output costly: another process may have had the CPU.
  const rests = ['later', ...Array.from({ length: 4 }, () => 'after 82 ms')];
  const none = Array.from({ length: 5 }, () => 'later');
  expect(await run(0.02, false)).toEqual(rests);
  expect(await run(0.0001, false)).toEqual(none);
  expect(await run(0.0001, false, 0.02)).toEqual(none);
  expect(await run(0.02, true)).toEqual(none);
});
