/** Tests against a real server what a key may do with the configuration that `orchd hub config` prints. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AckPolicy, jetstream, jetstreamManager, type StoredMsg } from '@nats-io/jetstream';
import { connect, headers, type NatsConnection, nkeyAuthenticator } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hasOpenssl, makeCertificate } from '../harness/certificate.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { hasNats, type NatsPlace, type NatsServer, startNats } from '../harness/nats-server.js';

let laptop: TestDaemon;
let build: TestDaemon;
/** The server that the machines have joined. */
let server: NatsServer | undefined;
const open: NatsConnection[] = [];

beforeAll(async () => {
  [laptop, build] = await Promise.all([startDaemon(), startDaemon()]);
});
afterAll(async () => {
  await laptop.close();
  await build.close();
});
afterEach(async () => {
  for (const connection of open.splice(0)) await connection.close();
});

async function keyOf(daemon: TestDaemon): Promise<string> {
  return (await daemon.json<{ key: string }>('hub', 'key')).key;
}

async function config(at: NatsPlace, ...more: string[]): Promise<string> {
  const [one, two] = [`laptop=${await keyOf(laptop)}`, `build=${await keyOf(build)}`];
  const users = ['--machine', one, '--viewer', one, '--admin', one, '--machine', two, '--label', 'build=gpu'];
  const place = ['--listen', `127.0.0.1:${at.port}`, '--store', at.store];
  return (await laptop.json<{ config: string }>('hub', 'config', ...users, ...place, ...more)).config;
}

/** Connects with the key of a daemon, like a program that ignores orchd's rules. */
async function intruder(daemon: TestDaemon, inbox: string): Promise<NatsConnection> {
  const seed = new TextEncoder().encode(readFileSync(daemon.paths.hubKeyFile, 'utf8').trim());
  const connection = await connect({
    servers: `127.0.0.1:${server?.port}`,
    reconnect: false,
    inboxPrefix: `_INBOX_${inbox}`,
    authenticator: nkeyAuthenticator(seed),
  });
  open.push(connection);
  return connection;
}

async function publishedMessage(daemon: TestDaemon, subject: string): Promise<StoredMsg> {
  const { direct } = await jetstreamManager(await intruder(daemon, 'laptop'), { checkAPI: false });
  const message = await direct.getMessage('orchd_events', { last_by_subj: subject });
  if (!message) throw new Error(`nothing was published on ${subject}`);
  return message;
}

test('the key file is readable by its owner only', async () => {
  await keyOf(laptop);
  expect(statSync(laptop.paths.hubKeyFile).mode & 0o777).toBe(0o600);
});

test('a server beyond loopback needs TLS unless --insecure is given', async () => {
  const refused = await laptop.orchd('hub', 'join', 'nats://192.0.2.1', '--name', 'x');
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('needs TLS: tls://192.0.2.1:4222')]);
  const init = await laptop.orchd('hub', 'init', 'nats://192.0.2.1');
  expect([init.code, init.stderr]).toEqual([2, expect.stringContaining('needs TLS')]);
});

test.skipIf(!hasNats || !hasOpenssl)('tls:// connects with TLS and trusts only the given certificates', async () => {
  const secured = await startNats((at) => {
    makeCertificate(at.folder);
    return config(at, '--tls-cert', join(at.folder, 'cert.pem'), '--tls-key', join(at.folder, 'key.pem'));
  });
  const [url, ca] = [`tls://127.0.0.1:${secured.port}`, join(secured.folder, 'cert.pem')];
  expect((await laptop.orchd('hub', 'init', url, '--name', 'laptop')).stderr).toMatch(/certificate/);
  expect((await laptop.orchd('hub', 'init', url, '--name', 'laptop', '--ca', ca)).stdout).toContain('created');
  await laptop.json('hub', 'join', url, '--name', 'laptop', '--ca', ca);
  await expect.poll(async () => (await laptop.client.call('hub.status', {})).state).toBe('connected');
  const plain = await startNats();
  try {
    const refused = await build.orchd('hub', 'init', `tls://127.0.0.1:${plain.port}`);
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining("does not support 'tls'")]);
  } finally {
    await laptop.orchd('hub', 'leave');
    await plain.close();
    await secured.close();
  }
});

describe.skipIf(!hasNats)('a key that lacks a role', () => {
  test('creates no streams, and the refusal names the role', async () => {
    const own = await startNats(config);
    try {
      const refused = await build.orchd('hub', 'init', own.url, '--name', 'build');
      expect(refused.stderr).toContain('`orchd hub config --admin build=KEY`');
      expect(refused.stderr).not.toMatch(/bug in orchd|RequestError/);
      const open = await startNats((at) => `listen: "127.0.0.1:${at.port}"\n`);
      const without = await laptop.orchd('hub', 'init', open.url);
      await open.close();
      expect(without.stderr).toMatch(/^orchd: the server refuses: .*jetstream/i);
    } finally {
      await own.close();
    }
  });

  test('reads the other machines as soon as the server has the role, without a new connection', async () => {
    let place: NatsPlace | undefined;
    const own = await startNats((at) => {
      place = at;
      return config(at);
    });
    try {
      await laptop.orchd('hub', 'init', own.url, '--name', 'laptop');
      await build.json('hub', 'join', own.url, '--name', 'build');
      const status = () => build.client.call('hub.status', {});
      await expect.poll(async () => (await status()).unreadable).toContain('may publish, but not read');
      const viewer = ['--viewer', `build=${await keyOf(build)}`];
      writeFileSync(join(own.folder, 'server.conf'), await config(place as NatsPlace, ...viewer));
      process.kill(own.pid, 'SIGHUP');
      await expect
        .poll(async () => (await status()).machines.map(({ name }) => name), { timeout: 30_000 })
        .toEqual(['build']);
    } finally {
      await build.orchd('hub', 'leave');
      await own.close();
    }
  });
});

describe.skipIf(!hasNats)('a server with the configuration of `orchd hub config`', () => {
  beforeAll(async () => {
    server = await startNats(config);
    await laptop.orchd('hub', 'init', server.url, '--name', 'laptop');
    await laptop.json('hub', 'join', server.url, '--name', 'laptop', '--since', '0');
    await build.json('hub', 'join', server.url, '--name', 'build', '--since', '0');
  });

  afterAll(async () => server?.close());

  test('lets a machine take work of its labels only, and offer it in its own name only', async () => {
    const own = await intruder(build, 'build');
    const { consumers } = await jetstreamManager(own, { checkAPI: false });
    const add = (label: string, of = label) =>
      consumers.add('orchd_work', {
        durable_name: `label_${label}`,
        filter_subject: `orchd.*.work.${of}.*`,
        ack_policy: AckPolicy.Explicit,
      });
    await expect(add('other')).rejects.toThrow(/Permissions Violation/);
    await expect(add('gpu', 'other')).rejects.toThrow(/Permissions Violation/);
    expect((await add('gpu')).name).toBe('label_gpu');
    const client = jetstream(await intruder(laptop, 'laptop'));
    const offer = (from: string) => client.publish(`orchd.${from}.work.gpu.run_1`, '{}', { timeout: 2_000 });
    await expect(offer('build')).rejects.toThrow(/Permissions Violation/);
    expect((await offer('laptop')).seq).toBeGreaterThan(0);
    const found = await jetstream(own).consumers.get('orchd_work', 'label_gpu');
    const message = await found.next({ expires: 5_000 });
    expect(message?.subject).toBe('orchd.laptop.work.gpu.run_1');
    message?.ack();
    await expect(jetstream(own).publish('orchd.build.work.gpu.run_2', '{}', { timeout: 2_000 })).rejects.toThrow(
      /Permissions Violation/, // only a viewer sends commands
    );
  });

  test('lets a machine publish under its own name only', async () => {
    const client = jetstream(await intruder(build, 'build'));
    for (const subject of [
      'orchd.laptop.events',
      '$KV.orchd_items.laptop.itm_1',
      '$KV.orchd_sessions.laptop.ses_1',
      '$KV.orchd_machines.laptop',
    ]) {
      await expect(client.publish(subject, '{}', { timeout: 2_000 }), subject).rejects.toThrow(/Permissions Violation/);
    }
    expect((await client.publish('$KV.orchd_items.build.itm_1', '{}')).seq).toBeGreaterThan(0);
  });

  test('lets a publish-only key read nothing, and create and delete nothing', async () => {
    const manager = await jetstreamManager(await intruder(build, 'build'), { checkAPI: false });
    const stream = 'orchd_events';
    const refused = /Permissions Violation/;
    await expect(manager.direct.getMessage(stream, { last_by_subj: 'orchd.laptop.events' })).rejects.toThrow(refused);
    await expect(manager.streams.getMessage(stream, { seq: 1 })).rejects.toThrow(refused);
    await expect(manager.consumers.add(stream, { name: 'spy' })).rejects.toThrow(refused);
    await expect(manager.streams.purge(stream)).rejects.toThrow(refused);
    await expect(manager.streams.delete(stream)).rejects.toThrow(refused);
    await expect(manager.streams.add({ name: 'OTHER', subjects: ['x'] })).rejects.toThrow(refused);
    const { stdout } = await build.orchd('hub', 'status');
    expect(stdout).toContain('may publish, but not read other machines');
  });

  test("lets no user see another user's replies or subscribe to the machines' subjects", async () => {
    for (const [daemon, own, subjects] of [
      [build, 'build', ['_INBOX_laptop.>', '_INBOX.>', '>', 'orchd.laptop.events', '$KV.>', 'orchd.laptop.terminal.>']],
      [laptop, 'laptop', ['_INBOX_build.>', '>', 'orchd.>', '$JS.>', 'orchd.*.terminal.>']],
    ] as const) {
      for (const subject of subjects) {
        const connection = await intruder(daemon, own);
        const [first] = await Promise.all([
          (async () => {
            for await (const status of connection.status()) if (status.type === 'error') return String(status.error);
            return null;
          })(),
          connection.subscribe(subject, { callback: () => {} }),
        ]);
        expect(first, subject).toMatch(/Permissions Violation for Subscription/);
      }
    }
  });

  test('lets a key send commands in its own name only, and read its own mail only', async () => {
    const refused = /Permissions Violation/;
    const viewer = jetstream(await intruder(laptop, 'laptop'));
    await viewer.publish('orchd.build.mail.command.laptop.c1', '{}', { timeout: 2_000 });
    for (const subject of ['orchd.build.mail.command.build.c1', 'orchd.laptop.mail.outcome.build.c1']) {
      await expect(viewer.publish(subject, '{}', { timeout: 2_000 }), subject).rejects.toThrow(refused);
    }
    const connection = await intruder(build, 'build');
    const machine = jetstream(connection);
    for (const subject of ['orchd.laptop.mail.command.build.c1', 'orchd.build.mail.outcome.laptop.c1']) {
      await expect(machine.publish(subject, '{}', { timeout: 2_000 }), subject).rejects.toThrow(refused);
    }
    const { consumers, direct } = await jetstreamManager(connection, { checkAPI: false });
    for (const filter_subject of ['orchd.laptop.mail.>', 'orchd.*.mail.>', 'orchd.laptop.mail.outcome.build.*']) {
      for (const durable_name of ['build', 'spy']) {
        const adding = consumers.add('orchd_mail', { durable_name, filter_subject, ack_policy: AckPolicy.Explicit });
        await expect(adding, filter_subject).rejects.toThrow(refused);
      }
    }
    await expect(direct.getMessage('orchd_mail', { seq: 1 })).rejects.toThrow(refused);
    // The filter of the subject, which is permitted, has to be that of the consumer.
    const subject = '$JS.API.CONSUMER.CREATE.orchd_mail.build.orchd.build.mail.>';
    const config = { durable_name: 'build', filter_subject: 'orchd.laptop.mail.>', ack_policy: 'explicit' };
    const reply = await connection.request(subject, JSON.stringify({ stream_name: 'orchd_mail', config }));
    expect(reply.json<{ error?: { description: string } }>().error?.description).toMatch(/filter/);
  });

  test('lets a key send terminals in its own name only, and a configuration without them is named', async () => {
    await laptop.json('hub', 'enroll', 'build', await keyOf(build));
    const { id } = await laptop.sh('cat');
    const problemOf = async (connection: NatsConnection, subject: string): Promise<string> => {
      const statuses = connection.status();
      connection.publish(subject, Buffer.alloc(64));
      for await (const status of statuses) if (status.type === 'error') return String(status.error);
      return '';
    };
    const connection = await intruder(build, 'build');
    for (const subject of ['orchd.laptop.terminal.other.x', 'orchd.build.terminal.laptop.x']) {
      expect(await problemOf(connection, subject), subject).toMatch(/Permissions Violation for Publish/);
    }
    // `build` has no role `viewer`, so it cannot send the command that opens a terminal.
    await expect(build.client.terminal(id, { machine: 'laptop' })).rejects.toMatchObject({ code: 'ORCHD_HUB_REFUSED' });
    const older = await startNats(async (at) => (await config(at)).replace(/, "orchd\.[\w*]+\.terminal[^"]*"/g, ''));
    for (const daemon of [laptop, build]) await daemon.orchd('hub', 'leave');
    try {
      await laptop.orchd('hub', 'init', older.url, '--name', 'laptop');
      for (const [daemon, name] of [
        [laptop, 'laptop'],
        [build, 'build'],
      ] as const) {
        await daemon.json('hub', 'join', older.url, '--name', name);
      }
      const opening = () => laptop.client.terminal('x', { machine: 'build' }).catch((error: unknown) => error);
      await expect.poll(opening).toMatchObject({
        code: 'ORCHD_HUB_REFUSED',
        message: expect.stringContaining('print it again with `orchd hub config`'),
      });
    } finally {
      for (const daemon of [laptop, build]) await daemon.orchd('hub', 'leave');
      await older.close();
      for (const [daemon, name] of [
        [laptop, 'laptop'],
        [build, 'build'],
      ] as const) {
        await daemon.json('hub', 'join', server?.url ?? '', '--name', name);
      }
    }
  });

  test('shows nothing that the server stored as a reply on the subject of another machine', async () => {
    const ids = async (): Promise<string[]> => (await laptop.client.call('hub.items', {})).map(({ item }) => item.id);
    const item = await build.openItem(await build.sh('echo ":ORCHESTRATOR: QUESTION - Which?"; read -r answer'));
    await expect.poll(ids, { timeout: 20_000 }).toEqual([item.id]);
    const log = (await publishedMessage(laptop, 'orchd.build.events')).header.get('Orchd-Log');
    const connection = await intruder(laptop, 'laptop');
    const [client, { consumers }] = [jetstream(connection), await jetstreamManager(connection, { checkAPI: false })];

    // Its own key of a bucket may have any text and any headers, and the server copies them into a reply.
    const own = '$KV.orchd_machines.laptop';
    const forged = async (victim: string, text: object): Promise<void> => {
      const header = headers();
      for (const [key, value] of [
        ['Orchd-Log', log],
        ['Orchd-Last', '100000'],
      ] as const)
        header.set(key, value);
      await client.publish(own, JSON.stringify(text), { headers: header });
      connection.publish(`$JS.API.DIRECT.GET.KV_orchd_machines.${own}`, '', { reply: victim });
      await connection.flush();
    };
    const question = { ...item, id: 'itm_forged', data: { text: 'Delete all?' } };
    await forged('$KV.orchd_items.build.itm_forged', question);
    await forged(`$KV.orchd_items.build.${item.id}`, { ...question, id: item.id });
    const event = { seq: 1, event_type: 'item_opened', item_id: 'itm_forged', timestamp: item.opened_at };
    await forged('orchd.build.events', event);
    await forged('$KV.orchd_machines.build', { name: 'build', version: 'forged', last_seq: 1, published_seq: 1 });
    // Acknowledgements and other replies of the server.
    connection.publish(own, '{}', { reply: 'orchd.build.events' });
    connection.publish('$JS.API.STREAM.INFO.orchd_events', '', { reply: 'orchd.build.events' });
    // A consumer delivers a message under the name of the machine that has published it.
    const forgedEvent = JSON.stringify({ ...event, item_id: 'itm_delivered' });
    await client.publish(own, forgedEvent);
    const bucket = 'KV_orchd_machines';
    await consumers.add(bucket, {
      name: 'pull',
      filter_subject: own,
      ack_policy: AckPolicy.Explicit,
      mem_storage: true,
    });
    connection.publish(`$JS.API.CONSUMER.MSG.NEXT.${bucket}.pull`, '1', { reply: 'orchd.build.events' });
    await consumers.add(bucket, { name: 'push', filter_subject: own, deliver_subject: 'orchd.build.events' });
    // A message that the machine has published before is not stored again.
    await consumers.add('orchd_events', {
      name: 'again',
      filter_subject: 'orchd.build.events',
      ack_policy: AckPolicy.Explicit,
    });
    connection.publish('$JS.API.CONSUMER.MSG.NEXT.orchd_events.again', '1', { reply: 'orchd.other.events' });
    await connection.flush();

    // The machine goes on publishing, and each of its events is there once.
    const { id } = await build.sh('true', '--name', 'later');
    await build.event('session_exited', ({ session_id }) => session_id === id);
    const expected = async (): Promise<unknown[]> => {
      const events: unknown[] = [];
      for await (const seen of build.client.events({})) events.push(seen.seq);
      return events;
    };
    const published = async (): Promise<unknown[]> => {
      const { events } = await laptop.client.call('hub.events', { machine: 'build', since: '0' });
      return events.map(({ event: seen }) => seen['seq']);
    };
    const difference = async (): Promise<unknown> => {
      const [hub, own] = [await published(), await expected()];
      return hub.join() === own.join() ? null : { hub, own };
    };
    await expect.poll(difference, { timeout: 20_000 }).toBe(null);
    const { events } = await laptop.client.call('hub.events', { since: '0' });
    expect(events.filter((one) => /itm_(forged|delivered)/.test(JSON.stringify(one)))).toEqual([]);
    const items = await laptop.client.call('hub.items', {});
    expect(items.map((one) => [one.item.id, one.item.data])).toEqual([[item.id, item.data]]);
    await build.client.call('session.kill', { session: item.session_id, grace_ms: 0 });
    const { machines } = await laptop.client.call('hub.status', {});
    expect(machines.map(({ name, version }) => [name, version])).toEqual([
      ['build', expect.not.stringContaining('forged')],
      ['laptop', expect.not.stringContaining('forged')],
    ]);
    expect((await build.client.call('hub.status', {})).problem).toBe(undefined);
  });

  test('passes commands between machines', async () => {
    await build.json('hub', 'enroll', 'laptop', await keyOf(laptop));
    const item = await build.openItem(await build.sh('echo ":ORCHESTRATOR: QUESTION - Which?"; read -r answer'));
    const ids = async (): Promise<string[]> => (await laptop.client.call('hub.items', {})).map((one) => one.item.id);
    await expect.poll(ids, { timeout: 20_000 }).toEqual([item.id]);
    expect((await laptop.json<{ answer: { text: string } }>('answer', item.id, 'this')).answer.text).toBe('this');
    expect((await laptop.client.call('hub.status', {})).commands_problem).toBe(undefined);
  });

  test("refuses a machine that joins under another machine's name", async () => {
    await build.orchd('hub', 'leave');
    const refused = await build.orchd('hub', 'join', server?.url ?? '', '--name', 'laptop');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('Permissions Violation')]);
  });

  test('refuses an unknown key with an authorization error', async () => {
    const stranger = await startDaemon();
    try {
      await stranger.orchd('hub', 'key');
      const refused = await stranger.orchd('hub', 'join', server?.url ?? '', '--name', 'build');
      expect([refused.code, refused.stderr]).toEqual([5, expect.stringMatching(/Authorization Violation/i)]);
    } finally {
      await stranger.close();
    }
  });
});
