import type { IBufferLine } from '@xterm/headless';
import headless from '@xterm/headless';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../test/harness/random.js';
import { coreOf, Writer } from '../xterm/xterm-core.js';
import { brightText, lineText } from './line-text.js';

const [COLS, ROWS] = [60, 12];
const PARTS = [
  'plain words ',
  'näïve ',
  '漢字',
  '👩‍👩‍👧 ',
  '🦀',
  'e\u0301\u0308',
  '\u00a0',
  '─│╰',
  '𝒳',
  '\t',
  '\b',
  '\r\n',
  '\x1b[2m',
  '\x1b[22m',
  '\x1b[1;31m',
  '\x1b[0m',
  '\x1b[48;5;17m',
  '\x1b[K',
  '\x1b[5C',
  '\x1b[3X',
  '\x1b[4D',
  '\x1b[2P',
];

function randomScreen(seed: number) {
  const { below } = createRandom(seed);
  const terminal = new headless.Terminal({ cols: COLS, rows: ROWS, allowProposedApi: true });
  const core = coreOf(terminal);
  const text = Array.from({ length: 200 }, () => PARTS[below(PARTS.length)]).join('');
  new Writer(core).write(Buffer.from(`${text}\x1b[${1 + below(ROWS)};${1 + below(COLS)}H漢x`));
  const { buffer } = terminal;
  const lines = Array.from({ length: ROWS }, (_, y) => ({
    line: core._bufferService.buffer.lines.get(core._bufferService.buffer.ybase + y),
    peer: buffer.active.getLine(buffer.active.baseY + y) as IBufferLine,
  }));
  return lines.flatMap(({ line, peer }) => (line ? [{ line, peer }] : []));
}

/** The text of a line by the public interface of xterm.js. */
function brightOf(line: IBufferLine): string {
  let bright = '';
  for (let column = 0; column < line.length; column++) {
    const cell = line.getCell(column);
    if (!cell || cell.getWidth() === 0) continue;
    const chars = cell.getChars();
    bright += cell.isDim() || chars === '' || chars === '\u00a0' ? ' '.repeat(cell.getWidth()) : chars;
  }
  return bright.trimEnd();
}

describe('the text of a line', () => {
  const screens = Array.from({ length: 60 }, (_, seed) => randomScreen(seed + 1)).flat();

  it('is what xterm.js reads', () => {
    for (const { line, peer } of screens) {
      expect(lineText(line, true)).toBe(peer.translateToString(true));
      expect(lineText(line, false)).toBe(peer.translateToString(false));
      expect(lineText(line, false, COLS - 2, COLS)).toBe(peer.translateToString(false, COLS - 2, COLS));
      expect(lineText(line, true, 0, 17)).toBe(peer.translateToString(true, 0, 17));
    }
    expect(new Set(screens.map(({ line }) => lineText(line, true))).size).toBeGreaterThan(100);
  });

  it('without its dim parts is what the cells of xterm.js say', () => {
    for (const { line, peer } of screens) expect(brightText(line)).toBe(brightOf(peer));
    expect(screens.some(({ line }) => brightText(line) !== lineText(line, true).trimEnd())).toBe(true);
  });
});
