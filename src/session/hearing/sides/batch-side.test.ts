/**
 * Tests that the output of an agent without a terminal is read line by line, at every cut and from every checkpoint.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tries } from '../../../../test/harness/tries.js';
import type { Finding } from '../../../ears/index.js';
import { MAX_JSON_LINE_BYTES } from '../../../protocol/index.js';
import { claude } from '../../adapters/claude.js';
import type { BatchTraits, TranscriptItem } from '../../adapters/index.js';
import { createRecorder, type Happening } from '../../recordings/made-journal.js';
import type { Hearing } from '../hearing.js';
import { createHearing } from '../session-hearing.js';

/** Its lines are arrays of items. */
const BATCH: BatchTraits = {
  command: () => {
    throw new Error('not asked here');
  },
  read: (line) => {
    try {
      const items: unknown = JSON.parse(line);
      return { at: null, items: Array.isArray(items) ? (items as TranscriptItem[]) : [] };
    } catch {
      return { at: null, items: [] };
    }
  },
  outcome: () => {
    throw new Error('not asked here');
  },
};
const { batch } = claude;
beforeAll(() => void Object.assign(claude, { batch: BATCH }));
afterAll(() => void Object.assign(claude, { batch }));

const BEGINNING: readonly Happening[] = [
  { kind: 'start', sessionId: 's', command: ['claude'], cwd: '/', pid: 1, cols: 80, rows: 24 },
  { kind: 'note', name: 'session', data: { adapter: 'claude', mode: 'batch', agent: null } },
];
const EXIT: Happening = { kind: 'exit', exitCode: 0, signal: null, leftOpen: false, escaped: [] };
const line = (...items: TranscriptItem[]) => `${JSON.stringify(items)}\r\n`;
const asks = (question: string): TranscriptItem => ({ kind: 'text', text: `:ORCHESTRATOR: QUESTION - ${question}` });
const session = (agentSessionId: string): TranscriptItem =>
  ({ kind: 'session', agentSessionId, path: null, isOld: false }) as const;

type After = (hearing: Hearing) => Hearing;
const goOn: After = (hearing) => hearing;
const restore: After = (hearing) => createHearing({ checkpoint: JSON.parse(JSON.stringify(hearing.state())) });

function hearOutput(output: Buffer, size = output.length, after: After = goOn, beginning = BEGINNING): Finding[] {
  const record = createRecorder();
  let hearing = createHearing();
  const found: Finding[] = [];
  const push = (happening: Happening) => {
    found.push(...hearing.push(record(happening)));
    hearing = after(hearing);
  };
  for (const happening of beginning) push(happening);
  for (let at = 0; at < output.length; at += size) push({ kind: 'out', bytes: output.subarray(at, at + size) });
  push(EXIT);
  return found;
}
const messages = (findings: readonly Finding[]) =>
  findings.flatMap((finding) => (finding.kind === 'message' ? [finding] : []));

describe('a batch agent', () => {
  it('is read only through its adapter, and messages carry the bytes of their line', () => {
    const noise = ':ORCHESTRATOR: QUESTION - not by lines\r\n\x1b[2J\x1b[H:ORCHESTRATOR: BLOCKED - not by screen\r\n';
    const output = Buffer.from(`${line(session('c-1'))}${noise}\r\n${line(asks('which ü?'))}`);
    const heard = hearOutput(output);
    const [message, ...others] = messages(heard);
    expect(others).toEqual([]);
    expect(message).toMatchObject({ message: { data: { question: 'which ü?' } }, ear: 'transcript' });
    const { from = 0, to = 0 } = message?.origin ?? {};
    const begin = BEGINNING.length;
    expect(output.toString('utf8', from - begin, to - begin)).toBe(line(asks('which ü?')));
    expect(heard).toContainEqual(expect.objectContaining({ kind: 'transcript', agentSessionId: 'c-1' }));
  });

  it('is busy from its start to its exit, whatever it reports about turns', () => {
    const heard = hearOutput(Buffer.from(line({ kind: 'text', text: 'so far' }, { kind: 'idle' })));
    expect(heard[0]).toMatchObject({ kind: 'busy' });
    expect(heard.map(({ kind }) => kind)).not.toContain('activity');
  });

  it('is read up to its last line, even without a line end', () => {
    expect(messages(hearOutput(Buffer.from(line(asks('one')).trimEnd())))).toHaveLength(1);
  });

  it('gives the same findings however its output is split, and from any checkpoint', () => {
    const piece = fc.oneof(
      fc.constantFrom('\r\n', '\n', '\r', 'text', '日本', '🚀', ':ORCHESTRATOR: BLOCKED - x\r\n', '\x1b[2J', '[{'),
      fc.constantFrom(
        line(asks('a')),
        line(asks('b'), { kind: 'idle' }),
        line(session('c')),
        line({ kind: 'prompt', text: 'p' }),
      ),
      fc.string({ unit: 'binary', maxLength: 8 }),
    );
    const output = fc.array(piece, { maxLength: 20 }).map((pieces) => Buffer.from(pieces.join('')));
    const without = (findings: readonly Finding[]) => findings.map(({ at: _at, ...finding }) => finding);
    fc.assert(
      fc.property(output, fc.integer({ min: 1, max: 40 }), (bytes, size) => {
        const whole = without(hearOutput(bytes));
        expect(without(hearOutput(bytes, 1))).toEqual(whole);
        expect(without(hearOutput(bytes, size, restore))).toEqual(whole);
      }),
      tries(200),
    );
  });

  it('drops a line that is too long, reports it, and reads the next one', () => {
    const long = Buffer.concat([Buffer.alloc(MAX_JSON_LINE_BYTES + 10, 'x'), Buffer.from(`\n${line(asks('heard?'))}`)]);
    const sizes: number[] = [];
    const heard = hearOutput(long, 8 * 1024 * 1024, (hearing) => {
      const state = JSON.stringify(hearing.state());
      sizes.push(state.length);
      return createHearing({ checkpoint: JSON.parse(state) });
    });
    expect(messages(heard)).toHaveLength(1);
    expect(heard).toContainEqual(expect.objectContaining({ kind: 'rejected', reason: 'oversized', line: 1 }));
    expect(Math.max(...sizes)).toBeLessThan(MAX_JSON_LINE_BYTES * 1.5);
    expect(sizes.at(-1)).toBeLessThan(10_000);
  });
});

it('a program on pipes without a batch adapter is read by lines, as in a terminal', () => {
  const note = { kind: 'note', name: 'session', data: { adapter: 'shell', mode: 'batch' } } as const;
  const shell: readonly Happening[] = [BEGINNING[0] ?? note, note];
  const stdin = { writeId: 'stdin', text: 'yes\n', length: 4, submits: false };
  const fed: Happening = { kind: 'input', phase: 'begin', ...stdin };
  const output = Buffer.from('yes\r\n:ORCHESTRATOR: QUESTION - heard?\r\n');
  const heard = hearOutput(output, 3, goOn, [...shell, fed]);
  expect(messages(heard)).toMatchObject([{ ear: 'lines', message: { data: { question: 'heard?' } } }]);
});
