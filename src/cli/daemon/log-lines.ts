/**
 * Splits a growing log into lines.
 *
 * In:   text as it is read, cut anywhere.
 * Out:  complete lines as people read them: local time, level, process, message and details. For `--json`, each line
 *       is one object. The host and a crashing daemon write plain text instead of JSON.
 * Stacks of errors are only in the JSON.
 */
import { displayLine } from '../../protocol/index.js';
import { rowTime } from '../printing/local-time.js';

interface LogLines {
  /** @returns The lines that are complete now. */
  push(text: string): string[];
  /** Returns the rest that has no line feed yet. */
  end(): string[];
}

export function createLogLines(isJson: boolean): LogLines {
  let rest = '';
  const shown = (lines: readonly string[]): string[] =>
    lines.filter((line) => line !== '').map((line) => (isJson ? toJson(line) : toWords(line)));
  return {
    push(text) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      return shown(lines);
    },
    end() {
      const last = shown([rest]);
      rest = '';
      return last;
    },
  };
}

/** Matches `2026-11-21T10:15:30.000Z host 123: message`. Other text is printed unchanged. */
const WRITTEN = /^(\d{4}-\d\d-\d\dT[\d:.]+Z) (\w+) (\d+): (.*)$/;

function toJson(line: string): string {
  if (isObject(line)) return line;
  const [, time, process, pid, message] = WRITTEN.exec(line) ?? [];
  return JSON.stringify(time === undefined ? { message: line } : { time, process, pid: Number(pid), message });
}

type Entry = Readonly<Record<string, unknown>>;

/** Returns the line in words. Text without a time is returned as it is. */
function toWords(line: string): string {
  const { time, level, process, pid, message, stack: _stack, ...details } = entryOf(line);
  if (typeof time !== 'string') return displayLine(line);
  const isWrong = level !== undefined && level !== 'info';
  const more = Object.entries(details).map(([name, value]) => `${name}=${valueText(value)}`);
  const who = `${String(process)} ${String(pid)}`;
  const said = [displayLine(String(message)), ...more].join('  ');
  return `${rowTime(time)}  ${who}  ${isWrong ? `${String(level).toUpperCase()}  ` : ''}${said}`;
}

/** A text with blanks is quoted, so that its end is clear. */
function valueText(value: unknown): string {
  const text = displayLine(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
  return typeof value === 'string' && /\s/.test(text) ? JSON.stringify(text) : text;
}

const entryOf = (line: string): Entry => JSON.parse(toJson(line)) as Entry; // toJson returns an object

function isObject(line: string): boolean {
  if (!line.startsWith('{')) return false;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
