/** Tests how many columns the ears' terminal gives to emoji, and where the text after them is. */
import { describe, expect, it } from 'vitest';
import { Emulator } from './emulator.js';

function rowOf(output: string): string {
  const emulator = new Emulator({ cols: 40, rows: 4, onTitle: () => {} });
  emulator.feed(Buffer.from(output));
  const [row] = emulator.look(0).rows;
  emulator.dispose();
  return row?.text ?? '';
}

describe('an emoji of several code points', () => {
  it.each(['👨‍👩‍👧‍👦', '👩🏽‍🚀', '🏳️‍🌈', '👍🏽', '🇩🇪', '❤️', '⚠️', '😀'])('%s takes two columns', (emoji) => {
    expect(rowOf(`"${emoji}\x1b[1;4H", "${emoji}\x1b[1;10H"`)).toBe(`"${emoji}", "${emoji}"`);
  });

  it.each(['▶', '✓', '⏺', '●', 'é', '1️⃣'])('%s takes one column', (sign) => {
    expect(rowOf(`"${sign}\x1b[1;3H"`)).toBe(`"${sign}"`);
  });

  it('does not include characters at other positions, or characters that are not emoji', () => {
    expect(rowOf('👨‍\x1b[1;5H👩')).toBe('👨‍  👩');
    expect(rowOf('👨‍x')).toBe('👨‍x');
    expect(rowOf('🇩🇪🇯🇵')).toBe('🇩🇪🇯🇵');
  });

  it('is followed by blanks if the program counts each of its code points', () => {
    expect(rowOf('"👨‍👩\x1b[1;6H"').replace(/ +/, '')).toBe('"👨‍👩"');
  });
});
