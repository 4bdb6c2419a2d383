/**
 * Tests runs of interactive sessions: the agent has a terminal, the end of its turn ends the attempt, and answers to
 * its questions are typed.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Run, Session } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { type Ask, askHttp } from '../harness/http.js';
import { installTalkingAgent, type TalkingAgent } from '../harness/talking-agent.js';

const SCHEMA = { type: 'object', required: ['summary'], properties: { summary: { type: 'string' } } };
const RIGHT = '{"summary": "all of it"}';
const QUESTION = '```orchestrator-message\n{"type": "QUESTION", "data": {"question": "Which one?"}}\n```';

let daemon: TestDaemon;
let agent: TalkingAgent;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.close());
beforeEach(() => {
  agent = installTalkingAgent();
});
afterEach(() => agent.close());

const ask = (method: string, path: string, how?: Ask) => askHttp(daemon.paths.socket, method, path, how);
const start = async (fields: object = {}): Promise<Run> => {
  const about = { adapter: 'claude', prompt: '/help me\nplease', interactive: true, cwd: agent.home, env: agent.env };
  return (await ask('POST', '/runs', { body: { ...about, ...fields } })).body;
};
const ended = async ({ id }: Pick<Run, 'id'>): Promise<Run> => (await ask('GET', `/runs/${id}/wait`)).body;
const sessionOf = ({ session_id }: Run): Promise<Session> =>
  daemon.client.call('session.show', { session: session_id ?? '' });

test('an interactive run completes with the text of the turn, and then its session ends', async () => {
  const run = await ended(await start({ instructions: 'Be brief.', model: 'small' }));
  expect(run).toMatchObject({ state: 'completed', result_text: 'Done.', error: null });
  expect(agent.args().join(' ')).toContain('--append-system-prompt Be brief.');
  expect(agent.args().join(' ')).toContain('--model small');
  expect(agent.heard()).toEqual(['\u2800/help me\nplease']);
  expect(run.attempts).toMatchObject([{ number: 1, text: 'Done.', session_id: run.session_id }]);
  await daemon.event('session_exited', ({ session_id }) => session_id === run.session_id);
  // orchd ended the session with a signal, which does not count as a failure.
  expect(await sessionOf(run)).toMatchObject({ mode: 'pty', adapter: 'claude', state: 'done', signal: 'SIGHUP' });
});

test('an interactive run types the schema errors into the same session, and keep leaves it running', async () => {
  agent.replies({ text: 'Well: {"sumary": 1}' }, { text: RIGHT });
  const run = await ended(await start({ output_schema: SCHEMA, keep: true }));
  expect(run).toMatchObject({ state: 'completed', result_data: { summary: 'all of it' } });
  expect(run.attempts.map(({ session_id }) => session_id)).toEqual([run.session_id, run.session_id]);
  const heard = agent.heard();
  expect(heard).toHaveLength(2);
  expect(heard[1]).toMatch(/^Your response does not match the required output schema:\n\n- \$\.summary: /);
  expect((await sessionOf(run)).ended_at).toBeNull();
  await daemon.client.call('session.kill', { session: run.session_id ?? '' });
});

test("an interactive run waits for the answer to the agent's question and completes afterwards", async () => {
  agent.replies({ text: `I need to know.\n\n${QUESTION}` }, { text: 'It is the second.' });
  const run = await start();
  const { item_id } = await daemon.event('item_opened', ({ data }) => data['question'] === 'Which one?');
  await daemon.client.call('inbox.answer', { item: item_id, text: 'the second' });
  expect(await ended(run)).toMatchObject({ state: 'completed', result_text: 'It is the second.', attempts: [{}] });
  expect(agent.heard()).toEqual(['\u2800/help me\nplease', 'the second']);
});

test('an agent that exits without a final text fails the run, one with a final text completes it', async () => {
  agent.replies({ exit: 0 });
  expect(await ended(await start())).toMatchObject({
    state: 'failed',
    error: { error: 'AgentError', message: 'the agent ended before its turn did' },
  });
  agent.replies({}, { text: 'Last words.', exit: 0 });
  expect(await ended(await start())).toMatchObject({ state: 'completed', result_text: 'Last words.' });
});

test('cancelling an interactive run ends its session', async () => {
  agent.replies({ hold: true });
  const run = await start();
  await expect.poll(() => agent.heard().length).toBe(1);
  expect((await ask('POST', `/runs/${run.id}/cancel`)).body).toMatchObject({ state: 'cancelled' });
  expect(await sessionOf(await ended(run))).toMatchObject({ state: 'exited', ended_by: 'api' });
});

test('a daemon crash while the agent works types nothing twice, and the run completes', async () => {
  agent.replies({ text: 'no JSON', hold: true }, { text: RIGHT });
  const run = await start({ output_schema: SCHEMA });
  await expect.poll(() => agent.heard().length).toBe(1);
  await daemon.crash();
  agent.release();
  await daemon.start();
  const done = await ended(run);
  expect(done).toMatchObject({ state: 'completed', result_data: { summary: 'all of it' } });
  expect(agent.heard()).toHaveLength(2);
  await daemon.event('session_exited', ({ session_id }) => session_id === done.session_id);
});

test('an interactive run of any program completes when the program exits', async () => {
  const script = 'read -r line; echo "$line: three"';
  const run = await ended(await start({ adapter: 'shell', args: ['sh', '-c', script], prompt: 'Count' }));
  expect(run).toMatchObject({ state: 'completed', result_text: 'Count: three' });
  const unfit = await start({
    adapter: 'shell',
    args: ['sh', '-c', script],
    prompt: 'Count',
    output_schema: SCHEMA,
  });
  expect(await ended(unfit)).toMatchObject({
    state: 'failed',
    error: { error: 'OutputSchemaValidationError', message: expect.stringContaining('the program ended') },
    attempts: [{ verdict: { ok: false } }],
  });
  const long = await ended(await start({ adapter: 'shell', args: ['sh', '-c', script], prompt: 'x'.repeat(5000) }));
  expect(long.error).toMatchObject({
    error: 'AgentError',
    message: expect.stringContaining('too long for the terminal'),
  });
});
