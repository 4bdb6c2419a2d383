/**
 * Starts a program with very many arguments and environment variables.
 *
 * node-pty 1.1.0 returns its result in memory that V8 frees if it has read more than about 1,000 strings. The host then
 * ended without a word, and every session with it. So a longer list is passed in a few variables to a shell, which
 * becomes the program:
 *
 *     In:   file, arguments, and environment of the program
 *     Out:  the same for a start with at most MAX_STRINGS strings. The program has the same process id, arguments and
 *           environment; nothing is written to a file.
 */
interface Start {
  readonly file: string;
  /** Without the name of the program. */
  readonly args: readonly string[];
  /** NAME=VALUE */
  readonly env: readonly string[];
}

/** Fewer than one block of V8's handles, which has 1,022. */
const MAX_STRINGS = 900;
/** Linux allows 128 KiB for one string. A character has up to three bytes. */
const PART_CHARS = 40_000;
const SHELL = '/bin/sh';
/** `env` would read a path with `=` as a variable. */
const START_ANY_PATH = [SHELL, '-c', 'exec "$@"', SHELL];

export function withFewStrings(start: Start): Start {
  const { file, args, env } = start;
  if (args.length + env.length <= MAX_STRINGS) return start;
  const program = file.includes('=') ? [...START_ANY_PATH, file] : [file];
  const parts = inParts(['env', '-i', '--', ...env, ...program, ...args].map(quoted).join(' '));
  const names = parts.map((_, at) => `ORCHD_START_${at}`);
  // The parts are unset, because they would count twice towards the limit of the kernel.
  const script = `all="${names.map((name) => `$${name}`).join('')}"; unset ${names.join(' ')}; eval "exec $all"`;
  return { file: SHELL, args: ['-c', script], env: parts.map((part, at) => `${names[at]}=${part}`) };
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** Cuts a text, but no character of it. */
function inParts(text: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const last = text.charCodeAt(at + PART_CHARS - 1);
    const end = at + PART_CHARS - (last >= 0xd800 && last < 0xdc00 ? 1 : 0);
    parts.push(text.slice(at, end));
    at = end;
  }
  return parts;
}
