/**
 * Tests questions with emoji whose width differs between programs and terminals. Each is found, and is exact unless it
 * is marked as not exact.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusteredQuestion, heardOf, isOverlong } from '../../../test/harness/cluster-cases.js';
import { tries } from '../../../test/harness/tries.js';

describe('a program that counts a cluster of emoji as two columns', () => {
  it('has its question found once if its rows fit, and exactly or marked as inexact', () => {
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

  it('has its question found even if the end of a string did not fit the row', () => {
    const question = 'team its 👨‍👩‍👧‍👦 which two, the 👩🏽‍🚀 two, the 👩‍💻 🇩🇪 ❤️ 🇩🇪 its?';
    const heard = heardOf({ question, isPretty: true, cols: 82, rows: 35, isErased: true, isSynced: true });
    expect(heard).toEqual([{ question: expect.stringMatching(/^team its .* two, the /u), exact: false }]);
  });
});
