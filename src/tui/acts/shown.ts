/** The items, sessions, workflows and events that pass their filter. Pure; the lists are cached by the model. */
import {
  type Blueprint,
  type Event,
  type EventWords,
  eventWords,
  ITEM_BADGES,
  type RunSummary,
  type Session,
  shownRun,
  shownTask,
  shownWorkflow,
  type TaskSummary,
  type WorkflowRunSummary,
} from '../../protocol/index.js';
import type { ItemEntry } from '../model/items/item-entry.js';
import { elsewhereWords, outcomeOf, subjectOf } from '../model/items/item-words.js';
import { entryOfItem, type Model } from '../model/model.js';
import type { OtherSession } from '../model/other-machines.js';
import { plainLine } from '../paint/text.js';
import type { UiState } from './ui-state.js';

type Filtered = Pick<UiState, 'filters'>;

export const shownItems = ({ items }: Model, { filters }: Filtered): readonly ItemEntry[] =>
  filtered(items, filters.inbox, itemText);

export const shownSessions = ({ sessions }: Pick<Model, 'sessions'>, { filters }: Filtered): readonly Session[] =>
  filtered(sessions, filters.sessions, sessionText);

export const shownOthers = ({ others }: Pick<Model, 'others'>, { filters }: Filtered): readonly OtherSession[] =>
  filtered(others, filters.sessions, ({ machine, session }) => `${machine}/${sessionText(session)}`);

export const shownWorkflows = (
  { workflows }: Pick<Model, 'workflows'>,
  { filters }: Filtered,
): readonly WorkflowRunSummary[] => filtered(workflows, filters.workflows, workflowText);

type Working = Pick<Model, 'work'>;

export const shownTasks = ({ work }: Working, { filters }: Filtered): readonly TaskSummary[] =>
  filtered(work.tasks, filters.tasks, taskText);

export const shownRuns = ({ work }: Working, { filters }: Filtered): readonly RunSummary[] =>
  filtered(work.runs, filters.runs, runText);

export const shownBlueprints = ({ work }: Working, { filters }: Filtered): readonly Blueprint[] =>
  filtered(work.blueprints, filters.blueprints, blueprintText);

export interface FeedLine extends EventWords {
  readonly event: Event;
  /** The current name of the session or workflow. */
  readonly who: string;
}

/** Returns the feed in words, oldest first. Events that another line already describes are left out. */
export function shownFeed(
  { feed, sessions, workflows }: Pick<Model, 'feed' | 'sessions' | 'workflows'>,
  { filters }: Filtered,
): readonly FeedLine[] {
  const known = feeds.get(feed);
  const isSame = known?.sessions === sessions && known.workflows === workflows && known.filter === filters.feed;
  if (isSame) return known.lines;
  const names = new Map([...sessions, ...workflows].map(({ id, name }) => [id, plainLine(name)]));
  const all = feed.flatMap((event): FeedLine[] => {
    const words = wordsOf(event);
    return words ? [{ ...words, event, who: whoTells(event, names) }] : [];
  });
  const lines = filtered(all, filters.feed, ({ who, text }) => `${who} ${text}`);
  feeds.set(feed, { sessions, workflows, filter: filters.feed, lines });
  return lines;
}

const feeds = new WeakMap<
  readonly Event[],
  Pick<Model, 'sessions' | 'workflows'> & { readonly filter: string; readonly lines: readonly FeedLine[] }
>();
/** Returns the name of the event's session, else of its workflow. */
function whoTells(event: Event, names: ReadonlyMap<string, string>): string {
  const id = event.session_id ?? event.workflow_id;
  return typeof id === 'string' ? (names.get(id) ?? '') : 'orchd';
}

const spoken = new WeakMap<Event, EventWords | null>();

function wordsOf(event: Event): EventWords | null {
  const known = spoken.get(event);
  if (known !== undefined) return known;
  const words = eventWords(event);
  spoken.set(event, words);
  return words;
}

function itemText(entry: ItemEntry): string {
  const { item } = entry;
  const { word } = ITEM_BADGES[item.type];
  return `${elsewhereWords(entry)}${word} ${item.session_name} ${subjectOf(item)} ${item.state === 'open' ? '' : outcomeOf(entry)}`;
}

const sessionText = ({ name, state, adapter, command, current_step, cwd, tags = [] }: Session): string =>
  `${name} ${state} ${adapter} ${command.join(' ')} ${current_step ?? ''} ${cwd} ${tags.map((tag) => `#${tag}`).join(' ')}`;

const workflowText = ({ id, name, state, current, error }: WorkflowRunSummary): string =>
  `${name} ${state} ${shownWorkflow({ state }).word} ${current.join(' ')} ${error?.message ?? ''} ${id}`;

const taskText = (task: TaskSummary): string =>
  `${task.state} ${shownTask(task).word} ${task.prompt} ${task.current_agent ?? task.assigned_agent ?? ''} ` +
  `${task.error?.message ?? ''} ${task.id}`;

const runText = (run: RunSummary): string =>
  `${run.state} ${shownRun(run).word} ${run.prompt} ${run.blueprint ?? ''} ${run.adapter} ` +
  `${run.error?.message ?? ''} ${run.id}`;

const blueprintText = ({ name, description, adapter, source }: Blueprint): string =>
  `${name} ${description} ${adapter ?? ''} ${source}`;

/** Returns the entries whose text contains every word of the filter, in any case and order. */
function filtered<T extends object>(all: readonly T[], filter: string, textOf: (one: T) => string): readonly T[] {
  const words = wordsIn(filter);
  if (words.length === 0) return all;
  const known = filterings.get(all);
  if (known?.filter === filter) return known.kept as readonly T[]; // stored for the same list, so the type is right
  const kept = all.filter((one) => {
    const text = textOf(one).toLowerCase();
    return words.every((word) => text.includes(word));
  });
  filterings.set(all, { filter, kept });
  return kept;
}

const filterings = new WeakMap<readonly object[], { readonly filter: string; readonly kept: readonly object[] }>();

const wordsIn = (filter: string): string[] => filter.toLowerCase().split(/\s+/).filter(Boolean);

/** Returns the item that is open in details. */
export function entryOf({ model, ui }: { readonly model: Model; readonly ui: UiState }): ItemEntry | null {
  const itemId = 'itemId' in ui.mode ? ui.mode.itemId : null;
  return itemId === null ? null : (entryOfItem(model, itemId) ?? null);
}
