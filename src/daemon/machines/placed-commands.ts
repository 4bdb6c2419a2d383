/**
 * Runs of workflows on other machines, as commands that wait for their machine: `run.place` and `run.withdraw`.
 *
 * In:   requests of workflows. The id of a command is that of its run, so a request that is repeated after a restart
 *       sends no second command.
 * Out:  `onOver` with the outcome, at least once. A command is on disk before it is sent, and is offered until its
 *       outcome is known.
 *
 *     sent → on its way ─taken→ running on a machine ─outcome→ over
 *               │                       └─its machine is away for too long→ over: expired; it is told to cancel the run
 *               ├─not taken in time→ over: expired
 *               └─withdrawn→ over here; the machine that has it, or takes it later, is told to cancel it
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Delivery, Outcome, OutgoingCommand } from '../../hub/index.js';
import { timestamp } from '../../lifecycle/index.js';
import { type InputOf, OrchdError } from '../../protocol/index.js';
import type { RunEnd } from '../../workflow/index.js';
import type { LoggedCommand } from './command-log.js';
import { expiryOf, isLabel, type SendingPorts } from './remote-operation.js';

interface PlacedCommandsPorts extends SendingPorts {
  /** Takes a command for a label out of its queue. */
  retract(command: Pick<OutgoingCommand, 'id' | 'to'>): Promise<void>;
  /** Resolves with the milliseconds since the machine's last heartbeat; null if that cannot be known now. */
  absenceOf(machine: string): Promise<number | null>;
  /** Called with the outcome of a placed run, at least once. */
  onOver(command: LoggedCommand, outcome: Outcome): void;
}

type PlaceInput = InputOf<'run.place'>;

/**
 * Maximum time that a run or its cancellation waits for its machine, also if the machine goes away after it began the
 * run.
 */
const VALID_MS = 7 * 86_400_000;
/** Pause between two checks whether the hub was reached. */
const LOOK_MS = 500;
/** Pause between two looks for runs that no machine has taken in time. */
const SWEEP_MS = 60_000;

const PLACE = 'run.place';

export class PlacedCommands {
  readonly #ports: PlacedCommandsPorts;
  readonly #end = new AbortController();
  readonly #sweep: NodeJS.Timeout;

  constructor(ports: PlacedCommandsPorts) {
    this.#ports = ports;
    this.#sweep = setInterval(() => void this.settleExpired().catch(() => undefined), SWEEP_MS).unref();
  }

  /**
   * Sends the command, unless it was sent before; then only its outcome is reported again.
   *
   * @param to  A machine, or `label:NAME`.
   * @throws {OrchdError} ORCHD_TOO_LARGE, ORCHD_FILE
   */
  async place(to: string, input: PlaceInput): Promise<void> {
    const { commandLog, onOver } = this.#ports;
    const known = commandLog.find(input.id);
    if (known?.settled) return onOver(known, known.settled.outcome);
    if (known === undefined) await this.#send(to, PLACE, input.id, { ...input });
  }

  /** Cancels a placed run, wherever it is. Does nothing if the run is over. */
  async withdraw(runId: string): Promise<void> {
    const { commandLog } = this.#ports;
    const command = commandLog.find(runId);
    if (command?.operation !== PLACE || command.settled) return;
    const error = { code: 'ORCHD_RUN_ENDED', message: 'it was cancelled' };
    await commandLog.settle(runId, { at: timestamp(this.#ports.now()), outcome: { error }, isWithdrawn: true });
    if (command.takenBy !== undefined) await this.#cancelOn(command.takenBy, runId);
    else if (!isLabel(command.to)) await this.#cancelOn(command.to, runId);
    else await this.#ports.retract(command).catch(() => undefined); // cancelled as soon as a machine takes it
  }

  /**
   * Called at least once when a machine has begun a run. A run that it should not have begun is cancelled there.
   *
   * A machine tells it again on each connection, so what is told last need not be the last that has happened.
   *
   * @param proof  For a label: that the machine has read the command. Ids of runs are no secret.
   * @param delivery  For a label: which delivery of the queue that was; null if it is not known.
   */
  async onTaken(machine: string, runId: string, proof: string, delivery: Delivery | null): Promise<void> {
    const { commandLog, proofOf } = this.#ports;
    const command = commandLog.find(runId);
    if (command?.operation !== PLACE) return;
    if (isLabel(command.to) ? proof !== proofOf(command.message) : machine !== command.to) return;
    const { takenBy, settled } = command;
    const isOther = takenBy !== undefined && takenBy !== machine;
    if (settled?.isWithdrawn || (settled && isOther)) return this.#cancelOn(machine, runId);
    if (settled) return;
    if (isBefore(delivery, command.delivery)) return isOther ? this.#cancelOn(machine, runId, takenBy) : undefined;
    await commandLog.taken(runId, machine, delivery);
    if (isOther) await this.#cancelOn(takenBy, runId, machine); // it was away for too long
  }

  /** Reports the outcome of a command, if it is a placed run. */
  report(command: LoggedCommand, outcome: Outcome): void {
    if (command.operation === PLACE) this.#ports.onOver(command, outcome);
  }

  /** The machine that runs it, or that it waits for; a label until a machine has taken it. */
  machineOf(runId: string): string | undefined {
    const command = this.#ports.commandLog.find(runId);
    return command?.operation === PLACE ? (command.takenBy ?? command.to) : undefined;
  }

  sessionOf(runId: string): string | null {
    const outcome = this.#ports.commandLog.find(runId)?.settled?.outcome;
    const output = outcome && 'output' in outcome ? outcome.output : null;
    return (output as { session_id?: string | null } | null)?.session_id ?? null; // `run.place` outputs a run
  }

  /** Ends all placed runs for their workflows, because this machine leaves the hub. */
  async abandon(): Promise<void> {
    const message = 'this machine has left the hub';
    for (const { id } of this.#waiting()) await this.#settle(id, { error: { code: 'ORCHD_HUB_NOT_JOINED', message } });
  }

  close(): void {
    this.#end.abort();
    clearInterval(this.#sweep);
  }

  #waiting(): readonly LoggedCommand[] {
    return this.#ports.commandLog
      .sent()
      .filter(({ operation, settled }) => operation === PLACE && settled === undefined);
  }

  /** The other machine has to cancel the run. The command is sent once, also if that machine is away. */
  async #cancelOn(machine: string, runId: string, takenBy?: string): Promise<void> {
    const id = `withdraw_${runId}_${machine}`;
    const input = { id: runId, ...(takenBy !== undefined && { taken_by: takenBy }) };
    if (!this.#ports.commandLog.find(id)) await this.#send(machine, 'run.withdraw', id, input);
  }

  async #send(to: string, operation: string, id: string, input: Readonly<Record<string, unknown>>): Promise<void> {
    const { commandLog, sign, offer, name } = this.#ports;
    const now = await this.#serverTime();
    // The next daemon sends it; or another request has sent it meanwhile.
    if (now === null || commandLog.find(id)) return;
    const by = `workflow@${name()}`;
    const command = { id, from: name(), to, by, operation, input, expires_at: Math.round(now + VALID_MS) };
    const message = JSON.stringify(sign(command));
    await commandLog.send({ id, to, by, operation, input, at: timestamp(this.#ports.now()), message });
    await offer({ id, to, message }).catch(async (error: unknown) => {
      const isForever = error instanceof OrchdError && error.code === 'ORCHD_TOO_LARGE';
      if (isForever) await this.#settle(id, { error: { code: error.code, message: error.message } });
    });
  }

  /** Waits until the hub was reached once. @returns Null when the daemon stops. */
  async #serverTime(): Promise<number | null> {
    const { signal } = this.#end;
    for (;;) {
      const now = this.#ports.serverTime();
      if (now !== null || signal.aborted) return signal.aborted ? null : now;
      await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Public for tests. */
  async settleExpired(): Promise<void> {
    const now = this.#ports.serverTime();
    if (now === null) return;
    for (const { id, to, message: signed, takenBy } of this.#waiting()) {
      if (now < expiryOf(signed)) continue;
      if (takenBy !== undefined && ((await this.#ports.absenceOf(takenBy)) ?? 0) < VALID_MS) continue;
      const message =
        takenBy === undefined
          ? `no machine has taken it within 7 days: '${to}' was away`
          : `'${takenBy}' has begun it, and is away for 7 days`;
      await this.#settle(id, { error: { code: 'ORCHD_HUB_EXPIRED', message } });
      if (takenBy !== undefined) await this.#cancelOn(takenBy, id);
    }
  }

  async #settle(id: string, outcome: Outcome): Promise<void> {
    const { commandLog } = this.#ports;
    await commandLog.settle(id, { at: timestamp(this.#ports.now()), outcome });
    const command = commandLog.find(id);
    if (command) this.report(command, outcome);
  }
}

/** True if the same message was delivered again later. */
const isBefore = (delivery: Delivery | null, known: Delivery | undefined): boolean =>
  delivery !== null && delivery.seq === known?.seq && delivery.count < known.count;

/** Returns the end of a placed run for its workflow. */
export function endOf({ id, to, takenBy }: LoggedCommand, outcome: Outcome): RunEnd {
  if ('output' in outcome) return outcome.output as RunEnd; // `run.place` outputs a run's end
  const { code, message } = outcome.error;
  const error = { error: 'AgentStartError', code, message: `on '${takenBy ?? to}': ${message}` };
  return { id, state: 'failed', result_text: null, result_data: null, error };
}
