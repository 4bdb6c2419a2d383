/** Tests that the rows are written as xterm's serializer writes them, in one slice or in many. */
import serializeModule from '@xterm/addon-serialize';
import unicodeModule from '@xterm/addon-unicode11';
import headless, { type Terminal } from '@xterm/headless';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tries } from '../../../test/harness/tries.js';
import { coreOf, Writer } from '../xterm/xterm-core.js';
import { xtermInternals } from '../xterm/xterm-internals.js';
import { rowsOf } from './restore.js';
import { Serializer } from './serializer.js';

const SIZE = { cols: 12, rows: 4, scrollback: 10 };
const PIECES = [
  'a',
  'some words ',
  'ä',
  '漢字',
  '🙂',
  'e\u0301',
  'x\ufe0f',
  '한',
  'x'.repeat(30),
  '漢'.repeat(13),
  '\u{10ffff}',
  '\r\n',
  '\r\n\r\n',
  '\n',
  '\r',
  '\t',
  '\b',
  '\r\nline\r\nline\r\nline\r\nline',
  '\x1b[m',
  '\x1b[1;4m',
  '\x1b[2;3;5;7;8;9;53m',
  '\x1b[22;24;55m',
  '\x1b[4:3m',
  '\x1b[58:2::1:2:3m',
  '\x1b[31m',
  '\x1b[97;104m',
  '\x1b[38;5;200;48;5;17m',
  '\x1b[38;2;1;2;3m',
  '\x1b[48;2;4;5;6m',
  '\x1b[39;49m',
  '\x1b[K',
  '\x1b[1K',
  '\x1b[2J',
  '\x1b[J',
  '\x1b[3X',
  '\x1b[2@',
  '\x1b[2P',
  '\x1b[L',
  '\x1b[M',
  '\x1b[2S',
  '\x1b[H',
  '\x1b[2;5H',
  '\x1b[9C',
  '\x1b[A',
  '\x1b[2;3r',
  '\x1b[r',
  '\x1b[?6h',
  '\x1b[?6l',
  '\x1b[4h',
  '\x1b[?7l',
  '\x1b[?1049h',
  '\x1b[?1049l',
  '\x1b[?1h\x1b[?66h\x1b[?2004h',
  '\x1b[?1003h',
  '\x1b]8;;http://x\x1b\\',
  '\x1b7',
];

function open(pieces: readonly string[], size = SIZE): Terminal {
  const terminal = new headless.Terminal({ ...size, allowProposedApi: true, logLevel: 'off' });
  terminal.loadAddon(new unicodeModule.Unicode11Addon());
  terminal.unicode.activeVersion = '11';
  new Writer(coreOf(terminal)).write(Buffer.from(pieces.join('')));
  return terminal;
}

/** The text of xterm's serializer, with the two corrections. */
function expected(terminal: Terminal, scrollback: number): string {
  const serializer = new serializeModule.SerializeAddon();
  terminal.loadAddon(serializer as never); // typed for the browser's terminal; the parts it uses are the same
  const { buffers } = xtermInternals(terminal)._bufferService;
  for (const { lines } of [buffers.normal, buffers.alt])
    for (let y = 0; y < lines.length; y++) {
      const line = lines.get(y);
      if (line?.isWrapped && !line.hasContent(0)) line.isWrapped = false;
    }
  return serializer.serialize({ scrollback }).replaceAll(/\x1b\[0[CD]/g, '');
}

test('the rows are written as by the serializer of xterm', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }), fc.constantFrom(0, 3, 10), (pieces, lines) => {
      const terminal = open(pieces);
      const text = rowsOf(terminal, lines);
      expect(text).toBe(expected(terminal, lines));
      terminal.dispose();
    }),
    tries(600),
  );
});

test('many slices make the same text as one', () => {
  const terminal = open(['\x1b[31mred\r\n'.repeat(200), '\x1b[?1049h', '漢 text\r\n'.repeat(50)], {
    cols: 12,
    rows: 30,
    scrollback: 100,
  });
  const [whole, sliced] = [new Serializer(terminal, 100), new Serializer(terminal, 100)];
  whole.goOn(() => false);
  let slices = 1;
  while (!sliced.goOn(() => true)) slices++;
  expect(slices).toBeGreaterThan(5);
  expect([sliced.normal, sliced.alternate]).toEqual([whole.normal, whole.alternate]);
  terminal.dispose();
});

test('the oldest rows above the screen are left empty if the text would be too large', () => {
  const rows = Array.from({ length: 30 }, (_, y) => `\x1b[4${y % 8}mrow ${y}${y % 3 === 0 ? '\r\n' : '\x1b[K\r\n'}`);
  const size = { cols: 12, rows: 4, scrollback: 100 };
  const terminal = open(rows, size);
  const shown = (of: Terminal) =>
    Array.from({ length: of.buffer.active.length }, (_, y) => {
      const line = of.buffer.active.getLine(y);
      return [line?.translateToString(true), line?.getCell(0)?.getBgColor(), line?.getCell(11)?.getBgColor()];
    });
  const cut = new Serializer(terminal, 100, 100);
  cut.goOn(() => false);
  const again = open([cut.normal], size);
  const [whole, kept] = [shown(terminal), shown(again)];
  expect(kept).toHaveLength(whole.length);
  const first = kept.findIndex(([text]) => text !== '');
  expect(first).toBeGreaterThan(10);
  expect(first).toBeLessThan(27);
  expect(kept.slice(first)).toEqual(whole.slice(first));
  // The screen itself is always whole.
  const least = new Serializer(terminal, 100, 0);
  least.goOn(() => false);
  expect(shown(open([least.normal], size)).slice(-4)).toEqual(whole.slice(-4));
});
