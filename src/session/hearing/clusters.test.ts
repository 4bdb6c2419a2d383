/**
 * Questions with emoji that programs and terminals do not measure alike: each is heard, and to the letter unless it
 * says otherwise.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusteredQuestion, heardOf, isOverlong } from '../../../test/harness/cluster-cases.js';
import { tries } from '../../../test/harness/tries.js';

describe('a program that counts a cluster of emoji as two columns', () => {
  it('is heard once if its rows fit the screen, and to the letter or marked as not exact', () => {
    fc.assert(
      fc.property(clusteredQuestion, (said) => {
        const heard = heardOf(said);
        expect(heard.length).toBeLessThanOrEqual(1);
        if (!isOverlong(said)) expect(heard).toHaveLength(1);
        if (heard[0]?.exact) expect(heard[0].question).toBe(said.question);
      }),
      tries(100),
    );
  });

  it('is heard if the end of a string did not fit the row', () => {
    const question = 'team its 👨‍👩‍👧‍👦 which two, the 👩🏽‍🚀 two, the 👩‍💻 🇩🇪 ❤️ 🇩🇪 its?';
    const heard = heardOf({ question, isPretty: true, cols: 82, rows: 35, isErased: true, isSynced: true });
    expect(heard).toEqual([{ question: expect.stringMatching(/^team its .* two, the /u), exact: false }]);
  });
});
