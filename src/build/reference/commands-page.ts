/** Generates docs/reference/commands.md from the table of commands. */

import type { ActionSpec, CommandSpec } from '../../cli/program/command.js';
import { escapeText, table, wrap } from './markdown.js';

/** @param exits Exit codes with their meanings. */
export function commandsPage(
  commands: readonly CommandSpec[],
  exits: readonly (readonly [code: number, meaning: string])[],
): string {
  const groups = [...new Set(commands.map(({ group }) => group))];
  return [
    '# Commands',
    wrap(
      'Ids and names may be shortened while they are unique. Every command has these options, and `orchd ' +
        'COMMAND --help` prints its section of this page.',
    ),
    optionTable(GLOBAL_OPTIONS),
    ...groups.flatMap((group) => [
      `## ${group}`,
      ...commands.filter((command) => command.group === group).flatMap((command) => section(command)),
    ]),
    '## Exit codes',
    table(
      ['code', 'meaning'],
      exits.map(([exit, meaning]) => [String(exit), meaning]),
    ),
  ].join('\n\n');
}

function section(command: CommandSpec): string[] {
  const aliases = (command.aliases ?? []).map((alias) => `\`orchd ${alias}\``);
  return [
    `### orchd ${command.name}`,
    wrap(escapeText(command.summary)),
    `\`\`\`text\n${usageLine(command)}\n\`\`\``,
    ...(aliases.length > 0 ? [`Short form: ${aliases.join(', ')}.`] : []),
    ...optionsOf(command),
    ...(command.actions ?? []).flatMap((action) => [
      `#### orchd ${command.name} ${action.name}`,
      wrap(escapeText(action.summary)),
      `\`\`\`text\n${actionLine(command, action)}\n\`\`\``,
      ...optionsOf(action),
    ]),
    ...(command.actions ? ['Examples:'] : []),
    `\`\`\`sh\n${command.examples.join('\n')}\n\`\`\``,
  ];
}

const optionsOf = ({ options = [], quiet }: Pick<ActionSpec, 'options' | 'quiet'>): string[] => [
  ...(options.length > 0 ? [optionTable(options)] : []),
  ...(quiet ? [wrap(`With \`-q\`: ${escapeText(quiet)}.`)] : []),
];

const optionTable = (options: NonNullable<ActionSpec['options']>): string =>
  table(
    ['option', 'effect'],
    options.map(([flags, description]) => [`\`${flags}\``, escapeText(withRepetition(description))]),
  );

/** The description of an option that may be repeated ends in `…`. */
const withRepetition = (description: string): string =>
  description.endsWith('…') ? `${description.slice(0, -1)} (may be repeated)` : description;

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
