/**
 * Tests a store with damaged rows or pages: orchd uses the rest and reports the damage, and never calls it a bug of
 * orchd.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { loadDriver } from '../../src/store/sqlite-driver.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';

let daemon: TestDaemon | undefined;
afterEach(async () => {
  await daemon?.close();
  daemon = undefined;
});
const start = (of: TestDaemon) => of.orchd('start', '--detach', '--no-tcp');

test('the daemon starts despite damaged rows, and `orchd doctor` reports them', async () => {
  daemon = await startDaemon();
  const own = daemon;
  const session = await own.sh(`echo ':ORCHESTRATOR: QUESTION - here?'; read -r a; echo "got $a"; read -r b`);
  const ended = await own.sh('true');
  await own.event('session_exited', (event) => event.session_id === ended.id);
  const item = await own.openItem(session);
  await own.orchd('stop', '--keep-sessions');
  const { DatabaseSync } = await loadDriver();
  const db = new DatabaseSync(own.paths.database);
  db.exec(`UPDATE session SET value = '{"book' WHERE id = '${ended.id}';
           INSERT INTO session (id, value) VALUES ('ses_none', '1'), ('ses_deep', '${'['.repeat(200)}');
           INSERT INTO item (id, value) VALUES ('itm_none', '{}');
           INSERT INTO run (id, value) VALUES ('run_none', 'null');
           INSERT INTO task (id, value) VALUES ('tsk_none', '"x"');
           INSERT INTO workflow (id, value) VALUES ('wfl_none', '[1]');
           UPDATE cursor SET checkpoint = '{', checkpoint_position = 1;
           UPDATE meta SET value = 0 WHERE key = 'last_seq';
           DELETE FROM meta WHERE key = 'indexed_seq';
           UPDATE cursor SET position = 'x';
           UPDATE event SET text = '{"event_type":"dam' WHERE seq = 1`);
  db.close();
  expect((await start(own)).code).toBe(0);
  expect((await own.client.call('session.list', {})).map(({ id }) => id)).toEqual([session.id]);
  await own.client.call('inbox.answer', { item: item.id, text: 'yes' });
  await expect.poll(async () => (await own.orchd('capture', session.id)).stdout).toContain('got yes');
  const { findings } = JSON.parse((await own.orchd('doctor', '--json')).stdout);
  const found = findings.find(({ check }: { check: string }) => check === 'store');
  expect(found).toMatchObject({ state: 'warning', detail: expect.stringContaining(`${own.paths.database}.damaged`) });
  expect(readFileSync(`${own.paths.database}.damaged`, 'utf8')).toContain('ses_none');
  await expect(own.client.call('event.list', {})).rejects.toMatchObject({
    code: 'ORCHD_STORE_CORRUPT',
    message: expect.stringContaining('since=1'),
  });
  const streamed = await own.orchd('events', '--since', '0');
  expect([streamed.code, streamed.stdout]).toEqual([0, expect.stringContaining('event 1 was damaged on disk')]);
  expect(streamed.stdout).toContain('item_answered');
});

test('a missing `-wal` file after a crash is reported', async () => {
  daemon = await startDaemon();
  const own = daemon;
  const state = async () => {
    const { findings } = JSON.parse((await own.orchd('doctor', '--json')).stdout);
    return findings.find(({ check }: { check: string }) => check === 'store');
  };
  await own.crash();
  expect((await start(own)).code).toBe(0);
  expect(await state()).toMatchObject({ state: 'ok' });
  await own.crash();
  rmSync(`${own.paths.database}-wal`);
  expect((await start(own)).code).toBe(0);
  expect(await state()).toMatchObject({ state: 'warning', detail: expect.stringContaining('newest events are lost') });
  expect(readFileSync(own.paths.logFile, 'utf8')).toContain('newest events are lost');
});

test('a directory at the path of the database is reported as a file error', async () => {
  daemon = await startDaemon();
  const own = daemon;
  await own.orchd('stop');
  rmSync(own.paths.database);
  mkdirSync(own.paths.database);
  const { code, stderr } = await own.orchd('start', '--detach', '--no-tcp', '--json');
  expect([code, JSON.parse(stderr).code]).toEqual([1, 'ORCHD_FILE']);
});

test('a request target that is not a URL path is refused for HTTP and WebSocket', async () => {
  daemon = await startDaemon();
  const { socket } = daemon.paths;
  const status = (headers: Record<string, string>) =>
    new Promise((resolve, reject) => {
      const sent = request({ socketPath: socket, path: '//x:99999', headers }, (reply) => resolve(reply.statusCode));
      sent.on('error', reject);
      sent.end();
    });
  const upgrade = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-key': 'x',
    'sec-websocket-version': '13',
  };
  expect(await status(upgrade)).toBe(422);
  expect(await status({})).toBe(404);
});

test('deeply nested or endless input is refused with an explanation', async () => {
  daemon = await startDaemon();
  const own = daemon;
  const session = await own.sh('read x');
  const deep = `{"question":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
  const tool = await own.orchd('tool', 'ask', '--session', session.id, '--input', deep);
  expect(tool.code).not.toBe(0);
  const imported = await own.orchd('import', '/dev/zero');
  expect(imported.stderr).toContain('may never end');
  for (const { stderr } of [tool, imported]) expect(stderr).not.toContain('bug');

  const mcp = own.follow('mcp', '--session', session.id);
  let printed = '';
  mcp.stdout?.setEncoding('utf8').on('data', (text) => {
    printed += text;
  });
  const ended = new Promise((resolve) => mcp.once('close', resolve));
  mcp.stdin?.write(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${deep}}\n`);
  mcp.stdin?.end(`{"x":"${'x'.repeat(5 * 1024 * 1024)}"}\n`);
  await ended;
  expect(printed).toContain('line 1 column');
  expect(printed).toContain('more than 4 MiB');
  expect(printed).not.toContain('bug');
});
