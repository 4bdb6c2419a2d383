/** Tests that lost and ended sessions can be started again: under the same id, and agents in their conversations. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { isAlive } from '../../src/cli/daemon/is-alive.js';
import { createClient } from '../../src/client/index.js';
import type { Event, Item, OutputOf, Session } from '../../src/protocol/index.js';
import { gone, startDaemon, type TestDaemon } from '../harness/daemon.js';
import { type FakeClaude, installFakeClaude } from '../harness/fake-claude.js';
import { createRandom } from '../harness/random.js';

type Revived = OutputOf<'session.revive'>;
const SEED = 7;
const KILLS = 3;
const PATIENCE = { timeout: 20_000, interval: 20 };
const ASKS = `echo ':ORCHESTRATOR: QUESTION - where to?'; read -r a; echo "told $a"; read -r b`;

let daemon: TestDaemon;
let claude: FakeClaude;
beforeAll(async () => {
  daemon = await startDaemon();
  claude = installFakeClaude();
});
afterEach(async () => {
  const { call } = daemon.client;
  await daemon.killAll();
  for (const { id } of await call('session.list', {})) await call('session.remove', { session: id, forever: true });
});
afterAll(async () => {
  await daemon.close();
  claude.close();
});

const start = () => daemon.start();
const show = (session: Session) => daemon.client.call('session.show', { session: session.id });
const send = (session: Session, text: string) =>
  daemon.client.call('session.send', { session: session.id, text, wait_ms: 0 });
const stateOf = async (item: Item) => (await daemon.client.call('inbox.show', { item: item.id })).state;

/** Kills the host with SIGKILL. Resolves when the daemon has reported these sessions as lost, and has a new host. */
async function killHost(...sessions: Session[]): Promise<void> {
  const { host } = await daemon.client.call('daemon.status', {});
  process.kill(host.pid, 'SIGKILL');
  await gone(host.pid);
  for (const { id } of sessions) await daemon.event('session_lost', ({ session_id }) => session_id === id);
  await vi.waitFor(() => daemon.client.call('daemon.status', {}), PATIENCE);
}

async function eventsOf(session: Session): Promise<Event[]> {
  return daemon.client.call('event.list', { session: session.id, limit: 1000 });
}

async function runClaude(...flags: string[]): Promise<Session> {
  const { stdout, stderr } = await daemon.orchd('run', '-d', '--json', ...claude.flags, ...flags, '--', 'claude');
  expect(stdout, stderr).not.toBe('');
  return JSON.parse(stdout) as Session; // what `run --json` prints
}
const claudeEnv = () => claude.flags.slice(2, 6);
const revive = (...args: string[]) => daemon.json<Revived[]>('revive', ...args);

describe('a session without a conversation', () => {
  test('is revived with its name, command and directory, and asks its question again', async () => {
    const session = await daemon.sh(ASKS, '--name', 'asker', '-C', '/');
    const before = await daemon.openItem(session);
    await killHost(session);
    expect(await stateOf(before)).toBe('open');

    const [revived] = await revive('asker');
    expect(revived).toMatchObject({ how: 'program', command: session.command, dry_run: false });
    expect(revived?.session).toMatchObject({
      id: session.id,
      name: 'asker',
      command: session.command,
      cwd: '/',
      ended_at: null,
      created_at: session.created_at,
    });
    expect(revived?.session.pid).not.toBe(session.pid);
    expect(await stateOf(before)).toBe('withdrawn');
    await vi.waitFor(async () => expect((await show(session)).open_items).toBe(1), PATIENCE);
    const item = await daemon.openItem(session);
    expect(item.id).not.toBe(before.id);
    await daemon.client.call('inbox.answer', { item: item.id, text: 'home' });
    await daemon.event('answer_acknowledged', ({ item_id }) => item_id === item.id);
    const { text } = await daemon.client.call('session.capture', { session: session.id, scrollback: 100 });
    expect(text.trimEnd()).toBe(':ORCHESTRATOR: QUESTION - where to?\nhome\ntold home');
  });

  test('is revived by name after its end, and its old output stays in the journal', async () => {
    const session = await daemon.sh(
      'echo once >> "$ORCHD_HOME/ran"; wc -l < "$ORCHD_HOME/ran"; exit 3',
      '--name',
      'once',
    );
    await daemon.event('session_exited', ({ session_id }) => session_id === session.id);
    await revive('once');
    await vi.waitFor(async () => expect((await show(session)).exit_code).toBe(3), PATIENCE);
    await vi.waitFor(async () => {
      const ends = (await eventsOf(session)).filter(({ event_type }) => event_type === 'session_exited');
      expect(ends).toHaveLength(2);
    }, PATIENCE);
    expect(readFileSync(join(daemon.env['ORCHD_HOME'] ?? '', 'ran'), 'utf8')).toBe('once\nonce\n');
  });

  test('gets a new token, and the old token is invalid', async () => {
    const file = join(daemon.env['ORCHD_HOME'] ?? '', 'token');
    const session = await daemon.sh(`echo "$ORCHD_SESSION_TOKEN" > ${file}; read x`, '--name', 'holder');
    const token = () => readFileSync(file, 'utf8').trim();
    await vi.waitFor(() => expect(token()).toMatch(/^\w+$/), PATIENCE);
    const old = token();
    await killHost(session);
    await revive('holder');
    await vi.waitFor(() => expect(['', old]).not.toContain(token()), PATIENCE); // The file is empty for a moment.
    const as = (value: string) => createClient({ socketPath: daemon.paths.socket, clientName: 'test', token: value });
    const [before, now] = [as(old), as(token())];
    await expect(before.call('session.list', {})).rejects.toMatchObject({ code: 'ORCHD_UNAUTHORIZED' });
    expect(await now.call('session.rename', { session: session.id, name: 'mine' })).toMatchObject({ name: 'mine' });
    before.close();
    now.close();
  });

  test('is not revived while a living session has its name', async () => {
    const session = await daemon.sh('exit 0', '--name', 'wanted');
    await daemon.event('session_exited', ({ session_id }) => session_id === session.id);
    await daemon.sh('read x', '--name', 'wanted');
    const { code, stderr } = await daemon.orchd('revive', session.id);
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr: expect.stringContaining("a living session is called 'wanted'"),
    });
  });
});

describe('concurrent revive and remove', () => {
  test('leave either a running session or no session and no journal', async () => {
    const { call } = daemon.client;
    const sessions: Session[] = [];
    for (let n = 0; n < 20; n++) sessions.push(await daemon.sh('sleep 1000', '--name', `both-${n}`));
    await Promise.all(sessions.map(({ id }) => call('session.kill', { session: id, grace_ms: 0 })));
    const random = createRandom(SEED);
    const refused = (error: unknown) => {
      expect(error).toMatchObject({
        code: expect.stringMatching(/^ORCHD_(SESSION_UNKNOWN|SESSION_ALIVE|NAME_TAKEN|NOT_REVIVABLE)$/),
      });
      return null;
    };
    const outcomes = await Promise.all(
      sessions.map(async (session, n) => {
        const removal = () => call('session.remove', { session: session.id, forever: true }).catch(refused);
        const revival = () => call('session.revive', { session: session.id }).catch(refused);
        const both = random.below(2) === 0 ? [removal(), revival(), revival()] : [revival(), removal(), revival()];
        if (n % 2 === 0) both.push(removal());
        const done = (await Promise.all(both)).filter((one) => one !== null);
        expect(done.length).toBeGreaterThan(0);
        return done.some((one) => 'bytes' in one) ? 'removed' : 'revived';
      }),
    );
    const living = new Map((await call('session.list', { all: false })).map(({ id, pid }) => [id, pid]));
    for (const [n, { id }] of sessions.entries()) {
      const isThere = existsSync(join(daemon.paths.journalsDir, id));
      const pid = living.get(id);
      const expected = outcomes[n] === 'revived' ? [true, true] : [false, undefined];
      expect([isThere, pid === undefined ? undefined : isAlive(pid)]).toEqual(expected);
    }
    expect(new Set(outcomes).size).toBe(2);
  });
});

describe('a session with a conversation', () => {
  test('is revived with its conversation and open item, and history is not heard again', async () => {
    const session = await runClaude('--name', 'auth');
    // Text that was typed before is in the same row and no longer counts as an echo.
    await vi.waitFor(async () => {
      expect((await daemon.client.call('session.capture', { session: session.id })).text).toContain('ready');
    }, PATIENCE);
    await send(session, ':ORCHESTRATOR: QUESTION - JWT or OAuth');
    const item = await daemon.openItem(session);
    await killHost(session);
    expect(await daemon.orchd('ls')).toMatchObject({
      stdout: expect.stringMatching(/auth +\S+ lost +1 +\$0\.50 +[\d.]+ KB +revive /),
    });

    const [revived] = await revive('auth', ...claudeEnv());
    const id = session.agent_session_id ?? '';
    expect(revived).toMatchObject({ how: 'conversation', command: ['claude', '--resume', id] });
    expect(revived?.session).toMatchObject({ agent_session_id: id, open_items: 1, command: ['claude'] });
    await vi.waitFor(async () => {
      const { text } = await daemon.client.call('session.capture', { session: session.id });
      expect(text).toContain('QUESTION - JWT or OAuth 1\n────────────\n❯');
    }, PATIENCE);
    expect(await stateOf(item)).toBe('open');
    await daemon.client.call('inbox.answer', { item: item.id, text: 'JWT' });
    await daemon.event('answer_written', ({ item_id }) => item_id === item.id);
    const file = join(claude.home, '.claude/projects', claude.home.replace(/[^a-zA-Z0-9]/g, '-'), `${id}.jsonl`);
    await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toContain('"text":"JWT 2"'), PATIENCE);
    const messages = (await eventsOf(session)).filter(({ event_type }) => event_type === 'message');
    expect(messages).toHaveLength(1);
  });

  test('keeps its key and its instructions', async () => {
    const session = await runClaude('--teach', '--name', 'taught');
    const given = () => readFileSync(join(claude.home, 'arguments'), 'utf8');
    await vi.waitFor(() => expect(given()).toMatch(/"key": "[0-9a-f]{12}"/), PATIENCE);
    const key = /"key": "([0-9a-f]{12})"/.exec(given())?.[1] ?? '';
    await send(session, 'hello');
    await daemon.event('session_transcript_changed', ({ session_id }) => session_id === session.id);
    writeFileSync(join(claude.home, 'arguments'), '');
    await killHost(session);
    await revive('taught', ...claudeEnv());
    await vi.waitFor(() => expect(given()).toMatch(/^--resume$/m), PATIENCE);
    await vi.waitFor(() => expect(given()).toContain(`"key": "${key}"`), PATIENCE);
    expect(await show(session)).toMatchObject({ key_required: true });
  });

  test('is refused if its conversation is unknown, and starts a new one only with --fresh', async () => {
    const path = claude.flags.slice(2);
    const { stdout } = await daemon.orchd('run', '-d', '--json', '--name', 'mine', ...path, '--', 'claude', 'hello');
    const session = JSON.parse(stdout) as Session; // what `run --json` prints
    await killHost(session);
    const refused = await daemon.orchd('revive', 'mine');
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('its conversation is not known') });
    expect(refused.stderr).toContain('--fresh');
    expect((await show(session)).state).toBe('lost');
    const [fresh] = await revive('mine', '--fresh', ...claudeEnv());
    expect(fresh).toMatchObject({ how: 'fresh', command: ['claude', 'hello'] });
  });
});

test.each(['lost with its host', 'exited'])('kill ends the processes that a session left that has %s', async (how) => {
  const rest = how === 'exited' ? 'exit 0' : 'while :; do sleep 0.1; done';
  const script = `trap '' HUP; sleep 1000 </dev/null >/dev/null 2>&1 & echo "left $!."; ${rest}`;
  const session = await daemon.sh(script);
  const read = async () => (await daemon.client.call('session.capture', { session: session.id })).text;
  await vi.waitFor(async () => expect(await read()).toMatch(/left \d+\./), PATIENCE);
  const left = Number(/left (\d+)\./.exec(await read())?.[1]);
  if (how === 'exited') await daemon.event('session_exited', ({ session_id }) => session_id === session.id);
  else await killHost(session);
  expect(isAlive(left)).toBe(true);
  await daemon.client.call('session.kill', { session: session.id });
  expect([left, session.pid].filter(isAlive)).toEqual([]);
});

test('revive --all revives lost sessions only, and --dry-run only lists them', async () => {
  const lost = await Promise.all([daemon.sh('read x', '--name', 'one'), daemon.sh('read x', '--name', 'two')]);
  const ended = await daemon.sh('exit 0', '--name', 'ended');
  await daemon.event('session_exited', ({ session_id }) => session_id === ended.id);
  await killHost(...lost);
  const planned = await revive('--all', '--dry-run');
  expect(planned.map(({ session, dry_run }) => [session.name, session.state, dry_run]).sort()).toEqual([
    ['one', 'lost', true],
    ['two', 'lost', true],
  ]);
  expect((await revive('--all')).map(({ session }) => session.ended_at)).toEqual([null, null]);
  expect(await revive('--all')).toEqual([]);
  expect(await daemon.orchd('revive')).toMatchObject({ code: 2, stderr: expect.stringContaining('--all') });
});

test("a journal that the host's death damaged is reported at most once, also after another crash", async () => {
  const session = await daemon.sh(`i=0; while :; do i=$((i+1)); echo "line $i"; done`, '--name', 'flood');
  await vi.waitFor(async () => {
    expect((await daemon.client.call('session.capture', { session: 'flood' })).text).toContain('line');
  }, PATIENCE);
  await killHost(session);
  const asker = await daemon.client.call('session.restart', {
    session: 'flood',
    env: { PATH: process.env['PATH'] ?? '' },
  });
  expect(asker.session.ended_at).toBeNull();
  await daemon.client.call('session.kill', { session: 'flood', grace_ms: 100 });
  await daemon.crash();
  await start();
  const types = (await eventsOf(session)).map(({ event_type }) => event_type);
  expect(types.filter((type) => type === 'session_revived')).toHaveLength(1);
  expect(types.filter((type) => type === 'journal_damaged').length).toBeLessThanOrEqual(1);
});

test(`a daemon that is killed ${KILLS} times during a revive leaves one program in one session`, async () => {
  const random = createRandom(SEED);
  const file = join(daemon.env['ORCHD_HOME'] ?? '', 'pids');
  const session = await daemon.sh(`echo $$ >> ${file}; ${ASKS}`, '--name', 'once');
  await vi.waitFor(() => expect(pidsIn(file)).toEqual([session.pid]), PATIENCE);
  for (let round = 0; round < KILLS; round++) {
    await killHost(session);
    const reviving = daemon.client.call('session.revive', {
      session: session.id,
      env: { PATH: process.env['PATH'] ?? '' },
    });
    reviving.catch(() => {});
    const life = random.below(40);
    for (let turn = 0; turn < life; turn++) await new Promise(setImmediate);
    await daemon.crash();
    await start();
    if ((await show(session)).ended_at !== null) await revive('once');
    const living = pidsIn(file).filter(isAlive);
    await vi.waitFor(async () => expect([(await show(session)).pid]).toEqual(pidsIn(file).filter(isAlive)), PATIENCE);
    expect(living.length).toBeLessThanOrEqual(1);
    const item = await daemon.openItem(session);
    expect((await daemon.client.call('inbox.list', { session: session.id })).map(({ id }) => id)).toEqual([item.id]);
  }
}, 120_000);

describe('orchd restart of a session', () => {
  test("ends its program and starts it again with the caller's environment", async () => {
    const session = await daemon.sh('echo "colour $COLOUR"; read x', '--name', 'again', '--env', 'COLOUR=red');
    const { session: now } = await daemon.json<Revived>('restart', 'again', '--env', 'COLOUR=blue', '--grace', '100ms');
    expect(now).toMatchObject({ id: session.id, name: 'again', ended_at: null });
    await gone(session.pid);
    await vi.waitFor(async () => {
      expect((await daemon.client.call('session.capture', { session: 'again' })).text.trimEnd()).toBe('colour blue');
    }, PATIENCE);
  });

  test('ends no program that could not be started again', async () => {
    const session = await runClaude('--name', 'lonely');
    await send(session, 'hello');
    const { code } = await daemon.orchd('restart', 'lonely', '--env', 'PATH=/nowhere');
    expect(code).toBe(1);
    expect((await show(session)).ended_at).toBeNull();
  });
});

const pidsIn = (file: string): number[] => readFileSync(file, 'utf8').trimEnd().split('\n').map(Number);
