/** Tests commands between machines over a hub: real daemons and a real nats-server. */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { jetstream } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Item, OutputOf, Run, WorkflowRun } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { enroll, joinHub, readStream } from '../harness/hub.js';
import { hasNats, type NatsServer, startNats } from '../harness/nats-server.js';

type Commands = OutputOf<'hub.commands'>;

let server: NatsServer;
let laptop: TestDaemon;
let build: TestDaemon;

/** The commands that earlier tests have sent. */
let earlier: ReadonlySet<string>;

beforeAll(async () => {
  if (!hasNats) return;
  [server, laptop, build] = await Promise.all([
    startNats(),
    startDaemon(),
    startDaemon({ env: { ORCHD_HUB_SHARE: 'screens', ORCHD_HUB_ACCEPT: 'read, answer, type, start' } }),
  ]);
  await laptop.orchd('hub', 'init', server.url);
  await joinHub(laptop, server.url, 'laptop');
  await joinHub(build, server.url, 'build');
});
afterAll(async () => {
  for (const daemon of [laptop, build]) await daemon?.close();
  await server?.close();
});
beforeEach(async () => {
  earlier = new Set((await laptop.client.call('hub.commands', {})).map(({ id }) => id));
});
afterEach(async () => {
  for (const daemon of [laptop, build]) await daemon.killAll();
});

let files = 0;

/** Starts a session of `build` that asks and writes each typed line into a file. */
async function asking(name = 'ask'): Promise<{ readonly item: Item; readonly typed: () => string }> {
  const file = join(build.env['ORCHD_HOME'] ?? '', `typed-${name}-${files++}`);
  const script = `echo ":ORCHESTRATOR: QUESTION - Which colour?"; while read -r x; do echo "$x" >> ${file}; done`;
  const item = await build.openItem(await build.sh(script, '--name', name));
  return { item, typed: () => readFileSync(file, { encoding: 'utf8', flag: 'a+' }) };
}

/** Resolves when the laptop sees the item and `build` is not away. */
async function seen({ id }: Item): Promise<void> {
  const ids = async (): Promise<string[]> => (await laptop.client.call('hub.items', {})).map(({ item }) => item.id);
  await expect.poll(ids, { timeout: 20_000 }).toContain(id);
}

/** The commands of the current test. */
const commands = async (): Promise<Commands> =>
  (await laptop.client.call('hub.commands', {})).filter(({ id }) => !earlier.has(id));
const states = async (): Promise<string[]> => (await commands()).map(({ state }) => state);
const settled = (...wanted: string[]): Promise<void> => expect.poll(states, { timeout: 40_000 }).toEqual(wanted);

describe.skipIf(!hasNats)('commands over a hub', () => {
  test('a command with a key that is not enrolled is refused with the command that enrolls it', async () => {
    const { item, typed } = await asking();
    await seen(item);
    const refused = await laptop.orchd('answer', `build/${item.id}`, 'blue');
    const { key } = await laptop.json<{ key: string }>('hub', 'key');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(`orchd hub enroll laptop ${key}`)]);
    expect(await states()).toEqual(['refused']);
    expect((await build.client.call('inbox.show', { item: item.id })).state).toBe('open');
    await build.json('hub', 'enroll', 'laptop', key);
    expect((await laptop.json<Item>('answer', `build/ask`, 'blue')).answer?.text).toBe('blue');
    await expect.poll(typed).toBe('blue\n');
    await build.json('hub', 'unenroll', 'laptop');
    const again = await laptop.orchd('send', 'build/ask', 'more');
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('has not enrolled')]);
    expect(typed()).toBe('blue\n');
  });

  test('answer, send and capture work on another machine, and the log names the user', async () => {
    await enroll(build, 'laptop', laptop);
    const { item, typed } = await asking();
    await seen(item);
    await laptop.json('answer', item.id, 'blue'); // An id is unique across machines, so it needs no machine.
    await expect.poll(typed).toBe('blue\n');
    const answered = await build.event('item_answered');
    expect(answered.answer.by).toMatch(/^\S+@laptop$/);
    await laptop.json('send', '--machine', 'build', 'ask', 'some words');
    await expect.poll(typed).toBe('blue\nsome words\n');
    await laptop.json('keys', 'build/ask', 'k', 'e', 'y', 'Enter');
    await expect.poll(typed).toBe('blue\nsome words\nkey\n');
    const shown = async (): Promise<string> => (await laptop.orchd('capture', 'build/ask')).stdout;
    await expect.poll(shown).toContain('some words');
    const unknown = await laptop.orchd('capture', 'build/nothing');
    expect([unknown.code, unknown.stderr]).toEqual([3, expect.stringContaining("no session 'nothing'")]);
    const nowhere = await laptop.orchd('capture', 'other/ask');
    expect([nowhere.code, nowhere.stderr]).toEqual([3, expect.stringContaining("no machine 'other'")]);
    await expect.poll(() => readStream(server.url, 'orchd_mail')).toEqual([]); // No message is left in the stream.
  });

  test('by default, other machines may read and answer, but not type or see screens', async () => {
    await enroll(laptop, 'build', build);
    await laptop.sh('cat', '--name', 'cat');
    const typed = await build.orchd('send', 'laptop/cat', 'x');
    expect([typed.code, typed.stderr]).toEqual([1, expect.stringContaining('without "type"')]);
    expect(typed.stderr).toContain('set `accept = "read, answer, type"` under [hub] in the user configuration there');
    const shown = await build.orchd('capture', 'laptop/cat');
    expect([shown.code, shown.stderr]).toEqual([1, expect.stringContaining('hub.share is "inbox"')]);
    const started = await build.orchd('run', '-d', '--machine', 'laptop', '--', 'true');
    expect([started.code, started.stderr]).toEqual([1, expect.stringContaining('without "start"')]);
    expect(started.stderr).toContain('set `accept = "read, answer, start"` under [hub]');
    const call = { machine: 'laptop', operation: 'session.resize', input: { session: 'cat', cols: 80, rows: 24 } };
    await expect(build.client.call('hub.call', call)).rejects.toMatchObject({ code: 'ORCHD_INVALID' });
  });

  test('an answer for a machine that is away is delivered once later, and a second answer is refused', async () => {
    await enroll(build, 'laptop', laptop);
    const { item, typed } = await asking();
    await seen(item);
    await build.crash();
    await expect
      .poll(
        async () => (await laptop.client.call('hub.status', {})).machines.find(({ name }) => name === 'build')?.away,
        {
          timeout: 40_000,
        },
      )
      .toBe(true);
    expect((await laptop.orchd('answer', 'build/ask', 'blue')).stdout).toContain('is on its way');
    await laptop.json('answer', 'build/ask', 'green');
    expect((await laptop.orchd('inbox', '--machine', 'build')).stdout).toMatch(/on its way to build: (blue|green)/);
    const sent = await laptop.orchd('send', 'build/ask', 'words');
    expect([sent.code, sent.stderr]).toEqual([5, expect.stringContaining("'build' is away")]);
    await laptop.crash(); // Answers on their way are on disk.
    await laptop.start();
    await build.start();
    await settled('delivered', 'refused');
    expect((await commands())[1]?.error).toMatch(/was answered by \S+@laptop/);
    await expect.poll(typed).toBe('blue\n');
  });

  test('whoever answers an item that was answered meanwhile learns the answer that counts', async () => {
    await enroll(build, 'laptop', laptop);
    const { item } = await asking('first');
    await seen(item);
    await build.client.call('inbox.answer', { item: item.id, text: 'blue', by: 'bob' });
    const gone = async (): Promise<boolean> =>
      (await laptop.client.call('hub.items', {})).every((one) => one.item.id !== item.id);
    await expect.poll(gone, { timeout: 20_000 }).toBe(true);
    for (const selector of [item.id, `build/${item.id}`, 'build/first']) {
      const { code, stderr } = await laptop.orchd('answer', selector, 'red');
      expect([code, stderr]).toEqual([4, expect.stringMatching(/was answered by bob: “blue”/)]);
    }
    const unknown = await laptop.orchd('answer', 'itm_0000000000', 'red');
    expect([unknown.code, unknown.stderr]).toEqual([3, expect.stringContaining("no open item of 'itm_0000000000'")]);
  });

  test('an answer during an outage of the hub is delivered afterwards, even to a restored hub', async () => {
    await enroll(build, 'laptop', laptop);
    const one = await asking('one');
    const two = await asking('two');
    await seen(one.item);
    await seen(two.item);
    await server.kill();
    const [store, backup] = [join(server.folder, 'store'), join(server.folder, 'backup')];
    cpSync(store, backup, { recursive: true });
    await server.start();
    await expect
      .poll(async () => (await laptop.client.call('hub.status', {})).state, { timeout: 20_000 })
      .toBe('connected');
    await laptop.json('answer', one.item.id, 'first');
    await settled('delivered');
    await server.kill();
    await expect.poll(async () => (await laptop.client.call('hub.status', {})).state).toBe('problem');
    expect((await laptop.orchd('answer', two.item.id, 'second')).stdout).toContain('is on its way');
    rmSync(store, { recursive: true });
    cpSync(backup, store, { recursive: true });
    await server.start();
    await settled('delivered', 'delivered');
    await expect.poll(two.typed).toBe('second\n');
    expect(one.typed()).toBe('first\n');
  });

  test('answers are typed once even if the other machine is killed with kill -9 meanwhile', async () => {
    await enroll(build, 'laptop', laptop);
    const asked = await Promise.all(['a', 'b', 'c'].map(async (name) => ({ name, ...(await asking(name)) })));
    await Promise.all(asked.map(({ item }) => seen(item)));
    const answered = build.event('item_answered', ({ item_id }) => asked.some(({ item }) => item.id === item_id));
    const sent = asked.map(({ item, name }) => laptop.orchd('answer', item.id, name));
    await answered; // the others are on their way, or not sent yet
    await build.crash();
    await build.start();
    await Promise.all(sent);
    await settled('delivered', 'delivered', 'delivered');
    for (const { name, typed } of asked) await expect.poll(typed).toBe(`${name}\n`);
  });

  test('a program is started in a directory of another machine, and ended', async () => {
    await enroll(build, 'laptop', laptop);
    const folder = build.env['ORCHD_HOME'] ?? '';
    const run = (...args: string[]) =>
      laptop.orchd('run', '-d', '--machine', 'build', ...args, '--', 'sh', '-c', 'pwd; cat');
    const made = await run('--name', 'far', '-C', folder);
    expect(made.code, made.stderr).toBe(0);
    const id = made.stdout.trim();
    expect(await build.client.call('session.show', { session: 'far' })).toMatchObject({ id, cwd: folder });
    const again = await run('-C', basename(folder)); // by the name of a directory in which something was started
    const { cwd } = await build.client.call('session.show', { session: again.stdout.trim() });
    expect(cwd).toBe(folder);
    const nowhere = await run('-C', 'no-such-project');
    expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining("on 'build': there is no directory")]);
    for (const [wrong, words] of [
      [['--env', 'A=1'], '--env works on this machine only'],
      [['--worktree', 'x'], '--worktree works on this machine only'],
    ] as const) {
      const refused = await run(...wrong);
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(words)]);
    }
    const withEnv = { machine: 'build', operation: 'session.start', input: { command: ['true'], env: { TOKEN: 'x' } } };
    await expect(laptop.client.call('hub.call', withEnv)).rejects.toMatchObject({ code: 'ORCHD_INVALID' });
    expect((await laptop.json<{ machine: string }[]>('kill', 'build/far'))[0]).toMatchObject({ id, machine: 'build' });
    expect((await build.client.call('session.show', { session: id })).ended_at).not.toBe(null);
  });

  test('a session of another machine is renamed, tagged and removed; a wrong name gets a suggestion', async () => {
    await enroll(build, 'laptop', laptop);
    const { id } = await build.sh('exit', '--name', 'made');
    await build.event('session_exited', ({ session_id }) => session_id === id);
    const { name, machine } = await laptop.json<{ name: string; machine: string }>('rename', 'build/made', 'kept');
    expect([name, machine]).toEqual(['kept', 'build']);
    const { tags } = await laptop.json<{ tags: string[] }>('tag', 'kept', 'release', '--machine', 'build');
    expect(tags).toEqual(['release']);
    expect((await laptop.orchd('tag', 'build/kept')).stdout).toBe('build/kept: release\n');
    expect((await laptop.orchd('rm', 'build/kept', '--forever')).stderr).toMatch(/works on this machine only/);
    expect((await laptop.orchd('rm', 'build/kept')).stdout).toMatch(/^build\/kept removed/);
    expect((await build.client.call('trash.list', {})).map(({ session }) => session.id)).toContain(id);
    const wrong = await laptop.orchd('tag', 'biuld/kept');
    expect([wrong.code, wrong.stderr]).toEqual([3, expect.stringContaining("no machine 'biuld'; did you mean build?")]);
    const local = await laptop.orchd('resize', 'build/kept', '80x24');
    expect(local.stderr).toMatch(/no session 'build\/kept'\n +This command works on this machine only/);
    await build.sh('sleep 1000', '--name', 'completed');
    await expect
      .poll(async () => (await laptop.orchd('__complete', 'send', 'build/')).stdout, { timeout: 20_000 })
      .toBe('build/completed\n');
    expect((await laptop.orchd('__complete', 'ls', '--machine', '')).stdout.split('\n')).toEqual(
      expect.arrayContaining(['build', 'laptop', 'all']),
    );
  });

  test('a run is started on another machine, waited for by its events, and cancelled', async () => {
    await enroll(build, 'laptop', laptop);
    const start = ['runs', 'start', '--machine', 'build', '--adapter', 'shell'];
    const done = await laptop.orchd(...start, '--arg', 'echo', '--arg', 'hello', '--wait', 'Greet');
    expect([done.code, done.stdout]).toEqual([0, 'hello\n']);
    const failed = await laptop.orchd(...start, '--arg', 'false', '--wait', 'Fail');
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('exit code 1')]);
    const { id } = await laptop.json<Run>(...start, '--arg', 'sleep', '--arg', '300', 'Sleep');
    const late = await laptop.orchd('runs', 'wait', `build/${id}`, '--timeout', '1s');
    expect([late.code, late.stderr]).toEqual([124, expect.stringContaining(`run ${id} on 'build' is still`)]);
    const waiting = laptop.json<Run & { machine: string }>('runs', 'wait', '--machine', 'build', id).catch(String);
    for (const _twice of [1, 2]) {
      expect(await laptop.json<Run>('runs', 'cancel', `build/${id}`)).toMatchObject({ id, state: 'cancelled' });
    }
    expect(await waiting).toContain('exited with 1');
    expect((await build.client.call('run.list', {})).map(({ state }) => state)).toEqual([
      'completed',
      'failed',
      'cancelled',
    ]);
  });

  test('an Agentfile runs on another machine, and its question is answered from here', async () => {
    await enroll(build, 'laptop', laptop);
    const file = join(laptop.env['ORCHD_HOME'] ?? '', 'Agentfile');
    writeFileSync(file, 'NAME far\nASK "Which colour?" -> colour\n');
    const running = laptop.orchd('workflow', 'run', '--machine', 'build', file);
    const { item_id: item } = await build.event('item_opened', ({ workflow_id }) => workflow_id !== undefined);
    await seen({ id: item } as Item);
    await laptop.json('answer', item, 'blue');
    const { code, stdout, stderr } = await running;
    expect([code, stdout]).toEqual([0, expect.stringMatching(/colour +\S+ +blue/)]);
    expect(stderr).toContain(`orchd answer ${item}`);
    const { id } = await laptop.json<WorkflowRun>('workflow', 'run', '-d', '--machine', 'build', file);
    expect(await laptop.json('workflow', 'cancel', `build/${id}`)).toMatchObject({
      state: 'cancelled',
      machine: 'build',
    });
    const over = await laptop.orchd('workflow', 'wait', `build/${id}`);
    expect([over.code, over.stderr]).toEqual([1, expect.stringContaining(`orchd workflow resume build/${id}`)]);
  });

  test('a run is repeated on another machine', async () => {
    await enroll(build, 'laptop', laptop);
    const file = join(build.env['ORCHD_HOME'] ?? '', 'there');
    const start = ['runs', 'start', '--machine', 'build', '--adapter', 'shell', '--arg', 'cat', '--arg', file];
    expect((await laptop.orchd(...start, '--wait', 'Read')).code).toBe(1);
    const [{ id = '' } = {}] = await build.client.call('run.list', { state: 'failed', limit: 1 });
    writeFileSync(file, 'done\n');
    const again = await laptop.orchd('runs', 'retry', `build/${id}`, '--wait');
    expect([again.code, again.stdout], again.stderr).toEqual([0, 'done\n']);
    const refused = await laptop.orchd('runs', 'retry', `build/${id}`, '--env', 'A=1');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--env works on this machine only')]);
  });

  test('a workflow is resumed on another machine, once even after kill -9', async () => {
    await enroll(build, 'laptop', laptop);
    const file = join(laptop.env['ORCHD_HOME'] ?? '', 'Agentfile');
    writeFileSync(file, 'NAME far\nASK "Which colour?" -> colour\n');
    const { id } = await laptop.json<WorkflowRun>('workflow', 'run', '-d', '--machine', 'build', file);
    await laptop.json('workflow', 'cancel', `build/${id}`);
    const stateOf = async (): Promise<string> => (await build.client.call('workflow.show', { workflow: id })).state;
    expect(await laptop.json('workflow', 'resume', '-d', `build/${id}`)).toMatchObject({ id, machine: 'build' });
    await expect.poll(stateOf).toBe('awaiting_input');
    await build.client.call('workflow.cancel', { workflow: id });
    const lines = readFileSync(laptop.paths.hubCommandsFile, 'utf8').trim().split('\n');
    const stored = lines.map(
      (line) => JSON.parse(line) as { kind: string; operation: string; id: string; message: string },
    );
    const resume = stored.find(({ operation }) => operation === 'workflow.resume');
    await build.crash();
    rmSync(build.paths.hubCommandsFile); // As if the daemon had ended before it kept the outcome.
    await build.start();
    const connection = await connect({ servers: `127.0.0.1:${server.port}` });
    await jetstream(connection).publish(`orchd.build.mail.command.laptop.${resume?.id}`, resume?.message ?? '');
    await expect.poll(() => readStream(server.url, 'orchd_mail')).toEqual([]); // The repetition was taken.
    await connection.close();
    expect(await stateOf()).toBe('cancelled');
    const { last_seq } = await build.client.call('daemon.status', {});
    const running = laptop.orchd('workflow', 'resume', `build/${id}`);
    const { item_id: item } = await build.event('item_opened', ({ workflow_id }) => workflow_id === id, last_seq);
    await seen({ id: item } as Item);
    await laptop.json('answer', item, 'blue');
    const { code, stdout } = await running;
    expect([code, stdout]).toEqual([0, expect.stringMatching(/colour +\S+ +blue/)]);
  });

  test('a program is started once even if its command comes again, also after kill -9', async () => {
    await enroll(build, 'laptop', laptop);
    const count = async (name: string): Promise<number> =>
      (await build.client.call('session.list', {})).filter((session) => session.name.startsWith(name)).length;
    const connection = await connect({ servers: `127.0.0.1:${server.port}` });
    try {
      for (const name of ['calm', 'killed']) {
        const from = (await build.client.call('daemon.status', {})).last_seq;
        const sent = laptop.orchd('run', '-d', '--machine', 'build', '--name', name, '--', 'cat');
        if (name === 'killed') {
          await build.event('session_started', (event) => event.name === name, from);
          await build.crash();
          await build.start();
        }
        const id = (await sent).stdout.trim();
        const command = (await commands()).at(-1);
        const lines = readFileSync(laptop.paths.hubCommandsFile, 'utf8').trim().split('\n');
        const stored = lines.map((line) => JSON.parse(line) as { kind: string; id: string; message: string });
        const { message = '' } = stored.find((line) => line.kind === 'sent' && line.id === command?.id) ?? {};
        await jetstream(connection).publish(`orchd.build.mail.command.laptop.${command?.id}`, message);
        await expect.poll(() => readStream(server.url, 'orchd_mail')).toEqual([]); // The repetition was taken.
        expect(await count(name)).toBe(1);
        expect((await build.client.call('session.show', { session: name })).id).toBe(id);
      }
      expect(await states()).toEqual(['delivered', 'delivered']);
    } finally {
      await connection.close();
    }
  });

  test('a replayed or changed command has no effect', async () => {
    await enroll(build, 'laptop', laptop);
    const { item, typed } = await asking();
    await seen(item);
    await laptop.json('send', 'build/ask', 'once');
    await expect.poll(typed).toBe('once\n');
    const [{ id = '' } = {}] = await commands();
    const lines = readFileSync(laptop.paths.hubCommandsFile, 'utf8').trim().split('\n');
    const sent = lines.map((line) => JSON.parse(line) as { kind: string; id: string; message: string });
    const { message = '' } = sent.find((line) => line.kind === 'sent' && line.id === id) ?? {};
    const connection = await connect({ servers: `127.0.0.1:${server.port}` });
    try {
      const client = jetstream(connection);
      const { text, ...signed } = JSON.parse(message) as { text: string };
      const subject = (name: string): string => `orchd.build.mail.command.laptop.${name}`;
      await client.publish(subject(id), message);
      await client.publish(subject('changed'), JSON.stringify({ ...signed, text: text.replace('once', 'twice') }));
      await client.publish(subject('renamed'), message);
      const outcomes = async (): Promise<number> => (await readStream(server.url, 'orchd_mail')).length;
      await expect.poll(outcomes).toBe(0); // All messages were taken.
      await laptop.json('send', 'build/ask', 'last');
      await expect.poll(typed).toBe('once\nlast\n');
    } finally {
      await connection.close();
    }
  });
});
