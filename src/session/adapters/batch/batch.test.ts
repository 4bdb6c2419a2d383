/**
 * Compares the batch modes of the adapters with the output of the real programs: fixtures/adapters/<name>/
 *
 *     batch/<case>/stdout.txt, stderr.txt   output of a turn
 *     batch/<case>/expected.json            exit code and time of the end, the items in the output, the outcome
 *     batch.json                            requests for turns, and the commands that orchd runs for them
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  ADAPTERS,
  type BatchCommand,
  type BatchOutcome,
  type BatchRequest,
  type BatchTraits,
  PLAIN_BATCH,
  type TranscriptItem,
} from '../index.js';

// Codex's message has a time of day without a zone; it was recorded in UTC.
process.env['TZ'] = 'UTC';

const FIXTURES = join(import.meta.dirname, '../../../../fixtures/adapters');
const UUID = '6f1e0c52-9a43-4d6b-8f3e-2b7c5d9e1a40';
const DIR = '/home/user/.local/state/orchd/agents/ses_1';

interface Case {
  readonly exitCode: number | null;
  readonly now: number;
  readonly items: readonly TranscriptItem[];
  readonly outcome: BatchOutcome;
}
interface CommandCase {
  readonly what: string;
  readonly request: Partial<BatchRequest> & Pick<BatchRequest, 'argv'>;
  /** Flags that the installed version does not have. */
  readonly lacks?: readonly string[];
  /** Root alone can write into the session's folder. */
  readonly isRoot?: true;
  readonly expected: BatchCommand;
}

const plainRequest: BatchRequest = {
  argv: [],
  env: {},
  prompt: 'Fix it.',
  system: null,
  model: null,
  maxTurns: null,
  resume: null,
  uuid: UUID,
  dir: DIR,
  hasFlag: () => true,
  machine: { text: () => null, isRootsAlone: () => false },
};
const parse = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

/** Each batch mode once: Kilo uses that of OpenCode. Runs of an agent without a batch mode are interactive. */
const OWN = ADAPTERS.flatMap(({ name, batch }, at) =>
  batch !== null && ADAPTERS.findIndex((other) => other.batch === batch) === at ? [{ name, batch }] : [],
);

describe.each(OWN)('$name', ({ name, batch }) => {
  const folder = join(FIXTURES, name, 'batch');
  const cases = readdirSync(folder).map((what) => ({
    what,
    stdout: readFileSync(join(folder, what, 'stdout.txt'), 'utf8'),
    stderr: readFileSync(join(folder, what, 'stderr.txt'), 'utf8'),
    expected: parse(join(folder, what, 'expected.json')) as Case, // as written there
  }));
  const itemsIn = (stdout: string) => stdout.split('\n').flatMap((line) => [...batch.read(line).items]);

  test.each(cases)('reads the recorded turn and its outcome, with LF and CRLF: $what', (one) => {
    const { stderr, expected } = one;
    for (const stdout of [one.stdout, one.stdout.replaceAll('\n', '\r\n')]) {
      const { exitCode, now } = expected;
      const outcome = batch.outcome({ stdout, stderr, exitCode, now });
      expect({ exitCode, now, items: itemsIn(stdout), outcome }).toEqual(expected);
    }
  });

  test('reports an error for truncated output, unless only its end is missing', () => {
    for (const { stdout, stderr, expected } of cases) {
      const step = Math.max(1, Math.floor(stdout.length / 60));
      for (let end = 0; end < stdout.trimEnd().length - 1; end += step) {
        const cut = stdout.slice(0, end);
        for (const line of cut.split('\n').slice(-1)) expect(() => batch.read(line)).not.toThrow();
        const outcome = batch.outcome({ stdout: cut, stderr, exitCode: 0, now: expected.now });
        if (outcome.error === null) expect(outcome.text).toBe(expected.outcome.text);
        expect(batch.outcome({ stdout: cut, stderr, exitCode: null, now: 0 }).error).not.toBeNull();
        expect([null, expected.outcome.agentSessionId]).toContain(outcome.agentSessionId);
      }
    }
  });

  test.each(parse(join(FIXTURES, name, 'batch.json')) as CommandCase[])('runs $request.argv: $what', (one) => {
    const hasFlag = (flag: string) => !one.lacks?.includes(flag);
    const machine = { ...plainRequest.machine, isRootsAlone: () => one.isRoot === true };
    expect(batch.command({ ...plainRequest, hasFlag, machine, ...one.request })).toEqual(one.expected);
  });

  test('passes a prompt through standard input, and never as an argument', () => {
    for (const prompt of ['--help', '-', '$(id)', 'a\nb\n', 'x'.repeat(200_000)]) {
      const { argv, stdin } = batch.command({ ...plainRequest, argv: [name], prompt });
      expect(stdin).toBe(prompt);
      expect(argv.includes(prompt) && prompt !== '-').toBe(false);
    }
    expect(batch.command({ ...plainRequest, argv: [name], prompt: '/help me' }).stdin).toBe(' /help me');
  });

  test('puts instructions that are too long for an argument before the prompt or into a file', () => {
    const system = 'y'.repeat(200_000);
    const command = batch.command({ ...plainRequest, argv: [name], system });
    expect(Math.max(...command.argv.map((word) => word.length))).toBeLessThan(1_000);
    const isWhole = command.isTaught
      ? Object.values(command.files).some((text) => text.includes(system))
      : command.stdin === `${system}\n\nFix it.`;
    expect(isWhole).toBe(true);
  });
});

test('a program without an adapter reads instructions and prompt, and its output is the text', () => {
  const command = PLAIN_BATCH.command({ ...plainRequest, argv: ['./agent', '-x'], system: 'Be brief.' });
  expect(command).toMatchObject({ argv: ['./agent', '-x'], stdin: 'Be brief.\n\nFix it.', isTaught: false });
  const outcome = (stdout: string, exitCode: number | null, stderr = '') =>
    PLAIN_BATCH.outcome({ stdout, stderr, exitCode, now: 0 });
  expect(outcome('one\r\n  two\r\n\r\n', 0)).toMatchObject({ text: 'one\n  two\n', error: null });
  expect(outcome('half', 3, 'a\nfatal: no\n')).toMatchObject({ text: 'half', error: 'a\nfatal: no' });
  expect(outcome('half', null).error).not.toBeNull();
});

const HOSTILE = [
  '',
  '\0',
  '\ud800',
  '{',
  '[',
  '"',
  'null',
  '7',
  '[]',
  '{}',
  '{"type":null}',
  '{"type":{"type":[]}}',
  ...['result', 'assistant', 'system', 'user', 'item.completed', 'turn.failed', 'error', 'text', 'step_finish'].flatMap(
    (type) => [
      `{"type":"${type}"}`,
      `{"type":"${type}","message":7,"item":[],"part":"x","data":null,"error":[[]],"result":{},"usage":[],"stats":7}`,
      `{"type":"${type}","message":{"content":{"type":"text"},"role":"assistant"},"modelUsage":[null],"errors":[1]}`,
    ],
  ),
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  'x'.repeat(10_000_000),
  `{"type":"assistant","message":{"content":[{"type":"text","text":"${'z'.repeat(1_000_000)}\\ud800"}]}}`,
];
const EVERY: [string, BatchTraits][] = [
  ['plain', PLAIN_BATCH],
  ...ADAPTERS.flatMap(({ name, batch }): [string, BatchTraits][] => (batch ? [[name, batch]] : [])),
];

test.each(EVERY)('%s never throws for hostile output, and reports an error', (_, batch) => {
  for (const line of HOSTILE) {
    expect(() => batch.read(line)).not.toThrow();
    for (const exitCode of [0, 1, null]) {
      expect(() => batch.outcome({ stdout: line, stderr: line, exitCode, now: 0 })).not.toThrow();
    }
  }
  const all = HOSTILE.join('\n');
  expect(typeof batch.outcome({ stdout: all, stderr: all, exitCode: 1, now: 0 }).error).toBe('string');
});
