/** Tests the CLI as users and scripts see it: help, JSON, exit codes, abbreviated names, pipes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands/index.js';
import { parseConfig } from '../../src/protocol/config-file.js';
import type { Event, Item, Session } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';

const BIN = join(import.meta.dirname, '../../bin/orchd.js');
const QUESTION =
  `printf '%s\\n' '\`\`\`orchestrator-message' ` +
  `'{"type":"QUESTION","data":{"question":"Which?","options":["a","b"]}}' '\`\`\`'`;

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.close());

const kill = ({ id }: Session) => daemon.client.call('session.kill', { session: id, grace_ms: 100 });

/** Runs a script in a shell with a text on stdin. */
function pipe(script: string, input = ''): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn('sh', ['-c', script.replaceAll('orchd ', `'${process.execPath}' '${BIN}' `)], {
    env: daemon.env,
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  child.stdin.end(input);
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}

/** Starts a proxy for the daemon's socket. `seen` resolves when the proxy has passed on a matching request. */
async function listenTo(request: RegExp): Promise<{ socketPath: string; seen: Promise<void>; close(): void }> {
  const socketPath = join(daemon.paths.stateDir, 'listened.sock');
  let see: () => void = () => {};
  const seen = new Promise<void>((resolve) => {
    see = resolve;
  });
  const server = createServer((client) => {
    const line = connect(daemon.paths.socket);
    client.on('data', (bytes) => {
      line.write(bytes);
      if (request.test(bytes.toString('latin1'))) see();
    });
    line.pipe(client);
    client.on('close', () => line.destroy()).on('error', () => line.destroy());
    line.on('close', () => client.destroy()).on('error', () => client.destroy());
  });
  await once(server.listen(socketPath), 'listening');
  return { socketPath, seen, close: () => server.close() };
}

test('an error message reaches a slow reader of the pipe completely', async () => {
  const { stdout } = await pipe(
    // While the other commands start, nothing reads the pipe, so it is full.
    `{ head -c 65536 /dev/zero; orchd show nosuch 2>&1; } | { orchd ls -q; orchd ls -q; tr -d '\\0'; }`,
  );
  expect(stdout).toContain('orchd: ');
});

test('every command has help with an example and accepts --json', async () => {
  for (let at = 0; at < COMMANDS.length; at += 4) {
    await Promise.all(
      COMMANDS.slice(at, at + 4).map(async ({ name }) => {
        const { code, stdout } = await daemon.orchd(name, '--help');
        expect(code, name).toBe(0);
        expect(stdout).toMatch(new RegExp(`Examples:\\n {2}.*orchd ${name}`));
        expect(stdout).toContain('--json');
      }),
    );
  }
});

test('a subcommand has its own help and refuses the options of other subcommands', async () => {
  const { stdout } = await daemon.orchd('runs', 'show', '--help');
  expect(stdout).toMatch(/^Usage: orchd runs show \[options\] <run>[\s\S]*Examples:\n {2}orchd runs show 7k3\n$/);
  expect((await daemon.orchd('runs', '--help')).stdout).toMatch(/\n {2}show \[options\] <run> +Show a run\n/);
  const refused = await daemon.orchd('runs', 'show', '--blueprint', 'x', 'y');
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("unknown option '--blueprint'") });
});

test('options of `orchd start` need no command', async () => {
  const { code, stdout } = await daemon.orchd('--detach', '--json');
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { started: false }]);
});

test('options of a subcommand may come before its name, as in earlier versions', async () => {
  const { code, stdout } = await daemon.orchd('runs', '--limit', '1', '--json', 'list');
  expect([code, stdout]).toEqual([0, '[]\n']);
});

describe('the exit code', () => {
  test.each([
    [2, ['no-such-command']],
    [2, ['ls', '--no-such-option']],
    [2, ['run']],
    [2, ['run', '-d', '--size', 'large', '--', 'true']],
    [2, ['events', '--since', 'x']],
    [2, ['answer', 'itm_x']],
    [3, ['show', 'nobody']],
    [3, ['answer', 'itm_nothing', 'x']],
    [1, ['run', '-d', '--', 'no-such-program']],
  ])('is %i for `orchd %j`', async (expected, args) => {
    const { code, stdout, stderr } = await daemon.orchd(...args);
    expect(code, stderr).toBe(expected);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^orchd: .+\n {2}.+\n/);
    const { stderr: json } = await daemon.orchd('--json', ...args);
    expect(JSON.parse(json)).toMatchObject({ error: expect.any(String), code: expect.stringMatching(/^ORCHD_/) });
  });

  test('is 4 for a conflict and 124 for a timeout', async () => {
    const session = await daemon.sh('cat', '--name', 'conflict');
    expect((await daemon.orchd('run', '-d', '--name', 'conflict', '--', 'true')).code).toBe(4);
    expect((await daemon.orchd('wait', 'conflict', '--until', 'done', '--timeout', '20ms')).code).toBe(124);
    await kill(session);
    expect((await daemon.orchd('send', session.id, 'late')).code).toBe(4);
  });

  test('is 5 without a daemon, and no daemon is started', async () => {
    const elsewhere = { ...daemon.env, ORCHD_HOME: join(daemon.paths.stateDir, 'nowhere') };
    const child = spawn(process.execPath, [BIN, 'ls'], { env: elsewhere });
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(5);
  });

  test('is 6 for input that does not match a schema', async () => {
    const bad = '{"type":"QUESTION","data":{}}';
    expect((await pipe('orchd validate -', bad)).code).toBe(6);
    expect((await pipe('orchd validate -', '{"type":"QUESTION","data":{"question":"x"}}')).code).toBe(0);
    const text = `\`\`\`orchestrator-message\n${bad}\n\`\`\`\n`;
    expect((await pipe('orchd parse -', text)).code).toBe(0);
    expect((await pipe('orchd parse --strict -', text)).code).toBe(6);
  });
});

describe('session commands', () => {
  test('run sets name, directory, environment, size and key', async () => {
    const cwd = daemon.paths.stateDir;
    const session = await daemon.sh(
      'pwd; echo "<$EXTRA><$HOME><$ORCHD_KEY>"; stty size; read x',
      '--name',
      'dressed',
      '-C',
      cwd,
      '--env',
      'EXTRA=more',
      '--env',
      'HOME',
      '--size',
      '90x20',
      '--key',
      's3cret',
    );
    expect(session).toMatchObject({ name: 'dressed', cwd, size: { cols: 90, rows: 20 }, key_required: true });
    await expect.poll(async () => (await daemon.orchd('capture', 'dressed')).stdout).toContain('20 90');
    const { stdout } = await daemon.orchd('capture', 'dressed');
    expect(stdout).toContain(`${cwd}\n<more><><s3cret>\n`);
    await kill(session);
  });

  test('show and kill accept a prefix of an id or a name, and refuse an ambiguous one', async () => {
    const [one, two] = [await daemon.sh('cat', '--name', 'prefix-one'), await daemon.sh('cat', '--name', 'prefix-two')];
    expect((await daemon.json<Session>('show', 'prefix-o')).id).toBe(one.id);
    expect((await daemon.json<Session>('show', two.id.slice(4, 12))).id).toBe(two.id);
    const { code, stderr } = await daemon.orchd('show', 'prefix');
    expect(code).toBe(4);
    expect(stderr).toContain('prefix-one');
    expect((await daemon.orchd('rename', 'prefix-o', 'renamed')).code).toBe(0);
    expect((await daemon.orchd('kill', 'renamed', 'prefix-two', '-q')).stdout.trim().split('\n')).toEqual([
      one.id,
      two.id,
    ]);
  });

  test('send, keys and resize type with and without Enter and change the size', async () => {
    const session = await daemon.sh('while read -r line; do echo "read <$line>"; stty size; done', '--name', 'typed');
    await daemon.orchd('send', 'typed', 'half', '--no-enter');
    await daemon.orchd('send', 'typed', ' whole');
    await daemon.orchd('keys', 'typed', 'k', 'e', 'y', 'Space', 'Enter');
    await daemon.orchd('resize', 'typed', '70x15');
    await daemon.orchd('send', 'typed', 'last');
    const shown = async () => (await daemon.orchd('capture', 'typed')).stdout;
    await expect.poll(shown).toContain('read <last>\n15 70');
    expect(await shown()).toContain('read <half whole>');
    expect(await shown()).toContain('read <key>');
    await kill(session);
  });

  test('capture prints colours with --ansi and the scrollback with --scrollback', async () => {
    const session = await daemon.sh(`seq 1 60; printf '\\033[32mgreen\\033[0m\\n'; read x`);
    await expect.poll(async () => (await daemon.orchd('capture', session.id)).stdout).toContain('green');
    const plain = (await daemon.orchd('capture', session.id)).stdout;
    expect(plain).not.toContain('\x1b');
    expect(plain).not.toMatch(/^1$/m);
    expect((await daemon.orchd('capture', session.id, '--ansi')).stdout).toContain('\x1b[0;32mgreen');
    expect((await daemon.orchd('capture', session.id, '--scrollback', '100')).stdout).toMatch(/^1\n2\n3\n/);
    await kill(session);
  });

  test('wait returns when the session reaches the state or exits', async () => {
    const session = await daemon.sh(`${QUESTION}; read x; exit 3`);
    expect((await daemon.json<Session>('wait', session.id, '--until', 'waiting')).open_items).toBe(1);
    const waiting = daemon.json<Session>('wait', session.id, '--until', 'exited');
    await daemon.orchd('answer', (await daemon.openItem(session)).id, '--decline');
    expect(await waiting).toMatchObject({ state: 'failed', exit_code: 3 });
  });

  test('wait continues across a daemon restart', async () => {
    const session = await daemon.sh('read x; exit 3', '--name', 'replaced');
    const asked = await listenTo(/session\/?\S*wait/);
    const waiting = spawn(process.execPath, [BIN, 'wait', 'replaced'], {
      env: { ...daemon.env, ORCHD_SOCKET: asked.socketPath },
    });
    let said = '';
    waiting.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
    const over = once(waiting, 'close');
    await asked.seen;
    expect((await daemon.orchd('restart', '--no-tcp')).code).toBe(0);
    await daemon.orchd('send', session.id, 'go on');
    expect([await over, said]).toEqual([[0, null], 'replaced failed\n']);
    asked.close();
  });

  test('stream fails for an ended session', async () => {
    const session = await daemon.sh('true');
    await daemon.orchd('wait', session.id);
    expect(await daemon.orchd('stream', session.id)).toMatchObject({
      code: 4,
      stdout: '',
      stderr: expect.stringContaining('has ended; `orchd capture'),
    });
  });
});

describe('inbox and events', () => {
  test('answer accepts an option, text from stdin, or --decline', async () => {
    const session = await daemon.sh(`for i in 1 2 3; do ${QUESTION}; read -r x; echo "got $x"; done`);
    for (const command of ['orchd answer ID --option 2', 'orchd answer ID -', 'orchd answer ID --decline']) {
      const item = await daemon.openItem(session);
      const listed = await daemon.json<Item[]>('inbox');
      expect(listed.map(({ id }) => id)).toContain(item.id);
      expect(await pipe(command.replace('ID', item.id), 'from a pipe\n')).toMatchObject({ code: 0 });
    }
    await daemon.orchd('wait', session.id);
    expect((await daemon.orchd('capture', session.id)).stdout).toMatch(/got b\n.*got from a pipe\n.*got declined\n/s);
  });

  test('events prints one JSON event per line, filters, and follows', async () => {
    const session = await daemon.sh(`echo ':ORCHESTRATOR: TASK COMPLETE - listed'`);
    await daemon.orchd('wait', session.id);
    const { stdout } = await daemon.orchd(
      'events',
      '--json',
      '--session',
      session.id,
      '--type',
      'message',
      '--type',
      'session_exited',
    );
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line): Event => JSON.parse(line));
    expect(events.map(({ event_type }) => event_type)).toEqual(['message', 'session_exited']);
    const since = String(events[0]?.seq);
    const later = await daemon.orchd(
      'events',
      '--json',
      '--session',
      session.id,
      '--since',
      since,
      '--type',
      'message',
    );
    expect(later.stdout).toBe('');
    // The reader closes the pipe after one line. The command notices that at its next write.
    let isOver = false;
    const following = pipe(`orchd events -f --json --since 0 | head -1`).finally(() => {
      isOver = true;
    });
    while (!isOver) await daemon.sh('exit');
    const { stdout: line } = await following;
    expect(JSON.parse(line)).toMatchObject({ seq: 1, event_type: 'daemon_started' });
  });
});

describe('other commands', () => {
  test('parse prints the message in a text, and the prompt instructions contain no message', async () => {
    const { stdout } = await pipe('orchd parse --json -', 'hello\n:ORCHESTRATOR: QUESTION - why?\n');
    expect(JSON.parse(stdout.trim().split('\n')[0] ?? '')).toMatchObject({
      event_type: 'message',
      message: { type: 'QUESTION', data: { question: 'why?' } },
      source: 'marker',
      line: 2,
    });
    for (const flags of ['', '--key abcd']) {
      const heard = await pipe(`orchd prompt ${flags} | orchd parse --json -`);
      expect(heard).toMatchObject({ code: 0, stdout: '' });
    }
  });

  test('config --default is valid, completion prints a script, and version prints a number', async () => {
    const { stdout } = await daemon.orchd('config', '--default');
    expect(() => parseConfig('config.toml', stdout)).not.toThrow();
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { code, stdout: script } = await daemon.orchd('completion', shell);
      expect(code).toBe(0);
      expect(script).toContain('orchd');
    }
    expect((await daemon.orchd('version')).stdout).toMatch(/\d+\.\d+\.\d+/);
    expect(await daemon.json('--version')).toEqual(await daemon.json('version'));
  });

  test('send refuses stdin that is not UTF-8 and drops control characters', async () => {
    await daemon.sh('cat', '--name', 'typist');
    const refused = { code: 1, stderr: expect.stringContaining('standard input is not text in UTF-8') };
    expect(await pipe(`printf 'a\\377b' | orchd send typist -`)).toMatchObject(refused);
    expect(await pipe(`printf 'ä' | orchd send typist -`)).toMatchObject({ code: 0 });
    const said = { code: 0, stderr: '2 control characters left out; `orchd keys` presses keys\n' };
    expect(await pipe(`printf 'a\\033[1m\\007b\\r\\n' | orchd send typist -`)).toMatchObject(said);
    await daemon.orchd('kill', 'typist');
  });

  test('completion offers ended sessions to rm, running ones to send, and values of options', async () => {
    const offered = async (...words: string[]) => (await daemon.orchd('__complete', ...words)).stdout.split('\n');
    const living = await daemon.sh('cat', '--name', 'lively');
    const over = await daemon.sh('exit 0', '--name', 'over');
    await daemon.event('session_exited', ({ session_id }) => session_id === over.id);
    expect(await offered('send', '')).toEqual(expect.arrayContaining(['lively', living.id]));
    expect(await offered('send', 'ove')).toEqual(['']);
    expect(await offered('rm', '')).toEqual(expect.arrayContaining(['over', over.id]));
    expect(await offered('rm', 'liv')).toEqual(['']);
    expect(await offered('explain', 'ove')).toEqual(['over', '']);
    expect(await offered('wait', 'over', '--until', 'wor')).toEqual(['working', '']);
    expect(await offered('events', '--type', 'item_o')).toEqual(['item_opened', '']);
    expect(await offered('run', '--adapter', 'gem')).toEqual(['gemini', '']);
    expect(await offered('runs', 'list', '--state', 'c')).toEqual(['completed', 'cancelled', '']);
    expect(await offered('task', 'list', '--state', 'a')).toEqual(['awaiting_input', '']);
    expect(await offered('help', 'attac')).toEqual(['attach', '']);
    expect(await offered('service', 'un')).toEqual(['uninstall', '']);
    await daemon.orchd('kill', 'lively');
  });
});

test('doctor and logs report on the daemon and the host', async () => {
  const { ok, findings } = await daemon.json<{ ok: boolean; findings: { check: string }[] }>('doctor');
  expect(ok).toBe(true);
  expect(findings.map(({ check }) => check)).toContain('daemon');
  const { stdout } = await daemon.orchd('logs', '-n', '500', '--json');
  for (const line of stdout.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('message');
  expect((await daemon.orchd('logs', '-n', '500')).stdout).toMatch(
    /^\d\d-\d\d [\d:.]+ [+-]\d\d:\d\d {2}daemon \d+ {2}listening {2}socket=\S+/m,
  );
  for (const host of [[], ['--host']]) {
    expect((await daemon.orchd('logs', ...host, '-n', '0')).stdout).toBe('');
    expect((await daemon.orchd('logs', ...host, '-n', '2')).stdout.trimEnd().split('\n')).toHaveLength(2);
  }
  const ofHost = (await daemon.orchd('logs', '--host', '--json')).stdout.trimEnd().split('\n');
  expect(ofHost.map((line) => JSON.parse(line))).toContainEqual({
    time: expect.stringMatching(/Z$/),
    process: 'host',
    pid: expect.any(Number),
    message: expect.stringContaining('listening at '),
  });
});

test('a command exits without an error if the reader closes the pipe', async () => {
  const file = join(daemon.paths.stateDir, 'many');
  writeFileSync(file, '');
  const { code, stderr } = await pipe(`orchd events | head -1 >> ${file}; orchd ls | head -1 >> ${file}`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(2);
});

test('output to a pipe has no colours', async () => {
  expect((await daemon.orchd('ls')).stdout).not.toContain('\x1b');
});

test('show prints why the last message was rejected and how many were', async () => {
  const block = (data: string) => `printf '\\140\\140\\140orchestrator-message\\n%s\\n\\140\\140\\140\\n' '${data}'; `;
  const wrong = '{"type":"STATUS_UPDATE","data":{"currentStep":"x","completedSteps":4}}';
  const session = await daemon.sh(`${block('{"type":"NO"}')}${block(wrong)}cat`);
  const isLast = ({ reason }: { reason: string }) => reason === 'schema';
  await daemon.event('message_rejected', (event) => event.session_id === session.id && isLast(event));
  expect((await daemon.orchd('show', session.id)).stdout).toMatch(
    /^rejected +schema: \$\.data\.completedSteps 4 is not of type 'array' \(the newest of 2\) — `orchd events --session \S+ --type message_rejected`$/m,
  );
  expect(await daemon.json('show', session.id)).toMatchObject({ rejected: { reason: 'schema' } });
  await daemon.orchd('kill', session.id);
});
