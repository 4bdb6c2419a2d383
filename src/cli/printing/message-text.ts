/**
 * Formats a message or an item for the command line: its subject, then every other part, wrapped to the terminal.
 *
 * In:   the message, and the number of columns (Infinity for a pipe: nothing is wrapped).
 * Out:  rows without line feeds, free of control and bidi characters.
 *
 * If orchd prints rows of its own below, such as the commands that answer an item, each row of the text has a bar. A
 * text that imitates those rows can thus be recognized as the text of an agent:
 *
 *     │ Deploy?
 *     │
 *     │ orchd answer itm_4f --option 1
 */
import { messageWords, type Said, type Section, widthOf, wrap } from '../../protocol/index.js';
import type { Paint } from './paint.js';

interface MessageOptions {
  readonly paint: Paint;
  readonly columns: number;
  /** Maximum rows of each part; `…` marks a cut. Default: no limit. */
  readonly mostRows?: number;
  /** True to mark each row of the text with BAR. */
  readonly isBarred?: boolean;
}

const BAR = '│';

/** Marks rows as text of an agent. */
export const barred = (rows: readonly string[], paint: Paint): string[] =>
  rows.map((row) => paint('dim', BAR) + (row === '' ? '' : ` ${row}`));

/** Returns the subject's rows, then those of each section. */
export function messageRows(said: Said, options: MessageOptions): string[] {
  const { paint, columns, isBarred = false } = options;
  const { subject, sections } = messageWords(said);
  const room = { ...options, columns: isBarred ? columns - BAR.length - 1 : columns };
  const rows = [...cutRows(wrapped(subject, room), room), ...sectionRows(sections, room)];
  return isBarred ? barred(rows, paint) : rows;
}

/** Returns the sections with a blank row before each. Short ones that are no list are on one row: `priority: high`. */
function sectionRows(sections: readonly Section[], options: MessageOptions): string[] {
  const { paint, columns } = options;
  const isShort = ({ title, text }: Section): boolean =>
    title !== null && !/\n|^- /.test(text) && widthOf(`${title}: ${text}`) <= Math.min(columns, SHORT_COLUMNS);
  return sections.flatMap((section, at) => {
    const { title, text } = section;
    const before = sections[at - 1];
    const gap = isShort(section) && before && isShort(before) ? [] : [''];
    if (title === null) return [...gap, ...cutRows(wrapped(text, options), options)];
    if (isShort(section)) return [...gap, `${paint('dim', `${title}:`)} ${text}`];
    const rows = cutRows(wrapped(text, { columns: columns - INDENT }), options);
    return [...gap, paint('dim', title), ...rows.map((row) => (row === '' ? '' : ' '.repeat(INDENT) + row))];
  });
}

/** Longer texts are placed below their title. */
const SHORT_COLUMNS = 60;
const INDENT = 2;
/** Minimum width for wrapping: on narrower terminals, rows of single letters would not be readable. */
const MIN_COLUMNS = 20;

/** Wraps text at word boundaries to `columns`. */
export function wrapped(text: string, { columns }: Pick<MessageOptions, 'columns'>): string[] {
  const lines = text.replaceAll('\t', '  ').trimEnd();
  return columns === Number.POSITIVE_INFINITY ? lines.split('\n') : wrap(lines, Math.max(MIN_COLUMNS, columns));
}

function cutRows(rows: readonly string[], { paint, mostRows = Number.POSITIVE_INFINITY }: MessageOptions): string[] {
  if (rows.length <= mostRows) return [...rows];
  return [...rows.slice(0, mostRows), paint('dim', `… ${rows.length - mostRows} more`)];
}
