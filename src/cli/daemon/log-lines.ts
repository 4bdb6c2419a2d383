/**
 * Splits a growing log into lines.
 *
 * In:   text as it is read, cut anywhere.
 * Out:  complete lines, unchanged or, for `--json`, each as one object. The host and a crashing daemon write plain text
 *       instead of JSON.
 */

interface LogLines {
  /** @returns The lines that are complete now. */
  push(text: string): string[];
  /** Returns the rest that has no line feed yet. */
  end(): string[];
}

export function createLogLines(isJson: boolean): LogLines {
  let rest = '';
  const shown = (lines: readonly string[]): string[] =>
    lines.filter((line) => line !== '').map((line) => (isJson ? toJson(line) : line));
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

/** Matches `2026-11-21T10:15:30.000Z host 123: what it says`. Other text is passed on as it is. */
const WRITTEN = /^(\d{4}-\d\d-\d\dT[\d:.]+Z) (\w+) (\d+): (.*)$/;

function toJson(line: string): string {
  if (isObject(line)) return line;
  const [, time, process, pid, message] = WRITTEN.exec(line) ?? [];
  return JSON.stringify(time === undefined ? { message: line } : { time, process, pid: Number(pid), message });
}

function isObject(line: string): boolean {
  if (!line.startsWith('{')) return false;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
