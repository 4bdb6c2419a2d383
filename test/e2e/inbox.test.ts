/** Tests messages on the command line: every field of a message, and the command that answers it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Item, Session } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { openTerminal } from '../tui/person.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.close());

/** Returns a shell script that sends these messages, waits for a line, and then sends the last one. */
const says = (first: readonly object[], last: object): string => {
  const block = (message: object): string =>
    `cat <<'X'\n\`\`\`orchestrator-message\n${JSON.stringify(message)}\n\`\`\`\nX`;
  return [...first.map(block), 'read -r answer', block(last), 'read -r rest'].join('\n');
};
const context = `A long one. ${'There are two clients. '.repeat(9)}`.trim();
const question = {
  type: 'QUESTION',
  id: 'q1',
  ticket: 'AUTH-7',
  data: { question: 'Which\u001b[31m one?', options: ['JWT', 'OAuth2'], context, priority: 'high' },
};
const status = { progress: 50, currentStep: 'Tests', totalSteps: 4, completedSteps: ['Setup', 'Code'] };
const error = { message: 'No test', severity: 'warning', file: 'a.test.ts', recoverable: true };
const complete = { summary: 'All done', filesChanged: ['a.ts', 'b.ts'], commitHash: 'a1b2c3d' };

test('inbox and show print every field of the messages and the command that answers the item', async () => {
  const first = [{ type: 'STATUS_UPDATE', data: status }, { type: 'ERROR', data: error }, question];
  const session = await daemon.sh(says(first, { type: 'TASK_COMPLETE', data: complete }), '--name', 'asker');
  const item = await daemon.openItem(session);
  const listed = (await daemon.orchd('inbox')).stdout;
  for (const words of ['QUESTION  asker', 'one?', context, 'priority: high', 'ticket: AUTH-7', '1 JWT', '2 OAuth2'])
    expect(listed).toContain(words);
  expect(listed).not.toContain('\u001b');
  const whole = (await daemon.orchd('inbox', item.id)).stdout;
  expect(whole).toContain(`from      asker (${session.id})`);
  const json = await daemon.json<Item>('inbox', item.id);
  expect(json).toMatchObject({ id: item.id, data: question.data, extra: { ticket: 'AUTH-7' } });
  expect((await daemon.orchd('inbox', item.id, '--all')).code).toBe(2);
  expect((await daemon.orchd('inbox', 'itm_none')).code).toBe(3);

  expect((await daemon.orchd('ls')).stdout).toContain('50% 2/4 Tests');
  const shown = (await daemon.orchd('show', 'asker')).stdout;
  for (const line of ['50% Tests (2 of 4 steps)', 'steps done  Setup', 'warning: No test (a.test.ts, recoverable)'])
    expect(shown).toContain(line);

  const [, command = ''] = /^ {2}orchd (answer itm_\w+ --option 1)/m.exec(whole) ?? [];
  expect((await daemon.orchd(...command.split(' '))).code).toBe(0);
  await daemon.event('session_state_changed', (event) => event.session_id === session.id && event.state === 'done');
  const done = (await daemon.orchd('show', 'asker')).stdout;
  expect(done).toMatch(/complete +All done\nfiles +a\.ts\n +b\.ts\ncommit +a1b2c3d\n/);
  const { progress, last_completion, completed_steps } = await daemon.json<Session>('show', 'asker');
  expect({ progress, last_completion, completed_steps }).toEqual({
    progress: 100,
    completed_steps: [],
    last_completion: complete,
  });
  expect((await daemon.orchd('inbox', item.id)).stdout).toContain('answered by cli: JWT');
});

test('in a terminal of 60 columns, inbox wraps rows but keeps commands on one row', async () => {
  const session = await daemon.sh(says([question], { type: 'TASK_COMPLETE', data: complete }), '--name', 'narrow');
  const item = await daemon.openItem(session);
  const person = openTerminal(`orchd inbox ${item.id}`, { env: daemon.env, cols: 60, rows: 50 });
  expect(await person.exited).toBe(0);
  const rows = person
    .bytes()
    .replaceAll(/\u001b\[[0-9;]*m|\r/g, '')
    .split('\n');
  person.close();
  expect(rows).toContain(`  orchd answer ${item.id} --option 1   (or 2)`);
  expect(rows.filter((row) => row.length > 60)).toEqual([]);
  expect(rows.length).toBeGreaterThan(10);
});
