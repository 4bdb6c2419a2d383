/** Tests `orchd start --plain` in a pipe, and in a terminal without cursor movement. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { openTerminal, type Person } from './person.js';

const BIN = join(import.meta.dirname, '../../bin/orchd.js');
const asks = `
printf '%s\\n' '\`\`\`orchestrator-message' '{"type":"QUESTION","data":{"question":"How?","options":["this","that"]}}' '\`\`\`'
while read -r answer; do echo "told:$answer"; done`;

let daemon: TestDaemon;
let person: Person | null = null;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterEach(async () => {
  person?.close();
  await daemon.killAll();
});
afterAll(() => daemon.close());

test('in a pipe, plain mode executes each line and prints no control characters', async () => {
  const session = await daemon.sh(asks, '--name', 'asker');
  await daemon.openItem(session);
  const child = spawn(process.execPath, [BIN, 'start', '--plain'], { env: daemon.env });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  child.stdin.end('1\nanswer 1 9\nanswer 1 2\nsessions\nscreen nobody\nquit\nsessions\n');
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect(code).toBe(0);
  expect(said).toContain('1 session, 1 open.\n1: question from asker: How?\n');
  expect(said).toContain('Option 2: that\n');
  expect(said).toContain('item 1 has no option 9, only 1 to 2; type show 1\n');
  expect(said).toContain('there is no session nobody; type sessions\n');
  expect(said.match(/^asker: \w+/gm)).toHaveLength(1); // No output follows `quit`.
  expect(said).not.toMatch(/[\x00-\x08\x0b-\x1f]/);
  const [item] = await daemon.client.call('inbox.list', { all: true, session: session.id });
  expect(item?.answer).toMatchObject({ text: 'that', option: 2, by: 'tui' });
});

test('plain mode wraps long lines at words', async () => {
  const long = 'Which of the authentication methods that were discussed yesterday should be used here?';
  await daemon.openItem(await daemon.sh(asks.replace('How?', long), '--name', 'wordy'));
  person = openTerminal('TERM=dumb orchd start', { env: daemon.env, cols: 40 });
  const screen = await person.sees(/used\s+here\?\n/);
  const rows = screen.slice(screen.indexOf('1: question')).split('\n').slice(0, 3);
  expect(rows.join(' ')).toContain(long);
  expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(40);
});

test('in a dumb terminal, plain mode announces items, confirms kill, and attaches and returns', async () => {
  person = openTerminal('TERM=dumb orchd start; echo left', { env: daemon.env });
  await person.sees('orchd> ');
  await daemon.sh(asks, '--name', 'later');
  await person.sees(/1: question from later: How\?\norchd>/);
  person.types('answer 1 this\r');
  await person.sees(/Item 1 from later: \w+ · “this”/);
  person.types('attach later\r');
  await person.sees('told:this');
  person.types('more\r');
  await person.sees('told:more');
  await daemon.sh(asks, '--name', 'other');
  await person.sees(/ later · .* 1 open /);
  person.types('\x1dd');
  await person.sees(/Back in plain mode\.\n[\s\S]*2: question from other: How\?\norchd>/);
  person.types('kill later\r');
  await person.sees('Type yes to end later');
  person.types('y\r');
  await person.sees('It goes on.');
  person.types('kill later\r');
  await person.sees(/It goes on[\s\S]*Type yes to end later/);
  person.types('yes\r');
  await person.sees('Ended: later:');
  person.types('\x04');
  await person.sees('left');
});
