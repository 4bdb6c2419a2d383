/** Where the person is in the TUI, what can be asked to be done, and the small steps between places. Pure values. */
import type { InputOf } from '../protocol/index.js';
import type { Form } from './form.js';
import type { Keymap } from './keymap.js';
import type { Line } from './line-editor.js';
import type { Model } from './model.js';
import type { WorkForm, WorkRequest } from './work/work-form.js';

export type ListName = 'inbox' | 'sessions' | 'feed';
/** What can be narrowed down. */
export type FilterName = ListName | 'workflows' | 'tasks' | 'runs' | 'blueprints';
/** The view that is open: the lists; workflows; tasks, runs and blueprints (work/); all that a session said. */
export type ViewName = 'lists' | WorkflowViewName | WorkViewName;
/** All workflows, one as a table of its steps, one step alone. */
export type WorkflowViewName = 'workflows' | 'workflow' | 'step';
export type WorkViewName = 'tasks' | 'task' | 'runs' | 'run' | 'blueprints' | 'blueprint' | 'session';

export type Mode =
  | { readonly kind: 'browse' }
  | { readonly kind: 'item'; readonly itemId: string; readonly since: number; readonly scroll: number }
  /** Typing an answer; after an option's text, if one was chosen that wants more. */
  | { readonly kind: 'typing'; readonly itemId: string; readonly option: number | null; readonly line: Line }
  | { readonly kind: 'declining'; readonly itemId: string }
  | { readonly kind: 'filtering'; readonly list: FilterName; readonly line: Line }
  | { readonly kind: 'renaming'; readonly sessionId: string; readonly line: Line }
  | { readonly kind: 'killing'; readonly sessionId: string }
  | { readonly kind: 'cancelling'; readonly workflowId: string }
  /** A workflow that is over, from this step on. */
  | { readonly kind: 'resuming'; readonly workflowId: string; readonly stepId: string }
  | { readonly kind: 'cancelling_work'; readonly what: 'task' | 'run'; readonly id: string }
  | { readonly kind: 'starting'; readonly form: Form }
  /** A new task, or a new run. */
  | { readonly kind: 'filling'; readonly form: WorkForm }
  | { readonly kind: 'palette'; readonly line: Line; readonly selected: number; readonly back: Mode }
  | { readonly kind: 'help'; readonly scroll: number; readonly back: Mode };

export interface Place {
  readonly view: ViewName;
  /** The workflow that is selected among all, or looked at; null: the first. */
  readonly workflowId: string | null;
  /** The step that is selected; null: the one where it stands, wherever that is. */
  readonly stepId: string | null;
  /** Of a step alone. */
  readonly stepScroll: number;
  /** The task, run and blueprint that is selected in its list, or looked at; null: the first. */
  readonly taskId: string | null;
  readonly runId: string | null;
  readonly blueprint: string | null;
  /** Rows that the details of a task, a run, a blueprint or a session are scrolled by. */
  readonly scroll: number;
  /** The list that was open last, of the three. */
  readonly workList: 'tasks' | 'runs' | 'blueprints';
  /** The view that Esc in the details of a run leads back to. */
  readonly runBack: 'runs' | 'task';
  /** Where the keys go. While it is the feed, the pane shows it. */
  readonly focus: ListName;
  /** Which list had the keys last: its selected one is what the pane shows. */
  readonly list: 'inbox' | 'sessions';
  readonly itemId: string | null;
  readonly sessionId: string | null;
  /** Where the selected ones stood in what is shown, for when they are gone. */
  readonly itemIndex: number;
  readonly sessionIndex: number;
  /** The event at the bottom of the feed; null: the newest, whichever it is. */
  readonly feedSeq: number | null;
  /** What a list shows: lines with all these words; '' for all. */
  readonly filters: Readonly<Record<FilterName, string>>;
  /** What the pane shows; where both are shown, which is the larger. */
  readonly pane: 'screen' | 'feed';
  /** The pane alone, without lists. */
  readonly isZoomed: boolean;
  /** Texts are shown as they were written, not as markdown. */
  readonly isRaw: boolean;
  readonly mode: Mode;
  /** Before the first key: the keys go where there is something to do. */
  readonly isUntouched: boolean;
  /** Items whose answer is on its way to the daemon. */
  readonly sending: readonly string[];
  /** Answers that were begun and not sent, by item. */
  readonly drafts: ReadonlyMap<string, string>;
  readonly notice: { readonly text: string; readonly isError: boolean; readonly until: number } | null;
  /** Somebody types an answer that nothing takes: until then, and again after each key, text is no command. */
  readonly deaf: { readonly until: number; readonly hasText: boolean } | null;
}

export interface StartRequest {
  readonly command: readonly string[];
  readonly name: string;
  readonly adapter: string | null;
  readonly directory: string;
  /** A branch for a worktree of its own; null for none. */
  readonly branch: string | null;
  readonly isTaught: boolean;
}

export type Deed =
  | {
      readonly kind: 'answer';
      readonly itemId: string;
      readonly request: { readonly option?: number; readonly text?: string; readonly decline?: true };
    }
  | { readonly kind: 'attach'; readonly sessionId: string }
  /** Write the answer in the person's own editor. */
  | { readonly kind: 'edit'; readonly itemId: string; readonly option: number | null; readonly text: string }
  | { readonly kind: 'rename'; readonly request: InputOf<'session.rename'> }
  | { readonly kind: 'kill'; readonly sessionId: string }
  | { readonly kind: 'cancel_workflow'; readonly workflowId: string }
  /** From a step on; null: with what is not completed. */
  | { readonly kind: 'resume_workflow'; readonly workflowId: string; readonly from: string | null }
  | { readonly kind: 'start'; readonly request: StartRequest }
  /** `retry`: a task that failed is started again, or planned again if it has no plan. */
  | { readonly kind: 'task'; readonly act: 'plan' | 'start' | 'retry' | 'cancel'; readonly taskId: string }
  | { readonly kind: 'run'; readonly act: 'retry' | 'cancel'; readonly runId: string }
  | { readonly kind: 'create_work'; readonly request: WorkRequest }
  /** Look up which folders a path that is being typed may go on with. */
  | { readonly kind: 'complete'; readonly path: string }
  | { readonly kind: 'redraw' }
  | { readonly kind: 'quit' };

/** What stands at a cell of the terminal. */
export type Target =
  | { readonly kind: 'list'; readonly list: ListName; readonly index: number | null }
  /** The list of workflows, the steps of one, or a list of tasks, runs or blueprints. */
  | { readonly kind: 'table'; readonly index: number | null }
  | { readonly kind: 'item' }
  | { readonly kind: 'screen' };

export interface Surroundings {
  readonly model: Model;
  readonly at: number;
  readonly keymap: Keymap;
  /** What programs can be said to be, for a new session. */
  readonly adapters: readonly string[];
  /** Where the TUI was started. */
  readonly directory: string;
  /** Of the item, step or details shown: how far it can be scrolled, and how many of its options are in sight. */
  readonly view: () => { readonly maxScroll: number; readonly visibleOptions: number };
  /** How far help can be scrolled. */
  readonly maxHelpScroll: () => number;
  readonly targetAt: (x: number, y: number) => Target | null;
}

export interface Steered {
  readonly place: Place;
  readonly deed: Deed | null;
}

export const START: Place = {
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
  deaf: null,
};

const NOTICE_MS = 6_000;

export const stay = (place: Place): Steered => ({ place, deed: null });
export const go = (place: Place, mode: Mode): Steered => stay({ ...place, mode });
export const browse = (place: Place): Place => ({ ...place, mode: { kind: 'browse' } });

export function notify(place: Place, text: string, at: number, isError = false): Place {
  return { ...place, notice: { text, isError, until: at + NOTICE_MS } };
}

/** The notice stays in sight for as long as one that is new. */
export const renewNotice = ({ notice }: Place, at: number): Place['notice'] =>
  notice && { ...notice, until: at + NOTICE_MS };
