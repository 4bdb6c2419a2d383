import { cleanup, render } from 'ink-testing-library';
import { afterEach, describe, expect, it } from 'vitest';
import { expectStraight } from '../../../test/harness/expect-straight.js';
import {
  ABOUT_TUI,
  aBlueprint,
  anAttempt,
  anItem,
  aRun,
  aRunSummary,
  aSession,
  aSnapshot,
  aTask,
  aTaskSummary,
  at,
  events,
  toKey,
} from '../../../test/tui/data.js';
import type { Run, Size, Task, TaskHistoryEntry } from '../../protocol/index.js';
import { Picture } from '../app.js';
import { createPaint } from '../paint/paint.js';
import { targetAt } from '../view/regions.js';
import { createStore } from '../view/store.js';

afterEach(cleanup);

const SGR = /\x1b\[[0-9;]*m/g;
const NORMAL = { cols: 80, rows: 24 };

interface Options {
  readonly task?: Task;
  readonly run?: Run;
  readonly size?: Size;
  readonly keys?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly entries?: readonly TaskHistoryEntry[];
}

/** Renders the TUI after keys, which are separated by blanks. */
function picture({
  task = planned,
  run = misfit,
  size = NORMAL,
  keys = 't',
  env = {},
  entries = history,
}: Options = {}) {
  const store = createStore({ size, paint: createPaint(env), now: () => at(90), ...ABOUT_TUI });
  const items = [anItem({ id: 'itm_1', session_id: 'ses_plan', session_name: 'task-validator', task_id: 'tsk_a' })];
  store.take({ kind: 'snapshot', snapshot: aSnapshot({ sessions: [aSession()], items }), at: at(0) });
  store.take({ kind: 'event', event: events.message('ses_a', 'ERROR', failure) });
  store.take({ kind: 'event', event: events.message('ses_a', 'OUTPUT', envelope.data) });
  store.take({ kind: 'event', event: events.rejected('ses_a', '$.data.reason', "'reason' is a required property") });
  const work = { tasks: [aTaskSummary(task)], runs: [aRunSummary(run)], blueprints: [aBlueprint({ adapter: '日本' })] };
  store.take({ kind: 'work', work: { ...work, task, run, history: entries } });
  for (const name of keys.split(' ')) store.press(toKey(name));
  store.close();
  const { lastFrame } = render(<Picture state={store.get()} />);
  const text = (lastFrame() ?? '').replaceAll(SGR, '');
  return { frame: lastFrame() ?? '', text, lines: text.split('\n'), store };
}

const timestamp = new Date(at(0)).toISOString();
const history = [{ timestamp, event: 'planner_output_submitted' as const, text: 'planner-output was called' }];
const planned = aTask({
  state: 'planned',
  prompt: 'Count to 十 \x1b[31mred',
  plan: { summary: 'Two steps', requirements: ['It counts'], acceptanceCriteria: ['npm test'], plan: ['Write', 'Try'] },
  questions: [{ item_id: 'itm_0', question: 'Up to what?', answer: 'ten' }],
  attempts: [
    {
      number: 1,
      kind: 'planning',
      agent: 'task-validator',
      run_id: 'run_a',
      started_at: timestamp,
      ended_at: timestamp,
    },
  ],
});
const errors = [{ path: '$.summary', message: "'summary' is a required property" }];
const misfit = aRun({
  state: 'failed',
  blueprint: 'reviewer',
  ended_at: new Date(at(8)).toISOString(),
  error: { error: 'OutputSchemaValidationError', message: 'Output validation failed after 1 retry', errors },
  attempts: [
    anAttempt({ text: 'No JSON.', verdict: { ok: false, errors } }),
    anAttempt({ number: 2, reason: 'retry', text: 'Still none 日本.', verdict: { ok: false, errors } }),
  ],
});
const failure = { message: 'No test', severity: 'warning', file: 'a.ts', recoverable: true, ticketnumbers: [7] };
const envelope = {
  data: {
    status: 'failed',
    summary: 'Could not',
    deliverables: ['a.ts'],
    next_steps: ['install'],
    metadata: { agent: 'x' },
    error: { type: 'Missing', message: 'no bcrypt', resolution: 'npm i' },
  },
  human: '## Why\n\nIt is **gone**.',
};

describe('tasks in the TUI', () => {
  it('are listed with their state beside runs and blueprints, with key hints in the last line', () => {
    const { text } = picture();
    expect(text).toMatch(/╭─ \[Tasks\] Runs Blueprints ─/);
    expect(text).toMatch(/› ◆ planned .* Count to 十 ‹U\+001B›\[31mred/);
    expect(text).toMatch(/Enter open {2}a answer {2}s start/);
    expect(picture({ keys: 't l' }).text).toMatch(/› ✗ failed +reviewer +Count · Output validation failed after /);
    expect(picture({ keys: 't h' }).text).toMatch(/› yours +reviewer +Reviews a branch +日本/);
  });

  it('show their plan, answers, attempts and history', () => {
    const { text } = picture({ keys: 't enter', size: { cols: 80, rows: 40 } });
    for (const words of ['◆ planned · waits for its start', 'Two steps', '1. Write', '- npm test', '→ ten'])
      expect(text).toContain(words);
    expect(text).toMatch(/1 +planning by task-validator · 0:00 · run_a/);
    expect(text).toMatch(/planner_output_submitted · planner-output was called/);
  });

  it('show the date of what happened on an earlier day', () => {
    const hour = (days: number) => new Date(at(0) - days * 86_400_000).toISOString();
    const entries = [3, 0].map((days) => ({ timestamp: hour(days), event: 'created' as const, text: `${days} ago` }));
    const { text } = picture({ keys: 't enter', size: { cols: 80, rows: 40 }, entries });
    expect(text).toMatch(/│ \d\d-\d\d \d\d:\d\d +created · 3 ago/);
    expect(text).toMatch(/│ \d\d:\d\d:\d\d +created · 0 ago/);
    expect(picture({ keys: 't h enter' }).text).toMatch(/saved +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d /);
  });

  it('show no error of a run that was cancelled', () => {
    const error = { error: 'RunCancelled', message: 'it was cancelled' };
    const { text } = picture({ run: aRun({ state: 'cancelled', error }), keys: 't l enter' });
    expect(text).toMatch(/state +○ cancelled/);
    expect(text).not.toContain('it was cancelled');
  });

  it('show the result of a run above its prompt', () => {
    const run = aRun({ state: 'completed', prompt: 'Count up to ten', result_text: 'It is ten.' });
    expect(picture({ run, keys: 't l enter' }).text).toMatch(/It is ten\.[\s\S]*Count up to ten/);
  });

  it('show every attempt of a run with its text and its schema errors', () => {
    const { text } = picture({ keys: 't l enter', size: { cols: 80, rows: 40 } });
    expect(text).toContain('Attempt 1 of 2 · the first');
    expect(text).toContain('Attempt 2 of 2 · its result before did not fit');
    expect(text.match(/misfits +\$\.summary: 'summary' is a required property/g)).toHaveLength(2);
    for (const words of ['No JSON.', 'Still none 日本.']) expect(text).toContain(words);
  });

  it('show an envelope completely, also a failed one', () => {
    const failed = aRun({
      state: 'failed',
      error: { error: 'AgentFailed', message: 'x' },
      attempts: [anAttempt({ envelope })],
    });
    const done = aRun({ state: 'completed', result_data: envelope.data, result_human: envelope.human });
    for (const run of [failed, done]) {
      const { text } = picture({ run, keys: 't l enter', size: { cols: 80, rows: 50 } });
      for (const words of ['Could not', 'Missing: no bcrypt', 'Resolution: npm i', 'install', 'Why', 'It is gone.'])
        expect(text).toContain(words);
    }
  });

  it('show the messages of a session in its details, newest first', () => {
    const { text } = picture({ keys: 'l d', size: { cols: 80, rows: 60 } });
    expect(text).toMatch(/output, failed[\s\S]*Missing: no bcrypt[\s\S]*warning[\s\S]*No test/);
    expect(text).toMatch(/recoverable +yes/);
    expect(text).toMatch(/ticketnumbers:/);
    expect(text).toMatch(/not a message \(schema\)\s*│\n│ \$\.data\.reason: 'reason' is a required property/);
  });

  it('show in the details of a session its changes and the commands to act on them', () => {
    const { store } = picture({ keys: 'l d' });
    const { id, name } = store.get().model.sessions[0] ?? aSession();
    const shown = (session: string, is_worktree: boolean, file_count = 3): string => {
      const changes = {
        root: '/r',
        repository: '/r',
        branch: 'fix',
        is_worktree,
        base: '1a2b3c4d',
        commits: 0,
        files: [],
        file_count,
        added: 20,
        removed: 4,
      };
      store.take({ kind: 'work', work: { changes: { session, changes } } });
      const { lastFrame, unmount } = render(<Picture state={store.get()} />);
      const text = (lastFrame() ?? '').replaceAll(SGR, '');
      unmount();
      return text;
    };
    expect(shown(id, true)).toMatch(/changes +fix: 3 files, \+20 −4 since 1a2b3c4 /);
    expect(shown(id, true)).toMatch(new RegExp(`git +orchd git commit, merge or discard ${name} `));
    expect(shown(id, false)).toMatch(new RegExp(`git +orchd git commit ${name} `));
    expect(shown(id, false, 0)).toMatch(/changes +fix: no changes/);
    expect(shown(id, false, 0)).not.toContain('orchd git');
    expect(shown('ses_other', true)).not.toContain('changes');
  });

  it('have forms that name each field', () => {
    const { text } = picture({ keys: 't n H i' });
    expect(text).toMatch(/╭─ New task ─/);
    expect(text).toMatch(/› Prompt {4}Hi/);
    expect(text).toContain('‹ plan it ›');
    const limits = picture({ keys: `t l n${' down'.repeat(8)}`, size: { cols: 60, rows: 12 } }).text;
    expect(limits).toMatch(/› Time/); // the fields that do not fit are scrolled away
    expect(picture({ keys: 't h s down' }).text).toMatch(/› Agent {5}‹ reviewer ›/);
  });

  it('fit every terminal size, with wide characters and without colours', () => {
    for (const [cols, rows] of [
      [40, 12],
      [60, 15],
      [80, 24],
      [200, 50],
      [30, 7],
    ] as const)
      for (const keys of [
        't',
        't l',
        't h',
        't enter',
        't l enter',
        't h enter',
        'l d',
        't n',
        't l n',
        't K',
        't enter a',
      ]) {
        const { text, lines } = picture({ size: { cols, rows }, keys });
        expectStraight(text, cols);
        expect(lines.length, `${keys} at ${cols}x${rows}`).toBe(rows);
      }
    const plain = picture({ keys: 't l enter', env: { NO_COLOR: '1' } });
    expect(plain.frame).not.toMatch(/\x1b\[(?:3|4|9)\d/);
    expect(plain.text).toContain('✗ failed');
  });

  it('are selected by a click and opened by another, and the wheel scrolls the details', () => {
    const { store } = picture();
    expect(targetAt(store.get(), 5, 2)).toEqual({ kind: 'table', index: 0 });
    store.press({ kind: 'mouse', what: 'click', x: 5, y: 2 });
    expect(store.get().ui.view).toBe('task');
    store.press({ kind: 'mouse', what: 'wheeldown', x: 5, y: 5 });
    expect(store.get().ui.scroll).toBe(5);
    for (let i = 0; i < 9; i++) store.press(toKey('pagedown'));
    const { scroll } = store.get().ui;
    store.press(toKey('pageup'));
    expect(store.get().ui.scroll).toBe(scroll - 5);
    store.close();
  });
});
