import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tries } from '../../../test/harness/tries.js';
import { shareStructure } from './structural-sharing.js';

test('keeps equal lists and objects once, also inside of a value that differs', () => {
  const earlier = { id: 'a', command: ['sh', '-c', 'x'], size: { cols: 80, rows: 24 } };
  const value = shareStructure({ id: 'b', command: ['sh', '-c', 'x'], size: { cols: 80, rows: 25 } }, earlier);
  expect(value).toEqual({ id: 'b', command: ['sh', '-c', 'x'], size: { cols: 80, rows: 25 } });
  expect((value as typeof earlier).command).toBe(earlier.command);
  expect((value as typeof earlier).size).not.toBe(earlier.size);
});

test('is the earlier value if all of it is equal', () => {
  const earlier = [{ a: 1 }, null];
  expect(shareStructure([{ a: 1 }, null], earlier)).toBe(earlier);
});

test('never changes what a value holds, nor the earlier one', () => {
  const json = fc.letrec((tie) => ({
    part: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom('a', 'b', 1, null, true),
      fc.array(tie('part'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('x', 'y', '__proto__', 'constructor'), tie('part'), { maxKeys: 3 }),
    ),
  })).part;
  fc.assert(
    fc.property(json, json, (one, other) => {
      const [value, earlier] = [one, other].map((each) => JSON.stringify(each));
      const before = JSON.parse(earlier ?? '');
      expect(JSON.stringify(shareStructure(JSON.parse(value ?? ''), before))).toBe(value);
      expect(JSON.stringify(before)).toBe(earlier);
    }),
    tries(500),
  );
});
