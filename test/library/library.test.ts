/** Tests the library as another project uses it: installed as `orchd` and imported, with its types. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
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

test('the ten-line example of the guide runs unchanged', () => {
  const example = /<!-- example: library -->\n```js\n([\s\S]*?)\n```/.exec(
    readFileSync(join(ROOT, 'docs/guide/programs.md'), 'utf8'),
  );
  const { status, stdout, stderr } = run(example?.[1] ?? '');
  expect([status, stdout], stderr).toEqual([0, 'completed Say it again.\nresult\n']);
  expect(example?.[1]?.trim().split('\n')).toHaveLength(10);
});

test('connect() without a daemon rejects with a code and the command to run', () => {
  const script = `import { connect, OrchdError } from 'orchd';
    try { await connect({ socket: '/nowhere/orchd.sock' }); } catch (error) {
      console.log(error instanceof OrchdError, error.code, error.toProblem().message);
    }`;
  expect(run(script).stdout).toBe('true ORCHD_DAEMON_UNREACHABLE Run `orchd start`.\n');
});

test('events() continues after the last event when the daemon restarts', async () => {
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
  await daemon.start();
  expect(await closed).toBe(0);
  const numbers = printed.trim().split('\n').map(Number);
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  expect(numbers).toHaveLength(2);
});

test('the bot of the guide answers known questions before and after a restart of the daemon', async () => {
  const example = /<!-- example: bot -->\n```js\n([\s\S]*?)\n```/.exec(
    readFileSync(join(ROOT, 'docs/guide/programs.md'), 'utf8'),
  );
  expect(example?.[1]?.trim().split('\n').length).toBeLessThanOrEqual(15);
  const asks = (question: string) => `echo ':ORCHESTRATOR: QUESTION - ${question}'; read -r answer; echo "got $answer"`;
  const first = await daemon.sh(asks('May I deploy to production?'), '--name', 'first');
  await daemon.openItem(first);
  writeFileSync(join(project, 'bot.mjs'), example?.[1] ?? '');
  const bot = spawn(process.execPath, ['bot.mjs'], { cwd: project, env: daemon.env });
  const rows = createInterface({ input: bot.stdout })[Symbol.asyncIterator]();
  try {
    expect((await rows.next()).value).toBe('first is answered: May I deploy to production?');
    await daemon.orchd('wait', 'first');
    expect((await daemon.orchd('capture', 'first')).stdout).toContain('got declined');
    await daemon.crash();
    await daemon.start();
    await daemon.sh(asks('Which package manager?'), '--name', 'second');
    const other = await daemon.sh(asks('Is this the right place?'), '--name', 'third');
    const printed = [(await rows.next()).value, (await rows.next()).value].sort();
    expect(printed).toEqual([
      'second is answered: Which package manager?',
      'third waits for you: Is this the right place?',
    ]);
    await daemon.orchd('wait', 'second');
    expect((await daemon.orchd('capture', 'second')).stdout).toContain('got npm');
    expect((await daemon.openItem(other)).state).toBe('open');
  } finally {
    bot.kill();
  }
});

test('answer() accepts an option number once and rejects a second answer with ORCHD_ITEM_CLOSED', async () => {
  const session = await daemon.sh(
    `printf '%s\\n' '\`\`\`orchestrator-message' '{"type":"QUESTION","data":{"question":"Which?","options":["red","blue"]}}' '\`\`\`'; cat`,
  );
  const item = await daemon.openItem(session);
  const script = `import { connect } from 'orchd';
    const orchd = await connect();
    const { answer } = await orchd.answer('${item.id}', { option: 2 });
    console.log(answer.text);
    await orchd.answer({ id: '${item.id}' }, 'red').catch(({ code }) => console.log(code));
    const end = new AbortController();
    const over = orchd.onQuestion(() => { throw new Error('asked'); }, { signal: end.signal });
    end.abort();
    await over;
    orchd.close();`;
  expect(run(script)).toMatchObject({ status: 0, stdout: 'blue\nORCHD_ITEM_CLOSED\n' });
});

test('an error thrown in an onQuestion handler rejects onQuestion()', async () => {
  await daemon.openItem(await daemon.sh(`echo ':ORCHESTRATOR: QUESTION - What now?'; cat`));
  const script = `import { connect } from 'orchd';
    const orchd = await connect();
    await orchd.onQuestion(({ text }) => { if (text === 'What now?') throw new Error(text); }).catch(({ message }) => console.log(message));
    orchd.close();`;
  expect(run(script).stdout).toBe('What now?\n');
});

test('its types compile in a strict project without other type packages and describe every operation', () => {
  writeFileSync(
    join(project, 'typed.ts'),
    `import { connect, type Orchd, type Run, type Session } from 'orchd';
const orchd: Orchd = await connect();
const sessions: Session[] = await orchd.call('session.list', {});
const run: Run = await orchd.call('run.wait', { run: 'run_1', timeout_ms: 5 });
for await (const event of orchd.events({ follow: true })) if (event.event_type === 'result') event.status satisfies string;
for await (const event of orchd.events({ type: ['result', 'item_opened'] })) {
  if (event.event_type === 'gap') event.to satisfies number;
  else if (event.event_type === 'result') event.status satisfies string;
  else if (event.type === 'QUESTION') event.data.question satisfies string;
  else if (event.type === 'BLOCKED') event.data.suggestedAction satisfies string | undefined;
  else event.item_id satisfies string;
}
// @ts-expect-error there is no such type of event
orchd.events({ type: ['results'] });
await orchd.onQuestion(async (question) => { console.log(question.text, question.options[0]); });
await orchd.onQuestion((item) => (item.type === 'attention' && item.data.source === 'budget' ? 'go on' : undefined));
await orchd.onQuestion(({ id }) => (id === '' ? { option: 2 } : undefined), { type: ['BLOCKED'], session: 'a' });
(await orchd.answer({ id: 'itm_1' }, 'yes')).state satisfies string;
// @ts-expect-error this is no answer
await orchd.answer('itm_1', { options: 1 });
// @ts-expect-error there is no such operation
await orchd.call('session.fly', {});
// @ts-expect-error a session is missing
await orchd.call('session.kill', {});
export { run, sessions };\n`,
  );
  // orchd's types are checked completely. The types of TypeScript itself are not, because that would take much longer.
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--skipDefaultLibCheck'];
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const checked = spawnSync(process.execPath, [tsc, ...options, 'typed.ts'], { cwd: project, encoding: 'utf8' });
  expect([checked.status, checked.stdout]).toEqual([0, '']);
});
