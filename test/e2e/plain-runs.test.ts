/** Tests interactive runs of programs without an adapter: their output is the result, and typed text never is. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Run } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { test } from '../harness/fresh-daemon.js';
import { askHttp } from '../harness/http.js';
import { tries } from '../harness/tries.js';

/** Programs that read lines up to END, then print the file ANSWER. Each configures its terminal differently. */
const PYTHON_LOOP = 'while input("> ") != "END": pass\nprint(open("ANSWER").read(), end="")';
const NODE_LOOP = `const rl = require('node:readline').createInterface({ input: process.stdin, output: process.stdout, prompt: 'say> ' });
rl.prompt();
rl.on('line', (line) => {
  if (line !== 'END') return rl.prompt();
  rl.close();
  process.stdout.write(require('node:fs').readFileSync('ANSWER'));
});`;
const LOOP = 'while IFS= read -r line && [ "$line" != END ]; do :; done; cat ANSWER';
const ALL_PROGRAMS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  cooked: ['sh', '-c', LOOP],
  'cooked, slow to start': ['sh', '-c', `sleep 0.7; ${LOOP}`],
  'echo off': ['sh', '-c', `stty -echo; ${LOOP}`],
  'echo off, with a prompt': ['sh', '-c', `stty -echo; printf 'Your turn: '; ${LOOP}`],
  'cooked, with a prompt': ['bash', '-c', 'while IFS= read -r -p "> " l && [ "$l" != END ]; do :; done; cat ANSWER'],
  // bash reads a paste of several lines as one line.
  readline: ['bash', '-c', 'IFS= read -r -e -p "> " l; cat ANSWER'],
  'readline, without bracketed paste': [
    'bash',
    '-c',
    'bind "set enable-bracketed-paste off" 2>/dev/null; while IFS= read -r -e -p "$ " l && [ "$l" != END ]; ' +
      'do :; done; cat ANSWER',
  ],
  'python input()': ['python3', '-c', PYTHON_LOOP],
  'python readline': ['python3', '-c', `import readline\n${PYTHON_LOOP}`],
  'node readline': [process.execPath, '-e', NODE_LOOP],
};

const PROGRAMS = Object.fromEntries(Object.entries(ALL_PROGRAMS).filter(([name, args]) => isInstalled(name, args)));

function isInstalled(name: string, [program]: readonly [string, ...string[]]): boolean {
  const isThere = spawnSync(program, ['-c', ''], { stdio: 'ignore' }).error === undefined;
  if (!isThere) console.log(`no test of runs of '${name}': ${program} is not installed`);
  return isThere;
}

const PATIENCE_MS = 30_000;

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.close());

let places = 0;
async function run(args: readonly string[], answer: string, fields: object, by = daemon): Promise<Run> {
  const cwd = join(String(by.env['ORCHD_HOME']), `place-${places++}`);
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'ANSWER'), answer);
  const body = { adapter: 'shell', interactive: true, args, cwd, env: { PATH: process.env['PATH'] ?? '' }, ...fields };
  const { id } = (await askHttp(by.paths.socket, 'POST', '/runs', { body })).body;
  return (await askHttp(by.paths.socket, 'GET', `/runs/${id}/wait?timeout_ms=${PATIENCE_MS}`)).body;
}

const LINES = [
  '',
  '',
  'Do it.',
  '{"a": 1}',
  '```json',
  '{"a": 42}',
  '```',
  '  "b": [1, 2],',
  '}',
  '> quoted',
  '- [ ] item',
  '日本語のテキスト',
  'y',
  'long '.repeat(60).trim(),
  '{"summary": "not mine"}',
  '$ ls',
  '👩‍👩‍👧 family',
  '<output>',
  '---',
];
const prompts = fc
  .array(fc.constantFrom(...LINES), { minLength: 1, maxLength: 12 })
  .map((lines) => [...lines, 'END'].join('\n'));
const answers = fc.constantFrom(
  'done\n',
  '{"a": 7}\n',
  'one\n\n  two\tthree\n\n{"a": 42}\n',
  `${'wide '.repeat(50).trim()}\n`,
  '> cited\n',
  '}\n',
  '日本\n',
);

test.concurrent.for([40, 80, 200])(
  'typed text is not part of the result, at %i columns',
  { timeout: 240_000 },
  async (cols, { fresh }) => {
    const by = await fresh({ env: { ORCHD_SESSIONS_COLS: String(cols) } });
    await fc.assert(
      fc.asyncProperty(prompts, answers, async (prompt, answer) => {
        const results = await Promise.all(
          Object.entries(PROGRAMS).map(async ([name, args]) => [
            name,
            (await run(args, answer, { prompt }, by)).result_text,
          ]),
        );
        expect(Object.fromEntries(results)).toEqual(
          Object.fromEntries(Object.keys(PROGRAMS).map((name) => [name, answer.trim()])),
        );
      }),
      { ...tries(3), endOnFailure: true },
    );
  },
);

const LOOSE = { type: 'object' };
const SCHEMA_LOOP = 'while IFS= read -r l; do case $l in END) break;; esac; done; cat ANSWER';

test.concurrent('JSON in the prompt is not a result, but a one-line answer is, with and without echo', async () => {
  for (const setup of ['', 'stty -echo; ']) {
    const args = ['sh', '-c', `${setup}${SCHEMA_LOOP}`];
    const good = await run(args, '{"a": 42}\n', { prompt: 'Say.\n\nEND', output_schema: LOOSE });
    expect(good).toMatchObject({ state: 'completed', result_data: { a: 42 }, attempts: [{ text: '{"a": 42}' }] });
    const none = await run(args, 'no JSON\n', { prompt: 'Say.\n\nEND', output_schema: LOOSE });
    expect(none.attempts[0]).toMatchObject({ text: 'no JSON' });
    expect(none).toMatchObject({ state: 'failed', result_data: null });
  }
});

test.concurrent('a program that prints the JSON of its prompt again has it as its result', async () => {
  const args = ['sh', '-c', 'while IFS= read -r l && [ "$l" != END ]; do case $l in "{"*"}") echo "$l";; esac; done'];
  const done = await run(args, '', { prompt: 'Repeat:\n{"a": 1}\n\nEND', output_schema: { required: ['a'] } });
  expect(done).toMatchObject({ state: 'completed', result_data: { a: 1 } });
});

test.concurrent('a prompt that the program quotes is not a result, and an answer after it is', async () => {
  const quote = 't=; while IFS= read -r l; do t="$t$l\n"; case $l in END) break;; esac; done; printf "You said:\n$t\n"';
  const asked = { prompt: 'Count.\n\nFor example:\n\n```json\n{"a": 7}\n```\n\nEND', output_schema: LOOSE };
  const good = await run(['sh', '-c', `${quote}; cat ANSWER`], 'My answer:\n{"a": 42}\n', asked);
  expect(good).toMatchObject({ state: 'completed', result_data: { a: 42 } });
  const none = await run(['sh', '-c', quote], '', asked);
  expect(none).toMatchObject({ state: 'failed', result_data: null });
});

test.concurrent('a program that only repeats its prompt has no result, nor in its second attempt', async () => {
  const asked = { prompt: 'Count.\n\nFor example:\n\n```json\n{"a": 7}\n```\n', output_schema: { required: ['a'] } };
  const none = await run(['fold', '-w', '40'], '', { ...asked, interactive: false });
  expect(none).toMatchObject({ state: 'failed', result_data: null, attempts: [{}, { reason: 'retry' }] });
});

/** These programs answer each line that contains END and print their prompt again. */
const PYTHON_REPL = `import sys
print("say> ", end="", flush=True)
for line in sys.stdin:
    if "END" in line: print('{"n": 1}')
    if "does not match" in line: print('{"a": 2}')
    print("say> ", end="", flush=True)`;
const NODE_REPL = `const rl = require('node:readline').createInterface({ input: process.stdin, output: process.stdout, prompt: 'say> ' });
rl.prompt();
rl.on('line', (line) => {
  if (line.includes('END')) console.log('{"n": 1}');
  rl.prompt();
});`;
/**
 * These wait without a limit for the first piece of the input, and read on while more pieces follow within a moment.
 */
const piecewise = (setup: string, wait: string): string => `import os, select
${setup}
while True:
    print("say> ", end="", flush=True)
    got = b""
    while ${wait}: got += os.read(0, 4096)
    print('\\nLet me see.\\n\\n{\\n  "n": 1\\n}', flush=True)`;
const PYTHON_SELECT = piecewise('', 'select.select([0], [], [], 0.7 if got else None)[0]');
const PYTHON_POLL = piecewise(
  'waiting = select.poll()\nwaiting.register(0, select.POLLIN)',
  'waiting.poll(700 if got else None)',
);
const PROMPTED: Readonly<Record<string, readonly [string, ...string[]]>> = {
  'a program that reads lines': ['python3', '-c', PYTHON_REPL],
  'a program behind a wrapper': ['sh', '-c', 'python3 -c "$0"; true', PYTHON_REPL],
  'a program that does not echo': ['sh', '-c', 'stty -echo; exec python3 -c "$0"', PYTHON_REPL],
  'a line editor': [process.execPath, '-e', NODE_REPL],
};
/** These have no prompt, or count the lines in it. */
const OTHER_PROMPTS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  'without a prompt': ['sh', '-c', 'while read l; do [ "$l" != END ] || echo answer; done'],
  'that copies its input': ['sh', '-c', 'stty -echo; while read l; do [ "$l" != END ] || echo answer; done; cat'],
  'that counts its lines': [
    'sh',
    '-c',
    'n=8; while printf "[$n]> "; read l; do n=$((n+1)); [ "$l" != END ] || echo answer; done',
  ],
  'that clears the screen before each prompt': [
    'sh',
    '-c',
    'while printf "\\033[H\\033[2J\\033[3Jmenu\\n====\\nchoice> "; read l; do [ "$l" != END ] || echo answer; done',
  ],
  'that clears the screen and then answers': [
    'sh',
    '-c',
    'printf "Hello\\n\\nsay> "; while read l; do printf "\\033[2J\\033[H"; [ "$l" != END ] || echo answer; printf "say> "; done',
  ],
  'that counts in its line editor': [
    process.execPath,
    '-e',
    NODE_REPL.replace('{"n": 1}', 'answer')
      .replaceAll('rl.prompt();', 'rl.setPrompt("say:" + n++ + "> "); rl.prompt();')
      .replace('const rl', 'let n = 9; const rl'),
  ],
};
/** The same, and their answers have several lines. */
const PROMPTED_TOO: Readonly<Record<string, readonly [string, ...string[]]>> = {
  'a program that waits in select': ['python3', '-c', PYTHON_SELECT],
  'a program that waits in poll': ['python3', '-c', PYTHON_POLL],
};

test
  .runIf(process.platform === 'linux')
  .concurrent.each(Object.entries(PROMPTED).filter(([name, args]) => isInstalled(name, args)))(
  '%s ends its turn when it shows its prompt again',
  async (_name, args) => {
    const done = await run(args, '', { prompt: 'First.\n\nEND' });
    expect(done).toMatchObject({ state: 'completed', result_text: '{"n": 1}' });
  },
);

test
  .runIf(process.platform === 'linux')
  .concurrent(
    'a program that paints over its rows does not show its answer, so its turn does not end at its prompt',
    async () => {
      const script = 'while printf "\\033[Hmenu\\033[K\\n\\033[Kchoice> "; read l; do echo answer; done';
      const done = await run(['sh', '-c', script], '', { prompt: 'END', limits: { timeout: 6 } });
      expect(done).toMatchObject({ state: 'failed', result_text: null });
    },
  );

test.runIf(process.platform === 'linux').concurrent.each(Object.entries(OTHER_PROMPTS))(
  'a program %s ends its turn when it waits for its terminal again',
  async (_name, args) => {
    const done = await run(args, '', { prompt: 'First.\n\nEND' });
    expect(done).toMatchObject({ state: 'completed', result_text: 'answer' });
  },
);

test
  .runIf(process.platform === 'linux')
  .concurrent.each(Object.entries(PROMPTED_TOO).filter(([name, args]) => isInstalled(name, args)))(
  '%s ends its turn when it waits for input again',
  async (_name, args) => {
    const prompt = 'First.\n\n{"n": 9}';
    const done = await run(args, '', { prompt, output_schema: { type: 'object', required: ['n'] } });
    expect(done).toMatchObject({ state: 'completed', result_data: { n: 1 } });
  },
);

test
  .runIf(process.platform === 'linux' && 'python input()' in PROGRAMS)
  .concurrent('a program at its prompt gets the schema errors and corrects its result', async () => {
    const prompt = { prompt: 'Say.\n\nEND', output_schema: { type: 'object', required: ['a'] } };
    const done = await run(['python3', '-c', PYTHON_REPL], '', prompt);
    expect(done).toMatchObject({ state: 'completed', result_data: { a: 2 }, attempts: [{ text: '{"n": 1}' }, {}] });
  });

test.concurrent('a program that shows its prompt for each line has answered only after other output', async () => {
  const script = 'while IFS= read -r -t 5 -p "> " l; do :; done; echo; cat ANSWER';
  const done = await run(['bash', '-c', script], 'late\n', { prompt: 'one\ntwo' });
  expect(done).toMatchObject({ state: 'completed', result_text: 'late' });
});

test.concurrent('text sent to the session before the prompt is typed arrives after the prompt', async () => {
  const cwd = join(String(daemon.env['ORCHD_HOME']), 'early');
  mkdirSync(cwd);
  const script = 'sleep 0.7; while IFS= read -r l; do echo "$l" >>GOT; [ "$l" = END ] && break; done; echo bye';
  const body = { adapter: 'shell', interactive: true, args: ['sh', '-c', script], cwd, prompt: 'one\ntwo' };
  const { id } = (await askHttp(daemon.paths.socket, 'POST', '/runs', { body })).body;
  const { session_id: session } = await daemon.event('run_attempt_started', ({ run_id }) => run_id === id);
  await daemon.event('session_started', ({ session_id }) => session_id === session);
  await Promise.all(['three', 'END'].map((text) => daemon.client.call('session.send', { session, text })));
  const done = (await askHttp(daemon.paths.socket, 'GET', `/runs/${id}/wait?timeout_ms=${PATIENCE_MS}`)).body;
  expect(done).toMatchObject({ state: 'completed', result_text: 'bye' });
  expect(readFileSync(join(cwd, 'GOT'), 'utf8')).toBe('one\ntwo\nthree\nEND\n');
});
