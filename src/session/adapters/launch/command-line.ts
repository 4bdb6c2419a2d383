/**
 * Command lines of agents: the kind of start, and the place for additional flags.
 *
 * In:   argv as the person gave it, and the adapter's description of its program's arguments.
 * Out:  the kind, and an argv with flags added directly after the program, before any argument that takes the rest of
 *       the line.
 *
 * An unknown kind of start gets no flags: an agent whose messages are read only from its screen is better than one that
 * does not start.
 */

/**
 * `conversation`: its interactive screen. `batch`: one prompt, no screen. `other`: anything else (`--help`, a
 * subcommand, a wrapper).
 */
type StartKind = 'conversation' | 'batch' | 'other';

export interface CommandWords {
  /** Names of the program's file. */
  readonly programs: readonly string[];
  /** Subcommands that do not start a conversation. */
  readonly subcommands: readonly string[];
  /** Matches options with which the program only prints something and ends. */
  readonly prints: RegExp;
  /** Matches options and words that make the program run one prompt without a screen. */
  readonly batch: RegExp;
}

/** Returns the words of a text: the long lists of an adapter, in the order of the program's `--help`. */
export const wordsIn = (text: string): readonly string[] => text.trim().split(/\s+/);

const RUNNERS = /^(?:node|nodejs|bun|npx|bunx)$/;

export function startKind(argv: readonly string[], words: CommandWords): StartKind {
  const at = programAt(argv, words);
  if (at < 0) return 'other';
  const given = optionsOf(argv, at);
  if (given.some((word) => words.prints.test(word) || words.subcommands.includes(word))) return 'other';
  return given.some((word) => words.batch.test(word)) ? 'batch' : 'conversation';
}

/** True if an option is given, as `--name`, `--name VALUE` or `--name=VALUE`. */
export function hasOption(argv: readonly string[], option: RegExp): boolean {
  return optionsOf(argv, 0).some((word) => option.test(word.replace(/=.*/s, '')));
}

/** Returns the value of an option; null if the option or its value is missing. */
export function optionValue(argv: readonly string[], option: RegExp): string | null {
  const words = optionsOf(argv, 0);
  const at = words.findIndex((word) => option.test(word.replace(/=.*/s, '')));
  if (at < 0) return null;
  const word = words[at] ?? '';
  const value = word.includes('=') ? word.slice(word.indexOf('=') + 1) : words[at + 1];
  return value === undefined || value.startsWith('-') ? null : value;
}

/** @returns `argv` with `added` directly after the program. */
export function withArguments(argv: readonly string[], added: readonly string[], words: CommandWords): string[] {
  const at = programAt(argv, words);
  return [...argv.slice(0, at + 1), ...added, ...argv.slice(at + 1)];
}

/**
 * Returns the index of the program's word: the first word, or the one after a runner such as `node`. -1 if the command
 * starts another program, such as a shell.
 */
export function programAt(argv: readonly string[], { programs }: Pick<CommandWords, 'programs'>): number {
  const [first = '', second = '-'] = argv.map(fileName);
  if (programs.some((program) => first.includes(program))) return 0;
  return RUNNERS.test(first) && !second.startsWith('-') ? 1 : -1;
}

const fileName = (word: string): string => word.slice(word.lastIndexOf('/') + 1);

/** Words after `--` are not options. */
function optionsOf(argv: readonly string[], at: number): readonly string[] {
  const end = argv.indexOf('--', at + 1);
  return argv.slice(at + 1, end < 0 ? undefined : end);
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns the value if it is a conversation's id (a UUID); null for names, numbers and pickers. */
export const asUuid = (value: string | null): string | null => (value !== null && UUID.test(value) ? value : null);
