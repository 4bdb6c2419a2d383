/** Tests the commands that the daemon sends for a session, and their records in the journal. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INPUT_QUEUE_BYTES, type JournalRecord } from '../../src/host/index.js';
import { startHost, type TestDaemon, type TestHost, type TestSession } from '../harness/host.js';

let host: TestHost;
let daemon: TestDaemon;
beforeAll(async () => {
  host = await startHost();
  daemon = await host.connect();
});
afterAll(() => host.stop());

/** A program that prints every byte as it reads it, without echo, line mode or signals. */
const RAW_CAT = 'stty raw -echo; echo ready; exec cat';
async function startRaw(): Promise<TestSession> {
  const session = await daemon.spawn(RAW_CAT);
  await session.untilText('ready');
  return session;
}
const kill = (session: TestSession, graceMs = 0) => daemon.call('kill', { sessionId: session.sessionId, graceMs });
const inputs = (session: TestSession) =>
  session.records.flatMap((record) =>
    record.kind === 'input' ? [`${record.phase} ${record.writeId}`] : record.kind === 'reply' ? ['reply'] : [],
  );

describe('spawn', () => {
  it("journals the start and the notes before the program's output", async () => {
    const notes = [
      { name: 'adapter', data: 'shell' },
      { name: 'key', data: { word: 'ä' } },
    ];
    const session = await daemon.spawn('echo hello', { notes, cols: 100, rows: 30 });
    await session.exit();
    const [start, first, second, out] = session.records;
    expect(start).toMatchObject({
      kind: 'start',
      pid: session.pid,
      cols: 100,
      rows: 30,
      command: ['/bin/sh', '-c', 'echo hello'],
    });
    expect([first, second]).toMatchObject(notes);
    expect(out?.kind).toBe('out');
    expect(session.output().toString()).toBe('hello\r\n');
  });

  it('passes environment, directory, umask and size to the program', async () => {
    const env = { PATH: process.env['PATH'] ?? '', WORD: 'a b=c', TERM: 'dumb' };
    const session = await daemon.spawn(
      'echo "$WORD/$TERM/$ORCHD_SESSION_ID"; umask; pwd; stty size; [ -t 0 ] && echo tty',
      {
        env,
        cwd: '/',
        umask: 0o027,
        cols: 91,
        rows: 17,
      },
    );
    await session.exit();
    const lines = session.output().toString().split('\r\n');
    expect(lines).toEqual([`a b=c/dumb/${session.sessionId}`, '0027', '/', '17 91', 'tty', '']);
  });

  it('fails with ORCHD_SPAWN_FAILED and leaves no journal if the program cannot be started', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'orchd-spawn-'));
    const plainFile = join(directory, 'plain');
    writeFileSync(plainFile, 'no program', { mode: 0o600 });
    const attempts: [string[], string][] = [
      [['/no/such/program'], '/'],
      [[plainFile], '/'],
      [[directory], '/'],
      [['/bin/sh'], '/no/such/directory'],
      [['/bin/sh'], plainFile],
    ];
    for (const [argv, cwd] of attempts) {
      const attempt = daemon.spawn(argv, { cwd, sessionId: 'ses_failed' });
      await expect(attempt).rejects.toMatchObject({ code: 'ORCHD_SPAWN_FAILED' });
    }
    expect(readdirSync(host.journals)).not.toContain('ses_failed');
    rmSync(directory, { recursive: true });
  });

  it('refuses a session id whose journal exists or existed', async () => {
    const session = await daemon.spawn('true');
    await session.exit();
    const again = () => daemon.spawn('true', { sessionId: session.sessionId });
    await expect(again()).rejects.toMatchObject({ code: 'ORCHD_NAME_TAKEN' });
    await daemon.call('forget', { sessionId: session.sessionId });
    await expect(again()).rejects.toMatchObject({ code: 'ORCHD_NAME_TAKEN' });
  });

  it('is followed by an exit record with a code or a signal', async () => {
    const coded = await daemon.spawn('exit 7');
    expect(await coded.exit()).toMatchObject({ exitCode: 7, signal: null });
    const signalled = await daemon.spawn('kill -SEGV $$');
    expect(await signalled.exit()).toMatchObject({ exitCode: null, signal: 'SIGSEGV' });
  });
});

describe('write and keys', () => {
  it('a write is journaled in full: begin before its first byte, end after its last', async () => {
    const session = await startRaw();
    const steps = [{ text: 'answer ü' }, { settleMs: 1 }, { text: '\r' }];
    const { position, seen } = await daemon.call('write', { sessionId: session.sessionId, writeId: 'w1', steps });
    expect(seen).toBe(false);
    const begin = await session.until('input');
    expect(begin).toMatchObject({
      position,
      phase: 'begin',
      writeId: 'w1',
      text: 'answer ü\r',
      length: 10,
      submits: true,
    });
    await session.untilText('answer ü\r');
    const end = await session.until('input', ({ phase }) => phase === 'end');
    expect(end).toMatchObject({ writeId: 'w1', text: 'answer ü\r' });
    const echo = session.records.findIndex((record) => record.kind === 'out' && record.position > position);
    expect(session.records.indexOf(begin)).toBeLessThan(echo);
    await kill(session);
  });

  it('a write that is sent several times is typed once, even after the session ended', async () => {
    const session = await startRaw();
    const request = { sessionId: session.sessionId, writeId: 'once', steps: [{ text: 'x' }] };
    const replies = await Promise.all([1, 2, 3].map(() => daemon.call('write', request)));
    expect(replies.map(({ seen }) => seen)).toEqual([false, true, true]);
    expect(new Set(replies.map(({ position }) => position)).size).toBe(1);
    await daemon.call('keys', { sessionId: session.sessionId, text: '.' });
    await session.untilText('.');
    expect(session.output().toString()).toMatch(/^ready\r?\nx\.$/);
    await kill(session);
    expect(await daemon.call('write', request)).toMatchObject({ seen: true });
    const other = daemon.call('write', { ...request, writeId: 'late' });
    await expect(other).rejects.toMatchObject({ code: 'ORCHD_SESSION_ENDED' });
  });

  it('no other input is typed between the steps of a write', async () => {
    const session = await startRaw();
    const { sessionId } = session;
    const steps = [{ text: 'a' }, { settleMs: 150 }, { text: 'b' }];
    await Promise.all([
      daemon.call('write', { sessionId, writeId: 'first', steps }),
      daemon.call('keys', { sessionId, text: 'k' }),
      daemon.call('reply', { sessionId, query: 5, text: 'r' }),
      daemon.call('write', { sessionId, writeId: 'second', steps: [{ text: 'w' }] }),
    ]);
    await session.untilText('w');
    expect(session.output().toString()).toMatch(/abkrw$/);
    await session.until('input', ({ phase, writeId }) => phase === 'end' && writeId === 'second');
    expect(inputs(session)).toEqual(['begin first', 'keys null', 'reply', 'begin second', 'end first', 'end second']);
    await kill(session);
  });

  it('the daemon gets the record of keys before the reply, even without echo', async () => {
    const session = await daemon.spawn('stty raw -echo; echo ready; exec sleep 1000');
    await session.untilText('ready');
    const { position } = await daemon.call('keys', { sessionId: session.sessionId, text: 'k' });
    expect(session.records.at(-1)).toMatchObject({ kind: 'input', phase: 'keys', position });
    await kill(session);
  });

  it('the record of keys comes before their echo', async () => {
    const session = await daemon.spawn('echo ready; exec cat >/dev/null');
    await session.untilText('ready');
    for (const text of ['1', '2', '3']) {
      await daemon.call('keys', { sessionId: session.sessionId, text });
      await session.untilText(text);
    }
    const kinds = session.records.flatMap((record) => {
      if (record.kind === 'input') return ['key'];
      return record.kind === 'out' ? [Buffer.from(record.bytes).toString()] : [];
    });
    expect(kinds.slice(kinds.indexOf('key'))).toEqual(['key', '1', 'key', '2', 'key', '3']);
    await kill(session);
  });

  it('keystrokes are journaled as time and length, without their text', async () => {
    const session = await startRaw();
    await daemon.call('keys', { sessionId: session.sessionId, text: 'päss' });
    await daemon.call('keys', { sessionId: session.sessionId, text: '\r' });
    await session.untilText('päss\r');
    const records = session.records.filter((record) => record.kind === 'input');
    expect(records).toMatchObject([
      { phase: 'keys', writeId: null, text: null, length: 5, submits: false },
      { phase: 'keys', writeId: null, text: null, length: 1, submits: true },
    ]);
    await kill(session);
  });

  it('a terminal query is answered once, and older queries are not answered', async () => {
    const session = await startRaw();
    const reply = (query: number) => daemon.call('reply', { sessionId: session.sessionId, query, text: `<${query}>` });
    const first = await reply(10);
    expect(first.seen).toBe(false);
    expect(await reply(10)).toEqual({ position: first.position, seen: true });
    expect(await reply(9)).toMatchObject({ seen: true });
    expect(await reply(11)).toMatchObject({ seen: false });
    await session.untilText('<10><11>');
    await kill(session);
  });

  it('input to a program that never reads is limited, and pending writes fail when it ends', async () => {
    const session = await daemon.spawn('stty raw -echo; echo ready; exec sleep 1000');
    await session.untilText('ready');
    const { sessionId } = session;
    const half = 'x'.repeat(INPUT_QUEUE_BYTES / 2);
    await daemon.call('write', { sessionId, writeId: 'a', steps: [{ text: half }] });
    await daemon.call('write', { sessionId, writeId: 'b', steps: [{ text: half }] });
    const tooMuch = daemon.call('keys', { sessionId, text: half });
    await expect(tooMuch).rejects.toMatchObject({ code: 'ORCHD_INPUT_FULL' });
    await kill(session);
    await session.exit();
    expect(inputs(session)).toEqual(['begin a', 'begin b', 'failed a', 'failed b']);
    expect(session.records.at(-1)?.kind).toBe('exit');
  });

  it('a long input is delivered completely', async () => {
    const text = Array.from({ length: 40_000 }, (_, i) => `${i} `).join('');
    const counter = `stty raw -echo; echo ready; head -c ${text.length} | sha256sum`;
    const session = await daemon.spawn(counter);
    await session.untilText('ready');
    await daemon.call('write', { sessionId: session.sessionId, writeId: 'long', steps: [{ text }] });
    await session.exit();
    expect(session.output().toString()).toContain(createHash('sha256').update(text).digest('hex'));
  });
});

describe('terminal and resize', () => {
  it("terminal reports canonical mode, echo and the kernel's line limit", async () => {
    const cooked = await daemon.spawn('echo ready; exec sleep 1000');
    await cooked.untilText('ready');
    const maxLineBytes = process.platform === 'darwin' ? 1023 : 4095;
    const mode = await daemon.call('terminal', { sessionId: cooked.sessionId });
    expect(mode).toEqual({ canonical: true, echo: true, maxLineBytes });
    const raw = await startRaw();
    const rawMode = await daemon.call('terminal', { sessionId: raw.sessionId });
    expect(rawMode).toEqual({ canonical: false, echo: false, maxLineBytes: null });
    await Promise.all([kill(cooked), kill(raw)]);
  });

  it("resize is recorded before the program's redraw", async () => {
    const session = await daemon.spawn('trap "stty size" WINCH; echo ready; while :; do sleep 0.05; done');
    await session.untilText('ready');
    const { position } = await daemon.call('resize', { sessionId: session.sessionId, cols: 132, rows: 50 });
    await session.untilText('50 132');
    expect(await session.until('resize')).toMatchObject({ position, cols: 132, rows: 50 });
    await kill(session);
  });
});

describe('note and tick', () => {
  it('notes are accepted at any time, even after the exit', async () => {
    const session = await daemon.spawn('exit 0');
    await session.exit();
    const { position } = await daemon.call('note', { sessionId: session.sessionId, name: 'late', data: [1] });
    expect(await session.until('note')).toMatchObject({ position, name: 'late', data: [1] });
  });

  it('a tick comes after quietMs without output, and never after newer output', async () => {
    const session = await startRaw();
    const { sessionId } = session;
    const last = session.records.at(-1)?.end ?? 0;
    await daemon.call('tick', { sessionId, since: last, quietMs: 20 });
    const tick = await session.until('tick');
    expect(tick).toMatchObject({ quietMs: 20, position: last });
    // The first order has an old position, because the echo came since. Only the second order causes a tick.
    await daemon.call('keys', { sessionId, text: 'z' });
    await session.untilText('z');
    await daemon.call('tick', { sessionId, since: last, quietMs: 1 });
    await daemon.call('note', { sessionId, name: 'between', data: null });
    await session.until('note');
    const now = session.records.at(-1)?.end ?? 0;
    await daemon.call('tick', { sessionId, since: now, quietMs: 2 });
    await session.until('tick', ({ quietMs }) => quietMs === 2);
    expect(session.records.filter(({ kind }) => kind === 'tick').length).toBe(2);
    await kill(session);
  });

  it('a tick that stays comes once per silence, again for a repeated request, and stops with null', async () => {
    const session = await startRaw();
    const { sessionId } = session;
    const order = { sessionId, since: 0, quietMs: 5, stays: true };
    const kinds = () =>
      session.records.flatMap(({ kind }) => (kind === 'out' || kind === 'tick' ? [kind] : [])).slice(-6);
    const tickAfter = (position: number) => session.until('tick', (tick) => tick.position >= position);
    const print = async (key: string) => {
      await daemon.call('keys', { sessionId, text: key });
      // The tick of the silence may have been read together with the output.
      return (await session.until('out', ({ bytes }) => Buffer.from(bytes).includes(key))).end;
    };
    await daemon.call('tick', order);
    await tickAfter(0);
    await tickAfter(await print('1'));
    const { end } = await tickAfter(await print('2'));
    expect(kinds()).toEqual(['out', 'tick', 'out', 'tick', 'out', 'tick']);
    await daemon.call('tick', order);
    await tickAfter(end);
    await daemon.call('tick', { ...order, quietMs: null });
    await daemon.call('tick', { sessionId, since: await print('3'), quietMs: 50 });
    await session.until('tick', ({ quietMs }) => quietMs === 50);
    expect(kinds()).toEqual(['tick', 'out', 'tick', 'tick', 'out', 'tick']);
    await kill(session);
  });

  it('a program with thousands of arguments and variables starts, and the host stays', async () => {
    const args = Array.from({ length: 40_000 }, (_, n) => `argument number ${n}`.padEnd(40, '.'));
    const env = Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`N${n}`, 'v'.repeat(100)]));
    for (let round = 0; round < 5; round++) {
      const [few, many] = [
        ['/bin/sh', '-c', 'echo "$N7"'],
        ['/bin/sh', '-c', 'shift 39999; echo "last $1"', 'sh', ...args],
      ];
      await (await daemon.spawn(few, { env })).untilText('vvv');
      await (await daemon.spawn(many)).untilText('last argument number 39999.');
    }
  });

  it('a new tick request replaces the pending one', async () => {
    const session = await startRaw();
    const since = session.records.at(-1)?.end ?? 0;
    await daemon.call('tick', { sessionId: session.sessionId, since, quietMs: 60_000 });
    await daemon.call('tick', { sessionId: session.sessionId, since, quietMs: 3 });
    expect(await session.until('tick')).toMatchObject({ quietMs: 3 });
    await kill(session);
  });
});

describe('journal records', () => {
  it('are contiguous, and their times never go back', async () => {
    const session = await daemon.spawn('seq 1 5000; echo; seq 1 10');
    await session.exit();
    const { records } = session;
    records.slice(1).forEach((record: JournalRecord, i) => {
      expect(record.position).toBe(records[i]?.end);
      expect(record.time).toBeGreaterThanOrEqual(records[i]?.time ?? 0);
    });
    expect(session.damaged).toEqual([]);
  });
});
