/**
 * Tests upgrades: orchd takes over what an older version left, and refuses what it cannot take over before it ends or
 * changes anything. `npm run test:hard -- upgrade` tests this with older builds and living sessions.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { askContract, CONTRACT_VERSION, OLDEST_CONTRACT } from '../../src/host/index.js';
import type { Item } from '../../src/protocol/index.js';
import { listBackups } from '../../src/store/index.js';
import { loadDriver } from '../../src/store/sqlite-driver.js';
import { storeVersion } from '../../src/store/store-file.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { OLD_HOMES, restoreHome } from '../harness/old-home.js';

let daemon: TestDaemon | undefined;
let fakeHost: ChildProcess | undefined;
const folders: string[] = [];
afterEach(async () => {
  fakeHost?.kill('SIGKILL');
  fakeHost = undefined;
  await daemon?.close();
  daemon = undefined;
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Returns an empty home in which no daemon runs. */
async function stopped(): Promise<TestDaemon> {
  daemon = await startDaemon();
  await daemon.orchd('stop');
  rmSync(daemon.paths.dataDir, { recursive: true });
  rmSync(daemon.paths.journalsDir, { recursive: true, force: true });
  return daemon;
}
const start = (of: TestDaemon) => of.orchd('start', '--detach', '--no-tcp', '--json');

async function startFakeHost(socketPath: string, contract: number): Promise<ChildProcess> {
  const file = join(import.meta.dirname, '../harness/fake-host.mjs');
  fakeHost = spawn(process.execPath, [file, socketPath, String(contract)], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (fakeHost.stdout) await once(fakeHost.stdout, 'data');
  return fakeHost;
}

test.each(OLD_HOMES)('a home of %s is taken over, and a store that is migrated has a backup', async (name) => {
  const own = await stopped();
  await restoreHome(name, own.paths);
  const before = storeVersion(own.paths.database);
  expect((await start(own)).code).toBe(0);

  const names = (await own.client.call('session.list', {})).map((session) => [session.name, session.state]);
  expect(names).toContainEqual(['done', 'done']);
  expect(names).toContainEqual(['asks', 'lost']);
  const items: Item[] = await own.client.call('inbox.list', {});
  expect(items.map(({ data, state }) => [data['question'], state])).toEqual([
    ['Deploy to staging or production?', 'open'],
  ]);
  expect((await own.orchd('capture', 'asks')).stdout).toContain('Deploy to staging or production?');

  const after = storeVersion(own.paths.database);
  const backups = listBackups(own.paths.database);
  expect(backups.map(({ version }) => version)).toEqual(before === after ? [] : [before]);
  const findings = JSON.parse((await own.orchd('doctor', '--json')).stdout).findings;
  const { detail } = findings.find(({ check }: { check: string }) => check === 'store');
  for (const { path } of backups) {
    expect(detail).toContain(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  }
});

test('a session that was stored without its project gets it', async () => {
  const own = await startDaemon();
  daemon = own;
  const repository = realpathSync(mkdtempSync(join(tmpdir(), 'orchd-project-')));
  folders.push(repository);
  execFileSync('git', ['init', '--quiet'], { cwd: repository });
  mkdirSync(join(repository, 'src'));
  const { stdout } = await own.orchd('run', '-d', '-C', join(repository, 'src'), '--', 'cat');
  const session = stdout.trim();
  const shown = () => own.client.call('session.show', { session });
  expect(await shown()).toMatchObject({ project: repository });
  await own.orchd('stop', '--keep-sessions');
  const { DatabaseSync } = await loadDriver();
  const db = new DatabaseSync(own.paths.database);
  db.exec(`UPDATE session SET value = json_remove(value, '$.book.session.project')`);
  db.close();
  expect((await start(own)).code).toBe(0);
  expect(await shown()).toMatchObject({ project: repository });
});

test('a host with an outdated contract is reported before the store is opened, and stop ends it', async () => {
  const own = await stopped();
  await restoreHome('2026-11-22', own.paths);
  const bytes = readFileSync(own.paths.database);
  const host = await startFakeHost(own.paths.hostSocket, OLDEST_CONTRACT - 1);
  for (const command of [['start', '--detach', '--no-tcp'], ['restart']]) {
    const { code, stderr } = await own.orchd(...command, '--json');
    expect([code, JSON.parse(stderr).code]).toEqual([1, 'ORCHD_HOST_CONTRACT']);
    expect(JSON.parse(stderr).error).toContain(`contract ${OLDEST_CONTRACT - 1}`);
  }
  expect(readFileSync(own.paths.database).equals(bytes)).toBe(true);
  expect(existsSync(`${own.paths.database}-wal`)).toBe(false);
  expect(listBackups(own.paths.database)).toEqual([]);

  const ended = once(host, 'exit');
  const { code, stdout } = await own.orchd('stop', '--json');
  expect([code, JSON.parse(stdout)]).toEqual([0, { stopped: true, killed: 3 }]);
  await ended;
  expect((await start(own)).code).toBe(0);
});

test('restart refuses the store of a newer orchd and keeps the running daemon', async () => {
  daemon = await startDaemon();
  const { daemon: before } = await daemon.client.call('daemon.status', {});
  const version = (storeVersion(daemon.paths.database) ?? 0) + 1;
  // Writes the header as a newer orchd would: its version, an unused number, and the application id.
  const file = openSync(daemon.paths.database, 'r+');
  writeSync(file, Buffer.from([0, 0, 0, version, 0, 0, 0, 0, ...Buffer.from('orch')]), 0, 12, 60);
  closeSync(file);
  const { code, stderr } = await daemon.orchd('restart', '--json');
  expect([code, JSON.parse(stderr).code]).toEqual([1, 'ORCHD_STORE_NEWER']);
  expect(JSON.parse(stderr).error).toContain(`the daemon (pid ${before.pid}) goes on as it is`);
  expect((await daemon.client.call('daemon.status', {})).daemon).toEqual(before);
});

test('askContract reads the contract of a host without disturbing its daemon', async () => {
  daemon = await startDaemon();
  const { daemon: before } = await daemon.client.call('daemon.status', {});
  expect(await askContract(daemon.paths.hostSocket)).toBe(CONTRACT_VERSION);
  expect((await daemon.client.call('daemon.status', {})).daemon).toEqual(before);
  const folder = mkdtempSync(join(tmpdir(), 'orchd-'));
  folders.push(folder);
  expect(await askContract(join(folder, 'none.sock'))).toBeNull();
  await startFakeHost(join(folder, 'old.sock'), 3);
  expect(await askContract(join(folder, 'old.sock'))).toBe(3);
});
