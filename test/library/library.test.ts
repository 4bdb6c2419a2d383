/** The library as another project has it: installed as `orchd`, imported, typed. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';

const ROOT = join(import.meta.dirname, '../..');

let daemon: TestDaemon;
let project: string;
beforeAll(async () => {
  daemon = await startDaemon();
  project = mkdtempSync(join(tmpdir(), 'orchd-library-'));
  mkdirSync(join(project, 'node_modules'));
  symlinkSync(ROOT, join(project, 'node_modules/orchd'));
  writeFileSync(join(project, 'package.json'), '{"type": "module"}');
});
afterAll(async () => {
  await daemon.close();
  rmSync(project, { recursive: true });
});

function run(script: string, env: NodeJS.ProcessEnv = daemon.env) {
  const file = join(project, 'program.mjs');
  writeFileSync(file, script);
  return spawnSync(process.execPath, [file], { cwd: project, env, encoding: 'utf8' });
}

test('the ten lines of the guide run as they are', () => {
  const example = /<!-- example: library -->\n```js\n([\s\S]*?)\n```/.exec(
    readFileSync(join(ROOT, 'docs/guide/programs.md'), 'utf8'),
  );
  const { status, stdout, stderr } = run(example?.[1] ?? '');
  expect([status, stdout], stderr).toEqual([0, 'completed Say it again.\nresult\n']);
  expect(example?.[1]?.trim().split('\n')).toHaveLength(10);
});

test('where no daemon runs, connecting fails with a code and what to do', () => {
  const script = `import { connect, OrchdError } from 'orchd';
    try { await connect({ socket: '/nowhere/orchd.sock' }); } catch (error) {
      console.log(error instanceof OrchdError, error.code, error.toProblem().message);
    }`;
  expect(run(script).stdout).toBe('true ORCHD_DAEMON_UNREACHABLE Run `orchd start`.\n');
});

test('events go on after the last one when the daemon was away', async () => {
  const script = `import { connect } from 'orchd';
    const orchd = await connect({ name: 'follower' });
    const seen = [];
    const options = { since: 0, follow: true, type: ['daemon_started'], onConnection: (is) => console.error(is) };
    for await (const { seq } of orchd.events(options)) {
      console.log(seq);
      if (seen.push(seq) === 2) break;
    }
    orchd.close();`;
  writeFileSync(join(project, 'follow.mjs'), script);
  const { spawn } = await import('node:child_process');
  const child = spawn(process.execPath, ['follow.mjs'], { cwd: project, env: daemon.env });
  let printed = '';
  const first = new Promise<void>((done) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      printed += text;
      done();
    });
  });
  const closed = new Promise((done) => child.once('close', done));
  await first;
  await daemon.crash();
  expect((await daemon.orchd('start', '--detach', '--no-tcp')).code).toBe(0);
  expect(await closed).toBe(0);
  const numbers = printed.trim().split('\n').map(Number);
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  expect(numbers).toHaveLength(2);
});

test('its types hold in a strict project that has none of ours, and know each operation', () => {
  writeFileSync(
    join(project, 'typed.ts'),
    `import { type Client, connect, type Run, type Session } from 'orchd';
const orchd: Client = await connect();
const sessions: Session[] = await orchd.call('session.list', {});
const run: Run = await orchd.call('run.wait', { run: 'run_1', timeout_ms: 5 });
for await (const event of orchd.events({ follow: true })) if (event.event_type === 'result') event.status satisfies string;
// @ts-expect-error there is no such operation
await orchd.call('session.fly', {});
// @ts-expect-error a session is missing
await orchd.call('session.kill', {});
export { run, sessions };\n`,
  );
  // Our types are checked whole; TypeScript's own are not, which would take several times as long.
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--skipDefaultLibCheck'];
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const checked = spawnSync(process.execPath, [tsc, ...options, 'typed.ts'], { cwd: project, encoding: 'utf8' });
  expect([checked.status, checked.stdout]).toEqual([0, '']);
});
