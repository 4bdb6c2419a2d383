/** Generates docs/reference/errors.md, configuration.md and tools.md. */
import { ERRORS, EXIT, OPTIONS } from '../../protocol/index.js';
import { TOOLS, type Tool } from '../../tools/index.js';
import type { Action } from '../../tui/acts/action.js';
import { ACTIONS } from '../../tui/acts/actions.js';
import { code, escapeText, fieldTable, type Shape, table, wrap } from './markdown.js';

const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: 'success',
  failed: 'failure',
  usage: 'wrong usage',
  notFound: 'not found',
  conflict: 'conflict with the present state',
  unreachable: 'the daemon cannot be reached',
  schema: 'rejected by a schema',
  declined: 'a question was declined (`orchd tool`)',
  timeout: 'timeout',
};

/** Exit codes with their meanings. */
export const EXITS: readonly (readonly [code: number, meaning: string])[] = [
  ...Object.entries(EXIT).map(([name, exit]) => [exit, EXIT_MEANINGS[name as keyof typeof EXIT]] as const),
  [130, 'ended by Ctrl-C'],
  [143, 'ended by TERM (`orchd workflow run`)'],
];

export function errorsPage(): string {
  return [
    '# Errors',
    wrap(
      'Every error has a code, over HTTP as `code` in the JSON body. The CLI prints its message and exits ' +
        'with the exit code. An attached `orchd run` exits with the code of the program.',
    ),
    table(
      ['code', 'HTTP', 'exit', 'what to do'],
      Object.entries(ERRORS).map(([name, { status, exit, hint }]) => [
        code(name),
        String(status),
        String(exit),
        escapeText(hint),
      ]),
    ),
    '## Exit codes',
    table(
      ['exit', 'meaning'],
      EXITS.map(([exit, meaning]) => [String(exit), meaning]),
    ),
  ].join('\n\n');
}

export function configurationPage(): string {
  return [
    '# Configuration',
    wrap(
      'Options come from these places, later ones win: defaults, your `config.toml`, the ' +
        '`.orchd/config.toml` of the project, the environment, flags. `orchd config` prints the values in ' +
        'force, and `orchd config --default` prints every option with its default. An unknown option or a ' +
        'wrong value is an error that names the file.',
    ),
    wrap(
      "A project's file sets what commands use in that project: `keys`, `profiles`, `status`, most of `tui`, " +
        '`notify.terminal`, and of `sessions` `cols`, `rows`, `scrollback` and `keep_on_exit`. All other options ' +
        'have no effect there, because the daemon reads only your file. `orchd config` names them.',
    ),
    wrap(
      'Your file is `$XDG_CONFIG_HOME/orchd/config.toml` (`~/.config/orchd/config.toml`). An option is also ' +
        'a variable: `ORCHD_DAEMON_PORT=9000` sets `daemon.port`. `ORCHD_HOME` puts everything, sockets ' +
        'included, under one folder. Your file is then `$ORCHD_HOME/config/config.toml`.',
    ),
    ...Object.entries(OPTIONS).flatMap(([section, options]) => [
      `## ${section}`,
      table(
        ['option', 'default', 'meaning'],
        Object.entries(options as Record<string, { value: unknown; doc: string }>).map(([name, { value, doc }]) => [
          code(name),
          code(JSON.stringify(value)),
          escapeText(doc),
        ]),
      ),
    ]),
    '## keys',
    wrap(
      'Keys of the TUI: each action with all its keys, as in `kill = "D"`. A key that has another meaning is refused.',
    ),
    table(
      ['action', 'default', 'effect'],
      (ACTIONS as readonly Action[])
        .filter(({ isFixed }) => !isFixed)
        .map(({ name, keys, words }) => [code(name), code(keys.join(' ')), escapeText(words)]),
    ),
    '## profiles',
    wrap(
      'Each `[profiles.NAME]` is a profile that `REQUIRES` in an [Agentfile](../guide/agentfiles.md) names: ' +
        '`adapter`, `model`, or both.',
    ),
  ].join('\n\n');
}

/**
 * @param inputs The schema of each tool's input. The schemas inside the imported tools may be older: this run has
 * generated `inputs`.
 */
export function toolsPage(inputs: Readonly<Record<string, Shape>>): string {
  return [
    '# Tools',
    wrap('The tools that agents call, over MCP, HTTP or `orchd tool`. [Tools and MCP](../guide/tools.md) shows how.'),
    ...TOOLS.flatMap((tool) => [
      `## ${tool.name}`,
      wrap(escapeText(tool.summary)),
      ...effect(tool),
      fieldTable(inputs[tool.message ?? tool.name]),
    ]),
  ].join('\n\n');
}

function effect({ message, waits }: Tool): string[] {
  const sends = message === null ? [] : [`Sends the message [${code(message)}](messages.md#${message.toLowerCase()}).`];
  const waiting = waits === null ? [] : [waits ? 'Waits for the answer.' : 'Waits for the answer if you ask for it.'];
  const text = [...sends, ...waiting].join(' ');
  return text === '' ? [] : [text];
}
