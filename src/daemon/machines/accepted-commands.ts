/**
 * Commands of other machines: checks whether this machine accepts one, and carries it out once.
 *
 * This machine alone decides. It accepts a command that is signed by an enrolled key, that is for this machine, that
 * has not expired, and whose operation `hub.accept` allows. The outcome is on disk before the other machine learns it.
 * A command that comes again gets the same outcome. After a crash in between, the operation is called again with the
 * same request key, even if the command has expired meanwhile, and does its work only once.
 *
 * A run that a workflow has placed here is different: its outcome comes when the run is over. Until then, `take` says
 * so each time that the command comes.
 */
import { setImmediate } from 'node:timers/promises';
import type { Begun, Command, HeldWork, Later, Outcome } from '../../hub/index.js';
import {
  OPERATIONS,
  type OperationEntry,
  type OperationName,
  OrchdError,
  type RemoteNeed,
  validateInput,
} from '../../protocol/index.js';
import type { Caller } from '../access/index.js';
import type { Log } from '../log.js';
import type { CommandLog, HeldCommand } from './command-log.js';
import type { EnrolledKeys } from './enrolled-keys.js';
import { addressOf, changesNothing, refuseEnvironment } from './remote-operation.js';
import { needOf, parseOpening, TERMINAL_OPEN, type TerminalOpening } from './terminal-opening.js';

export interface AcceptedCommandsPorts {
  readonly keys: EnrolledKeys;
  readonly commandLog: CommandLog;
  /** The setting `hub.accept`. */
  readonly accept: readonly RemoteNeed[];
  /** True if the setting `hub.share` lets screens leave this machine. */
  readonly sharesScreens: boolean;
  /** Returns an output as JSON, without the data that `hub.share` keeps on this machine. */
  shared(output: unknown): string;
  /** The name of this machine. */
  name(): string;
  /** The time of the server in milliseconds since 1970; null if it is not known. */
  serverTime(): number | null;
  verify(message: string): { readonly command: Command; readonly key: string } | null;
  run(operation: OperationName, input: object, caller: Caller): Promise<unknown>;
  openTerminal(command: Command, opening: TerminalOpening): Promise<unknown>;
  /** Resolves with the placed run when it is over. */
  ended(runId: string): Promise<unknown>;
  /** The labels of this machine. */
  readonly labels: readonly string[];
  /** Resolves when it is known which runs exist. */
  runsKnown(): Promise<void>;
  hasRun(runId: string): boolean;
  /** The public key of this machine. It may give work to itself. */
  readonly ownKey: string;
  /** Called when work for a label is over. */
  onWorkOver(): void;
  /** Sends the outcome of a command that ended after the first reply. */
  reply(from: string, id: string, outcome: Outcome): Promise<void>;
  readonly log: Pick<Log, 'info'>;
}

/** Maximum time for which a command may be valid. Its id is remembered until it expires, so that a copy is refused. */
const MAX_VALID_MS = 31 * 86_400_000;
/** Maximum number of machines that the log names because their work was refused. */
const MAX_REFUSED = 1_000;

export class AcceptedCommands {
  readonly #ports: AcceptedCommandsPorts;
  readonly #running = new Map<string, Promise<Outcome | Later>>();
  /** The placed runs that are being withdrawn, until their outcome is on disk. */
  readonly #withdrawn = new Set<string>();
  /** The machines whose work was refused. The log names each of them once. */
  readonly #refused = new Set<string>();
  /** The commands whose run has not ended. */
  readonly #awaited = new Set<string>();

  constructor(ports: AcceptedCommandsPorts) {
    this.#ports = ports;
  }

  /**
   * @param from  The machine that has published the command, as the server has checked it.
   * @throws {Error} Nothing can be kept now. The command has to be delivered again.
   */
  async take(from: string, id: string, message: string): Promise<Outcome | Later> {
    const key = keyOf(from, id);
    const running = this.#running.get(key);
    if (running) return running;
    const outcome = this.#take(from, id, message);
    this.#running.set(key, outcome);
    return outcome.finally(() => this.#running.delete(key));
  }

  async #take(from: string, id: string, message: string): Promise<Outcome | Later> {
    const known = this.#ports.commandLog.outcomeOf(from, id);
    if (known) return known;
    if (this.#ports.commandLog.isHeld(from, id)) return 'held';
    if (this.#awaited.has(keyOf(from, id))) return 'taken';
    let command: Command;
    try {
      command = this.#check(from, id, message, [this.#ports.name()]);
    } catch (error) {
      return outcomeOf(error); // not kept: a stranger could fill the disk
    }
    if (command.operation !== WITHDRAW) return this.#carryOut(command);
    const run = keyOf(from, String(command.input['id']));
    this.#withdrawn.add(run);
    return this.#carryOut(command).finally(() => this.#withdrawn.delete(run));
  }

  async #carryOut(command: Command): Promise<Outcome | Later> {
    const { operation, by, from, id } = command;
    const isLost = operation === WITHDRAW && command.input['taken_by'] !== undefined;
    if (isLost) await this.#lose(command);
    if (operation === PLACE) {
      await setImmediate(); // commands that arrived together were all looked at
      const settled = this.#ports.commandLog.outcomeOf(from, id); // it was withdrawn meanwhile
      if (settled) return settled;
    }
    const entry = entryOf(operation);
    const isKept = operation !== TERMINAL_OPEN && !changesNothing(entry);
    if (isKept && this.#ports.commandLog.isFull(from)) {
      const words = `'${this.#ports.name()}' takes no further command of '${from}' until an earlier one has expired`;
      return outcomeOf(new OrchdError('ORCHD_HUB_FORBIDDEN', words));
    }
    if (isKept) await this.#ports.commandLog.begin({ from, id, expires_at: command.expires_at });
    const outcome = this.#withdrawn.has(keyOf(from, id)) ? WITHDRAWN : await this.#run(command);
    if (!isKept) return outcome;
    const refused = 'error' in outcome ? { refused: outcome.error.code } : {};
    this.#ports.log.info('a command of another machine', { from, id, by, operation, ...refused });
    if (entry?.outcomeComesLater && !('error' in outcome)) {
      this.#await(command);
      return 'taken';
    }
    if (operation === WITHDRAW && !isLost) await this.#neverStart(command);
    await this.#keep(command, outcome);
    return outcome;
  }

  /** Sends the outcome of a placed run when it is over. */
  #await({ from, id, expires_at }: Pick<Command, 'from' | 'id' | 'expires_at'>): void {
    const key = keyOf(from, id);
    if (this.#awaited.has(key)) return;
    this.#awaited.add(key);
    void this.#ports
      .ended(id)
      .then(async (run) => {
        await this.#keep({ from, id, expires_at }, { output: run });
        if (this.#ports.commandLog.isHeld(from, id)) this.#ports.onWorkOver();
        else await this.#ports.reply(from, id, this.#ports.commandLog.outcomeOf(from, id) ?? { output: run });
      })
      .catch((error: unknown) =>
        this.#ports.log.info('the outcome of a placed run is not kept', { id, reason: String(error) }),
      )
      .finally(() => this.#awaited.delete(key));
  }

  // ── work for labels ───────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Begins work for a label. `held` has it from then on, also after a restart.
   *
   * @returns `refused` if another machine may accept it: the key is not enrolled here, or this machine has lost the
   *   work before. `void` if no machine can accept it.
   * @throws {OrchdError} Nothing can be kept now.
   */
  async takeWork(work: Omit<HeldCommand, 'expires_at'>, message: string): Promise<Begun> {
    const { commandLog, verify, log } = this.#ports;
    const { from, id } = work;
    const verified = verify(message);
    if (verified?.command.operation !== PLACE) return 'void';
    const expiry = verified.command.expires_at;
    let outcome: Outcome | null = commandLog.outcomeOf(from, id);
    if (outcome !== null && isLoss(outcome)) return 'refused';
    if (outcome === null && !this.#awaited.has(keyOf(from, id))) {
      try {
        const command = this.#check(from, id, message, this.#labelAddresses());
        await commandLog.hold({ ...work, expires_at: expiry });
        outcome = await this.#run(command);
        if (!('error' in outcome)) {
          this.#await(command);
          return 'begun';
        }
      } catch (error) {
        if (!(error instanceof OrchdError) || error.code === 'ORCHD_CATCHING_UP') {
          await commandLog.release(from, id); // else this machine would renew what another one takes
          throw error;
        }
        if (error.code === 'ORCHD_HUB_FORBIDDEN') {
          const isNew = !this.#refused.has(from) && this.#refused.size < MAX_REFUSED;
          if (isNew) log.info('work of the hub is not accepted here', { from, id, reason: error.message });
          if (isNew) this.#refused.add(from);
          return this.#isEnrolled(from, verified.key) ? 'void' : 'refused';
        }
        if (error.code === 'ORCHD_FILE') throw error;
        outcome = outcomeOf(error); // it has expired
      }
    }
    if (!commandLog.isHeld(from, id) || commandLog.held().every(({ reply }) => reply !== work.reply)) {
      await commandLog.hold({ ...work, expires_at: expiry });
    }
    if (outcome) await this.#keep({ from, id, expires_at: expiry }, outcome);
    return 'begun';
  }

  /** The work for labels that this machine has taken. */
  held(): readonly HeldWork[] {
    const { commandLog } = this.#ports;
    return commandLog
      .held()
      .map(({ expires_at: _expiry, ...work }) => ({ ...work, outcome: commandLog.outcomeOf(work.from, work.id) }));
  }

  /** Waits for the ends of runs that the previous daemon has begun for labels. Work without a run is given back. */
  async resumeWork(): Promise<void> {
    const { commandLog, runsKnown, hasRun } = this.#ports;
    if (commandLog.held().length === 0) return;
    await runsKnown();
    for (const work of commandLog.held()) {
      if (commandLog.outcomeOf(work.from, work.id)) continue;
      if (hasRun(work.id)) this.#await(work);
      else if (!this.#awaited.has(keyOf(work.from, work.id))) await commandLog.release(work.from, work.id);
    }
  }

  // ── helpers ───────────────────────────────────────────────────────────────────────────────────────────────────────

  /** A withdrawn run may not have come yet. It is then answered with this outcome instead of being started. */
  async #neverStart({ from, input, expires_at }: Command): Promise<void> {
    await this.#keep({ from, id: String(input['id']), expires_at }, WITHDRAWN);
    this.#ports.onWorkOver();
  }

  /**
   * Called when another machine has taken work that this machine had accepted. This machine must not acknowledge the
   * work any more. It keeps the outcome, so that it does not take the work again.
   */
  async #lose({ from, input, expires_at }: Command): Promise<void> {
    const id = String(input['id']);
    await this.#ports.commandLog.release(from, id);
    await this.#keep({ from, id, expires_at }, lostTo(String(input['taken_by'])));
  }

  async #keep({ from, id, expires_at }: Pick<Command, 'from' | 'id' | 'expires_at'>, outcome: Outcome): Promise<void> {
    const { commandLog } = this.#ports;
    if (!commandLog.outcomeOf(from, id)) await commandLog.carriedOut({ from, id, expires_at, outcome });
  }

  #labelAddresses(): readonly string[] {
    return this.#ports.labels.map((name) => addressOf({ kind: 'label', name }));
  }

  /**
   * @param addresses  What the command may be sent to.
   * @throws {OrchdError} ORCHD_HUB_FORBIDDEN, ORCHD_HUB_EXPIRED
   */
  #check(from: string, id: string, message: string, addresses: readonly string[]): Command {
    const { verify, name, serverTime } = this.#ports;
    const verified = verify(message);
    if (!verified) throw new OrchdError('ORCHD_HUB_FORBIDDEN', `'${name()}' got a command without a valid signature`);
    const { command, key } = verified;
    if (!this.#isEnrolled(from, key)) {
      throw new OrchdError(
        'ORCHD_HUB_FORBIDDEN',
        `'${name()}' has not enrolled the key of '${from}'; there, run \`orchd hub enroll ${from} ${key}\``,
      );
    }
    if (command.from !== from || !addresses.includes(command.to) || command.id !== id) {
      throw new OrchdError('ORCHD_HUB_FORBIDDEN', `'${name()}' got a command that was made for another machine`);
    }
    const now = serverTime();
    if (now === null || (command.expires_at < now && !this.#ports.commandLog.hasBegun(from, id))) {
      throw new OrchdError('ORCHD_HUB_EXPIRED', `the command reached '${name()}' after it had expired`);
    }
    if (command.expires_at > now + MAX_VALID_MS) {
      throw new OrchdError('ORCHD_HUB_FORBIDDEN', `'${name()}' takes no command that is valid for more than 31 days`);
    }
    return command;
  }

  /** This machine may give work to itself. */
  #isEnrolled(from: string, key: string): boolean {
    const { keys, name, ownKey } = this.#ports;
    return keys.has(from, key) || (from === name() && key === ownKey);
  }

  async #run(command: Command): Promise<Outcome> {
    const { operation, input, by, id, from } = command;
    try {
      if (operation === TERMINAL_OPEN) {
        const opening = parseOpening(input);
        this.#permit(operation, needOf(opening));
        return { output: await this.#ports.openTerminal(command, opening) };
      }
      this.#permit(operation, entryOf(operation));
      refuseEnvironment(input);
      if (operation === PLACE && input['id'] !== id) {
        throw new OrchdError('ORCHD_HUB_FORBIDDEN', 'the id of the command is not that of its run');
      }
      const errors = validateInput(operation as OperationName, input); // `#permit` knows it
      if (errors.length > 0) {
        const words = errors.map(({ path, message }) => `${path}: ${message}`).join('; ');
        throw new OrchdError('ORCHD_INVALID', `'${this.#ports.name()}' refuses the input: ${words}`);
      }
      const caller: Caller = {
        session: null,
        device: null,
        client: by,
        requestKey: `${from} ${id}`,
        isRemote: true,
        signal: new AbortController().signal, // the command is carried out also if its sender goes away
        afterReply: () => {},
      };
      return {
        output: JSON.parse(this.#ports.shared(await this.#ports.run(operation as OperationName, input, caller))),
      };
    } catch (error) {
      if (error instanceof OrchdError && error.code === 'ORCHD_CATCHING_UP') throw error; // nothing was done yet
      return outcomeOf(error);
    }
  }

  /** @throws {OrchdError} ORCHD_HUB_FORBIDDEN */
  #permit(operation: string, entry: Pick<OperationEntry, 'remote' | 'showsScreen'> | undefined): void {
    const { accept, sharesScreens, name } = this.#ports;
    if (entry?.remote === undefined) {
      throw new OrchdError('ORCHD_HUB_FORBIDDEN', `'${name()}' carries out no '${operation}' for other machines`);
    }
    if (!accept.includes(entry.remote)) {
      const wanted = [...accept, entry.remote].join(', ');
      throw new OrchdError(
        'ORCHD_HUB_FORBIDDEN',
        `'${name()}' does not accept this: its hub.accept is "${accept.join(', ')}", without "${entry.remote}"; to allow ` +
          `it, set \`accept = "${wanted}"\` under [hub] in the user configuration there, and restart its daemon`,
      );
    }
    if (entry.showsScreen && !sharesScreens) {
      throw new OrchdError('ORCHD_HUB_FORBIDDEN', `'${name()}' shows no screens: its hub.share is "inbox"`);
    }
  }
}

const keyOf = (from: string, id: string): string => `${from} ${id}`;
const PLACE: OperationName = 'run.place';
const WITHDRAW: OperationName = 'run.withdraw';
const WITHDRAWN: Outcome = { error: { code: 'ORCHD_RUN_ENDED', message: 'it was cancelled' } };

const lostTo = (machine: string): Outcome => ({
  error: { code: 'ORCHD_RUN_ENDED', message: `'${machine}' has taken it`, details: { taken_by: machine } },
});
const isLoss = (outcome: Outcome): boolean => 'error' in outcome && outcome.error.details?.['taken_by'] !== undefined;

const entryOf = (operation: string): OperationEntry | undefined =>
  Object.hasOwn(OPERATIONS, operation) ? OPERATIONS[operation as OperationName] : undefined;

/** A failed operation is an outcome. An internal error of the daemon is reported without its details. */
function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof OrchdError)) return { error: { code: 'ORCHD_INTERNAL', message: String(error) } };
  const { code, message, details } = error;
  return { error: { code, message, ...(details !== undefined && { details }) } };
}
