/** Tests the grid in a real pty against the real daemon: screens side by side, typing into one and into several. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { openTerminal, type Person, type PersonOptions } from './person.js';

const PREFIX = '\x1d'; // Ctrl-]
const READS = 'while read -r line; do echo "$NAME got <$line> $(stty size)"; done';

let daemon: TestDaemon;
const people: Person[] = [];
beforeAll(async () => {
  daemon = await startDaemon();
  for (const name of ['one', 'two', 'three'])
    await daemon.sh(`NAME=${name}; echo "$NAME is here"; ${READS}`, '--name', name, '--tag', 'all');
});
afterEach(() => {
  for (const person of people.splice(0)) person.close();
});
afterAll(() => daemon.close());

function open(line: string, options: Partial<PersonOptions> = {}): Person {
  const person = openTerminal(line, { env: daemon.env, cols: 120, rows: 20, ...options });
  people.push(person);
  return person;
}

test('keys go to the focused, all or marked screens, and each screen has the size of its cell', async () => {
  const person = open('orchd grid one two three; echo "left:$?"');
  await person.sees(
    /▸ 1 .* one ─+│ {2}2 .* two ─+│ {2}3 .* three ─+[\s\S]*one is here[ │]*two is here[ │]*three is here/,
  );
  person.types('a\r');
  await person.sees(/one got <a> 18 39/);
  person.types(`${PREFIX}2b\r`);
  await person.sees(/two got <b> 18 39/);
  person.types(`${PREFIX}*c\r`);
  await person.sees((screen) => ['one', 'two', 'three'].every((name) => screen.includes(`${name} got <c>`)));
  expect(person.screen()).toContain('typing into all 3');
  // The arrow moves to the third screen. The second and the third are then marked.
  person.types(`${PREFIX}m${PREFIX}\x1b[C${PREFIX}m`);
  await person.sees('typing into the marked 2');
  person.types('d\r');
  await person.sees((screen) => ['two', 'three'].every((name) => screen.includes(`${name} got <d>`)));
  expect(person.screen()).not.toContain('one got <d>');
  // Attached to one screen, and back: keys still go to the same screens.
  person.types(`${PREFIX}z`);
  await person.sees(/ three · \w+ .*helps/);
  person.types(`${PREFIX}z`);
  await person.sees('typing into the marked 2');
  person.types(`${PREFIX}d`);
  await person.sees('left:0');
  expect(person.screen()).not.toContain('│');
});

test('the preset and [keys] give the grid other keys', async () => {
  const env = { ...daemon.env, ORCHD_KEYS_PRESET: 'tmux', ORCHD_KEYS_GRID_DROP: 'X' };
  const person = open('orchd grid one two three; echo "left:$?"', { env });
  await person.sees('Ctrl-b d leaves · Ctrl-b ? keys');
  person.types('\x02o');
  await person.sees(/▸ 2 .* two/);
  person.types('\x02x');
  await person.sees('Ctrl-b x does nothing');
  person.types('\x02X');
  await person.sees('grid of 2');
  person.types('\x02?');
  await person.sees(/X +take it out of the grid/);
  person.types('q\x02d');
  await person.sees('left:0');
});

test('a click focuses, attach and scrollback return to the grid, and x removes a screen', async () => {
  const person = open('orchd grid --tag all; echo "left:$?"');
  await person.sees('three is here');
  person.types('\x1b[<0;60;5M\x1b[<0;60;5m');
  await person.sees(/▸ 2 .* two/);
  person.types(`${PREFIX}\r`);
  await person.sees(/ two · \w+ .*helps/);
  person.types(`${PREFIX}d`);
  await person.sees(/▸ 2 .* two/);
  person.types(`${PREFIX}[`);
  await person.sees((screen) => !screen.includes('▸ 2') && screen.includes('two is here'));
  person.types('q');
  await person.sees(/▸ 2 .* two/);
  person.types(`${PREFIX}x`);
  await person.sees(/▸ 2 \S+ three/);
  expect(person.screen()).not.toContain('two is here');
  person.types(`${PREFIX}y`);
  await person.sees('y does nothing');
  person.resizes(60, 30);
  await person.sees((screen) => /^ {2}1 .* one ─+$/m.test(screen) && /^▸ 2 .* three ─+$/m.test(screen));
  person.types(`${PREFIX}q`);
  await person.sees('left:0');
});

test('the focus stays on its session in a small terminal, and moves on to sessions without a place', async () => {
  const person = open('orchd grid one two three; echo "left:$?"');
  await person.sees('three is here');
  person.types(`${PREFIX}3`);
  await person.sees('▸ 3 ');
  person.resizes(30, 10);
  await person.sees((screen) => /^▸ 3 .* three /m.test(screen) && !/ 1 .* one /.test(screen));
  person.types('small\r');
  await person.sees('three got <small>');
  expect(person.screen()).toContain('typing into three');
  // The arrow moves up to the second screen, and then to the first, which had no place.
  person.types(`${PREFIX}\x1b[A`);
  await person.sees(/^▸ 2 .* two /m);
  person.types(`${PREFIX}\x1b[A`);
  await person.sees(/^▸ 1 .* one /m);
  person.types(`${PREFIX}3`);
  await person.sees(/^▸ 3 .* three /m);
  person.resizes(120, 20);
  await person.sees((screen) => screen.includes('▸ 3 ') && / 1 .* one /.test(screen));
  person.types(`${PREFIX}d`);
  await person.sees('left:0');
});

test('the help covers the screens, scrolls where it is cut, and types nothing', async () => {
  const person = open('orchd grid one two; echo "left:$?"', { cols: 60, rows: 10 });
  await person.sees('two is here');
  person.types(`${PREFIX}?`);
  await person.sees(/Behind Ctrl-\][\s\S]*leave; all sessions go on[\s\S]*↓ \d+ more/);
  for (let i = 0; i < 9; i++) person.types('\x1b[6~');
  await person.sees(/send Ctrl-\] to the program[\s\S]*↑ \d+ more · ↑ ↓/);
  person.types('q');
  await person.sees((screen) => screen.includes('▸ 1') && !screen.includes('Behind'));
  person.types(`${PREFIX}\x1b`);
  person.types('a\r');
  await person.sees('one got <a>');
  person.types(`${PREFIX}d`);
  await person.sees('left:0');
});

test('the TUI opens the marked sessions in the grid and returns to the list', async () => {
  const person = open('orchd start', { rows: 30 });
  await person.sees(/Sessions 3/);
  person.types('\x1b[H  G');
  await person.sees((screen) => /▸ 1 /.test(screen) && / 2 /.test(screen) && screen.includes('grid of 2'));
  person.types(`${PREFIX}d`);
  await person.sees(/Sessions 3/);
});

test('a session that ends keeps its last screen and gets no more keys', async () => {
  const { id } = await daemon.sh('echo farewell; read -r x', '--name', 'brief');
  const person = open('orchd grid one brief');
  await person.sees('farewell');
  await daemon.client.call('session.kill', { session: id, grace_ms: 0 });
  await person.sees(/ 2 .* brief · ended by/);
  expect(person.screen()).toContain('farewell');
  person.types(`${PREFIX}2x\r${PREFIX}1y\r`);
  await person.sees(/one got <y>/);
});
