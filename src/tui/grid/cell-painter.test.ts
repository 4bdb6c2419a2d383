import { EventEmitter } from 'node:events';
import headless from '@xterm/headless';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../../../test/harness/tries.js';
import { cropRow } from '../paint/ansi-row.js';
import { CellPainter } from './cell-painter.js';

function fakeTerminal() {
  const written: string[] = [];
  const terminal = Object.assign(new EventEmitter(), {
    isFull: false,
    write(text: string) {
      written.push(text);
      return !terminal.isFull;
    },
  });
  // Has all methods that the code under test calls.
  return { terminal, written, painter: new CellPainter(terminal as unknown as NodeJS.WriteStream) };
}

const SIZE = { cols: 24, rows: 6 };

/** Returns every cell of a terminal: its characters, its width, and its look. */
function cellsOf(terminal: InstanceType<typeof headless.Terminal>): string[] {
  const cells: string[] = [];
  for (let y = 0; y < SIZE.rows; y++) {
    for (let x = 0; x < SIZE.cols; x++) {
      const cell = terminal.buffer.active.getLine(y)?.getCell(x);
      const look = [cell?.getFgColor(), cell?.getBgColor(), cell?.isBold(), cell?.isInverse(), cell?.isUnderline()];
      cells.push(`${cell?.getChars() || ' '} ${cell?.getWidth()} ${look.join()}`);
    }
  }
  return cells;
}

const terminal = new headless.Terminal({ ...SIZE, allowProposedApi: true });

async function shows(texts: readonly string[]): Promise<string[]> {
  terminal.reset();
  await new Promise<void>((resolve) => terminal.write(texts.join(''), resolve));
  return cellsOf(terminal);
}

const piece = fc.oneof(
  fc.constantFrom('a', 'b', ' ', '─', '日', 'é', 'x'),
  fc.constantFrom('\x1b[0m', '\x1b[1m', '\x1b[0;31m', '\x1b[38;2;0;10;0m', '\x1b[7m', '\x1b[0;1;4;48;5;0m', '\x1b[m'),
);
const row = fc.array(piece, { maxLength: 30 }).map((parts) => parts.join(''));
const step = fc.record({ x: fc.integer({ min: 0, max: 14 }), y: fc.integer({ min: 0, max: 5 }), row });

describe('the cell painter', () => {
  it('shows the same after incremental changes as after writing all rows whole', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const { painter, written } = fakeTerminal();
        const whole: string[] = [];
        for (let y = 0; y < SIZE.rows; y++) painter.put(0, y, ' '.repeat(SIZE.cols));
        for (const { x, y, row } of steps) {
          const cropped = cropRow(row, { columns: 10, hasColour: true });
          painter.put(x, y, cropped);
          painter.flush(null);
          whole.push(`\x1b[${y + 1};${x + 1}H\x1b[0m${cropped}\x1b[0m`);
        }
        expect(await shows(written)).toEqual(await shows(whole));
      }),
      tries(200),
    );
  });

  it('writes only the cells that differ', () => {
    const { painter, written } = fakeTerminal();
    painter.put(3, 1, 'working 10 s');
    painter.flush(null);
    painter.put(3, 1, 'working 11 s');
    painter.flush(null);
    expect(written[1]).toBe('\x1b[?2026h\x1b[?25l\x1b[2;13H\x1b[0m1\x1b[0m\x1b[?25l\x1b[?2026l');
    painter.put(3, 1, 'working 11 s');
    painter.flush(null);
    expect(written).toHaveLength(2);
  });

  it('writes only the newest cells to a slow terminal', () => {
    const { terminal, painter, written } = fakeTerminal();
    terminal.isFull = true;
    painter.put(0, 0, 'one');
    painter.flush(null);
    for (const text of ['two', 'six', 'ten']) {
      painter.put(0, 0, text);
      painter.flush({ x: 2, y: 0 });
    }
    expect(written).toHaveLength(1);
    terminal.isFull = false;
    terminal.emit('drain');
    expect(written.slice(1).map((text) => text.replaceAll(/\x1b\[[?\d;]*[a-zA-Z]/g, ''))).toEqual(['ten']);
  });
});
