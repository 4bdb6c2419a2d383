/**
 * The type of a command: its name, arguments, options, examples, and the function that runs it. Help, completion and
 * docs/reference/commands.md are generated from the table in commands/index.ts.
 */
import type { Context } from './context.js';

type OptionValue = string | boolean | string[] | undefined;
export type Options = Readonly<Record<string, OptionValue>>;

/**
 * An option: its flags in commander's syntax, its description, and its values if these are fixed, which completion
 * offers. If the description ends in `…`, the option may be repeated.
 */
export type OptionSpec = readonly [flags: string, description: string, values?: readonly string[]];

/** The option that changes the environment of a program, which is otherwise that of the command. */
export const ENV: OptionSpec = ['--env <k=v>', 'set a variable (K alone: remove it)…'];

/** Joins words for a description: `queued, running or cancelled`. */
export const oneOf = (words: readonly string[]): string => `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`;

/** The part that a command and a subcommand have in common. */
export interface ActionSpec {
  readonly name: string;
  readonly summary: string;
  /** The arguments in commander's syntax: `<session>`, `[text...]`. Completion knows some of their names. */
  readonly args?: string;
  readonly options?: readonly OptionSpec[];
  /** The output with `-q`, for the help. Default: everything except notes. */
  readonly quiet?: string;
  /** All words after the first non-option argument are passed to the program. */
  readonly passesThrough?: true;
  /** @returns The exit code; undefined for 0. */
  run(context: Context, args: readonly string[], options: Options): Promise<number | undefined>;
}

interface Described {
  readonly aliases?: readonly string[];
  readonly group: 'Daemon' | 'Sessions' | 'Inbox and events' | 'Agents' | 'Machines' | 'Messages' | 'About orchd';
  /** At least one; each is a complete command line. */
  readonly examples: readonly string[];
}

/** A command without subcommands, or one that can also be called without its subcommands. */
interface SingleCommand extends ActionSpec, Described {
  readonly actions?: readonly ActionSpec[];
}

/** A command whose first argument is one of its subcommands. */
interface CommandOfActions extends Described, Pick<ActionSpec, 'name' | 'summary' | 'options' | 'quiet'> {
  readonly args?: undefined;
  readonly passesThrough?: undefined;
  readonly run?: undefined;
  readonly actions: readonly ActionSpec[];
}

export type CommandSpec = SingleCommand | CommandOfActions;

export const text = (options: Options, name: string): string | undefined => {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
};
export const flag = (options: Options, name: string): boolean => options[name] === true;
export const list = (options: Options, name: string): readonly string[] => {
  const value = options[name];
  return Array.isArray(value) ? value : [];
};
