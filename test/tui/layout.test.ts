/** Tests `orchd up` and `orchd down`, and splits in a real pty, against the real daemon. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Session } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { openTerminal, type Person, type PersonOptions } from './person.js';

const PREFIX = '\x1d'; // Ctrl-]
const READS = 'while read -r line; do echo "$NAME got <$line> $(stty size)"; done';

interface Up {
  readonly layout: string;
  readonly sessions: readonly { readonly name: string; readonly outcome: string; readonly session: Session | null }[];
}

let daemon: TestDaemon;
let project: string;
let file: string;
const people: Person[] = [];
beforeAll(async () => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'orchd-up-')));
  daemon = await startDaemon({ cwd: project });
  mkdirSync(join(project, '.orchd'));
  file = join(project, '.orchd/layout.toml');
});
beforeEach(() => writeFileSync(file, layout('split = "one | (two - three)"')));
afterEach(async () => {
  for (const person of people.splice(0)) person.close();
  await daemon.orchd('down');
});
afterAll(async () => {
  await daemon.close();
  rmSync(project, { recursive: true, force: true });
});

function layout(split: string, names: readonly string[] = ['one', 'two', 'three']): string {
  const entry = (name: string) =>
    `[[session]]\nname = "${name}"\ncommand = ['sh', '-c', '''echo "$NAME is here"; ${READS}''']\nenv.NAME = "${name}"\n`;
  return `${split}\n${names.map(entry).join('\n')}`;
}

function open(line: string, options: Partial<PersonOptions> = {}): Person {
  const person = openTerminal(`cd '${project}'; ${line}`, { env: daemon.env, cols: 121, rows: 31, ...options });
  people.push(person);
  return person;
}

const outcomes = ({ sessions }: Up) => sessions.map(({ name, outcome }) => `${name} ${outcome}`);

test('up starts nothing before the user agrees, and asks again about a changed command', async () => {
  const refused = await daemon.orchd('up', '-d');
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toContain('starts commands that you have not agreed to');
  expect(refused.stderr).toContain("one: sh -c 'echo");
  expect(await daemon.json<Session[]>('ls')).toEqual([]);
  const person = open('orchd up -d; echo "left:$?"');
  await person.sees('Start them? [y/N]');
  person.types('n\r');
  await person.sees('left:1');
  expect(await daemon.json<Session[]>('ls')).toEqual([]);
  const second = open('orchd up -d; echo "left:$?"');
  await second.sees('Start them? [y/N]');
  second.types('y\r');
  await second.sees(/one {2}started\s+two {2}started\s+three {2}started\s+left:0/);
  writeFileSync(file, layout('', ['one', 'two', 'three']).replace('NAME = "two"', 'NAME = "2"'));
  await daemon.orchd('down');
  expect((await daemon.orchd('up', 'one', '-d')).code).toBe(0);
  const changed = await daemon.orchd('up', '-d');
  expect(changed.stderr).toContain('two: sh');
  expect(changed.stderr).not.toContain('three: sh');
});

test('up and down are idempotent, accept names, and have --dry-run', async () => {
  expect(outcomes(await daemon.json<Up>('up', 'two', '--trust'))).toEqual([
    expect.stringMatching(/^two (started|revived)$/),
  ]);
  const dry = await daemon.orchd('up', '--dry-run');
  expect(dry.stdout).toMatch(
    /^would be \w+ {2}one: sh[^\n]*\nruns already {6}two: sh[^\n]*\nwould be \w+ {2}three: sh/,
  );
  const all = await daemon.json<Up>('up', '--trust');
  expect(outcomes(all)[1]).toBe('two running');
  expect(outcomes(await daemon.json<Up>('up'))).toEqual(['one running', 'two running', 'three running']);
  const shown = await daemon.client.call('session.show', { session: 'one' });
  expect(shown.cwd).toBe(project);
  const dryDown = await daemon.orchd('down', 'one', '--dry-run');
  expect(dryDown.stdout).toBe('one  would be ended\n');
  expect(outcomes(await daemon.json<Up>('down', 'one'))).toEqual(['one ended']);
  expect(outcomes(await daemon.json<Up>('down'))).toEqual(['one not running', 'two ended', 'three ended']);
  expect(outcomes(await daemon.json<Up>('down'))).toEqual(['one not running', 'two not running', 'three not running']);
  // `up` revives the ended sessions under their ids.
  const again = await daemon.json<Up>('up');
  expect(outcomes(again)).toEqual(['one revived', 'two revived', 'three revived']);
  expect(again.sessions.map(({ session }) => session?.id)).toEqual(all.sessions.map(({ session }) => session?.id));
});

test("down ends the project's sessions and keeps a session elsewhere with the same name", async () => {
  await daemon.orchd('up', 'one', '-d', '--trust');
  const { id } = await daemon.sh('cat', '--name', 'two', '-C', tmpdir());
  expect(outcomes(await daemon.json<Up>('down'))).toEqual(['one ended', 'two not running', 'three not running']);
  const living = await daemon.json<Session[]>('ls');
  expect(living.filter(({ ended_at }) => ended_at === null).map((session) => session.id)).toEqual([id]);
  await daemon.client.call('session.kill', { session: id, grace_ms: 0 });
});

test('errors name the line, the file, or the similar name', async () => {
  expect((await daemon.orchd('up', 'thre')).stderr).toContain("has no session 'thre'; did you mean three?");
  writeFileSync(file, 'split = "one"\n[[session]]\nname = "one"\ncomand = "cat"\n');
  const wrong = await daemon.orchd('up');
  expect(wrong.stderr).toContain(`${file}, line 4: there is no 'comand'; did you mean command?`);
  expect(wrong.code).toBe(2);
  writeFileSync(file, layout(''));
});

test('up reports a program that cannot start, and a name that is taken, and starts the others', async () => {
  await daemon.orchd('run', '-d', '--name', 'one', '-C', tmpdir(), '--', 'cat');
  writeFileSync(file, `[[session]]\nname = "bad"\ncommand = "/nowhere/at/all"\n${layout('', ['one', 'two'])}`);
  expect((await daemon.orchd('up', '--dry-run')).stdout).toMatch(/^name is taken {5}one: /m);
  const { code, stdout } = await daemon.orchd('up', '-d', '--trust');
  expect(code).toBe(1);
  expect(stdout).toMatch(/^bad {2}.*\/nowhere\/at\/all.*\none {2}'one' is the name of a session in .*\ntwo {2}\w+\n$/);
  await daemon.orchd('kill', 'one');
});

test('up shows the split of the layout, and each session has the size of its pane', async () => {
  const person = open('orchd up --trust; echo "left:$?"');
  await person.sees(/split of 3/);
  const screen = await person.sees((text) => ['one', 'two', 'three'].every((name) => text.includes(`${name} is here`)));
  const [top = ''] = screen.split('\n').filter((row) => row.includes('▸ 1'));
  expect(top.indexOf('│')).toBe(60);
  expect(top).toMatch(/ 2 .* two ─/);
  person.types(`x\r${PREFIX}\x1b[C`);
  await person.sees(/one got <x> 29 60/);
  person.types(`y\r${PREFIX}\x1b[B`);
  await person.sees(/two got <y> 14 60/);
  person.types('z\r');
  await person.sees(/three got <z> 14 60/);
  person.types(`${PREFIX}d`);
  await person.sees('left:0');
});

test('edges move, a pane zooms or leaves the split, and S saves the layout', async () => {
  const person = open('orchd up --trust; echo "left:$?"');
  await person.sees(/split of 3/);
  person.types(`${PREFIX}L${PREFIX}L${PREFIX}S`);
  await person.sees(/saved in .*layout.toml/);
  expect(readFileSync(file, 'utf8').split('\n')[0]).toBe('split = "one 60% | (two - three) 40%"');
  person.types(`${PREFIX}z`);
  await person.sees(/ one · \w+ .*helps/);
  person.types(`${PREFIX}z`);
  await person.sees(/split of 3/);
  person.types(`${PREFIX}2${PREFIX}x`);
  await person.sees(/split of 2/);
  person.types(`${PREFIX}S`);
  await person.sees(/saved in/);
  expect(readFileSync(file, 'utf8').split('\n')[0]).toBe('split = "one 60% | three 40%"');
  person.types(`${PREFIX}d`);
  await person.sees('left:0');
  const again = open('orchd grid --layout');
  const screen = await again.sees(/split of 2/);
  expect(screen.split('\n')[0]?.indexOf('│')).toBe(72);
});

test('attach splits right and down with an existing session or a new one', async () => {
  await daemon.json<Up>('up', 'one', 'two', '--trust');
  const person = open('orchd attach one; echo "left:$?"');
  await person.sees(/one is here/);
  person.types(`${PREFIX}|`);
  await person.sees(/Show beside it[\s\S]*two[\s\S]*new/);
  person.types('two\r');
  await person.sees(/1 .* one ─+│▸ {2}?.*2 .* two ─|1 .* one ─+│▸.*two/);
  await person.sees(/one is here *│two is here/);
  person.types('b\r');
  await person.sees(/two got <b> 29 60/);
  person.types(`${PREFIX}-`);
  await person.sees(/Show beside it[\s\S]* new /);
  person.types('new\r');
  await person.sees('Program for the new screen');
  person.types('\x15sh -c "echo fresh; cat"\r');
  await person.sees(/split of 3/);
  await person.sees('fresh');
  person.types('typed\r');
  await person.sees(/typed[\s\S]*typed/);
  // A click focuses.
  person.types('\x1b[<0;5;5M\x1b[<0;5;5ma\r');
  await person.sees(/one got <a> 29 60/);
  person.types(`${PREFIX}d`);
  await person.sees('left:0');
  await daemon.orchd('kill', 'sh', 'cat');
});

test('a terminal that is too small for a split says so', async () => {
  await daemon.json<Up>('up', 'one', 'two', '--trust');
  const person = open('orchd attach one; echo "left:$?"', { cols: 38, rows: 7 });
  await person.sees(/one is here/);
  person.types(`${PREFIX}|`);
  await person.sees(/Show beside it[\s\S]* two /);
  person.types('two\r');
  await person.sees('there is no room for another screen');
  person.types('still typed\r');
  await person.sees('one got <still typed> 5 38');
});
