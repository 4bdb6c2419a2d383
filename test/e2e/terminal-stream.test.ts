/**
 * Tests terminal streams: what an attached user sees, what a program that follows gets, and who answers terminal
 * queries.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import headless from '@xterm/headless';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { DaemonControl, Terminal, TerminalOptions } from '../../src/client/index.js';
import type { Session } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.close());

interface Watcher {
  readonly terminal: Terminal;
  readonly controls: DaemonControl[];
  bytes(): Buffer;
  /** Resolves when the condition holds for the stream so far. */
  until(fits: () => boolean): Promise<void>;
}

async function watch({ id }: Session, options: TerminalOptions = {}): Promise<Watcher> {
  const terminal = await daemon.client.terminal(id, options);
  const chunks: Buffer[] = [];
  const controls: DaemonControl[] = [];
  let waiting: (() => void)[] = [];
  const look = () => {
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  };
  terminal.onControl((message) => {
    controls.push(message);
    look();
  });
  terminal.onBytes((bytes) => {
    chunks.push(Buffer.from(bytes));
    look();
  });
  void terminal.ended.then(look);
  return {
    terminal,
    controls,
    bytes: () => Buffer.concat(chunks),
    until: async (fits) => {
      while (!fits()) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}

const shows = (watcher: Watcher, text: string) => watcher.until(() => watcher.bytes().includes(text));
const send = (session: Session, text: string) => daemon.client.call('session.send', { session: session.id, text });

/** Returns the screen of a terminal of this size after these bytes. */
async function emulate(bytes: Uint8Array, cols: number, rows: number): Promise<string> {
  const terminal = new headless.Terminal({ cols, rows, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(bytes, resolve));
  const buffer = terminal.buffer.active;
  const lines = Array.from({ length: rows }, (_, y) => buffer.getLine(buffer.baseY + y)?.translateToString(true) ?? '');
  return lines.map((line) => `${line}\n`).join('');
}

/** Starts a session that prints, then repeatedly reads a line and runs it. */
const shell = (first: string, ...flags: string[]) =>
  daemon.sh(`stty -echo; ${first}; echo ready; while read -r line; do eval "$line"; done`, ...flags);

async function ready(session: Session): Promise<void> {
  const watcher = await watch(session, { readOnly: true });
  await shows(watcher, 'ready');
  watcher.terminal.close();
}

describe('attach', () => {
  test('starts with the current screen, which equals the output of `capture`', async () => {
    const session = await shell(
      `printf 'plain\\n\\033[1;31mbold red\\033[0m\\n\\033[10;20Hthere\\033[44m blue \\033[0m 漢字 🙂\\n'; seq ` +
        `1 40; printf '\\033[5;1H\\033[K'`,
    );
    await ready(session);
    const watcher = await watch(session);
    await watcher.until(() => watcher.controls.length > 0 && watcher.bytes().length > 0);
    expect(watcher.controls[0]).toEqual({ type: 'size', cols: session.size.cols, rows: session.size.rows });
    const { cols, rows } = session.size;
    expect(await emulate(watcher.bytes(), cols, rows)).toBe(await daemon.screenOf(session));
    await send(session, 'echo more');
    await shows(watcher, 'more');
    expect(await emulate(watcher.bytes(), cols, rows)).toBe(await daemon.screenOf(session));
    watcher.terminal.close();
  });

  test('shows the alternate screen, and the main screen after the program leaves it', async () => {
    const session = await shell(`echo main; printf '\\033[?1049h\\033[2J\\033[3;3Hfull\\n'`);
    await ready(session);
    const watcher = await watch(session);
    await shows(watcher, 'full');
    const { cols, rows } = session.size;
    expect(await emulate(watcher.bytes(), cols, rows)).toBe(await daemon.screenOf(session));
    await send(session, `printf '\\033[?1049l'; echo back`);
    await shows(watcher, 'back');
    const after = await emulate(watcher.bytes(), cols, rows);
    expect(after).toBe(await daemon.screenOf(session));
    expect(after).toContain('main');
    watcher.terminal.close();
  });

  test("sets the session's size and tells every client and the program", async () => {
    const session = await shell('true');
    await ready(session);
    const first = await watch(session, { size: { cols: 100, rows: 30 } });
    const second = await watch(session, { size: { cols: 90, rows: 20 } });
    await first.until(() => first.controls.some((message) => message.type === 'size' && message.cols === 90));
    await second.terminal.sendControl({ type: 'resize', cols: 70, rows: 21 });
    await first.until(() => first.controls.some((message) => message.type === 'size' && message.cols === 70));
    await send(session, 'stty size');
    await shows(first, '21 70');
    // The client is informed at once, and the log is written afterwards.
    const sizeOf = async () => (await daemon.client.call('session.show', { session: session.id })).size;
    await vi.waitFor(async () => expect(await sizeOf()).toEqual({ cols: 70, rows: 21 }), {
      timeout: 20_000,
      interval: 20,
    });
    first.terminal.close();
    second.terminal.close();
  });

  test('uses the size of the client that last joined, typed or took control, then the previous one', async () => {
    const session = await shell('true');
    await ready(session);
    const has = (watcher: Watcher, cols: number) =>
      watcher.until(() => watcher.controls.findLast((message) => message.type === 'size')?.cols === cols);
    const first = await watch(session, { size: { cols: 100, rows: 30 } });
    await has(first, 100);
    const second = await watch(session, { size: { cols: 90, rows: 20 } });
    const reader = await watch(session, { size: { cols: 60, rows: 10 }, readOnly: true });
    await has(first, 90);
    await first.terminal.sendBytes('\x1b[O');
    await first.terminal.sendControl({ type: 'resize', cols: 101, rows: 31 });
    await first.terminal.sendBytes('\rstty size\r');
    await has(first, 101);
    await shows(reader, '31 101');
    await second.terminal.sendControl({ type: 'take' });
    await has(first, 90);
    second.terminal.close();
    await has(first, 101);
    first.terminal.close();
    reader.terminal.close();
  });

  test('has its earlier size again after the last client, which was small, has left', async () => {
    const session = await daemon.sh('cat');
    const watcher = await watch(session);
    const sizes = () => watcher.controls.flatMap((one) => (one.type === 'size' ? [`${one.cols}x${one.rows}`] : []));
    await watcher.until(() => sizes().length > 0);
    const before = sizes().at(-1);
    const small = await watch(session, { mode: 'view', size: { cols: 29, rows: 4 } });
    await watcher.until(() => sizes().at(-1) === '29x4');
    small.terminal.close();
    await watcher.until(() => sizes().at(-1) === before);
    const large = await watch(session, { mode: 'view', size: { cols: 90, rows: 30 } });
    await watcher.until(() => sizes().at(-1) === '90x30');
    large.terminal.close();
    watcher.terminal.close();
  });

  test('types chunks that arrive together in order, even if the first one changes the size', async () => {
    const session = await daemon.sh('stty -echo; echo ready; read -r line; echo "got:$line:"; read -r more');
    await ready(session);
    const connection = connect(daemon.paths.socket);
    const url = `ws://localhost/api/sessions/${session.id}/terminal?mode=attach&cols=100&rows=30`;
    const first = new WebSocket(url, { createConnection: () => connection });
    await once(first, 'open');
    const second = await watch(session, { size: { cols: 90, rows: 20 } });
    await second.until(() => second.controls.some((message) => message.type === 'size' && message.cols === 90));
    connection.cork();
    for (const keys of ['one', ' two', ' three\r']) first.send(Buffer.from(keys));
    connection.uncork();
    await shows(second, 'got:');
    expect(await daemon.screenOf(session)).toContain('got:one two three:');
    first.close();
    second.terminal.close();
  });

  test('shows a smaller client the part with the cursor, and raw output at equal size', async () => {
    const session = await shell(
      `printf 'one\\n\\033[5;1H\\033[32mgreen 漢字\\033[m and more than fits\\033[2;1H'`,
      '--size',
      '40x10',
    );
    await ready(session);
    const small = { cols: 11, rows: 4 };
    const watcher = await watch(session, { size: small, readOnly: true });
    await shows(watcher, 'ready');
    expect(await emulate(watcher.bytes(), small.cols, small.rows)).toBe('one\nready\n\n\n');
    await send(session, `printf '\\033[5;9Hhere'`);
    await shows(watcher, 'here');
    expect(await emulate(watcher.bytes(), small.cols, small.rows)).toBe('ady\n\n\neen 漢heren\n');
    const before = watcher.bytes().length;
    await daemon.client.call('session.resize', { session: session.id, size: small });
    await send(session, `printf '\\033[2J\\033[Hraw\\033Z'`);
    await shows(watcher, 'raw');
    const raw = watcher.bytes().subarray(before).toString('latin1');
    expect(raw).toContain('\x1b[?1049l');
    expect(raw).toContain('\x1b[2J\x1b[Hraw');
    watcher.terminal.close();
  });

  test('with `painted` sends complete messages that touch only the rows of the session', async () => {
    const size = { cols: 30, rows: 6 };
    const session = await shell('true', '--size', '30x6');
    await ready(session);
    const watcher = await watch(session, { size, painted: true });
    await send(session, `printf '\\033[1;6r\\033[2J'; seq 1 50; printf '\\033[?1003h\\033[K'; echo done`);
    await shows(watcher, 'done');
    await watcher.until(() => watcher.bytes().includes('\x1b[?1003h'));
    const shown = await emulate(
      Buffer.concat([Buffer.from('\x1b[7;1Hmine'), watcher.bytes()]),
      size.cols,
      size.rows + 1,
    );
    expect(shown).toBe(`${await daemon.screenOf(session)}mine\n`);
    const before = watcher.bytes().length;
    await watcher.terminal.sendControl({ type: 'repaint' });
    await watcher.until(() => watcher.bytes().length > before);
    expect(await emulate(watcher.bytes().subarray(before), size.cols, size.rows)).toBe(await daemon.screenOf(session));
    watcher.terminal.close();
  });

  test('reports clipboard writes as a message and not in the stream', async () => {
    const session = await shell('true');
    await ready(session);
    const watchers = [await watch(session), await watch(session, { size: { cols: 20, rows: 5 }, readOnly: true })];
    await send(session, `printf '\\033]52;c;aGk=\\007\\033]52;c;?\\007'; echo done`);
    for (const watcher of watchers) {
      await shows(watcher, 'done');
      expect(watcher.controls.filter(({ type }) => type === 'clipboard')).toEqual([
        { type: 'clipboard', data: 'aGk=' },
      ]);
      expect(watcher.bytes().includes(']52;')).toBe(false);
      watcher.terminal.close();
    }
  });

  test('by two clients shows both the same output and accepts keys from both', async () => {
    const session = await shell('true');
    await ready(session);
    const [first, second] = [await watch(session), await watch(session)];
    await first.terminal.sendBytes('echo from-the-first\r');
    await shows(second, 'from-the-first');
    await second.terminal.sendBytes('echo from-the-second\r');
    await shows(first, 'from-the-second');
    first.terminal.close();
    second.terminal.close();
  });

  test('reports the number of other clients, and a client that may type can detach them', async () => {
    const session = await shell('true');
    await ready(session);
    const clients = (watcher: Watcher) => watcher.controls.filter((message) => message.type === 'clients').at(-1);
    const first = await watch(session);
    const reader = await watch(session, { readOnly: true });
    const second = await watch(session);
    const view = await watch(session, { mode: 'view' });
    await first.until(() => clients(first)?.others === 1 && clients(first)?.readers === 1);
    await reader.until(() => clients(reader)?.others === 2);
    expect(clients(reader)).toEqual({ type: 'clients', others: 2, readers: 0 });
    await reader.terminal.sendControl({ type: 'detach_others' }); // A read-only client may not detach others.
    await second.terminal.sendControl({ type: 'detach_others' });
    expect(await first.terminal.ended).toMatchObject({ code: 1008 });
    expect(await reader.terminal.ended).toMatchObject({ code: 1008 });
    expect(first.controls.at(-1)).toEqual({ type: 'detached' });
    await second.until(() => clients(second)?.others === 0 && clients(second)?.readers === 0);
    await second.terminal.sendBytes('echo still-here\r');
    await shows(second, 'still-here');
    await view.until(() => view.controls.some((message) => JSON.stringify(message).includes('still-here')));
    for (const { terminal } of [second, view]) terminal.close();
  });

  test('with read_only neither types nor resizes', async () => {
    const session = await shell('true');
    await ready(session);
    const reader = await watch(session, { readOnly: true, size: { cols: 33, rows: 11 } });
    await reader.terminal.sendBytes('echo intruder\r');
    await reader.terminal.sendControl({ type: 'resize', cols: 44, rows: 12 });
    const writer = await watch(session);
    await writer.terminal.sendBytes('stty size\r');
    await shows(reader, `${session.size.rows} ${session.size.cols}`);
    expect(await daemon.screenOf(session)).not.toContain('intruder');
    reader.terminal.close();
    writer.terminal.close();
  });

  test('contains no terminal queries and no clipboard access', async () => {
    const session = await shell('true');
    await ready(session);
    const watcher = await watch(session);
    await send(
      session,
      `printf 'a\\033[cb\\033[6nc\\033]11;?\\007d\\033]52;c;aGk=\\007e\\033[>qf\\033[?ug\\033[?2026$ph\\033P+q544e\\033\\\\i\\n'; echo done`,
    );
    await shows(watcher, 'done');
    expect(watcher.bytes().toString('latin1')).toContain('abcdefghi\r\n');
    watcher.terminal.close();
  });

  test('reports how the program ended and closes', async () => {
    const session = await shell('true');
    await ready(session);
    const watcher = await watch(session);
    await send(session, 'exit 7');
    expect(await watcher.terminal.ended).toMatchObject({ code: 1000 });
    expect(watcher.controls.at(-1)).toEqual({ type: 'exit', state: 'failed', exit_code: 7, signal: null });
  });

  test('to an ended session shows its last screen and closes', async () => {
    const session = await daemon.sh('echo the last words');
    await daemon.event('session_exited', (event) => event.session_id === session.id);
    const watcher = await watch(session);
    expect(await watcher.terminal.ended).toMatchObject({ code: 1000 });
    expect(watcher.bytes().toString()).toContain('the last words');
  });
});

describe('a terminal query', () => {
  /** A script that sends three queries in one write, then prints every byte of the reply. */
  const ASK = `
old=$(stty -g); stty raw -echo
printf '\\033[c\\033[6n\\033]11;?\\033\\\\'
reply=$(dd bs=1 count=38 2>/dev/null | od -An -c | tr -d ' \\n')
stty "$old"; echo; echo "got:$reply:"
while read -r line; do echo "read:$(printf %s "$line" | od -An -c | tr -d ' \\n'):"; done`;
  const REPLIES = '033[?1;2c033[1;1R033]11;rgb:1010/1010/1010033\\';

  test('gets one reply, and none again after a daemon restart', async () => {
    const session = await daemon.sh(ASK, '--size', '200x24');
    await expect.poll(() => daemon.screenOf(session), { timeout: 20_000 }).toContain(`got:${REPLIES}:`);
    await daemon.crash();
    await daemon.start();
    await send(session, 'fresh');
    await expect.poll(() => daemon.screenOf(session), { timeout: 20_000 }).toContain('read:fresh:');
    expect((await daemon.screenOf(session)).match(/read:/g)).toHaveLength(1);
  });
});

test('a colour query returns the colours of the client that attached last', async () => {
  const ask =
    `stty raw -echo; printf '\\033]11;?\\033\\\\'; reply=$(dd bs=1 count=25 2>/dev/null | tr -d '\\033'); stty ` +
    'sane -echo; echo "got:$reply:"';
  const session = await shell('true');
  await ready(session);
  const watcher = await watch(session);
  await watcher.terminal.sendControl({ type: 'colours', background: 'rgb:ffff/ffff/ffff\x07rm' });
  await watcher.terminal.sendControl({ type: 'colours', background: 'rgb:fafa/fbfb/fcfc', foreground: 'rgb:0/0/0' });
  await watcher.terminal.sendBytes(`${ask}\r`);
  await shows(watcher, 'got:]11;rgb:fafa/fbfb/fcfc\\:');
  watcher.terminal.close();
});

describe('stream', () => {
  const MIB = 20;

  test(`delivers ${MIB} MiB completely to a slow consumer`, async () => {
    const source = `for (let i = 0; i < ${MIB * 16}; i++) process.stdout.write(Buffer.alloc(65536, 65 + (i % 26)))`;
    const session = await daemon.sh(`stty raw -echo; echo ready; read x; node -e '${source}'`);
    await ready(session); // the terminal echoes nothing any more
    const terminal = await daemon.client.terminal(session.id, { mode: 'stream' });
    const hash = createHash('sha256');
    let count = 0;
    let reads = 0;
    terminal.onBytes((bytes) => {
      count += bytes.length;
      hash.update(bytes);
      if (++reads % 50 !== 0) return;
      terminal.pause(); // Until another round trip to the daemon has finished.
      void daemon.client.call('session.show', { session: session.id }).then(() => terminal.resume());
    });
    await terminal.sendBytes('\n');
    await terminal.ended;
    const expected = createHash('sha256');
    for (let i = 0; i < MIB * 16; i++) expected.update(Buffer.alloc(65536, 65 + (i % 26)));
    expect(count).toBe(MIB * 1024 * 1024);
    expect(hash.digest('hex')).toBe(expected.digest('hex'));
  });

  test('types 3 MB of input at the speed of the program', async () => {
    const session = await daemon.sh(`stty raw -echo; echo ready; head -c 3000000 | sha256sum; read x`);
    await ready(session);
    const watcher = await watch(session, { mode: 'stream' });
    const chunk = Buffer.alloc(100_000, 'typed text, ');
    const hash = createHash('sha256');
    for (let i = 0; i < 30; i++) {
      hash.update(chunk);
      await watcher.terminal.sendBytes(chunk);
    }
    await shows(watcher, hash.digest('hex'));
    watcher.terminal.close();
  });

  test('continues at a position and reports positions', async () => {
    const session = await shell('true');
    const first = await watch(session, { mode: 'stream', positions: true });
    await first.terminal.sendBytes('echo one; echo two\n');
    await shows(first, 'one\r\ntwo\r\n');
    const at = first.controls.findLast((message) => message.type === 'position')?.position ?? Number.NaN;
    const begin = first.controls.find((message) => message.type === 'position')?.position ?? Number.NaN;
    first.terminal.close();
    const again = await watch(session, { mode: 'stream', from: begin });
    await shows(again, 'one\r\ntwo\r\n');
    expect(again.bytes().toString()).toBe(first.bytes().toString());
    expect(again.controls).toEqual([]);
    again.terminal.close();
    await daemon.client.call('session.kill', { session: session.id, grace_ms: 100 });
    const rest = await watch(session, { mode: 'stream', from: at });
    expect((await rest.terminal.ended).code).toBe(1000);
    expect(first.bytes().toString().endsWith(rest.bytes().toString())).toBe(true);
    expect(rest.bytes().toString()).toContain('two\r\n');
    const nowhere = daemon.client.terminal(session.id, { mode: 'stream', from: -1 });
    await expect(nowhere).rejects.toMatchObject({ code: 'ORCHD_INVALID' });
  });

  test('in `orchd stream` reconnects to the next daemon without lost or repeated output', async () => {
    const fifo = join(daemon.paths.stateDir, 'meanwhile');
    const session = await daemon.sh(
      `stty raw -echo; mkfifo ${fifo}; read x; seq 1 100000; cat ${fifo}; read x; echo "heard $x"; read x`,
    );
    const stream = daemon.follow('stream', session.id);
    let [out, noted] = ['', ''];
    stream.stdout?.setEncoding('latin1').on('data', (text) => {
      out += text;
    });
    stream.stderr?.setEncoding('utf8').on('data', (text) => {
      noted += text;
    });
    const over = once(stream, 'close');
    stream.stdin?.write('\n');
    await vi.waitUntil(() => out !== '', { timeout: 20_000 });
    await daemon.crash();
    const isTold = (times: number) => noted.split('the daemon is gone; orchd waits until it is back').length > times;
    await vi.waitUntil(() => isTold(1), { timeout: 20_000 });
    await writeFile(fifo, 'meanwhile\n');
    stream.stdin?.write('typed meanwhile\n');
    await daemon.start();
    await vi.waitUntil(() => out.includes('heard'), { timeout: 20_000 });
    await daemon.orchd('restart', '--no-tcp');
    await vi.waitUntil(() => isTold(2), { timeout: 20_000 });
    stream.stdin?.write('over\n');
    expect(await over).toEqual([0, null]);
    const numbers = Array.from({ length: 100_000 }, (_, at) => `${at + 1}\n`).join('');
    expect(out === `${numbers}meanwhile\nheard typed meanwhile\n`).toBe(true);
  });
});

describe('view', () => {
  test('sends all rows first and then only changed rows', async () => {
    const session = await shell(`printf '\\033[32mgreen\\033[0m\\n'`);
    await ready(session);
    const watcher = await watch(session, { mode: 'view' });
    const screens = () => watcher.controls.flatMap((message) => (message.type === 'screen' ? [message] : []));
    watcher.terminal.onBytes(() => {});
    await watcher.until(() => screens().length > 0);
    expect(screens()[0]?.rows['0']).toBe('\x1b[0;32mgreen\x1b[0m');
    await send(session, 'echo second');
    await watcher.until(() => screens().some((screen) => Object.values(screen.rows).includes('second')));
    const changed = screens().find((screen) => Object.values(screen.rows).includes('second'));
    expect(changed?.rows).not.toHaveProperty('0');
    watcher.terminal.close();
  });
});

test('a client gets close code 1001 on a restart and 1006 on a crash', async () => {
  const session = await shell('true');
  const watcher = await watch(session);
  await daemon.orchd('restart', '--no-tcp');
  expect(await watcher.terminal.ended).toMatchObject({ code: 1001 });
  const again = await watch(session);
  await daemon.crash();
  expect(await again.terminal.ended).toMatchObject({ code: 1006 });
  await daemon.start();
});
