/**
 * The flags of a daemon's command line. They are checked here before any process is started or ended: when a new daemon
 * refuses its flags, the old one is already gone.
 */

import { parseWhole } from '../input/parse-values.js';
import { type Options, text } from '../program/command.js';
import type { Context } from '../program/context.js';
import type { Status } from './daemon-process.js';

export interface DaemonFlags {
  /** Listen on the Unix socket only. */
  readonly noTcp?: true;
  /** The port. 0 means any free port. */
  readonly port?: number;
  /** Start only to end the sessions of a host that has no daemon; the configuration is ignored. */
  readonly toStop?: true;
}

const PORTS = { least: 0, most: 65_535 };

/** @throws {OrchdError} ORCHD_USAGE for an invalid port. */
export function readDaemonFlags(options: Options): DaemonFlags {
  const port = text(options, 'port');
  return {
    ...(options['tcp'] === false && { noTcp: true }),
    ...(port !== undefined && { port: parseWhole('--port', port, PORTS) }),
  };
}

/** Returns the flags with which a daemon was started; {} if the configuration chose the port. */
export function flagsOf({ tcp }: Status): DaemonFlags {
  if (tcp?.by !== 'flag') return {};
  return tcp.port === null ? { noTcp: true } : { port: tcp.port };
}

/** Prints a note if the daemon works without its configured port. */
export function noteNoTcp(context: Context, { tcp }: Status): void {
  if (!tcp?.problem) return;
  context.note(`no TCP: ${tcp.problem}; set daemon.port in ${context.paths.configFile}, or \`orchd restart --port N\``);
}

/** Parses a daemon's command line. */
export function fromArguments(words: readonly string[]): DaemonFlags {
  const port = words[words.indexOf('--port') + 1];
  if (words.includes('--no-tcp')) return { noTcp: true };
  return words.includes('--port') && port !== undefined ? { port: parseWhole('--port', port, PORTS) } : {};
}

export const toArguments = ({ noTcp, port, toStop }: DaemonFlags): string[] => [
  ...(noTcp ? ['--no-tcp'] : []),
  ...(toStop ? ['--to-stop'] : []),
  ...(port === undefined ? [] : ['--port', String(port)]),
];
