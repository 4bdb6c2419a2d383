import { expect, test } from 'vitest';
import { parseConfig } from '../config-file.js';
import { mergeConfig } from './config.js';

const problemOf = (text: string): string => {
  try {
    mergeConfig([parseConfig('config.toml', text)]);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

test('reports a syntax error with its line, its column and the text of the line', () => {
  const problem = problemOf('[tui]\ntheme = "dark"\nmouse = maybe\n');
  expect(problem).toMatch(/^config\.toml, line 3, column \d+: /);
  expect(problem).toContain('mouse = maybe');
});

test.each([
  ['[tui]\nthem = "dark"\n', 'config.toml, line 2: there is no option tui.them; did you mean tui.theme?'],
  ['[tui]\nport = 1\n', 'config.toml, line 2: there is no option tui.port; did you mean daemon.port?'],
  ['\n[notfy]\ncommand = "x"\n', 'config.toml, line 3: there is no option notfy.command; did you mean [notify]?'],
  ['notify.comand = "x"\n', 'config.toml, line 1: there is no option notify.comand; did you mean notify.command?'],
  ['[tui]\n# theme\ntheme = "drak"\n', 'config.toml, line 3: tui.theme is "drak", but must be one of dark, '],
  ['[runs]\nxyzzy = 1\n', 'config.toml, line 2: there is no option runs.xyzzy; [runs] has adapter, '],
  ['[__proto__]\nx = 1\n', 'config.toml, line 2: there is no option __proto__.x; there are the sections [daemon], '],
  ['[tui]\ntoString = 1\n', 'config.toml, line 2: there is no option tui.toString; [tui] has '],
  ['[xyzzy]\na = 1\n', 'config.toml, line 2: there is no option xyzzy.a; there are the sections [daemon], '],
])('refuses %j with the line and a suggestion', (text, words) => {
  expect(problemOf(text)).toContain(words);
});

test('refuses an unknown option in an inline table without a line number', () => {
  expect(problemOf('tui = { them = "dark" }\n')).toBe(
    'config.toml: there is no option tui.them; did you mean tui.theme?',
  );
});
