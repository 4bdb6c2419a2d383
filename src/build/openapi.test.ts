import { join } from 'node:path';
import { createConfig, lint } from '@redocly/openapi-core';
import { expect, test } from 'vitest';

const DOCUMENT = join(import.meta.dirname, '../../protocol/openapi.json');

test('the OpenAPI document follows the recommended rules of Redocly', async () => {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // It does not count a reference to a part of a component as a use. openapi.ts leaves out what nothing refers to.
      'no-unused-components': 'off',
      // The rule does not find properties that a schema declares beside `then`, so its reports would be wrong.
      'no-required-schema-properties-undefined': 'off',
    },
  });
  const problems = await lint({ ref: DOCUMENT, config });
  expect(problems.map(({ message, location }) => `${message} at ${location[0]?.pointer}`)).toEqual([]);
});
