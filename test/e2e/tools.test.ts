/**
 * Tests tools over HTTP: a call is a message that is reported once, and its answer is the result of the call, even
 * across a crash.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Event, Session } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { askHttp } from '../harness/http.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon({ env: { ORCHD_SESSIONS_TOOL_GRACE_MS: '50' } });
});
afterAll(() => daemon.close());

/** Starts a session whose program only waits for a line. Returns the session and its token. */
async function hosted(): Promise<{ session: Session; token: string }> {
  const file = join(daemon.paths.stateDir, `token-${Math.random()}`);
  const session = await daemon.sh(
    `printenv ORCHD_SESSION_TOKEN > ${file}; echo ':ORCHESTRATOR: BLOCKED - no'; read line; echo "read: ` +
      '$line"; read line',
  );
  await daemon.event('message', ({ session_id }) => session_id === session.id);
  return { session, token: readFileSync(file, 'utf8').trim() };
}

const post = (session: Pick<Session, 'id'>, body: unknown, token?: string, headers: Record<string, string> = {}) =>
  askHttp(daemon.paths.socket, 'POST', `/api/sessions/${session.id}/tools`, {
    body,
    headers,
    ...(token !== undefined && { token }),
  });

async function eventsOf(session: Session): Promise<Event[]> {
  const events: Event[] = [];
  for await (const event of daemon.client.events({ since: 0, session: session.id })) {
    if (event.event_type !== 'gap') events.push(event);
  }
  return events;
}

const questionOf = async (session: Session, question: string) =>
  daemon.event('item_opened', (event) => event.session_id === session.id && event.data['question'] === question);

test('a tool call becomes a message, and a repeated call_id is not a new one', async () => {
  const { session, token } = await hosted();
  const call = { tool: 'report_status', progress: 40, currentStep: 'Tests', call_id: 'c1' };
  const first = await post(session, call, token);
  expect(first.body).toMatchObject({ ok: true, call_id: 'c1' });
  expect((await post(session, call, token)).body).toEqual(first.body);
  const byHeader = await post(session, { tool: 'report_error', message: 'no' }, token, { 'idempotency-key': 'c2' });
  expect(byHeader.body).toMatchObject({ ok: true, call_id: 'c2' });
  const other = await post(session, { ...call, progress: 41 }, token);
  expect([other.status, other.body.code]).toEqual([409, 'ORCHD_CALL_REUSED']);
  const told = (await eventsOf(session)).filter((event) => event.event_type === 'message' && event.ear === 'tool');
  expect(told).toMatchObject([
    { message_id: first.body.message_id, source: 'tool', message: { type: 'STATUS_UPDATE', data: { progress: 40 } } },
    { source: 'tool', message: { type: 'ERROR' } },
  ]);
  expect(await daemon.client.call('session.show', { session: session.id })).toMatchObject({
    progress: 40,
    last_error: { message: 'no' },
  });
});

test('invalid input is refused with every error and creates no message', async () => {
  const { session, token } = await hosted();
  const wrong = await post(session, { tool: 'ask', options: 'a' }, token);
  expect(wrong.status).toBe(422);
  expect(wrong.body).toMatchObject({
    code: 'ORCHD_SCHEMA',
    errors: [
      { path: '$.question', message: "'question' is a required property" },
      { path: '$.options', message: "'a' is not of type 'array'" },
    ],
  });
  let deep: unknown = 'x';
  for (let i = 0; i < 200; i++) deep = { deep };
  for (const [body, code] of [
    [{ tool: 'sing' }, 'ORCHD_TOOL_UNKNOWN'],
    [{ tool: 'ask', question: 'x', more: deep }, 'ORCHD_INVALID'],
    [{ tool: 'ask', question: 'x'.repeat(300_000) }, 'ORCHD_TOO_LARGE'],
    [{ question: 'x' }, 'ORCHD_INVALID'],
  ] as const) {
    expect((await post(session, body, token)).body.code).toBe(code);
  }
  expect((await eventsOf(session)).some((event) => event.event_type === 'message' && event.ear === 'tool')).toBe(false);
});

test('a session may call tools only as itself', async () => {
  const [one, other] = [await hosted(), await hosted()];
  const call = { tool: 'report_status', progress: 1 };
  expect((await post(one.session, call, other.token)).body.code).toBe('ORCHD_FORBIDDEN');
  expect((await post(one.session, call)).body.ok, 'a person may, for any').toBe(true);
});

test('ask returns the answer as its result, which is never typed', async () => {
  const { session, token } = await hosted();
  const asking = post(session, { tool: 'ask', question: 'Which?', options: ['JWT', 'OAuth2'] }, token);
  const { item_id } = await questionOf(session, 'Which?');
  expect(await daemon.client.call('inbox.show', { item: item_id })).toMatchObject({ awaited: true });
  await daemon.client.call('inbox.answer', { item: item_id, option: 2, by: 'test' });
  expect((await asking).body).toMatchObject({ ok: true, answer: 'OAuth2', option: 2, by: 'test', item_id });
  await daemon.event('answer_acknowledged', (event) => event.item_id === item_id);
  const events = await eventsOf(session);
  const about = events.filter((event) => 'item_id' in event && event.item_id === item_id);
  // The notification comes after a second. On a slow machine, that is before the answer.
  const steps = about.map(({ event_type }) => event_type).filter((type) => type !== 'item_notified');
  expect(steps).toEqual(['item_opened', 'item_answered', 'answer_accepted', 'answer_written', 'answer_acknowledged']);
  const { stdout } = await daemon.orchd('capture', session.id);
  expect(stdout).not.toContain('read:');
});

test('an answer as a result may have many lines, and declined is reported', async () => {
  const { session, token } = await hosted();
  const asking = post(session, { tool: 'ask', question: 'How?' }, token);
  const text = `first\nsecond ${'long '.repeat(2000)}`;
  await daemon.client.call('inbox.answer', { item: (await questionOf(session, 'How?')).item_id, text });
  expect((await asking).body.answer).toBe(text);
  const again = post(session, { tool: 'ask', question: 'May I?' }, token);
  await daemon.client.call('inbox.answer', { item: (await questionOf(session, 'May I?')).item_id, decline: true });
  expect((await again).body).toMatchObject({ ok: true, answer: 'declined', declined: true });
});

test('a session is working again once all its items are answered', async () => {
  const { session, token } = await hosted();
  await post(session, { tool: 'report_status', currentStep: 'x' }, token);
  const [one, two] = ['One?', 'Two?'].map((question) => post(session, { tool: 'ask', question }, token));
  const state = async () => (await daemon.client.call('session.show', { session: session.id })).state;
  const first = await questionOf(session, 'One?');
  const second = await questionOf(session, 'Two?');
  const blocked = await daemon.client.call('inbox.list', { session: session.id });
  await daemon.client.call('inbox.answer', {
    item: blocked.find(({ type }) => type === 'BLOCKED')?.id ?? '',
    text: 'on',
  });
  await daemon.client.call('inbox.answer', { item: first.item_id, text: '1' });
  expect((await one)?.body.answer).toBe('1');
  await daemon.event('answer_acknowledged', ({ item_id }) => item_id === first.item_id);
  await daemon.client.call('inbox.answer', { item: second.item_id, text: '2' });
  expect((await two)?.body.answer).toBe('2');
  await daemon.event('answer_acknowledged', ({ item_id }) => item_id === second.item_id);
  await daemon.client.call('session.wait', { session: session.id, until: 'working' });
  expect(await state()).toBe('working');
});

test('request_review gets a typed answer without wait and a result with wait', async () => {
  const { session, token } = await hosted();
  const { body } = await post(session, { tool: 'request_review', description: 'Look' }, token);
  expect(body).toMatchObject({ ok: true, item_id: expect.stringMatching(/^itm_/) });
  await daemon.client.call('inbox.answer', { item: body.item_id, option: 1 });
  await daemon.event('answer_written', (event) => event.item_id === body.item_id);
  const asking = post(session, { tool: 'request_review', description: 'Again', wait: true }, token);
  const opened = await daemon.event('item_opened', (event) => event.data['description'] === 'Again');
  await daemon.client.call('inbox.answer', { item: opened.item_id, option: 2, text: 'shorter' });
  expect((await asking).body.answer).toBe('request changes: shorter');
});

test('a call that times out keeps its question open, and the same call_id waits again', async () => {
  const { session, token } = await hosted();
  const call = { tool: 'ask', question: 'Still there?', call_id: 'mine' };
  const late = await post(session, { ...call, timeout_ms: 0 }, token);
  expect([late.status, late.body.code]).toEqual([408, 'ORCHD_TIMEOUT']);
  const { item_id, call_id } = late.body.details;
  expect(call_id).toBe('mine');
  await daemon.client.call('inbox.answer', { item: item_id, text: 'yes' });
  const stalled = await daemon.event('answer_stalled', (event) => event.item_id === item_id);
  expect(stalled.reason, 'a program that is no agent is not typed to').toBe('nobody_waits');
  expect((await post(session, call, token)).body).toMatchObject({ ok: true, answer: 'yes', item_id });
  expect((await post(session, call, token)).body, 'however often it is asked').toMatchObject({ answer: 'yes' });
  const asked = (await eventsOf(session)).filter(
    (event) => event.event_type === 'item_opened' && event.item_id === item_id,
  );
  expect(asked).toHaveLength(1);
});

test('ask fails with ORCHD_ITEM_WITHDRAWN if its question is withdrawn', async () => {
  const { session, token } = await hosted();
  const asking = post(session, { tool: 'ask', question: 'Why?' }, token);
  await questionOf(session, 'Why?');
  await daemon.orchd('kill', session.id);
  expect((await asking).body.code).toBe('ORCHD_ITEM_WITHDRAWN');
});

test('fifty callers each get their own answer, and fifty with one call_id ask once', async () => {
  const { session, token } = await hosted();
  const calls = Array.from({ length: 50 }, (_, i) => post(session, { tool: 'ask', question: `Q${i}?` }, token));
  const one = Array.from({ length: 50 }, () =>
    post(session, { tool: 'ask', question: 'Same?', call_id: 'same' }, token),
  );
  for (let i = 0; i < 50; i++) {
    const { item_id } = await questionOf(session, `Q${i}?`);
    await daemon.client.call('inbox.answer', { item: item_id, text: `A${i}` });
  }
  await daemon.client.call('inbox.answer', { item: (await questionOf(session, 'Same?')).item_id, text: 'once' });
  const replies = await Promise.all(calls);
  expect(replies.map(({ body }) => body.answer)).toEqual(Array.from({ length: 50 }, (_, i) => `A${i}`));
  expect(new Set((await Promise.all(one)).map(({ body }) => body.answer))).toEqual(new Set(['once']));
  const same = (await eventsOf(session)).filter(
    (event) => event.event_type === 'item_opened' && event.data['question'] === 'Same?',
  );
  expect(same).toHaveLength(1);
});

test('a daemon crash during ask neither repeats the question nor loses the answer', async () => {
  const { session, token } = await hosted();
  const call = { tool: 'ask', question: 'Crash?', call_id: 'crash' };
  const lost = post(session, call, token).catch(() => null);
  const { item_id } = await questionOf(session, 'Crash?');
  await daemon.crash();
  await lost;
  await daemon.start();
  const asking = post(session, call, token);
  await daemon.client.call('inbox.answer', { item: item_id, text: 'still me' });
  expect((await asking).body).toMatchObject({ answer: 'still me', item_id });
  const repeated = await post(session, { tool: 'report_status', progress: 9, call_id: 'known' }, token);
  await daemon.event('answer_acknowledged', (event) => event.item_id === item_id);
  await daemon.crash();
  await daemon.start();
  expect((await post(session, { tool: 'report_status', progress: 9, call_id: 'known' }, token)).body.ok).toBe(true);
  const told = (await eventsOf(session)).filter((event) => event.event_type === 'message' && event.ear === 'tool');
  expect(told).toHaveLength(2);
  expect(told.at(-1)).toMatchObject({ message_id: repeated.body.message_id });
});

test("explain leads from a tool's message to its journal note", async () => {
  const { session, token } = await hosted();
  const { body } = await post(session, { tool: 'task_complete', summary: 'Done' }, token);
  const explained = await daemon.client.call('event.explain', { what: body.message_id });
  expect(explained.rule).toEqual([
    'A tool of the agent said it.',
    'It had the form of a call of a tool: message 2 of turn 0.',
  ]);
  expect(explained.bytes?.records).toMatchObject([{ kind: 'note', name: 'tool', data: { tool: 'task_complete' } }]);
  expect(explained.heard_again).toBe(true);
});
