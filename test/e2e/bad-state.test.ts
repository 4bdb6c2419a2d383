/** Tests full disks, damaged files and stopped processes: each case has a defined behaviour, and no event is lost. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, type TestContext } from 'vitest';
import { isAlive } from '../../src/cli/daemon/is-alive.js';
import type { Event, Session } from '../../src/protocol/index.js';
import { gone, type TestDaemon } from '../harness/daemon.js';
import { type OwnDaemons, test } from '../harness/fresh-daemon.js';
import { readJournal } from '../harness/read-journal.js';
import { mountSmallDisk, type SmallDisk } from '../harness/small-disk.js';

const DAEMON = join(import.meta.dirname, '../../dist/daemon.js');

/** The context of a test that runs concurrently: `expect.poll` must belong to the test. */
type Own = OwnDaemons & Pick<TestContext, 'expect'>;
const exited = (of: TestDaemon, { id }: Session) => of.event('session_exited', (event) => event.session_id === id);
const reports = (events: readonly Event[]) =>
  events.flatMap((event) => (event.event_type === 'message' ? [String(event.message.data['summary'])] : []));
async function eventsOf(of: TestDaemon, { id }: Session): Promise<Event[]> {
  const events: Event[] = [];
  for await (const event of of.client.events({ since: 0, session: id }))
    if (event.event_type !== 'gap') events.push(event);
  return events;
}

/** The program prints this many numbered markers, each with a long text. */
const REPORTS = 400;
const REPORT_ALL =
  `i=0; pad=$(printf '%01000d' 0); while [ $i -lt ${REPORTS} ]; do i=$((i+1)); echo ":ORCHESTRATOR: TASK ` +
  'COMPLETE - $i $pad"; done';
const ALL_NUMBERS = Array.from({ length: REPORTS }, (_, i) => String(i + 1));
const numbers = (events: readonly Event[]) => reports(events).map((summary) => summary.split(' ')[0]);

// The longest test starts first, because the others run beside it.
describe.concurrent('a daemon that is stopped with SIGSTOP', () => {
  test('is reported as silent, continues after SIGCONT, and is replaced by `orchd restart`', {
    timeout: 120_000,
  }, async ({ fresh }) => {
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

/** Makes a home with one of its folders on a small disk. */
function homeOnDisk(folder: string, megabytes: number): { home: string; disk: SmallDisk } {
  const home = mkdtempSync(join(tmpdir(), 'orchd-'));
  const path = join(home, folder);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const disk = mountSmallDisk(megabytes, { path });
  if (!disk) throw new Error(`no disk can be mounted at ${path}`);
  return { home, disk };
}
const canMount = (() => {
  const disk = mountSmallDisk(1);
  disk?.close();
  if (!disk) console.log('no test of full disks: a tmpfs cannot be mounted here (they need root)');
  return disk !== null;
})();

describe.skipIf(!canMount).concurrent('a full disk', () => {
  test('under the store delays events without loss, and new sessions and answers are refused meanwhile', async ({
    fresh,
    afterwards,
  }) => {
    const { home, disk } = homeOnDisk('data', 8);
    afterwards(() => {
      disk.close();
      rmSync(home, { recursive: true, force: true });
    });
    const own = await fresh({ env: { ORCHD_HOME: home } });
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

  test('under the store loses no event even if the daemon is killed', async ({ fresh, afterwards, expect }) => {
    const { home, disk } = homeOnDisk('data', 8);
    afterwards(() => {
      disk.close();
      rmSync(home, { recursive: true, force: true });
    });
    const own = await fresh({ env: { ORCHD_HOME: home } });
    const session = await own.sh(`read go; ${REPORT_ALL}; touch "$DONE"`, '--env', `DONE=${home}/done`);
    disk.fill();
    await own.client.call('session.send', { session: session.id, text: 'go' });
    await expect.poll(() => existsSync(`${home}/done`), { timeout: 20_000 }).toBe(true);
    await own.crash();
    disk.free();
    await own.start();
    await exited(own, session);
    expect(numbers(await eventsOf(own, session))).toEqual(ALL_NUMBERS);
  });

  test('under the journals pauses programs and loses no output', async ({ fresh, afterwards }) => {
    const { home, disk } = homeOnDisk('state/journals', 4);
    afterwards(() => {
      disk.close();
      rmSync(home, { recursive: true, force: true });
    });
    const own = await fresh({ env: { ORCHD_HOME: home } });
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

describe.concurrent('a journal', () => {
  const printed = (journals: string, { id }: Session): string =>
    [...readJournal(journals, id)]
      .map((record) => (record.kind === 'out' ? Buffer.from(record.bytes).toString() : ''))
      .join('');

  /** Makes a session whose last output no daemon has read and whose host is killed. */
  async function orphan({
    fresh,
    expect,
  }: Pick<Own, 'fresh' | 'expect'>): Promise<{ own: TestDaemon; session: Session; file: string }> {
    const own = await fresh();
    const { stateDir, journalsDir } = own.paths;
    const session = await own.sh(
      `echo ':ORCHESTRATOR: TASK COMPLETE - heard'
       for i in 1 2 3 4 5 6 7 8 9; do while [ ! -e ${stateDir}/go-$i ]; do sleep 0.02; done; echo ":ORCHESTRATOR: TASK COMPLETE - unheard $i"; done; read x`,
    );
    await own.event('message', (event) => event.session_id === session.id);
    const { host } = await own.client.call('daemon.status', {});
    await own.crash();
    // Each marker is in a separate record.
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

  test('with a torn tail is reported as damaged and read up to its last complete record', async ({ fresh, expect }) => {
    const { own, session, file } = await orphan({ fresh, expect });
    truncateSync(file, statSync(file).size - 7);
    await own.start();
    await own.event('journal_damaged', (event) => event.session_id === session.id);
    await own.event('session_lost', (event) => event.session_id === session.id);
    const heard = reports(await eventsOf(own, session));
    expect(heard.slice(0, 2)).toEqual(['heard', 'unheard 1']);
    expect((await own.client.call('session.capture', { session: session.id })).text).toContain('unheard 1');
  });

  test('with damage in the middle is reported with the position and read where possible', async ({ fresh, expect }) => {
    const { own, session, file } = await orphan({ fresh, expect });
    const bytes = readFileSync(file);
    const at = bytes.indexOf('unheard 5');
    bytes[at] = (bytes[at] ?? 0) ^ 0xff;
    writeFileSync(file, bytes);
    await own.start();
    const damage = await own.event('journal_damaged', (event) => event.session_id === session.id);
    expect(damage.from).toBeLessThanOrEqual(at);
    await own.event('session_lost', (event) => event.session_id === session.id);
    const heard = reports(await eventsOf(own, session));
    expect(heard.slice(0, 2)).toEqual(['heard', 'unheard 1']);
    expect(heard).not.toContain('unheard 5');
  });
});

describe.concurrent('a database', () => {
  async function startWith(fresh: Own['fresh'], change: (file: string) => void) {
    const own = await fresh();
    await own.orchd('stop');
    change(own.paths.database);
    const before = readFileSync(own.paths.database);
    const result = await own.orchd('start', '--detach', '--no-tcp', '--json');
    expect(readFileSync(own.paths.database).equals(before), 'it is left as it is').toBe(true);
    return { ...result, problem: JSON.parse(result.stderr) };
  }

  test('is not changed if it is corrupt, and the daemon says what to do', async ({ fresh }) => {
    const { code, problem } = await startWith(fresh, (file) => writeFileSync(file, Buffer.alloc(65_536, 'garbage ')));
    expect(code).toBe(1);
    expect(problem).toMatchObject({ code: 'ORCHD_STORE_CORRUPT', message: expect.stringContaining('Move it away') });
  });

  test('does not prevent `orchd stop` from ending host and sessions if it is corrupt', async ({ fresh }) => {
    const own = await fresh();
    const session = await own.sh('cat');
    const { host } = await own.client.call('daemon.status', {});
    await own.crash();
    writeFileSync(own.paths.database, Buffer.alloc(65_536, 'garbage '));
    rmSync(`${own.paths.database}-wal`, { force: true }); // SQLite would restore the pages from the WAL.
    const { code, stdout, stderr } = await own.orchd('stop');
    expect([code, stdout], stderr).toEqual([0, 'stopped; 1 session ended\n']);
    expect(stderr).toContain('no daemon can start');
    await gone(host.pid);
    await gone(session.pid);
  });

  test('of a newer orchd is not changed, and the daemon refuses to start', async ({ fresh }) => {
    const { code, problem } = await startWith(fresh, (file) => {
      const bytes = readFileSync(file);
      bytes.writeUInt32BE(9_999, 60); // user_version: https://sqlite.org/fileformat.html#the_database_header
      writeFileSync(file, bytes);
    });
    expect(code).toBe(1);
    expect(problem.code).toBe('ORCHD_STORE_NEWER');
  });
});

describe.concurrent('a second daemon', () => {
  test('exits with 4, and the first daemon continues', async ({ fresh, expect }) => {
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

  test('is not started when five `orchd start` commands run at once', async ({ fresh }) => {
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

describe.concurrent('a daemon that starts slowly', () => {
  /** Starts a daemon that waits for its stopped host, and the command that waits for the daemon. */
  async function starting({ fresh, beforeClose, expect }: Omit<Own, 'afterwards'>) {
    const own = await fresh();
    const session = await own.sh('cat');
    const { host } = await own.client.call('daemon.status', {});
    await own.orchd('stop', '--keep-sessions');
    process.kill(host.pid, 'SIGSTOP');
    beforeClose(() => isAlive(host.pid) && process.kill(host.pid, 'SIGCONT'));
    const starter = own.follow('start', '--detach', '--no-tcp');
    let said = '';
    starter.stderr?.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
    await expect.poll(() => said, { timeout: 20_000 }).toContain('the daemon is starting: connecting to the host');
    return { own, session, host, starter, pid: Number(readFileSync(own.paths.pidFile, 'utf8')) };
  }

  test('reports its steps and finishes starting even if the command that started it is killed', async ({
    fresh,
    beforeClose,
    expect,
  }) => {
    const { own, session, host, starter, pid } = await starting({ fresh, beforeClose, expect });
    const isOver = once(starter, 'close');
    starter.kill('SIGKILL');
    await isOver;
    process.kill(host.pid, 'SIGCONT');
    await expect.poll(async () => (await own.orchd('status', '--json')).code, { timeout: 20_000 }).toBe(0);
    expect((await own.client.call('daemon.status', {})).daemon.pid).toBe(pid);
    expect((await own.client.call('session.show', { session: session.id })).state).not.toBe('lost');
  });

  test('is ended by `orchd stop --keep-sessions`, and the next start finds the sessions', async ({
    fresh,
    beforeClose,
    expect,
  }) => {
    const { own, session, host, pid } = await starting({ fresh, beforeClose, expect });
    const { code, stdout, stderr } = await own.orchd('stop', '--keep-sessions');
    expect([code, stdout], stderr).toEqual([0, 'daemon stopped\n']);
    await gone(pid);
    process.kill(host.pid, 'SIGCONT');
    await own.start();
    await own.client.call('session.send', { session: session.id, text: 'still here' });
  });
});

test.concurrent('pipes in the place of files that orchd has written do not hold the daemon up', async ({ fresh }) => {
  const own = await fresh();
  const session = await own.sh('echo :ORCHESTRATOR: QUESTION - here?; read -r a; echo "got $a"; cat');
  const [ended, lost] = [await own.sh('echo one'), await own.sh('cat')];
  await exited(own, ended);
  const { id: item } = await own.openItem(session);
  await own.orchd('stop', '--keep-sessions');
  const journals = join(own.paths.stateDir, 'journals');
  const pipes = ['screen.json', 'hearing.json', 'passed-over', '0000000000999999.journal'].flatMap((name) =>
    [session, ended].map(({ id }) => join(journals, id, name)),
  );
  const segment = readdirSync(join(journals, lost.id)).find((name) => name.endsWith('.journal')) ?? '';
  pipes.push(join(journals, lost.id, segment), join(own.paths.stateDir, 'clock'));
  for (const pipe of pipes) rmSync(pipe, { force: true });
  execFileSync('mkfifo', pipes);
  await own.start();
  await own.client.call('session.capture', { session: session.id });
  await own.client.call('session.capture', { session: ended.id });
  await own.client.call('inbox.answer', { item, text: 'yes' });
  await own.event('answer_acknowledged', (event) => event.item_id === item);
});

test.concurrent('SIGUSR1, SIGUSR2 and SIGHUP end neither daemon nor host and open no debugger port', async ({
  fresh,
}) => {
  const own = await fresh();
  const before = await own.client.call('daemon.status', {});
  const pids = [before.daemon.pid, before.host.pid];
  for (const pid of pids) for (const signal of ['SIGUSR1', 'SIGUSR2', 'SIGHUP'] as const) process.kill(pid, signal);
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) process.kill(before.host.pid, signal);
  const session = await own.sh('echo ":ORCHESTRATOR: TASK COMPLETE - still here"');
  await own.event('message', ({ session_id }) => session_id === session.id);
  const after = await own.client.call('daemon.status', {});
  expect([after.daemon.pid, after.host.pid]).toEqual(pids);
  const logs = [own.paths.logFile, own.paths.hostLogFile].map((file) => readFileSync(file, 'utf8')).join('\n');
  expect(logs).not.toContain('Debugger listening');
});

test.concurrent('the daemon replaces a token file that other users could read', async ({ fresh }) => {
  const own = await fresh();
  const { tokenFile } = own.paths;
  await own.orchd('stop', '--keep-sessions');
  const old = readFileSync(tokenFile, 'utf8');
  chmodSync(tokenFile, 0o644);
  await own.start();
  expect(statSync(tokenFile).mode & 0o777).toBe(0o600);
  expect(readFileSync(tokenFile, 'utf8')).not.toBe(old);
  expect(readFileSync(own.paths.logFile, 'utf8')).toContain('other users could read the token file');
});
