/** How many columns the terminal of the ears gives emoji, and what stands behind them. */
import { describe, expect, it } from 'vitest';
import { Emulator } from './emulator.js';

function rowOf(output: string): string {
  const emulator = new Emulator({ cols: 40, rows: 4, onTitle: () => {} });
  emulator.feed(Buffer.from(output));
  const [row] = emulator.look(0).rows;
  emulator.dispose();
  return row?.text ?? '';
}

describe('an emoji of several characters', () => {
  it.each(['👨‍👩‍👧‍👦', '👩🏽‍🚀', '🏳️‍🌈', '👍🏽', '🇩🇪', '❤️', '⚠️', '😀'])('%s takes two columns', (emoji) => {
    expect(rowOf(`"${emoji}\x1b[1;4H", "${emoji}\x1b[1;10H"`)).toBe(`"${emoji}", "${emoji}"`);
  });

  it.each(['▶', '✓', '⏺', '●', 'é', '1️⃣'])('%s takes one', (sign) => {
    expect(rowOf(`"${sign}\x1b[1;3H"`)).toBe(`"${sign}"`);
  });

  it('does not take in what was placed elsewhere, or what is no emoji', () => {
    expect(rowOf('👨‍\x1b[1;5H👩')).toBe('👨‍  👩');
    expect(rowOf('👨‍x')).toBe('👨‍x');
    expect(rowOf('🇩🇪🇯🇵')).toBe('🇩🇪🇯🇵');
  });

  it('leaves blanks behind it where a program counts each of its characters', () => {
    expect(rowOf('"👨‍👩\x1b[1;6H"').replace(/ +/, '')).toBe('"👨‍👩"');
  });
});
