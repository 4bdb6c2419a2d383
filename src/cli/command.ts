/**
 * What a command is: a value that says its name, arguments, options and examples, and runs. Help, completion and the
 * README's list follow from the table in commands/index.ts.
 */
import type { Context } from './context.js';

export type OptionValue = string | boolean | string[] | undefined;
export type Options = Readonly<Record<string, OptionValue>>;

export interface CommandSpec {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly group: 'Daemon' | 'Sessions' | 'Inbox and events' | 'Agents' | 'Messages' | 'About orchd';
  readonly summary: string;
  /** As commander writes them: `<session>`, `[text...]`. */
  readonly args?: string;
  /**
   * `[flags, description]`; flags as commander writes them. A description that ends in `…` may be given several times.
   */
  readonly options?: readonly (readonly [flags: string, description: string])[];
  /** What `-q` leaves, for the help; not there: everything but remarks. */
  readonly quiet?: string;
  /** At least one; each is a whole command line. */
  readonly examples: readonly string[];
  /** Everything after the first argument that is no option belongs to the program. */
  readonly passesThrough?: true;
  /** @returns The exit code; 0 for none. */
  run(context: Context, args: readonly string[], options: Options): Promise<number | undefined>;
}

export const text = (options: Options, name: string): string | undefined => {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
};
export const flag = (options: Options, name: string): boolean => options[name] === true;
export const list = (options: Options, name: string): readonly string[] => {
  const value = options[name];
  return Array.isArray(value) ? value : [];
};
