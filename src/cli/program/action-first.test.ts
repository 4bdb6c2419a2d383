import { expect, test } from 'vitest';
import { workflow } from '../commands/workflow.js';
import { actionFirst } from './action-first.js';

test.each([
  ['list --state failed', 'list --state failed'],
  ['--state failed list', 'list --state failed'],
  ['--state=failed -q list', 'list --state=failed -q'],
  ['--jobs 4 -i list=run run file.agentfile', 'run --jobs 4 -i list=run file.agentfile'],
  // Only the first word after the command is a subcommand. The value of an option is not.
  ['--state list', '--state list'],
  ['frob list', 'frob list'],
  ['-- list', '-- list'],
  ['--help', '--help'],
  ['', ''],
])('reads `orchd workflow %s` as `orchd workflow %s`', (given, read) => {
  expect(actionFirst(workflow, given.split(' ')).join(' ')).toBe(read);
});
