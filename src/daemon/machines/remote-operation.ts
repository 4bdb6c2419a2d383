/** Rules for operations that one machine calls on another. */
import type { Command, OutgoingCommand, SignedCommand } from '../../hub/index.js';
import { type OperationEntry, OrchdError } from '../../protocol/index.js';
import type { CommandLog } from './command-log.js';

/** The parts of the daemon that send commands to other machines. */
export interface SendingPorts {
  readonly commandLog: CommandLog;
  readonly now: () => number;
  /** @throws {OrchdError} if the hub does not take it; it is offered again. */
  offer(command: OutgoingCommand): Promise<void>;
  sign(command: Command): SignedCommand;
  /** The name of this machine. */
  name(): string;
  /** The time of the server in milliseconds since 1970; null if it is not known. */
  serverTime(): number | null;
  /** Returns a proof that only a machine can compute that has read the command. */
  proofOf(message: string): string;
}

/** True for an operation that only reads: a repetition does no harm, so it is kept on no disk. */
export const changesNothing = (entry: OperationEntry | undefined): boolean => entry?.method === 'GET';

/**
 * A program that is started on another machine gets the environment of a login there.
 *
 * @throws {OrchdError} ORCHD_INVALID
 */
export function refuseEnvironment(input: object): void {
  if (!('env' in input)) return;
  const message = 'no environment goes to another machine: leave out `env`; programs get that of a login there';
  throw new OrchdError('ORCHD_INVALID', message);
}

/** Returns the time of the server at which a signed command of this machine expires. */
export function expiryOf(message: string): number {
  const { text } = JSON.parse(message) as SignedCommand; // this machine signed it
  return (JSON.parse(text) as Command).expires_at;
}

const LABEL = 'label:';

/** Returns what a command is sent to: a machine, or any machine with a label. */
export const addressOf = ({ kind, name }: { readonly kind: 'machine' | 'label'; readonly name: string }): string =>
  kind === 'label' ? `${LABEL}${name}` : name;

export const isLabel = (to: string): boolean => to.startsWith(LABEL);
