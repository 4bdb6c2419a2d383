/** Tests a program on pipes: all of its output is kept, it gets its whole input, and it ends like any other program. */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAlive } from '../../src/cli/daemon/is-alive.js';
import { FIRST_WINDOW_BYTES, type SpawnRequest, STDIN_BYTES } from '../../src/host/index.js';
import { startHost, type TestDaemon, type TestHost, type TestSession } from '../harness/host.js';
import { createRandom } from '../harness/random.js';

let host: TestHost;
let daemon: TestDaemon;
const folder = mkdtempSync(join(tmpdir(), 'orchd-pipes-test-'));
beforeAll(async () => {
  host = await startHost();
  daemon = await host.connect();
});
afterAll(async () => {
  await host.stop();
  rmSync(folder, { recursive: true });
});

const spawn = (program: string | readonly string[], request: Partial<SpawnRequest> = {}, by = daemon) =>
  by.spawn(program, { mode: 'batch', ...request });
const spawnNode = (script: string, request: Partial<SpawnRequest> = {}, by = daemon) =>
  spawn([process.execPath, '-e', `const fs = require('node:fs');${script}`], request, by);
const withReturns = (bytes: Buffer) => Buffer.from(bytes.toString('latin1').replace(/(?<!\r)\n/g, '\r\n'), 'latin1');
const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const errorsOf = (session: TestSession) =>
  session.records.flatMap((record) =>
    record.kind === 'note' && record.name === 'stderr' ? [record.data as { text: string; dropped?: number }] : [],
  );
const errorText = (session: TestSession) =>
  errorsOf(session)
    .map(({ text }) => text)
    .join('');
const inputs = (session: TestSession) =>
  session.records.flatMap((record) => (record.kind === 'input' ? [`${record.phase} ${record.writeId}`] : []));

describe('starting a batch session', () => {
  it('connects pipes instead of a terminal and applies environment, directory and umask', async () => {
    const env = { PATH: process.env['PATH'] ?? '', WORD: 'a b=c' };
    const script =
      '[ -t 0 ] || [ -t 1 ] || [ -t 2 ] || echo "$WORD/$ORCHD_SESSION_ID"; umask; pwd; cat; echo late >/dev/stderr';
    const session = await spawn(script, { env, cwd: '/', umask: 0o027, cols: 91, rows: 17 });
    expect(await session.exit()).toMatchObject({ exitCode: 0, signal: null, leftOpen: false, escaped: [] });
    expect(session.output().toString()).toBe(`a b=c/${session.sessionId}\r\n0027\r\n/\r\n`);
    expect(errorText(session)).toBe('late\n');
    expect(session.records[0]).toMatchObject({ kind: 'start', pid: session.pid, cols: 91, rows: 17 });
  });

  it('records the exit code or the signal, and rejects a program that cannot start', async () => {
    expect(await (await spawn('exit 7')).exit()).toMatchObject({ exitCode: 7, signal: null });
    expect(await (await spawn('kill -SEGV $$')).exit()).toMatchObject({ exitCode: null, signal: 'SIGSEGV' });
    for (const argv of [['/no/such/program'], ['/bin/true', 'x'.repeat(3 * 1024 * 1024)]]) {
      await expect(spawn(argv)).rejects.toMatchObject({ code: 'ORCHD_SPAWN_FAILED' });
    }
  });

  it('refuses stdin for a session with a terminal, and stdin over STDIN_BYTES', async () => {
    await expect(daemon.spawn('cat', { stdin: 'x' })).rejects.toMatchObject({ code: 'ORCHD_INVALID' });
    const stdin = 'x'.repeat(STDIN_BYTES + 1);
    await expect(spawn('cat', { stdin })).rejects.toMatchObject({ code: 'ORCHD_TOO_LARGE' });
  });
});

describe('output of a batch session', () => {
  it('is journaled completely: 26 MB of arbitrary bytes', async () => {
    const random = createRandom(1);
    const common = [10, 13, 0xc3, 0xff];
    const block = Buffer.from(Array.from({ length: 65_537 }, () => common[random.below(16)] ?? random.below(256)));
    block[0] = block[block.length - 1] = 65; // So that no line break spans two blocks.
    const times = 400;
    const file = join(folder, 'block');
    writeFileSync(file, block);
    const session = await spawnNode(`const b = fs.readFileSync('${file}');
      const all = Buffer.concat(Array(16).fill(b));
      for (let n = 0; n < ${times / 16}; n++) for (let at = 0; at < all.length; ) at += fs.writeSync(1, all, at);`);
    await session.exit();
    const [expected, shown] = [createHash('sha256'), withReturns(block)];
    for (let n = 0; n < times; n++) expected.update(shown);
    expect(hash(session.output())).toBe(expected.digest('hex'));
  });

  it('gets one carriage return before each line feed, even if a chunk ends between the two', async () => {
    const session = await spawnNode(`for (const part of ['a', '\\n', 'b\\r', '\\n\\n', '\\r\\n', 'c\\r\\r\\n']) {
      fs.writeSync(1, part); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5); }`);
    await session.exit();
    expect(session.output().toString()).toBe('a\r\nb\r\n\r\n\r\nc\r\r\n');
  });

  it('is read up to the flow-control window, stderr included, and later to its end', async () => {
    const other = await startHost();
    const slow = await other.connect({ takes: false });
    const flood = `const line = Buffer.alloc(1000, 'y');
      for (let n = 0; n < 3000; n++) { fs.writeSync(1, line); fs.writeSync(2, 'e'.repeat(100)); }`;
    const session = await spawnNode(flood, {}, slow);
    // The last output may come from either stream.
    await expect.poll(() => session.records.at(-1)?.end ?? 0).toBeGreaterThanOrEqual(FIRST_WINDOW_BYTES - 8192);
    const { records } = session;
    for (let turn = 0; turn < 100; turn++) await slow.call('watch', { sessionId: session.sessionId, isWatched: true });
    expect(records.at(-1)?.end).toBeLessThan(FIRST_WINDOW_BYTES + 64 * 1024);
    for (let isOver = false; !isOver; isOver = records.at(-1)?.kind === 'exit') {
      const position = records.at(-1)?.end ?? 0;
      await slow.call('taken', { sessionId: session.sessionId, position });
    }
    expect(session.output().length).toBe(3_000_000);
    expect(errorText(session).length + (errorsOf(session).at(-1)?.dropped ?? 0)).toBe(300_000);
    await other.stop();
  });

  it('ends with the program, and leftOpen reports a child that still holds the pipe', async () => {
    const session = await spawn('(trap "" HUP; exec sleep 1000) & echo done');
    expect(await session.exit()).toMatchObject({ exitCode: 0, leftOpen: true });
    expect(session.output().toString()).toBe('done\r\n');
    const { escaped } = await daemon.call('kill', { sessionId: session.sessionId, graceMs: 0 });
    expect(escaped).toEqual([]);
  });

  it('may be closed by a program that keeps running', async () => {
    const session = await spawn('echo first; exec >&-; cat; exit 5', { stdin: '' });
    expect(await session.exit()).toMatchObject({ exitCode: 5, leftOpen: false });
    expect(session.output().toString()).toBe('first\r\n');
  });
});

describe('standard error of a batch session', () => {
  it('is journaled as text, in order, even if a write splits a character', async () => {
    const session =
      await spawnNode(`for (const byte of Buffer.from('größer €\\n')) fs.writeSync(2, Buffer.from([byte]));
      fs.writeSync(2, Buffer.from([0xff])); fs.writeSync(1, 'out');`);
    await session.exit();
    expect(errorText(session)).toBe('größer €\n\ufffd');
    expect(session.records.at(-1)?.kind).toBe('exit');
  });

  it('keeps its beginning and its end and counts the dropped bytes', async () => {
    const lines = Array.from({ length: 60_000 }, (_, n) => `€${n}\n`).join('');
    const session = await spawnNode(
      "fs.writeSync(2, Array.from({ length: 60_000 }, (_, n) => '€' + n + '\\n').join(''));",
    );
    await session.exit();
    const told = errorsOf(session);
    const last = told.at(-1);
    const first = told
      .slice(0, -1)
      .map(({ text }) => text)
      .join('');
    expect(lines.startsWith(first)).toBe(true);
    expect(lines.endsWith(last?.text ?? '?')).toBe(true);
    const bytes = [first, last?.text ?? ''].map((text) => Buffer.byteLength(text));
    expect(bytes[0]).toBeGreaterThan(256 * 1024 - 4);
    expect(bytes[1]).toBeGreaterThan(64 * 1024 - 4);
    expect((bytes[0] ?? 0) + (bytes[1] ?? 0) + (last?.dropped ?? 0)).toBeCloseTo(Buffer.byteLength(lines), -1);
  });
});

describe('stdin of a batch session', () => {
  it('reaches a slow reader completely and is journaled in full', async () => {
    const stdin = 'ü€\n'.repeat(STDIN_BYTES / 6);
    const session = await spawnNode(
      `let all = []; const buffer = Buffer.alloc(100_000);
       for (let n; (n = fs.readSync(0, buffer)) > 0; ) all.push(Buffer.from(buffer.subarray(0, n)));
       console.log(require('node:crypto').hash?.('sha256', Buffer.concat(all)) ??
         require('node:crypto').createHash('sha256').update(Buffer.concat(all)).digest('hex'));`,
      { stdin },
    );
    await session.exit();
    expect(session.output().toString()).toBe(`${hash(Buffer.from(stdin))}\r\n`);
    expect(inputs(session)).toEqual(['begin stdin', 'end stdin']);
    const begin = session.records.find(({ kind }) => kind === 'input');
    expect(begin).toMatchObject({ text: stdin, length: Buffer.byteLength(stdin), submits: false });
  });

  it('is recorded as failed if the program closes it or never reads it', async () => {
    const stdin = 'x'.repeat(1_000_000);
    const closing = await spawn('head -c 3; exec <&-; echo; sleep 0.05; echo on', { stdin });
    const ignoring = await spawn('exec echo done', { stdin });
    for (const session of [closing, ignoring]) {
      expect(await session.exit()).toMatchObject({ exitCode: 0 });
      expect(inputs(session)).toEqual(['begin stdin', 'failed stdin']);
    }
    expect(closing.output().toString()).toBe('xxx\r\non\r\n');
  });

  it('is the only input: typing, replies and terminal queries are refused', async () => {
    const session = await spawn('cat; sleep 1000', { stdin: 'a' });
    await session.untilText('a');
    const { sessionId } = session;
    const attempts = [
      () => daemon.call('write', { sessionId, writeId: 'w', steps: [{ text: 'x' }] }),
      () => daemon.call('keys', { sessionId, text: 'x' }),
      () => daemon.call('reply', { sessionId, query: 0, text: 'x' }),
      () => daemon.call('terminal', { sessionId }),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'ORCHD_NO_TERMINAL' });
    await daemon.call('resize', { sessionId, cols: 100, rows: 30 });
    await daemon.call('kill', { sessionId, graceMs: 0 });
    await session.exit();
    expect(inputs(session)).toEqual(['begin stdin', 'end stdin']);
  });
});

describe('the end of a batch session', () => {
  it.runIf(existsSync('/proc/self/stat'))('ends all processes that the program started', async () => {
    const session = await spawn(
      'trap "" HUP TERM; setsid sh -c \'trap "" HUP TERM; echo "far=$$;"; while :; do sleep 0.02; done\' & wait; wait',
    );
    await session.untilText('far=');
    const pid = Number(/far=(\d+);/.exec(session.output().toString())?.[1]);
    const { escaped } = await daemon.call('kill', { sessionId: session.sessionId, graceMs: 10 });
    expect(escaped).toEqual([]);
    expect(await session.exit()).toMatchObject({ signal: 'SIGKILL', leftOpen: false });
    expect(isAlive(pid)).toBe(false);
  });

  it('is journaled while no daemon is connected, and the next daemon reads all output', async () => {
    const other = await startHost();
    const first = await other.connect({ takes: false });
    const session = await spawnNode("for (let n = 0; n < 50_000; n++) fs.writeSync(1, n + '\\n');", {}, first);
    await session.until('out');
    first.close();
    await first.closed;
    const again = (await other.connect()).follow(session.sessionId);
    await again.exit();
    const numbers = Array.from({ length: 50_000 }, (_, n) => `${n}\r\n`).join('');
    expect(hash(again.output())).toBe(hash(Buffer.from(numbers)));
    await other.stop();
  });
});
