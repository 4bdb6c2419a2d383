/**
 * A message or an item for the command line: its subject, then all else that it says, each part wrapped to the
 * terminal.
 *
 * In:   what was said, and how many columns there are (Infinity for a pipe: nothing is wrapped).
 * Out:  rows without a line feed at their end, free of control and bidi characters.
 */
import { widthOf, wrap } from '../protocol/columns.js';
import { messageWords, type Said, type Section } from '../protocol/index.js';
import type { Paint } from './paint.js';

export interface SaidOptions {
  readonly paint: Paint;
  readonly columns: number;
  /** Rows of each part; the rest is left out and `…` says so. Default: all. */
  readonly mostRows?: number;
}

/** The subject's rows, then those of each section. */
export function saidRows(said: Said, options: SaidOptions): string[] {
  const { subject, sections } = messageWords(said);
  return [...cutRows(wrapped(subject, options), options), ...sectionRows(sections, options)];
}

/** The sections alone, with a blank row before each; short ones on one row, `priority: high`. */
function sectionRows(sections: readonly Section[], options: SaidOptions): string[] {
  const { paint, columns } = options;
  const isShort = ({ title, text }: Section): boolean =>
    title !== null && !text.includes('\n') && widthOf(`${title}: ${text}`) <= Math.min(columns, SHORT_COLUMNS);
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

/** Longer text stands below its title. */
const SHORT_COLUMNS = 60;
const INDENT = 2;
/** Narrower terminals wrap at this width all the same: single letters per row are no help. */
const LEAST_COLUMNS = 20;

/** Rows of at most so many columns, broken between words. */
export function wrapped(text: string, { columns }: Pick<SaidOptions, 'columns'>): string[] {
  const lines = text.replaceAll('\t', '  ').trimEnd();
  return columns === Number.POSITIVE_INFINITY ? lines.split('\n') : wrap(lines, Math.max(LEAST_COLUMNS, columns));
}

function cutRows(rows: readonly string[], { paint, mostRows = Number.POSITIVE_INFINITY }: SaidOptions): string[] {
  if (rows.length <= mostRows) return [...rows];
  return [...rows.slice(0, mostRows), paint('dim', `… ${rows.length - mostRows} more`)];
}
