/** Tests exports from a real daemon: they are complete and exact, and a file is written completely or not at all. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OutputOf, Session } from '../../src/protocol/index.js';
import { parseCast } from '../../src/session/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { openTerminal } from '../tui/person.js';

/**
 * A script that asks, continues at another size with wide characters, a byte that is not UTF-8 and a colour, and ends
 * with code 3.
 */
const STORY = `
echo ':ORCHESTRATOR: QUESTION - Which?'
read -r answer
stty size
printf '\\303'; printf '\\251 日本 \\377 \\033[32mgreen\\033[0m\\n'
seq 1 40
exit 3`;

let daemon: TestDaemon;
let session: Session;
let dir: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'orchd-export-'));
  daemon = await startDaemon();
  const started = await daemon.sh(STORY, '--name', 'story', '--size', '60x10');
  const item = await daemon.openItem(started);
  await daemon.orchd('resize', 'story', '70x12');
  await daemon.orchd('answer', item.id, 'the second');
  session = await daemon.json('wait', started.id);
});
afterAll(async () => {
  await daemon.close();
  rmSync(dir, { recursive: true });
});

const lines = (text: string): Record<string, unknown>[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

async function exported(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await daemon.orchd('export', ...args);
  expect(code, stderr).toBe(0);
  return stdout;
}

/** Returns the times of the journal's first record and of the program's exit. */
async function journalTimes(): Promise<{ began: number; ended: number }> {
  const times = new Map<string, number>();
  for (let from: number | null = 0; from !== null; ) {
    const page: OutputOf<'session.journal'> = await daemon.client.call('session.journal', {
      session: session.id,
      from,
    });
    for (const { kind, time, position } of page.records) times.set(position === 0 ? 'first' : kind, time);
    from = page.next;
  }
  return { began: times.get('first') ?? 0, ended: times.get('exit') ?? 0 };
}

describe('a session export', () => {
  test('as a cast has sizes, input, output, exit code and the times of the journal', async () => {
    const text = await exported('story', '--cast');
    const reading = parseCast(text);
    if (!reading.ok) throw new Error(reading.message);
    const { cols, rows, events, startedAt, title, command } = reading.cast;
    expect({ cols, rows, title }).toEqual({ cols: 60, rows: 10, title: 'story' });
    expect(command).toMatch(/^sh -c '/);
    const { began, ended } = await journalTimes();
    expect(startedAt).toBe(Math.floor(began / 1000) * 1000);
    const of = (wanted: string) => events.filter(({ kind }) => kind === wanted).map(({ data }) => data);
    expect(of('r')).toEqual(['70x12']);
    expect(of('i')).toEqual(['the second\r']);
    expect(of('x')).toEqual(['3']);
    const output = of('o').join('');
    expect(output).toContain('é 日本 \ufffd \x1b[32mgreen\x1b[0m\r\n');
    expect(output).toContain('12 70\r\n');
    expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
    expect(Math.abs((events.at(-1)?.timeMs ?? 0) - (ended - began))).toBeLessThanOrEqual(1); // The times are rounded.
  });

  test('as text has the screen and its scrollback', async () => {
    const text = await exported('story', '--text');
    expect(text).toBe((await daemon.orchd('capture', 'story', '--scrollback', '1000')).stdout);
    expect(text).toMatch(/^é 日本 .? green\n1\n2\n/m);
  });

  test('as events has only the events of the session', async () => {
    await daemon.orchd('wait', (await daemon.sh('true')).id);
    const events = await exported('story', '--events');
    expect(events).toBe((await daemon.orchd('events', '--json', '--session', session.id)).stdout);
    expect(lines(events).map(({ event_type }) => event_type)).toContain('answer_written');
  });

  test('as a journal has every record without gaps, over many pages', async () => {
    const long = await daemon.sh('seq 1 120000');
    await daemon.orchd('wait', long.id);
    const records = lines(await exported(long.id, '--journal'));
    let end = 0;
    for (const record of records) {
      expect(record['position']).toBe(end);
      end = Number(record['end']);
    }
    const output = records
      .filter(({ kind }) => kind === 'out')
      .map(({ bytes }) => Buffer.from(String(bytes), 'base64'));
    const numbers = Buffer.concat(output).toString().split('\r\n');
    expect([numbers.length, numbers[0], numbers[119_999]]).toEqual([120_001, '1', '120000']);
    expect(records.at(-1)).toMatchObject({ kind: 'exit', exitCode: 0 });
  });
});

test('export --all has sessions, items, answers, work and events, and ends with their counts', async () => {
  const { client } = daemon;
  const place = { cwd: '/', env: { PATH: process.env['PATH'] ?? '' } };
  await client.call('blueprint.create', { name: 'echo', adapter: 'shell', args: ['echo', 'hello'] });
  const task = await client.call('task.create', { prompt: 'Count', ...place });
  const { id } = await client.call('workflow.run', { agentfile: 'GOAL greet "Hello" WITH echo', ...place });
  const workflow = await client.call('workflow.wait', { workflow: id });
  const all = lines(await exported('--all'));
  const of = (wanted: string) => all.filter(({ kind }) => kind === wanted);
  expect(all[0]).toMatchObject({ kind: 'orchd_export', version: 1 });
  expect(of('session').map((line) => line['session'])).toContainEqual(await daemon.json('show', 'story').then(plain));
  expect(of('answer')).toEqual([
    expect.objectContaining({ session_id: session.id, answer: expect.objectContaining({ text: 'the second' }) }),
  ]);
  expect(of('blueprint')).toMatchObject([{ blueprint: { name: 'echo' } }]);
  expect(of('run')).toMatchObject([{ run: { workflow_id: id, result_text: 'hello' } }]);
  expect(of('task')).toMatchObject([{ task: { id: task.id }, history: [{ event: 'created' }] }]);
  expect(of('workflow')).toEqual([{ kind: 'workflow', workflow }]);
  const end = all.at(-1);
  expect(end).toMatchObject({ kind: 'end', blueprints: 1, runs: 1, tasks: 1, workflows: 1 });
  expect(end).toMatchObject({ items: of('item').length, events: of('event').length });
  expect(of('event').map(({ event }) => (event as { seq: number }).seq)).toEqual(of('event').map((_, at) => at + 1));
});

/** Returns the object as lists contain it: `show` adds the items. */
function plain(shown: unknown): unknown {
  // `show` adds the items, and the changes of the git worktree in which the test runs.
  const { items: _items, changes: _changes, ...rest } = shown as Record<string, unknown>;
  return rest;
}

describe('the output file of an export', () => {
  test('is replaced completely and readable for its owner only', async () => {
    const file = join(dir, 'story.cast');
    writeFileSync(file, 'older');
    const { code, stderr, stdout } = await daemon.orchd('export', 'story', '--cast', '-o', file);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toBe(`wrote ${file} (${statSync(file).size.toLocaleString('en')} bytes)\n`);
    expect(parseCast(readFileSync(file, 'utf8')).ok).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(dir)).toEqual(['story.cast']);
    expect(await daemon.json('export', 'story', '--text', '-o', file)).toMatchObject({ form: 'text', file });
  });

  test('stays unchanged if the export fails, and no temporary file remains', async () => {
    const file = join(dir, 'story.cast');
    writeFileSync(file, 'older');
    expect((await daemon.orchd('export', 'nobody', '--cast', '-o', file)).code).toBe(3);
    const nowhere = await daemon.orchd('export', 'story', '--cast', '-o', join(dir, 'none', 'x.cast'));
    expect(nowhere.code).toBe(1);
    expect(nowhere.stderr).toContain('cannot be written');
    expect(readFileSync(file, 'utf8')).toBe('older');
    expect(readdirSync(dir)).toEqual(['story.cast']);
  });
});

test('export refuses to print a machine format on a terminal unless -o - is given', async () => {
  const person = openTerminal('orchd export story --cast; echo "exit:$?"; orchd export story --cast -o - | wc -l', {
    env: daemon.env,
  });
  await person.exited;
  expect(person.screen()).toMatch(/this is for programs: say -o FILE[\s\S]*exit:2\n *\d+\n/);
  person.close();
});

test('export needs exactly one format, and one session or --all', async () => {
  for (const args of [['story'], ['story', '--cast', '--text'], ['--cast'], ['story', '--all']]) {
    expect((await daemon.orchd('export', ...args)).code, args.join(' ')).toBe(2);
  }
});
