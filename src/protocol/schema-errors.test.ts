import { expect, test } from 'vitest';
import { validateInput } from './validate.js';

test('a value with very many errors is explained up to a limit', () => {
  const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`k${n}`, n]));
  const errors = validateInput('run.start', { prompt: 'x', ...many });
  expect(errors).toHaveLength(1_000);
  expect(errors[0]?.message).toBe("Additional properties are not allowed ('k0' was unexpected)");
});
