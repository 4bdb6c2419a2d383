/**
 * What is not drawn is drawn as if it had been there all the time: terminals that are given every byte at once, and those that are given
 * them through `Undrawn`, are the same machine.
 */
import unicodeModule from '@xterm/addon-unicode11';
import headless from '@xterm/headless';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tries } from '../../test/harness/tries.js';
import { correct } from './corrections.js';
import { isSameState } from './same-state.js';
import type { StrokeSink } from './strokes.js';
import { Undrawn } from './undrawn.js';
import { type Core, coreOf, Writer } from './xterm-core.js';

/** Of each property. */
const RUNS = tries(300);
const [COLS, ROWS] = [20, 5];

function open(): Core {
  const terminal = new headless.Terminal({
    cols: COLS,
    rows: ROWS,
    scrollback: 20,
    allowProposedApi: true,
    logLevel: 'off',
  });
  terminal.loadAddon(new unicodeModule.Unicode11Addon());
  terminal.unicode.activeVersion = '11';
  correct(terminal);
  return coreOf(terminal);
}

/** What is no stroke goes to the terminal, up to the next place. */
class Painted {
  readonly core = open();
  readonly #writer = new Writer(this.core);
  readonly undrawn: Undrawn;
  taken = 0;
  left = 0;

  constructor(sink?: (painted: Painted) => StrokeSink) {
    this.undrawn = new Undrawn({ core: this.core, ...(sink && { sink: sink(this) }) });
  }

  feed(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      if (!this.undrawn.isActive && !(this.#writer.isBetween && bytes[at] === 0x1b && this.undrawn.begin())) {
        const next = bytes.indexOf(0x1b, at + 1);
        this.#writer.write(bytes.subarray(at, next < 0 ? bytes.length : next));
        at = next < 0 ? bytes.length : next;
        continue;
      }
      const { end, isOdd } = this.undrawn.take(bytes, at, bytes.length);
      this.taken += end - at;
      at = end;
      if (!isOdd) return;
      this.left++;
      this.#writer.write(this.undrawn.leave(end));
      const next = bytes.indexOf(0x1b, end + 1);
      this.#writer.write(bytes.subarray(end, next < 0 ? bytes.length : next));
      at = next < 0 ? bytes.length : next;
    }
  }

  finish(): Core {
    if (this.undrawn.isActive) this.#writer.write(this.undrawn.leave());
    return this.core;
  }
}

const row = fc.integer({ min: 0, max: ROWS + 1 });
const column = fc.integer({ min: 0, max: COLS + 2 });
const place = fc.tuple(row, column).map(([y, x]) => `\x1b[${y};${x}H`);
const text = fc
  .array(fc.constantFrom('a', 'word', '漢', '字', '●', '⠋', '🙂', 'é', ' ', '\u00a0', '─'), { maxLength: 8 })
  .map((all) => all.join(''));
const colour = fc.constantFrom(
  '\x1b[31m',
  '\x1b[1;44m',
  '\x1b[0m',
  '\x1b[m',
  '\x1b[38;5;200m',
  '\x1b[4m',
  '\x1b[7m',
  '\x1b[22;39m',
);
const inRow = fc.constantFrom(
  '\x1b[K',
  '\x1b[0K',
  '\x1b[2K',
  '\x1b[5G',
  '\x1b[3C',
  '\x1b[2X',
  '\x1b[30X',
  '\x1b(B',
  '\x1b[3d',
);
const mode = fc.constantFrom('\x1b[?25l', '\x1b[?25h', '\x1b[?2026h', '\x1b[?2026l');
const odd = fc.constantFrom(
  ...[
    '\r\n',
    '\n',
    '\x1b[A',
    '\x1b[2J',
    '\x1b[1K',
    '\x1b[?6h',
    '\x1b[?6l',
    '\x1b[2;4r',
    '\x1b[4h',
    '\x1b[4l',
    '\x1b(0',
    '\x1b(B',
  ],
  ...[
    'e\u0301',
    '❤️',
    'x'.repeat(COLS + 3),
    '\x1b[?1049h',
    '\x1b[?1049l',
    '\x1b7',
    '\x1b8',
    '\x1bM',
    '\x1b[2P',
    '\x1b[1;1;1H',
  ],
  ...[
    '\x1b[2b',
    '\x1b[4:3m',
    '\x1b]0;t\x07',
    '\x1b[?7l',
    '\x1b[?7h',
    '\x1b]8;;http://x\x07',
    '\x1b[38;5m',
    '\x1b[99999999999H',
    '\t',
  ],
);
const stroke = fc.oneof(
  { weight: 10, arbitrary: fc.tuple(place, fc.constantFrom('', '\x1b[2K'), text).map((parts) => parts.join('')) },
  { weight: 5, arbitrary: fc.tuple(row, text).map(([y, words]) => `\x1b[${y};1H${words}\x1b[K`) },
  { weight: 4, arbitrary: text },
  { weight: 4, arbitrary: colour },
  { weight: 4, arbitrary: inRow },
  { weight: 2, arbitrary: mode },
);
const strokes = fc.array(stroke, { maxLength: 60 });
const pieces = fc.array(fc.oneof({ weight: 20, arbitrary: stroke }, { weight: 1, arbitrary: odd }), { maxLength: 80 });
const cuts = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 6 });

function* cut(bytes: Buffer, sizes: readonly number[]): Generator<Buffer> {
  let turn = 0;
  for (let at = 0; at < bytes.length; ) {
    const end = at + (sizes[turn++ % sizes.length] ?? 1);
    yield bytes.subarray(at, end);
    at = end;
  }
}
/** Found by searching: what is there before strokes begin, and between two of them. */
const EXAMPLES: [string[], number[], boolean[]][] = [
  [['\x1b[4m', '\x1b[?1049l', '\x1b[0;1H\x1b[K'], [1], [false, true, true, false, false, true]],
  [['\x1b[0;0H', '❤️'], [1], [true]],
  [['\x1b[0;0Ha', '\x1b(B', '\x1b[2b'], [1], [true, false]],
];

test('a terminal that is drawn late is the one that was given every byte', () => {
  let taken = 0;
  fc.assert(
    fc.property(pieces, cuts, fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }), (all, sizes, draws) => {
      const bytes = Buffer.from(all.join(''));
      const [painted, full] = [new Painted(), open()];
      const writer = new Writer(full);
      let turn = 0;
      for (const part of cut(bytes, sizes)) {
        painted.feed(part);
        writer.write(part);
        if (draws[turn++ % draws.length]) painted.undrawn.draw();
      }
      taken += painted.taken;
      painted.feed(Buffer.from('\x18'));
      writer.write(Buffer.from('\x18'));
      expect(isSameState(painted.finish(), full)).toBe(true);
    }),
    { ...RUNS, examples: EXAMPLES },
  );
  expect(taken).toBeGreaterThan(RUNS.numRuns * 20);
});

test('what was kept is drawn by itself before what is recent', () => {
  fc.assert(
    fc.property(strokes, strokes, cuts, (first, second, sizes) => {
      const sink = { isWatching: true, toRow: () => {}, erases: () => {}, frames: () => {}, printed: () => {} };
      const [painted, full] = [new Painted(() => sink), open()];
      const writer = new Writer(full);
      const [before, after] = [Buffer.from(`\x1b[2;2H${first.join('')}\x1b[0m\x1b[H`), Buffer.from(second.join(''))];
      for (const part of cut(before, sizes)) painted.feed(part);
      fc.pre(painted.undrawn.isActive);
      painted.undrawn.keep();
      writer.write(before);
      const left = painted.left;
      for (const part of cut(after, sizes)) painted.feed(part);
      fc.pre(painted.left === left && painted.undrawn.isActive);
      let isSame: boolean | null = null;
      painted.undrawn.draw(() => {
        isSame = rowsOf(painted.core) === rowsOf(full);
      });
      expect(isSame).toBe(true);
      writer.write(after);
      expect(isSameState(painted.finish(), full)).toBe(true);
    }),
    RUNS,
  );
});

const rowsOf = ({ _bufferService: { buffer } }: Core): string =>
  Array.from({ length: ROWS }, (_, y) => [...(buffer.lines.get(buffer.ybase + y)?._data ?? [])].join()).join('\n');

test('a flood of pictures is bounded, and is not drawn', () => {
  const painted = new Painted();
  const full = open();
  let drawn = 0;
  const parse = painted.core._inputHandler.parse.bind(painted.core._inputHandler);
  painted.core._inputHandler.parse = (bytes: Uint8Array) => {
    drawn += bytes.length;
    return parse(bytes);
  };
  let printed = 0;
  const writer = new Writer(full);
  for (let frame = 0; frame < 20_000; frame++) {
    const bytes = Buffer.from(
      `\x1b[?2026h\x1b[${1 + (frame % 4)};1H\x1b[2K\x1b[31m●\x1b[0m ${frame}\x1b[5;3H⠋\x1b[?2026l`,
    );
    painted.feed(bytes);
    writer.write(bytes);
    printed += bytes.length;
  }
  expect(isSameState(painted.finish(), full)).toBe(true);
  expect(drawn).toBeLessThan(printed / 1000);
});
