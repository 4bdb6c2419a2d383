/**
 * Tests replay: it prints what a terminal showed at a moment, or plays it in the user's terminal and restores that
 * terminal afterwards.
 */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { openTerminal, type Person, type PersonOptions } from '../tui/person.js';

const BIN = join(import.meta.dirname, '../../bin/orchd.js');
/**
 * Output that queries the terminal, writes its clipboard, sets its title and mouse mode, and reads its background
 * colour.
 */
const HOSTILE = '\x1b[c\x1b[6n\x1b]52;c;aGVsbG8=\x07\x1b]2;stolen\x07\x1b[?1003h\x1b]11;?\x07';
const CAST = [
  '{"version": 2, "width": 90, "height": 30, "timestamp": 1795293844, "title": "a recording"}',
  JSON.stringify([0.5, 'o', `${HOSTILE}first\r\n`]),
  JSON.stringify([4, 'o', 'second\r\n']),
  JSON.stringify([9, 'o', `third${'日'.repeat(40)}|\r\n`]),
  JSON.stringify([3600, 'o', 'last']),
].join('\n');

let daemon: TestDaemon;
let dir: string;
let file: string;
const people: Person[] = [];
beforeAll(async () => {
  daemon = await startDaemon();
  dir = mkdtempSync(join(tmpdir(), 'orchd-replay-'));
  file = join(dir, 'a.cast');
  writeFileSync(file, CAST);
});
afterEach(() => {
  for (const person of people.splice(0)) person.close();
});
afterAll(async () => {
  await daemon.close();
  rmSync(dir, { recursive: true });
});

function open(line: string, options: Partial<PersonOptions> = {}): Person {
  const person = openTerminal(line, { env: daemon.env, ...options });
  people.push(person);
  return person;
}

async function at(source: string, moment: string): Promise<string> {
  const { code, stdout, stderr } = await daemon.orchd('replay', source, '--at', moment);
  expect(code, stderr).toBe(0);
  return stdout;
}

describe('orchd replay --at', () => {
  test("prints a session's screen at a moment, and its last screen equals `capture`", async () => {
    const session = await daemon.sh(
      `echo before; echo ':ORCHESTRATOR: QUESTION - Which?'; read -r x; clear; echo after`,
    );
    const item = await daemon.openItem(session);
    await daemon.orchd('answer', item.id, 'this');
    await daemon.orchd('wait', session.id);
    expect(await at(session.id, '1h')).toBe((await daemon.orchd('capture', session.id)).stdout);
    const then = await at(session.id, item.opened_at);
    expect(then).toContain('before\n:ORCHESTRATOR: QUESTION - Which?\n');
    expect(then).not.toContain('after');
  });

  test('accepts recordings, also gzipped, and a duration, clock or time of day', async () => {
    const zipped = join(dir, 'b.cast.gz');
    writeFileSync(zipped, gzipSync(CAST));
    expect(await at(file, '3')).toBe('first\n');
    expect(await daemon.orchd('replay', file, '--at', '2:00:00')).toMatchObject({
      stdout: expect.stringContaining('last'),
      stderr: 'the recording ends before that; this is its last moment\n',
    });
    expect(await at(zipped, '0:04')).toBe('first\nsecond\n');
    expect(await at(file, new Date(1795293844_000 + 5_000).toISOString())).toBe('first\nsecond\n');
    expect(await daemon.json('replay', file, '--at', '1:00:00')).toMatchObject({
      size: { cols: 90, rows: 30 },
      text: expect.stringContaining('last'),
    });
  });

  test('reads a file of any name if no session matches, with or without a daemon', async () => {
    const inDir = (env: NodeJS.ProcessEnv, source: string) =>
      promisify(execFile)(process.execPath, [BIN, 'replay', source, '--at', '5s'], { cwd: dir, env });
    copyFileSync(file, join(dir, 'rec'));
    const nowhere = { ...daemon.env, ORCHD_HOME: join(dir, 'nowhere') };
    for (const env of [daemon.env, nowhere]) expect((await inDir(env, 'rec')).stdout).toBe('first\nsecond\n');
    await daemon.sh('echo the session', '--name', 'rec');
    await daemon.orchd('wait', 'rec');
    expect((await inDir(daemon.env, 'rec')).stdout).toBe('the session\n');
  });

  test('fails without a terminal to play in, for a damaged file and for an invalid moment', async () => {
    const damaged = join(dir, 'c.cast');
    writeFileSync(damaged, `${CAST}\n[3601, "o"]\n`);
    for (const [args, words, exit] of [
      [[file], 'there is no terminal to play in', 2],
      [[damaged, '--at', '1'], `${damaged}: line 6: expected the data of the event third`, 1],
      [[file, '--at', 'noon'], '--at takes a moment', 2],
      [[file, '--at', '1', '--speed', '0'], '--speed takes', 2],
      [[join(dir, 'none.cast'), '--at', '1'], 'cannot be read', 1],
    ] as const) {
      const { code, stderr } = await daemon.orchd('replay', ...args);
      expect(stderr).toContain(words);
      expect(code, words).toBe(exit);
    }
    expect((await daemon.orchd('replay', 'nobody', '--at', '1')).code).toBe(3);
  });
});

describe('orchd replay in a terminal', () => {
  test('plays, shortens pauses, filters terminal commands and restores the terminal', async () => {
    const person = open(`echo my own words; orchd replay ${file} --max-idle 20ms; echo "back:$?"`);
    await person.sees(/last[\s\S]* end 0:00\/0:00 1x {2}a recording/);
    person.types('q');
    await person.exited;
    expect(person.screen()).toMatch(/^my own words\nback:0/);
    expect(person.terminal.modes).toMatchObject({ mouseTrackingMode: 'none', bracketedPasteMode: false });
    for (const sequence of ['\x1b]52', '\x1b[c', '\x1b[6n', '\x1b]11', 'stolen', '\x1b[?1003h']) {
      expect(person.bytes(), JSON.stringify(sequence)).not.toContain(sequence);
    }
  });

  test('pauses at --at, and arrows, Home, End, +, - and space continue from there', async () => {
    const person = open(`orchd replay ${file} --at 4.5`, { cols: 100, rows: 40 });
    await person.sees((screen) => screen.includes('second') && screen.includes('rests 0:04/1:00:00 1x'));
    person.types('\x1b[C');
    await person.sees((screen) => screen.includes('third') && screen.includes('rests 0:09/'));
    person.types('\x1b[D\x1b[D');
    await person.sees((screen) => screen.includes('rests 0:00/') && !screen.includes('first'));
    person.types('\x1bOF');
    await person.sees((screen) => screen.includes('last') && screen.includes('end 1:00:00/1:00:00'));
    person.types('\x1b[H++-');
    await person.sees('rests 0:00/1:00:00 1.5x');
    person.types(' ');
    await person.sees('plays 0:0');
    await person.sees('first');
    person.types('i');
    await person.sees((screen) => !screen.includes('plays'));
    person.types('\x03');
    expect(await person.exited).toBe(0);
  });

  test('crops a larger recording, says so, and omits a wide character at the edge', async () => {
    const person = open(`orchd replay ${file} --at 10`, { cols: 60, rows: 10 });
    const screen = await person.sees('90x30, cut to 60x9');
    expect(screen).toMatch(/^third日{27} ?$/m);
    person.resizes(95, 35);
    await person.sees((wider) => wider.includes(`${'日'.repeat(40)}|`) && wider.includes('a recording 90x30'));
    person.types('q');
    await person.exited;
  });
});
