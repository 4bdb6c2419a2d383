/** How every view shows states and items: a mark and a colour, always beside the word. */
import type {
  Run,
  RunState,
  State,
  Task,
  TaskState,
  WorkflowRun,
  WorkflowRunState,
  WorkflowStepState,
} from '../generated/types.js';

export type Style = 'bold' | 'dim' | 'italic' | 'inverse' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan';

/** The SGR codes that begin and end each style. */
const CODES: Readonly<Record<Style, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  inverse: [7, 27],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
};

/** Returns text in a style, with escape sequences. */
export function styled(style: Style, text: string): string {
  const [on, off] = CODES[style];
  return `\x1b[${on}m${text}\x1b[${off}m`;
}

export interface Badge {
  readonly mark: string;
  readonly style: Style;
}

export const STATE_BADGES: Readonly<Record<State, Badge>> = {
  starting: { mark: '·', style: 'dim' },
  working: { mark: '▸', style: 'blue' },
  waiting: { mark: '?', style: 'yellow' },
  blocked: { mark: '!', style: 'red' },
  done: { mark: '✓', style: 'green' },
  failed: { mark: '✗', style: 'red' },
  exited: { mark: '○', style: 'dim' },
  lost: { mark: '×', style: 'magenta' },
  unknown: { mark: '~', style: 'dim' },
};

export const TASK_BADGES: Readonly<Record<TaskState, Badge>> = {
  pending: { mark: '·', style: 'dim' },
  planning: { mark: '▸', style: 'cyan' },
  planned: { mark: '◆', style: 'bold' },
  awaiting_input: { mark: '?', style: 'yellow' },
  running: { mark: '▸', style: 'cyan' },
  completed: { mark: '✓', style: 'green' },
  failed: { mark: '✗', style: 'red' },
  cancelled: { mark: '○', style: 'dim' },
};

export const RUN_BADGES: Readonly<Record<RunState, Badge>> = {
  queued: { mark: '·', style: 'dim' },
  running: { mark: '▸', style: 'cyan' },
  rate_limited: { mark: '~', style: 'yellow' },
  completed: { mark: '✓', style: 'green' },
  failed: { mark: '✗', style: 'red' },
  cancelled: { mark: '○', style: 'dim' },
};

export const WORKFLOW_BADGES: Readonly<Record<WorkflowRunState, Badge>> = {
  running: { mark: '▸', style: 'blue' },
  awaiting_input: { mark: '?', style: 'yellow' },
  completed: { mark: '✓', style: 'green' },
  failed: { mark: '✗', style: 'red' },
  cancelled: { mark: '○', style: 'dim' },
};

/** A state as a person sees it: its badge and its word. */
export interface ShownState {
  readonly badge: Badge;
  readonly word: string;
}

/** Returns the error with which something ended. What a person cancelled has not failed: its state says all. */
export const shownError = <E>({ state, error }: { readonly state: string; readonly error: E | null }): E | null =>
  state === 'cancelled' ? null : error;

const ASKS: ShownState = { badge: TASK_BADGES.awaiting_input, word: 'asks you' };

/** A task whose agent has an open question asks, in every state. */
export const shownTask = ({ state, asking }: Pick<Task, 'state' | 'asking'>): ShownState =>
  asking !== undefined || state === 'awaiting_input' ? ASKS : { badge: TASK_BADGES[state], word: state };

/** A run whose agent has an open question asks, in every state. */
export const shownRun = ({ state, asking }: Pick<Run, 'state' | 'asking'>): ShownState =>
  asking !== undefined ? ASKS : { badge: RUN_BADGES[state], word: state.replace('_', ' ') };

export const shownWorkflow = ({ state }: Pick<WorkflowRun, 'state'>): ShownState =>
  state === 'awaiting_input' ? ASKS : { badge: WORKFLOW_BADGES[state], word: state };

export const STEP_BADGES: Readonly<Record<WorkflowStepState, Badge>> = {
  waiting: { mark: '·', style: 'dim' },
  running: { mark: '▸', style: 'blue' },
  asking: { mark: '?', style: 'yellow' },
  completed: { mark: '✓', style: 'green' },
  skipped: { mark: '–', style: 'dim' },
  failed: { mark: '✗', style: 'red' },
  cancelled: { mark: '○', style: 'dim' },
};

// A record has no other keys.
const statesOf = <S extends string>(badges: Readonly<Record<S, Badge>>): readonly S[] => Object.keys(badges) as S[];

export const SESSION_STATES = statesOf(STATE_BADGES);
export const TASK_STATES = statesOf(TASK_BADGES);
export const RUN_STATES = statesOf(RUN_BADGES);
export const WORKFLOW_STATES = statesOf(WORKFLOW_BADGES);
