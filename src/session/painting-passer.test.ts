import { expect, test } from 'vitest';
import { PaintingPasser } from './painting-passer.js';
import { readControl } from './row-controls.js';

const FINALS = Array.from({ length: 0x7f - 0x40 }, (_, at) => 0x40 + at);
const passer = new PaintingPasser();
const pass = (text: string, from = 0): number => passer.pass(Buffer.from(text, 'latin1'), from);

test('a sequence that is passed says of itself what reading it says', () => {
  for (const final of FINALS) {
    for (const [written, parameters] of [
      ['', [-1]],
      ['2', [2]],
      ['5;1', [5, 1]],
      [';', [-1, -1]],
    ] as const) {
      const text = `\x1b[${written}${String.fromCharCode(final)}`;
      if (pass(text) === 0) {
        expect('Ju').toContain(String.fromCharCode(final));
        continue;
      }
      const control = readControl(final, '', parameters) ?? '';
      const { paints, jumps } = passer;
      expect({ text, paints, jumps }).toEqual({
        text,
        paints: ['up', 'down', 'paint'].includes(control),
        jumps: ['back', 'column'].includes(control),
      });
    }
  }
});

test('sequences are passed up to what is none, is marked, cut, odd or too long', () => {
  const passed = '\x1b[5A\x1b[m\x1b[2K';
  for (const rest of [
    '',
    'text',
    '\x1b',
    '\x1b[',
    '\x1b[2',
    '\x1b[?25l',
    '\x1b[2\rA',
    '\x1b[2 q',
    '\x1b[é',
    '\x1bM',
    `\x1b[${'1;'.repeat(32)}A`,
  ]) {
    expect(pass(`x${passed}${rest}`, 1), JSON.stringify(rest)).toBe(1 + passed.length);
    expect(passer.paints).toBe(true);
  }
  expect(pass('text')).toBe(0);
  expect([passer.paints, passer.jumps]).toEqual([false, false]);
});
