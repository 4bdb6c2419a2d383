/** Formats an explanation for a terminal: one section per stage, from the bytes to the answer. */
import { displayLine, displayText, type Event, type OutputOf } from '../../protocol/index.js';
import { widthOf } from '../../tui/paint/text.js';
import { describeEvent } from './describe-event.js';
import { barred } from './message-text.js';
import type { Paint } from './paint.js';

type Explanation = OutputOf<'event.explain'>;

const MAX_BYTE_ROWS = 24;
const MAX_RECORD_CHARS = 1_000;
const COPY_WORDS: Readonly<Record<Explanation['copies'][number]['standing'], string>> = {
  told: 'this is it',
  merged: 'the same message, found by another reader',
  echo: 'repeats what was typed; does not count',
  copy: 'the same message, found by the terminal’s other reader',
};

/** @param columns  Width of the terminal; Infinity for a pipe. */
export function printExplanation(explanation: Explanation, paint: Paint, columns: number): string {
  const { bytes, screen, verdict, copies, route, delivery, missing, rule, heard_again } = explanation;
  const event = explanation.event as unknown as Event; // the daemon sends the event as it is in the log
  const head = [paint('bold', displayLine(explanation.summary)), describeEvent(event, paint)];
  const again = heard_again === true ? ['Hearing the journal again gives the same.'] : [];
  const sections: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ['rule', [...rule, ...again]],
    ['bytes', bytes ? byteLines(bytes, paint, columns) : []],
    ['heard', copies.length > 1 ? copies.map(copyLine) : []],
    ['screen', screen ? screenLines(screen, paint, columns) : []],
    ['verdict', verdict ? verdictLines(verdict) : []],
    ['route', route.length > 1 ? route.map((one) => describeEvent(one as unknown as Event, paint)) : []],
    ['delivery', delivery ? deliveryLines(delivery) : []],
    ['missing', missing],
  ];
  const parts = sections
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => [paint('cyan', title), ...lines.map((line) => `  ${line}`)].join('\n'));
  return `${[head.join('\n'), ...parts].join('\n\n')}\n`;
}

function byteLines(bytes: NonNullable<Explanation['bytes']>, paint: Paint, columns: number): string[] {
  const { from, to, printed, escaped, text, records, time } = bytes;
  const when = time === null ? '' : `, from ${time}`;
  const place = `journal ${from} to ${to}: ${printed} bytes of output${when}`;
  const plain = displayText(text).trimEnd().split('\n');
  const rows = escaped
    .replaceAll('\\n', '\\n\n')
    .trimEnd()
    .split('\n')
    .flatMap((row) => cutUp(row, columns - 2));
  const notes = records.flatMap((record) =>
    cutUp(displayLine(JSON.stringify(record)).slice(0, MAX_RECORD_CHARS), columns - 2),
  );
  const isPlain = printed === 0 || !escaped.includes('\\e');
  return [
    place,
    ...bounded(rows),
    ...notes,
    ...(isPlain ? [] : ['as text:', ...barred(bounded(plain.flatMap((row) => cutUp(row, columns - 4))), paint)]),
  ].filter((row) => row !== '');
}

const bounded = (rows: readonly string[]): string[] =>
  rows.length > MAX_BYTE_ROWS
    ? [...rows.slice(0, MAX_BYTE_ROWS), `… ${rows.length - MAX_BYTE_ROWS} rows more: --json has them`]
    : [...rows];

/** Cuts a row into rows no wider than the terminal. */
function cutUp(row: string, columns: number): string[] {
  const rows: string[] = [];
  for (let rest = row; ; ) {
    const part = Number.isFinite(columns) ? fitting(rest, Math.max(20, columns)) : rest;
    rows.push(part);
    rest = rest.slice(part.length);
    if (rest === '') return rows;
  }
}

function fitting(text: string, columns: number): string {
  let fits = '';
  let width = 0;
  for (const char of text) {
    width += widthOf(char);
    if (width > columns) break;
    fits += char;
  }
  return fits;
}

const copyLine = ({ ear, standing, from, to }: Explanation['copies'][number]): string =>
  `by the reader '${ear}' at ${from} to ${to}: ${COPY_WORDS[standing]}`;

function screenLines(screen: NonNullable<Explanation['screen']>, paint: Paint, columns: number): string[] {
  const { rows, marked, size, time, position, alternate } = screen;
  const kind = alternate ? ', the alternate screen' : '';
  const last = rows.findLastIndex((row) => row.trim() !== '');
  const shown = rows.slice(0, last + 1).map((row, y) => {
    const text = fitting(displayText(row).trimEnd(), Math.max(10, columns - 4));
    return marked.includes(y) ? paint('yellow', `▌ ${text}`) : `${paint('dim', '│')} ${text}`;
  });
  const mark = marked.length > 0 ? '; ▌ marks it' : '';
  return [`${size.cols}x${size.rows}${kind} at journal ${position}, ${time}${mark}`, ...shown];
}

function verdictLines({ accepted, reason, schema, key, errors }: NonNullable<Explanation['verdict']>): string[] {
  const how = accepted ? 'accepted' : `rejected: ${reason}`;
  return [
    `${how}${schema === null ? '' : `, by ${schema}`}; the session’s key is ${key}`,
    ...errors.map(({ path, message }) => displayLine(`${path}: ${message}`)),
  ];
}

function deliveryLines(delivery: NonNullable<Explanation['delivery']>): string[] {
  const { state, write_id, text, begun, written, failed, entered_again, evidence, reason } = delivery;
  const place = (words: string, at: { position: number; time: string } | null): string[] =>
    at === null ? [] : [`${words} at journal ${at.position}, ${at.time}`];
  const why = evidence ?? reason;
  return [
    `${state ?? 'nothing was typed'}${why === null ? '' : `: ${displayLine(why)}`} (${write_id})`,
    ...(text === null ? [] : [`typed: ${displayLine(text)}`]),
    ...place('taken by the host', begun),
    ...place('written', written),
    ...place('given up', failed),
    ...place('Enter repeated', entered_again),
  ];
}
