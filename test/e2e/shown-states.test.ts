/** Tests the labels of a session besides its state: ended by you, idle, running. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Session } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.close());

const show = (id: string): Promise<Session> => daemon.client.call('session.show', { session: id });

const isOf = (id: string) => (event: { readonly session_id: string }) => event.session_id === id;

async function rowOf(id: string): Promise<string> {
  const { stdout } = await daemon.orchd('ls');
  return stdout.split('\n').find((row) => row.includes(id)) ?? '';
}

test.concurrent('a session that the user ended has state exited and shows who ended it', async () => {
  const { id } = await daemon.sh('trap "exit 3" HUP TERM; echo ready; while :; do read x; done');
  await daemon.orchd('kill', id);
  const session = await show(id);
  expect(session).toMatchObject({ state: 'exited', ended_by: 'cli' });
  expect(await daemon.event('session_exited', isOf(id))).toMatchObject({ state: 'exited', ended_by: 'cli' });
  expect(await rowOf(id)).toContain('ended by you');
  expect((await daemon.orchd('show', id)).stdout).toContain('ended by you (exited, by process)');
  expect((await daemon.orchd('events', '--session', id)).stdout).toContain('exited, ended by you');
  expect((await daemon.client.call('event.explain', { what: id })).summary).toContain('was ended by you, as ');
});

test.concurrent('a session whose program fails by itself has state failed', async () => {
  const { id } = await daemon.sh('exit 3');
  await daemon.event('session_exited', isOf(id));
  const session = await show(id);
  expect(session.state).toBe('failed');
  expect(session).not.toHaveProperty('ended_by');
  expect(await rowOf(id)).toContain('failed');
});

test.concurrent('a restarted session no longer has ended_by', async () => {
  // No other session gets this name while it has ended.
  const { id } = await daemon.sh('read x; exit 4', '--name', 'started-again');
  await daemon.client.call('session.restart', { session: id });
  expect(await show(id)).not.toHaveProperty('ended_by');
  await daemon.client.call('session.send', { session: id, text: 'go' });
  const first = await daemon.event('session_exited', isOf(id));
  const last = await daemon.event('session_exited', isOf(id), first.seq);
  expect(last.state).toBe('failed');
  expect(last).not.toHaveProperty('ended_by');
});

test.concurrent('a shell is idle at its prompt and not while it runs a command', async () => {
  const { id } = await daemon.client.call('session.start', {
    command: ['bash', '--norc', '--noprofile', '-i'],
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', TERM: 'xterm-256color', PS1: '$ ' },
  });
  const atPrompt = await daemon.event('session_idle_changed', isOf(id));
  expect(atPrompt.idle).toBe(true);
  expect(await rowOf(id)).toContain('idle');
  const { state } = await show(id);
  expect(state).not.toBe('idle');
  const explained = `is idle: its program waits at its prompt. Its state is ${state}, as `;
  expect((await daemon.client.call('event.explain', { what: id })).summary).toContain(explained);
  await daemon.client.call('session.send', { session: id, text: 'cat' });
  const running = await daemon.event('session_idle_changed', isOf(id), atPrompt.seq);
  expect(running.idle).toBe(false);
  expect(await rowOf(id)).not.toContain('idle');
  await daemon.client.call('session.keys', { session: id, keys: ['C-d'] });
  expect((await daemon.event('session_idle_changed', isOf(id), running.seq)).idle).toBe(true);
  await daemon.orchd('kill', id);
  expect(await show(id)).not.toHaveProperty('idle');
});

test.concurrent.each([
  ['an interpreter', ['node', '-i'], 'process.kill(process.pid, "SIGSTOP")'],
  [
    'a line editor without a prompt',
    [
      'sh',
      '-c',
      `stty -icanon; printf '\\033[?2004h'; head -c 1 >/dev/null; stty icanon; printf '\\033[?2004l'; exec sleep 1000`,
    ],
    'x',
  ],
  ['a program that asks for a line', ['sh', '-c', 'printf "name> "; read x; exec sleep 1000'], 'Ada'],
])('%s is idle at its prompt and not while it works', async (_what, command, text) => {
  const { id } = await daemon.client.call('session.start', {
    command,
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', TERM: 'xterm-256color' },
  });
  const atPrompt = await daemon.event('session_idle_changed', isOf(id));
  expect(atPrompt.idle).toBe(true);
  expect(await rowOf(id)).toContain('idle');
  await daemon.client.call('session.send', { session: id, text });
  expect((await daemon.event('session_idle_changed', isOf(id), atPrompt.seq)).idle).toBe(false);
  expect(await rowOf(id)).not.toContain('idle');
  await daemon.orchd('kill', id);
});

test.concurrent('a program with an open question is waiting even at its prompt', async () => {
  const block = '```orchestrator-message\\n{"type":"QUESTION","data":{"question":"Which one?"}}\\n```\\n';
  const { id } = await daemon.sh(`printf '${block}'; printf 'answer> '; read x; printf 'next> '; read y`);
  await daemon.event('item_opened', isOf(id));
  const [item] = await daemon.client.call('inbox.list', { session: id });
  await daemon.client.call('inbox.answer', { item: item?.id ?? '', text: 'this' });
  expect((await daemon.event('session_idle_changed', isOf(id))).idle).toBe(true);
  const { stdout } = await daemon.orchd('events', '--session', id);
  expect(stdout.indexOf('at its prompt')).toBeGreaterThan(stdout.indexOf('next'));
  expect(stdout.match(/at its prompt/g)).toHaveLength(1);
  await daemon.orchd('kill', id);
});

const ELSE =
  'r, w = os.pipe()\nif os.fork() == 0: time.sleep(2); os._exit(0)\nos.close(w)\nselect.select([0, r], [], [])';

test.concurrent.each([
  ['its terminal for a time', 'for _ in range(4): select.select([0], [], [], 0.5)'],
  ['its terminal and a pipe', ELSE],
])('a program that waits for %s is not idle', async (_what, wait) => {
  const command = ['python3', '-c', `import os, select, time\nprint("> ", end="", flush=True)\n${wait}`];
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin' };
  const { id } = await daemon.client.call('session.start', { command, cwd: '/', env });
  await daemon.event('session_exited', isOf(id));
  expect((await daemon.orchd('events', '--session', id)).stdout).not.toContain('at its prompt');
});

const POLLING = 'while not select.select([0], [], [], 0.2)[0]: ';
const THREAD = 'print("Thinking"); threading.Thread';
const python = (script: string): string[] => ['python3', '-c', `import os, select, sys, threading, time\n${script}`];

test.concurrent('a program that waits for its terminal for a time, again and again, is idle at its prompt', async () => {
  const command = python(`print("> ", end="", flush=True)\n${POLLING}pass\nos.read(0, 9); time.sleep(1)`);
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin' };
  const { id } = await daemon.client.call('session.start', { command, cwd: '/', env });
  expect((await daemon.event('session_idle_changed', isOf(id))).idle).toBe(true);
  await daemon.client.call('session.send', { session: id, text: 'on' });
  await daemon.event('session_idle_changed', (event) => isOf(id)(event) && !event.idle);
});

test.concurrent.each([
  ['computes', `${POLLING}sum(range(2_000_000))`],
  ['has a second thread', `threading.Thread(target=lambda: time.sleep(7), daemon=True).start()\n${POLLING}pass`],
  ['has a child', `if os.fork() == 0: time.sleep(7); os._exit(0)\n${POLLING}pass`],
  ['has a pipe', `r, w = os.pipe()\n${POLLING}pass`],
])('a program that waits for its terminal for a time and %s is not idle', async (_what, wait) => {
  const until = wait.replace('while not', 'end = time.monotonic() + 7\nwhile time.monotonic() < end and not');
  const command = python(`print("> ", end="", flush=True)\n${until}`);
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin' };
  const { id } = await daemon.client.call('session.start', { command, cwd: '/', env });
  await daemon.event('session_exited', isOf(id));
  expect((await daemon.orchd('events', '--session', id)).stdout).not.toContain('at its prompt');
});

test.concurrent.each([
  ['prints nothing', ['cat'], true],
  ['starts slowly and prints nothing', ['sh', '-c', 'sleep 2; exec cat'], true],
  ['has printed lines', ['sh', '-c', 'echo asks; read x; echo got it; read y'], true],
  ['reads in an event loop', ['node', '-e', "process.stdin.on('data', () => {})"], true],
  ['reads in a second thread', python('threading.Thread(target=sys.stdin.readline).start()'), true],
  [
    'reads while its threads wait for it',
    python(`${THREAD}(target=threading.Event().wait, daemon=True).start(); input()`),
    true,
  ],
  ['only waits for a time', ['sleep', '4'], false],
  [
    'reads while a thread works',
    python(`${THREAD}(target=lambda: (time.sleep(4), os._exit(0))).start(); input()`),
    false,
  ],
  [
    'reads while a thread waits for a socket',
    python(
      `import socket, signal; a, b = socket.socketpair(); signal.alarm(4); ${THREAD}(target=lambda: a.recv(1)).start(); input()`,
    ),
    false,
  ],
  [
    'reads while its child works',
    python('import signal; signal.alarm(4); os.spawnlp(os.P_NOWAIT, "sleep", "sleep", "4"); input()'),
    false,
  ],
  ['has a timer', ['node', '-e', "process.stdin.on('data', () => {}); setTimeout(process.exit, 4000)"], false],
  [
    'reads in an event loop beside a child',
    ['node', '-e', "process.stdin.on('data', () => {}); child_process.spawn('sleep', ['4']).on('exit', process.exit)"],
    false,
  ],
  [
    'reads in an event loop beside a pipe',
    ['sh', '-c', `{ sleep 4; echo; } | ${'node -e "fs.readFileSync(0)"'}`],
    false,
  ],
] as const)('a program that %s: idle if only its terminal can wake it', async (_what, command, isIdle) => {
  const { id } = await daemon.client.call('session.start', {
    command: [...command],
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
  });
  if (!isIdle) {
    await daemon.event('session_exited', isOf(id));
    expect((await daemon.orchd('events', '--session', id)).stdout).not.toContain('at its prompt');
    return;
  }
  expect((await daemon.event('session_idle_changed', isOf(id))).idle).toBe(true);
  expect(await rowOf(id)).toContain('idle');
  await daemon.orchd('kill', id);
});

test.concurrent.each([
  ['on the alternate screen', '\\033[?1049h\\033[2J\\033[Hhello'],
  ['that paints on the main screen', '\\033[2J\\033[5;3Hhello'],
])('an unknown program %s is shown as running', async (_where, picture) => {
  const { id } = await daemon.sh(`printf "${picture}"; read x`);
  for (let state = ''; state !== 'unknown'; state = (await show(id)).state)
    await daemon.event('session_state_changed', isOf(id));
  expect(await rowOf(id)).toContain('running');
  const shown = async () => (await daemon.orchd('show', id)).stdout.replace(/\s+/g, ' ');
  expect(await shown()).not.toContain('few rows');
  await daemon.client.call('session.resize', { session: id, size: { cols: 40, rows: 12 } });
  expect(await shown()).toContain('40x12 (few rows for this program');
  await daemon.orchd('kill', id);
});

test.concurrent("a session that another session ended shows that session's name", async () => {
  const bin = join(import.meta.dirname, '../../bin/orchd.js');
  const end = `node ${bin} run -d --name child -- sleep 1000; node ${bin} kill child; sleep 1000`;
  const parent = await daemon.sh(end, '--name', 'the-parent');
  const exited = await daemon.event(
    'session_exited',
    (event) => event.session_id !== parent.id && !!event.ended_by_name,
  );
  expect(exited).toMatchObject({ ended_by: parent.id, ended_by_name: 'the-parent' });
  const { id } = await show('child');
  expect(await rowOf(id)).toContain('ended by the-parent');
  expect((await daemon.orchd('show', id)).stdout).toContain('ended by the-parent (exited, by process)');
  expect((await daemon.orchd('events', '--session', id)).stdout).toContain('exited, ended by the-parent');
  await daemon.orchd('kill', parent.id);
});

test.concurrent('show prints every part of a failed envelope', async () => {
  const data = {
    status: 'failed',
    summary: 'Nothing could be read',
    deliverables: ['notes/partial.md'],
    next_steps: ['Ask for a token'],
    metadata: { agent: 'coder', task_id: 'task-1', duration_seconds: 3 },
    error: {
      type: 'AccessError',
      message: 'No token',
      resolution: 'Give it one.',
      explanation: 'The registry asks for a token.',
    },
  };
  const { id } = await daemon.sh(
    `cat <<'END'\n<output>\n${JSON.stringify(data)}\n---\n## What happened\n</output>\nEND\nread x`,
  );
  for (let state = ''; state !== 'failed'; state = (await show(id)).state)
    await daemon.event('session_state_changed', isOf(id));
  const { stdout } = await daemon.orchd('show', id);
  for (const words of [
    data.summary,
    'No token',
    data.error.explanation,
    'notes/partial.md',
    'Ask for a token',
    'What happened',
  ])
    expect(stdout).toContain(words);
  await daemon.orchd('kill', id);
});
