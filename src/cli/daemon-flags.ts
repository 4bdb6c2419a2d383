/**
 * How a daemon is to be started, in the words of its command line. Read and checked here, before anything is started or ended: a daemon
 * that refuses its flags has taken the place of one that ran.
 */
import { type Options, text } from './command.js';
import { parseWhole } from './parse-values.js';

export interface DaemonFlags {
  /** The Unix socket alone. */
  readonly noTcp?: true;
  /** 0: any that is free. */
  readonly port?: number;
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

export const toArguments = ({ noTcp, port }: DaemonFlags): string[] => [
  ...(noTcp ? ['--no-tcp'] : []),
  ...(port === undefined ? [] : ['--port', String(port)]),
];
