/** Formats any JSON value for people. Pure. */
import { displayLine, displayText } from '../text/index.js';

/** Values at a greater depth are shown as JSON. */
const MAX_DEPTH = 4;

/**
 * Formats text unchanged, a list with one entry per line, an object with one field per line, nested ones indented. Null
 * and empty values give ''. Control and bidi characters are removed.
 */
export function valueText(value: unknown): string {
  return linesOf(value, 0).join('\n');
}

function linesOf(value: unknown, depth: number): string[] {
  if (value === null || value === undefined) return [];
  if (typeof value === 'string') return value === '' ? [] : displayText(value).split('\n');
  if (typeof value === 'boolean') return [value ? 'yes' : 'no'];
  if (typeof value !== 'object') return [String(value)];
  if (depth >= MAX_DEPTH) return [displayLine(JSON.stringify(value))];
  if (Array.isArray(value)) return value.flatMap((entry) => entryLines(entry, depth));
  return Object.entries(value).flatMap(([name, part]) => fieldLines(name, part, depth));
}

/** Entries of a list with several lines begin with a dash, to separate them. */
function entryLines(entry: unknown, depth: number): string[] {
  if (typeof entry === 'string') return [displayLine(entry)];
  const lines = linesOf(entry, depth + 1);
  return lines.map((line, y) => (y === 0 ? `- ${line}` : `  ${line}`));
}

function fieldLines(name: string, value: unknown, depth: number): string[] {
  const lines = linesOf(value, depth + 1);
  if (lines.length === 0) return [];
  const isShort = lines.length === 1 && !Array.isArray(value);
  return isShort
    ? [`${displayLine(name)}: ${lines[0]}`]
    : [`${displayLine(name)}:`, ...lines.map((line) => `  ${line}`)];
}
