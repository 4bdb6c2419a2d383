/** Tests the TUI in a real pty against the real daemon. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { openTerminal, type Person, type PersonOptions } from './person.js';
import { timeToRead } from './time-to-read.js';

let daemon: TestDaemon;
const people: Person[] = [];
beforeAll(async () => {
  daemon = await startDaemon();
});
afterEach(async () => {
  for (const person of people.splice(0)) person.close();
  await daemon.killAll();
});
afterAll(() => daemon.close());

function open(line = 'orchd start', options: Partial<PersonOptions> = {}): Person {
  const person = openTerminal(line, { env: daemon.env, ...options });
  people.push(person);
  return person;
}

/** A script that asks a question and prints the answer. */
const asks = (question: string): string => `
printf '%s\\n' '\`\`\`orchestrator-message' '{"type":"QUESTION","data":{"question":"${question}","options":["JWT","OAuth2"]}}' '\`\`\`'
read -r answer
echo "told:$answer"`;
const BIN = join(import.meta.dirname, '../../bin/orchd.js');
const FOREVER = 'while read -r line; do echo "heard:$line"; done';
const QUIT = '\x03';

async function quit(person: Person): Promise<void> {
  person.types(QUIT);
  await person.exited;
}

describe('the TUI', () => {
  test('explains how to begin, and restores the terminal on exit', async () => {
    const person = open(
      'echo before; orchd start; stty -a | tr ";" "\\n" | grep -c -w -e "-icanon" -e "-echo"; echo after',
    );
    await person.sees('orchd run -- CMD');
    expect(person.terminal.buffer.active.type).toBe('alternate');
    expect(person.screen()).not.toContain('before');
    person.types('q');
    await person.exited;
    const shown = person.screen();
    expect(shown).toContain('before');
    expect(shown).toMatch(/The daemon goes on.*\n0\nafter/s);
    expect(person.terminal.buffer.active.type).toBe('normal');
    expect(person.terminal.modes).toMatchObject({ bracketedPasteMode: false, wraparoundMode: true });
  });

  test('opens with `orchd` alone, which fails if stdout is not a terminal', async () => {
    const person = open('orchd | cat; orchd');
    await person.sees('orchd run -- CMD');
    person.types('q');
    await person.exited;
    expect(person.screen()).toMatch(/orchd: say what to do\n.*The daemon goes on/s);
  });

  test('draws ASCII borders and marks in a locale that is not UTF-8', async () => {
    await daemon.openItem(await daemon.sh(asks('Which way? 🚀'), '--name', 'asker'));
    const person = open('LC_ALL=C orchd start');
    const screen = await person.sees(/\+- Inbox 1 -+\+/);
    expect(screen).toMatch(/^[\x00-\x7f]*$/);
    expect(screen).toContain('Which way? ??');
    person.types('?');
    expect(await person.sees('+- Keys -')).toMatch(/^[\x00-\x7f]*$/);
    await quit(person);
  });

  test('shows the scrollback of an ended session, searches, copies, restarts and removes it', async () => {
    // The second run ends differently from the first.
    const first = join(mkdtempSync(join(tmpdir(), 'orchd-over-')), 'first');
    await daemon.sh(`seq -f "line %03g" 200; mkdir ${first} || exit 3`, '--name', 'over');
    const person = open();
    await person.sees(/over +exit code 0/);
    person.types('\r');
    await person.sees(/line 200[\s\S]*over · 200 of /);
    person.types('/line 042\r');
    await person.sees('over · 42 of ');
    person.types('y');
    await person.sees('1 line copied');
    expect(person.bytes()).toContain(`\x1b]52;c;${Buffer.from('line 042').toString('base64')}\x07`);
    person.types('\x1b[<64;5;5M\x1b[<64;5;5M');
    await person.sees((screen) => screen.startsWith('line 0'));
    person.types('q');
    await person.sees(/over +exit code 0/);
    person.types('R');
    await person.sees('over is started again');
    await person.sees(/over +exit code 3/);
    person.types('X');
    await person.sees('Remove over');
    person.types('y');
    await person.sees('over is removed');
    await quit(person);
    rmSync(dirname(first), { recursive: true });
  });

  test('refuses to show or attach to the session that it runs in', async () => {
    await daemon.sh(`${process.execPath} ${BIN} start`, '--name', 'mirror');
    const person = open('orchd attach mirror');
    const words = 'This TUI runs in this session';
    await person.sees(words);
    person.types('\r');
    // Once in the pane, and once as the reaction to Enter.
    await person.sees((screen) => screen.split(words).length === 3);
  });

  test("shows a question, answers it with a digit, and shows the delivery and the session's reaction", async () => {
    const session = await daemon.sh(`${asks('Which one?')}\n${FOREVER}`, '--name', 'asker');
    const person = open();
    await person.sees(/\? question\s+asker\s+Which one\?/);
    person.types('\r');
    await person.sees(/2 {2}OAuth2/);
    await timeToRead(person);
    person.types('2');
    await person.sees('✓ accepted → ✓ written');
    await person.sees('told:OAuth2'); // The session's screen is below the item.
    const [item] = await daemon.client.call('inbox.list', { all: true, session: session.id });
    expect(item?.answer).toMatchObject({ text: 'OAuth2', option: 2, by: 'tui' });
    await daemon.client.call('session.kill', { session: session.id });
    person.types('\x1b');
    await person.sees(/ended\s+asker\s+by test/);
    await quit(person);
  });

  test('opens with the demo, and what it tells to press answers a question, attaches and leaves', async () => {
    const person = open('orchd demo');
    await person.sees('Demo: 1 twice answers, g Enter attaches, Ctrl-] d leaves. Your own agent: n');
    await person.sees(/› \? question\s+demo-auth/);
    person.types('1');
    await person.sees('press 1 again or Enter to send “JWT”');
    await timeToRead(person);
    person.types('1');
    await person.sees(/acknowledged · “JWT”/);
    person.types('g\r');
    await person.sees(/^ demo-auth · /m);
    person.types('\x1dd');
    await person.sees(/Enter attach/);
    await quit(person);
  });

  test('says who answered first', async () => {
    const session = await daemon.sh(asks('Who is first?'), '--name', 'race');
    const item = await daemon.openItem(session);
    const person = open();
    await person.sees('Who is first?');
    person.types('ano');
    await person.sees('answer: no');
    await daemon.client.call('inbox.answer', { item: item.id, text: 'yes', by: 'colleague' });
    await person.sees('already answered by colleague: “yes”');
    await quit(person);
  });

  test('attaches with Enter, passes keys, and returns on the prefix and d', async () => {
    const session = await daemon.sh(`echo ready; ${FOREVER}`, '--name', 'listener');
    const person = open();
    await person.sees(/listener.*\n[\s\S]*ready/);
    await person.sees('Enter attach');
    person.types('\r');
    await person.sees((screen) => screen.startsWith('ready') && !screen.includes('Inbox'));
    await person.sees(/ listener · /);
    person.types('hello\r');
    await person.sees('heard:hello');
    person.types('\x1dd');
    await person.sees('Enter attach');
    await person.sees(/│heard:hello/);
    await daemon.client.call('session.kill', { session: session.id });
    await person.sees(/ended\s+listener\s+by test/);
    await quit(person);
  });

  test('reconnects after a daemon restart and shows new questions', async () => {
    const script = `echo up; read -r go; ${asks('Still there?')}`;
    const session = await daemon.sh(script, '--name', 'survivor');
    const person = open();
    await person.sees(/survivor[\s\S]*up/);
    const [, before] = /daemon (\d+)/.exec(person.screen()) ?? [];
    expect((await daemon.orchd('restart')).code).toBe(0);
    await person.sees((screen) => {
      const [, now] = /daemon (\d+)/.exec(screen) ?? [];
      return now !== undefined && now !== before;
    });
    await daemon.client.call('session.send', { session: session.id, text: 'go', enter: true });
    await person.sees(/\? question\s+survivor\s+Still there\?/);
    await daemon.client.call('session.kill', { session: session.id });
    await person.sees('withdrawn: the session has ended');
    await quit(person);
  });

  test('follows the size of the terminal', async () => {
    await daemon.sh(`echo "wide 日本語 screen"; ${FOREVER}`, '--name', 'sized');
    const person = open();
    await person.sees(/│wide 日本語 screen/);
    person.resizes(200, 50);
    const isStraight = (screen: string) =>
      screen
        .split('\n')
        .slice(1, 48)
        .every((line) => /[│╮╯]$/.test(line));
    await person.sees((screen) => screen.includes('What happened') && isStraight(screen));
    person.resizes(40, 10);
    await person.sees(/l: more/);
    person.resizes(20, 4);
    await person.sees(/too small/);
    person.resizes(80, 24);
    await person.sees(/│wide 日本語 screen/);
    await quit(person);
  });

  test('restores the terminal on SIGTERM', async () => {
    const person = open('exec $ORCHD start');
    await person.sees('Inbox');
    process.kill(person.pid, 'SIGTERM');
    expect(await person.exited).toBe(143);
    expect(person.terminal.buffer.active.type).toBe('normal');
    expect(person.terminal.modes.bracketedPasteMode).toBe(false);
    expect(person.bytes()).toMatch(/\x1b\[\?25h(?![\s\S]*\x1b\[\?25l)/);
  });
});
