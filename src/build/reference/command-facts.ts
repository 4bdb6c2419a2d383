/** Facts about the commands that the reference page and the man page share. */
import type { ActionSpec, CommandSpec } from '../../cli/program/command.js';

export type { ActionSpec, CommandSpec };

/** The options that every command has. */
export const GLOBAL_OPTIONS: readonly (readonly [flags: string, description: string])[] = [
  ['--json', 'print JSON'],
  ['-q, --quiet', 'print ids only, or no remarks'],
  ['-h, --help', 'print the help of the command, with examples'],
];

/** Returns, for example, `orchd wait [options] <session>`. */
export function usageLine({ name, args, run }: CommandSpec): string {
  return ['orchd', name, ...(run ? ['[options]'] : ['<subcommand>']), args].filter(Boolean).join(' ');
}

/** Returns, for example, `orchd runs show [options] <run>`. */
export const actionLine = (command: CommandSpec, { name, args }: ActionSpec): string =>
  ['orchd', command.name, name, '[options]', args].filter(Boolean).join(' ');
