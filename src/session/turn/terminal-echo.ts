/**
 * Terminal echo: removes from a program's output what the terminal itself echoed of typed text.
 *
 * In:   output, typed text and the program's prompt, as "binary" strings (one character per byte).
 * Out:  the output without the echo, and whether all of the echo was found.
 *
 * With ECHO set, the kernel writes each typed byte to the output, in order. CR and LF become CR LF, a control character
 * becomes `^X`, and a tab may become blanks (XTABS). Output of the program may stand between any two pieces of the
 * echo:
 *
 *     typed     one CR two CR three CR
 *     output    one CR LF two CR LF ONE CR LF thr > ee CR LF TWO CR LF
 *               └─── run ────────┘            └┬┘   └ run ─┘
 *                                             run, interrupted by "> "
 *
 * A run begins where at least one line that is not blank follows whole, because a few equal characters prove nothing.
 * For the same reason it ends at a line's end, unless the rest of an interrupted line follows before that line whole.
 * A prompt between two characters of the echo belongs to the run: a program that reads lines prints it for each line
 * that it has read, wherever the echo of the following ones is at that moment.
 */
interface EchoSplit {
  /** The pieces between the runs of the echo, in order. A piece ends where a run was removed. */
  readonly pieces: readonly string[];
  /** True if every typed line was found. */
  readonly isWhole: boolean;
}

type EchoSpread =
  /** The terminal echoed during the whole typing: the echo may be anywhere. */
  | 'anywhere'
  /** The program turned the echo off during the typing: the echo is in one run. */
  | 'one_run';

const CRLF = '\r\n';
/** Number of equal bytes after which a part of an interrupted line counts as its echo. */
const MIN_PART = 16;
const TAB_STOP = 8;

/** Returns what a terminal with ECHO and ECHOCTL writes for typed bytes. */
export function echoOf(typed: string): string {
  return typed.replace(/\r\n?|[\x00-\x08\n\x0b-\x1f\x7f]/g, (control) => {
    if (control.startsWith('\r') || control === '\n') return CRLF.repeat(control.length);
    return `^${String.fromCharCode(control.charCodeAt(0) ^ 0x40)}`;
  });
}

interface Typing {
  readonly typed: string;
  /** The prompt before the typed text; empty if there was none. */
  readonly prompt?: string;
  readonly spread: EchoSpread;
}

export function splitEcho(program: string, { typed, prompt = '', spread }: Typing): EchoSplit {
  const echo = echoOf(typed);
  const output: Output = { text: program, prompt };
  const pieces: string[] = [];
  let isWhole = true;
  let at = 0;
  for (let done = 0; done < echo.length; ) {
    const next = nextRun(output, at, echo, done);
    const run = next && withoutChance(output, next, { echo, done, spread });
    if (!run) {
      if (inkLineEnd(echo, done) === null) break; // blank lines that are left over prove nothing
      isWhole = false;
      done = behindLine(echo, done);
      continue;
    }
    pieces.push(program.slice(at, run.from));
    at = run.to;
    done += run.length;
    if (spread === 'one_run') {
      isWhole = done === echo.length;
      break;
    }
  }
  pieces.push(program.slice(at));
  return { pieces, isWhole };
}

interface Output {
  readonly text: string;
  readonly prompt: string;
}

interface Run {
  readonly from: number;
  readonly to: number;
  /** Number of bytes of the echo. */
  readonly length: number;
}

/** Finds the next run: output at or behind `at` that repeats the echo behind its first `done` bytes. */
function nextRun(output: Output, at: number, echo: string, done: number): Run | null {
  const here = match(output, at, echo, done);
  const toInk = inkLineEnd(echo, done);
  // Blank lines alone are an echo only directly after the previous run.
  if (toInk === null) return here.length === echo.length - done ? { from: at, ...here } : null;
  if (here.length >= toInk - done) return { from: at, ...here };
  const whole = find(output, at, echo, done, toInk);
  if (whole) return whole;
  const toLine = behindLine(echo, done);
  if (toLine < toInk) {
    if (here.length >= toLine - done) return { from: at, to: at + (toLine - done), length: toLine - done };
    return null;
  }
  const part = find(output, at, echo, done, Math.min(toInk, done + MIN_PART));
  if (part) return part;
  // The program interrupted the first line: the equal text at the beginning of the output is its echo.
  return here.length > 0 && done === 0 ? { from: at, ...here } : null;
}

interface PartialEcho {
  readonly echo: string;
  readonly done: number;
  readonly spread: EchoSpread;
}

/**
 * Shortens a run by a part of a line at its end, if that part is output of the program that equals the echo by chance.
 */
function withoutChance(output: Output, run: Run, { echo, done, spread }: PartialEcho): Run {
  const end = done + run.length;
  const feed = end < CRLF.length ? -1 : echo.lastIndexOf(CRLF, end - CRLF.length);
  const lineStart = feed + CRLF.length;
  if (feed < done || lineStart === end || end === echo.length) return run;
  const shorter = { from: run.from, ...match(output, run.from, echo.slice(0, lineStart), done) };
  const lineEndAt = behindLine(echo, lineStart);
  if (spread === 'anywhere') {
    const whole = find(output, shorter.to, echo, lineStart, lineEndAt);
    const rest = find(output, run.to, echo, end, lineEndAt);
    if (whole || rest) return rest && (!whole || rest.from < whole.from) ? run : shorter;
  }
  return end - lineStart < MIN_PART ? shorter : run;
}

function find(output: Output, at: number, echo: string, done: number, to: number): Run | null {
  const needle = echo.slice(done, to);
  const head = needle.split('\t', 1)[0] ?? '';
  for (let from = output.text.indexOf(head, at); from !== -1; from = output.text.indexOf(head, from + 1)) {
    const run = match(output, from, echo, done);
    if (run.length >= needle.length) return { from, ...run };
    if (head === '') return null;
  }
  return null;
}

/**
 * Returns how far the echo from `done` on equals the output from `from` on, with prompts between its characters. Typed
 * text may look like a prompt: all ways are tried at once, and `ends` has where each of them is.
 */
function match(output: Output, from: number, echo: string, done: number): { to: number; length: number } {
  let ends = [from];
  let length = 0;
  while (done + length < echo.length) {
    const wanted = echo[done + length] ?? '';
    const [at = 0] = ends;
    // Most characters stand at one place, where no prompt begins.
    const isPlain = ends.length === 1 && output.text[at] === wanted && output.prompt[0] !== wanted;
    if (isPlain) ends[0] = at + 1;
    else {
      const next = stepsFrom(output, ends, wanted);
      if (next.length === 0) break;
      ends = next;
    }
    length++;
  }
  return { to: Math.min(...ends), length };
}

/** Returns the ends of `wanted`, which may stand at each of these places or behind prompts there. */
function stepsFrom({ text, prompt }: Output, places: readonly number[], wanted: string): number[] {
  const ends = new Set<number>();
  for (const place of places) {
    for (let at = place; ; at += prompt.length) {
      const length = text[at] === wanted ? 1 : wanted === '\t' ? blanksAt(text, at) : 0;
      if (length > 0) ends.add(at + length);
      if (prompt === '' || !text.startsWith(prompt, at)) break;
    }
  }
  return [...ends];
}

function blanksAt(text: string, from: number): number {
  let count = 0;
  while (count < TAB_STOP && text[from + count] === ' ') count++;
  return count;
}

/** Returns the end of the line that contains `from`, including its CR LF. */
function behindLine(text: string, from: number): number {
  const end = text.indexOf(CRLF, from);
  return end === -1 ? text.length : end + CRLF.length;
}

/** Returns the end of the next line that is not blank; null if there is none. */
function inkLineEnd(text: string, from: number): number | null {
  for (let at = from; at < text.length; at = behindLine(text, at)) {
    const end = behindLine(text, at);
    if (text.slice(at, end).trim() !== '') return end;
  }
  return null;
}
