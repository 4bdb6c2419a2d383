/**
 * Runs that workflows of other machines have placed on this one.
 *
 * In:   a request with the id of the run.
 * Out:  the run, which is started once, with the environment of a login, and with the blueprints and profiles of this
 *       machine.
 */
import { type InputOf, OrchdError, type OutputOf, type Run, type WorkflowProfile } from '../../protocol/index.js';
import { Listeners } from '../concurrency/index.js';
import { loginEnvironment } from '../program/index.js';
import { findDirectory } from '../projects/index.js';
import type { Registry } from '../registry/index.js';
import type { Runs } from '../runs/index.js';
import { formOf, type ProgramPorts, requireProfile } from './request.js';

interface PlacedRunsPorts extends ProgramPorts {
  readonly runs: Runs;
  readonly registry: Registry;
  /** The profiles in the configuration. */
  readonly profiles: Readonly<Record<string, WorkflowProfile>>;
}

type PlacedRun = OutputOf<'run.place'>;

/** The listeners wait for the end of any run. */
const ANY = '';
const NEVER = new AbortController().signal;

/** Starts the runs that other machines place on this one, each once. */
export class PlacedRuns {
  readonly #ports: PlacedRunsPorts;
  readonly #changes = new Listeners();
  #setKnown: () => void = () => undefined;
  /** Resolves when the runs of the previous daemon are known. */
  readonly known = new Promise<void>((resolve) => {
    this.#setKnown = resolve;
  });

  constructor(ports: PlacedRunsPorts) {
    this.#ports = ports;
  }

  /**
   * Starts the run; returns it if it was started before.
   *
   * @throws {OrchdError} Why it cannot be started here.
   */
  async start(input: InputOf<'run.place'>, environment: { readonly env?: Record<string, string> }): Promise<PlacedRun> {
    const { runs, profiles } = this.#ports;
    const { id, prompt, limits = {}, output_schema: schema } = input;
    if (runs.collection.has(id)) return placedRun(runs.collection.show(id));
    const asked = { blueprint: input.blueprint ?? null, profile: input.profile ?? null, prompt, limits, schema };
    requireProfile(asked, profiles);
    const { cwd, project } = this.#directoryOf(input);
    const { adapter = null, model = null } = input;
    const form = await formOf(this.#ports, asked, { adapter, model, profiles, project });
    return placedRun(await runs.start({ ...form, cwd, ...environment }, null, { id }));
  }

  /** True if a run that comes now starts at once. */
  get isFree(): boolean {
    return this.#ports.runs.hasFreePlace;
  }

  /** Resolves when a run could start at once, or when the signal aborts. */
  async whenFree(signal: AbortSignal): Promise<void> {
    await this.known;
    while (!this.isFree && !signal.aborted) await this.#changes.change(ANY, signal);
  }

  /** Called when the runs of the previous daemon continue. */
  begin(): void {
    this.#setKnown();
  }

  /** Called when a run has left its place. */
  onPlaceLeft(): void {
    this.#changes.wake(ANY);
  }

  /** Cancels the run if it was started and is not over. */
  withdraw(id: string): void {
    this.#ports.runs.cancelIfAlive(id);
  }

  has(id: string): boolean {
    return this.#ports.runs.collection.has(id);
  }

  /**
   * Resolves when the run is over.
   *
   * @throws {OrchdError} ORCHD_RUN_UNKNOWN
   */
  async ended(id: string): Promise<PlacedRun> {
    return placedRun(await this.#ports.runs.wait(id, NEVER));
  }

  /** @throws {OrchdError} ORCHD_FILE, ORCHD_AMBIGUOUS */
  #directoryOf({ directory }: InputOf<'run.place'>): { readonly cwd: string; readonly project: string | null } {
    const home = loginEnvironment().HOME;
    const known = this.#ports.registry.sessions().map(({ cwd }) => cwd);
    try {
      const found = findDirectory(directory ?? home, home, known);
      return { cwd: found.directory, project: found.project };
    } catch (error) {
      if (!(error instanceof OrchdError)) throw error;
      throw new OrchdError(error.code, `${error.message}; ON … IN "directory" names another one`, error.details, error);
    }
  }
}

const placedRun = ({ id, state, session_id, result_text, result_data, error }: Run): PlacedRun => ({
  id,
  state,
  session_id,
  result_text,
  result_data,
  error,
});
