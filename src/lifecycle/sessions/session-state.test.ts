import { expect, test } from 'vitest';
import type { Message, State } from '../../protocol/index.js';
import { type Evidence, STARTING, type Standing, standingAfter } from './session-state.js';

const message = (type: Message['type'], data: Record<string, unknown> = {}): Evidence => ({
  kind: 'message',
  message: { type, data },
});
const after = (...evidence: Evidence[]): Standing => evidence.reduce(standingAfter, STARTING);
const BUSY: Evidence = { kind: 'busy' };
const TURN: Evidence = { kind: 'turn' };
const exit = (exitCode: number | null, signal: string | null = null): Evidence => ({
  kind: 'exited',
  exitCode,
  signal,
});

test.each<[string, Evidence[], State]>([
  ['nothing printed yet', [], 'starting'],
  ['the first output', [BUSY], 'working'],
  ['a question', [BUSY, message('QUESTION')], 'waiting'],
  ['a review', [message('REQUEST_REVIEW')], 'waiting'],
  ['a block', [message('BLOCKED')], 'blocked'],
  ['a report', [message('QUESTION'), message('STATUS_UPDATE')], 'working'],
  ['an error never changes the state', [message('QUESTION'), message('ERROR')], 'waiting'],
  ['an error before anything else', [message('ERROR')], 'starting'],
  ['output after a question in the same turn', [message('QUESTION'), BUSY], 'waiting'],
  ['a new turn clears what messages said', [message('QUESTION'), TURN], 'working'],
  ['the task is complete', [message('TASK_COMPLETE')], 'done'],
  ['a successful envelope', [message('OUTPUT', { status: 'success' })], 'done'],
  ['a partial envelope', [message('OUTPUT', { status: 'partial' })], 'done'],
  ['a failed envelope', [message('OUTPUT', { status: 'failed' })], 'failed'],
  ['exit 0', [BUSY, exit(0)], 'exited'],
  ['exit 3', [BUSY, exit(3)], 'failed'],
  ['a signal', [BUSY, exit(null, 'SIGTERM')], 'failed'],
  ['an exit without a known code or signal', [BUSY, exit(null)], 'exited'],
  ['exit after TASK_COMPLETE, whatever the code', [message('TASK_COMPLETE'), exit(1)], 'done'],
  ['an error after TASK_COMPLETE', [message('TASK_COMPLETE'), message('ERROR'), exit(0)], 'done'],
  ['TASK_COMPLETE in an earlier turn', [message('TASK_COMPLETE'), TURN, exit(0)], 'exited'],
  ['a signal after the run has its result', [BUSY, { kind: 'concluded' }, exit(null, 'SIGHUP')], 'done'],
  ['output and exit code after the run has its result', [{ kind: 'concluded' }, TURN, BUSY, exit(1)], 'done'],
  ['a program that still runs after the run has its result', [BUSY, { kind: 'concluded' }], 'working'],
  [
    'a signal after the session was revived',
    [{ kind: 'concluded' }, { kind: 'revived' }, exit(null, 'SIGHUP')],
    'failed',
  ],
  [
    'a signal after a client ended it',
    [BUSY, { kind: 'ending', by: 'cli' }, TURN, BUSY, exit(null, 'SIGHUP')],
    'exited',
  ],
  ['any exit code after a client ended it', [BUSY, { kind: 'ending', by: 'cli' }, exit(3)], 'exited'],
  [
    'TASK_COMPLETE, and its run was cancelled',
    [message('TASK_COMPLETE'), { kind: 'ending', by: 'cli', isCancelled: true }, BUSY, exit(null, 'SIGHUP')],
    'exited',
  ],
  ['TASK_COMPLETE, ended by a client', [message('TASK_COMPLETE'), { kind: 'ending', by: 'cli' }, exit(1)], 'done'],
  [
    'an exit code after a client failed to end it',
    [{ kind: 'ending', by: 'cli' }, { kind: 'ending', by: null }, exit(1)],
    'failed',
  ],
  [
    'an exit code after the session was revived',
    [{ kind: 'ending', by: 'cli' }, { kind: 'revived' }, exit(1)],
    'failed',
  ],
  ['exit with an open question', [message('QUESTION'), exit(0)], 'exited'],
  ['the host died', [message('QUESTION'), { kind: 'lost' }], 'lost'],
])('%s', (_name, evidence, state) => {
  expect(after(...evidence).state).toBe(state);
});

test('falls back to the current activity when no dialog is open', () => {
  const idle: Evidence = { kind: 'activity', activity: 'idle', source: 'transcript' };
  const busy: Evidence = { kind: 'activity', activity: 'busy', source: 'screen' };
  expect(after(busy, { kind: 'attention' }, idle, { kind: 'attention_over' }).state).toBe('waiting');
  expect(after(idle, { kind: 'attention' }, busy).state).toBe('waiting');
  expect(after(idle, { kind: 'attention' }, busy, { kind: 'attention_over' }).state).toBe('working');
});

test('state_source names the evidence for the state', () => {
  expect(after(BUSY).source).toBe('process');
  expect(after(BUSY, message('BLOCKED')).source).toBe('message');
  expect(after(message('BLOCKED'), TURN).source).toBe('process');
  expect(after({ kind: 'lost' }).source).toBe('host');
});
