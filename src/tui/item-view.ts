/**
 * An item's details in a box: what is asked scrolls, what can be answered stays in sight below it.
 *
 * Pure: an item, a size and a place → rows, how far it can be scrolled, and how many options are in sight.
 */
import { takesText } from '../protocol/index.js';
import { age, countdown } from './ages.js';
import {
  answerWords,
  deadlineOf,
  defaultOf,
  deliveryWords,
  optionsOf,
  outcomeOf,
  sectionsOf,
  subjectOf,
} from './item-words.js';
import type { Layout } from './layout.js';
import { type Area, itemAreas } from './layout.js';
import type { Line } from './line-editor.js';
import type { ItemEntry } from './model.js';
import type { Paint } from './paint.js';
import type { Mode, Place } from './steering.js';
import { cut, fill, steadyText, widthOf, wrap } from './text.js';

export interface ItemView {
  readonly rows: readonly string[];
  readonly maxScroll: number;
  /** Rows of what is asked that stand above and below. */
  readonly above: number;
  readonly below: number;
  readonly visibleOptions: number;
}

export interface ItemViewOptions {
  readonly entry: ItemEntry;
  readonly mode: Mode;
  readonly isSending: boolean;
  readonly now: number;
  readonly columns: number;
  readonly height: number;
}

/** Of what is asked at least so much is shown. */
const LEAST_ROWS = 2;
/** A box of fewer rows has none to spare for blank ones. */
const TIGHT_ROWS = 9;
/** Kept free for the answer and how far it has come. */
const FOOT_ROWS = 2;

export function viewItem(paint: Paint, options: ItemViewOptions): ItemView {
  const { columns, height, mode } = options;
  const width = columns - 2;
  const asked = askedRows(paint, options.entry, width);
  const foot = footRows(paint, options, width);
  const isTight = height < TIGHT_ROWS;
  const wrapped = choiceRows(paint, options.entry, width);
  const wanted = asked.length;
  const room = Math.max(0, height - foot.length - (foot.length > 0 && !isTight ? 1 : 0));
  // Options keep their place unless nothing could be read above them; whole ones only.
  const spare = room - Math.min(wanted, isTight ? 1 : LEAST_ROWS) - (isTight ? 0 : 1);
  const choices = wrapped.flat().length <= spare ? wrapped : choiceRows(paint, options.entry, width, true);
  let shownChoices = choices;
  while (shownChoices.length > 0 && shownChoices.flat().length > spare) shownChoices = shownChoices.slice(0, -1);
  const hiddenChoices = choices.length - shownChoices.length;
  const list = shownChoices.flat();
  const gap = list.length > 0 && !isTight ? 1 : 0;
  const textRows = Math.max(0, Math.min(wanted, room - list.length - gap));
  const maxScroll = Math.max(0, wanted - textRows);
  const scroll = mode.kind === 'item' ? Math.min(mode.scroll, maxScroll) : 0;
  const blank = '';
  const body = [
    ...asked.slice(scroll, scroll + textRows),
    ...(gap ? [blank] : []),
    ...list,
    ...(hiddenChoices > 0 && list.length < room - textRows - gap
      ? [paint('dim', cut(`… ${hiddenChoices} more: type the text`, width))]
      : []),
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
  };
}

/** Where the item stands, by what it has to say, and its session's screen below it. */
export function areasOf(
  paint: Paint,
  layout: Layout,
  entry: ItemEntry,
): { readonly item: Area; readonly screen: Area | null } {
  const { width } = itemAreas(layout, 0).item;
  const columns = width - 4;
  const choices = choiceRows(paint, entry, columns).flat().length;
  const rows = askedRows(paint, entry, columns).length + (choices === 0 ? 0 : choices + 1) + 1 + FOOT_ROWS;
  return itemAreas(layout, rows + 2);
}

/** For the keys: the same view, where the layout puts it. */
export function viewItemIn(
  paint: Paint,
  layout: Layout,
  place: Place,
  items: readonly ItemEntry[],
  now: number,
): ItemView | null {
  const { mode } = place;
  const itemId = 'itemId' in mode ? mode.itemId : null;
  const entry = items.find(({ item }) => item.id === itemId);
  if (!entry) return null;
  const { width, height } = areasOf(paint, layout, entry).item;
  const isSending = place.sending.includes(entry.item.id);
  return viewItem(paint, { entry, mode, isSending, now, columns: width - 2, height: height - 2 });
}

function askedRows(paint: Paint, { item }: ItemEntry, width: number): string[] {
  const subject = wrap(subjectOf(item), width).map((line) => paint('bold', line));
  const sections = sectionsOf(item).flatMap(({ title, text }) => [
    '',
    ...(title === null ? wrap(text, width) : titled(paint, title, text, width)),
  ]);
  return [...subject, ...sections];
}

const TITLE_COLUMNS = 11;

function titled(paint: Paint, title: string, text: string, width: number): string[] {
  if (width < 40) return [paint('dim', `${title}:`), ...wrap(text, width)];
  return wrap(text, width - TITLE_COLUMNS).map(
    (line, y) => paint('dim', fill(y === 0 ? title : '', TITLE_COLUMNS)) + line,
  );
}

/** One entry per option, each one row or more; once it is answered, the chosen one marked. */
function choiceRows(paint: Paint, { item }: ItemEntry, width: number, isCut = false): string[][] {
  const isOpen = item.state === 'open';
  return optionsOf(item).map(({ label }, i) => {
    const number = i < 9 ? String(i + 1) : '·';
    const isChosen = item.answer?.option === i + 1;
    const key = isOpen
      ? paint(['bold', 'cyan'], ` ${number} `)
      : isChosen
        ? paint('green', ' ✓ ')
        : paint('dim', ` ${number} `);
    const style = isOpen ? [] : isChosen ? (['bold'] as const) : (['dim'] as const);
    const lines = isCut ? [cut(label, width - 4)] : wrap(label, width - 4);
    return lines.map((line, y) => `${y === 0 ? key : '   '} ${paint(style, line)}`);
  });
}

/** What stands at the bottom: how the answer goes, a line to type on, a deadline. */
function footRows(paint: Paint, { entry, mode, isSending, now }: ItemViewOptions, width: number): string[] {
  const { item } = entry;
  if (item.state !== 'open') return outcomeRows(paint, entry, width);
  if (isSending) return [paint('dim', 'sending the answer …')];
  if (mode.kind === 'typing') {
    const label = optionsOf(item)[(mode.option ?? 0) - 1]?.label.replace(/\s*…$/, '') ?? 'answer:';
    return [inputRow(paint, `${label} `, mode.line, width)];
  }
  if (mode.kind === 'declining') {
    const question = takesText(item)
      ? 'Decline it? The agent is told “declined”. y: yes, any other key: no'
      : 'Put it away? Nothing is typed; the program still asks. y: yes, any other key: no';
    return [paint(['bold', 'yellow'], cut(question, width))];
  }
  const deadline = deadlineOf(item);
  if (deadline) {
    const left = countdown(deadline.at, now);
    return [paint('yellow', cut(`${left} left, then “${deadline.text}” is the answer`, width))];
  }
  const fallback = defaultOf(item);
  return fallback === null ? [] : [paint('dim', cut(`The agent suggests “${fallback}”`, width))];
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

/** The line being typed, cut so that the cursor is in sight. */
function inputRow(paint: Paint, label: string, { pieces, at }: Line, width: number): string {
  const shownLabel = cut(label, Math.floor(width / 2));
  const room = width - widthOf(shownLabel) - 1;
  const shown = pieces.map(steadyText);
  let from = at;
  let used = 0;
  while (from > 0 && used + widthOf(shown[from - 1] ?? '') < room) {
    from -= 1;
    used += widthOf(shown[from] ?? '');
  }
  let to = at;
  while (to < shown.length && used + widthOf(shown[to] ?? '') <= room) {
    used += widthOf(shown[to] ?? '');
    to += 1;
  }
  const before = shown.slice(from, at).join('');
  const under = at < to ? (shown[at] ?? ' ') : ' ';
  const after = shown.slice(at + 1, to).join('');
  return `${paint(['bold', 'cyan'], shownLabel)}${before}${paint('inverse', under)}${after}`;
}

const SGR = /\x1b\[[0-9;]*m/g;

function padded(row: string, width: number): string {
  return row + ' '.repeat(Math.max(0, width - widthOf(row.replaceAll(SGR, ''))));
}

/** `Question from demo-auth`, and when. */
export function itemTitle(
  { item }: ItemEntry,
  word: string,
  now: number,
): { readonly title: string; readonly note: string } {
  const name = `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
  return { title: `${name} from ${item.session_name}`, note: `${age(item.opened_at, now)} ago` };
}
