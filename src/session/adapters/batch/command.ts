/**
 * Builds command lines of batch modes.
 *
 * In:   argv as the person gave it, the words that select the program's batch mode, and the additions.
 * Out:  the command of one turn. It keeps the person's options, except those for the output format, the prompt and the
 *       conversation, which the run sets.
 */
import type { BatchRequest } from '../adapter.js';
import { programAt } from '../launch/command-line.js';

export interface BatchForm {
  /** Names of the program's file. */
  readonly programs: readonly string[];
  /** The subcommand that selects its batch mode, and shorter names of it; undefined if flags alone select it. */
  readonly verbs?: readonly string[];
  /** The option that selects the model, with its other spellings. */
  readonly model: readonly string[];
  /** The person's options to remove: those in `values` are removed with the word after them. */
  readonly drops: { readonly switches: readonly string[]; readonly values: readonly string[] };
}

/** @returns `argv` in batch mode, with `added` before the person's own arguments and `last` after them. */
export function batchArgv(
  argv: readonly string[],
  { programs, verbs = [], model: models, drops }: BatchForm,
  model: string | null,
  added: readonly string[],
  last: readonly string[] = [],
): string[] {
  const at = Math.max(0, programAt(argv, { programs }));
  const { switches, values } = drops;
  const given = without(argv.slice(at + 1), switches, model === null ? values : [...values, ...models]);
  const verbAt = given.findIndex((word) => verbs.includes(word));
  return [
    ...argv.slice(0, at + 1),
    ...given.slice(0, Math.max(0, verbAt)),
    ...verbs.slice(0, 1),
    ...added,
    ...option(models[0] ?? '', model),
    ...given.slice(verbAt + 1),
    ...last,
  ];
}

function without(given: readonly string[], switches: readonly string[], values: readonly string[]): string[] {
  const kept: string[] = [];
  for (let i = 0; i < given.length; i++) {
    const word = given[i] ?? '';
    const name = word.replace(/=.*/s, '');
    if (switches.includes(name)) continue;
    if (!values.includes(name)) kept.push(word);
    else if (name === word && given[i + 1]?.startsWith('-') === false) i++;
  }
  return kept;
}

/** Linux limits an argument to 128 KiB. */
const MAX_ARGUMENT_BYTES = 120_000;

export const fitsArgument = (text: string): boolean =>
  Buffer.byteLength(text) <= MAX_ARGUMENT_BYTES && !text.includes('\0');

/** Returns the prompt for standard input. Instructions that could not be passed in another way precede it. */
export const spoken = ({ system, prompt }: Pick<BatchRequest, 'system' | 'prompt'>, isTaught: boolean): string =>
  isTaught || system === null ? asWords(prompt) : `${system}\n\n${prompt}`;

/** A prompt that begins with `/` would run a command of the program, so it gets a blank before it. */
const asWords = (prompt: string): string => (prompt.startsWith('/') ? ` ${prompt}` : prompt);

/** Returns an option with its value; [] if there is no value. */
export const option = (name: string, value: string | number | null): string[] =>
  value === null ? [] : [name, String(value)];
