/** The README's examples, run as they stand there: each code block below `<!-- example: NAME -->`. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDaemon, type TestDaemon } from './harness/daemon.js';

const ROOT = join(import.meta.dirname, '..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

function example(name: string): string {
  const match = new RegExp(`<!-- example: ${name} -->\n\`\`\`\\w+\n([\\s\\S]*?)\n\`\`\``).exec(README);
  if (!match?.[1]) throw new Error(`the README has no example ${name}`);
  return match[1];
}

let daemon: TestDaemon;
let dir: string;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  daemon = await startDaemon({ flags: ['--port', '0'] });
  dir = mkdtempSync(join(tmpdir(), 'orchd-readme-'));
  symlinkSync(join(ROOT, 'bin/orchd.js'), join(dir, 'orchd'));
  const { url } = await daemon.client.call('daemon.status', {});
  env = { ...daemon.env, PATH: `${dir}:${process.env['PATH']}`, ...(url !== null && { ORCHD_URL: url }) };
});
afterAll(async () => {
  await daemon.close();
  rmSync(dir, { recursive: true });
});

/** Runs a program until what it prints holds `text`. */
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

test('the five-minute guide does what it says', async () => {
  const printed = await until('sh', ['-ec', `${example('guide')}\necho the guide is done`], 'the guide is done');
  expect(printed).toContain('Deploy to staging or production?');
  expect(printed).toContain('answered build: staging');
  expect(printed).toContain('deploying to staging');
  expect(printed).toContain('answer_acknowledged');
});

test('the run of the example is told what does not fit, and returns what does', () => {
  const { status, stdout, stderr } = spawnSync('sh', ['-ec', example('runs')], { env, cwd: dir, encoding: 'utf8' });
  const printed = /^\{\n {2}"files": 3\n\}\nRUN .*\nrun_\w+ +completed +shell +2 /;
  expect([status, stdout], stderr).toEqual([0, expect.stringMatching(printed)]);
});

test('the Agentfile of the example is valid, formatted and drawn', () => {
  const { status, stdout, stderr } = spawnSync('sh', ['-ec', example('agentfile')], {
    env,
    cwd: dir,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(
    /^Agentfile: valid \(3 goals, 2 agents\)\nreview \(\$branch\)\nstage 1\n {2}review \(\$branch\) -> summary/,
  );
});

test('the workflow of the example runs, and shows what it has made', () => {
  const { status, stdout, stderr } = spawnSync('sh', ['-ec', example('workflow')], { env, cwd: dir, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, expect.stringMatching(/^review running \(security, style\)$/m)]);
  expect(stdout).toMatch(/^score +review +8\n\npraise\n {2}Well done\.\nWORKFLOW .*\nwfl_\w+ +completed +2\/2 /m);
  expect(stdout).toMatch(/^ {2}synthesis +completed +run_\w+\npraise +completed /m);
});

test('the blueprint of the example is made, changed and listed', async () => {
  const { status, stdout, stderr } = spawnSync('sh', ['-ec', example('blueprints')], {
    env,
    cwd: dir,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^reviewer +you +stored +claude +schema +Reviews a diff$/m);
  const shown = JSON.parse(readFileSync(join(dir, 'reviewer.json'), 'utf8'));
  expect(shown).toMatchObject({ name: 'reviewer', model: 'opus', output_schema: { required: ['issues'] } });
});

test('the script of the example asks by a tool, and goes on with the answer', async () => {
  const printed = await until('sh', ['-ec', example('tools')], 'deploying to staging');
  expect(printed).toContain('answered deploy: staging');
});

test('curl tails the events', async ({ skip }) => {
  if (spawnSync('curl', ['--version']).error) skip('curl is not installed');
  const printed = await until('sh', ['-c', example('curl')], 'TASK_COMPLETE');
  expect(JSON.parse(printed.split('\n')[0] ?? '')).toMatchObject({ event_type: 'message' });
});

test('ten lines of Node tail the inbox', async () => {
  writeFileSync(join(dir, 'tail.mjs'), example('node'));
  expect(await until(process.execPath, [join(dir, 'tail.mjs')], 'production?')).toContain('waits: QUESTION');
});

test('ten lines of Python tail the inbox over TCP', async ({ skip }) => {
  if (spawnSync('python3', ['--version']).error) skip('python3 is not installed');
  writeFileSync(join(dir, 'tail.py'), example('python'));
  expect(await until('python3', ['-u', join(dir, 'tail.py')], 'production?')).toContain('waits: QUESTION');
});

test('the exit codes and the version are those of the code', async () => {
  const { VERSION } = await import('../src/protocol/index.js');
  const { HOST_VERSION } = await import('../src/host/version.js');
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect([VERSION, HOST_VERSION]).toEqual([version, version]);
});
