import { cleanup, render } from 'ink-testing-library';
import { afterEach, describe, expect, it } from 'vitest';
import { expectStraight } from '../../../test/harness/expect-straight.js';
import {
  ABOUT_TUI,
  anItem,
  aSession,
  aSnapshot,
  aStep,
  aStepRun,
  aSummary,
  at,
  aWorkflow,
  toKey,
} from '../../../test/tui/data.js';
import type { Item, Size, WorkflowRun } from '../../protocol/index.js';
import { Picture } from '../app.js';
import { createPaint } from '../paint/paint.js';
import { targetAt } from '../view/regions.js';
import { createStore } from '../view/store.js';

afterEach(cleanup);

const SGR = /\x1b\[[0-9;]*m/g;
const NORMAL = { cols: 80, rows: 24 };

interface Options {
  readonly run?: WorkflowRun;
  readonly size?: Size;
  readonly keys?: string;
  readonly items?: readonly Item[];
  readonly env?: NodeJS.ProcessEnv;
}

/** Renders the TUI after keys (separated by blanks), a minute and a half after the workflow began. */
function picture({ items = [question], run = report, size = NORMAL, keys = 'w enter', env = {} }: Options = {}) {
  let now = at(90);
  const store = createStore({ size, paint: createPaint(env), now: () => now, ...ABOUT_TUI });
  store.take({ kind: 'snapshot', snapshot: aSnapshot({ sessions: [aSession()], items }), at: at(0) });
  store.take({ kind: 'workflows', workflows: [aSummary(run)] });
  store.take({ kind: 'workflow', workflow: run });
  const effects = keys.split(' ').map((name) => {
    now += 1_000;
    return store.press(toKey(name));
  });
  store.close();
  const { lastFrame } = render(<Picture state={store.get()} />);
  const frame = lastFrame() ?? '';
  const text = frame.replaceAll(SGR, '');
  return { frame, text, lines: text.split('\n'), store, effects };
}

const question = anItem({
  id: 'itm_1',
  session_id: 'ses_desk',
  session_name: 'report',
  workflow_id: 'wfl_a',
  data: { question: 'Good: hot?', options: ['yes', 'no'] },
});
const report = aWorkflow({
  jobs: 2,
  state: 'awaiting_input',
  variables: [{ name: 'topic', value: 'tea', step: null, run_ids: [], item_id: null }],
  steps: [
    aStep({
      id: 'analyze',
      state: 'completed',
      at: 0,
      ended_at: new Date(at(75)).toISOString(),
      values: { summary: 'hot', score: '9' },
    }),
    aStep({
      id: 'draw',
      state: 'running',
      at: 30,
      runs: [aStepRun({ agent: 'painter', session_id: 'ses_a' }), aStepRun({ agent: 'critic', state: 'completed' })],
    }),
    aStep({ id: 'go', kind: 'ask', state: 'asking', at: 60, stage: 2, item_id: 'itm_1', question: 'Good: hot?' }),
    aStep({ id: 'write', stage: 3, needs: ['analyze', 'go'], agents: ['poet', 'critic'] }),
    aStep({ id: 'print', stage: 4, state: 'failed', error: { error: 'AgentError', message: 'goal print: no paper' } }),
    aStep({ id: 'bind', stage: 4, state: 'skipped' }),
  ],
});

describe('a workflow in the TUI', () => {
  it('is listed with its state, its progress and its current steps', () => {
    const { text } = picture({ keys: 'w' });
    expect(text).toMatch(/Workflows 1[\s\S]*› \? asks you\s+report\s+2\/6\s+draw, go\s+1:31/);
    expect(text).toContain('1 session · 1 workflow · 1 open');
  });

  it('is a table of stages, states, times, and what each step made, asks, waits for or failed with', () => {
    const { text } = picture();
    for (const line of [
      /\? asks you · 2 of 6 done · 2 jobs · 1:32/,
      /given topic: tea/,
      / 1 ┌ {2}✓ completed {2}analyze +1:15 {2}summary: hot · score: 9/,
      / +└ {2}▸ running {4}draw +1:02 {2}painter running, critic completed/,
      /› 2 {4}\? asking {5}go +0:32 {2}Good: hot\?/,
      / 3 {4}· waiting {4}write +after go/,
    ])
      expect(text).toMatch(line);
    expect(picture({ size: { cols: 120, rows: 40 } }).text).toMatch(/✗ failed {5}print +goal print: no paper/);
  });

  it('shows the selected step, by default the current one, and its screen if it has one', () => {
    expect(picture().text).toMatch(/Question go[\s\S]*asks +Good: hot\?/);
    const { text } = picture({ size: { cols: 80, rows: 34 }, keys: 'w enter k' });
    expect(text).toMatch(/Goal draw[\s\S]*runs +painter +▸ running\s+│\n│ +critic +✓ completed[\s\S]*╭─ ▸ auth/);
    expect(picture({ keys: 'w enter k d' }).text).not.toContain('Workflow report');
    expect(picture({ keys: 'w enter j' }).text).toMatch(
      /Goal write[\s\S]*after +analyze, go[\s\S]*agents +poet, critic/,
    );
  });

  it('names the machine of a placed run, and the label that another one waits for', () => {
    const steps = [
      aStep({ id: 'train', state: 'running', runs: [aStepRun({ machine: 'build-7' })] }),
      aStep({ id: 'tell', state: 'running', runs: [aStepRun({ machine: 'label:gpu' })] }),
    ];
    const { text } = picture({ run: aWorkflow({ ...report, steps }) });
    expect(text).toMatch(/running +train +on build-7/);
    expect(text).toMatch(/running +tell +waits for a machine with label:gpu/);
    expect(text).toMatch(/runs +run +▸ running, on build-7/);
  });

  it('shows its question above the steps, and the details of an item name the workflow', () => {
    const { text } = picture({ size: { cols: 80, rows: 40 }, keys: 'w enter enter' });
    expect(text).toMatch(/Question from report[\s\S]*1 {2}yes[\s\S]*workflow +report · wfl_a[\s\S]*Workflow report/);
    const inbox = picture({ keys: 'enter' });
    expect(inbox.text).toContain('report · wfl_a');
    expect(inbox.text).not.toContain('Workflow report');
  });

  it('shows the question of the agent of a running step', () => {
    const asking = anItem({ session_id: 'ses_a', data: { question: 'Which colour?' } });
    const { text, lines } = picture({ keys: 'w enter', items: [asking] });
    expect(text).toMatch(/› {3}└ {2}▸ running {4}draw +1:02 {2}asks: Which colour\?/);
    expect(lines.at(-1)).toContain('Enter answer');
  });

  it('asks before it is cancelled, and shows key hints', () => {
    expect(picture({ keys: 'w enter K' }).text).toContain('Cancel report and all that it started? y: yes');
    expect(picture().lines.at(-1)).toMatch(/Enter answer {2}Esc back {2}K cancel it {2}d details/);
    expect(picture({ keys: 'w enter k' }).lines.at(-1)).toMatch(/Enter attach .* g session/);
    const failed = aWorkflow({ ...report, state: 'failed', ended_at: new Date(at(80)).toISOString() });
    expect(picture({ run: failed }).lines.at(-1)).toContain('r resume');
  });

  it('is beside the lists on a large terminal, and still shows its state on a small one', () => {
    const { text, lines } = picture({ size: { cols: 200, rows: 50 } });
    expect(lines).toHaveLength(50);
    expect(text).toMatch(/╭─ Inbox 1 ─+╮╭─ Workflow report ─+ wfl_a ─╮/);
    expectStraight(text, 200);
    const small = picture({ size: { cols: 40, rows: 10 } });
    expect(small.lines).toHaveLength(10);
    expect(small.text).toContain('? asks you · 2 of 6 done');
    expect(small.text).toMatch(/› {4}\? asking {5}go +0:32 │/);
    const long = aWorkflow({
      steps: [aStep({ id: 'a_name_that_is_longer_than_its_column', state: 'running', at: 0 })],
    });
    expect(picture({ run: long, size: { cols: 40, rows: 10 } }).text).toMatch(/› ▸ running {4}a_name_.*… +1:32 │/);
  });

  it('keeps its borders straight, whatever agents print', () => {
    const evil = 'a\x1b[2J\u202eb 日本語 👨‍👩‍👧 👍🏽 ⚠️ e\u0301 \t\r\n'.repeat(8);
    const error = { error: evil, message: evil };
    const run = aWorkflow({
      ...report,
      name: evil,
      state: 'failed',
      error,
      variables: [{ name: 'x', value: evil, step: null, run_ids: [], item_id: null }],
      steps: [
        ...report.steps,
        aStep({ id: evil, state: 'failed', error, runs: [aStepRun({ agent: evil, state: 'failed', error })] }),
        aStep({ id: 'z', state: 'completed', values: { [evil]: evil }, result: evil, needs: [evil] }),
        aStep({ id: 'ask', kind: 'ask', state: 'asking', question: evil }),
      ],
    });
    for (const size of [NORMAL, { cols: 60, rows: 20 }, { cols: 40, rows: 10 }, { cols: 30, rows: 7 }])
      for (const keys of ['w', 'w enter', 'w enter home', 'w enter end', 'w enter end up up d', 'w enter end up d']) {
        const { text, frame } = picture({ run, size, keys });
        expectStraight(text, size.cols);
        expect(frame.replaceAll(SGR, '')).not.toMatch(/[\x1b\u202e]/);
      }
  });

  it('shows the steps around the selected one of a thousand', () => {
    const steps = Array.from({ length: 1_000 }, (_, i) => aStep({ id: `step_${i + 1}`, stage: i + 1 }));
    const { text } = picture({ run: aWorkflow({ steps }), keys: 'w enter end' });
    expect(text).toMatch(/› · waiting {4}step_1000[\s\S]*↑ 99\d more/);
  });

  it('can be clicked', () => {
    for (const size of [NORMAL, { cols: 200, rows: 50 }]) {
      const { lines, store } = picture({ size });
      const y = lines.findIndex((line) => /waiting {4}write/.test(line));
      const x = lines[y]?.indexOf('write') ?? 0;
      expect(targetAt(store.get(), x, y)).toEqual({ kind: 'table', index: 3 });
      expect(targetAt(store.get(), x, y - 4)).toMatchObject({ kind: 'table' });
      const list = picture({ size, keys: 'w' });
      expect(targetAt(list.store.get(), x, 2)).toEqual({ kind: 'table', index: 0 });
      expect(targetAt(list.store.get(), x, 3)).toEqual({ kind: 'table', index: null });
    }
  });

  it('is complete without colours', () => {
    const { frame } = picture({ env: { NO_COLOR: '1' } });
    expect(frame.match(/\x1b\[(3|4|9|10)\d[;\d]*m/g)).toBeNull();
    expect(frame.replaceAll(SGR, '')).toContain('› 2    ? asking     go');
  });
});
