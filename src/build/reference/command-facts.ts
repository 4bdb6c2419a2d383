/** What the reference page and the man page of the commands have in common. */
import type { CommandSpec } from '../../cli/program/command.js';

export type { CommandSpec };

/** The options that every command has. */
export const GLOBAL_OPTIONS: readonly (readonly [flags: string, description: string])[] = [
  ['--json', 'print JSON'],
  ['-q, --quiet', 'print ids only, or no remarks'],
  ['-h, --help', 'print the help of the command, with examples'],
];

/** Returns, for example, `orchd wait [options] <session>`. */
export const usageLine = ({ name, args }: CommandSpec): string =>
  ['orchd', name, '[options]', args].filter(Boolean).join(' ');
