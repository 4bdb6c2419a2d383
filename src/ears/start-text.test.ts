import { describe, expect, it } from 'vitest';
import { startTexts } from './start-text.js';

describe('the texts of a command line', () => {
  it.each<[string[], string[]]>([
    [[], []],
    [['agent'], []],
    [
      ['codex', 'exec', '-c', 'model=x', 'PROMPT'],
      ['exec', '-c', 'model=x', 'PROMPT'],
    ],
    [
      ['printf', '%s', 'PROMPT'],
      ['%s', 'PROMPT'],
    ],
    [
      ['node', 'agent.js', '-p', 'PROMPT'],
      ['agent.js', '-p', 'PROMPT'],
    ],
    [
      ['python3', '-m', 'agent', '-c', 'PROMPT'],
      ['agent', '-c', 'PROMPT'],
    ],
    [
      ['agent', '--shell', 'bash', '--prompt=PROMPT'],
      ['--shell', 'bash', '--prompt=PROMPT'],
    ],
    [
      ['bash', 'script.sh', '-c', 'PROMPT'],
      ['script.sh', '-c', 'PROMPT'],
    ],
  ])('of %j are %j', (command, texts) => {
    expect(startTexts(command)).toEqual(texts);
  });

  it.each<string[]>([
    ['sh', '-c', 'CODE'],
    ['/bin/bash', '--norc', '-c', 'CODE'],
    ['bash', '-euo', 'pipefail', '-c', 'CODE'],
    ['bash', '-ceuo', 'pipefail', 'CODE'],
    ['bash', '-lc', 'CODE'],
    ['bash', '-c', '-x', 'CODE'],
    ['sh', '-c', '--', 'CODE'],
    ['zsh', '-f', '-c', 'CODE'],
    ['dash', '-c', 'CODE'],
    ['ksh', '-c', 'CODE'],
    ['fish', '--command', 'CODE'],
    ['python3.12', '-W', 'ignore', '-uc', 'CODE'],
    ['python', '-cCODE'],
    ['node', '--input-type', 'module', '-e', 'CODE'],
    ['node', '--eval=CODE'],
    ['perl', '-MStorable', '-ne', 'CODE'],
    ['perl', '-e', 'CODE', '-e', 'CODE'],
    ['ruby', '-r', 'date', '-e', 'CODE'],
    ['env', 'A=1', 'timeout', '9', 'sh', '-c', 'CODE'],
  ])('exclude an inline program: %s %s %s %s %s %s %s', (...command) => {
    const texts = startTexts([...command, 'sh', '-x', 'PROMPT']);
    expect(texts.join(' ')).not.toContain('CODE');
    expect(texts.slice(-3)).toEqual(['sh', '-x', 'PROMPT']);
  });
});
