/**
 * How a daemon is to be started, in the words of its command line. Read and checked here, before anything is started or
 * ended: a daemon that refuses its flags has taken the place of one that ran.
 */
import { type Options, text } from './command.js';
import type { Context } from './context.js';
import type { Status } from './daemon-process.js';
import { parseWhole } from './parse-values.js';

export interface DaemonFlags {
  /** The Unix socket alone. */
  readonly noTcp?: true;
  /** 0: any that is free. */
  readonly port?: number;
  /** To end what runs in a host that has no daemon: whatever the configuration is. */
  readonly toStop?: true;
}

const PORTS = { least: 0, most: 65_535 };

/** @throws {OrchdError} ORCHD_USAGE for what is no port. */
export function readDaemonFlags(options: Options): DaemonFlags {
  const port = text(options, 'port');
  return {
    ...(options['tcp'] === false && { noTcp: true }),
    ...(port !== undefined && { port: parseWhole('--port', port, PORTS) }),
  };
}

/** What `--no-tcp` or `--port` said when a daemon was started; nothing where the configuration did. */
export function flagsOf({ tcp }: Status): DaemonFlags {
  if (tcp?.by !== 'flag') return {};
  return tcp.port === null ? { noTcp: true } : { port: tcp.port };
}

/** One line, where a daemon works without the port that is configured. */
export function noteNoTcp(context: Context, { tcp }: Status): void {
  if (!tcp?.problem) return;
  context.note(`no TCP: ${tcp.problem}; set daemon.port in ${context.paths.configFile}, or \`orchd restart --port N\``);
}

/** What a daemon's own command line says. */
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
