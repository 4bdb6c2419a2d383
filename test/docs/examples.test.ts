/** Runs the examples of the README and the guide unchanged: each code block below `<!-- example: NAME -->`. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { PAGES, ROOT, readPage } from './pages.js';

/** The text of each example by its name. */
const EXAMPLES: ReadonlyMap<string, string> = new Map(
  PAGES.flatMap((page) =>
    [...readPage(page).matchAll(/<!-- example: (\w+) -->\n```\w+\n([\s\S]*?)\n```/g)].map(
      ([, name = '', text = '']) => [name, text] as const,
    ),
  ),
);
/** The examples that a test runs. library.test.ts and machines-example.test.ts run the first three. */
const used = new Set(['library', 'bot', 'machines']);

function example(name: string): string {
  const text = EXAMPLES.get(name);
  if (text === undefined) throw new Error(`no page has an example ${name}`);
  used.add(name);
  return text;
}

const shell = (name: string) => spawnSync('sh', ['-ec', example(name)], { env, cwd: dir, encoding: 'utf8' });

let daemon: TestDaemon;
let dir: string;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  daemon = await startDaemon({ flags: ['--port', '0'] });
  dir = mkdtempSync(join(tmpdir(), 'orchd-readme-'));
  symlinkSync(join(ROOT, 'bin/orchd.js'), join(dir, 'orchd'));
  env = { ...daemon.env, PATH: `${dir}:${process.env['PATH']}` };
});
afterAll(async () => {
  await daemon.close();
  rmSync(dir, { recursive: true });
});

/** Runs a program until its output contains `text`. */
function until(command: string, args: string[], text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    const take = (chunk: Buffer) => {
      printed += chunk;
      if (!printed.includes(text)) return;
      resolve(printed);
      child.kill();
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('error', reject);
    child.on('close', () => reject(new Error(`it ended without '${text}': ${printed}`)));
  });
}

test('the five-minute guide prints what it promises', async () => {
  const printed = await until('sh', ['-ec', `${example('guide')}\necho the guide is done`], 'the guide is done');
  expect(printed).toContain('Deploy to staging or production?');
  expect(printed).toContain('answered build: staging');
  expect(printed).toContain('deploying to staging');
  expect(printed).toContain('answer_acknowledged');
});

test('the run example rejects a result that does not match the schema and prints the corrected one', () => {
  const { status, stdout, stderr } = shell('runs');
  const printed = /^\{\n {2}"files": 3\n\}\nRUN .*\nrun_\w+ +completed +shell +2 /;
  expect([status, stdout], stderr).toEqual([0, expect.stringMatching(printed)]);
});

test('the Agentfile example is valid and formatted, and its graph can be printed', () => {
  const { status, stdout, stderr } = shell('agentfile');
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(
    /^Agentfile: valid \(3 goals, 2 agents\)\nreview \(\$branch\)\nstage 1\n {2}review \(\$branch\) -> summary/,
  );
});

test('the workflow example runs and prints its results', () => {
  const { status, stdout, stderr } = shell('workflow');
  expect([status, stderr]).toEqual([0, expect.stringMatching(/^review running \(security, style\)$/m)]);
  expect(stdout).toMatch(/^score +review +8\n\npraise\n {2}Well done\.\nWORKFLOW .*\nwfl_\w+ +completed +2\/2 /m);
  expect(stdout).toMatch(/^ {2}synthesis +completed +run_\w+\npraise +completed /m);
});

test('the blueprint example creates, changes and lists a blueprint', async () => {
  const { status, stdout, stderr } = shell('blueprints');
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^reviewer +you +stored +claude +schema +Reviews a diff$/m);
  const shown = JSON.parse(readFileSync(join(dir, 'reviewer.json'), 'utf8'));
  expect(shown).toMatchObject({ name: 'reviewer', model: 'opus', output_schema: { required: ['issues'] } });
});

test('the tools example asks with a tool call and continues with the answer', async () => {
  const printed = await until('sh', ['-ec', example('tools')], 'deploying to staging');
  expect(printed).toContain('answered deploy: staging');
});

test('the sessions example starts, types to, captures and removes a session', () => {
  const { status, stdout, stderr } = shell('sessions');
  expect(status, stderr).toBe(0);
  expect(stdout).toMatch(/^got go on$/m);
});

test('the batch example passes the input to a batch session and keeps both output streams', () => {
  const { status, stdout, stderr } = shell('batch');
  expect(status, stderr).toBe(0);
  expect(stdout).toMatch(/^\s*3$/m);
  expect(stdout).toMatch(/^counted$/m);
});

test('the revive example succeeds when no session is lost', () => {
  const { status, stderr } = shell('revive');
  expect(status, stderr).toBe(0);
});

test('the inbox example answers a program, and explain shows the question', () => {
  const answered = shell('inbox');
  expect(answered.status, answered.stderr).toBe(0);
  expect(answered.stdout).toContain('releasing to staging');
  const explained = shell('explain');
  expect(explained.status, explained.stderr).toBe(0);
  expect(explained.stdout).toContain('Release to staging or production?');
});

test('the parse example checks a text and a message without a daemon', () => {
  const { status, stdout, stderr } = shell('parse');
  expect(status, stderr).toBe(0);
  expect(stdout).toContain('No access to the registry');
});

test('the recordings example exports, replays and imports a recording', () => {
  const { status, stdout, stderr } = shell('recordings');
  expect(status, stderr).toBe(0);
  expect(stdout).toMatch(/one\s+two\s*$/);
});

test('the tasks example lets one program plan a task and another program do it', () => {
  const { status, stdout, stderr } = shell('tasks');
  expect(status, stderr).toBe(0);
  expect(stdout).toMatch(/There are \d+/);
});

test('the curl example tails the events', async ({ skip }) => {
  if (spawnSync('curl', ['--version']).error) skip('curl is not installed');
  const printed = await until('sh', ['-c', example('curl')], 'TASK_COMPLETE');
  expect(JSON.parse(printed.split('\n')[0] ?? '')).toMatchObject({ event_type: 'message' });
});

test('the ten-line Node example tails the inbox', async () => {
  writeFileSync(join(dir, 'tail.mjs'), example('node'));
  expect(await until(process.execPath, [join(dir, 'tail.mjs')], 'production?')).toContain('waits: QUESTION');
});

test('the ten-line Python example tails the inbox', async ({ skip }) => {
  if (spawnSync('python3', ['--version']).error) skip('python3 is not installed');
  writeFileSync(join(dir, 'tail.py'), example('python'));
  expect(await until('python3', ['-u', join(dir, 'tail.py')], 'production?')).toContain('waits: QUESTION');
});

test('every example in the docs is run by a test', () => {
  expect([...EXAMPLES.keys()].filter((name) => !used.has(name))).toEqual([]);
});

test('VERSION and HOST_VERSION equal the version in package.json', async () => {
  const { VERSION } = await import('../../src/protocol/index.js');
  const { HOST_VERSION } = await import('../../src/host/version.js');
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect([VERSION, HOST_VERSION]).toEqual([version, version]);
});
