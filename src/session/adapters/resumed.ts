/**
 * The command line that goes on with a conversation: the one it was started with, without what was said and chosen
 * then.
 *
 * In:   argv as the person gave it, and which of its options hold for any start (the model, permissions, folders).
 * Out:  the program, those options, and what brings the conversation back. A first prompt must not be said a second time, and an option
 *       that nobody knows may be one: it is left out.
 */
import { type CommandWords, programAt } from './command-line.js';

export interface KeptOptions {
  readonly switches: readonly string[];
  /** Each takes the next word. */
  readonly values: readonly string[];
  /** Each takes all words up to the next option. */
  readonly lists?: readonly string[];
  /** Words that stand alone and are no prompt, such as a folder. */
  readonly words?: RegExp;
}

/**
 * @returns `argv[0]` and the like are kept: behind a runner, its script as well. Where the program is not seen, the
 * resuming words alone.
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
