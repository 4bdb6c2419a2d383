/** Tests notifications in the user's terminal, in a real pty against the real daemon. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { openTerminal, type Person } from './person.js';

let daemon: TestDaemon;
const people: Person[] = [];
beforeAll(async () => {
  daemon = await startDaemon({ env: { ORCHD_NOTIFY_AFTER_MS: '0' } });
});
afterEach(async () => {
  for (const person of people.splice(0)) person.close();
  await daemon.killAll();
});
afterAll(() => daemon.close());

function open(line: string, env: Record<string, string> = {}): Person {
  const person = openTerminal(line, { env: { ...daemon.env, ORCHD_NOTIFY_TERMINAL: 'osc777', ...env } });
  people.push(person);
  return person;
}

/** Starts a session that asks its question after it has received input. */
const asks = (name: string, question: string) =>
  daemon.sh(`echo ready; read -r go; echo ':ORCHESTRATOR: QUESTION - ${question}'; cat`, '--name', name);
const go = (session: string) => daemon.client.call('session.send', { session, text: 'go' });
const isHere = async (count: number): Promise<void> => {
  for (;;) if ((await daemon.client.call('notify.test', {})).present === count) return;
};
const notification = (title: string, text: string): string => `\x1b]777;notify;${title};${text}\x07`;

test('an attached terminal notifies of other sessions, and of its own only after a detach', async () => {
  const [own] = await Promise.all([asks('own', 'Mine?'), asks('other', 'Yours?')]);
  const person = open('orchd attach own');
  await person.sees('ready');
  await isHere(1);
  person.types('go\r');
  const item = await daemon.openItem(own);
  await go('other');
  await person.sees(() => person.bytes().includes(notification('other asks', 'Yours?')));
  expect(person.bytes()).not.toContain('own asks');
  expect(person.screen()).not.toContain('notify;');
  person.types('\x1dd');
  await person.exited;
  await daemon.event('item_notified', (event) => event.item_id === item.id);
  await isHere(0);
});

test('the TUI notifies only while it has no focus, and ends focus reports when it exits', async () => {
  await asks('one', 'First?');
  const person = open('orchd start; echo the end');
  await person.sees('one');
  expect(person.terminal.modes.sendFocusMode).toBe(true);
  await isHere(1);
  await go('one');
  await person.sees('First?');
  expect(person.bytes()).not.toContain('notify;');
  person.types('\x1b[O');
  await person.sees(() => person.bytes().includes(notification('one asks', 'First?')));
  await isHere(0);
  person.types('\x1b[I');
  await isHere(1);
  person.types('q');
  await person.sees('the end');
  expect(person.terminal.modes.sendFocusMode).toBe(false);
  await isHere(0);
});

test('`orchd notify test` writes to the terminal even in a pipe and lists the channels', async () => {
  const person = open('orchd notify test | cat');
  await person.sees('Nothing happened?');
  await person.exited;
  expect(person.bytes()).toContain(notification('orchd can reach you', 'This is a test: `orchd notify test`.'));
  expect(person.screen()).toMatch(/✓ sent +terminal +OSC 777: notify.terminal says so/);
  expect(person.screen()).toMatch(/off +command +none is configured/);
  const off = open('orchd notify test', { ORCHD_NOTIFY_TERMINAL: 'off' });
  await off.exited;
  expect(off.bytes()).not.toContain(']777');
  expect(off.screen()).toMatch(/off +terminal/);
});
