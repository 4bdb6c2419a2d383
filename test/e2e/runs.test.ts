/**
 * Tests runs over HTTP and from the command line: from a prompt or a blueprint to a result, with real programs on
 * pipes.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Run } from '../../src/protocol/index.js';
import { gone, startDaemon, type TestDaemon } from '../harness/daemon.js';
import { type Ask, askHttp } from '../harness/http.js';
import { installScriptedAgent, type ScriptedAgent } from '../harness/scripted-agent.js';

const SCHEMA = { type: 'object', required: ['summary'], properties: { summary: { type: 'string' } } };
const RIGHT = '{"summary": "all of it"}';

let daemon: TestDaemon;
let agent: ScriptedAgent;
beforeAll(async () => {
  daemon = await startDaemon({ env: { ORCHD_RUNS_PARALLEL: '2' } });
});
afterAll(() => daemon.close());
beforeEach(() => {
  agent = installScriptedAgent();
});
afterEach(async () => {
  agent.release();
  for (const { id, state } of (await ask('GET', '/runs')).body) {
    if (['queued', 'running', 'rate_limited'].includes(state)) await ask('POST', `/runs/${id}/cancel`);
  }
  agent.close();
});

const ask = (method: string, path: string, how?: Ask) => askHttp(daemon.paths.socket, method, path, how);
/** Returns the request for a run of the plain program. */
const request = (fields: object = {}) => ({
  adapter: 'shell',
  args: [agent.file],
  prompt: 'Count',
  cwd: agent.home,
  env: agent.env,
  ...fields,
});
const start = async (fields: object = {}): Promise<Run> => (await ask('POST', '/runs', { body: request(fields) })).body;
const ended = async ({ id }: Pick<Run, 'id'>): Promise<Run> => (await ask('GET', `/runs/${id}/wait`)).body;

describe('a run', () => {
  test('completes with its text, over HTTP, in the log and on the command line', async () => {
    const made = await ask('POST', '/runs', { body: request() });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      state: expect.stringMatching(/queued|running/),
      prompt: 'Count',
      result_text: null,
    });
    const run = await ended(made.body);
    expect(run).toMatchObject({
      state: 'completed',
      result_text: 'Done.',
      result_data: null,
      error: null,
      adapter: 'shell',
      attempts: [
        { number: 1, reason: 'start', text: 'Done.', verdict: null, exit_code: 0, session_id: run.session_id },
      ],
    });
    expect((await ask('GET', `/api/runs/${run.id}`)).body).toEqual(run);
    expect((await ask('GET', '/runs?limit=1')).body).toMatchObject([{ id: run.id, state: 'completed', attempts: 1 }]);
    const result = await daemon.event('result', ({ run_id }) => run_id === run.id);
    expect(result).toMatchObject({
      session_id: run.session_id,
      status: 'completed',
      result_text: 'Done.',
      result_data: null,
      run_id: run.id,
    });
    const shown = await daemon.orchd('runs', 'show', run.id.slice(4, 9));
    expect(shown.stdout).toContain('Done.');
    expect((await daemon.orchd('runs', 'wait', run.id)).stdout).toBe('Done.\n');
    expect((await daemon.orchd('runs', 'list')).stdout).toMatch(new RegExp(`${run.id}  completed  shell`));
  });

  test("passes instructions and prompt on stdin with the caller's environment, which is deleted later", async () => {
    const run = await start({ instructions: 'Be brief.', input: { n: 3 }, env: { ...agent.env, SECRET: 's3cret' } });
    await ended(run);
    const [call] = agent.calls();
    expect(call?.stdin).toBe('Be brief.\n\nCount\n\n## Input\n\n```json\n{\n  "n": 3\n}\n```');
    expect(call?.env).toMatchObject({ SECRET: 's3cret', ORCHD_RUN_ID: run.id });
    await expect.poll(() => readdirSync(daemon.paths.runsDir)).toEqual([]);
    expect(JSON.stringify((await ask('GET', `/runs/${run.id}`)).body)).not.toContain('s3cret');
  });

  test('starts a plain program once, for its prompt only', async () => {
    const program = join(agent.home, 'bin', 'mine.sh');
    writeFileSync(program, `#!/bin/sh\necho "$@" >> ${agent.home}/called\ncat\n`, { mode: 0o755 });
    expect(await ended(await start({ args: [program, 'now'] }))).toMatchObject({ result_text: 'Count' });
    expect(readFileSync(join(agent.home, 'called'), 'utf8')).toBe('now\n');
  });

  test('sends every schema error once and completes with the corrected result', async () => {
    agent.replies({ text: 'Sure: {"sumary": 1}' }, { text: `\`\`\`json\n${RIGHT}\n\`\`\`` });
    const run = await ended(await start({ output_schema: SCHEMA }));
    expect(run).toMatchObject({ state: 'completed', result_text: null, result_data: { summary: 'all of it' } });
    expect(run.attempts).toMatchObject([
      {
        reason: 'start',
        verdict: { ok: false, errors: [{ path: '$.summary', message: "'summary' is a required property" }] },
      },
      { reason: 'retry', verdict: { ok: true, errors: [] } },
    ]);
    const [first, second] = agent.calls();
    expect(first?.stdin).toMatch(/^## Required Output Format\n[\s\S]*\n\nCount$/);
    expect(second?.stdin).toContain("- $.summary: 'summary' is a required property");
    expect(agent.calls()).toHaveLength(2);
  });

  test('fails after the retry with every error, and `runs wait` exits with 6', async () => {
    agent.replies({ text: 'There is none.' });
    const run = await ended(await start({ output_schema: SCHEMA }));
    expect(run).toMatchObject({ state: 'failed', result_text: null, result_data: null });
    expect(run.error).toEqual({
      error: 'OutputSchemaValidationError',
      message: 'Output validation failed after 1 retry',
      errors: [{ path: '$', message: 'No JSON output found but output_schema requires structured output' }],
    });
    const waited = await daemon.orchd('runs', 'wait', run.id);
    expect([waited.code, waited.stdout]).toEqual([6, '']);
    expect(waited.stderr).toContain('Output validation failed after 1 retry\n  $: No JSON output found');
  });

  test('with an envelope has data and text, or fails with the error of the envelope', async () => {
    const data = { status: 'success', summary: 'Done', deliverables: [], next_steps: [] };
    const metadata = { agent: 'shell', task_id: 't', duration_seconds: 1 };
    const envelope = (value: object) => `<output>\n${JSON.stringify(value)}\n---\n## All done\n</output>`;
    const error = { type: 'DependencyError', message: 'no bcrypt', resolution: 'npm install bcrypt' };
    agent.replies(
      { text: envelope({ ...data, metadata }) },
      { text: envelope({ ...data, status: 'failed', metadata, error }) },
    );
    const run = await ended(await start({ output_format: 'envelope' }));
    expect(run).toMatchObject({ state: 'completed', result_data: { ...data, metadata }, result_human: '## All done' });
    expect(agent.calls()[0]?.stdin).toContain(`"task_id": "${run.id}"`);
    const said = (await daemon.orchd('runs', 'wait', run.id)).stdout;
    expect(said).toMatch(/^Done\n\nStatus: success\n[\s\S]*agent: shell[\s\S]*\n\n## All done\n$/);
    const failed = await ended(await start({ output_format: 'envelope' }));
    expect(failed).toMatchObject({ state: 'failed', error: { error: 'AgentFailed', ...error }, result_data: null });
    expect(failed.attempts.at(-1)?.envelope).toEqual({
      data: { ...data, status: 'failed', metadata, error },
      human: '## All done',
    });
    const waited = await daemon.orchd('runs', 'wait', failed.id);
    expect([waited.code, waited.stdout]).toEqual([1, '']);
    const shown = (await daemon.orchd('runs', 'show', failed.id)).stdout;
    for (const text of [waited.stderr, shown])
      for (const part of ['DependencyError: no bcrypt', 'Resolution: npm install bcrypt', '## All done'])
        expect(text).toContain(part);
  });

  test('of a blueprint has its prompt, schema and limits, and the caller cannot override the schema', async () => {
    agent.replies({ text: RIGHT });
    const definition = {
      name: 'counter',
      adapter: 'shell',
      args: [agent.file],
      prompt: 'Count all',
      output_schema: SCHEMA,
      input_schema: { type: 'object', required: ['n'] },
      env: ['SCRIPTED_HOME'],
      limits: { timeout: 60 },
    };
    expect((await ask('POST', '/agents', { body: definition })).status).toBe(201);
    const body = { blueprint: 'counter', input: { n: 1 }, env: agent.env, cwd: agent.home };
    const run = await ended((await ask('POST', '/runs', { body })).body);
    expect(run).toMatchObject({
      state: 'completed',
      blueprint: 'counter',
      result_data: { summary: 'all of it' },
      limits: { timeout: 60 },
    });
    expect((await daemon.client.call('session.show', { session: run.session_id ?? '' })).name).toBe('counter');
    const refused = await ask('POST', '/runs', { body: { ...body, input: {}, output_schema: {}, env: {} } });
    expect(refused.status).toBe(422);
    expect(refused.body.details.errors).toEqual([
      { path: '$.output_schema', message: "the blueprint 'counter' says it" },
      { path: '$.env.SCRIPTED_HOME', message: 'the blueprint needs the variable SCRIPTED_HOME, and it is not set' },
      { path: '$.input.n', message: "'n' is a required property" },
    ]);
  });

  test("reports a failing program's stderr, a missing program and an empty result", async () => {
    agent.replies({ stderr: 'no credit left\n', exit: 3 });
    expect(await ended(await start())).toMatchObject({
      state: 'failed',
      error: { error: 'AgentError', message: 'no credit left' },
      attempts: [{ exit_code: 3 }],
    });
    const missing = await ended(await start({ args: ['nowhere-to-be-found'] }));
    expect(missing.error).toEqual({
      error: 'AgentStartError',
      code: 'ORCHD_COMMAND_NOT_FOUND',
      message: 'command not found: nowhere-to-be-found',
    });
    agent.replies({});
    expect(await ended(await start())).toMatchObject({ error: { error: 'EmptyResultError' } });
  });

  test('is refused with every reason before any program starts if it is invalid', async () => {
    const none = await ask('POST', '/runs', { body: { adapter: 'shell', output_schema: { type: 'objct' } } });
    expect([none.status, none.body.code]).toEqual([422, 'ORCHD_INVALID']);
    const places = none.body.details.errors.map(({ path }: { path: string }) => path);
    expect([...new Set(places)]).toEqual(['$.output_schema.type', '$.prompt']);
    expect((await ask('POST', '/runs', { body: { prompt: 'x' } })).body.code).toBe('ORCHD_NO_BATCH');
    expect((await ask('POST', '/runs', { body: request({ args: [] }) })).body.code).toBe('ORCHD_NO_BATCH');
    for (const cwd of ['proj', '/tmp/\0']) {
      expect((await ask('POST', '/runs', { body: request({ cwd }) })).body.details.errors).toMatchObject([
        { path: '$.cwd' },
      ]);
    }
    expect((await ask('POST', '/runs', { body: { prompt: 'x', blueprint: 'none' } })).body.code).toBe(
      'ORCHD_BLUEPRINT_UNKNOWN',
    );
    expect((await ask('GET', '/runs/run_none')).body.code).toBe('ORCHD_RUN_UNKNOWN');
    expect(agent.calls()).toEqual([]);
  });
});

describe('several runs', () => {
  test('are queued above the limit of parallel runs', async () => {
    agent.replies({ text: 'Done.', hold: true });
    const runs = [await start(), await start(), await start()];
    const { seq } = await daemon.event('run_attempt_started', ({ run_id }) => run_id === runs[1]?.id);
    expect((await ask('GET', `/runs/${runs[2]?.id}`)).body.state).toBe('queued');
    expect((await ask('GET', '/runs?state=queued')).body).toMatchObject([{ id: runs[2]?.id }]);
    agent.release();
    for (const run of runs) expect((await ended(run)).state).toBe('completed');
    const third = await daemon.event('run_attempt_started', ({ run_id }) => run_id === runs[2]?.id, seq);
    const firstEnd = await daemon.event('result', ({ run_id }) => runs.some(({ id }) => id === run_id));
    expect(third.seq).toBeGreaterThan(firstEnd.seq);
  });

  test('end all their processes when cancelled, and queued ones never start any', async () => {
    agent.replies({ hold: true });
    const runs = [await start(), await start(), await start()];
    const [first, , third] = runs;
    await expect.poll(() => agent.calls().length).toBe(2);
    const pids = agent.calls().map(({ pid }) => pid);
    const queued = await ask('POST', `/runs/${third?.id}/cancel`);
    expect(queued.body).toMatchObject({ state: 'cancelled', session_id: null, error: { error: 'RunCancelled' } });
    expect((await daemon.orchd('runs', 'cancel', first?.id ?? '')).stdout).toBe(`${first?.id} cancelled\n`);
    const run = await ended(first ?? { id: '' });
    expect(run).toMatchObject({ state: 'cancelled', result_text: null });
    const killed = agent.calls().find(({ env }) => env['ORCHD_RUN_ID'] === run.id)?.pid ?? 0;
    await gone(killed);
    const session = await ask('GET', `/sessions/${run.session_id}`);
    expect(session.body).toMatchObject({ state: 'exited', ended_by: 'cli' });
    expect(pids).toContain(killed);
    expect((await ask('POST', `/runs/${run.id}/cancel`)).body.code).toBe('ORCHD_RUN_ENDED');
    expect(agent.calls()).toHaveLength(2);
  });

  test('fail with RunTimeoutError after their timeout', async () => {
    agent.replies({ hold: true });
    const run = await ended(await start({ limits: { timeout: 0.2 } }));
    expect(run).toMatchObject({
      state: 'failed',
      error: { error: 'RunTimeoutError', message: 'it took longer than 0.2 s' },
    });
  });

  test('print control characters to pipes but not to terminals', async () => {
    agent.replies({ text: 'one\x1b[2Jtwo' });
    const run = await ended(await start());
    expect((await daemon.orchd('runs', 'wait', run.id)).stdout).toBe('one\x1b[2Jtwo\n');
    const env = Object.entries(agent.env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    const bin = join(import.meta.dirname, '../../bin/orchd.js');
    const session = await daemon.sh(`node ${bin} runs start --adapter shell --arg ${agent.file} --wait mine`, ...env);
    await daemon.event('session_exited', (event) => event.session_id === session.id);
    expect((await daemon.orchd('capture', session.id)).stdout).toMatch(/one.*\[2Jtwo/);
  });

  test('have completion for ids and subcommands', async () => {
    const { id } = await ended(await start());
    expect((await daemon.orchd('__complete', 'runs', 'ca')).stdout).toBe('cancel\n');
    expect((await daemon.orchd('__complete', 'runs', 'show', id.slice(0, -1))).stdout).toBe(`${id}\n`);
  });

  test('can be retried as new runs', async () => {
    const before = await ended(await start());
    expect((await ask('POST', '/runs/none/retry', { body: {} })).status).toBe(404);
    const again = await ask('POST', `/runs/${before.id}/retry`, { body: { env: agent.env } });
    expect(again.status).toBe(201);
    const run = await ended(again.body);
    expect(run).toMatchObject({ state: 'completed', retry_of: before.id, prompt: 'Count' });
    expect(run.id).not.toBe(before.id);
  });

  test('can be cancelled by the session that started them, and not by another session', async () => {
    agent.replies({ hold: true });
    const foreign = await start();
    const script = `orchd() { node ${join(import.meta.dirname, '../../bin/orchd.js')} "$@"; }
      orchd runs cancel ${foreign.id} 2> ${agent.home}/refused; echo $? > ${agent.home}/code
      run=$(orchd runs start --adapter shell --arg ${agent.file} mine); orchd runs cancel $run > ${agent.home}/cancelled`;
    const env = Object.entries(agent.env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    const session = await daemon.sh(script, ...env);
    await daemon.event('session_exited', (event) => event.session_id === session.id);
    const [mine] = (await ask('GET', '/runs?state=cancelled&limit=1')).body;
    expect(mine).toMatchObject({ parent_session_id: session.id, prompt: 'mine' });
    expect((await ask('GET', `/runs/${foreign.id}`)).body.state).not.toBe('cancelled');
  });
});

describe('a run of an agent with conversations', () => {
  let claude: ScriptedAgent;
  beforeEach(() => {
    claude = installScriptedAgent('claude');
  });
  afterEach(() => claude.close());
  const run = async (fields: object = {}): Promise<Run> => {
    const body = { adapter: 'claude', prompt: '-p is a prompt, too', cwd: claude.home, env: claude.env, ...fields };
    return ended((await ask('POST', '/runs', { body })).body);
  };

  test('passes instructions by flag and the prompt on stdin, and retries in the conversation', async () => {
    claude.replies({ text: 'Well: {"sumary": 1}' }, { text: RIGHT });
    const done = await run({ instructions: 'Be brief.', output_schema: SCHEMA, model: 'small' });
    expect(done).toMatchObject({ state: 'completed', result_data: { summary: 'all of it' } });
    const [first, second] = claude.calls();
    expect(first?.args).toEqual(expect.arrayContaining(['--append-system-prompt', done.system, '--model', 'small']));
    expect(first?.stdin).toBe('-p is a prompt, too');
    expect(second?.args).toEqual(expect.arrayContaining(['--resume', done.agent_session_id]));
    expect(second?.stdin).toMatch(/^Your response does not match the required output schema:\n\n- \$\.summary: /);
    expect(done.attempts.map(({ text }) => text)).toEqual(['Well: {"sumary": 1}', RIGHT]);
    // The agent reports the total of the conversation, which is the same twice.
    expect(done.usage).toMatchObject({ cost_usd: 0.01 });
    expect((await daemon.client.call('session.show', { session: done.session_id ?? '' })).agent_session_id).toBe(
      done.agent_session_id,
    );
  });

  test('restarts from its beginning after a usage limit was reset', async () => {
    const resets = Math.floor(Date.now() / 1000) - 60;
    claude.replies({ error: `Claude AI usage limit reached|${resets}`, exit: 1 }, { text: 'Done.' });
    const done = await run();
    expect(done).toMatchObject({ state: 'completed', result_text: 'Done.', resumes_at: null });
    expect(done.attempts).toMatchObject([{ text: null }, { reason: 'limit_over', prompt: done.prompt, text: 'Done.' }]);
    expect(claude.calls()[1]?.args).not.toContain('--resume');
    const limited = await daemon.event('run_rate_limited', ({ run_id }) => run_id === done.id);
    expect(limited.message).toContain('usage limit reached');
  });
});

describe('a daemon that crashes', () => {
  const restart = async (): Promise<void> => {
    await daemon.crash();
    await daemon.start();
  };

  test('during an attempt still gets its result and runs nothing twice', async () => {
    agent.replies({ text: 'no JSON', hold: true }, { text: RIGHT });
    const run = await start({ output_schema: SCHEMA });
    await expect.poll(() => agent.calls().length).toBe(1);
    await restart();
    expect((await ask('GET', `/runs/${run.id}`)).body).toMatchObject({ state: 'running', attempts: [{ number: 1 }] });
    agent.release();
    expect(await ended(run)).toMatchObject({ state: 'completed', result_data: { summary: 'all of it' } });
    expect(agent.calls()).toHaveLength(2);
  });

  test('while the agent ends reads its result later', async () => {
    agent.replies({ text: RIGHT, hold: true });
    const run = await start({ output_schema: SCHEMA });
    await expect.poll(() => agent.calls().length).toBe(1);
    await daemon.crash();
    agent.release();
    await gone(agent.calls()[0]?.pid ?? 0);
    await daemon.start();
    expect(await ended(run)).toMatchObject({ state: 'completed', result_data: { summary: 'all of it' } });
    expect(agent.calls()).toHaveLength(1);
  });

  test('leaves queued runs queued, and all of them complete', async () => {
    agent.replies({ text: 'Done.', hold: true });
    const runs = [await start(), await start(), await start()];
    await expect.poll(() => agent.calls().length).toBe(2);
    await restart();
    expect((await ask('GET', `/runs/${runs[2]?.id}`)).body.state).toBe('queued');
    agent.release();
    for (const run of runs) expect((await ended(run)).state).toBe('completed');
    expect(agent.calls()).toHaveLength(3);
  });

  test('does not interrupt `runs wait`', async () => {
    agent.replies({ text: 'Done.', hold: true });
    const run = await start();
    await expect.poll(() => agent.calls().length).toBe(1);
    const waiting = daemon.orchd('runs', 'wait', run.id);
    await restart();
    agent.release();
    expect(await waiting).toMatchObject({ code: 0, stdout: 'Done.\n' });
  });

  test('together with its host fails the run with SessionLostError', async () => {
    agent.replies({ hold: true });
    const run = await start();
    await expect.poll(() => agent.calls().length).toBe(1);
    const { host } = await daemon.client.call('daemon.status', {});
    process.kill(host.pid, 'SIGKILL');
    expect(await ended(run)).toMatchObject({ state: 'failed', error: { error: 'SessionLostError' } });
  });
});

describe('orchd runs start', () => {
  const cli = (...args: string[]) => {
    const env = Object.entries(agent.env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    return daemon.orchd('runs', 'start', '--adapter', 'shell', '--arg', agent.file, ...env, ...args);
  };

  test('--wait prints only the result, so that scripts can use it', async () => {
    const file = join(agent.home, 'schema.json');
    writeFileSync(file, JSON.stringify(SCHEMA));
    agent.replies({ text: RIGHT });
    const done = await cli('--wait', '--output-schema', file, '--input', 'n=3', '--input', 'who=me', 'Count');
    expect([done.code, JSON.parse(done.stdout)]).toEqual([0, { summary: 'all of it' }]);
    expect(agent.calls()[0]?.stdin).toContain('Count\n\n## Input\n\n```json\n{\n  "n": 3,\n  "who": "me"\n}\n```');
  });

  test('prints the id without --wait, and the whole run with --json', async () => {
    const { stdout } = await cli('Count');
    expect(stdout).toMatch(/^run_\w{10}\n$/);
    const run = await daemon.json<Run>('runs', 'wait', stdout.trim());
    expect(run).toMatchObject({ id: stdout.trim(), state: 'completed', result_text: 'Done.' });
  });

  test.each([
    [['--input', '{'], 'is no JSON'],
    [['--input', 'a=1', '--input', '{}'], '--input is given once'],
    [['--max-cost', 'much'], '--max-cost takes US dollars'],
    [['--cwd', '/nowhere/at/all', '--wait'], "'/nowhere/at/all' is not a directory"],
  ])('%j is refused with the reason', async (args, words) => {
    const refused = await cli(...args, 'Count');
    expect(refused.code).toBeGreaterThan(0);
    expect(refused.stderr).toContain(words);
    expect(existsSync(join(agent.home, 'calls', '1'))).toBe(false);
  });
});

test.each([
  ['`default_adapter`', 'default_adapter = "claude"\n'],
  ['`default_adapter` beside other options of runs', 'default_adapter = "claude"\n[runs]\nparallel = 1\n'],
  ['`runs.default_adapter`', '[runs]\ndefault_adapter = "claude"\n'],
  ['`runs.adapter`, which goes first,', 'default_adapter = "codex"\n[runs]\nadapter = "claude"\n'],
])('%s in the configuration sets the adapter of runs that name none', async (_, text) => {
  const configured = await startDaemon();
  const claude = installScriptedAgent('claude');
  try {
    mkdirSync(dirname(configured.paths.configFile), { recursive: true });
    writeFileSync(configured.paths.configFile, text);
    expect((await configured.orchd('restart', '--no-tcp')).code).toBe(0);
    const { socket } = configured.paths;
    const body = { prompt: 'Count', cwd: claude.home, env: claude.env };
    const { id } = (await askHttp(socket, 'POST', '/runs', { body })).body;
    const run = (await askHttp(socket, 'GET', `/runs/${id}/wait`)).body;
    expect(run).toMatchObject({ state: 'completed', adapter: 'claude', result_text: 'Done.' });
    expect(claude.calls()).toHaveLength(1);
  } finally {
    claude.close();
    await configured.close();
  }
});
