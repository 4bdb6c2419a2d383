import { expect, test } from 'vitest';
import { validateInput } from './validate.js';

test('explains an invalid name or tag in words, without a regular expression', () => {
  const [name] = validateInput('session.rename', { session: 'x', name: 'a b' });
  expect(name?.message).toMatch(/^'a b' cannot be a name: use 1 to 64 of/);
  const [tag] = validateInput('session.tag', { session: 'x', add: ['a,b'] });
  expect(tag).toEqual({
    path: '$.add[0]',
    message: "'a,b' cannot be a tag: use 1 to 32 letters, digits and . _ / -, beginning with a letter or digit",
  });
  for (const tag of ['größe', 'v1.2/rc-1', '日本'])
    expect(validateInput('session.tag', { session: 'x', add: [tag] })).toEqual([]);
});

test('limits the number of errors of one value', () => {
  const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`k${n}`, n]));
  const errors = validateInput('run.start', { prompt: 'x', ...many });
  expect(errors).toHaveLength(1_000);
  expect(errors[0]?.message).toBe("Additional properties are not allowed ('k0' was unexpected)");
});
