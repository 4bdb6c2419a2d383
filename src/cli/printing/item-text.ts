/**
 * Formats an inbox item for the command line: the session, the question, all texts that help to answer it, and the
 * command that answers it.
 *
 * In:   the item from the daemon.
 * Out:  text wrapped to the terminal.
 */
import {
  cut,
  defaultAnswerOf,
  displayLine,
  type Item,
  optionsOf,
  seenWords,
  spanWords,
  takesText,
  typedOfAnswer,
  widthOf,
} from '../../protocol/index.js';
import { localTime } from './local-time.js';
import { messageRows, wrapped } from './message-text.js';
import type { Paint } from './paint.js';

interface ItemTextOptions {
  readonly paint: Paint;
  /** Width of the terminal in columns; Infinity for a pipe. */
  readonly columns: number;
  /** Milliseconds since the epoch, for ages. */
  readonly now: number;
  /** True to show everything in full, with the item's origin. Otherwise long parts are cut. */
  readonly isWhole?: boolean;
  /** True if the person is asked for the answer directly below. The commands that answer it are then left out. */
  readonly isAsked?: boolean;
  /** The item's place in a list, shown before its type. */
  readonly number?: number;
}

const INDENT = '  ';
/** Maximum number of rows for each part of an item in the list. */
const LIST_ROWS = 8;

export function itemText(item: Item, options: ItemTextOptions): string {
  return `${headRows(item, options).join('\n')}\n${itemBody(item, options)}\n`;
}

/** Formats the item without its first row, which names the session. No line feed at the end. */
export function itemBody(item: Item, options: ItemTextOptions): string {
  const { paint, columns, isWhole = false } = options;
  const room = { columns: columns - INDENT.length };
  const said = messageRows(item, { paint, ...room, isBarred: true, ...(!isWhole && { mostRows: LIST_ROWS }) });
  const isOpen = item.state === 'open';
  const answer = options.isAsked ? [] : isOpen ? howToAnswer(item) : howToDeliver(item);
  const rows = [
    ...said,
    ...spaced(choiceRows(item, options, room)),
    ...spaced(suggestionRows(item, options)),
    ...spaced(answer.map((command) => paint('cyan', command))),
    ...(isWhole ? spaced(originRows(item, options, room)) : []),
  ];
  return rows.map((row) => (row === '' ? '' : INDENT + row)).join('\n');
}

/** Returns the commands that answer the item, the most useful first. */
export function howToAnswer(item: Item): string[] {
  const { id } = item;
  const options = optionsOf(item);
  const isWhole = (option: string): boolean => !option.endsWith(' ');
  const numbers = options.flatMap((option, at) => (isWhole(option) ? [at + 1] : []));
  const others = numbers.length > 1 ? `   (or ${spanned(numbers.slice(1))})` : '';
  const byOption = numbers.length === 0 ? [] : [`orchd answer ${id} --option ${numbers[0]}${others}`];
  const started = options.find((option) => !isWhole(option)) ?? '';
  const byText = takesText(item) ? [`orchd answer ${id} "${displayLine(started)}${started === '' ? '' : ' '}…"`] : [];
  const atTerminal = takesText(item) ? [] : [`orchd attach ${item.session_id}`];
  return [...byOption, ...byText, ...atTerminal, `orchd answer ${id} --decline`];
}

/** Returns the commands that deliver a stalled answer. */
function howToDeliver({ answer, session_id }: Item): string[] {
  if (answer?.delivery !== 'stalled') return [];
  if (answer.stalled_reason === 'not_submitted')
    return [`orchd keys ${session_id} Enter`, `orchd attach ${session_id}`];
  if (answer.stalled_reason === 'composer_busy') return [`orchd attach ${session_id}`, `orchd keys ${session_id} C-u`];
  if (answer.stalled_reason === 'text_changed') return [`orchd send ${session_id} "…"`, `orchd attach ${session_id}`];
  if (answer.stalled_reason === 'part_left')
    return [`orchd attach ${session_id}`, `orchd keys ${session_id} C-u`, `orchd keys ${session_id} Enter`];
  return [];
}

/** Returns `2`, `2, 3` or `2 to 9`. */
const spanned = (numbers: readonly number[]): string =>
  numbers.length > 2 ? `${numbers[0]} to ${numbers.at(-1)}` : numbers.join(', ');

const spaced = (rows: readonly string[]): readonly string[] => (rows.length === 0 ? [] : ['', ...rows]);

/** Returns `QUESTION  build  2m ago  itm_4f…`, on several rows if the terminal is too narrow. */
function headRows(item: Item, { paint, columns, now, number }: ItemTextOptions): string[] {
  const name = displayLine(item.session_name);
  const facts = [ago(item.opened_at, now), item.id].join('  ');
  const state = item.state === 'open' ? '' : outcome(item);
  const place = number === undefined ? '' : `${number}  `;
  const type = `${paint('dim', place)}${paint('bold', item.type)}`;
  const typeCols = place.length + item.type.length + 2;
  const line = [name, facts, state].filter(Boolean).join('  ');
  if (widthOf(line) + typeCols <= columns) {
    const rest = [facts, state].filter(Boolean).join('  ');
    return [`${type}  ${name}  ${paint('dim', rest)}`];
  }
  const below = [facts, state].filter(Boolean).flatMap((text) => wrapped(text, { columns: columns - INDENT.length }));
  return [`${type}  ${cut(name, columns - typeCols)}`, ...below.map((row) => INDENT + paint('dim', row))];
}

function outcome({ state, answer }: Item): string {
  if (!answer) return state;
  if (answer.declined) return `declined by ${displayLine(answer.by)}`;
  const held = answer.delivery === 'stalled' ? ` (stalled: ${answer.stalled_reason})` : '';
  return `${state} by ${displayLine(answer.by)}: ${displayLine(answer.text)}${held}`;
}

function choiceRows(item: Item, { paint }: ItemTextOptions, room: { readonly columns: number }): string[] {
  const options = optionsOf(item);
  const width = String(options.length).length;
  return options.flatMap((option, at) => {
    const label = `${displayLine(option)}${option.endsWith(' ') ? ' …' : ''}`;
    const lines = wrapped(label, { columns: room.columns - width - 1 });
    const number = paint('cyan', String(at + 1).padStart(width));
    return lines.map((line, y) => `${y === 0 ? number : ' '.repeat(width)} ${line}`);
  });
}

/** Returns the default answer, and when the daemon will send it. */
function suggestionRows(item: Item, { paint, now }: ItemTextOptions): string[] {
  const answer = item.state === 'open' ? defaultAnswerOf(item) : null;
  if (!answer) return [];
  const shown = `“${displayLine(answer.text)}”`;
  if (answer.at === null) return [paint('dim', `The agent suggests ${shown}.`)];
  const left = Math.max(0, Math.ceil((answer.at - now) / 1000));
  return [paint('yellow', `In ${spanWords(left)} ${shown} becomes the answer.`)];
}

/** Returns rows with the item's origin, for `orchd explain` and for scripts. */
function originRows(item: Item, { paint }: ItemTextOptions, room: { readonly columns: number }): string[] {
  const { session_id, session_name, opened_at, origin, message_id, task_id, run_id, workflow_id, answer } = item;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['from', `${displayLine(session_name)} (${session_id})`],
    ['asked', localTime(opened_at)],
    ['heard', origin.to > origin.from ? `${origin.ear}, bytes ${origin.from} to ${origin.to}` : undefined],
    ['task', task_id],
    ['run', run_id],
    ['workflow', workflow_id],
    ['message', message_id ?? undefined],
    ['typed', (answer && typedOfAnswer(answer)) ?? undefined],
    ['delivery', answer?.delivery],
    ['stalled', answer?.stalled_reason],
    ['seen', answer?.seen === undefined ? undefined : seenWords(answer.stalled_reason, displayLine(answer.seen))],
  ];
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts.flatMap(([name, value]) => {
    if (value === undefined) return [];
    const lines = wrapped(value, { columns: room.columns - width - 2 });
    return lines.map((line, y) => `${paint('dim', (y === 0 ? name : '').padEnd(width))}  ${line}`);
  });
}

/** Returns, for example, `2m ago`. */
const ago = (since: string, now: number): string => `${spanWords(Math.max(0, (now - Date.parse(since)) / 1000))} ago`;
