/**
 * Builds the command line that resumes a conversation, from the original one without its prompt and other one-time
 * options.
 *
 * In:   argv as the person gave it, and the options that are valid for every start (the model, permissions, folders).
 * Out:  the program, those options, and the arguments that resume the conversation. Unknown options are left out,
 *       because one may hold the first prompt, which must not be sent twice.
 */
import { type CommandWords, programAt } from './command-line.js';

export interface KeptOptions {
  readonly switches: readonly string[];
  /** Options whose value is the next word. */
  readonly values: readonly string[];
  /** Options whose values are all words up to the next option. */
  readonly lists?: readonly string[];
  /** Matches words without an option that are not a prompt, such as a folder. */
  readonly words?: RegExp;
}

/**
 * @returns The new command line. It keeps the program, and its script after a runner such as `node`. If the program is
 * not found: only the arguments that resume.
 */
export function resumedCommand(
  argv: readonly string[],
  words: CommandWords,
  keeps: KeptOptions,
  resume: readonly string[],
): string[] {
  const at = Math.max(0, programAt(argv, words));
  return [...argv.slice(0, at + 1), ...keptOf(argv.slice(at + 1), keeps), ...resume];
}

function keptOf(given: readonly string[], { switches, values, lists = [], words }: KeptOptions): string[] {
  const kept: string[] = [];
  const end = given.indexOf('--');
  const options = end < 0 ? given : given.slice(0, end);
  for (let i = 0; i < options.length; i++) {
    const word = options[i] ?? '';
    const name = word.replace(/=.*/s, '');
    const isOption = [...switches, ...values, ...lists].includes(name);
    if (isOption || words?.test(word)) kept.push(word);
    if (!isOption || name !== word || switches.includes(word)) continue;
    const isLast = (next: string | undefined) => next === undefined || (lists.includes(word) && next.startsWith('-'));
    for (let taken = 0; !isLast(options[i + 1]) && (taken === 0 || lists.includes(word)); taken++) {
      i++;
      kept.push(options[i] ?? '');
    }
  }
  return kept;
}
