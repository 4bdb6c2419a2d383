/** Tests `orchd workflow check | fmt | graph | run --dry-run`, which need no daemon. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ORCHD = join(import.meta.dirname, '../../bin/orchd.js');
let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'orchd-workflow-'));
  mkdirSync(join(dir, 'flow/prompts'), { recursive: true });
  write('flow/Agentfile', 'INPUT topic\nGOAL a   "About $topic" -> x\nGOAL b FROM prompts/b.md\n');
  write('flow/prompts/b.md', 'Use $x.\n');
  write('bad', 'GOAL a "About $topic"\nGOAL b FROM flow/link\n');
});
afterAll(() => rmSync(dir, { recursive: true }));

const write = (file: string, text: string): void => writeFileSync(join(dir, file), text);
function orchd(words: readonly string[], input = '') {
  const env = { PATH: process.env['PATH'], HOME: dir, ORCHD_HOME: join(dir, 'home'), NO_COLOR: '1' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [ORCHD, 'workflow', ...words], {
    cwd: dir,
    env,
    input,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('check accepts a valid Agentfile by its file or directory', () => {
  const valid = { status: 0, stdout: 'flow/Agentfile: valid (2 goals)\n', stderr: '' };
  expect(orchd(['check', 'flow/Agentfile'])).toEqual(valid);
  expect(orchd(['check', 'flow'])).toEqual(valid);
  expect(orchd(['check', 'flow', '-q'])).toEqual({ ...valid, stdout: '' });
});

test('check prints every problem with its position and exits with 6', () => {
  symlinkSync('/dev/null', join(dir, 'flow/link'));
  const { status, stdout } = orchd(['check', 'bad', 'flow']);
  expect(stdout).toBe(`bad:1:15: error: there is no variable $topic
  1 | GOAL a "About $topic"
    |               ^^^^^^
  accepted: INPUT topic; $$ for a dollar sign
bad:2:13: error: 'flow/link' is outside of the Agentfile's directory
  2 | GOAL b FROM flow/link
    |             ^^^^^^^^^
  accepted: a path inside of it, or --allow-outside
bad: 2 errors
flow/Agentfile: valid (2 goals)
`);
  expect(status).toBe(6);
  const allowed = orchd(['check', 'bad', '--allow-outside', '-q']).stdout;
  expect(allowed).toContain("bad:2:13: error: 'flow/link' cannot be read: it is not a regular file\n");
});

test('check reports an unreadable file and still checks the others', () => {
  const { status, stdout, stderr } = orchd(['check', 'gone', 'bad', 'away', '-q']);
  expect([status, stdout]).toEqual([1, orchd(['check', 'bad', '-q']).stdout]);
  expect(stderr).toMatch(/gone cannot be read: .*\naway cannot be read: /);
  const { stdout: json } = orchd(['check', 'gone', 'flow', '--json']);
  expect(JSON.parse(json)).toMatchObject({ valid: false, files: [{ file: 'flow/Agentfile', valid: true }] });
});

test('check says that a prompt path is a directory', () => {
  for (const path of ['.', 'flow', 'flow/..']) {
    expect(orchd(['check', '-', '-q'], `GOAL a FROM ${path}`)).toMatchObject({
      status: 6,
      stdout: expect.stringContaining(`'${path}' cannot be read: it is a directory\n`),
    });
  }
});

test('check --json prints the problems and the parsed workflow', () => {
  const { status, stdout } = orchd(['check', '-', '--json'], 'GOAL a "x" -> y\nAGENT idle "x"');
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    valid: true,
    files: [{ file: '-', valid: true, problems: [{ code: 'unused', line: 2 }], workflow: { goals: [{ name: 'a' }] } }],
  });
  expect(orchd(['check', '-', '--strict'], 'GOAL a "x" -> y\nAGENT idle "x"').status).toBe(6);
});

test('a slow reader of the pipe gets the whole output', () => {
  write('long', Array.from({ length: 440 }, (_, index) => `GOAL g${index} "Use $none"`).join('\n'));
  const whole = orchd(['check', 'long']).stdout;
  // The part that does not fit the pipe is less than Node's stream buffers.
  expect(whole.length - 65_536).toBeGreaterThan(0);
  expect(whole.length - 65_536).toBeLessThan(16_384);
  const slow = 'while IFS= read -r line; do (printf "%s\\n" "$line"); done'; // a process for each line
  const script = `'${process.execPath}' '${ORCHD}' workflow check long | ${slow}`;
  expect(spawnSync('sh', ['-c', script], { cwd: dir, encoding: 'utf8' }).stdout).toBe(whole);
});

test('run prints the problems of `check` before it connects to a daemon', () => {
  const { status, stdout, stderr } = orchd(['run', 'bad']);
  expect([status, stdout, stderr]).toEqual([6, '', orchd(['check', 'bad']).stdout]);
  expect(JSON.parse(orchd(['run', 'bad', '--json']).stderr)).toMatchObject({ code: 'ORCHD_AGENTFILE' });
  expect(orchd(['run', 'flow'])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('INPUT topic must be given'),
  });
  expect(orchd(['run', '-', '-i', '-'])).toMatchObject({ status: 2 });
  expect(existsSync(join(dir, 'home'))).toBe(false);
});

test('fmt prints, checks or writes, and follows a link to the file', () => {
  const formatted = 'INPUT topic\nGOAL a "About $topic" -> x\nGOAL b FROM prompts/b.md\n';
  expect(orchd(['fmt', 'flow'])).toEqual({ status: 0, stdout: formatted, stderr: '' });
  expect(orchd(['fmt', '--check', 'flow'])).toEqual({ status: 1, stdout: 'flow/Agentfile\n', stderr: '' });
  symlinkSync('flow/Agentfile', join(dir, 'linked'));
  expect(orchd(['fmt', '--write', 'linked']).stdout).toBe('formatted linked\n');
  expect(lstatSync(join(dir, 'linked')).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(dir, 'flow/Agentfile'), 'utf8')).toBe(formatted);
  expect(orchd(['fmt', '--check', 'flow'])).toEqual({ status: 0, stdout: '', stderr: '' });
});

test('fmt and graph refuse an invalid Agentfile and name the position', () => {
  for (const action of ['fmt', 'graph']) {
    expect(orchd([action, '-'], 'GOAL a "x')).toEqual({
      status: 6,
      stdout: '',
      stderr:
        `orchd: -:1:8: this quote is not closed on its line\n  \`orchd workflow check\` tells every problem, ` +
        'with its place.\n',
    });
  }
});

test("graph prints text, mermaid and svg, and uses the directory's name", () => {
  expect(orchd(['graph', 'flow']).stdout).toBe('flow ($topic)\nstage 1\n  a ($topic) -> x\nstage 2\n  b ($x)\n');
  expect(orchd(['graph', '--format', 'mermaid', 'flow']).stdout).toContain('step1 -->|"x"| step2');
  expect(orchd(['graph', '--format', 'svg', 'flow']).stdout).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
  expect(JSON.parse(orchd(['graph', 'flow', '--json']).stdout)).toMatchObject({
    name: 'flow',
    steps: [{ id: 'a' }, { needs: [] }],
  });
});

describe('run --dry-run', () => {
  const rehearse = (words: readonly string[], input = '') => orchd(['run', '--dry-run', ...words], input);

  test('shows the steps with their prompts and runs nothing', () => {
    expect(rehearse(['flow', '--input', 'topic=tea'])).toEqual({
      status: 0,
      stdout: `flow: 2 steps, one after the other; 2 to 3 calls of agents
  $topic = tea

1. a -> x
   1 to 2 calls
     | About tea

2. b
   1 call
     | Use $x.

What stands as $name is known when the workflow runs.
Fewest calls: nothing fails, no open WHEN holds, lists are empty.
Most calls: every RETRY is used, and each result is corrected once.
`,
      stderr: '',
    });
    expect(rehearse(['flow', '-q', '--input', 'topic=tea']).stdout).toBe('a\nb\n');
  });

  test('accepts inputs as text pairs, as JSON, from a file and from stdin', () => {
    write('input.json', '{"topic": ["tea", 1.50]}');
    const topicOf = (words: readonly string[], input = '') =>
      JSON.parse(rehearse(['flow', '--json', ...words], input).stdout).inputs.topic;
    expect(topicOf(['--input', 'topic=1.50'])).toBe('1.50');
    expect(topicOf(['--input', '{"topic": 1.50}'])).toBe('1.5');
    expect(topicOf(['--input', '@input.json'])).toBe('["tea",1.5]');
    expect(topicOf(['-i', '-'], '{"topic": "tea"}')).toBe('tea');
  });

  test('--jobs puts independent goals in one stage, and --json prints the stages', () => {
    const text = 'NAME two\nGOAL a "x" -> y\nGOAL b "x" -> z';
    const stagesOf = (jobs: string) =>
      JSON.parse(rehearse(['-', '--json', '--jobs', jobs], text).stdout).steps.map(
        (step: { stage: number }) => step.stage,
      );
    expect(stagesOf('1')).toEqual([0, 1]);
    expect(stagesOf('2')).toEqual([0, 0]);
    expect(rehearse(['-', '--jobs', '2'], text).stdout).toContain(
      'two: 2 steps, at most 2 at the same time; 2 to 4 calls',
    );
  });

  test('reports every invalid input first', () => {
    const { status, stderr } = rehearse(['flow', '--input', 'topc=tea']);
    expect(stderr).toBe(
      'orchd: the input does not fit: INPUT topic must be given: it has no DEFAULT; there is no INPUT ' +
        "'topc'; accepted: topic?\n" +
        '  Correct the fields that the message names.\n',
    );
    expect(status).toBe(2);
    expect(JSON.parse(rehearse(['flow', '--json']).stderr).errors).toMatchObject([{ path: '$.input.topic' }]);
  });

  test('usage errors name the valid values', () => {
    expect(rehearse(['bad'])).toMatchObject({ status: 6, stderr: expect.stringContaining('bad:1:15') });
    expect(rehearse(['-', '-i', '-'])).toMatchObject({ status: 2, stderr: expect.stringContaining('not both') });
    for (const jobs of ['0', '1001', '9'.repeat(30), 'x'])
      expect(rehearse(['flow', '--jobs', jobs])).toMatchObject({
        status: 2,
        stderr: expect.stringContaining(`--jobs takes a whole number from 1 to 1000, not '${jobs}'`),
      });
  });
});

test('usage errors of other subcommands name the valid values', () => {
  expect(orchd(['frob'])).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^orchd: unknown command 'frob'\n {2}See `orchd workflow --help`/),
  });
  expect(orchd(['graph', '--format', 'png', 'flow'])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('text, mermaid, svg'),
  });
  expect(orchd(['fmt', '--write', '-'])).toMatchObject({ status: 2 });
  expect(orchd(['check', 'gone'])).toMatchObject({ status: 1, stderr: expect.stringContaining('gone cannot be read') });
});
