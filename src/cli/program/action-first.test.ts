import { expect, test } from 'vitest';
import { workflow } from '../commands/workflow.js';
import { actionFirst } from './action-first.js';

test.each([
  ['list --state failed', 'list --state failed'],
  ['--state failed list', 'list --state failed'],
  ['--state=failed -q list', 'list --state=failed -q'],
  ['--jobs 4 -i list=run run file.agentfile', 'run --jobs 4 -i list=run file.agentfile'],
  // the value of an option is no subcommand, and no word behind another word is
  ['--state list', '--state list'],
  ['frob list', 'frob list'],
  ['-- list', '-- list'],
  ['--help', '--help'],
  ['', ''],
])('`orchd workflow %s` is read as `orchd workflow %s`', (given, read) => {
  expect(actionFirst(workflow, given.split(' ')).join(' ')).toBe(read);
});
