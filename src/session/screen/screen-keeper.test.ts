import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readJournal } from '../../../test/harness/read-journal.js';
import { tries } from '../../../test/harness/tries.js';
import { recordingsIn } from '../../../test/recordings.js';
import { type JournalRecord, JournalWriter, type SnapshotScreen } from '../../host/index.js';
import { Screen } from '../../terminal/index.js';
import { parseCast, parseSize } from '../recordings/cast.js';
import { createScreenKeeper, type ScreenKeeper, type ScreenKeeperOptions } from './screen-keeper.js';

const SIZE = { cols: 30, rows: 6, scrollbackLines: 20 };
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'orchd-keeper-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

type Part = string | Buffer | { readonly cols: number; readonly rows: number };

/** A journal on disk: output, and sizes. */
function journal(parts: readonly Part[]): { dir: string; records: JournalRecord[] } {
  const dir = mkdtempSync(join(folder, 'j'));
  const writer = new JournalWriter({ directory: dir });
  for (const part of parts) {
    const isOut = typeof part === 'string' || Buffer.isBuffer(part);
    writer.append(isOut ? { kind: 'out', bytes: Buffer.from(part as string) } : { kind: 'resize', ...part });
  }
  writer.close();
  return { dir, records: [...readJournal(folder, dir.slice(folder.length + 1))] };
}

const keep = (dir: string, options: Partial<ScreenKeeperOptions> = {}): ScreenKeeper =>
  createScreenKeeper({ dir, ...SIZE, ...options });

const look = (screen: Screen) => ({
  rows: screen.look({ from: -SIZE.scrollbackLines, ansi: true }),
  cursor: screen.cursor,
  size: [screen.cols, screen.rows],
  title: screen.title,
  modes: [screen.isAlternate, screen.hasBracketedPaste, screen.hasApplicationCursor],
});

/** The screen of a terminal that receives every byte. */
function full(records: readonly JournalRecord[], size = SIZE): Screen {
  const screen = new Screen(size);
  for (const record of records) {
    if (record.kind === 'resize') screen.resize(record.cols, record.rows);
    if (record.kind === 'out') screen.feed(record.bytes);
  }
  return screen;
}

const LINES = [
  'some text',
  'ä漢字🙂',
  'e\u0301',
  '\t',
  '\r\n',
  '\r\n',
  '\r\n',
  '\n',
  '\r',
  '\b\b',
  '\x07',
  'x'.repeat(70),
  '\r\nline\r\nline\r\n',
  '\x1b[31m',
  '\x1b[0m',
  '\x1b[m',
  '\x1b[1;4m',
  '\x1b[22;48;5;17m',
  '\x1b[38;2;1;2;3m',
  '\x1b[39;49m',
  '\x1b[4:3m',
  '\x1b[27;7m',
  '\x1b[K',
  '\x1b[1K',
  '\x1b[2K',
  '\x1b[5G',
  '\x1b[3C',
  '\x1b[2D',
  '\x1b[2P',
  '\x1b[2@',
  '\x1b[3X',
  '\x1b(B',
  '\x1b]0;a title\x07',
  '\x1b]2;ti漢\x1b\\',
  '\x1b]133;A\x07',
  '\x1b]7;file:///x\x07',
  '\x1b]8;;http://x\x07',
  '\x1b]8;;\x07',
  '\x1b[?25l',
  '\x1b[?25h',
  '\x1b[?2004h',
  '\x1b[?2004l',
  '\x1b[?1h\x1b=',
  '\x1b[?1l\x1b>',
  '\x1b[?2026h',
  '\x1b[?2026l',
];
const PAINTED = [
  '\x1b[2J',
  '\x1b[H',
  '\x1b[3;5H',
  '\x1b[A',
  '\x1b[2B',
  '\x1b[?1049h',
  '\x1b[?1049l',
  '\x1b[2;4r',
  '\x1b[r',
  '\x1bM',
  '\x1bD',
  '\x1b[4h',
  '\x1b[4l',
  '\x1b[?7l',
  '\x1b[?7h',
  '\x1b[?45h',
  '\x1b[?45l',
  '\x1b[?6h',
  '\x1b[?6l',
  '\x1b7',
  '\x1b8',
  '\x1bc',
  '\x1b[!p',
  '\x1b(0',
  '\x0e',
  '\x0f',
  '\x1bH',
  '\x1b[3g',
  '\x1b[3J',
  '\x1b[2L',
  '\x1b[M',
  '\x1b[S',
  '\x1b[T',
  '\x1b[3b',
  '\x1b[1;99;3m',
  '\u009b31m',
  '\u0085',
  '\u009c',
  '\x1b[6n',
  '\x1b[c',
  '\x1b]11;?\x07',
  '\x1bP$qm\x1b\\',
  '\x1b_Gx\x1b\\',
  '\x1b]0;ti\ntle\x07',
  '\x1b[3\n1m',
  '\x1b',
  '\x1b[',
  '\x1b]0;',
  '\x1b\x1b',
  '\x18',
  '\xc2',
  '\x1b[38;5m',
  '\x1b[?1049;2004h',
  '\x1b[1 q',
  '\x1b[22;0;0t',
  '\x1bP',
  '\x1b#8',
];

const lines = fc.array(fc.constantFrom(...LINES), { minLength: 20, maxLength: 150 });
const mixed = fc.array(
  fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...LINES) }, { weight: 1, arbitrary: fc.constantFrom(...PAINTED) }),
  { maxLength: 150 },
);
const size = fc.record({ cols: fc.integer({ min: 10, max: 50 }), rows: fc.integer({ min: 2, max: 12 }) });
/** Output in stretches, with a resize between them. */
const session = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: lines },
    { weight: 3, arbitrary: mixed },
    { weight: 1, arbitrary: size.map((one) => [one]) },
  ),
  { maxLength: 6 },
);

/** Cuts the output at any byte, also within characters. */
function cut(
  stretches: readonly (readonly (string | { cols: number; rows: number })[])[],
  sizes: readonly number[],
): Part[] {
  const parts: Part[] = [];
  let turn = 0;
  for (const stretch of stretches) {
    const [first] = stretch;
    if (typeof first === 'object') parts.push(first);
    else {
      const bytes = Buffer.from(stretch.join(''));
      for (let at = 0; at < bytes.length; ) {
        const end = at + (sizes[turn++ % sizes.length] ?? 1);
        parts.push(bytes.subarray(at, end));
        at = end;
      }
    }
  }
  return parts;
}

const cuts = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 8 });

test('the screen equals that of a terminal that gets every byte, however output is split', async () => {
  await fc.assert(
    fc.asyncProperty(
      session,
      cuts,
      fc.array(fc.nat(4), { minLength: 1 }),
      fc.constantFrom(200, 1000, 100_000),
      async (stretches, sizes, acts, behindBytes) => {
        const { dir, records } = journal(cut(stretches, sizes));
        const keeper = keep(dir, { behindBytes });
        const reference = new Screen(SIZE);
        for (const [at, record] of records.entries()) {
          keeper.take(record);
          if (record.kind === 'resize') reference.resize(record.cols, record.rows);
          if (record.kind === 'out') reference.feed(record.bytes);
          expect([keeper.hasBracketedPaste, keeper.hasApplicationCursor]).toEqual([
            reference.hasBracketedPaste,
            reference.hasApplicationCursor,
          ]);
          const act = acts[at % acts.length];
          if (act === 1) expect(look(keeper.screen)).toEqual(look(reference));
          if (act === 2) await keeper.park();
          if (act === 3) keeper.afterwards(() => expect(look(keeper.screen)).toEqual(look(reference)));
          if (act === 4) keeper.catchUp(() => true); // a part of it
        }
        expect(look(keeper.screen)).toEqual(look(reference));
        keeper.dispose();
        reference.dispose();
      },
    ),
    tries(60),
  );
});

test('a combining accent stays on its letter, even if the terminal was parked in between', async () => {
  const { dir, records } = journal(['x'.repeat(40), 'e', '\u0301', '\x1b[0m', 'a', '\u0308', 'z']);
  const keeper = keep(dir, { behindBytes: 2 });
  for (const record of records) {
    keeper.take(record);
    expect(await keeper.park()).toBe(true); // and written down: so much it is behind
  }
  expect(look(keeper.screen)).toEqual(look(full(records)));
  expect(keeper.screen.look({})[1]).toBe(`${'x'.repeat(10)}e\u0301a\u0308z`);
});

test('a screen that is used while it is parked in slices stays, and is parked later', async () => {
  const { dir, records } = journal([...Array.from({ length: 40 }, (_, n) => `line ${n}\r\n`), '\x1b[2J\x1b[5;5Htext']);
  let time = 0;
  const keeper = keep(dir, { behindBytes: 2, scrollbackLines: 50, now: () => (time += 3) });
  for (const record of records) keeper.take(record);
  const { screen } = keeper;
  const parking = keeper.park();
  expect(keeper.screen).toBe(screen);
  expect(await parking).toBe(false);
  expect(keeper.screen).toBe(screen);
  expect(await keeper.park()).toBe(true);
  expect(keeper.screen).not.toBe(screen);
  expect(look(keeper.screen)).toEqual(look(full(records, { ...SIZE, scrollbackLines: 50 })));
  keeper.dispose();
});

test('a screen that is saved repeatedly is restored unchanged after a crash', () => {
  fc.assert(
    fc.property(session, cuts, (stretches, sizes) => {
      const { dir, records } = journal(cut(stretches, sizes));
      const living = keep(dir, { rebaseBytes: 300, behindBytes: 100_000 });
      for (const record of records) living.take(record);
      const found = keep(dir);
      expect(found.position).toBeLessThanOrEqual(living.position);
      for (const record of records) found.take(record);
      expect(look(found.screen)).toEqual(look(living.screen));
      living.dispose();
      found.dispose();
    }),
    tries(30),
  );
});

/** The output and the sizes in a recording, without its inputs. */
function partsOf(text: string): { size: { cols: number; rows: number }; parts: Part[] } {
  const reading = parseCast(text);
  if (!reading.ok) throw new Error('no recording');
  const { cols, rows, events } = reading.cast;
  const parts = events.flatMap(({ kind, data }): Part[] => {
    const size = kind === 'r' ? parseSize(data) : null;
    return size ? [size] : kind === 'o' ? [data] : [];
  });
  return { size: { cols, rows }, parts };
}

const recordings = recordingsIn(join(import.meta.dirname, '../../../fixtures/screen'));

test.each(recordings)(
  'the screen of $name equals that of a terminal that gets every byte, even if it is parked',
  async ({ text }) => {
    const { size, parts } = partsOf(text());
    const { dir, records } = journal(parts);
    const options = { ...SIZE, ...size, scrollbackLines: 300 };
    const keeper = keep(dir, { ...options, behindBytes: 10_000 });
    const reference = new Screen(options);
    for (const [at, record] of records.entries()) {
      keeper.take(record);
      if (record.kind === 'resize') reference.resize(record.cols, record.rows);
      if (record.kind === 'out') reference.feed(record.bytes);
      const every = Math.ceil(records.length / 3);
      if (at % every === every - 1) {
        await keeper.park();
        expect(look(keeper.screen)).toEqual(look(reference));
      }
    }
    expect(look(keeper.screen)).toEqual(look(reference));
    keeper.dispose();
    reference.dispose();
  },
);

test('never reads lines again that can no longer be seen', () => {
  const line = (n: number) => `line ${String(n).padStart(4)}\r\n`;
  const text = Array.from({ length: 1000 }, (_, n) => line(n));
  const { dir, records } = journal(text);
  const keeper = keep(dir);
  for (const record of records) keeper.take(record);
  const others = journal(text.map((own, n) => (n < 850 ? 'x'.repeat(own.length) : own)));
  for (const file of readdirSync(dir)) copyFileSync(join(others.dir, file), join(dir, file));
  expect(look(keeper.screen)).toEqual(look(full(records)));
});

test('shows output after a look without reading the journal again', () => {
  const { dir, records } = journal(['$ ', 'l', 's', '\x1b[K', '\r\n']);
  const others = journal(['$ ', 'X', 'Y', '\x1b[J', '\n\n']);
  const keeper = keep(dir);
  records.forEach((record, at) => {
    keeper.take(record);
    keeper.afterwards(() => {});
    if (at === 0) for (const file of readdirSync(dir)) copyFileSync(join(others.dir, file), join(dir, file));
  });
  expect(look(keeper.screen)).toEqual(look(full(records)));
});

test('continues from its snapshot after a restart', () => {
  const { dir, records } = journal(['one\r\n', 'two\r\n', { cols: 25, rows: 6 }, 'three\r\n', '\x1b[31mfour']);
  const first = keep(dir, { behindBytes: 4 });
  for (const record of records.slice(0, 3)) first.take(record);
  first.save();
  const second = keep(dir);
  expect(second.position).toBe(records[2]?.end);
  for (const keeper of [first, second]) for (const record of records) keeper.take(record);
  expect(look(second.screen)).toEqual(look(first.screen));
  expect(look(second.screen).rows.join()).toContain('one');
});

test('still shows the screen if its snapshot file cannot be written', async () => {
  const { dir, records } = journal(['\x1b[2Jone', '\x1b[Htwo', '\x1b[5;1Hthree']);
  const keeper = keep(dir, { rebaseBytes: 1, behindBytes: 1 });
  mkdirSync(join(dir, 'screen.json', 'in the way'), { recursive: true });
  for (const record of records) keeper.take(record);
  expect(await keeper.park()).toBe(false);
  expect(look(keeper.screen)).toEqual(look(full(records)));
});

test('gives each query a position of its own, and the same one when it is read again', () => {
  const { dir, records } = journal(['\x1b[c and \x1b[6n', '\x1b]11;?\x07']);
  const run = () => {
    const asked: number[] = [];
    const keeper = keep(dir, { onReply: (query) => asked.push(query) });
    for (const record of records) keeper.take(record);
    return asked;
  };
  const asked = run();
  expect(asked).toEqual([16, 17, (records[1]?.position ?? 0) + 16]);
  expect(run()).toEqual(asked);
});

test('answers fixed queries without emulating the screen', () => {
  const { dir, records } = journal(['\x1b[2J', 'text', '\x1b[c\x1b]11;?\x07', 'more', '\x1b[6n']);
  const replies: [number, string][] = [];
  const keeper = keep(dir, { onReply: (query, text) => replies.push([query, text]) });
  for (const record of records.slice(0, 4)) keeper.take(record);
  const asked = (records[2]?.position ?? 0) + 16;
  expect(replies).toEqual([
    [asked, '\x1b[?1;2c'],
    [asked + 1, '\x1b]11;rgb:1010/1010/1010\x1b\\'],
  ]);
  for (const record of records.slice(4)) keeper.take(record);
  expect(replies.slice(2).map(([, text]) => text)).toEqual(['\x1b[1;9R']);
  expect(look(keeper.screen)).toEqual(look(full(records)));
});

test('answers queries of modes and sizes without emulating the screen, even after painting', () => {
  const replies: string[] = [];
  const painted = ['\x1b[?1049h\x1b[5;5Htext\x1b[?1006h', { cols: 40, rows: 10 }, '\x1b[?1006$p\x1b[?2026$p\x1b[18t'];
  const { dir, records } = journal(painted);
  const keeper = keep(dir, { onReply: (_, text) => replies.push(text) });
  rmSync(dir, { recursive: true }); // a terminal would have nothing to read
  for (const record of records) keeper.take(record);
  keeper.dispose();
  expect(replies).toEqual(['\x1b[?1006;1$y', '\x1b[?2026;2$y', '\x1b[8;10;40t']);
});

test('answers a query of an earlier mode from the screen after a restart', () => {
  const { dir, records } = journal(['\x1b[?1006h\x1b[2J', '\x1b[?1006$p']);
  const before = keep(dir, { rebaseBytes: 1 });
  before.take(records[0] as JournalRecord); // the journal has two records
  before.save();
  before.catchUp(() => false);
  before.dispose();
  const replies: string[] = [];
  const keeper = keep(dir, { onReply: (_, text) => replies.push(text) });
  expect(keeper.position).toBeGreaterThan(0);
  for (const record of records) keeper.take(record);
  void keeper.screen;
  keeper.dispose();
  expect(replies).toEqual(['\x1b[?1006;1$y']);
});

test('answers a query once, and never again when the screen is rebuilt', async () => {
  const { dir, records } = journal(['text\r\n', '\x1b[2J\x1b[6n', 'more', '\x1b[c']);
  const replies: string[] = [];
  const keeper = keep(dir, { onReply: (_, text) => replies.push(text) });
  const counts: number[] = [];
  for (const record of records) {
    keeper.take(record);
    expect(await keeper.park()).toBe(true);
    counts.push(replies.length);
  }
  expect(counts).toEqual([0, 1, 1, 2]);
  expect(look(keeper.screen)).toEqual(look(full(records)));
  expect(replies).toEqual(['\x1b[2;1R', '\x1b[?1;2c']);
});

/** Few bytes that touch every cell of the screen, again and again; with text between, and queries. */
const COSTLY = '\x1bc\x1b[2Jtext\x1b[?1049h\x1b[?1049lä漢\x1b[3;5H\x1b#8\x1b[6n'.repeat(100);
const LARGE = { cols: 200, rows: 100, scrollbackLines: 20 };

test('emulates costly output in slices, with the same screen and replies', () => {
  const { dir, records } = journal([COSTLY, `${COSTLY}\x1b[5`, `mend\x1b[6n${COSTLY}`, 'the end']);
  const run = (slice: (keeper: ScreenKeeper) => void) => {
    const replies: [number, string][] = [];
    const keeper = keep(dir, { ...LARGE, onReply: (query, text) => replies.push([query, text]) });
    for (const record of records) {
      keeper.take(record);
      slice(keeper);
    }
    const seen = { screen: look(keeper.screen), replies };
    keeper.dispose();
    return seen;
  };
  const whole = run(() => {});
  let slices = 0;
  const sliced = run((keeper) => {
    for (; keeper.isBehind; slices++) keeper.catchUp(() => true);
  });
  expect(slices).toBeGreaterThan(50);
  expect(sliced).toEqual(whole);
  expect(whole.screen).toEqual(look(full(records, LARGE)));
});

test('emulates output in slices that looks cheap but was slow', () => {
  const cheap = '\x1b[Hé\u0301 \x1b[9;9H.'.repeat(600);
  const { dir, records } = journal(Array.from({ length: 9 }, () => cheap));
  const behindOf = (msPerLook: number) => {
    let ms = 0;
    const now = () => (ms += msPerLook);
    const keeper = keep(dir, { ...LARGE, now, behindBytes: 20_000 });
    const behind: boolean[] = [];
    for (const record of records) {
      keeper.take(record);
      behind.push(keeper.isBehind);
      while (keeper.isBehind) keeper.catchUp(() => true);
    }
    expect(look(keeper.screen)).toEqual(look(full(records, LARGE)));
    keeper.dispose();
    return behind.includes(true);
  };
  // Checks the lag between two reads of the clock.
  expect([behindOf(0.001), behindOf(20)]).toEqual([false, true]);
});

test('writes a screen down and restores it in slices', () => {
  const long = { ...LARGE, scrollbackLines: 500 };
  const { dir, records } = journal(
    Array.from({ length: 900 }, (_, y) => `\x1b[100H\n\x1b[3${y % 8}mrow ${y} ${'x'.repeat(90)}`),
  );
  const slicesOf = (keeper: ScreenKeeper): number => {
    let slices = 0;
    do {
      keeper.catchUp(() => true);
      slices++;
    } while (keeper.isBehind);
    return slices;
  };
  const keeper = keep(dir, { ...long, rebaseBytes: 50_000 });
  for (const record of records) {
    keeper.take(record);
    if (keeper.isBehind) expect(slicesOf(keeper)).toBeGreaterThan(1);
  }
  keeper.dispose();
  const again = keep(dir, long);
  expect(again.position).toBeGreaterThan(50_000);
  expect(slicesOf(again)).toBeGreaterThan(9);
  for (const record of records) again.take(record);
  expect(again.screen.look({ from: -500, ansi: true })).toEqual(full(records, long).look({ from: -500, ansi: true }));
  again.dispose();
});

test('modes that a program sets around each frame do not make its screen lag', () => {
  const frame = '\x1b[?2026h\x1b[?25l\x1b[Hwords\x1b[K\x1b[?25h\x1b[?2026l';
  const { dir, records } = journal([frame.repeat(1_000), 'the end']);
  const keeper = keep(dir, LARGE);
  for (const record of records) {
    keeper.take(record);
    expect(keeper.isBehind).toBe(false);
  }
  expect(look(keeper.screen)).toEqual(look(full(records, LARGE)));
  keeper.dispose();
});

test('settled waits until the screen has little output left to emulate', async () => {
  const { dir, records } = journal([COSTLY, 'the end']);
  const keeper = keep(dir, LARGE);
  for (const record of records.slice(0, 1)) keeper.take(record);
  expect(keeper.isBehind).toBe(true);
  await keeper.settled();
  expect(keeper.isBehind).toBe(false);
  for (const record of records.slice(1)) keeper.take(record);
  expect(look(keeper.screen)).toEqual(look(full(records, LARGE)));
});

test('emulates what a checkpoint needs in parts, before it is made', () => {
  const lines = Array.from({ length: 4000 }, (_, n) => `line ${n}\x1b[2A\r\n\r\n\r\n`);
  const { dir, records } = journal([lines.join('')]);
  const keeper = keep(dir);
  for (const record of records) keeper.take(record);
  expect(keeper.prepare()).toBe(false);
  let parts = 0;
  for (; keeper.isBehind; parts++) keeper.catchUp(() => true);
  expect(parts).toBeGreaterThan(3);
  expect(keeper.prepare()).toBe(true);
  const { snapshot, ...size } = keeper.checkpoint() as SnapshotScreen;
  const [again, screen] = [new Screen({ ...SIZE, ...size, snapshot }), full(records)];
  expect(look(again)).toEqual(look(screen));
  for (const one of [again, screen, keeper]) one.dispose();
});

test('keeps no lines of a snapshot that all have left the screen', () => {
  const lines = (from: number): string => Array.from({ length: 100 }, (_, n) => `line ${from + n}\r\n`).join('');
  const { dir, records } = journal(['\x1b[?2004h\x1b]0;the title\x07', lines(0), ...[100, 200, 300].map(lines)]);
  const keeper = keep(dir, { rebaseBytes: 1000 });
  const saved = (): string => JSON.parse(readFileSync(join(dir, 'screen.json'), 'utf8')).snapshot;
  for (const record of records.slice(0, 2)) keeper.take(record);
  expect(keeper.checkpoint()).not.toBeNull();
  expect(saved()).toContain('line 75');
  for (const record of records.slice(2)) keeper.take(record);
  expect(saved()).not.toContain('line 75');
  const screen = full(records);
  expect(look(keeper.screen)).toEqual(look(screen));
  const again = keep(dir, { rebaseBytes: 1000 });
  for (const record of records) again.take(record);
  expect(look(again.screen)).toEqual(look(screen));
  for (const one of [again, screen, keeper]) one.dispose();
});
