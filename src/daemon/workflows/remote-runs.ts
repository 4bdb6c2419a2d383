/**
 * Runs of workflows on other machines (`ON`): what a workflow asks of the hub.
 *
 * In:   a step's request with its place.
 * Out:  a `run.place` command for that machine or label, offered until its outcome is known. The member of the hub is
 *       built later than the workflows, and registers itself here. Requests wait until then.
 */
import { basename } from 'node:path';
import type { InputOf } from '../../protocol/index.js';
import type { Head, MachineSelector, PartRequest, RunLocation } from '../../workflow/index.js';
import { loginEnvironment } from '../program/index.js';
import { limitsOf, schemaOf } from './request.js';

/** Places runs on other machines, through the hub. */
export interface RunPlacement {
  /** The name of this machine; null if it is on no hub. */
  name(): string | null;
  /** @throws {OrchdError} ORCHD_HUB_NOT_JOINED, ORCHD_MACHINE_UNKNOWN */
  check(place: MachineSelector): Promise<void>;
  /**
   * Places a run, or reports its end again. A place that cannot be reached now gets it later.
   *
   * @throws {OrchdError} ORCHD_HUB_NOT_JOINED, ORCHD_TOO_LARGE, ORCHD_FILE
   */
  place(place: MachineSelector, input: InputOf<'run.place'>): Promise<void>;
  /** Cancels a placed run. Does nothing if the run was not placed, or is over. */
  withdraw(runId: string): Promise<void>;
  /** The machine of a placed run, or the label for which it waits; undefined if it was not placed. */
  machineOf(runId: string): string | undefined;
  /** The session of a placed run that is over. */
  sessionOf(runId: string): string | null;
}

/** Passes requests for runs on other machines to the hub, once the hub membership exists. */
export class RemoteRuns {
  #hub: RunPlacement | null = null;
  #register: (hub: RunPlacement) => void = () => undefined;
  readonly #registered = new Promise<RunPlacement>((resolve) => {
    this.#register = resolve;
  });

  use(hub: RunPlacement): void {
    this.#hub = hub;
    this.#register(hub);
  }

  /** @throws {OrchdError} The reason why no run can be placed there. */
  async check(place: MachineSelector): Promise<void> {
    if (!this.isHere(place)) await (await this.#registered).check(place);
  }

  /** True for the name of this machine. */
  isHere({ kind, name }: MachineSelector): boolean {
    return kind === 'machine' && this.#hub?.name() === name;
  }

  /**
   * Places the run if its place is not this machine.
   *
   * @returns False if it runs on this machine.
   * @throws {OrchdError} As `RunPlacement.place`.
   */
  async place(head: Head, request: PartRequest): Promise<boolean> {
    const { place } = request;
    if (place === null) return false;
    const hub = await this.#registered;
    if (this.isHere(place)) return false;
    await hub.place(place, inputOf(head, request, place));
    return true;
  }

  async withdraw(runId: string): Promise<void> {
    await this.#hub?.withdraw(runId);
  }

  /** Returns null for a run of this machine. */
  whereabouts(runId: string): RunLocation | null {
    const machine = this.#hub?.machineOf(runId);
    return machine === undefined ? null : { machine, session_id: this.#hub?.sessionOf(runId) ?? null };
  }
}

function inputOf(head: Head, request: PartRequest, place: MachineSelector): InputOf<'run.place'> {
  const { runId, prompt, blueprint, profile } = request;
  const { adapter, model } = head;
  const directory = place.directory ?? directoryOf(head);
  const schema = schemaOf(request);
  return {
    id: runId,
    for_workflow: head.id,
    prompt,
    limits: limitsOf(request),
    ...(directory !== null && { directory }),
    ...(blueprint !== null && { blueprint }),
    ...(profile !== null && { profile }),
    ...(adapter !== null && { adapter }),
    ...(model !== null && { model }),
    ...(schema && { output_schema: schema }),
  };
}

/** Returns the name of the project, or of the directory; null for the home directory. */
const directoryOf = ({ project, cwd }: Head): string | null =>
  project === null && cwd === loginEnvironment().HOME ? null : basename(project ?? cwd);
