import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tries } from '../../../test/harness/tries.js';
import { createOutputRest } from './output-rest.js';

const bytes = (text: string) => Buffer.from(text);
const isAtRestAfter = (...chunks: Uint8Array[]): boolean => {
  const rest = createOutputRest();
  for (const chunk of chunks) rest.take(chunk);
  return rest.isAtRest;
};

const WHOLE = [
  'plain',
  'é',
  '漢',
  '👩',
  '\x1b[0m',
  '\x1b[?1049h',
  '\x1b[38;2;1;2;3m',
  '\x1bM',
  '\x1b(B',
  '\x1b#8',
  '\x1b7',
  '\x1b]0;a title\x07',
  '\x1b]0;a title\x1b\\',
  '\x1b]8;;http://x\x1b\\',
  '\x1bPq#0;2;0;0;0\x1b\\',
  '\x1b_Gi=1;AAAA\x1b\\',
];

describe('raw output', () => {
  test('is at rest at the start and after complete characters and sequences', () => {
    expect(createOutputRest().isAtRest).toBe(true);
    for (const text of WHOLE) expect(isAtRestAfter(bytes(text)), JSON.stringify(text)).toBe(true);
  });

  test('is not at rest within a character or sequence, even byte by byte', () => {
    for (const text of WHOLE.slice(1)) {
      const all = bytes(text);
      const rest = createOutputRest();
      for (let cut = 1; cut < all.length; cut++) {
        expect(isAtRestAfter(all.subarray(0, cut)), JSON.stringify([text, cut])).toBe(false);
        rest.take(all.subarray(cut - 1, cut));
        expect(rest.isAtRest, JSON.stringify([text, cut])).toBe(false);
      }
    }
  });

  test('is at rest after CAN or SUB, which cancel a sequence', () => {
    for (const byte of ['\x18', '\x1a']) expect(isAtRestAfter(bytes(`\x1b[3${byte}`))).toBe(true);
  });

  test('is judged the same however it is split', () => {
    const texts = fc.array(fc.constantFrom(...WHOLE), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(
        texts,
        fc.array(fc.nat({ max: 200 }), { maxLength: 5 }),
        fc.nat({ max: 200 }),
        (parts, cuts, length) => {
          const all = bytes(parts.join('')).subarray(0, length);
          const places = [...new Set([0, ...cuts.filter((at) => at < all.length), all.length])].sort((a, b) => a - b);
          const chunks = places.slice(1).map((to, i) => all.subarray(places[i], to));
          expect(isAtRestAfter(...chunks)).toBe(isAtRestAfter(all));
        },
      ),
      tries(100),
    );
  });
});
