import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { FrameWriter } from './frame-writer.js';
import { RowMarks } from './row-marks.js';

function fakeTerminal(columns: number, rows: number) {
  const written: string[] = [];
  const terminal = Object.assign(new EventEmitter(), {
    columns,
    rows,
    isFull: false,
    write(text: string) {
      written.push(text);
      return !terminal.isFull;
    },
  });
  // Has all methods of a terminal that the code under test calls.
  return { terminal, written, writer: new FrameWriter(terminal as unknown as NodeJS.WriteStream) };
}

const bare = (text: string): string => text.replaceAll(/\x1b\[\?2026[hl]/g, '');

describe('the frame writer', () => {
  it('writes rows in place of their marks', () => {
    const { terminal, written } = fakeTerminal(10, 3);
    const marks = new RowMarks(() => terminal.columns);
    const writer = new FrameWriter(terminal as unknown as NodeJS.WriteStream, marks);
    writer.stream.write(`${marks.take('ab')?.mark}  c\n`);
    expect(written.map(bare)).toEqual(['\x1b[1;1Hab c\x1b[0m\x1b[K\x1b[2;1H\x1b[0m\x1b[K']);
  });

  it('writes only the changed rows, each at its position', () => {
    const { written, writer } = fakeTerminal(10, 3);
    writer.stream.write('ab\ncd');
    writer.stream.write('ab\nce');
    expect(written.map(bare)).toEqual(['\x1b[1;1Hab\x1b[0m\x1b[K\x1b[2;1Hcd\x1b[0m\x1b[K', '\x1b[2;1Hce\x1b[0m\x1b[K']);
    writer.stream.write('ab\nce');
    expect(written).toHaveLength(2);
  });

  it('does not erase to the end of a full row, which would clear its last column', () => {
    const { written, writer } = fakeTerminal(4, 3);
    writer.stream.write('日本\n\x1b[1mabcd\x1b[22m');
    expect(written.join('')).not.toContain('\x1b[K');
  });

  it('clears rows that disappeared, and writes everything after a repaint', () => {
    const { written, writer } = fakeTerminal(10, 3);
    writer.stream.write('a\nb\nc');
    writer.stream.write('a');
    expect(bare(written[1] ?? '')).toBe('\x1b[2;1H\x1b[0m\x1b[K\x1b[3;1H\x1b[0m\x1b[K');
    writer.repaint();
    writer.stream.write('a');
    const cleared = '\x1b[2;1H\x1b[0m\x1b[K\x1b[3;1H\x1b[0m\x1b[K';
    expect(bare(written[2] ?? '')).toBe(`\x1b[1;1Ha\x1b[0m\x1b[K${cleared}`);
  });

  it('skips to the newest frame if the terminal is slow', () => {
    const { terminal, written, writer } = fakeTerminal(10, 3);
    terminal.isFull = true;
    for (const frame of ['a', 'b', 'c', 'd']) writer.stream.write(frame);
    expect(written).toHaveLength(1);
    terminal.isFull = false;
    terminal.emit('drain');
    expect(written.map(bare).join('')).toContain('d');
    expect(written).toHaveLength(2);
  });

  it('patches only changed rows between frames, and the next frame writes them whole', () => {
    const { written, writer } = fakeTerminal(6, 3);
    writer.stream.write('aaXXbb\naaYYbb\ncc');
    writer.patch(2, 0, ['X1', 'YY']);
    expect(bare(written[1] ?? '')).toBe('\x1b[1;3HX1\x1b[0m\x1b[2;3HYY\x1b[0m');
    writer.patch(2, 0, ['X2', 'YY']);
    expect(bare(written[2] ?? '')).toBe('\x1b[1;3HX2\x1b[0m');
    writer.patch(2, 0, ['X2', 'YY']);
    expect(written).toHaveLength(3);
    writer.stream.write('aaX2bb\naaYYbb\ncc');
    expect(bare(written[3] ?? '')).toBe('\x1b[1;1HaaX2bb\x1b[0m\x1b[2;1HaaYYbb\x1b[0m');
  });

  it('keeps only the newest patch for a slow terminal, on top of its frame', () => {
    const { terminal, written, writer } = fakeTerminal(6, 3);
    terminal.isFull = true;
    writer.stream.write('aaXXbb');
    writer.patch(2, 0, ['X1']);
    writer.patch(2, 0, ['X2']);
    expect(written).toHaveLength(1);
    terminal.isFull = false;
    terminal.emit('drain');
    expect(bare(written.slice(1).join(''))).toBe('\x1b[1;3HX2\x1b[0m');
  });
});
