import { expect, it } from 'vitest';
import { aBlueprint, anAttempt, aRun, aRunSummary, aTask, aTaskSummary, at } from '../../../test/tui/data.js';
import { readPlainCommand } from './plain-commands.js';
import { blueprintLine, runLine, runLines, taskLine, taskLines } from './plain-work-words.js';

const failed = aTask({ state: 'failed', error: { error: 'PlannerError', message: 'too \x1b[2Jvague' } });

it('shows the state of each task, run and blueprint on a line, without control characters', () => {
  expect(taskLine(aTaskSummary(failed))).toBe('tsk_a: failed, Count to ten · too ‹U+001B›[2Jvague');
  expect(runLine(aRunSummary(aRun({ asking: ['itm_1'] })))).toBe('run_a: asks you, claude, Count');
  expect(blueprintLine(aBlueprint())).toBe('reviewer: Reviews a branch');
});

it('prints details with titles in words instead of columns', () => {
  const history = [
    { timestamp: new Date(at(0)).toISOString(), event: 'created' as const, text: 'The daemon was asked' },
  ];
  const lines = taskLines(failed, history, at(9));
  expect(lines.slice(0, 3)).toEqual(['error: too ‹U+001B›[2Jvague', 'state: ✗ failed', 'task: Count to ten']);
  expect(lines.at(-1)).toMatch(/^\d\d:\d\d:\d\d: created · The daemon was asked$/);
  const run = runLines(
    aRun({ state: 'failed', attempts: [anAttempt({ text: 'The daemon was asked\nagain' })] }),
    at(9),
  );
  expect(run).toContain('said: The daemon was asked');
  expect(run.join('')).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/);
});

it('parses its commands, and keeps the meaning of older abbreviations', () => {
  expect(readPlainCommand('task Count to ten')).toEqual({ kind: 'task', prompt: 'Count to ten' });
  expect(readPlainCommand('do reviewer: look')).toEqual({ kind: 'do', prompt: 'reviewer: look' });
  expect(readPlainCommand('start tsk_1')).toEqual({ kind: 'start', about: 'tsk_1' });
  expect(readPlainCommand('d 1')).toEqual({ kind: 'decline', item: 1 });
  expect(readPlainCommand('st x')).toEqual({ kind: 'steps', workflow: 'x' });
  expect(readPlainCommand('plan').kind).toBe('wrong');
});
