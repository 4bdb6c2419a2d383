/**
 * Tests imports: a recording is heard as if it had run here at its own time, and it is imported completely or not at
 * all.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Event, OutputOf, Session } from '../../src/protocol/index.js';
import { hearCast } from '../../src/session/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { askHttp } from '../harness/http.js';
import { recordingsIn } from '../recordings.js';

const SCREENS = join(import.meta.dirname, '../../fixtures/screen');
const START = 1795293844;
const QUESTION = { question: 'Which?', default: 'this', deadlineSeconds: 1 };
const BLOCK = `\`\`\`orchestrator-message\r\n${JSON.stringify({ type: 'QUESTION', data: QUESTION })}\r\n\`\`\`\r\n`;
const LINES = [
  JSON.stringify({ version: 3, term: { cols: 60, rows: 10 }, timestamp: START, command: "sh -c 'ask me'" }),
  JSON.stringify([1, 'o', ':ORCHESTRATOR: QUESTION - First?\r\n> ']),
  JSON.stringify([2, 'i', 'yes\r']),
  JSON.stringify([0.1, 'o', 'yes\r\ngoing on\r\n']),
  JSON.stringify([0.4, 'r', '70x12']),
  JSON.stringify([0.5, 'o', BLOCK]),
  JSON.stringify([6, 'x', '3']),
];

let daemon: TestDaemon;
let dir: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'orchd-import-'));
  daemon = await startDaemon();
});
afterAll(async () => {
  await daemon.close();
  rmSync(dir, { recursive: true });
});

function file(name: string, content: string | Buffer): string {
  const path = join(dir, name);
  writeFileSync(path, content);
  return path;
}

const imported = (...args: string[]): Promise<Session> => daemon.json<Session>('import', ...args);

async function eventsOf({ id }: Session): Promise<Event[]> {
  const events: Event[] = [];
  // No event was pruned.
  for await (const event of daemon.client.events({ session: id, since: 0 })) events.push(event as Event);
  return events;
}

/** Formats events without the parts that differ in each run. */
const withoutIds = (events: readonly Event[]): string =>
  JSON.stringify(events.map(({ seq: _seq, ...event }) => ({ ...event, name: '' }))).replaceAll(
    /"((?:ses|itm|msg)_)\w+"/g,
    '"$1"',
  );

test('an imported recording is an ended session with its state, times, events and items', async () => {
  const session = await imported(file('story.cast', LINES.join('\n')));
  const at = (seconds: number) => new Date((START + seconds) * 1000).toISOString();
  expect(session).toMatchObject({
    name: 'story',
    state: 'failed',
    exit_code: 3,
    imported: true,
    command: ['sh', '-c', 'ask me'],
    size: { cols: 70, rows: 12 },
    created_at: at(0),
    ended_at: at(10),
    open_items: 0,
    turn: 1,
  });
  const events = await eventsOf(session);
  expect(events.map(({ event_type, timestamp }) => [event_type, timestamp])).toEqual([
    ['session_started', at(0)],
    ['session_state_changed', at(1)],
    ['message', at(1)],
    ['item_opened', at(1)],
    ['session_state_changed', at(1)],
    ['session_state_changed', at(3)],
    ['item_answered', at(3.1)],
    ['message', at(4)],
    ['item_opened', at(4)],
    ['session_state_changed', at(4)],
    ['item_withdrawn', at(10)],
    ['session_state_changed', at(10)],
    ['session_exited', at(10)],
  ]);
  const items = await daemon.client.call('inbox.list', { all: true, session: session.id });
  expect(items.map(({ state, answer }) => [state, answer?.by])).toEqual([
    ['answered', 'terminal'],
    ['withdrawn', undefined],
  ]);
  expect(await daemon.client.call('inbox.list', {})).toEqual([]);
  const revived = await daemon.orchd('revive', 'story');
  expect([revived.code, revived.stderr]).toEqual([4, expect.stringContaining('it is a recording')]);
});

test('an imported recording is captured, replayed, exported and explained like any session', async () => {
  const session = await imported(file('again.cast', LINES.join('\n')));
  expect((await daemon.orchd('capture', 'again')).stdout).toContain('> yes\ngoing on\n```orchestrator-message\n');
  expect((await daemon.orchd('replay', 'again', '--at', '2s')).stdout).toBe(':ORCHESTRATOR: QUESTION - First?\n> \n');
  const { stdout } = await daemon.orchd('export', 'again', '--cast');
  expect(withoutIds(await eventsOf(await imported(file('third.cast', stdout))))).toBe(
    withoutIds(await eventsOf(session)),
  );
  for (const { seq, event_type } of await eventsOf(session)) {
    const { heard_again, missing } = await daemon.client.call('event.explain', { what: String(seq) });
    expect([event_type, heard_again === false, missing]).toEqual([event_type, false, []]);
  }
});

test('the same recording gives the same events each time, also from a gzip file', async () => {
  const plain = await eventsOf(await imported(file('one.cast', LINES.join('\n'))));
  const zipped = await eventsOf(await imported(file('two.cast.gz', gzipSync(LINES.join('\r\n')))));
  expect(withoutIds(zipped)).toBe(withoutIds(plain));
});

test('a second import of a file gets a unique name, and ls marks both as imported', async () => {
  const path = file('twin.cast', LINES.join('\n'));
  expect([await imported(path), await imported(path)].map(({ name }) => name)).toEqual(['twin', 'twin-2']);
  expect((await daemon.orchd('ls')).stdout).toMatch(/twin-2 .* imported /);
});

test('imported agent recordings give the messages of `orchd parse --cast` and can be explained', async () => {
  const wanted = ['claude-question-80x24.cast', 'codex-dup-80x24.cast', 'gemini-question-80x24.cast'];
  const recordings = recordingsIn(SCREENS).filter(({ name }) => wanted.includes(name));
  expect(recordings.length).toBeGreaterThan(1);
  for (const { name, text } of recordings) {
    const parsing = hearCast(text());
    if (!parsing.ok) throw new Error(parsing.message);
    const session = await imported(file(name, text()));
    const events = await eventsOf(session);
    const said = events.flatMap((event) => (event.event_type === 'message' ? [event.message] : []));
    expect(said, name).toEqual(
      parsing.events.flatMap((event) => (event.event_type === 'message' ? [event.message] : [])),
    );
    for (const { seq, event_type } of events) {
      const { heard_again } = await daemon.client.call('event.explain', { what: String(seq) });
      expect([name, event_type, heard_again === false]).toEqual([name, event_type, false]);
    }
  }
});

test('import accepts version 1, stdin, and a recording without a timestamp', async () => {
  const old = { version: 1, width: 40, height: 5, stdout: [[0.5, ':ORCHESTRATOR: TASK COMPLETE - old\r\n']] };
  const session = await imported(file('old.json', JSON.stringify(old, null, 1)), '--name', 'v1');
  expect(session).toMatchObject({ name: 'v1', state: 'done', exit_code: null, size: { cols: 40, rows: 5 } });
  expect(Date.parse(session.ended_at ?? '') - Date.parse(session.created_at)).toBe(500);
  const child = daemon.follow('import', '-', '--name', 'piped', '-q');
  child.stdin?.end(LINES.join('\n'));
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
  expect((await daemon.client.call('session.show', { session: 'piped' })).state).toBe('failed');
});

test('import --key accepts only messages with the key', async () => {
  const session = await imported(file('key.cast', LINES.join('\n')), '--key', 's3cret');
  expect(session.key_required).toBe(true);
  expect((await eventsOf(session)).filter(({ event_type }) => event_type === 'message')).toEqual([]);
});

describe('a failing import leaves nothing', () => {
  const journals = () => readdirSync(daemon.paths.journalsDir).sort();

  test('if the recording is damaged: the error names the line', async () => {
    const before = [await daemon.client.call('session.list', {}), journals()];
    const { last_seq } = await daemon.client.call('daemon.status', {});
    const cut = gzipSync(LINES.join('\n'));
    for (const [path, words] of [
      [file('a.cast', [...LINES.slice(0, 3), '[0.1, "o"', ...LINES.slice(3)].join('\n')), 'line 4: expected an event'],
      [file('b.cast', LINES.join('\n').replace('70x12', 'large')), 'line 5: expected a size'],
      [file('c.cast.gz', cut.subarray(0, cut.length - 20)), 'what follows cannot be read'],
      [file('d.cast', 'hello\n'), 'line 1: expected the header'],
      [file('e.cast', ''), 'line 1: there is nothing in it'],
    ] as const) {
      const { code, stderr } = await daemon.orchd('import', path);
      expect(stderr).toContain(words);
      expect(stderr).toContain('Nothing was imported');
      expect(code, path).toBe(1);
    }
    expect([await daemon.client.call('session.list', {}), journals()]).toEqual(before);
    expect((await daemon.client.call('daemon.status', {})).last_seq).toBe(last_seq);
  });

  test('if the file is empty: the error names the file as the user wrote it', async () => {
    const empty = 'line 1: there is nothing in it';
    expect((await daemon.orchd('import', '/dev/null')).stderr).toContain(`orchd: /dev/null: ${empty}`);
    expect((await daemon.orchd('import', '-')).stderr).toContain(`orchd: standard input: ${empty}`);
  });

  test('if it is a pipe, device or folder: the daemon refuses at once and is not blocked', async () => {
    const pipe = join(dir, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const ask = (path: string) =>
      askHttp(daemon.paths.socket, 'POST', '/api/sessions/import', { body: { file: path } });
    // There are more pipes than threads in the file system's thread pool.
    for (const path of [...Array<string>(8).fill(pipe), '/dev/zero', dir]) {
      const { status, body } = await ask(path);
      expect([status, body.code, body.error], path).toEqual([422, 'ORCHD_FILE', `${path} is not a regular file`]);
    }
    expect((await ask('/tmp/a\0b')).body.code).toBe('ORCHD_INVALID');
  });

  test('if the file is missing or a folder, or if a program inside a session imports', async () => {
    expect((await daemon.orchd('import', join(dir, 'none.cast'))).code).toBe(1);
    expect((await daemon.orchd('import', dir)).code).toBe(1);
    const session = await daemon.sh('echo "token=$ORCHD_SESSION_TOKEN="; read x', '--size', '200x24');
    let token = '';
    await expect
      .poll(async () => {
        const { text } = await daemon.client.call('session.capture', { session: session.id });
        token = /token=(\w+)=/.exec(text)?.[1] ?? '';
        return token;
      })
      .not.toBe('');
    const body = { file: file('f.cast', LINES.join('\n')) };
    const reply = await askHttp(daemon.paths.socket, 'POST', '/api/sessions/import', { token, body });
    expect([reply.status, reply.body.code]).toEqual([403, 'ORCHD_FORBIDDEN']);
    await daemon.client.call('session.kill', { session: session.id, grace_ms: 100 });
  });
});

test('retention counts from the import, so an old recording keeps its events and items', async () => {
  const old = LINES.with(0, JSON.stringify({ ...JSON.parse(LINES[0] ?? ''), timestamp: 1_577_836_800 }));
  const session = await imported(file('old.cast', old.join('\n')));
  expect(session).toMatchObject({
    ended_at: expect.stringMatching(/^2020-/),
    imported_at: expect.not.stringMatching(/^2020-/),
  });
  const items = async () =>
    (await daemon.client.call('inbox.list', { all: true })).filter(({ session_id }) => session_id === session.id);
  const before = [await items(), await eventsOf(session)];
  await daemon.crash();
  await daemon.start(); // The start prunes.
  expect((await daemon.orchd('prune', '--older-than', '1d')).code).toBe(0);
  expect([await items(), await eventsOf(session)]).toEqual(before);
  const { sessions } = await daemon.json<OutputOf<'daemon.prune'>>('prune', '--older-than', '0s', '--dry-run');
  expect(sessions.map(({ id }) => id)).toContain(session.id);
});

test('an imported session survives a daemon crash, and an unfinished import is removed', async () => {
  const session = await imported(file('kept.cast', LINES.join('\n')));
  const before = [await daemon.client.call('session.show', { session: session.id }), await eventsOf(session)];
  const begun = join(daemon.paths.journalsDir, 'ses_0000000000.importing');
  mkdirSync(begun);
  await daemon.crash();
  await daemon.start();
  expect([await daemon.client.call('session.show', { session: session.id }), await eventsOf(session)]).toEqual(before);
  expect(readdirSync(daemon.paths.journalsDir)).not.toContain('ses_0000000000.importing');
  expect(await daemon.client.call('inbox.list', {})).toEqual([]);
});
