/** Tests `orchd tool` from scripts inside sessions and from outside. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Session } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';

const ORCHD = `'${process.execPath}' '${join(import.meta.dirname, '../../bin/orchd.js')}'`;

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.close());

const ended = ({ id }: Session) => daemon.event('session_exited', ({ session_id }) => session_id === id);

test('tool ask prints exactly the answer', async () => {
  const session = await daemon.sh(
    `answer=$(${ORCHD} tool ask --input question='Which?' --input options=JWT --input options='Öther one') ` +
      '&& echo "got <$answer>"',
  );
  const item = await daemon.openItem(session);
  expect(item.data).toEqual({ question: 'Which?', options: ['JWT', 'Öther one'] });
  await daemon.orchd('answer', item.id, '--option', '2');
  await ended(session);
  expect((await daemon.orchd('capture', session.id)).stdout).toContain('got <Öther one>\n');
});

test('tool ask exits with 7 if the question is declined', async () => {
  const session = await daemon.sh(`${ORCHD} tool ask --input question='May I?'; echo "exit $?"`);
  await daemon.orchd('answer', (await daemon.openItem(session)).id, '--decline');
  await ended(session);
  expect((await daemon.orchd('capture', session.id)).stdout).toContain('declined\nexit 7\n');
});

test('tool ask waits across a daemon crash and asks once', async () => {
  const session = await daemon.sh(`echo "got $(${ORCHD} tool ask -q --input question='Still?')"`);
  const item = await daemon.openItem(session);
  await daemon.crash();
  await daemon.start();
  await daemon.orchd('answer', item.id, 'yes');
  await ended(session);
  expect((await daemon.orchd('capture', session.id)).stdout).toContain('got yes\n');
  expect(await daemon.client.call('inbox.list', { session: session.id, all: true })).toHaveLength(1);
});

test('Ctrl-C ends the wait, prints how to continue it, and keeps the question open', async () => {
  const session = await daemon.sh('read x');
  const waiting = daemon.follow('tool', 'ask', '--session', session.id, '--input', 'question=Later?');
  let said = '';
  waiting.stderr?.on('data', (text) => {
    said += text;
  });
  const item = await daemon.openItem(session);
  waiting.kill('SIGINT');
  const [code] = await once(waiting, 'close');
  expect(code).toBe(130);
  const callId = /--call-id (\w+)/.exec(said)?.[1] ?? '';
  expect(await daemon.client.call('inbox.show', { item: item.id })).toMatchObject({ state: 'open', call_id: callId });
  await daemon.orchd('answer', item.id, 'now');
  const again = await daemon.orchd(
    'tool',
    'ask',
    '--session',
    session.id,
    '--input',
    'question=Later?',
    '--call-id',
    callId,
  );
  expect(again).toMatchObject({ code: 0, stdout: 'now\n' });
});

test('input comes from fields, JSON and files, and an invalid field is named', async () => {
  const session = await daemon.sh('read x');
  const call = (...args: string[]) => daemon.orchd('tool', ...args, '--session', session.id);
  const file = join(daemon.paths.stateDir, 'input.json');
  writeFileSync(file, '{"completedSteps": ["a"], "progress": 1}');
  const told = await daemon.json<{ ok: true; message_id: string }>(
    'tool',
    'report_status',
    '--session',
    session.id,
    '--input',
    `@${file}`,
    '--input',
    'progress=40',
    '--input',
    'completedSteps=b',
  );
  expect(told.ok).toBe(true);
  const message = await daemon.event('message', ({ message_id }) => message_id === told.message_id);
  expect(message.message.data).toEqual({ progress: 40, completedSteps: ['a', 'b'] });
  const wrong = await call('report_status', '--input', 'progress=much', '--json');
  expect(wrong.code).toBe(6);
  expect(JSON.parse(wrong.stderr).errors).toEqual([{ path: '$.progress', message: "'much' is not of type 'number'" }]);
  expect((await call('sing')).code).toBe(3);
  expect((await call('ask', '--input', '[1]')).code).toBe(2);
  const late = await call('ask', '--input', 'question=Now?', '--timeout', '0s');
  expect(late).toMatchObject({ code: 124, stdout: '' });
  expect((await daemon.orchd('tool', 'ask')).stderr).toContain('say which one with --session');
});

test('--list prints every tool with its input', async () => {
  const tools = await daemon.json<{ name: string; input: { properties: object } }[]>('tool', '--list');
  expect(tools.map(({ name }) => name)).toContain('ask');
  const { stdout } = await daemon.orchd('tool', 'ask', '--list');
  expect(stdout).toContain('question (string, must be there)');
  const { stdout: all } = await daemon.orchd('tool', '--list');
  expect(all).toContain('severity (one of info, warning, error or critical): How bad it is.');
  expect(all).toContain('type (one of plan, questions or error, must be there)');
  expect(all).not.toContain('any value');
});
