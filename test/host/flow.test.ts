/**
 * Tests how far the host reads ahead: up to the flow-control window while a daemon is connected, up to a limit without
 * a daemon, and not at all while the disk is full.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, test } from 'vitest';
import { Host, type HostPorts } from '../../src/host/host.js';
import { CONTRACT_VERSION, FIRST_WINDOW_BYTES, type JournalRecord, type SpawnRequest } from '../../src/host/index.js';
import { startHost, type TestHost } from '../harness/host.js';
import { readJournal } from '../harness/read-journal.js';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function startOwn(directory?: string): Promise<TestHost> {
  const host = await startHost(directory === undefined ? {} : { directory });
  closers.push(() => host.stop());
  return host;
}
/** A host in this process, so that the test can set a small limit or a full disk. */
function createHost(ports: Partial<HostPorts>) {
  const journals = mkdtempSync(join(tmpdir(), 'orchd-flow-'));
  let grew = () => {};
  const host = new Host({ journals, log: () => {}, onGrew: () => grew(), onBeat: () => {}, ...ports });
  closers.push(async () => {
    await host.shutdown(0);
    rmSync(journals, { recursive: true, force: true });
  });
  const spawn = (script: string) => {
    const argv = ['/bin/sh', '-c', script];
    const env = { PATH: process.env['PATH'] ?? '' };
    const base = {
      sessionId: 'ses_flow',
      file: '/bin/sh',
      argv,
      cwd: '/',
      env,
      umask: 0o22,
      cols: 80,
      rows: 24,
      notes: [],
    };
    return host.handlers.spawn(base satisfies SpawnRequest);
  };
  const records = () => [...readJournal(ports.journals ?? journals, 'ses_flow')];
  /** Waits for a state of the journal, which is checked whenever the journal has grown. */
  const until = (fits: (records: JournalRecord[]) => boolean) =>
    new Promise<JournalRecord[]>((resolve) => {
      grew = () => {
        const all = records();
        if (!fits(all)) return;
        grew = () => {};
        resolve(all);
      };
      grew();
    });
  return { host, spawn, until };
}
const outputOf = (records: readonly JournalRecord[]) =>
  Buffer.concat(records.map((record) => (record.kind === 'out' ? record.bytes : Buffer.alloc(0)))).toString();
const pausesOf = (records: readonly JournalRecord[]) =>
  records.flatMap((record) => (record.kind === 'pause' ? [`${record.reason} ${record.paused}`] : []));
const numbersTo = (last: number) => Array.from({ length: last }, (_, i) => `${i + 1}\r\n`).join('');
const hasExit = (records: readonly JournalRecord[]) => records.some(({ kind }) => kind === 'exit');

describe('the flow-control window', () => {
  it('limits how far the host reads ahead, and ^C does not wait behind the output', async () => {
    const host = await startOwn();
    const daemon = await host.connect({ takes: false });
    const session = await daemon.spawn(
      'trap "echo interrupted; exit 9" INT; while :; do echo yyyyyyyyyyyyyyyyyyyyyyyyyyyy; done',
    );
    await session.until('out', ({ end }) => end >= FIRST_WINDOW_BYTES - 70_000);
    await daemon.call('keys', { sessionId: session.sessionId, text: '\x03' });
    const keys = await session.until('input');
    // Before the key was in the journal, at most the window and one chunk were read. The program has the key now.
    expect(keys.position).toBeLessThan(FIRST_WINDOW_BYTES + 8192);
    expect(await session.exit()).toMatchObject({ exitCode: 9 });
    expect(session.output().includes('interrupted')).toBe(true);
  });

  it('moves forward when the daemon confirms output', async () => {
    const host = await startOwn();
    const daemon = await host.connect({ takes: false });
    const session = await daemon.spawn('seq 1 200000');
    const full = await session.until('out', ({ end }) => end >= FIRST_WINDOW_BYTES);
    expect(full.end).toBeLessThan(FIRST_WINDOW_BYTES + 8192);
    await daemon.call('taken', { sessionId: session.sessionId, position: full.end });
    const next = await session.until('out', ({ end }) => end >= full.end + FIRST_WINDOW_BYTES);
    expect(next.end).toBeLessThan(full.end + FIRST_WINDOW_BYTES + 8192);
    await daemon.call('taken', { sessionId: session.sessionId, position: 2 ** 40 });
    await daemon.call('kill', { sessionId: session.sessionId, graceMs: 0 });
  });
});

test('floods take turns after a key, after a client begins to show a session, and for a command', () => {
  let waits = 0;
  const floods = { personWaits: () => void waits++, take: () => true, leave: () => {} };
  const { host, spawn } = createHost({ floods });
  spawn('exec cat');
  const sessionId = 'ses_flow';
  expect(waits).toBe(0);
  host.handlers.keys({ sessionId, text: 'x' });
  expect(waits).toBe(1);
  host.handlers.watch({ sessionId, isWatched: true });
  expect(waits).toBe(2);
  host.handlers.watch({ sessionId, isWatched: false });
  expect(waits).toBe(2);
  host.handlers.person_waits({});
  expect(waits).toBe(3);
});

describe('notices to the daemon', () => {
  it('are sent at once for output of a watched session, soon for other output, and later for keys', async () => {
    const told: string[] = [];
    let onGrew = () => {};
    const journals = mkdtempSync(join(tmpdir(), 'orchd-told-'));
    const host = new Host({
      journals,
      log: () => {},
      onBeat: () => {},
      onGrew: (_, when) => {
        told.push(when);
        onGrew();
      },
    });
    closers.push(async () => {
      await host.shutdown(0);
      rmSync(journals, { recursive: true, force: true });
    });
    const more = () =>
      new Promise<void>((resolve) => {
        onGrew = resolve;
      });
    const sessionId = 'ses_told';
    const argv = ['/bin/sh', '-c', 'exec cat >/dev/null']; // The terminal echoes the keys.
    const env = { PATH: process.env['PATH'] ?? '' };
    host.attend({ pid: process.pid, contract: CONTRACT_VERSION });
    const size = { cols: 80, rows: 24 };
    await host.handlers.spawn({ sessionId, file: '/bin/sh', argv, cwd: '/', env, umask: 0o22, ...size, notes: [] });
    for (const isWatched of [false, true, false]) {
      await host.handlers.watch({ sessionId, isWatched });
      await host.handlers.keys({ sessionId, text: 'k' });
      await more(); // the echo
    }
    expect(told.filter((when) => when !== 'later')).toEqual(['soon', 'soon', 'now', 'soon']); // the start record first
    expect(told.filter((when) => when === 'later')).toHaveLength(3);
  });
});

describe('the host without a daemon', () => {
  it('reads up to awayCapBytes, records the pause, and continues when a daemon connects', async () => {
    const cap = 100_000;
    const { host, spawn, until } = createHost({ awayCapBytes: cap });
    spawn('seq 1 100000');
    const paused = await until((records) => pausesOf(records).length === 1);
    expect(pausesOf(paused)).toEqual(['journal_full true']);
    expect(paused.at(-1)?.position).toBeLessThan(cap + 8192);
    host.attend({ pid: process.pid, contract: CONTRACT_VERSION });
    host.handlers.taken({ sessionId: 'ses_flow', position: 2 ** 40 });
    const taking = setInterval(() => void host.handlers.taken({ sessionId: 'ses_flow', position: 2 ** 40 }), 1);
    const all = await until(hasExit);
    clearInterval(taking);
    expect(pausesOf(all)).toEqual(['journal_full true', 'journal_full false']);
    expect(outputOf(all)).toBe(numbersTo(100_000));
  });
});

describe('a full disk', () => {
  it('pauses the program without losing output, and the journal records each pause and its end', async () => {
    let room = 30_000;
    const write = (fd: number, bytes: Uint8Array, offset: number, length: number) => {
      if (room === 0) {
        room = 400_000;
        throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      }
      const count = writeSync(fd, bytes, offset, Math.min(room, length));
      room -= count;
      return count;
    };
    const { spawn, until } = createHost({ write });
    spawn('seq 1 100000');
    const all = await until(hasExit);
    expect(outputOf(all)).toBe(numbersTo(100_000));
    expect(pausesOf(all)).toEqual(['disk_full true', 'disk_full false', 'disk_full true', 'disk_full false']);
  });

  it('on a real file system loses no output once there is room again', async (context) => {
    const mountPoint = mkdtempSync(join(tmpdir(), 'orchd-disk-'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', mountPoint], { stdio: 'ignore' });
    } catch {
      rmSync(mountPoint, { recursive: true });
      context.skip('a small file system cannot be mounted here (it takes root)');
      return;
    }
    closers.push(() => {
      execFileSync('umount', [mountPoint]);
      rmSync(mountPoint, { recursive: true });
    });
    const filler = join(mountPoint, 'filler');
    writeFileSync(filler, Buffer.alloc(700_000));
    const journals = join(mountPoint, 'journals');
    mkdirSync(journals);
    const { spawn, until } = createHost({ journals });
    spawn('seq 1 80000');
    await until((records) => records.length > 1);
    // The host writes the pause record only when there is room again.
    rmSync(filler);
    const all = await until(hasExit);
    expect(outputOf(all)).toBe(numbersTo(80_000));
  });
});
