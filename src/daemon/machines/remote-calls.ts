/**
 * Calls of operations on other machines.
 *
 * A call becomes a signed command. Unless it only reads, it is on disk before it is sent, and is offered until its
 * outcome is known, or until it has expired. An answer may wait for a machine that is away: it is *on its way*.
 * Everything else expires together with the patience of its caller, so nothing is typed hours later.
 */
import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import type { Command, Outcome, OutgoingCommand } from '../../hub/index.js';
import { timestamp } from '../../lifecycle/index.js';
import {
  ERRORS,
  type ErrorCode,
  type InputOf,
  OPERATIONS,
  type OperationEntry,
  type OperationName,
  OrchdError,
  type OutputOf,
} from '../../protocol/index.js';
import type { Caller } from '../access/index.js';
import { withDeadline } from '../concurrency/index.js';
import type { LoggedCommand } from './command-log.js';
import { changesNothing, expiryOf, isLabel, type SendingPorts } from './remote-operation.js';
import { TERMINAL_OPEN, type TerminalOpening } from './terminal-opening.js';

interface RemoteCallsPorts extends SendingPorts {
  /** Called once with the outcome of each command that is kept. */
  onSettled(command: LoggedCommand, outcome: Outcome): void;
}

/** Maximum time that an answer waits for its machine. */
const ANSWER_VALID_MS = 7 * 86_400_000;
/** Maximum time that the caller of an answer waits for the outcome, if the machine is not away. */
const ANSWER_WAIT_MS = 10_000;
/** Time for the way to the other machine and back, beside the time of the operation itself. */
const WAY_MS = 10_000;
/** Additional time that the caller waits for an operation that starts or ends programs. */
const PROGRAM_MS = 30_000;
/**
 * Lifetime of the command that opens a terminal. It is short: the person waits, and the client repeats a failed
 * command.
 */
const OPEN_MS = 8_000;

export class RemoteCalls {
  readonly #ports: RemoteCallsPorts;
  /** Commands without an outcome that only read. They are not on disk. */
  readonly #reads = new Map<string, OutgoingCommand>();
  readonly #waiters = new Map<string, (outcome: Outcome) => void>();

  constructor(ports: RemoteCallsPorts) {
    this.#ports = ports;
  }

  /**
   * @param absence  Why the machine cannot reply now, in words; null if it can.
   * @throws {OrchdError} The error of the operation on the other machine; ORCHD_MACHINE_AWAY without a reply in time.
   */
  async call(
    { machine: to, operation, input }: InputOf<'hub.call'>,
    absence: string | null,
    caller: Caller,
  ): Promise<OutputOf<'hub.call'>> {
    const { commandLog, offer, name } = this.#ports;
    const entry: OperationEntry = OPERATIONS[operation as OperationName]; // the handler has checked it
    const mayWait = entry.remote === 'answer';
    const isRead = changesNothing(entry);
    if (absence !== null && !mayWait) {
      throw new OrchdError('ORCHD_MACHINE_AWAY', isRead ? absence : `nothing was sent: ${absence}`);
    }
    const validMs = mayWait ? ANSWER_VALID_MS : patienceOf(entry, input) + WAY_MS;
    const waitMs = mayWait ? ANSWER_WAIT_MS : validMs + (entry.remote === 'start' ? PROGRAM_MS : 0);
    const id = randomUUID();
    const by = personOf(caller, name());
    const message = this.#sign({ id, to, by, operation, input }, validMs);
    const outgoing = { id, to, message };
    const outcome = new Promise<Outcome>((resolve) => this.#waiters.set(id, resolve));
    try {
      if (isRead) this.#reads.set(id, outgoing);
      else await commandLog.send({ id, to, by, operation, input, at: timestamp(this.#ports.now()), message });
      const offered = offer(outgoing).then(
        () => null,
        (error: unknown) => error,
      );
      // A busy server can confirm a command long after the other machine has replied to it.
      const refused = await Promise.race([offered, outcome.then(() => null)]);
      if (refused !== null && (!mayWait || isTooLarge(refused))) {
        if (isTooLarge(refused)) await this.#settle(id, { error: { code: refused.code, message: refused.message } });
        throw refused;
      }
      const found = absence !== null ? null : await within(outcome, waitMs, caller.signal);
      if (found) return { state: 'done', command_id: id, output: outputOf(found) };
      if (mayWait) return { state: 'on_its_way', command_id: id };
      const later = isRead ? '' : '; `orchd hub commands` shows whether it was done';
      throw new OrchdError('ORCHD_MACHINE_AWAY', `'${to}' did not reply in ${Math.round(waitMs / 1000)} s${later}`);
    } finally {
      this.#waiters.delete(id);
      this.#reads.delete(id);
    }
  }

  /**
   * Has another machine open a terminal. Nothing of it is on disk.
   *
   * @returns The public key of the other end of the channel.
   * @throws {OrchdError} The refusal of the other machine; ORCHD_MACHINE_AWAY if it did not reply in time.
   */
  async openTerminal(
    to: string,
    opening: TerminalOpening,
    caller: Pick<Caller, 'device' | 'client' | 'signal'>,
  ): Promise<string> {
    const id = randomUUID();
    const by = personOf(caller, this.#ports.name());
    const input = { ...opening };
    const outgoing = { id, to, message: this.#sign({ id, to, by, operation: TERMINAL_OPEN, input }, OPEN_MS) };
    const outcome = new Promise<Outcome>((resolve) => this.#waiters.set(id, resolve));
    try {
      this.#reads.set(id, outgoing);
      const offered = this.#ports.offer(outgoing);
      await Promise.race([offered, outcome]);
      const found = await within(outcome, OPEN_MS, caller.signal);
      if (!found) throw new OrchdError('ORCHD_MACHINE_AWAY', `'${to}' did not reply in ${OPEN_MS / 1000} s`);
      return String(outputOf(found)['key']);
    } finally {
      this.#waiters.delete(id);
      this.#reads.delete(id);
    }
  }

  /**
   * Called with the outcome of a command, at least once. Only the machine to which the command was sent can settle it.
   * For a label, this is the machine that has taken the command last. If that is not known, it is a machine that has
   * read the command.
   */
  async onOutcome(from: string, id: string, outcome: Outcome, proof: string): Promise<void> {
    const { commandLog, onSettled } = this.#ports;
    const command = commandLog.find(id);
    const to = this.#reads.get(id)?.to ?? command?.to;
    if (to === undefined || !(isLabel(to) ? this.#hasTaken(from, proof, command) : to === from)) return;
    await this.#settle(id, outcome);
    if (command && command.settled === undefined) onSettled(command, outcome);
    this.#waiters.get(id)?.(outcome);
  }

  #hasTaken(machine: string, proof: string, command: LoggedCommand | undefined): boolean {
    if (command?.takenBy !== undefined) return command.takenBy === machine;
    return command !== undefined && proof === this.#ports.proofOf(command.message);
  }

  #settle(id: string, outcome: Outcome): Promise<void> {
    return this.#ports.commandLog.settle(id, { at: timestamp(this.#ports.now()), outcome });
  }

  /** The commands to offer again. */
  waiting(): OutgoingCommand[] {
    return [...this.#onTheirWay(), ...this.#reads.values()];
  }

  /** The answers that are on their way, by the id of their item. The first answer to an item is the one that counts. */
  answers(): ReadonlyMap<string, LoggedCommand> {
    // A Map keeps the last of several values, so the first answer is put in last.
    const answers = this.#onTheirWay()
      .filter(({ operation }) => operation === 'inbox.answer')
      .reverse();
    return new Map(answers.map((command) => [String(command.input['item']), command]));
  }

  list(): OutputOf<'hub.commands'> {
    return this.#ports.commandLog.sent().map(({ message, settled, takenBy, offered: _o, delivery: _d, ...command }) => {
      if (settled === undefined && takenBy !== undefined) return { ...command, to: takenBy, state: 'running' };
      if (settled === undefined && this.#hasExpired(message)) {
        const error = `'${command.to}' did not reply in time; it may have done it`;
        return { ...command, state: 'expired', error };
      }
      const error = settled && 'error' in settled.outcome ? settled.outcome.error.message : undefined;
      const state = settled === undefined ? 'on_its_way' : error === undefined ? 'delivered' : 'refused';
      return { ...command, state, ...(settled && { settled_at: settled.at }), ...(error !== undefined && { error }) };
    });
  }

  #onTheirWay(): readonly LoggedCommand[] {
    return this.#ports.commandLog
      .sent()
      .filter(({ settled, message }) => settled === undefined && !this.#hasExpired(message));
  }

  /** True if the other machine would refuse the command by now. An outcome may still be on its way back. */
  #hasExpired(message: string): boolean {
    const now = this.#ports.serverTime();
    return now !== null && now > expiryOf(message) + WAY_MS;
  }

  /** Returns a signed command as JSON. */
  #sign(command: Omit<Command, 'from' | 'expires_at'>, validMs: number): string {
    const { sign, name } = this.#ports;
    return JSON.stringify(sign({ ...command, from: name(), expires_at: this.#expiry(validMs) }));
  }

  /** @throws {OrchdError} ORCHD_HUB_UNREACHABLE before the time of the server is known. */
  #expiry(validMs: number): number {
    const now = this.#ports.serverTime();
    if (now === null) throw new OrchdError('ORCHD_HUB_UNREACHABLE', 'the hub was not reached since the daemon started');
    return Math.round(now + validMs);
  }
}

/** True if the hub can never take it, so that it makes no sense to offer it again. */
const isTooLarge = (error: unknown): error is OrchdError =>
  error instanceof OrchdError && error.code === 'ORCHD_TOO_LARGE';

/** Returns, for example, `ann@laptop`, or `web:phone@laptop` for a browser. */
function personOf({ device, client }: Pick<Caller, 'device' | 'client'>, machine: string): string {
  return `${device ? client : userInfo().username}@${machine}`;
}

function patienceOf({ patienceMs = 0 }: OperationEntry, input: object): number {
  const patience = typeof patienceMs === 'number' ? patienceMs : patienceMs(input as never); // the input fits it
  return Number.isFinite(patience) ? patience : 0;
}

/** @returns Null if the time is over. */
async function within<T>(promise: Promise<T>, ms: number, signal: AbortSignal): Promise<T | null> {
  const end = withDeadline(signal, ms);
  if (end.aborted) return null;
  return Promise.race([
    promise,
    new Promise<null>((resolve) => end.addEventListener('abort', () => resolve(null), { once: true })),
  ]);
}

/** @throws {OrchdError} The error of the other machine. */
function outputOf(outcome: Outcome): Record<string, unknown> {
  if ('output' in outcome) return outcome.output as Record<string, unknown>; // the operation returned it
  const { code, message, details } = outcome.error;
  throw new OrchdError(Object.hasOwn(ERRORS, code) ? (code as ErrorCode) : 'ORCHD_INTERNAL', message, details);
}
