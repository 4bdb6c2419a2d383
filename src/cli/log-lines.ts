/**
 * Lines of a log that grows.
 *
 * In:   text as it is read, cut anywhere.
 * Out:  its whole lines, as they stand or, for `--json`, each as one object: the host writes text, and so does what
 *       ends a daemon badly.
 */

export interface LogLines {
  /** @returns The lines that are whole now. */
  push(text: string): string[];
  /** What has no line feed yet. */
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

/** `2026-11-21T10:15:30.000Z host 123: what it says`; other text is said as it is. */
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
