import { expect, test } from 'vitest';
import { adapterNamed } from '../index.js';

const ID = '0b9a2c4e-1111-4222-8333-444455556666';

test.each([
  ['claude', ['claude', 'Fix the bug.'], ['claude', '--resume', ID]],
  [
    'claude',
    ['claude', '--model', 'opus', '--session-id', 'x', 'Fix it.'],
    ['claude', '--model', 'opus', '--resume', ID],
  ],
  [
    'claude',
    ['/opt/claude', '--permission-mode=plan', '--add-dir', 'a', 'b', '--verbose', '-c', 'x'],
    ['/opt/claude', '--permission-mode=plan', '--add-dir', 'a', 'b', '--verbose', '--resume', ID],
  ],
  ['claude', ['node', '/opt/claude/cli.js', '--resume', 'other'], ['node', '/opt/claude/cli.js', '--resume', ID]],
  ['claude', ['claude', '--', '--model', 'is a word'], ['claude', '--resume', ID]],
  [
    'codex',
    ['codex', '-m', 'gpt-5', '-s', 'read-only', 'Fix it.'],
    ['codex', '-m', 'gpt-5', '-s', 'read-only', 'resume', ID],
  ],
  ['codex', ['codex', 'resume', '--last'], ['codex', 'resume', ID]],
  ['gemini', ['gemini', '-y', '-i', 'Fix it.'], ['gemini', '-y', '--resume', ID]],
  ['qwen', ['qwen', '--model', 'q', '-i', 'Fix it.'], ['qwen', '--model', 'q', '--resume', ID]],
  [
    'copilot',
    ['copilot', '--allow-tool', 'a', 'b', '-n', 'me'],
    ['copilot', '--allow-tool', 'a', 'b', `--resume=${ID}`],
  ],
  ['opencode', ['opencode', './proj', '--prompt', 'Fix it.'], ['opencode', './proj', '--session', ID]],
  ['pi', ['pi', '--thinking', 'high', 'Fix it.'], ['pi', '--thinking', 'high', '--session', ID]],
  [
    'pi',
    ['pi', '--session-id', 'mine', '-xt', 'bash', '--tui-mode', 'fullscreen', '-na', '--', 'Fix it.'],
    ['pi', '-xt', 'bash', '--tui-mode', 'fullscreen', '-na', '--session', ID],
  ],
])('%s resumes a conversation with its general options, but without the prompt: %j', (name, argv, expected) => {
  expect(adapterNamed(name)?.start?.resume(argv, ID)).toEqual(expected);
});
