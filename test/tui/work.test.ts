/** Tests work in the TUI, in a real pty against the real daemon: sessions, answers in an editor, keys and the mouse. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { openTerminal, type Person } from './person.js';

let daemon: TestDaemon;
let folder: string;
const people: Person[] = [];
beforeAll(async () => {
  daemon = await startDaemon();
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'orchd-work-')));
});
afterEach(async () => {
  for (const person of people.splice(0)) person.close();
  await daemon.killAll();
});
afterAll(async () => {
  await daemon.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(line = 'orchd start', env: NodeJS.ProcessEnv = {}): Person {
  const person = openTerminal(line, { env: { ...daemon.env, ...env } });
  people.push(person);
  return person;
}

const DOWN = '\x1b[B';
const asks = `
printf '%s\\n' '\`\`\`orchestrator-message' '{"type":"QUESTION","data":{"question":"How?"}}' '\`\`\`'
while read -r answer; do echo "told:$answer"; done`;
/** This program reads keys and enables bracketed paste, so that an answer may have several lines. */
const asksForLines = `stty -icanon; printf '\\033[?2004h'; ${asks}`;

/** Creates a program for `$EDITOR` and returns its path. */
function anEditor(name: string, script: string): string {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

test('a session is started in a new worktree, renamed, and ended after y', async () => {
  const repository = join(folder, 'proj');
  mkdirSync(join(repository, 'deep'), { recursive: true });
  const git = (...args: string[]) => execFileSync('git', args, { cwd: repository, stdio: 'pipe' });
  writeFileSync(join(repository, 'deep/file'), 'x');
  git('init', '--quiet');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '--quiet', '-m', 'one');

  const person = open(`cd '${repository}'; orchd start`);
  await person.sees('n starts a program');
  person.types('n');
  await person.sees('New session');
  person.types(`sh -c 'echo in; pwd; cat'\tmine\t/de`);
  await person.sees(/Directory .*proj\/de/);
  person.types('\t');
  await person.sees(/Directory .*proj\/deep\//);
  person.types(`${DOWN}fix/login`);
  await person.sees('Worktree  fix/login');
  person.types('\r');
  await person.sees(/mine runs/);
  await person.sees(/│in +│\n│.*proj-fix-login\/deep/);
  const [session] = await daemon.client.call('session.list', {});
  expect(session).toMatchObject({ name: 'mine', cwd: join(folder, 'proj-fix-login/deep') });
  expect(git('branch', '--list', 'fix/login').toString()).toContain('fix/login');

  person.types('r');
  await person.sees('new name: mine');
  person.types('\x15other\r');
  await person.sees('renamed to other');
  await person.sees(/› . \w+ +other/);
  person.types('K');
  await person.sees(/End other \(. \w+\) and all that it started\?/);
  person.types('y');
  await person.sees(/other has ended/);
});

test('a session that cannot start keeps the form open and creates no worktree', async () => {
  const repository = join(folder, 'other');
  mkdirSync(repository);
  execFileSync('git', ['init', '--quiet'], { cwd: repository });
  const person = open(`cd '${repository}'; orchd start`);
  await person.sees('n new');
  person.types('n');
  await person.sees('New session');
  person.types(`no-such-program${DOWN}${DOWN}${DOWN}new`);
  await person.sees('Worktree  new');
  person.types('\r');
  await person.sees('New session');
  await person.sees((screen) => /fatal|not a valid|invalid/i.test(screen.split('\n').at(-1) ?? ''));
  expect(person.screen()).toContain('no-such-program');
  expect(existsSync(join(folder, 'other-new'))).toBe(false);
});

test('an answer with several lines is written in the editor, extended, and delivered completely', async () => {
  const mode = join(folder, 'mode');
  const editor = anEditor(
    'good',
    `printf 'two\\nthree\\n' >>"$1"; stat -c %a "$1" >'${mode}' 2>/dev/null || echo 600 >'${mode}'`,
  );
  const session = await daemon.sh(asksForLines, '--name', 'writer');
  const item = await daemon.openItem(session);
  const person = open('orchd start', { VISUAL: editor });
  await person.sees(/writer +How\?/);
  person.types('a');
  await person.sees('answer:');
  person.types('one');
  await person.sees('answer: one');
  person.types('\x05'); // Ctrl-E
  await person.sees(/answer: one +│\n│ +two +│\n│ +three/);
  expect(readFileSync(mode, 'utf8').trim()).toBe('600');
  person.types('\x1b\rfour\r'); // Alt-Enter, four, Enter
  const answered = await daemon.event('item_answered', ({ item_id }) => item_id === item.id);
  expect(answered.answer).toMatchObject({ text: 'one\ntwo\nthree\nfour', by: 'tui' });
});

test('a failing or missing editor loses no typed text', async () => {
  const bad = anEditor('bad', 'echo saved >>"$1"; exit 3');
  const session = await daemon.sh(asks, '--name', 'writer');
  await daemon.openItem(session);
  for (const [editor, problem, text] of [
    ['no-such-editor', "there is no editor 'no-such-editor'", /answer: mine/],
    [bad, 'ended with exit code 3', /answer: mine +│\n│ +saved/],
  ] as const) {
    const person = open('orchd start', { VISUAL: '', EDITOR: editor });
    await person.sees(/writer +How\?/);
    person.types('a');
    await person.sees('answer:');
    person.types('\x15mine'); // Ctrl-U deletes the draft that the TUI before left.
    await person.sees('answer: mine');
    person.types('\x05'); // Ctrl-E
    await person.sees(problem);
    await person.sees(text);
    person.close();
  }
});

test('text for an item that another client answers first stays in its file', async () => {
  const go = join(folder, 'go');
  execFileSync('mkfifo', [go]);
  const slow = anEditor('slow', `echo it is open; read -r line <'${go}'; echo "wanted to say" >"$1"`);
  const session = await daemon.sh(asks, '--name', 'writer');
  const item = await daemon.openItem(session);
  const person = open('orchd start', { VISUAL: slow });
  await person.sees(/writer +How\?/);
  person.types('a');
  await person.sees('answer:');
  person.types('\x05');
  await person.sees('it is open');
  await daemon.client.call('inbox.answer', { item: item.id, text: 'first' });
  // Opening the pipe waits for a reader. The synchronous call would block the test's process.
  await writeFile(go, 'go\n');
  const screen = await person.sees(/what you wrote is in \/\S+/);
  const [, file = ''] = /what you wrote is in (\/\S+)/.exec(screen) ?? [];
  expect(readFileSync(file, 'utf8')).toBe('wanted to say\n');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  rmSync(join(file, '..'), { recursive: true });
});

test('the mouse selects and is released on exit, and tui.mouse = false leaves it alone', async () => {
  await daemon.sh('echo first; cat', '--name', 'upper');
  await daemon.sh('echo second; cat', '--name', 'lower');
  const person = open();
  await person.sees(/lower/);
  // The sessions are sorted by age, so that their order does not change during the test.
  person.types('s\x1b[H');
  const screen = await person.sees(/› .*upper[^\n]*\n[^\n]*lower/);
  const row = screen.split('\n').findIndex((line) => line.includes('lower')) + 1;
  person.types(`\x1b[<0;20;${row}M\x1b[<0;20;${row}m`);
  await person.sees(/│second/);
  person.types('q');
  await person.exited;
  expect(person.terminal.modes.mouseTrackingMode).toBe('none');
  expect(person.bytes()).toMatch(/\x1b\[>1u[\s\S]*\x1b\[<u\x1b[\s\S]*\x1b\[\?1049l/);

  const without = open('orchd start', { ORCHD_TUI_MOUSE: 'false' });
  await without.sees('upper');
  without.types('q');
  await without.exited;
  expect(without.bytes()).not.toContain('\x1b[?1000h');
});

test('keys follow the configuration, and an invalid configuration is refused before drawing', async () => {
  await daemon.sh('cat', '--name', 'some');
  const person = open('orchd start', { ORCHD_KEYS_KILL: 'D', ORCHD_KEYS_QUIT: 'Q' });
  await person.sees('some');
  person.types('qD');
  await person.sees('End some');
  person.types('nQ');
  expect(await person.exited).toBe(0);

  const wrong = open('exec $ORCHD start', { ORCHD_KEYS_KIL: 'D' });
  expect(await wrong.exited).toBe(2);
  expect(wrong.everything()).toMatch(/\[keys\] has no action 'kil'/);
  expect(wrong.bytes()).not.toContain('\x1b[?1049h');
});
