/**
 * An item's details in a box. The question scrolls; the options and the answer stay visible below it.
 *
 * Pure: takes an item, a size and the UI state; returns rows, how far they can be scrolled, and the number of visible
 * options.
 */
import type { Ear, Item, Session } from '../../protocol/index.js';
import { optionKey } from '../acts/item-acts.js';
import type { Mode, UiState } from '../acts/ui-state.js';
import { editorRows } from '../input/editor-rows.js';
import type { ItemEntry } from '../model/items/item-entry.js';
import {
  answerWords,
  deadlineOf,
  declineQuestion,
  defaultOf,
  deliveryWords,
  optionsOf,
  outcomeOf,
  sectionsOf,
  subjectOf,
} from '../model/items/item-words.js';
import { entryOfItem, type Model } from '../model/model.js';
import { age, clock, countdown } from '../paint/ages.js';
import type { Layout } from '../paint/layout.js';
import { type Area, itemAreas } from '../paint/layout.js';
import { markdownRows } from '../paint/markdown.js';
import type { Paint } from '../paint/paint.js';
import { padded } from '../paint/rows.js';
import { commandLine, cut, fill, plainLine, widthOf, wrap } from '../paint/text.js';

interface ItemView {
  readonly rows: readonly string[];
  readonly maxScroll: number;
  /** Number of hidden rows of the question above and below the visible part. */
  readonly above: number;
  readonly below: number;
  readonly visibleOptions: number;
  /** Number of options above the visible ones. */
  readonly hiddenOptions: number;
}

interface ItemViewOptions {
  readonly entry: ItemEntry;
  readonly mode: Mode;
  readonly isSending: boolean;
  readonly now: number;
  readonly columns: number;
  readonly height: number;
  /** The session that asks, if it is known. */
  readonly session?: Session | null;
  /** True to show texts as written, not as markdown. */
  readonly isRaw?: boolean;
  /** The name of the workflow that asks, if it is known. */
  readonly workflow?: string | null;
  /** True if no session screen is shown below the box. */
  readonly isAlone?: boolean;
}

/** Minimum number of visible rows of the question. */
const MIN_ROWS = 2;
/** A box with fewer rows has no blank rows. */
const TIGHT_ROWS = 9;
/** Rows kept free for the answer and its delivery state. */
const FOOT_ROWS = 2;

export function viewItem(paint: Paint, options: ItemViewOptions): ItemView {
  const { columns, height, mode } = options;
  const width = columns - 2;
  const said = askedRows(paint, options, width);
  const origin = originRows(paint, options, width);
  const foot = footRows(paint, options, width, Math.max(1, Math.floor(height / 2)));
  const isTight = height < TIGHT_ROWS;
  const selected = mode.kind === 'item' ? (mode.option ?? null) : null;
  const wrapped = choiceRows(paint, options.entry, width, false, selected);
  // The origin is below the options if everything has room. Otherwise it is reached by scrolling the question.
  const whole = said.length + wrapped.flat().length + origin.length + foot.length + 3;
  const isBelow = wrapped.length > 0 && whole <= height;
  const asked = isBelow ? said : [...said, '', ...origin];
  const wanted = asked.length;
  const room = Math.max(0, height - foot.length - (foot.length > 0 && !isTight ? 1 : 0));
  // Options are cut only if the question would have no room. An option is shown whole or not at all.
  const spare = room - Math.min(wanted, isTight ? 1 : MIN_ROWS) - (isTight ? 0 : 1);
  const choices = wrapped.flat().length <= spare ? wrapped : choiceRows(paint, options.entry, width, true, selected);
  let shownChoices = choices;
  let hiddenOptions = 0;
  while (shownChoices.length > 0 && shownChoices.flat().length > spare) {
    // The selected option stays in sight.
    const isLast = selected !== null && hiddenOptions + shownChoices.length <= selected;
    if (isLast) hiddenOptions += 1;
    shownChoices = isLast ? shownChoices.slice(1) : shownChoices.slice(0, -1);
  }
  const hiddenChoices = choices.length - shownChoices.length;
  const list = shownChoices.flat();
  const gap = list.length > 0 && !isTight ? 1 : 0;
  const textRows = Math.max(0, Math.min(wanted, room - list.length - gap));
  const maxScroll = Math.max(0, wanted - textRows);
  const scroll = mode.kind === 'item' ? Math.min(mode.scroll, maxScroll) : 0;
  const blank = '';
  const below = isBelow ? ['', ...origin] : [];
  const body = [
    ...asked.slice(scroll, scroll + textRows),
    ...(gap ? [blank] : []),
    ...list,
    ...(hiddenChoices > 0 && list.length < room - textRows - gap
      ? [paint('dim', cut(`… ${hiddenChoices} more: ↓ goes to them`, width))]
      : []),
    ...below,
  ];
  const filled = [
    ...body,
    ...Array.from({ length: Math.max(0, height - foot.length - body.length) }, () => blank),
    ...foot,
  ];
  return {
    rows: filled.slice(0, height).map((row) => ` ${padded(row, width)} `),
    maxScroll,
    above: scroll,
    below: maxScroll - scroll,
    visibleOptions: shownChoices.length,
    hiddenOptions,
  };
}

const ROOMY_ROWS = 10;

/** The parts of an item's view that do not come from the item. */
export type AboutItem = Pick<ItemViewOptions, 'mode' | 'now' | 'session' | 'isRaw' | 'workflow' | 'isAlone'>;

/**
 * Returns the area of an item's details and the area of its session's screen below. The origin of the item is visible
 * if the screen keeps ROOMY_ROWS; otherwise it is reached by scrolling.
 */
export function areasOf(
  paint: Paint,
  layout: Layout,
  entry: ItemEntry,
  about: AboutItem,
): { readonly item: Area; readonly screen: Area | null } {
  if (about.isAlone) return { item: itemAreas(layout, Number.POSITIVE_INFINITY).item, screen: null };
  const { width } = itemAreas(layout, 0).item;
  const columns = width - 4;
  const choices = choiceRows(paint, entry, columns).flat().length;
  const { mode } = about;
  const typed = mode.kind === 'typing' ? mode.line.pieces.filter((piece) => piece === '\n').length : 0;
  const said = askedRows(paint, { entry, ...about }, columns).length;
  const wanted = said + (choices === 0 ? 0 : choices + 1) + 1 + FOOT_ROWS + typed + 2;
  const origin = originRows(paint, { entry, ...about }, columns).length + 1;
  const roomy = itemAreas(layout, wanted + origin);
  return (roomy.screen?.height ?? 0) >= ROOMY_ROWS ? roomy : itemAreas(layout, wanted);
}

/** Returns the view that is currently shown, for the key handlers. */
export function viewItemIn(paint: Paint, layout: Layout, ui: UiState, model: Model, now: number): ItemView | null {
  const { mode } = ui;
  const itemId = 'itemId' in mode ? mode.itemId : null;
  const entry = entryOfItem(model, itemId);
  if (!entry) return null;
  const about = aboutItem(model, ui, entry, now);
  const { width, height } = areasOf(paint, layout, entry, about).item;
  const isSending = ui.sending.includes(entry.item.id);
  return viewItem(paint, { entry, isSending, columns: width - 2, height: height - 2, ...about });
}

export function aboutItem(
  { sessions, workflows }: Model,
  { mode, isRaw, view }: UiState,
  { item }: Pick<ItemEntry, 'item'>,
  now: number,
): AboutItem {
  return {
    mode,
    now,
    isRaw,
    session: sessions.find(({ id }) => id === item.session_id) ?? null,
    workflow: workflows.find(({ id }) => id === item.workflow_id)?.name ?? null,
    // A workflow asks in a session without a program, so its screen is empty; the workflow view shows its steps
    // instead. The planner of a task has already ended when its questions are asked.
    isAlone: item.task_id !== undefined || (item.workflow_id !== undefined && view !== 'workflow'),
  };
}

type Asked = Pick<ItemViewOptions, 'entry' | 'session' | 'isRaw' | 'workflow'>;

/** Names for people of the places where a message was found. */
const EARS: Readonly<Record<Ear, string>> = {
  lines: 'in what it printed',
  screen: 'on its screen',
  transcript: 'in its transcript',
  hook: 'by its hook',
  tool: 'by its tool',
};

const askedCache = new WeakMap<Item, { readonly key: string; readonly rows: string[] }>();

/**
 * Returns the question and the texts that help to answer it. Cached, because markdown must not be parsed for every
 * frame.
 */
export function askedRows(
  paint: Paint,
  { entry: { item }, isRaw = false }: { readonly entry: Pick<ItemEntry, 'item'>; readonly isRaw?: boolean | undefined },
  width: number,
): string[] {
  const key = `${width} ${isRaw} ${paint.theme}`;
  const known = askedCache.get(item);
  if (known?.key === key) return known.rows;
  const textRows = (text: string, columns: number): string[] =>
    isRaw ? wrap(text, columns) : markdownRows(paint, text, columns);
  const subject = wrap(subjectOf(item), width).map((line) => paint('bold', line));
  const sections = sectionsOf(item).flatMap(({ title, text, isMarkdown }) => [
    '',
    ...titled(paint, title, (columns) => (isMarkdown ? textRows(text, columns) : wrap(text, columns)), width),
  ]);
  const rows = [...subject, ...sections];
  askedCache.set(item, { key, rows });
  return rows;
}

const TITLE_COLUMNS = 11;

/**
 * Returns rows with the title beside them, or above them if the terminal is narrow or the title is long.
 * @param rowsFor Returns the text wrapped to a number of columns.
 * @param titleColumns Number of columns for the title.
 */
export function titled(
  paint: Paint,
  title: string | null,
  rowsFor: (columns: number) => string[],
  width: number,
  titleColumns = TITLE_COLUMNS,
): string[] {
  if (title === null) return rowsFor(width);
  if (width < 40 || widthOf(title) >= titleColumns) return [paint('dim', cut(`${title}:`, width)), ...rowsFor(width)];
  return rowsFor(width - titleColumns).map((line, y) => paint('dim', fill(y === 0 ? title : '', titleColumns)) + line);
}

/** Returns the session that asked, the time, and the byte range in the session's journal. */
function originRows(
  paint: Paint,
  { entry: { item }, session = null, workflow = null }: Asked,
  width: number,
): string[] {
  const { ear, from, to } = item.origin;
  // The session of a workflow never has a program.
  const hasProgram = session !== null && item.workflow_id === undefined;
  const program = !hasProgram ? '' : ` (${commandLine(session.command)})`;
  const source = to > from ? [['heard', `${EARS[ear]}, bytes ${from} to ${to} of its journal`] as const] : [];
  const facts = [
    ['from', cut(`${plainLine(item.session_name)}${program}`, Math.max(1, width - TITLE_COLUMNS))] as const,
    ['asked', `at ${clock(item.opened_at)}`] as const,
    ...source,
    ...(item.task_id === undefined ? [] : [['task', item.task_id] as const]),
    ...(item.workflow_id === undefined
      ? []
      : [['workflow', [...(workflow === null ? [] : [plainLine(workflow)]), item.workflow_id].join(' · ')] as const]),
    ...(item.run_id === undefined ? [] : [['run', item.run_id] as const]),
    ['item', item.id] as const,
  ];
  return facts.flatMap(([title, text]) =>
    titled(paint, title, (columns) => wrap(text, columns).map((line) => paint('dim', line)), width),
  );
}

/** Returns one entry per option, each of one row or more. In an answered item the chosen option is marked. */
function choiceRows(
  paint: Paint,
  { item }: ItemEntry,
  width: number,
  isCut = false,
  selected: number | null = null,
): string[][] {
  const isOpen = item.state === 'open';
  return optionsOf(item).map(({ label }, i) => {
    const number = optionKey(i + 1);
    const isChosen = item.answer?.option === i + 1;
    const key = isOpen
      ? paint(['bold', 'cyan'], ` ${number} `)
      : isChosen
        ? paint('green', ' ✓ ')
        : paint('dim', ` ${number} `);
    const style = isOpen ? [] : isChosen ? (['bold'] as const) : (['dim'] as const);
    const lines = isCut ? [cut(label, width - 4)] : wrap(label, width - 4);
    const isSelected = isOpen && selected === i + 1;
    const lead = isSelected ? paint(['bold', 'cyan'], `›${number} `) : key;
    return lines.map((line, y) => `${y === 0 ? lead : '   '} ${paint(isSelected ? ['bold', 'inverse'] : style, line)}`);
  });
}

/** Returns the bottom rows: the delivery state, the line to type on, the deadline. */
function footRows(
  paint: Paint,
  { entry, mode, isSending, now }: ItemViewOptions,
  width: number,
  mostRows: number,
): string[] {
  const { item } = entry;
  if (item.state !== 'open') return outcomeRows(paint, entry, width);
  if (isSending) return [paint('dim', 'sending the answer …')];
  const there = elsewhereRows(paint, entry, width);
  if (mode.kind === 'typing') {
    const label = optionsOf(item)[(mode.option ?? 0) - 1]?.label.replace(/(?<!\s)\s*…$/, '') ?? 'answer:';
    return editorRows(paint, `${label} `, mode.line, width, mostRows);
  }
  if (mode.kind === 'declining') {
    return [paint(['bold', 'yellow'], cut(declineQuestion(item), width))];
  }
  const deadline = deadlineOf(item);
  if (deadline) {
    const left = countdown(deadline.at, now);
    return [...there, paint('yellow', cut(`${left} left, then “${deadline.text}” is the answer`, width))];
  }
  const fallback = defaultOf(item);
  return fallback === null ? there : [...there, paint('dim', cut(`The agent suggests “${fallback}”`, width))];
}

/** Returns the rows about an item of another machine that is away, or to which an answer is on its way. */
function elsewhereRows(paint: Paint, { elsewhere }: ItemEntry, width: number): string[] {
  if (!elsewhere) return [];
  const { machine, away, onItsWay } = elsewhere;
  const words = onItsWay === '' ? [] : [`${onItsWay} is on its way to ${machine}`];
  return [...(away === '' ? [] : [`${machine} is ${away}`]), ...words].map((row) => paint('yellow', cut(row, width)));
}

const STEPS = ['accepted', 'written', 'acknowledged'] as const;

function outcomeRows(paint: Paint, entry: ItemEntry, width: number): string[] {
  const { answer } = entry.item;
  if (!answer) return [paint('dim', cut(outcomeOf(entry), width))];
  const said = cut(answerWords(answer), width);
  const { delivery } = answer;
  if (delivery === 'stalled') return [said, paint('red', cut(`✗ ${deliveryWords(answer)}`, width))];
  if (delivery === undefined || answer.by === 'terminal') return [said];
  const reached = STEPS.indexOf(delivery);
  const steps = STEPS.map((step, i) => (i <= reached ? paint('green', `✓ ${step}`) : paint('dim', `· ${step}`)));
  return [said, steps.join(paint('dim', ' → '))];
}

/** Returns the title, for example `Question from demo-auth`, with its age. */
export function itemTitle(
  { item }: ItemEntry,
  word: string,
  now: number,
): { readonly title: string; readonly note: string } {
  const name = `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
  return { title: `${name} from ${item.session_name}`, note: `${age(item.opened_at, now)} ago` };
}
