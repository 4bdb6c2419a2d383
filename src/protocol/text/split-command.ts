/**
 * Splits a typed command line into the program and its arguments. Pure.
 *
 * Quotes and backslashes work as in a shell. If the line uses other shell syntax (pipes, variables, patterns …), the
 * whole line is passed unchanged to `sh -c`.
 */
interface SplitCommand {
  readonly command: readonly string[];
  /** True if a shell runs the line. */
  readonly needsShell: boolean;
  /** Why the line cannot be split; null if it can. */
  readonly problem: string | null;
}

const SHELL_ONLY = /[|&;<>()$`*?[\]{}~#!\n]/;
/** Between double quotes, a backslash before any other character is literal. */
const ESCAPED_IN_QUOTES = /["\\$`]/;

/** Splits a command line. */
export function splitCommand(text: string): SplitCommand {
  const words: string[] = [];
  let word: string | null = null;
  let quote: '"' | "'" | null = null;
  let needsShell = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (quote !== null) {
      const next = text.charAt(i + 1);
      if (char === quote) quote = null;
      else if (quote === '"' && char === '\\' && ESCAPED_IN_QUOTES.test(next)) {
        word += next;
        i += 1;
      } else {
        if (quote === '"' && /[$`]/.test(char)) needsShell = true;
        word += char;
      }
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (char === '\\' && i + 1 < text.length) {
      word = (word ?? '') + text.charAt(i + 1);
      i += 1;
    } else if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else {
      if (SHELL_ONLY.test(char)) needsShell = true;
      word = (word ?? '') + char;
    }
  }
  if (word !== null) words.push(word);
  const none = { command: [], needsShell: false };
  if (quote !== null) return { ...none, problem: `the ${quote} that begins a quoted text has no second one` };
  if (words.length === 0) return { ...none, problem: 'say which program to start: claude, codex, make test …' };
  if (/^[A-Za-z_]\w*=/.test(words[0] ?? '')) needsShell = true; // an assignment before the command
  return { command: needsShell ? ['sh', '-c', text.trim()] : words, needsShell, problem: null };
}

/** Returns a text as one word of a shell command, in quotes if it needs them. */
export const shellWord = (text: string): string =>
  /^[\w@%+:,./-][\w@%+=:,./-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
