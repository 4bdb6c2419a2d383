/**
 * Disks that are full, files that are damaged, processes that are stopped: each has a stated behaviour, and nothing is
 * lost.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { isAlive } from '../../src/cli/daemon/is-alive.js';
import { readJournal } from '../../src/host/index.js';
import type { Event, Session } from '../../src/protocol/index.js';
import { gone, startDaemon, type TestDaemon } from '../harness/daemon.js';

const DAEMON = join(import.meta.dirname, '../../dist/daemon.js');
const BIN = join(import.meta.dirname, '../../bin/orchd.js');

let daemon: TestDaemon | undefined;
const cleanups: (() => void)[] = [];
afterEach(async () => {
  await daemon?.close();
  daemon = undefined;
  for (const clean of cleanups.splice(0)) clean();
});

async function fresh(options?: Parameters<typeof startDaemon>[0]): Promise<TestDaemon> {
  daemon = await startDaemon(options);
  return daemon;
}
const start = async (of: TestDaemon) => {
  const { code, stderr } = await of.orchd('start', '--detach', '--no-tcp');
  expect(code, stderr).toBe(0);
};
const exited = (of: TestDaemon, { id }: Session) => of.event('session_exited', (event) => event.session_id === id);
const reports = (events: readonly Event[]) =>
  events.flatMap((event) => (event.event_type === 'message' ? [String(event.message.data['summary'])] : []));
async function eventsOf(of: TestDaemon, { id }: Session): Promise<Event[]> {
  const events: Event[] = [];
  for await (const event of of.client.events({ since: 0, session: id }))
    if (event.event_type !== 'gap') events.push(event);
  return events;
}

/** Prints so many numbered markers, each with a long text. */
const REPORTS = 400;
const REPORT_ALL =
  `i=0; pad=$(printf '%01000d' 0); while [ $i -lt ${REPORTS} ]; do i=$((i+1)); echo ":ORCHESTRATOR: TASK ` +
  'COMPLETE - $i $pad"; done';
const ALL_NUMBERS = Array.from({ length: REPORTS }, (_, i) => String(i + 1));
const numbers = (events: readonly Event[]) => reports(events).map((summary) => summary.split(' ')[0]);

/** A home of which one folder is a small disk of its own; null where nothing may be mounted. */
function smallDisk(
  folder: (home: string) => string,
  sizeMib: number,
): { home: string; fill(): void; free(): void } | null {
  const home = mkdtempSync(join(tmpdir(), 'orchd-'));
  const disk = folder(home);
  mkdirSync(disk, { recursive: true, mode: 0o700 });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMib}m,mode=700`, 'tmpfs', disk], { stdio: 'ignore' });
  } catch {
    rmSync(home, { recursive: true });
    return null;
  }
  cleanups.push(() => {
    execFileSync('umount', ['-l', disk]);
    rmSync(home, { recursive: true, force: true });
  });
  const ballast = join(disk, 'ballast');
  return {
    home,
    fill() {
      const file = openSync(ballast, 'w');
      const part = Buffer.alloc(4096);
      try {
        for (;;) writeSync(file, part);
      } catch {
        // That was the last of it.
      }
      closeSync(file);
    },
    free: () => rmSync(ballast),
  };
}
const canMount = (() => {
  const disk = smallDisk((home) => home, 1);
  for (const clean of cleanups.splice(0)) clean();
  if (!disk) console.log('no test of full disks: a tmpfs cannot be mounted here (they need root)');
  return disk !== null;
})();

describe.skipIf(!canMount)('a full disk', () => {
  test('under the store delays events and loses none; nothing new is promised meanwhile', async () => {
    const disk = smallDisk((home) => `${home}/data`, 8);
    if (!disk) return;
    const own = await fresh({ env: { ORCHD_HOME: disk.home } });
    const asking = await own.sh(
      `echo ':ORCHESTRATOR: QUESTION - space?'; read -r x; echo ":ORCHESTRATOR: TASK COMPLETE - $x"`,
    );
    const item = await own.openItem(asking);
    const session = await own.sh(`read go; ${REPORT_ALL}`);
    disk.fill();
    await own.client.call('session.send', { session: session.id, text: 'go' });
    const refused = async () =>
      own.client.call('session.start', { command: ['true'], cwd: '/' }).then(
        () => 'started',
        (error: { code: string }) => error.code,
      );
    await expect.poll(refused, { timeout: 20_000 }).toBe('ORCHD_STORE_FULL');
    await expect(own.client.call('inbox.answer', { item: item.id, text: 'now' })).rejects.toMatchObject({
      code: 'ORCHD_STORE_FULL',
    });
    disk.free();
    await exited(own, session);
    expect(numbers(await eventsOf(own, session))).toEqual(ALL_NUMBERS);
    await own.client.call('inbox.answer', { item: item.id, text: 'freed' });
    await exited(own, asking);
    expect(reports(await eventsOf(own, asking)).at(-1)).toBe('freed');
  });

  test('under the store is survived by a daemon that is killed meanwhile', async () => {
    const disk = smallDisk((home) => `${home}/data`, 8);
    if (!disk) return;
    const own = await fresh({ env: { ORCHD_HOME: disk.home } });
    const session = await own.sh(`read go; ${REPORT_ALL}; touch "$DONE"`, '--env', `DONE=${disk.home}/done`);
    disk.fill();
    await own.client.call('session.send', { session: session.id, text: 'go' });
    await expect.poll(() => existsSync(`${disk.home}/done`), { timeout: 20_000 }).toBe(true);
    await own.crash();
    disk.free();
    await start(own);
    await exited(own, session);
    expect(numbers(await eventsOf(own, session))).toEqual(ALL_NUMBERS);
  });

  test('under the journals makes programs wait, and loses nothing of what they print', async () => {
    const disk = smallDisk((home) => `${home}/state/journals`, 4);
    if (!disk) return;
    const own = await fresh({ env: { ORCHD_HOME: disk.home } });
    const session = await own.sh(`read go; ${REPORT_ALL}`);
    disk.fill();
    await own.client.call('session.send', { session: session.id, text: 'go' });
    const hostLog = () => readFileSync(own.paths.hostLogFile, 'utf8');
    await expect.poll(hostLog, { timeout: 20_000 }).toContain('the journal cannot be written, the program waits');
    const refused = () =>
      own.client.call('session.start', { command: ['true'], cwd: '/' }).then(
        () => 'started',
        (error: { code: string }) => error.code,
      );
    expect(await refused()).toBe('ORCHD_STORE_FULL');
    disk.free();
    await exited(own, session);
    const events = await eventsOf(own, session);
    expect(numbers(events)).toEqual(ALL_NUMBERS);
    expect(events.map(({ event_type }) => event_type)).toContain('session_paused');
  });
});

describe('a journal', () => {
  const printed = (journals: string, { id }: Session): string =>
    [...readJournal(journals, id)]
      .map((record) => (record.kind === 'out' ? Buffer.from(record.bytes).toString() : ''))
      .join('');

  /** A session whose last words no daemon has heard, and whose host is gone. */
  async function orphan(): Promise<{ own: TestDaemon; session: Session; file: string }> {
    const own = await fresh();
    const { stateDir, journalsDir } = own.paths;
    const session = await own.sh(
      `echo ':ORCHESTRATOR: TASK COMPLETE - heard'
       for i in 1 2 3 4 5 6 7 8 9; do while [ ! -e ${stateDir}/go-$i ]; do sleep 0.02; done; echo ":ORCHESTRATOR: TASK COMPLETE - unheard $i"; done; read x`,
    );
    await own.event('message', (event) => event.session_id === session.id);
    const { host } = await own.client.call('daemon.status', {});
    await own.crash();
    // Each in a record of its own.
    for (let i = 1; i <= 9; i++) {
      writeFileSync(`${stateDir}/go-${i}`, '');
      await expect.poll(() => printed(journalsDir, session)).toContain(`unheard ${i}\r\n`);
    }
    process.kill(host.pid, 'SIGKILL');
    await gone(host.pid);
    const dir = join(journalsDir, session.id);
    const segment = readdirSync(dir).findLast((name) => name.endsWith('.journal')) ?? '';
    return { own, session, file: join(dir, segment) };
  }

  test('whose tail is torn ends with its last whole record, and that is said', async () => {
    const { own, session, file } = await orphan();
    truncateSync(file, statSync(file).size - 7);
    await start(own);
    await own.event('journal_damaged', (event) => event.session_id === session.id);
    await own.event('session_lost', (event) => event.session_id === session.id);
    const heard = reports(await eventsOf(own, session));
    expect(heard.slice(0, 2)).toEqual(['heard', 'unheard 1']);
    expect((await own.client.call('session.capture', { session: session.id })).text).toContain('unheard 1');
  });

  test('that is damaged in the middle says where, and keeps what can be read', async () => {
    const { own, session, file } = await orphan();
    const bytes = readFileSync(file);
    const at = bytes.indexOf('unheard 5');
    bytes[at] = (bytes[at] ?? 0) ^ 0xff;
    writeFileSync(file, bytes);
    await start(own);
    const damage = await own.event('journal_damaged', (event) => event.session_id === session.id);
    expect(damage.from).toBeLessThanOrEqual(at);
    await own.event('session_lost', (event) => event.session_id === session.id);
    const heard = reports(await eventsOf(own, session));
    expect(heard.slice(0, 2)).toEqual(['heard', 'unheard 1']);
    expect(heard).not.toContain('unheard 5');
  });
});

describe('a database', () => {
  async function startWith(change: (file: string) => void) {
    const own = await fresh();
    await own.orchd('stop');
    change(own.paths.database);
    const before = readFileSync(own.paths.database);
    const result = await own.orchd('start', '--detach', '--no-tcp', '--json');
    expect(readFileSync(own.paths.database).equals(before), 'it is left as it is').toBe(true);
    return { ...result, problem: JSON.parse(result.stderr) };
  }

  test('that is corrupt is left as it is, and the daemon says what to do', async () => {
    const { code, problem } = await startWith((file) => writeFileSync(file, Buffer.alloc(65_536, 'garbage ')));
    expect(code).toBe(1);
    expect(problem).toMatchObject({ code: 'ORCHD_STORE_CORRUPT', message: expect.stringContaining('Move it away') });
  });

  test('that is corrupt does not keep `orchd stop` from ending the host and its sessions', async () => {
    const own = await fresh();
    const session = await own.sh('cat');
    const { host } = await own.client.call('daemon.status', {});
    await own.crash();
    writeFileSync(own.paths.database, Buffer.alloc(65_536, 'garbage '));
    rmSync(`${own.paths.database}-wal`, { force: true }); // SQLite would restore the pages from it
    const { code, stdout, stderr } = await own.orchd('stop');
    expect([code, stdout], stderr).toEqual([0, 'stopped; 1 session ended\n']);
    expect(stderr).toContain('no daemon can start');
    await gone(host.pid);
    await gone(session.pid);
  });

  test('of a newer orchd is left as it is, and the daemon says so', async () => {
    const { code, problem } = await startWith((file) => {
      const bytes = readFileSync(file);
      bytes.writeUInt32BE(9_999, 60); // user_version: https://sqlite.org/fileformat.html#the_database_header
      writeFileSync(file, bytes);
    });
    expect(code).toBe(1);
    expect(problem.code).toBe('ORCHD_STORE_NEWER');
  });
});

describe('a second daemon', () => {
  test('says that there is one already, and harms nobody', async () => {
    const own = await fresh();
    const session = await own.sh('cat');
    const second = spawn(process.execPath, [DAEMON, '--no-tcp'], { env: own.env, stdio: ['ignore', 'pipe', 'pipe'] });
    let words = '';
    second.stderr.setEncoding('utf8').on('data', (text) => {
      words += text;
    });
    const code = await new Promise((resolve) => second.once('close', resolve));
    expect(code).toBe(4);
    expect(words).toMatch(/another|lock/i);
    const { stdout } = await own.orchd('start', '--detach');
    expect(stdout).toContain('is running');
    await own.client.call('session.send', { session: session.id, text: 'still here' });
    await expect
      .poll(async () => (await own.client.call('session.capture', { session: session.id })).text)
      .toContain('still here');
  });

  test('started at the same moment by ten commands is one', async () => {
    const own = await fresh();
    await own.orchd('stop');
    const results = await Promise.all(
      Array.from({ length: 5 }, () => own.orchd('start', '--detach', '--no-tcp', '--json')),
    );
    const pids = new Set(results.map(({ stdout }) => JSON.parse(stdout).daemon.pid));
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    expect(pids.size).toBe(1);
  });
});

describe('a daemon that takes long to start', () => {
  /** Starts a daemon that cannot get further than its host, which is stopped; and the command that waits for it. */
  async function starting() {
    const own = await fresh();
    const session = await own.sh('cat');
    const { host } = await own.client.call('daemon.status', {});
    await own.orchd('stop', '--keep-sessions');
    process.kill(host.pid, 'SIGSTOP');
    cleanups.push(() => isAlive(host.pid) && process.kill(host.pid, 'SIGCONT'));
    const starter = own.follow('start', '--detach', '--no-tcp');
    let said = '';
    starter.stderr?.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
    await expect.poll(() => said, { timeout: 20_000 }).toContain('the daemon is starting: connecting to the host');
    return { own, session, host, starter, pid: Number(readFileSync(own.paths.pidFile, 'utf8')) };
  }

  test('tells its steps, and comes up although the command that started it is gone', async () => {
    const { own, session, host, starter, pid } = await starting();
    const isOver = once(starter, 'close');
    starter.kill('SIGKILL');
    await isOver;
    process.kill(host.pid, 'SIGCONT');
    await expect.poll(async () => (await own.orchd('status', '--json')).code, { timeout: 20_000 }).toBe(0);
    expect((await own.client.call('daemon.status', {})).daemon.pid).toBe(pid);
    expect((await own.client.call('session.show', { session: session.id })).state).not.toBe('lost');
  });

  test('is ended by `orchd stop --keep-sessions`, and the next start finds the sessions', async () => {
    const { own, session, host, pid } = await starting();
    const { code, stdout, stderr } = await own.orchd('stop', '--keep-sessions');
    expect([code, stdout], stderr).toEqual([0, 'daemon stopped\n']);
    await gone(pid);
    process.kill(host.pid, 'SIGCONT');
    await start(own);
    await own.client.call('session.send', { session: session.id, text: 'still here' });
  });
});

describe('a daemon that is stopped (SIGSTOP)', () => {
  test('is said to be silent; goes on where it was after CONT; and is replaced by `orchd restart`', {
    timeout: 120_000,
  }, async () => {
    const own = await fresh();
    const pid = Number(readFileSync(own.paths.pidFile, 'utf8'));
    const session = await own.sh('while read -r n; do echo ":ORCHESTRATOR: TASK COMPLETE - $n"; done');
    process.kill(pid, 'SIGSTOP');
    const { code, stderr } = await own.orchd('ls', '--json');
    expect([code, JSON.parse(stderr).code]).toEqual([5, 'ORCHD_DAEMON_SILENT']);
    process.kill(pid, 'SIGCONT');
    await own.client.call('session.send', { session: session.id, text: 'one' });
    await own.event('message', (event) => event.session_id === session.id);
    process.kill(pid, 'SIGSTOP');
    const restarted = await own.orchd('restart');
    expect(restarted.code, restarted.stderr).toBe(0);
    const { tcp } = await own.client.call('daemon.status', {});
    expect(tcp, 'started with --no-tcp, as it was').toEqual({ port: null, by: 'flag' });
    await gone(pid);
    await own.client.call('session.send', { session: session.id, text: 'two' });
    await own.event('message', (event) => event.message.data['summary'] === 'two');
    expect(reports(await eventsOf(own, session))).toEqual(['one', 'two']);
  });
});

describe('a home', () => {
  /** Ends a command that does not end by itself. */
  const run = (home: string, ...args: string[]) => {
    const env = { ...process.env, ORCHD_SOCKET: undefined, ORCHD_HOME: home };
    const options = { env, timeout: 20_000, killSignal: 'SIGKILL', encoding: 'utf8' } as const;
    return spawnSync(process.execPath, [BIN, ...args], options);
  };

  test('that is a file, or lies below one, is refused by every command, which names it', () => {
    const dir = mkdtempSync(join(tmpdir(), 'orchd-'));
    cleanups.push(() => rmSync(dir, { recursive: true }));
    const file = join(dir, 'file');
    writeFileSync(file, 'precious');
    for (const [home, inTheWay] of [
      ['/dev/null/x', '/dev/null'],
      [file, file],
    ] as const) {
      for (const args of [
        ['start', '--detach'],
        ['demo', '--no-tui'],
        ['run', '-d', '--', 'true'],
        ['ls'],
        ['status'],
      ]) {
        const { status, stderr } = run(home, ...args, '--json');
        const problem = JSON.parse(stderr);
        expect([status, problem.code], args.join(' ')).toEqual([1, 'ORCHD_FILE']);
        expect(problem.error).toMatch(`${inTheWay} is no directory`);
        expect(problem.error).toContain('ORCHD_HOME');
      }
    }
    expect(readFileSync(file, 'utf8')).toBe('precious');
  });

  test('that is no absolute path is refused, because the daemon does not run where its caller does', () => {
    const { status, stderr } = run('rel/x', 'start', '--detach', '--json');
    expect([status, JSON.parse(stderr)]).toEqual([
      1,
      expect.objectContaining({ code: 'ORCHD_FILE', error: "ORCHD_HOME is 'rel/x'; it has to be an absolute path" }),
    ]);
  });

  test('below a project whose configuration is broken: its control characters are shown by their numbers', () => {
    const dir = mkdtempSync(join(tmpdir(), 'orchd-'));
    cleanups.push(() => rmSync(dir, { recursive: true }));
    mkdirSync(join(dir, '.orchd'));
    writeFileSync(join(dir, '.orchd/config.toml'), 'a = "\x1b]0;mine\x07');
    const env = { ...process.env, ORCHD_HOME: join(dir, 'home') };
    const { stderr } = spawnSync(process.execPath, [BIN, 'config'], { env, cwd: dir, encoding: 'utf8' });
    expect(stderr).toContain('a = "‹U+001B›]0;mine‹U+0007›');
  });

  test('in which something else stands where orchd writes is refused, and that is named', () => {
    const dir = mkdtempSync(join(tmpdir(), 'orchd-'));
    cleanups.push(() => rmSync(dir, { recursive: true }));
    const refused = (words: string) => {
      const { status, stderr } = run(dir, 'start', '--detach', '--no-tcp', '--json');
      const problem = expect.objectContaining({ code: 'ORCHD_FILE', error: expect.stringContaining(words) });
      expect([status, JSON.parse(stderr)]).toEqual([1, problem]);
    };
    mkdirSync(join(dir, 'state/daemon.log'), { recursive: true, mode: 0o700 });
    refused(`${dir}/state/daemon.log cannot be written`);
    rmSync(join(dir, 'state/daemon.log'), { recursive: true });
    mkdirSync(join(dir, 'config'), { recursive: true });
    mkdirSync(join(dir, 'data'), { mode: 0o700 });
    // Opening a pipe waits for its other end.
    for (const [file, words] of [
      ['state/daemon.log', 'cannot be written'],
      ['state/host.log', 'is no regular file'],
      ['state/daemon.pid', 'is no regular file'],
      ['state/hearing', 'is no regular file'],
      ['data/token', 'is no regular file'],
      ['config/config.toml', 'is no regular file'],
    ]) {
      execFileSync('mkfifo', [join(dir, String(file))]);
      refused(`${dir}/${file} ${words}`);
      rmSync(join(dir, String(file)));
    }
    rmSync(join(dir, 'data'), { recursive: true });
    writeFileSync(join(dir, 'data'), '');
    refused(`${dir}/data is no directory`);
  });

  test.skipIf(process.platform !== 'linux')('that the kernel refuses to make is said at once', () => {
    for (const args of [
      ['start', '--detach'],
      ['demo', '--no-tui'],
      ['run', '-d', '--', 'true'],
    ]) {
      const { status, stderr } = run('/proc/nope', ...args, '--json');
      expect([status, JSON.parse(stderr)], args.join(' ')).toEqual([
        1,
        expect.objectContaining({ code: 'ORCHD_FILE', error: expect.stringContaining('nothing can be made in /proc') }),
      ]);
    }
  });
});

describe('a socket path', () => {
  test('with a socket that nobody listens on is taken over', async () => {
    const own = await fresh();
    await own.crash();
    expect(existsSync(own.paths.socket)).toBe(true);
    await start(own);
    expect((await own.orchd('status')).code).toBe(0);
  });

  test('with another file is refused, and the file left alone', async () => {
    const own = await fresh();
    await own.orchd('stop');
    writeFileSync(own.paths.socket, 'precious');
    const { code, stderr } = await own.orchd('start', '--detach', '--no-tcp');
    expect(code).toBe(2);
    expect(stderr).toContain('no socket');
    expect(readFileSync(own.paths.socket, 'utf8')).toBe('precious');
    rmSync(own.paths.socket);
  });

  test('of more than 107 bytes is refused by every command before anything is started', () => {
    const env = { ...process.env, ORCHD_HOME: undefined, ORCHD_SOCKET: `/tmp/${'x'.repeat(110)}.sock` };
    for (const command of ['start', 'ls', 'status']) {
      try {
        execFileSync(process.execPath, [BIN, command, '--json'], { env, stdio: 'pipe' });
        expect.unreachable();
      } catch (error) {
        const { status, stderr } = error as { status: number; stderr: Buffer }; // what execFileSync throws
        expect([status, JSON.parse(stderr.toString()).code]).toEqual([2, 'ORCHD_SOCKET_PATH']);
      }
    }
  });
});

test('a token file that other users could read is replaced by a new token', async () => {
  const own = await fresh();
  const { tokenFile } = own.paths;
  await own.orchd('stop', '--keep-sessions');
  const old = readFileSync(tokenFile, 'utf8');
  chmodSync(tokenFile, 0o644);
  await start(own);
  expect(statSync(tokenFile).mode & 0o777).toBe(0o600);
  expect(readFileSync(tokenFile, 'utf8')).not.toBe(old);
  expect(readFileSync(own.paths.logFile, 'utf8')).toContain('other users could read the token file');
});
