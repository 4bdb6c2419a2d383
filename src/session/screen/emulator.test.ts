/**
 * Tests that the emulator is read at places that depend only on the output: however it is cut, each look is at the same
 * place and returns the same.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../../../test/harness/tries.js';
import { RowReader } from '../rows/row-reader.js';
import type { RowSink } from '../rows/row-sink.js';
import { Emulator } from './emulator.js';
import { LookPacer, type LookPoint } from './look-pacer.js';

const COLS = 20;
const ROWS = 5;

const nothing = (): void => {};
const NO_SINK: RowSink = {
  now: () => 0,
  openRows: () => null,
  skipped: nothing,
  plainRow: nothing,
  passes: () => false,
  row: nothing,
  mark: nothing,
  reprinting: nothing,
  isWatching: false,
  repaints: () => false,
  rowOver: () => {},
  printed: nothing,
  moved: nothing,
  rang: nothing,
  notified: nothing,
  titled: nothing,
  fed: nothing,
  pacer: null,
};

const piece = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'text',
      'é',
      '日本',
      '🚀',
      '\r',
      '\n',
      '\r\n',
      '\b',
      '\x1b[H',
      '\x1b[3;5H',
      '\x1b[2A',
      '\x1b[K',
      '\x1b[2K',
      '\x1b[J',
      '\x1b[2J',
      '\x1b[3J',
      '\x1b[2;4r',
      '\x1bM',
      '\x1b7',
      '\x1b8',
      '\x1bc',
      '\x1b[m',
      '\x1b[?25l',
      '\x1b[u',
      '\x1b[;5u',
      '\x1b[?1049h',
      '\x1b[?1049l',
      '\x1b]0;title\x07',
      '\x1b]0;',
      '\x1b\\',
      '\x1bPq',
      '\x1b[',
      '\x18',
      '\0',
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '\x1b[?2026h',
      '\x1b[?2026l',
      '\x1b[\0?2026l',
      '\x1b\0[?2026l',
      '\x1b[\x7f?2026l',
      '\u009b?2026l',
      '\u009b?2026h',
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom('x', 'é', '\r', '\x1b[m'), fc.nat(9000)).map(([a, n]) => a.repeat(n)),
  },
);
const output = fc.oneof(
  { weight: 9, arbitrary: fc.array(piece, { maxLength: 40 }).map((pieces) => Buffer.from(pieces.join(''))) },
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);
/** Found by a search with random output. */
const EXAMPLES: [Buffer, number[]][] = [
  [Buffer.from(`${'é'.repeat(8193)}\x1b[2K`), [1]],
  [Buffer.from('text\x1b[H'), [1]],
  [Buffer.from(`\x1b[?1049h\x1b[H${'x'.repeat(COLS * (ROWS + 2))}`), [1]],
];

/** Each record has this many bytes, and all of its output has the record's time. */
const RECORD_BYTES = 64;
const RECORD_MS = 6;

function looksAt(bytes: Buffer, sizes: readonly number[]): unknown[] {
  const looks: unknown[] = [];
  const emulator = new Emulator({ cols: COLS, rows: ROWS, onTitle: (title) => looks.push(title) });
  let [shown, from] = [0, 0];
  let piece: Uint8Array = bytes;
  const show = (to: number): void => {
    if (to > shown) emulator.feed(piece.subarray(shown - from, to - from));
    shown = Math.max(shown, to);
  };
  const look = ({ at, isFramed }: LookPoint): number => looks.push(emulator.look(at, isFramed));
  const now = (): number => Math.floor(from / RECORD_BYTES) * RECORD_MS;
  const ear = { isExpecting: false, mayBeHalfPainted: false };
  const pacer = new LookPacer({ screen: emulator, ear, show, look, now });
  const reader = new RowReader({ ...NO_SINK, pacer });
  reader.resize(COLS);
  for (let cut = 0; from < bytes.length; cut++) {
    const end = (Math.floor(from / RECORD_BYTES) + 1) * RECORD_BYTES;
    piece = bytes.subarray(from, Math.min(end, from + (sizes[cut % sizes.length] ?? 1)));
    pacer.begin(from, piece.length);
    reader.push(piece, from);
    if (from + piece.length > shown) emulator.feed(piece.subarray(shown - from));
    from += piece.length;
    shown = from;
  }
  pacer.rest(bytes.length);
  looks.push(reader.state());
  emulator.dispose();
  return looks;
}

it('reads the same at the same positions, however the output is split', () => {
  fc.assert(
    fc.property(output, fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 }), (bytes, sizes) => {
      expect(looksAt(bytes, sizes)).toEqual(looksAt(bytes, [bytes.length]));
    }),
    { ...tries(50), examples: EXAMPLES },
  );
});

/** A text of this many characters, which the terminal wraps over several rows. */
const longText = fc
  .tuple(fc.constantFrom('ab', 'cd日', 'ef'), fc.integer({ min: COLS, max: COLS * (ROWS + 2) }))
  .map(([text, length]) => text.repeat(length).slice(0, length));

it('reads a screen at many looks as at a single one', () => {
  const screenAfter = (pieces: readonly string[], isLookedAt: boolean): unknown => {
    const emulator = new Emulator({ cols: COLS, rows: ROWS, onTitle: nothing, hasPanes: () => false });
    for (const text of pieces) {
      emulator.feed(Buffer.from(text));
      if (isLookedAt) emulator.look(0);
    }
    const view = emulator.view().rows.map(({ text }) => text);
    const { rows } = emulator.look(0);
    emulator.dispose();
    return { view, rows: rows.slice(-ROWS) };
  };
  const sequence = fc.constantFrom(
    '\x1b[1;1H',
    '\x1b[1J',
    '\x1b[?J',
    '\x1b[2L',
    '\x1b[3M',
    '\x1b[S',
    '\x1b[T',
    '\x1b[9b',
  );
  const pieces = fc.array(fc.oneof(piece, longText, sequence), { maxLength: 30 });
  fc.assert(
    fc.property(pieces, (all) => {
      expect(screenAfter(all, true)).toEqual(screenAfter(all, false));
    }),
    { ...tries(100), examples: [[['\x1b[H', 'a'.repeat(4 * COLS), '\x1b[H', 'b'.repeat(4 * COLS)]]] },
  );
});

it('gives up an endless synchronized update at the same position, however the output is split', () => {
  const endless = Buffer.from(`\x1b[?2026h${'\x1b[5;3Htext'.repeat(60_000)}`);
  expect(looksAt(endless, [4093])).toEqual(looksAt(endless, [endless.length]));
});

const FRAME = (text: string): string => `\x1b[?2026h\x1b[2;1H\x1b[K${text}\x1b[?2026l`;

describe('a look', () => {
  /** Feeds frames with their times, and returns the times at which the screen is read. */
  function timesOf(
    frames: readonly (readonly [ms: number, text: string])[],
    { mayBeHalfPainted = true, needsRest = false, isExpecting = true } = {},
  ): number[] {
    const emulator = new Emulator({ cols: COLS, rows: ROWS, onTitle: () => {} });
    const looks: number[] = [];
    let [ms, shown, at] = [0, 0, 0];
    let bytes: Uint8Array = Buffer.alloc(0);
    const show = (to: number): void => {
      if (to > shown) emulator.feed(bytes.subarray(shown - at, to - at));
      shown = Math.max(shown, to);
    };
    const look = (place: LookPoint): void => {
      emulator.look(place.at, place.isFramed);
      looks.push(ms);
    };
    const ear = { isExpecting, mayBeHalfPainted, needsRest };
    const pacer = new LookPacer({ screen: emulator, ear, show, look, now: () => ms });
    const reader = new RowReader({ ...NO_SINK, pacer });
    reader.resize(COLS);
    for (const [time, text] of frames) {
      ms = time;
      bytes = Buffer.from(text);
      pacer.begin(at, bytes.length);
      reader.push(bytes, at);
      show(at + bytes.length);
      at += bytes.length;
    }
    emulator.dispose();
    return looks;
  }
  const BEGIN = [100, `\x1b[?1049h${FRAME('one')}`] as const;

  it('follows each frame after a pause if the last one may have been partly painted', () => {
    expect(
      timesOf([BEGIN, [110, FRAME('two')], [117, FRAME('three')], [125, FRAME('four')], [140, FRAME('five')]]),
    ).toEqual([100, 117, 140]);
  });

  describe('at text that may begin or end a message', () => {
    const MESSAGE = [BEGIN, [101, FRAME('{"a": 1')], [102, FRAME('"a": 1')], [103, FRAME('"a": 1}')]] as const;

    it('comes once in 16 ms', () => {
      expect(timesOf(MESSAGE)).toEqual([100]);
      expect(timesOf([...MESSAGE, [116, FRAME('two')]])).toEqual([100, 116]);
    });

    it('comes at each picture of a program without an adapter', () => {
      expect(timesOf(MESSAGE, { needsRest: true })).toEqual([100, 101, 103]);
    });

    it('comes after a pause, in a program without an adapter, but not for text in which no message can begin', () => {
      const program = { mayBeHalfPainted: false, needsRest: true, isExpecting: false };
      const paint = (text: string): string => `\x1b[3;1H${text}`;
      const spinner = [BEGIN, [200, paint('a')], [300, paint('b')], [400, paint('c')]] as const;
      expect(timesOf(spinner, program)).toEqual([100]);
      expect(timesOf([...spinner, [500, paint('{"a": 1}')], [600, paint('d')]], program)).toEqual([100, 600]);
    });

    it.each([
      ['cleared', '\x1b[2J'],
      ['moved', '\x1b[2;9r'],
    ])('comes before the text is %s', (_, sequence) => {
      expect(timesOf([...MESSAGE, [104, sequence]])).toEqual([100, 104]);
    });
  });

  it('waits for more output if the picture is complete, even while a message grows', () => {
    expect(
      timesOf([BEGIN, [200, FRAME('two')], [300, FRAME('x'.repeat(2100))], [400, FRAME('four')]], {
        mayBeHalfPainted: false,
      }),
    ).toEqual([100, 300]);
  });
});

it('a repainted row does not continue the row above, even if that one was wrapped before', () => {
  const emulator = new Emulator({ cols: COLS, rows: ROWS, onTitle: nothing });
  const softRows = (text: string): readonly boolean[] => {
    emulator.feed(Buffer.from(text));
    return emulator.look(0).rows.map(({ isSoft, goesOn }) => isSoft && goesOn !== undefined);
  };
  expect(softRows('a text that is longer than a row')).toEqual([false, true, false, false, false]);
  expect(softRows('\x1b[1;1Hanother text, longer')).toEqual([false, true, false, false, false]);
  const paint = (first: string): string => `\x1b[1;1H${first.padEnd(COLS - 1)}█\x1b[2;1H${'two'.padEnd(COLS - 1)}█`;
  expect(softRows(paint('one'))).toEqual([false, false, false, false, false]);
  expect(softRows(paint('one').replaceAll('█', ' '))).toEqual([false, false, false, false, false]);
  emulator.dispose();
});
