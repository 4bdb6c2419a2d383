import { expect, test } from 'vitest';
import { checkMachineName } from './names.js';

test.each(['all', 'ALL', 'Local', '', '-x', 'a.b', 'a b', 'a*', 'x'.repeat(64)])(
  '%j is no name of a machine',
  (name) => {
    expect(() => checkMachineName(name)).toThrow(expect.objectContaining({ code: 'ORCHD_INVALID' }));
  },
);

test.each(['build-7', 'Laptop_2', '7'])('%j is a name of a machine', (name) => {
  expect(checkMachineName(name)).toBe(name);
});
