import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bindSocket } from './bind.js';

const HOUR_S = 3_600;
let dir: string;
let path: string;
let servers: Server[];
const bind = (): Promise<void> => {
  const server = createServer();
  servers.push(server);
  return bindSocket(server, path);
};

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'orchd-bind-'));
  path = join(dir, 'host.sock');
  servers = [];
});
afterEach(() => {
  for (const server of servers) server.close();
  rmSync(dir, { recursive: true, force: true });
});

test.each([
  ['an hour old', -HOUR_S],
  ['from the next hour, because the clock was set back', HOUR_S],
])('replaces a lock that is %s', async (_name, seconds) => {
  mkdirSync(`${path}.lock`);
  const time = Date.now() / 1000 + seconds;
  utimesSync(`${path}.lock`, time, time);
  await bind();
  expect(existsSync(`${path}.lock`)).toBe(false);
});

test('waits for a fresh lock', async () => {
  mkdirSync(`${path}.lock`);
  const bound = bind();
  expect(servers[0]?.listening).toBe(false);
  rmSync(`${path}.lock`, { recursive: true });
  await bound;
  expect(servers[0]?.listening).toBe(true);
});

test('gives the path to one of three that start at once', async () => {
  const all = await Promise.allSettled([bind(), bind(), bind()]);
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test.each(['a file', 'a link', 'a folder with a file'])(
  'refuses %s in the place of the lock, and keeps it',
  async (what) => {
    const lock = `${path}.lock`;
    const file = what === 'a folder with a file' ? join(lock, 'mine') : join(dir, 'mine');
    if (what === 'a folder with a file') mkdirSync(lock);
    writeFileSync(what === 'a file' ? lock : file, 'precious');
    if (what === 'a link') symlinkSync(file, lock);
    const time = Date.now() / 1000 - HOUR_S;
    utimesSync(lock, time, time);
    await expect(bind()).rejects.toThrow(`${lock} is there and is not an empty directory; it is left as it is`);
    expect(readFileSync(what === 'a file' ? lock : file, 'utf8')).toBe('precious');
  },
);
