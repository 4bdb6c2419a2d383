import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../../../test/harness/tries.js';
import { CUT, codeOf, readCharacter, sizeOf, writeCharacter } from './utf8.js';

const byte = fc.oneof(
  fc.integer({ min: 0, max: 255 }),
  fc.constantFrom(0xe0, 0xed, 0xf0, 0xf4, 0xc2, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf),
);
const bytes = fc.oneof(
  fc.array(byte).map((values) => Uint8Array.from(values)),
  fc.tuple(fc.string({ unit: 'binary' }), fc.nat(3)).map(([text, cut]) => {
    const whole = new TextEncoder().encode(text);
    return whole.subarray(0, Math.max(0, whole.length - cut));
  }),
);

describe('reading UTF-8 by characters', () => {
  it('decodes as Node does up to a partial character, and encodes it back', () => {
    fc.assert(
      fc.property(bytes, (input) => {
        let text = '';
        let at = 0;
        while (at < input.length) {
          const character = readCharacter(input, at, input.length);
          if (character === CUT) break;
          const code = codeOf(character);
          const written = Buffer.alloc(4);
          expect(written.toString('utf8', 0, writeCharacter(written, 0, code))).toBe(String.fromCodePoint(code));
          text += String.fromCodePoint(code);
          at += sizeOf(character);
        }
        expect(text).toBe(Buffer.from(input.subarray(0, at)).toString());
        // Node decodes the incomplete character as one U+FFFD. orchd waits, because it could still become complete.
        if (at < input.length) expect(Buffer.from(input.subarray(at)).toString()).toBe('\ufffd');
      }),
      tries(1000),
    );
  });
});
