/**
 * The person's position in the TUI, the effects that the TUI can request, and small changes of position. Pure values.
 */
import type { InputOf, SessionAct } from '../../protocol/index.js';
import type { Line } from '../input/line-editor.js';
import type { Model } from '../model/model.js';
import { NOTICE_MS } from '../model/timing.js';
import type { Form } from './forms/form.js';
import type { WorkForm, WorkRequest } from './forms/work-form.js';
import type { Keymap } from './keymap.js';

export type ListName = 'inbox' | 'sessions' | 'feed';
/** Lists that have a filter. */
type FilterName = ListName | 'workflows' | 'tasks' | 'runs' | 'blueprints';
/** The open view: the lists; workflows; tasks, runs and blueprints; all messages of a session. */
export type ViewName = 'lists' | WorkflowViewName | WorkViewName;
/** All workflows; one workflow as a table of its steps; one step. */
type WorkflowViewName = 'workflows' | 'workflow' | 'step';
type WorkViewName = 'tasks' | 'task' | 'runs' | 'run' | 'blueprints' | 'blueprint' | 'session';

/** `attention`: sessions that wait first, then the latest change. */
export type SessionOrder = 'attention' | 'age' | 'name';

export type Mode =
  | { readonly kind: 'browse' }
  /** `option` is the option that ↑ and ↓ have selected, from 1. */
  | {
      readonly kind: 'item';
      readonly itemId: string;
      readonly since: number;
      readonly scroll: number;
      readonly option?: number;
    }
  /** Typing an answer. `option` is the chosen option if that option needs a text, otherwise null. */
  | { readonly kind: 'typing'; readonly itemId: string; readonly option: number | null; readonly line: Line }
  | { readonly kind: 'declining'; readonly itemId: string }
  | { readonly kind: 'filtering'; readonly list: FilterName; readonly line: Line }
  | { readonly kind: 'renaming'; readonly sessionId: string; readonly line: Line }
  /** The person is typing tags for sessions. `before`: the tags that all of these sessions have. */
  | {
      readonly kind: 'tagging';
      readonly sessionIds: readonly string[];
      readonly before: readonly string[];
      readonly line: Line;
    }
  /** The person types a line that is sent to sessions. */
  | { readonly kind: 'writing'; readonly sessionIds: readonly string[]; readonly line: Line }
  /** The person confirms that sessions are ended, started again or removed. */
  | { readonly kind: 'confirming'; readonly act: SessionAct; readonly sessionIds: readonly string[] }
  | { readonly kind: 'cancelling'; readonly workflowId: string }
  /** The person is asked whether an ended workflow should resume from this step. */
  | { readonly kind: 'resuming'; readonly workflowId: string; readonly stepId: string }
  | { readonly kind: 'cancelling_work'; readonly what: 'task' | 'run'; readonly id: string }
  | { readonly kind: 'starting'; readonly form: Form }
  /** The person fills in the form of a new task or a new run. */
  | { readonly kind: 'filling'; readonly form: WorkForm }
  | { readonly kind: 'palette'; readonly line: Line; readonly selected: number; readonly back: Mode }
  /** `line` is the search; `isSearching` while it is being typed. */
  | {
      readonly kind: 'help';
      readonly scroll: number;
      readonly back: Mode;
      readonly line: Line;
      readonly isSearching: boolean;
    };

export interface UiState {
  readonly view: ViewName;
  /** The selected or open workflow; null for the first. */
  readonly workflowId: string | null;
  /** The selected step; null to follow the current step. */
  readonly stepId: string | null;
  /** Rows that the details of a step are scrolled by. */
  readonly stepScroll: number;
  /** The selected or open task, run and blueprint; null for the first. */
  readonly taskId: string | null;
  readonly runId: string | null;
  readonly blueprint: string | null;
  /** Rows that the details of a task, a run, a blueprint or a session are scrolled by. */
  readonly scroll: number;
  /** The list that was open last: tasks, runs or blueprints. */
  readonly workList: 'tasks' | 'runs' | 'blueprints';
  /** The view to which Esc returns from the details of a run. */
  readonly runBack: 'runs' | 'task';
  /** The list that gets the keys. While it is the feed, the pane shows the feed. */
  readonly focus: ListName;
  /** The list that had the focus last; the pane shows its selected entry. */
  readonly list: 'inbox' | 'sessions';
  readonly itemId: string | null;
  readonly sessionId: string | null;
  /** Indexes of the selected item and session. If the selected one is removed, the entry at its index is selected. */
  readonly itemIndex: number;
  readonly sessionIndex: number;
  /** Ids of the marked sessions. */
  readonly marked: ReadonlySet<string>;
  readonly order: SessionOrder;
  readonly grouping: 'none' | 'project' | 'program' | 'tag';
  /** Ids of the headers that the person has folded; of the ended sessions: that the person has opened. */
  readonly folds: ReadonlySet<string>;
  /** The `seq` of the event at the bottom of the feed; null to follow the newest. */
  readonly feedSeq: number | null;
  /** Filters of the lists: a list shows the lines that contain all these words; '' shows all. */
  readonly filters: Readonly<Record<FilterName, string>>;
  /** The content of the pane, or of the larger one if both panes are shown. */
  readonly pane: 'screen' | 'feed';
  /** True if the pane is shown without the lists. */
  readonly isZoomed: boolean;
  /** True to show texts as written, not as markdown. */
  readonly isRaw: boolean;
  readonly mode: Mode;
  /** True until the first key: the focus then moves to the list that has something to do. */
  readonly isUntouched: boolean;
  /** Ids of the items whose answer is being sent to the daemon. */
  readonly sending: readonly string[];
  /** Answers that were begun but not sent, by item id. */
  readonly drafts: ReadonlyMap<string, string>;
  readonly notice: { readonly text: string; readonly isError: boolean; readonly until: number } | null;
  /**
   * Set while a person types an answer although no item accepts one. Until `until`, which every key extends, letters
   * are not interpreted as commands.
   */
  readonly muted: { readonly until: number; readonly hasText: boolean } | null;
}

export interface StartRequest {
  readonly command: readonly string[];
  readonly name: string;
  readonly adapter: string | null;
  readonly directory: string;
  /** The branch for a new worktree; null for none. */
  readonly branch: string | null;
  readonly isTaught: boolean;
}

export type Effect =
  | {
      readonly kind: 'answer';
      readonly itemId: string;
      readonly request: { readonly option?: number; readonly text?: string; readonly decline?: true };
    }
  /** `machine`: the machine of the hub that has the session; absent for this one. */
  | { readonly kind: 'attach'; readonly sessionId: string; readonly machine?: string }
  /** Opens the answer in the person's own editor. */
  | { readonly kind: 'edit'; readonly itemId: string; readonly option: number | null; readonly text: string }
  | { readonly kind: 'rename'; readonly request: InputOf<'session.rename'> }
  | {
      readonly kind: 'tag';
      readonly sessionIds: readonly string[];
      readonly add: readonly string[];
      readonly remove: readonly string[];
    }
  /** Types a line into sessions, then Enter. */
  | { readonly kind: 'send'; readonly sessionIds: readonly string[]; readonly text: string }
  /** Brings back the session that was removed last. */
  | { readonly kind: 'restore' }
  /** Takes back an answer that the daemon has not begun to type. */
  | { readonly kind: 'take_back'; readonly itemId: string }
  | { readonly kind: 'sessions'; readonly act: SessionAct; readonly sessionIds: readonly string[] }
  /** Opens a view of everything that a session has printed, to scroll, search and copy. */
  | { readonly kind: 'look_back'; readonly sessionId: string }
  /** Shows what a session has changed in its repository. */
  | { readonly kind: 'diff'; readonly sessionId: string }
  /** Shows several screens at once. */
  | { readonly kind: 'grid'; readonly sessionIds: readonly string[] }
  | { readonly kind: 'cancel_workflow'; readonly workflowId: string }
  /** Resumes a workflow from a step; null: from the steps that are not completed. */
  | { readonly kind: 'resume_workflow'; readonly workflowId: string; readonly from: string | null }
  | { readonly kind: 'start'; readonly request: StartRequest }
  /** `retry` starts a failed task again, or plans it again if it has no plan. */
  | { readonly kind: 'task'; readonly act: 'plan' | 'start' | 'retry' | 'cancel'; readonly taskId: string }
  | { readonly kind: 'run'; readonly act: 'retry' | 'cancel'; readonly runId: string }
  | { readonly kind: 'create_work'; readonly request: WorkRequest }
  /** Looks up the folders that can complete a typed path. */
  | { readonly kind: 'complete'; readonly path: string }
  | { readonly kind: 'start_daemon' }
  | { readonly kind: 'demo' }
  | { readonly kind: 'redraw' }
  | { readonly kind: 'quit' };

/** The object that is shown at a cell of the terminal. */
export type Target =
  | { readonly kind: 'list'; readonly list: ListName; readonly index: number | null }
  /** The list of workflows, the steps of a workflow, or a list of tasks, runs or blueprints. */
  | { readonly kind: 'table'; readonly index: number | null }
  | { readonly kind: 'item' }
  | { readonly kind: 'screen'; readonly sessionId: string | null };

export interface KeyContext {
  readonly model: Model;
  readonly at: number;
  readonly keymap: Keymap;
  /** Names of the adapters that a new session can use. */
  readonly adapters: readonly string[];
  /** The directory in which the TUI was started. */
  readonly directory: string;
  /** Returns how far the item, step or details can be scrolled, and the number of visible options. */
  readonly view: () => {
    readonly maxScroll: number;
    readonly visibleOptions: number;
    /** Number of options above the visible ones. */
    readonly hiddenOptions?: number;
  };
  /** Returns how far help can be scrolled. */
  readonly maxHelpScroll: () => number;
  readonly targetAt: (x: number, y: number) => Target | null;
}

export interface KeyResult {
  readonly ui: UiState;
  readonly effect: Effect | null;
}

export const START: UiState = {
  view: 'lists',
  workflowId: null,
  stepId: null,
  stepScroll: 0,
  taskId: null,
  runId: null,
  blueprint: null,
  scroll: 0,
  workList: 'tasks',
  runBack: 'runs',
  focus: 'inbox',
  list: 'inbox',
  itemId: null,
  sessionId: null,
  itemIndex: 0,
  sessionIndex: 0,
  marked: new Set(),
  order: 'attention',
  grouping: 'none',
  folds: new Set(),
  feedSeq: null,
  filters: { inbox: '', sessions: '', feed: '', workflows: '', tasks: '', runs: '', blueprints: '' },
  pane: 'screen',
  isZoomed: false,
  isRaw: false,
  mode: { kind: 'browse' },
  isUntouched: true,
  sending: [],
  drafts: new Map(),
  notice: null,
  muted: null,
};

export const stay = (ui: UiState): KeyResult => ({ ui, effect: null });
export const go = (ui: UiState, mode: Mode): KeyResult => stay({ ...ui, mode });
export const browse = (ui: UiState): UiState => ({ ...ui, mode: { kind: 'browse' } });

/** Number of rows that one key scrolls. */
const SCROLL_ROWS = 5;

/** Returns the scroll position after one key, within what is shown. */
export const scrolled = (scroll: number, direction: 1 | -1, { view }: KeyContext): number =>
  Math.max(0, Math.min(view().maxScroll, scroll + direction * SCROLL_ROWS));

export function notify(ui: UiState, text: string, at: number, isError = false): UiState {
  return { ...ui, notice: { text, isError, until: at + NOTICE_MS } };
}

/** Extends the notice to the full NOTICE_MS again. */
export const renewNotice = ({ notice }: UiState, at: number): UiState['notice'] =>
  notice && { ...notice, until: at + NOTICE_MS };
