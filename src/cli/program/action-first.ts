/**
 * Moves the name of a subcommand to the front of a command's words: `--state failed list` is `list --state failed`.
 * Commander knows the options of a subcommand only after its name.
 */
import type { CommandSpec } from './command.js';

/** @param words  The words after the command. */
export function actionFirst({ actions = [] }: Pick<CommandSpec, 'actions'>, words: readonly string[]): string[] {
  const options = actions.flatMap((action) => action.options ?? []);
  const takesValue = (word: string): boolean =>
    !word.includes('=') && options.some(([flags]) => flags.includes('<') && flags.split(/[ ,]+/).includes(word));
  for (let at = 0; at < words.length && words[at] !== '--'; at++) {
    const word = words[at] ?? '';
    if (takesValue(word)) at++;
    else if (actions.some(({ name }) => name === word)) return [word, ...words.slice(0, at), ...words.slice(at + 1)];
    else if (!word.startsWith('-')) break; // no subcommand: commander says so
  }
  return [...words];
}
