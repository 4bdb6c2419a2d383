/** Tests that an agent may answer questions of its child sessions if the user allows it, and no other items. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient, type DaemonControl } from '../../src/client/index.js';
import type { Session } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { askHttp, type Reply } from '../harness/http.js';
import { installScriptedAgent } from '../harness/scripted-agent.js';

const QUESTION = 'echo ":ORCHESTRATOR: QUESTION - Which one?"; cat';
const BLOCKED = 'echo ":ORCHESTRATOR: BLOCKED - No key"; cat';
const REVIEW =
  `printf '%s\\n' '\`\`\`orchestrator-message' '{"type":"REQUEST_REVIEW","data":{"description":"x"}}' ` +
  `'\`\`\`'; cat`;

type As = (method: string, path: string, body?: unknown) => Promise<Reply>;

/** Starts a session with an open question. Returns it and a function that makes calls with its token. */
async function asking(daemon: TestDaemon): Promise<{ session: Session; token: string; as: As }> {
  const session = await daemon.sh(`echo "token=$ORCHD_SESSION_TOKEN="; ${QUESTION}`, '--size', '200x24');
  await daemon.openItem(session);
  const { text } = await daemon.client.call('session.capture', { session: session.id });
  const token = /token=(\w+)=/.exec(text)?.[1] ?? '';
  const as: As = (method, path, body) =>
    askHttp(daemon.paths.socket, method, path, { token, ...(body !== undefined && { body }) });
  return { session, token, as };
}

const childOf = async (as: As, script: string): Promise<Session> =>
  (await as('POST', '/api/sessions', { command: ['sh', '-c', script], cwd: '/' })).body;

describe('an agent with sessions.children_answer', () => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await startDaemon({ env: { ORCHD_SESSIONS_CHILDREN_ANSWER: 'true' } });
  });
  afterAll(() => daemon.close());
  const answer = async (as: As, of: Session) => {
    const item = await daemon.openItem(of);
    return as('POST', `/api/inbox/${item.id}/answer`, { text: 'this one', by: 'a person' });
  };

  test('starts no session that keeps more lines than the user has configured', async () => {
    const { as } = await asking(daemon);
    const script = `seq 1 4000; ${QUESTION}`;
    const body = { command: ['sh', '-c', script], cwd: '/', scrollback: 100_000, size: { cols: 80, rows: 24 } };
    const { body: child } = await as('POST', '/api/sessions', body);
    await daemon.openItem(child);
    const { text } = await daemon.client.call('session.capture', { session: child.id, scrollback: 100_000 });
    expect(text.split('\n')).toHaveLength(2000 + 24 + 1);
  });

  test('answers a QUESTION and a BLOCKED of its children and grandchildren, in its own name', async () => {
    const { session, as } = await asking(daemon);
    for (const script of [QUESTION, BLOCKED]) {
      const reply = await answer(as, await childOf(as, script));
      expect(reply.status, JSON.stringify(reply.body)).toBe(200);
      expect(reply.body.answer).toMatchObject({ text: 'this one', by: `session:${session.name}` });
    }
    const child = await childOf(as, `echo "token=$ORCHD_SESSION_TOKEN="; cat`);
    const shown = async () => (await daemon.client.call('session.capture', { session: child.id })).text;
    await expect.poll(shown).toMatch(/token=\w+=/);
    const token = /token=(\w+)=/.exec(await shown())?.[1] ?? '';
    const grandchild = await askHttp(daemon.paths.socket, 'POST', '/api/sessions', {
      token,
      body: { command: ['sh', '-c', QUESTION], cwd: '/' },
    });
    expect((await answer(as, grandchild.body)).status).toBe(200);
  });

  test('may not answer for itself, its parent, a sibling or an unrelated session', async () => {
    const { session, as } = await asking(daemon);
    const child = await childOf(as, `echo "token=$ORCHD_SESSION_TOKEN="; ${QUESTION}`);
    const sibling = await childOf(as, QUESTION);
    await daemon.openItem(child);
    const { text } = await daemon.client.call('session.capture', { session: child.id });
    const token = /token=(\w+)=/.exec(text)?.[1] ?? '';
    const asChild: As = (method, path, body) => askHttp(daemon.paths.socket, method, path, { token, body });
    const stranger = await asking(daemon);
    for (const [by, of] of [
      [as, session],
      [asChild, child],
      [asChild, session],
      [asChild, sibling],
      [as, stranger.session],
    ] as const) {
      const { status, body } = await answer(by, of);
      expect([status, body.code]).toEqual([403, 'ORCHD_FORBIDDEN']);
      expect(JSON.stringify(body)).toContain('only sessions that it started');
    }
  });

  test('types into a child with a question, and not into one with a review or a dialog', async () => {
    const { as } = await asking(daemon);
    for (const script of [REVIEW, "printf '\\033]9;look here\\007'; cat"]) {
      const child = await childOf(as, script);
      const { id, type } = await daemon.openItem(child);
      for (const [path, body] of [
        ['send', { text: 'approve' }],
        ['keys', { keys: ['y', 'Enter'] }],
      ] as const) {
        const refused = await as('POST', `/api/sessions/${child.id}/${path}`, body);
        expect([refused.status, refused.body.code]).toEqual([403, 'ORCHD_FORBIDDEN']);
        expect(JSON.stringify(refused.body)).toContain(`typing would answer the ${type}`);
      }
      expect((await daemon.client.call('inbox.show', { item: id })).state).toBe('open');
      await daemon.client.call('session.send', { session: child.id, text: 'approve' }); // a person may
    }
    const child = await childOf(as, QUESTION);
    await daemon.openItem(child);
    expect((await as('POST', `/api/sessions/${child.id}/send`, { text: 'this' })).status).toBe(200);
    await daemon.event('item_answered', ({ session_id }) => session_id === child.id);
    expect((await as('POST', `/api/sessions/${child.id}/keys`, { keys: ['x'] })).status).toBe(200);
  });

  test('types nothing into a child that asks for a review while the text waits', async () => {
    const { as } = await asking(daemon);
    const flag = join(mkdtempSync(join(tmpdir(), 'orchd-flag-')), 'asks');
    const child = await childOf(
      as,
      `stty -icanon -echo; echo ready; until [ -e ${flag} ]; do sleep 0.05; done; ${REVIEW} >/dev/null`,
    );
    await expect.poll(() => daemon.screenOf(child)).toContain('ready');
    await daemon.client.call('session.keys', { session: child.id, keys: ['Z'] }); // the draft of a person
    const sent = as('POST', `/api/sessions/${child.id}/send`, { text: 'approve' });
    await daemon.client.call('daemon.status', {});
    writeFileSync(flag, '');
    const { id } = await daemon.openItem(child);
    await daemon.client.call('session.keys', { session: child.id, keys: ['C-u'] });
    const { status, body } = await sent;
    expect([status, body.code]).toEqual([403, 'ORCHD_FORBIDDEN']);
    expect(JSON.stringify(body)).toContain('typing would answer the REQUEST_REVIEW');
    expect((await daemon.client.call('inbox.show', { item: id })).state).toBe('open');
    rmSync(dirname(flag), { recursive: true });
  });

  test('types by a terminal stream into a child with a question, and not into one with a review', async () => {
    const { session, token, as } = await asking(daemon);
    for (const mode of ['attach', 'view', 'stream'] as const) {
      const child = await childOf(as, REVIEW);
      const { id } = await daemon.openItem(child);
      const client = createClient({ socketPath: daemon.paths.socket, clientName: 'test', token });
      const terminal = await client.terminal(child.id, { mode });
      const refused = new Promise<DaemonControl>((resolve) => {
        terminal.onControl((message) => message.type === 'refused' && resolve(message));
      });
      terminal.onBytes(() => {});
      await terminal.sendBytes('\x1b[I'); // a report of focus is no typing
      await terminal.sendBytes('approve\r');
      expect(await refused).toMatchObject({ code: 'ORCHD_FORBIDDEN' });
      expect((await refused) as { error: string }).toMatchObject({
        error: expect.stringMatching(`inside session '${session.name}': typing would answer the REQUEST_REVIEW`),
      });
      await daemon.client.call('session.send', { session: child.id, text: 'approve' }); // a person may
      await daemon.event('item_answered', ({ item_id }) => item_id === id);
      await terminal.sendBytes('from the parent\r'); // no item is open now
      await expect.poll(() => daemon.screenOf(child)).toContain('from the parent');
      expect((await daemon.screenOf(child)).match(/approve/g)).toHaveLength(2); // its echo, and what cat printed
      terminal.close();
      client.close();
    }
    const child = await childOf(as, QUESTION);
    await daemon.openItem(child);
    const client = createClient({ socketPath: daemon.paths.socket, clientName: 'test', token });
    const terminal = await client.terminal(child.id);
    await terminal.sendBytes('this\r');
    await daemon.event('item_answered', ({ session_id }) => session_id === child.id);
    client.close();
  });

  test('may not answer a review or a dialog', async () => {
    const { as } = await asking(daemon);
    const review = await answer(as, await childOf(as, REVIEW));
    expect([review.status, review.body.code]).toEqual([403, 'ORCHD_FORBIDDEN']);
    const bell = await answer(as, await childOf(as, "printf '\\033]9;look here\\007'; cat"));
    expect([bell.status, bell.body.code]).toEqual([403, 'ORCHD_FORBIDDEN']);
    expect(JSON.stringify(bell.body)).toContain('QUESTION and BLOCKED only');
  });

  test('may not answer the questions of a planner or a workflow, even if it started them', async () => {
    const agent = installScriptedAgent('claude');
    try {
      const { as } = await asking(daemon);
      const how = { adapter: 'claude', cwd: agent.home, env: agent.env };
      agent.replies({ tools: [{ tool: 'planner-output', type: 'questions', questions: ['Up to which number?'] }] });
      const task = (await as('POST', '/api/tasks', { prompt: 'Count', start: true, ...how })).body;
      const asked = await daemon.event('item_opened', ({ task_id }) => task_id === task.id);
      const workflow = (await as('POST', '/api/workflows', { agentfile: 'ASK "Ship it?" -> go: "yes" | "no"', ...how }))
        .body;
      const gate = await daemon.event('item_opened', ({ workflow_id }) => workflow_id === workflow.id);
      for (const { item_id } of [asked, gate]) {
        const refused = await as('POST', `/api/inbox/${item_id}/answer`, { text: 'yes' });
        expect([refused.status, refused.body.code]).toEqual([403, 'ORCHD_FORBIDDEN']);
        expect(JSON.stringify(refused.body)).toContain('QUESTION and BLOCKED only');
        expect((await daemon.client.call('inbox.show', { item: item_id })).state).toBe('open');
      }
      const answer = await as('POST', `/api/tasks/${task.id}/answer`, { text: '10' });
      expect([answer.status, answer.body.code]).toEqual([403, 'ORCHD_FORBIDDEN']);
    } finally {
      agent.close();
    }
  });
});

test('without sessions.children_answer an agent gets 403 with the name of the setting', async () => {
  const daemon = await startDaemon();
  try {
    const { as } = await asking(daemon);
    const child = await childOf(as, QUESTION);
    const item = await daemon.openItem(child);
    for (const path of [`/api/inbox/${item.id}/answer`, `/api/sessions/${child.id}/send`]) {
      const { status, body } = await as('POST', path, { text: 'x' });
      expect([status, body.code]).toEqual([403, 'ORCHD_FORBIDDEN']);
      expect(JSON.stringify(body)).toContain('sessions.children_answer');
    }
    expect((await daemon.client.call('inbox.show', { item: item.id })).state).toBe('open');
  } finally {
    await daemon.close();
  }
});

test("a project's configuration cannot enable sessions.children_answer or sessions.read_others", async () => {
  const project = mkdtempSync(join(tmpdir(), 'orchd-project-'));
  mkdirSync(join(project, '.orchd'));
  writeFileSync(
    join(project, '.orchd/config.toml'),
    '[sessions]\nchildren_answer = true\nread_others = true\nrows = 33\n[tui]\nclipboard = "write"\n',
  );
  const daemon = await startDaemon({ cwd: project });
  try {
    const { as } = await asking(daemon);
    const item = await daemon.openItem(await childOf(as, QUESTION));
    const { status, body } = await as('POST', `/api/inbox/${item.id}/answer`, { text: 'x' });
    expect([status, body.code]).toEqual([403, 'ORCHD_FORBIDDEN']);
    const { stdout, stderr } = await daemon.orchd('config');
    expect(stderr).toContain('only your own file may set sessions.children_answer, sessions.read_others');
    expect(stdout).toContain('children_answer = false');
    expect(stdout).toContain('read_others = false');
    const stranger = await daemon.sh('cat');
    expect((await as('GET', `/api/sessions/${stranger.id}/screen`)).status).toBe(403);
    expect(stdout).toContain('rows = 33'); // The other options of the project's configuration apply.
  } finally {
    await daemon.close();
    rmSync(project, { recursive: true });
  }
});

test('with sessions.read_others an agent reads other sessions but cannot type into them', async () => {
  const daemon = await startDaemon({ env: { ORCHD_SESSIONS_READ_OTHERS: 'true' } });
  try {
    const { as } = await asking(daemon);
    const stranger = await daemon.sh('cat');
    expect((await as('GET', `/api/sessions/${stranger.id}/screen`)).status).toBe(200);
    const typed = await as('POST', `/api/sessions/${stranger.id}/send`, { text: 'x' });
    expect([typed.status, typed.body.code]).toEqual([403, 'ORCHD_FORBIDDEN']);
  } finally {
    await daemon.close();
  }
});
