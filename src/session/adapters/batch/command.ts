/**
 * Command lines of batch modes.
 *
 * In:   argv as the person gave it, what the program's batch mode is called by, what is added to it.
 * Out:  one turn's command. It keeps the person's options, except those for the output format, the prompt and the
 *       conversation, which the run sets.
 */
import type { BatchRequest } from '../adapter.js';
import { programAt } from '../command-line.js';

export interface BatchForm {
  /** Names of the program's file. */
  readonly programs: readonly string[];
  /** The subcommand that is its batch mode, and shorter names of it; none: flags alone. */
  readonly verbs?: readonly string[];
  /** Its option for the model, and other names of it. */
  readonly model: readonly string[];
  /** Options of the person's that are left out; `values` with the word behind them. */
  readonly drops: { readonly switches: readonly string[]; readonly values: readonly string[] };
}

/** @returns `argv` in batch mode, `added` before the person's own words, `last` behind them. */
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

/** The system allows an argument 128 KiB. */
const MAX_ARGUMENT_BYTES = 120_000;

export const fitsArgument = (text: string): boolean =>
  Buffer.byteLength(text) <= MAX_ARGUMENT_BYTES && !text.includes('\0');

/** The prompt as standard input, behind what could not be told in another way. */
export const spoken = ({ system, prompt }: Pick<BatchRequest, 'system' | 'prompt'>, isTaught: boolean): string =>
  isTaught || system === null ? asWords(prompt) : `${system}\n\n${prompt}`;

/** These would run a prompt that begins so as a command of theirs. */
const asWords = (prompt: string): string => (prompt.startsWith('/') ? ` ${prompt}` : prompt);

/** An option with its value; nothing where there is none. */
export const option = (name: string, value: string | number | null): string[] =>
  value === null ? [] : [name, String(value)];
