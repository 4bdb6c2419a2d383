/**
 * Tests attached terminals in a real pty against the real daemon: keys and output that pass through, orchd's own keys,
 * and restored terminal modes.
 */
import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { openTerminal, type Person, type PersonOptions } from './person.js';
import { timeToRead } from './time-to-read.js';

let daemon: TestDaemon;
const people: Person[] = [];
beforeAll(async () => {
  // Programs inside a session may read other sessions, so that only attach itself can refuse to show its own session.
  daemon = await startDaemon({ env: { ORCHD_SESSIONS_READ_OTHERS: 'true' } });
});
afterEach(async () => {
  for (const person of people.splice(0)) person.close();
  await daemon.killAll();
});
afterAll(() => daemon.close());

function open(line: string, options: Partial<PersonOptions> = {}): Person {
  const person = openTerminal(line, { env: daemon.env, ...options });
  people.push(person);
  return person;
}

const DETACH = '\x1dd';
const BIN = join(import.meta.dirname, '../../bin/orchd.js');
const asks = (question: string, options?: readonly string[]): string =>
  `printf '%s\\n' '\`\`\`orchestrator-message' ` +
  `'${JSON.stringify({ type: 'QUESTION', data: { question, options } })}' '\`\`\`'`;
const FOREVER = 'while read -r line; do echo "heard:$line"; done';
/** Terminal modes that a program may set and forget to reset. */
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

describe('orchd attach in a terminal', () => {
  test('shows the session, passes keys, and restores the earlier screen on detach', async () => {
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

  test('in a locale that is not UTF-8, borders and marks are ASCII, and the output of the program stays', async () => {
    await daemon.sh(`printf '\\303\\251t\\303\\251 ready'; ${FOREVER}`, '--name', 'ascii');
    const person = open('LANG=C LC_ALL= LC_CTYPE= orchd attach ascii');
    await person.sees(/^été ready[\s\S]* ascii \. (?:working|idle) /);
    person.types('\x1d:');
    const picker = await person.sees('Enter does it');
    expect(picker.replace('été', '')).toMatch(/^[\x00-\x7f]*$/);
    expect(picker).toMatch(/\+-+ Enter does it \. Esc closes -+\+|\+- v \d+ more -*\+|\+-.*-\+/);
  });

  test('keys typed right behind the number of a session reach that session, not the one before', async () => {
    await daemon.sh(`echo ready; ${FOREVER}`, '--name', 'first');
    await daemon.sh(`echo ready; ${FOREVER}`, '--name', 'second');
    const person = open('orchd attach first');
    await person.sees(/^ready[\s\S]* 1\/2 /);
    person.types('\x1d2rm -r this\r');
    await person.sees('heard:rm -r this');
    person.types('\x1d:');
    await person.sees('Enter does it');
    person.types('\x1b\x1d1');
    await person.sees((screen) => /^ready\s+ first · /.test(screen));
  });

  test('prefix PageUp looks back, and keys typed before its rows are there move in them', async () => {
    await daemon.sh(`seq 1 100; ${FOREVER}`, '--name', 'long');
    const person = open('orchd attach long');
    await person.sees(/^79\n[\s\S]*\n100\n[\s\S]* long · /);
    person.types('\x1d\x1b[5~');
    await person.sees(/^5\d\s[\s\S]*PgUp PgDn/);
    person.types('q');
    await person.sees((screen) => /^79\s+80\s/.test(screen) && !screen.includes('PgUp'));
    person.types('\x1d\x1b[5~g');
    await person.sees(/^1\s+2\s+3\s[\s\S]*PgUp PgDn/);
    person.types('q');
    await person.sees((screen) => /^79\s+80\s/.test(screen) && !screen.includes('PgUp'));
    expect(person.screen()).not.toContain('heard');
  });

  test('prefix : lists the actions, and its foot says what the keys do', async () => {
    await daemon.sh(`echo ready; ${FOREVER}`, '--name', 'acts');
    const person = open('orchd attach acts', { rows: 60 });
    await person.sees(/^ready/);
    person.types('\x1d:');
    const picker = await person.sees('Enter does it · Esc closes');
    expect(picker).toContain('─ Do ─');
    person.types('\x1b');
    await person.sees((screen) => !screen.includes('Esc closes') && screen.startsWith('ready'));
  });

  test('a long error is shown to its end in the status row, in parts', async () => {
    await daemon.sh(`echo ready; ${FOREVER}`, '--name', 'long');
    const person = open('orchd attach long', { cols: 50 });
    await person.sees(/^ready/);
    person.types('\x1dc');
    await person.sees('Program for a new session');
    person.types('\x15/no/such/directory/with-a-rather-long-name/that-does-not-fit/program-of-mine\r');
    await person.sees(/\(1\/\d\)/);
    await person.sees(/\((\d)\/\1\)/);
  });

  test('sets its title until the program sets one, and restores the earlier title on detach', async () => {
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

  test('resets modes that the program left on, and the shell is back in line mode', async () => {
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

  test('ends with the program and returns its exit code', async () => {
    const person = open(`orchd run -- sh -c 'echo ready; read -r code; exit "$code"'; echo "code:$?"`);
    await person.sees('ready');
    person.types('7\r');
    await person.exited;
    expect(person.screen()).toContain('code:7');
  });

  test('sends the prefix typed twice, shows help at ?, and ignores the prefix in a paste', async () => {
    await daemon.sh(`stty raw -echo; echo ready; od -An -v -tx1 -w1`, '--name', 'bytes');
    const person = open('orchd attach bytes');
    await person.sees('ready');
    person.types('\x1d\x1d');
    await person.sees(/^ *1d$/m);
    person.types('\x1b[200~\x1dd\x1b[201~!');
    await person.sees(/ 1d\n+ *64\n[\s\S]* 21$/m);
    person.types('\x1d?');
    await person.sees('leave; the session goes on');
    person.types('z');
    await person.sees((screen) => !screen.includes('leave;') && / 21$/m.test(screen));
    expect(person.screen()).not.toMatch(/ 7a$/m);
  });

  test('follows the size of the terminal', async () => {
    await daemon.sh(`trap 'stty size' WINCH; echo ready; stty size; while :; do sleep 0.05; done`, '--name', 'size');
    const person = open('orchd attach size');
    await person.sees('23 80');
    person.resizes(100, 30);
    await person.sees('29 100');
    const status = /^ size · working .* Ctrl-\] \? helps $/;
    await person.sees((screen) => status.test(screen.split('\n').at(-1) ?? ''));
  });

  test('reconnects after a daemon crash and types nothing twice', async () => {
    await daemon.sh(`echo ready; ${FOREVER}`, '--name', 'stays');
    const person = open('orchd attach stays');
    await person.sees('ready');
    person.types('first\r');
    await person.sees('heard:first');
    await daemon.crash();
    await person.sees('the daemon is away');
    person.types('lost\r');
    await daemon.start();
    await person.sees((screen) => screen.includes('heard:first') && !screen.includes('daemon is away'));
    person.types('second\r');
    const screen = await person.sees('heard:second');
    expect(screen.match(/heard:/g)).toHaveLength(2);
    person.types(DETACH);
    expect(await person.exited).toBe(0);
  });

  test('types nothing with --read-only', async () => {
    const session = await daemon.sh(`echo ready; ${FOREVER}`, '--name', 'look');
    const person = open('orchd attach --read-only look');
    await person.sees('ready');
    person.types('nothing\r');
    await daemon.client.call('session.send', { session: session.id, text: 'something', enter: true });
    const screen = await person.sees('heard:something');
    expect(screen).not.toContain('nothing');
  });

  test('keeps the notice that the daemon is away, although keys are refused with --read-only, too', async () => {
    await daemon.sh(`echo ready; ${FOREVER}`, '--name', 'away');
    const person = open('orchd attach --read-only away');
    await person.sees('ready');
    await daemon.crash();
    await person.sees('the daemon is away');
    const bells = (): number => person.bytes().split('\x07').length;
    for (const key of 'xy') {
      const before = bells();
      person.types(key);
      await person.sees(() => bells() > before);
    }
    expect(person.screen()).toContain('the daemon is away');
    await daemon.start();
    await person.sees((screen) => !screen.includes('daemon is away'));
    person.types(DETACH);
    expect(await person.exited).toBe(0);
  });

  test('resets the terminal on SIGTERM', async () => {
    await daemon.sh(`printf '\\033[?1003h'; echo ready; ${FOREVER}`, '--name', 'term');
    const person = open('exec $ORCHD attach term');
    await person.sees('ready');
    process.kill(person.pid, 'SIGTERM');
    expect(await person.exited).toBe(143);
    expect(person.terminal.modes.mouseTrackingMode).toBe('none');
  });
});

describe('the status row', () => {
  const lastRow = (screen: string): string => screen.split('\n').at(-1) ?? '';

  test('shows the session, its state and the number of open items', async () => {
    const session = await daemon.sh(`echo ready; read -r go; ${asks('Which one?')}; ${FOREVER}`, '--name', 'row');
    const person = open('orchd attach row');
    await person.sees((screen) => /^ row · \w+ .* 1\/1 · Ctrl-\] \? helps $/.test(lastRow(screen)));
    await daemon.client.call('session.send', { session: session.id, text: 'go', enter: true });
    await person.sees((screen) => /^ row · waiting .*1 open · 1\/1 · Ctrl-\] a answers $/.test(lastRow(screen)));
  });

  test('survives everything the program draws, and the prefix and z hide and show it', async () => {
    await daemon.sh(`echo ready; while read -r line; do eval "$line"; done`, '--name', 'wild');
    const person = open('orchd attach wild');
    await person.sees('ready');
    person.types(`clear; seq 1 60; printf '\\033[r\\033[J\\033[99;1Hbottom'\r`);
    await person.sees(/^\n{22}bottom\n wild · /);
    person.types('\x1dz');
    await person.sees((screen) => screen.includes('bottom') && !/ wild · /.test(lastRow(screen)));
    expect(person.terminal.buffer.active.type).toBe('normal');
    person.types('stty size\r');
    await person.sees('24 80');
    person.types('\x1dz');
    await person.sees((screen) => screen.includes('24 80') && / wild · /.test(lastRow(screen)));
    person.types('stty size\r');
    await person.sees('23 80');
  });

  test('is absent with --no-status, and images and unknown sequences then pass unchanged', async () => {
    await daemon.sh(
      `echo ready; read -r go; printf '\\033Pq#0~~\\033\\\\\\033]7777;x\\007'; echo sent; ${FOREVER}`,
      '--name',
      'plain',
    );
    const person = open('orchd attach --no-status plain');
    await person.sees('ready');
    expect(person.screen()).not.toContain('plain · ');
    person.types('go\r');
    await person.sees('sent');
    expect(person.bytes()).toContain('\x1bPq#0~~\x1b\\\x1b]7777;x\x07');
  });
});

describe('keys after the prefix', () => {
  test('n, p and l switch between sessions, and w goes to a session that waits', async () => {
    await daemon.sh(`echo this is one; ${FOREVER}`, '--name', 'one');
    await daemon.sh(`echo this is two; ${FOREVER}`, '--name', 'two');
    await daemon.sh(`echo this is three; ${asks('Three?')}; ${FOREVER}`, '--name', 'three');
    const person = open('orchd attach one; echo "back:$?"');
    await person.sees(/this is one[\s\S]*1 open · 1\/3/);
    person.types('\x1dn');
    await person.sees(/this is two[\s\S]* two · /);
    person.types('\x1dp');
    await person.sees(/this is one[\s\S]* one · /);
    person.types('\x1dw');
    await person.sees(/this is three[\s\S]* three · /);
    person.types('\x1dl');
    await person.sees(/this is one[\s\S]* one · /);
    person.types('hello\r');
    await person.sees('heard:hello');
    person.types('\x1dl');
    await person.sees(/this is three[\s\S]* three · /);
    person.types('\x1dw');
    await person.sees('no other session waits for you');
    person.types(DETACH);
    await person.exited;
    expect(person.screen()).toMatch(/\[detached from three\]\nback:0/);
  });

  test("a answers the session's question, and the session's screen returns", async () => {
    const session = await daemon.sh(
      `echo above; ${asks('Which way?', ['left', 'right'])}; read -r a; echo "went:$a"; ${FOREVER}`,
      '--name',
      'fork',
    );
    const item = await daemon.openItem(session);
    const person = open('orchd attach fork');
    await person.sees('Ctrl-] a answers');
    person.types('\x1da');
    await person.sees(/above[\s\S]*Question from fork[\s\S]*Which way\?[\s\S]* 1 {2}left[\s\S]* 2 {2}right/);
    await timeToRead(person);
    person.types('2');
    await person.sees((screen) => screen.includes('went:right') && !screen.includes('Question from'));
    const { answer } = await daemon.client.call('inbox.show', { item: item.id });
    expect(answer).toMatchObject({ option: 2 });
    person.types('\x1da');
    await person.sees('this session asks nothing');
    person.types('again\r');
    await person.sees('heard:again');
  });

  test('[ opens the scrollback: scroll, search, mark and copy', async () => {
    await daemon.sh(`seq -f 'line %g' 1 300; echo ready; ${FOREVER}`, '--name', 'long');
    const person = open('orchd attach long');
    await person.sees('ready');
    person.types('\x1d[');
    await person.sees(/line 300 *\nready *\n[\s\S]*q leaves/);
    person.types('g');
    await person.sees(/^line 1 *\nline 2 *\n/);
    person.types('/Line 14');
    person.types('\x7f\x7f\x7f\x7f\x7f\x7f\x7fline 14\r');
    await person.sees(/line 14 *\n[\s\S]* 14 of 30/);
    person.types('n');
    await person.sees(/ 140 of 30/);
    person.types('vjjy');
    await person.sees('3 lines copied');
    expect(person.bytes()).toContain(`\x1b]52;c;${Buffer.from('line 140\nline 141\nline 142').toString('base64')}\x07`);
    person.types('q');
    await person.sees(/ready\n[\s\S]* long · /);
    person.types('on\r');
    await person.sees('heard:on');
  });

  test('s picks a session by number or filter, and an unknown key shows a hint', async () => {
    for (const name of ['apple', 'berry', 'cherry'])
      await daemon.sh(`echo this is ${name}; ${FOREVER}`, '--name', name);
    const person = open('orchd attach apple');
    await person.sees(/this is apple[\s\S]*1\/3/);
    person.types('\x1ds');
    await person.sees(/1 +apple[\s\S]*2 +berry[\s\S]*3 +cherry/);
    person.types('3');
    await person.sees(/this is cherry[\s\S]* cherry · /);
    person.types('\x1ds');
    await person.sees('filter:');
    person.types('ber\r');
    await person.sees(/this is berry[\s\S]* berry · /);
    person.types('\x1d1');
    await person.sees(/this is apple[\s\S]* apple · /);
    person.types('\x1dq');
    await person.sees('Ctrl-] q does nothing; Ctrl-] ? shows the keys');
    person.types('\x1d:');
    await person.sees('Do');
    person.types('rename\r');
    await person.sees('New name');
    person.types('\x15pear\r');
    await person.sees(/ pear · /);
  });

  test('c starts a program in a new session, & ends it after y, and its last screen stays', async () => {
    const first = await daemon.sh(`echo this is first; ${FOREVER}`, '--name', 'first', '--cwd', tmpdir());
    const person = open('orchd attach first; cat');
    await person.sees('this is first');
    person.types('\x1dc');
    await person.sees('Program for a new session');
    person.types('sh -c "pwd; read -r line"\r');
    await person.sees(new RegExp(`^${realpathSync(tmpdir())}\\n[\\s\\S]* sh `));
    person.types('\x1d&');
    await person.sees('End sh and all that it started?');
    person.types('n');
    await person.sees((screen) => !screen.includes('Sure?'));
    person.types('\x1d&');
    await person.sees('End sh and all that it started?');
    person.types('y');
    await person.sees(/ended by SIG\w+ · r restarts · q leaves/);
    person.types('\x1dl');
    await person.sees(/this is first[\s\S]* first · /);
    expect((await daemon.client.call('session.show', { session: first.id })).cwd).toBe(realpathSync(tmpdir()));
  });

  test('after an answer the next waiting session is shown, and keys after its end reach no shell', async () => {
    await daemon.sh(`echo this is near; ${asks('Near?')}; ${FOREVER}`, '--name', 'near');
    const far = await daemon.sh(`echo this is far; ${asks('Far?')}; read -r answer`, '--name', 'far');
    await daemon.openItem(far);
    const person = open('orchd attach near; cat');
    await person.sees(/2 open · [\s\S]*Ctrl-\] a answers/);
    person.types('\x1da');
    await person.sees('Near?');
    await timeToRead(person);
    person.types('yes\r');
    await person.sees(/this is far[\s\S]*answered; this session waits, too/);
    person.types('\x1da');
    await person.sees('Far?');
    await timeToRead(person);
    person.types('yes\r');
    await person.sees('q leaves');
    person.types('\x1dw');
    await person.sees('no other session waits for you');
  });

  test('the mouse wheel opens the scrollback unless the program uses the mouse', async () => {
    const program = `seq -f 'line %g' 1 300; read -r go; printf '\\033[?1000h\\033[?1006hmouse '; cat -v`;
    await daemon.sh(program, '--name', 'wheel');
    const person = open('orchd attach wheel');
    await person.sees('line 300');
    await person.sees(() => person.terminal.modes.mouseTrackingMode === 'vt200');
    person.types('\x1b[<64;5;5M');
    await person.sees(/298 *\n[\s\S]*q leaves/);
    person.types('\x1b[<65;5;5M\x1b[<65;5;5M\x1b[<65;5;5M');
    await person.sees(/line 300\n[\s\S]* wheel · /);
    person.types('go\r');
    await person.sees('mouse');
    person.types('\x1b[<64;5;5M\r');
    await person.sees('^[[<64;5;5M');
  });

  test('r switches read-only on and off', async () => {
    await daemon.sh(`echo ready; ${FOREVER}`, '--name', 'quiet');
    const person = open('orchd attach quiet');
    await person.sees('ready');
    person.types('\x1dr');
    await person.sees('read-only: nothing is typed');
    person.types('no\r');
    await person.sees('read-only: Ctrl-] r lets you type');
    await person.sees(/quiet · \w+ · read-only/);
    person.types('\x1dr');
    await person.sees('what you type is sent');
    person.types('yes\r');
    await person.sees('heard:yes');
    expect(person.screen()).not.toContain('no\n');
  });

  test("t makes this terminal set the session's size", async () => {
    await daemon.sh(`trap 'stty size' WINCH; echo ready; stty size; while :; do sleep 0.05; done`, '--name', 'shared');
    const large = open('orchd attach shared', { cols: 100, rows: 30 });
    await large.sees('29 100');
    const small = open('orchd attach shared', { cols: 60, rows: 10 });
    await small.sees('9 60');
    await large.sees('60x9 of another client');
    large.types('\x1dt');
    await small.sees('100x29 of another'); // The larger terminal shows 100x29 to all, and the small one says so.
    small.close();
    people.splice(people.indexOf(small), 1);
    await large.sees(/shared · \w+ {2}/);
  });
});

describe('a program in an attached terminal', () => {
  test('gets the mouse if it asks for it', async () => {
    await daemon.sh(`stty raw -echo; printf '\\033[?1002h\\033[?1006hready'; od -An -c -w9`, '--name', 'mouse');
    const person = open('orchd attach mouse');
    await person.sees('ready');
    await person.sees(() => person.terminal.modes.mouseTrackingMode === 'drag');
    person.types('\x1b[<0;5;7M');
    await person.sees(/033 +\[ +< +0 +; +5 +; +7 +M/);
  });

  test('cannot use the clipboard without consent: a key for each text, or the configuration', async () => {
    const writes = `printf '\\033]52;c;aGk=\\007\\033]52;c;?\\007'; echo done`;
    await daemon.sh(`echo ready; while read -r go; do ${writes}; done`, '--name', 'clip');
    const person = open('orchd attach clip');
    await person.sees('ready');
    person.types('go\r');
    await person.sees('the program wants to copy “hi”: Ctrl-] y allows it');
    person.types('go\r');
    await person.sees((screen) => screen.match(/done/g)?.length === 2 && !screen.includes('copy'));
    expect(person.bytes()).not.toContain(']52;');
    person.types('\x1dy');
    await person.sees('“hi” copied');
    expect(person.bytes().match(/\x1b\]52;[^\x07]*\x07/g)).toEqual(['\x1b]52;c;aGk=\x07']);
    person.types('\x1dy');
    await person.sees('the program has copied nothing');
    const trusting = open('orchd attach clip', { env: { ...daemon.env, ORCHD_TUI_CLIPBOARD: 'write' } });
    await trusting.sees('done');
    trusting.types('go\r');
    await trusting.sees(() => trusting.bytes().includes('\x1b]52;c;aGk=\x07'));
    expect(trusting.bytes()).not.toContain(']52;c;?');
  });
});

describe('orchd attach without a terminal of its own', () => {
  test('without a name takes the last attached session, or else the only one', async () => {
    const none = await daemon.orchd('attach');
    expect(none).toMatchObject({ code: 3, stderr: expect.stringContaining('no session is running') });
    await daemon.sh(`echo this is first; ${FOREVER}`, '--name', 'first');
    const only = open('orchd attach');
    await only.sees('this is first');
    only.types(DETACH);
    await only.exited;
    await daemon.sh(`echo this is second; ${FOREVER}`, '--name', 'second');
    const again = open('orchd attach');
    await again.sees('this is first');
    const second = open('orchd attach second');
    await second.sees('this is second');
    const last = open('orchd attach --read-only');
    await last.sees('this is second');
  });

  test('refuses to show a session in itself or in a session that it started', async () => {
    const session = await daemon.sh(`read -r line; eval "$line"; ${FOREVER}`, '--name', 'outer');
    const line =
      `${process.execPath} ${BIN} attach --read-only outer; echo "code:$?"; ${process.execPath} ${BIN} run -- ` +
      `sh -c '${process.execPath} ${BIN} attach outer; echo "inner:$?"; sleep 100'`;
    const person = open('orchd attach outer', { cols: 180 });
    await person.sees(' outer · ');
    await daemon.client.call('session.send', { session: session.id, text: line, enter: true });
    await person.sees(/cannot be shown in itself[\s\S]*code:1/);
    await person.sees(/cannot be shown in itself[\s\S]*inner:1/);
  });
});
