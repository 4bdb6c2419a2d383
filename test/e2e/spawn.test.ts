/**
 * Tests agents that start agents: the tool, its result, the callback if no caller waits for the end, and the limits.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Run, Session } from '../../src/protocol/index.js';
import { gone, startDaemon, type TestDaemon } from '../harness/daemon.js';
import { askHttp } from '../harness/http.js';
import { installScriptedAgent, type ScriptedAgent } from '../harness/scripted-agent.js';

let daemon: TestDaemon;
let agent: ScriptedAgent;
let parent: Session;
beforeAll(async () => {
  const limits = { ORCHD_RUNS_PARALLEL: '1', ORCHD_RUNS_MAX_CHILDREN: '2', ORCHD_RUNS_MAX_DEPTH: '2' };
  daemon = await startDaemon({ env: limits });
});
afterAll(() => daemon.close());
beforeEach(async () => {
  agent = installScriptedAgent('claude');
  const env = Object.entries(agent.env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  // Without echo: the program prints each line that it receives, and the terminal's echo would mix with that.
  parent = await daemon.sh('stty -echo; echo ready; cat', '-C', agent.home, ...env);
  // The blueprint may exist from an earlier test.
  await daemon.client.call('blueprint.create', { name: 'helper', adapter: 'claude' }).catch(() => undefined);
});
afterEach(async () => {
  agent.release();
  await daemon.client.call('session.kill', { session: parent.id, grace_ms: 0 });
  agent.close();
});

const spawn = (input: object, session: Pick<Session, 'id'> = parent) =>
  askHttp(daemon.paths.socket, 'POST', `/api/sessions/${session.id}/tools`, {
    body: { tool: 'spawn_agent', ...input },
  });
const runOf = (id: string): Promise<Run> => daemon.client.call('run.wait', { run: id });
const TASK = { role: 'helper', task: 'Count the files' };

test("spawn_agent returns the child's text or checked outputs, and the run has the parent session", async () => {
  const text = await spawn(TASK);
  expect(text.body).toMatchObject({ ok: true, result: 'Done.' });
  agent.replies({ text: 'Three.' }, { text: '{"files": 3}' });
  const before = agent.calls().length;
  const data = await spawn({ ...TASK, outputs: ['files'] });
  expect(data.body).toMatchObject({ ok: true, result: { files: 3 }, session_id: expect.stringMatching(/^ses_/) });
  const run = await runOf(data.body.run_id);
  expect(run).toMatchObject({ parent_session_id: parent.id, blueprint: 'helper', prompt: 'Count the files' });
  expect(agent.calls().length).toBeGreaterThan(before);
  expect((await daemon.client.call('session.show', { session: run.session_id ?? '' })).parent_session_id).toBe(
    parent.id,
  );
});

test('a repeated call_id returns the same run, and another call with it is refused', async () => {
  const calls = await Promise.all(Array.from({ length: 20 }, () => spawn({ ...TASK, call_id: 'once' })));
  expect(new Set(calls.map(({ body }) => body.run_id)).size).toBe(1);
  expect(agent.calls()).toHaveLength(1);
  const events: string[] = [];
  for await (const event of daemon.client.events({ since: 0, type: ['run_created'] })) {
    if (event.event_type === 'run_created') events.push(event.run_id);
  }
  expect(events.filter((id) => id === calls[0]?.body.run_id)).toHaveLength(1);
  expect((await spawn({ ...TASK, task: 'Another', call_id: 'once' })).body.code).toBe('ORCHD_CALL_REUSED');
});

test("a failed child gives an error with the child's error in it", async () => {
  agent.replies({ text: 'There are none.' });
  const failed = await spawn({ ...TASK, outputs: ['files'] });
  expect([failed.status, failed.body.code]).toEqual([422, 'ORCHD_CHILD_FAILED']);
  expect(failed.body.details).toMatchObject({
    error: { error: 'OutputSchemaValidationError' },
    run_id: expect.any(String),
  });
});

test("without wait, the child's result is typed to the parent once", async () => {
  agent.replies({ text: 'Three files.', hold: true });
  const { body } = await spawn({ ...TASK, wait: false });
  expect(body).toMatchObject({ ok: true, run_id: expect.any(String), session_id: expect.stringMatching(/^ses_/) });
  expect(body.result).toBeUndefined();
  agent.release();
  await runOf(body.run_id);
  const shown = () => daemon.screenOf(parent);
  await expect.poll(shown).toContain('</agent-callback>');
  expect(await shown()).toContain(
    `<agent-callback session="${body.session_id}" status="completed" run="${body.run_id}">\n## Child ` +
      'Result\n\nThree files.',
  );
});

test('a child that outlasts timeout_ms reports by callback, also after a daemon crash', async () => {
  agent.replies({ text: 'In time.' }, { text: 'Late.', hold: true });
  expect((await spawn(TASK)).body).toMatchObject({ result: 'In time.' });
  const left = await spawn({ ...TASK, timeout_ms: 300 });
  expect(left.body).toMatchObject({ ok: true, run_id: expect.any(String) });
  expect(left.body.result).toBeUndefined();
  await daemon.crash();
  await daemon.start();
  agent.release();
  await runOf(left.body.run_id);
  const shown = () => daemon.screenOf(parent);
  await expect.poll(shown).toContain('Late.');
  expect(await shown()).not.toContain('In time.');
});

test("a role that is no blueprint becomes the instructions of an agent of the parent's kind", async () => {
  agent.replies({ text: 'Checked.' });
  const env = Object.entries(agent.env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const other = await daemon.sh('cat', '--adapter', 'claude', '-C', agent.home, ...env);
  const { body } = await spawn({ role: 'a careful tester', task: 'Test it' }, other);
  expect(body).toMatchObject({ result: 'Checked.' });
  expect(agent.calls().at(-1)?.stdin).toBe('You are: a careful tester\n\nTest it');
  // The parent is a plain program.
  expect((await spawn({ role: 'a tester', task: 'x' })).body.code).toBe('ORCHD_NO_BATCH');
  await daemon.client.call('session.kill', { session: other.id, grace_ms: 0 });
});

test('children and depth are limited, and ending the parent cancels its descendants', async () => {
  agent.replies({ hold: true });
  const all = await Promise.all(Array.from({ length: 5 }, () => spawn({ ...TASK, wait: false })));
  const [one, two] = all.filter(({ body }) => body.ok);
  if (!one || !two) throw new Error('none was started');
  const refused = all.filter(({ body }) => !body.ok).map(({ body }) => [body.code, body.details]);
  expect(refused).toEqual(Array(3).fill(['ORCHD_SPAWN_LIMIT', { children: 2 }]));
  const grandchild = await spawn({ ...TASK, wait: false }, { id: one.body.session_id });
  expect(grandchild.body).toMatchObject({ ok: true });
  const tooDeep = await spawn({ ...TASK, wait: false }, { id: grandchild.body.session_id });
  expect(tooDeep.body).toMatchObject({ code: 'ORCHD_SPAWN_LIMIT', details: { depth: 3 } });
  await expect.poll(() => agent.calls().length).toBe(3);
  // The two were started at once, so either may be the first.
  const [first, second] = [/├ helper.*\n.*│ └ helper.*\n.*└ helper/, /├ helper.*\n.*└ helper.*\n.* {2}└ helper/];
  expect((await daemon.orchd('ls', '--tree', '--living')).stdout).toMatch(
    new RegExp(` {2}sh .*\n.*(?:${first.source}|${second.source})`),
  );
  await daemon.client.call('session.kill', { session: parent.id, grace_ms: 0 });
  for (const { body } of [one, two, grandchild]) expect(await runOf(body.run_id)).toMatchObject({ state: 'cancelled' });
  for (const { pid } of agent.calls()) await gone(pid);
});

test('spawn_agent is listed, works from a shell, and reports invalid fields', async () => {
  const listed = await daemon.json<{ name: string }[]>('tool', '--list');
  expect(listed.map(({ name }) => name)).toContain('spawn_agent');
  const file = join(agent.home, 'out');
  const bin = join(import.meta.dirname, '../../bin/orchd.js');
  writeFileSync(
    join(agent.home, 'script.sh'),
    `node ${bin} tool spawn_agent --input role=helper --input task=Count > ${file}\n` +
      `node ${bin} tool spawn_agent --detach --input role=helper --input task=Count >> ${file}`,
  );
  const env = Object.entries(agent.env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const session = await daemon.sh(`sh ${agent.home}/script.sh; cat ${file}`, ...env);
  const { exit_code } = await daemon.client.call('session.wait', { session: session.id, until: 'exited' });
  expect(exit_code).toBe(0);
  expect(await daemon.screenOf(session)).toContain('Done.');
  expect(readFileSync(file, 'utf8')).toMatch(/^started: run_\w+\nsession: ses_\w+\nstatus: \w+$/m);
  const wrong = await spawn({ role: '', outputs: [] });
  expect(wrong.body.errors.map(({ path }: { path: string }) => path)).toEqual(['$.task', '$.role', '$.outputs']);
});

test('the callback names the announced session even if a later attempt ended the run', async () => {
  agent.replies({ text: 'no JSON', hold: true }, { text: '{"files": 3}' });
  const { body } = await spawn({ ...TASK, outputs: ['files'], wait: false });
  agent.release();
  const run = await runOf(body.run_id);
  expect(run.attempts).toHaveLength(2);
  expect(run.session_id).not.toBe(body.session_id);
  const shown = () => daemon.screenOf(parent);
  await expect.poll(shown).toContain('</agent-callback>');
  expect(await shown()).toContain(`session="${body.session_id}" status="completed" run="${body.run_id}"`);
});

test('outputs are checked against the result of a blueprint with its own schema', async () => {
  const output_schema = { type: 'object', required: ['files'], properties: { files: { type: 'number' } } };
  await daemon.client.call('blueprint.create', { name: 'counter', adapter: 'claude', output_schema });
  agent.replies({ text: '{"files": 3, "dirs": 1}' }, { text: '{"files": 3}' });
  const found = await spawn({ ...TASK, role: 'counter', outputs: ['files', 'dirs'] });
  expect(found.body).toMatchObject({ ok: true, result: { files: 3, dirs: 1 } });
  const missing = await spawn({ ...TASK, role: 'counter', outputs: ['files', 'dirs'] });
  expect([missing.status, missing.body.code]).toEqual([422, 'ORCHD_CHILD_FAILED']);
  expect(missing.body.error).toContain("its result has no 'dirs'");
});

test('`runs start` sends the callback to a known agent unless it waits, and never to a plain program', async () => {
  const env = Object.entries(agent.env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const bin = join(import.meta.dirname, '../../bin/orchd.js');
  const script = (flags: string) =>
    `stty -echo; node ${bin} runs start ${flags} --adapter claude 'Count the files'; echo started; cat`;
  agent.replies({ text: 'Told.' }, { text: 'Waited for.' }, { text: 'For nobody.' });
  const other = await daemon.sh(script(''), '--adapter', 'claude', '-C', agent.home, ...env);
  await expect.poll(() => daemon.screenOf(other)).toContain('</agent-callback>');
  const waiting = await daemon.sh(script('--wait'), '--adapter', 'claude', '-C', agent.home, ...env);
  await expect.poll(() => daemon.screenOf(waiting)).toContain('Waited for.');
  const plain = await daemon.sh(script(''), '-C', agent.home, ...env);
  await expect.poll(async () => (await daemon.screenOf(plain)).includes('started') && agent.calls().length).toBe(3);
  const runs = await daemon.client.call('run.list', { limit: 3 });
  for (const { id } of runs) await runOf(id);
  for (const { id } of [other, waiting, plain]) await daemon.client.call('session.kill', { session: id, grace_ms: 0 });
  for (const session of [waiting, plain]) expect(await daemon.screenOf(session)).not.toContain('agent-callback');
});

// On other systems only the session's own command line is known.
const WITH_PROC = test.skipIf(process.platform !== 'linux');
WITH_PROC.each([
  'exec bash --rcfile /dev/null',
  'exec sh -c bash',
  "exec sh -c 'set +m; bash --norc +m; echo ended'",
  `exec python3 -c 'import pty; pty.spawn("bash")'`,
  'cp "$(command -v bash)" ./agent && exec ./agent --norc',
  'ln -s "$(command -v bash)" ./agent && exec ./agent --norc',
  'cp "$(command -v dash || command -v sh)" ./agent && exec ./agent',
  "exec bash -c 'exec -a agent bash --norc'",
])('no callback is typed into a shell: %s', async (line) => {
  const home = agent.home;
  const told = join(home, 'told');
  agent.replies({ text: `touch ${told}`, hold: true });
  const env = Object.entries(agent.env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const { stdout } = await daemon.orchd('run', '-d', '-q', '-C', home, ...env, '--', 'sh', '-c', line);
  const session = await daemon.client.call('session.show', { session: stdout.trim() });
  const send = (text: string) => daemon.orchd('send', session.id, '--now', text);
  const shown = () => daemon.screenOf(session);
  await expect.poll(shown).toMatch(/[#$] *$/m);
  const { body } = await spawn({ ...TASK, wait: false }, session);
  agent.release();
  await runOf(body.run_id);
  await send('echo af""ter');
  await expect.poll(shown).toMatch(/^after/m);
  expect(await shown()).not.toContain('agent-callback');
  expect(existsSync(told)).toBe(false);
  await daemon.client.call('session.kill', { session: session.id, grace_ms: 0 });
});

WITH_PROC('a plain program gets the callback when it reads its terminal, not while it works', async () => {
  agent.replies({ text: 'Three files.' });
  const env = Object.entries(agent.env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const script = 'mkfifo gate; echo working; cat gate; echo reading; exec cat';
  const session = await daemon.sh(script, '-C', agent.home, ...env);
  const shown = () => daemon.screenOf(session);
  await expect.poll(shown).toContain('working');
  const { body } = await spawn({ ...TASK, wait: false }, session);
  await runOf(body.run_id);
  await daemon.orchd('send', session.id, '--now', 'typed meanwhile'); // behind a callback that is typed at once
  await expect.poll(shown).toContain('typed meanwhile');
  writeFileSync(join(agent.home, 'gate'), '');
  await expect.poll(shown).toContain('</agent-callback>');
  expect((await shown()).match(/working|typed meanwhile|reading|<agent-callback/g)?.slice(0, 3)).toEqual([
    'working',
    'typed meanwhile',
    'reading',
  ]);
  await daemon.client.call('session.kill', { session: session.id, grace_ms: 0 });
});

WITH_PROC('no callback is typed into an interpreter', async () => {
  const told = join(agent.home, 'told');
  agent.replies({ text: `open(${JSON.stringify(told)}, "w")` });
  const env = Object.entries(agent.env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const session = await daemon.sh('exec python3 -q', '-C', agent.home, ...env);
  const shown = () => daemon.screenOf(session);
  await expect.poll(shown).toContain('>>>');
  const { body } = await spawn({ ...TASK, wait: false }, session);
  await runOf(body.run_id);
  await daemon.orchd('send', session.id, '--now', 'print("af" + "ter")');
  await expect.poll(shown).toMatch(/^after/m);
  expect([await shown(), existsSync(told)]).toEqual([expect.not.stringContaining('agent-callback'), false]);
  await daemon.client.call('session.kill', { session: session.id, grace_ms: 0 });
});

WITH_PROC('an agent that the user started in a shell gets the callback until it exits', async () => {
  agent.replies({ text: 'echo in$((1+1))time' }, { text: 'touch late', hold: true });
  const env = Object.entries(agent.env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const { stdout } = await daemon.orchd('run', '-d', '-q', '-C', agent.home, ...env, '--', 'bash', '--norc');
  const session = await daemon.client.call('session.show', { session: stdout.trim() });
  const shown = () => daemon.screenOf(session);
  const send = (text: string) => daemon.orchd('send', session.id, '--now', text);
  await send('echo be""gun; cat');
  await expect.poll(shown).toMatch(/^begun/m);
  const first = await spawn({ ...TASK, wait: false }, session);
  await runOf(first.body.run_id);
  await expect.poll(shown).toContain('</agent-callback>');
  const second = await spawn({ ...TASK, wait: false }, session);
  await daemon.client.call('session.keys', { session: session.id, keys: ['C-d'] });
  await send('echo af""ter');
  await expect.poll(shown).toMatch(/^after/m);
  agent.release();
  await runOf(second.body.run_id);
  await send('echo en""ded');
  await expect.poll(shown).toMatch(/^ended/m);
  expect(await shown()).not.toContain('touch late');
  await daemon.client.call('session.kill', { session: session.id, grace_ms: 0 });
});
