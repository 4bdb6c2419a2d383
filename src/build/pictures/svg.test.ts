import headless from '@xterm/headless';
import { expect, test } from 'vitest';
import { drawRows, type Frame, toMovingSvg } from './svg.js';

async function frame(atMs: number, text: string): Promise<Frame> {
  const terminal = new headless.Terminal({ cols: 10, rows: 2, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(text, resolve));
  return { atMs, rows: drawRows(terminal) };
}

test('a recording draws each row once, and shows each frame at its time', async () => {
  const frames = [await frame(1000, 'one\r\ntwo'), await frame(2000, 'one\r\nthree')];
  const svg = toMovingSvg(frames, 10, 5000);
  expect(svg.match(/>one *</g)).toHaveLength(1);
  expect(svg).toMatch(/>three *</);
  expect(svg.match(/<use href="#r0"/g)).toHaveLength(2);
  expect(svg).toContain('0.00%{transform:translateY(0px)}25.00%{transform:translateY(-48.9px)}');
  expect(svg).toContain('play 4.0s step-end infinite');
});
