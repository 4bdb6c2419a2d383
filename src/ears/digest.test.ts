import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../../test/harness/tries.js';
import { digest, inkDigest } from './digest.js';

describe('a digest', () => {
  it('is the one stored in older journals and checkpoints', () => {
    expect(digest('')).toBe('027ae52e1ca83f5f86fc3073982eea02');
    expect(digest('{"type":"QUESTION"} é')).toBe('d96270ad79d075772fbb80cb8f098511');
  });

  it('of inkDigest ignores all blanks', () => {
    const unit = fc.oneof(
      fc.constantFrom(...' \t\n\r\v\f\u00a0\u1680\u2003\u2028\u205f\u3000\ufeff\u200b\u0085ab'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(unit), (parts) => {
        const text = parts.join('');
        expect(inkDigest(text)).toBe(digest(text.replace(/\s+/g, '')));
      }),
      tries(100),
    );
    for (let code = 0; code < 0x10000; code++) {
      const text = String.fromCharCode(code);
      if (/\s/.test(text) !== (inkDigest(text) === digest(''))) expect.fail(`U+${code.toString(16)}`);
    }
  });
});
