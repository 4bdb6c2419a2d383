/** Attached terminals in a real pty, against the real daemon: what passes through, what is ours, what is put back. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { type Person, type PersonOptions, sitDown } from './person.js';

let daemon: TestDaemon;
const people: Person[] = [];
beforeAll(async () => {
  daemon = await startDaemon();
});
afterEach(async () => {
  for (const person of people.splice(0)) person.close();
  for (const { id } of await daemon.client.call('session.list', {}))
    await daemon.client.call('session.kill', { session: id, grace_ms: 100 });
});
afterAll(() => daemon.close());

function open(line: string, options: Partial<PersonOptions> = {}): Person {
  const person = sitDown(line, { env: daemon.env, ...options });
  people.push(person);
  return person;
}

const DETACH = '\x1dd';
const FOREVER = 'while read -r line; do echo "heard:$line"; done';
/** Everything that a program may set and forget. */
const MESS = [
  '[?1049h',
  '[>1u',
  '[>4;2m',
  '[?1003h',
  '[?1006h',
  '[?1004h',
  '[?2004h',
  '[?2031h',
  '[?1h',
  '=',
  '[3;9r',
  '[?25l',
  '[31m',
  ']2;the agent\\007',
]
  .map((sequence) => `\\033${sequence}`)
  .join('');

describe('an attached terminal', () => {
  test('shows the session, passes what is typed, and detaches; what stood on the terminal is kept above', async () => {
    await daemon.sh(`echo ready; ${FOREVER}`, '--name', 'one');
    const person = open('echo my own words; orchd attach one; echo "back:$?"');
    await person.sees(/^ready/);
    expect(person.screen()).not.toContain('my own words');
    person.types('hello\r');
    await person.sees('heard:hello');
    person.types(DETACH);
    await person.exited;
    expect(person.screen()).toMatch(/\[detached from one\]\nback:0/);
    expect(person.everything()).toContain('my own words');
  });

  test('says in the title how to leave, until the program has a title; puts back the one that was there', async () => {
    const titled = `echo ready; read -r go; printf '\\033]2;my own\\007'; echo set; ${FOREVER}`;
    await daemon.sh(titled, '--name', 'titled');
    const person = open('orchd attach titled; orchd attach titled');
    const titles: string[] = [];
    person.terminal.onTitleChange((title) => titles.push(title));
    await person.sees(/^ready/);
    expect(titles).toEqual(['titled — orchd (Ctrl-] d detaches)']);
    person.types('go\r');
    await person.sees('set');
    expect(titles.at(-1)).toBe('my own');
    person.types(DETACH);
    await person.sees((screen) => titles.length > 4 && screen.includes('set'));
    expect(titles.slice(2)).toEqual(['', 'titled — orchd (Ctrl-] d detaches)', 'my own']);
    person.types(DETACH);
    await person.exited;
    expect(titles.at(-1)).toBe('');
    expect(person.bytes().match(/\x1b\[22;0t/g)).toHaveLength(2);
    expect(person.bytes().match(/\x1b\[23;0t/g)).toHaveLength(2);
  });

  test('is put back after a program that left everything on, and reads lines again', async () => {
    await daemon.sh(`printf '${MESS}'; echo ready; ${FOREVER}`, '--name', 'mess');
    const person = open('orchd attach mess; stty -a | tr ";" "\\n" | grep -c -w -e "-icanon" -e "-echo" -e "-isig"');
    await person.sees('ready');
    expect(person.terminal.modes.mouseTrackingMode).toBe('any');
    person.types(DETACH);
    await person.exited;
    expect(person.terminal.modes).toMatchObject({
      mouseTrackingMode: 'none',
      bracketedPasteMode: false,
      sendFocusMode: false,
      applicationCursorKeysMode: false,
      applicationKeypadMode: false,
      originMode: false,
      wraparoundMode: true,
    });
    expect(person.terminal.buffer.active.type).toBe('normal');
    expect(person.screen()).toMatch(/\n0\s*$/);
    const end = person.bytes().slice(person.bytes().lastIndexOf('ready'));
    for (const off of ['[<u', '[>4m', '[?1006l', '[?2031l', '[r', '[?25h', '[0m']) expect(end).toContain(`\x1b${off}`);
  });

  test('ends with the program, and with its exit code', async () => {
    const person = open(`orchd run -- sh -c 'echo ready; read -r code; exit "$code"'; echo "code:$?"`);
    await person.sees('ready');
    person.types('7\r');
    await person.exited;
    expect(person.screen()).toContain('code:7');
  });

  test('sends the prefix when it is typed twice, helps at ?, and takes nothing in a paste for a key', async () => {
    await daemon.sh(`stty raw -echo; echo ready; od -An -v -tx1 -w1`, '--name', 'bytes');
    const person = open('orchd attach bytes');
    await person.sees('ready');
    person.types('\x1d\x1d');
    await person.sees(/^ *1d$/m);
    person.types('\x1b[200~\x1dd\x1b[201~!');
    await person.sees(/ 1d\n+ *64\n[\s\S]* 21$/m);
    person.types('\x1d?');
    await person.sees('Ctrl-] d detaches');
    person.types('z');
    await person.sees((screen) => !screen.includes('detaches') && / 7a$/m.test(screen));
  });

  test('follows the size of the terminal', async () => {
    await daemon.sh(`trap 'stty size' WINCH; echo ready; while :; do sleep 0.05; done`, '--name', 'size');
    const person = open('orchd attach size');
    await person.sees('24 80');
    person.resizes(100, 30);
    await person.sees('30 100');
  });

  test('goes on when the daemon is replaced, and nothing is typed twice', async () => {
    await daemon.sh(`echo ready; ${FOREVER}`, '--name', 'stays');
    const person = open('orchd attach stays');
    await person.sees('ready');
    person.types('first\r');
    await person.sees('heard:first');
    await daemon.crash();
    await person.sees('the daemon is away');
    person.types('lost\r');
    expect((await daemon.orchd('start', '--detach', '--no-tcp')).code).toBe(0);
    await person.sees((screen) => screen.includes('heard:first') && !screen.includes('daemon is away'));
    person.types('second\r');
    const screen = await person.sees('heard:second');
    expect(screen.match(/heard:/g)).toHaveLength(2);
    person.types(DETACH);
    expect(await person.exited).toBe(0);
  });

  test('types nothing when it is read-only', async () => {
    const session = await daemon.sh(`echo ready; ${FOREVER}`, '--name', 'look');
    const person = open('orchd attach --read-only look');
    await person.sees('ready');
    person.types('nothing\r');
    await daemon.client.call('session.send', { session: session.id, text: 'something', enter: true });
    const screen = await person.sees('heard:something');
    expect(screen).not.toContain('nothing');
  });

  test('is put back at SIGTERM', async () => {
    await daemon.sh(`printf '\\033[?1003h'; echo ready; ${FOREVER}`, '--name', 'term');
    const person = open('exec $ORCHD attach term');
    await person.sees('ready');
    process.kill(person.pty.pid, 'SIGTERM');
    expect(await person.exited).toBe(143);
    expect(person.terminal.modes.mouseTrackingMode).toBe('none');
  });
});
