import { expect, it } from 'vitest';
import { commandName } from './command-name.js';

it.each([
  [{}, 'orchd'],
  [{ npm_lifecycle_event: 'npx' }, 'npx orchd'],
  [{ npm_lifecycle_event: 'start' }, 'node bin/orchd.js'],
  [{ npm_lifecycle_event: 'test' }, 'orchd'],
])('the command in %j is %s', (env, name) => {
  expect(commandName(env)).toBe(name);
});
