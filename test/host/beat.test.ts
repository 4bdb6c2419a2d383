/** Tests many sessions that print continuously: without a viewer they are read together, and no output is lost. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WATCH_CONTRACT } from '../../src/host/contract.js';
import { Host } from '../../src/host/host.js';
import { CROWD } from '../../src/host/output/beat.js';
import { startHost } from '../harness/host.js';

/** Prints a line at a time, followed by a short rest. */
const printer = (condition: string) =>
  `$|=1; for (my $n = 1; ${condition}; $n++) { print "$n\n"; select(undef, undef, undef, 0.002) }`;

it('a host with many printing sessions loses no output and sends few notices', async () => {
  const host = await startHost();
  const daemon = await host.connect();
  const lines = 150;
  const sessions = await Promise.all(
    Array.from({ length: 2 * CROWD }, () => daemon.spawn(['/usr/bin/env', 'perl', '-e', printer(`$n <= ${lines}`)])),
  );
  const whole = Array.from({ length: lines }, (_, n) => `${n + 1}\r\n`).join('');
  for (const session of sessions) {
    await session.exit();
    expect(session.output().toString()).toBe(whole);
  }
  expect(daemon.notices.length).toBeLessThan((sessions.length * lines) / 4);
  await host.stop();
});

describe('a session that was read once', () => {
  const journals = mkdtempSync(join(tmpdir(), 'orchd-beat-'));
  /** Runs the next beat. Beats run only when the test calls this. */
  let next: (() => void) | null = null;
  let onGrew: (sessionId: string) => void = () => {};
  const host = new Host({
    journals,
    log: () => {},
    onBeat: () => {},
    scheduleBeat: (beat) => {
      next = beat;
    },
    onGrew: ({ sessionId }) => onGrew(sessionId),
  });
  const ids = ['ses_0', 'ses_1', 'ses_2', 'ses_3'];
  const grows = (sessionId: string) =>
    new Promise<void>((resolve) => {
      onGrew = (grown) => grown === sessionId && resolve();
    });

  /** Each session is read once. Without a beat it is not read again. */
  beforeAll(async () => {
    host.attend({ pid: process.pid, contract: WATCH_CONTRACT });
    const env = { PATH: process.env['PATH'] ?? '' };
    const argv = ['/usr/bin/env', 'perl', '-e', printer('1')];
    const program = { file: '/usr/bin/env', argv, cwd: '/', env, umask: 0o22, cols: 80, rows: 24, notes: [] };
    for (const sessionId of ids) {
      host.handlers.spawn({ ...program, sessionId });
      await grows(sessionId);
    }
  });
  afterAll(async () => {
    await host.shutdown(0);
    rmSync(journals, { recursive: true, force: true });
  });

  it('is read again on the next beat', async () => {
    const read = grows('ses_3');
    let isRead = false;
    void read.then(() => {
      isRead = true;
    });
    while (!isRead) {
      next?.();
      await new Promise(setImmediate);
    }
  });

  it('is read immediately while it is watched', async () => {
    host.handlers.watch({ sessionId: 'ses_0', isWatched: true });
    await grows('ses_0');
    await grows('ses_0');
  });

  it('is read immediately after input', async () => {
    host.handlers.keys({ sessionId: 'ses_2', text: 'x' });
    await grows('ses_2');
    await grows('ses_2');
  });

  it('is read immediately if the daemon does not report which sessions are watched', async () => {
    host.attend({ pid: process.pid, contract: WATCH_CONTRACT - 1 });
    for (const sessionId of ids) await grows(sessionId);
  });
});
