import { describe, expect, test } from 'vitest';
import type { JournalReader, JournalRecord } from '../host/index.js';
import { createRecorder, type Happening } from './recordings/made-journal.js';
import { createRunner } from './runner.js';
import { Turns } from './turns.js';

const key: Happening = {
  ...{ kind: 'input', phase: 'keys', writeId: null, text: null, length: 1, submits: false },
};
const out = (text: string): Happening => ({ kind: 'out', bytes: Buffer.from(text) });

/** Ports of a runner that reads these records at once, and drops the findings. */
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
    ...{ hearFrom: 0, cursor: 0, turns: new Turns(), isAwaited: () => false, ticksStay: true },
    ...{ onRecord: () => {}, onFindings: () => {}, onDamage: () => {}, onTaken: () => {}, askTick: () => {} },
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
  const runner = createRunner({
    ...portsOf(records),
    // Of both only what is called of them here.
    hearing: { push: (taken: JournalRecord) => heard(taken) ?? [], wantsTick: () => null } as never,
    keeper: { take: note('kept') } as never,
    onRecord: note('shown'),
  });
  runner.grew(records.at(-1)?.end ?? 0);
  return done;
}

test('a record is on the screen when it is shown, and shown before it is heard', () => {
  expect(follow([out('a'), out('b')])).toEqual(['kept a', 'shown a', 'heard a', 'kept b', 'shown b', 'heard b']);
});

test('the echo of a key is shown before the key is heard, and all is heard in order', () => {
  const shown = ['kept input', 'shown input', 'kept k', 'shown k'];
  const heard = ['heard input', 'heard k'];
  expect(follow([key, out('k'), key])).toEqual([...shown, ...heard, 'kept input', 'shown input', 'heard input']);
});

describe('the order for ticks', () => {
  /** Orders that a program brings about: each step is a record, and the quiet that the hearing wishes for after it. */
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
    const runner = createRunner({
      ...{ reader: reader satisfies JournalReader, hearFrom: 0, cursor: 0, ticksStay },
      ...{ turns: new Turns(), isAwaited: () => true },
      // Of both only what is called of them here.
      ...{ hearing: { push: () => [], wantsTick } as never, keeper: { take: () => {} } as never },
      ...{ onRecord: () => {}, onFindings: () => {}, onDamage: () => {}, onTaken: () => {}, whenRoomy: () => null },
      askTick: (_, quietMs) => void orders.push(quietMs),
      onError: (error) => {
        throw error;
      },
    });
    for (const [happening, wish] of steps) {
      wished = wish;
      next = record(happening);
      runner.grew(next.end);
    }
    return orders;
  }
  const tick: Happening = { kind: 'tick', quietMs: 40 };

  test('is given once for the same wish, also after its ticks and while there is no wish', () => {
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

  test('is given again for another wish, and for a second tick in the same silence', () => {
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

  test('is taken back once it has brought a needless tick', () => {
    expect(
      ordersOf([
        [out('a'), 40],
        [out('b'), null],
        [tick, null],
        [out('c'), null],
      ]),
    ).toEqual([40, null]);
  });

  test('is given after every record where the host keeps none, and never taken back', () => {
    const steps = [
      [out('a'), 40],
      [out('b'), 40],
      [out('c'), null],
      [tick, null],
    ] as const;
    expect(ordersOf(steps, false)).toEqual([40, 40]);
  });
});

test('a long record is heard in pieces, between which others have their turn, and its findings are told when it is whole', () => {
  const done: string[] = [];
  const later: (() => void)[] = [];
  let now = 0;
  const turns = new Turns({ now: () => (now += 10), afterOthers: (next) => void later.push(next) });
  const text = 'abcdefgh'.repeat(2048);
  const record = createRecorder()(out(text));
  let heard = '';
  // A hearing that takes no time is given longer and longer pieces.
  const pieces = [512, 1024, 2048, 4096, 4096, 4096, 512];
  const push = (piece: JournalRecord) => {
    if (piece.kind !== 'out') return [];
    expect(piece.bytesPosition).toBe(heard.length);
    heard += Buffer.from(piece.bytes).toString();
    done.push('heard');
    return [{ kind: 'prompt', at: piece.end }];
  };
  const runner = createRunner({
    ...portsOf([record]),
    hearing: { push, wantsTick: () => null } as never,
    keeper: { take: () => {} } as never,
    turns,
    now: () => 0,
    onFindings: (findings, position) => void done.push(`told ${findings.length} at ${position}`),
  });
  runner.grew(record.end);
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

test('output that is slow to hear is heard in small pieces, so that others wait for one of them only', () => {
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
  const runner = createRunner({
    ...portsOf([record]),
    hearing: { push, wantsTick: () => null } as never,
    keeper: { take: () => {} } as never,
    turns: new Turns({ now: () => now, afterOthers: (next) => void later.push(next) }),
    now: () => now,
  });
  runner.grew(record.end);
  while (later.length > 0) later.shift()?.();
  expect(sizes.slice(0, 3)).toEqual([512, 32, 32]);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(4096);
});
