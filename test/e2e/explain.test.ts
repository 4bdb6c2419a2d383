/**
 * Tests explanations: orchd traces every event back to the bytes that caused it, from the journal and the log alone,
 * even if the session is gone.
 */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Event, OutputOf, Session } from '../../src/protocol/index.js';
import { gone, startDaemon, type TestDaemon } from '../harness/daemon.js';
import { askHttp } from '../harness/http.js';

type Explanation = OutputOf<'event.explain'>;

/** A script that asks with a bold text, prints an invalid block, and completes. */
const STORY = `
printf 'hello\\n\\033[1m:ORCHESTRATOR: QUESTION - Which?\\033[0m\\n'
read -r answer
printf '%s\\n' '\`\`\`orchestrator-message' '{"type":"QUESTION","data":{}}' '\`\`\`'
echo ':ORCHESTRATOR: TASK COMPLETE - told'`;

let daemon: TestDaemon;
let dir: string;
let story: Session;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'orchd-explain-'));
  daemon = await startDaemon();
  story = await daemon.sh(STORY, '--name', 'story', '--size', '60x10');
  const item = await daemon.openItem(story);
  await daemon.orchd('answer', item.id, 'the second');
  await daemon.orchd('wait', story.id);
});
afterAll(async () => {
  await daemon.close();
  rmSync(dir, { recursive: true });
});

const explain = (what: string | number): Promise<Explanation> =>
  daemon.client.call('event.explain', { what: String(what) });

async function eventsOf({ id }: Session): Promise<Event[]> {
  const events: Event[] = [];
  // No event was pruned.
  for await (const event of daemon.client.events({ session: id, since: 0 })) events.push(event as Event);
  return events;
}

async function only(session: Session, type: Event['event_type']): Promise<Event> {
  const found = (await eventsOf(session)).find(({ event_type }) => event_type === type);
  if (!found) throw new Error(`no ${type}`);
  return found;
}

const types = (events: readonly object[]) => events.map((event) => (event as Event).event_type);
const markedText = ({ screen }: Explanation) => screen?.marked.map((row) => screen.rows[row]?.trim());

describe('an explanation', () => {
  test('of a message has its bytes, screen, rule, verdict, route and delivery', async () => {
    const message = await only(story, 'message');
    const explanation = await explain(message.seq);
    expect(explanation).toMatchObject({
      what: 'event',
      heard_again: true,
      bytes: {
        ear: 'lines',
        escaped: ':ORCHESTRATOR: QUESTION - Which?\\e[0m\\r\\n',
        text: ':ORCHESTRATOR: QUESTION - Which?\n',
      },
      verdict: { accepted: true, schema: 'protocol/messages/question.schema.json', key: 'not required', errors: [] },
      copies: [{ standing: 'told', ear: 'lines' }],
      missing: [],
    });
    expect(explanation.rule.join(' ')).toContain('a marker `:ORCHESTRATOR:` on a row of its own, beginning on line 2');
    expect(explanation.screen).toMatchObject({ size: { cols: 60, rows: 10 }, marked: [1] });
    expect(explanation.screen?.rows.slice(0, 3)).toEqual(['hello', ':ORCHESTRATOR: QUESTION - Which?', '']);
    // The notification comes after a second. On a slow machine, that is before the answer.
    expect(types(explanation.route).filter((type) => type !== 'item_notified')).toEqual([
      'message',
      'item_opened',
      'item_answered',
      'answer_accepted',
      'answer_written',
      'answer_acknowledged',
    ]);
  });

  test('of a delivery has its position in the journal and its evidence', async () => {
    const { delivery, bytes } = await explain((await only(story, 'answer_written')).seq);
    expect(delivery).toMatchObject({ state: 'acknowledged', text: 'the second\\r', failed: null, entered_again: null });
    expect(delivery?.evidence).not.toBe('');
    expect(bytes?.records).toMatchObject([{ kind: 'input', phase: 'begin', text: 'the second\r' }]);
    for (const [place, phase] of [
      [delivery?.begun, 'begin'],
      [delivery?.written, 'end'],
    ] as const) {
      const { records } = await daemon.client.call('session.journal', {
        session: story.id,
        from: place?.position ?? 0,
      });
      expect(records[0]).toMatchObject({ kind: 'input', phase, position: place?.position });
    }
  });

  test('of a rejection has the validation errors and the schema', async () => {
    const explanation = await explain((await only(story, 'message_rejected')).seq);
    expect(explanation).toMatchObject({ heard_again: true, bytes: { ear: 'lines' } });
    expect(explanation.verdict).toMatchObject({
      accepted: false,
      reason: 'schema',
      schema: 'protocol/messages/question.schema.json',
      errors: [{ path: '$.data.question', message: "'question' is a required property" }],
    });
    expect(markedText(explanation)).toEqual(['```orchestrator-message', '{"type":"QUESTION","data":{}}', '```']);
  });

  test('exists for every event, and each heard event is heard again from the journal', async () => {
    for (const { seq, event_type } of await eventsOf(story)) {
      const { heard_again, rule, missing } = await explain(seq);
      expect([event_type, heard_again, missing]).toEqual([event_type, heard_again ?? null, []]);
      expect(heard_again, event_type).not.toBe(false);
      expect(rule, event_type).not.toEqual([]);
    }
    expect((await explain(1)).rule).toEqual(['A daemon began, and took the log over.']);
  });
});

test('of a shell at its prompt says how that was seen', async () => {
  const { id } = await daemon.client.call('session.start', { command: ['bash', '--norc'] });
  const { seq } = await daemon.event('session_idle_changed', ({ session_id, idle }) => session_id === id && idle);
  expect((await explain(seq)).rule).toEqual(['Its processes and its terminal showed that it waits at its prompt.']);
  await daemon.client.call('session.kill', { session: id, grace_ms: 0 });
});

test('of an item leads to its message, and a prefix of the id is enough', async () => {
  const [item] = await daemon.client.call('inbox.list', { all: true, session: story.id });
  const message = await only(story, 'message');
  expect(await explain(item?.id.slice(0, 10) ?? '')).toMatchObject({
    what: 'item',
    event: { seq: message.seq },
    item: { id: item?.id },
    delivery: { state: 'acknowledged' },
  });
  expect(await explain(item?.message_id ?? '')).toMatchObject({ what: 'event', event: { seq: message.seq } });
});

test('of a state has the event that caused it', async () => {
  const done = await explain('story');
  expect(done).toMatchObject({ what: 'state', event: { state: 'done', state_source: 'message' }, heard_again: true });
  expect(done.bytes?.text).toBe(':ORCHESTRATOR: TASK COMPLETE - told\n');
  expect(types(done.route)).toEqual(Array(4).fill('session_state_changed'));
  const failed = await daemon.sh('exit 7');
  await daemon.orchd('wait', failed.id);
  expect(await explain(failed.id)).toMatchObject({
    summary: expect.stringContaining('has failed, as its process shows. Before, it was '),
    rule: ['The program ended with exit code 7.'],
    bytes: { records: [{ kind: 'exit', exitCode: 7 }] },
  });
});

test('of a state has the message that caused it, not one before it in the same output', async () => {
  const status = JSON.stringify({ type: 'STATUS_UPDATE', data: { progress: 10, currentStep: 'Reading' } });
  const block = `\`\`\`orchestrator-message\n${status}\n\`\`\``;
  const session = await daemon.sh(`printf '%s\n' '${block}' ':ORCHESTRATOR: QUESTION - Which one?'; read -r a`);
  await daemon.openItem(session);
  expect((await explain(session.id)).summary).toContain('because it sent a message QUESTION: “Which one?”.');
  await daemon.client.call('session.kill', { session: session.id, grace_ms: 100 });
});

test("of a message separates the echo of typed text from the program's own output", async () => {
  const marker = ':ORCHESTRATOR: QUESTION - The same?';
  const session = await daemon.sh(`read -r a; echo "$a"; read -r b; echo "$a"; read -r c`);
  await daemon.orchd('send', session.id, marker);
  await daemon.event(
    'session_state_changed',
    ({ session_id, state }) => session_id === session.id && state === 'working',
  );
  await daemon.orchd('send', session.id, 'go on');
  const item = await daemon.openItem(session);
  const { copies } = await explain(item.id);
  const why = `Session '${session.name}' is waiting, because it sent a message QUESTION: “The same?”. Before, it was working.`;
  expect((await explain(session.id)).summary).toBe(why);
  expect(copies.map(({ standing, text }) => [standing, text.trim()])).toEqual([
    ['echo', marker],
    ['told', marker],
  ]);
  await daemon.client.call('session.kill', { session: session.id, grace_ms: 100 });
});

test('of a message on a painted screen marks its rows on the screen of that moment', async () => {
  const script = join(import.meta.dirname, '../harness/painted-agent.mjs');
  writeFileSync(join(dir, 'claude'), `#!/bin/sh\nexec '${process.execPath}' '${script}'\n`, { mode: 0o755 });
  const env = ['--env', `AGENT_LOG=${join(dir, 'log')}`];
  const agent = await daemon.json<Session>('run', '-d', '--json', ...env, '--', join(dir, 'claude'));
  await daemon.orchd('send', agent.id, 'Please begin.');
  const explanation = await explain((await daemon.openItem(agent)).id);
  expect(explanation).toMatchObject({ heard_again: true, bytes: { ear: 'screen' }, screen: { size: agent.size } });
  expect(explanation.rule[0]).toContain("the adapter 'claude'");
  expect(markedText(explanation)?.join('')).toContain('Which authentication method should I use?');
  await daemon.client.call('session.kill', { session: agent.id, grace_ms: 100 });
});

describe('a missing part', () => {
  test('of the journal is named, and the remaining bytes are shown', async () => {
    const session = await daemon.sh(`yes 0123456789 | head -n 800000; echo ':ORCHESTRATOR: TASK COMPLETE - late'`);
    await daemon.orchd('wait', session.id);
    const [first = ''] = readdirSync(join(daemon.paths.journalsDir, session.id))
      .filter((name) => name.endsWith('.journal'))
      .sort();
    rmSync(join(daemon.paths.journalsDir, session.id, first));
    const { seq } = await only(session, 'message');
    const explanation = await explain(seq);
    expect(explanation).toMatchObject({ heard_again: false, screen: null });
    expect(explanation.bytes?.text).toBe(':ORCHESTRATOR: TASK COMPLETE - late\n');
    expect(explanation.missing.join('\n')).toMatch(
      /^The journal from 0 to \d+ cannot be read: .* gone\.\nThe beginning of its journal was dropped/,
    );
    rmSync(join(daemon.paths.journalsDir, session.id), { recursive: true });
    expect(await explain(seq)).toMatchObject({ verdict: { accepted: true }, screen: null, bytes: { printed: 0 } });
    expect((await explain(seq)).missing).toEqual([
      'There is no journal of this session any more.',
      'The bytes that it came from are gone.',
    ]);
  });

  test('of the log, or an unknown id, gives exit code 3', async () => {
    for (const what of ['0', '999999', 'nobody', 'msg_nothing']) {
      const { code, stderr } = await daemon.orchd('explain', what);
      expect(code, stderr).toBe(3);
      expect(stderr).toMatch(/^orchd: .+\n {2}See `orchd .+\n$/);
    }
  });
});

test('a program inside a session may explain its own session only', async () => {
  const session = await daemon.sh('echo "token=$ORCHD_SESSION_TOKEN="; read x', '--size', '200x24');
  let token: string | undefined;
  await expect
    .poll(async () => {
      const { text } = await daemon.client.call('session.capture', { session: session.id });
      token = /token=(\w+)=/.exec(text)?.[1];
      return token;
    })
    .toBeDefined();
  const ask = (path: string) => askHttp(daemon.paths.socket, 'GET', path, { ...(token !== undefined && { token }) });
  expect((await ask(`/api/explain/${session.id}`)).status).toBe(200);
  expect((await ask(`/api/sessions/${session.id}/journal`)).status).toBe(200);
  expect((await ask('/api/explain/1')).status).toBe(200);
  for (const path of [`/api/explain/${story.id}`, `/api/sessions/${story.id}/journal`]) {
    expect((await ask(path)).body.code, path).toBe('ORCHD_FORBIDDEN');
  }
  await daemon.client.call('session.kill', { session: session.id, grace_ms: 100 });
});

test('the CLI prints every section of an explanation without control characters', async () => {
  const item = (await daemon.client.call('inbox.list', { all: true, session: story.id }))[0];
  const { stdout, code } = await daemon.orchd('explain', item?.id ?? '');
  expect(code).toBe(0);
  const titles = stdout.split('\n').filter((line) => /^[a-z]+$/.test(line));
  expect(titles).toEqual(['rule', 'bytes', 'screen', 'verdict', 'route', 'delivery']);
  expect(stdout).toContain('  ▌ :ORCHESTRATOR: QUESTION - Which?\n');
  expect(stdout).toContain('  typed: the second\\r\n');
  expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
});

test('a message of a revived session is explained from its own part of the journal', async () => {
  const session = await daemon.sh(`echo ':ORCHESTRATOR: QUESTION - again?'; read x`);
  await daemon.openItem(session);
  await daemon.client.call('session.kill', { session: session.id, grace_ms: 100 });
  expect((await daemon.orchd('revive', session.id)).code).toBe(0);
  const item = await daemon.openItem(session);
  expect(await explain(item.id)).toMatchObject({ heard_again: true, screen: { marked: [0] } });
  for (const { seq, event_type } of await eventsOf(session)) {
    const { heard_again, rule } = await explain(seq);
    expect([event_type, heard_again === false, rule.length > 0]).toEqual([event_type, false, true]);
  }
  await daemon.client.call('session.kill', { session: session.id, grace_ms: 100 });
});

test('a message of a session that was lost with its host can be explained', async () => {
  const lost = await startDaemon();
  const before = daemon;
  try {
    daemon = lost;
    const session = await daemon.sh(`echo ':ORCHESTRATOR: QUESTION - lost?'; read x`);
    const item = await daemon.openItem(session);
    const { host } = await daemon.client.call('daemon.status', {});
    process.kill(host.pid, 'SIGKILL');
    await gone(host.pid);
    await daemon.event('session_lost', (event) => event.session_id === session.id);
    expect(await explain(item.id)).toMatchObject({ heard_again: true, bytes: { printed: 33 }, missing: [] });
    expect(await explain(session.id)).toMatchObject({
      event: { state: 'lost' },
      rule: ['The host that held the terminal was gone.'],
      heard_again: null,
    });
  } finally {
    daemon = before;
    await lost.close();
  }
});
