/**
 * Agents that start agents: the tool `spawn_agent`, called in any way.
 *
 * In:   a call of a session's agent.
 * Out:  a run with that session as its parent, once per call id; its result for a waiting caller.
 *
 *     a caller that waits          gets the JSON object, or the text
 *     a caller that does not wait  gets an `<agent-callback>`, typed once when it is idle; not if its program has no
 *     or stops waiting             terminal or has ended
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  type Blueprint,
  type InputOf,
  isBlueprintName,
  makeId,
  OrchdError,
  type Run,
  type SchemaError,
} from '../../protocol/index.js';
import type { Blueprints } from '../blueprints/index.js';
import { withDeadline } from '../concurrency/index.js';
import { loginEnvironment } from '../program/index.js';
import { enclosingProject } from '../projects/index.js';
import type { Registry, SessionEntry } from '../registry/index.js';
import type { CallRequest, ToolCaller, ToolResult } from '../tools/index.js';
import { announcedSession } from './callback.js';
import type { Owed } from './plan.js';
import type { Runs } from './runs.js';

interface SpawningPorts {
  readonly runs: Runs;
  readonly registry: Registry;
  readonly blueprints: Pick<Blueprints, 'show'>;
  readonly defaultAdapter: string;
  readonly maxChildren: number;
  readonly maxDepth: number;
}

interface SpawnInput {
  readonly role: string;
  readonly task: string;
  readonly outputs?: readonly string[];
}

/** Carries out calls of the tool `spawn_agent`. */
export class Spawning {
  readonly #ports: SpawningPorts;
  /** Runs that are being started, by id. */
  readonly #starting = new Map<string, { readonly parent: string; readonly done: Promise<void> }>();

  constructor(ports: SpawningPorts) {
    this.#ports = ports;
  }

  /**
   * @throws {OrchdError} ORCHD_SPAWN_LIMIT, ORCHD_CALL_REUSED, ORCHD_CHILD_FAILED with the child's error in the
   *   details; the problem of the run.
   */
  async call(
    entry: SessionEntry,
    request: CallRequest & { callId: string; wait: boolean },
    caller: ToolCaller,
  ): Promise<ToolResult> {
    const { runs } = this.#ports;
    const { callId, timeoutMs, wait } = request;
    const input = request.input as SpawnInput; // validated by its schema
    const id = runIdOf(entry, callId);
    await this.#startOnce(entry, id, input, wait);
    if (!wait) {
      const run = await runs.begun(id);
      return startedOf(run, callId);
    }
    const signal = timeoutMs === undefined ? caller.signal : withDeadline(caller.signal, timeoutMs);
    try {
      const leave = runs.parents.await(id);
      try {
        return resultOf(await runs.wait(id, signal), callId, input.outputs ?? []);
      } finally {
        leave();
      }
    } catch (error) {
      if (!(error instanceof OrchdError) || error.code !== 'ORCHD_TIMEOUT') throw error;
      return startedOf(runs.collection.show(id), callId);
    }
  }

  /** Starts the run once: a repeated call gives the same run, even while it is being started. */
  async #startOnce(entry: SessionEntry, id: string, input: SpawnInput, isWaiting: boolean): Promise<void> {
    await this.#starting.get(id)?.done.catch(() => {}); // the first caller gets the error
    const spawn = JSON.stringify(input);
    const known = this.#ports.runs.collection.spawnOf(id);
    if (known === spawn) return;
    if (known !== null)
      throw new OrchdError('ORCHD_CALL_REUSED', 'the call_id belongs to another call of this session');
    if (this.#starting.has(id)) return this.#startOnce(entry, id, input, isWaiting);
    this.#checkLimits(entry);
    const done = this.#start(entry, input, id, { spawn, isWaiting });
    this.#starting.set(id, { parent: entry.id, done });
    await done.finally(() => this.#starting.delete(id));
  }

  async #start(entry: SessionEntry, input: SpawnInput, id: string, spawned: Spawned): Promise<void> {
    await this.#ports.runs.start(await this.#requestOf(entry, input), entry, { id, spawned });
  }

  /** @throws {OrchdError} ORCHD_SESSION_ENDED, ORCHD_SPAWN_LIMIT */
  #checkLimits(entry: SessionEntry): void {
    const { runs, maxChildren } = this.#ports;
    const { name } = entry.view;
    if (entry.hasEnded) throw new OrchdError('ORCHD_SESSION_ENDED', `session '${name}' has ended`);
    const starting = [...this.#starting].filter(
      ([id, { parent }]) => parent === entry.id && runs.collection.spawnOf(id) === null,
    );
    const children = runs.collection.childrenOf(entry.id).length + starting.length;
    if (children >= maxChildren) {
      throw new OrchdError('ORCHD_SPAWN_LIMIT', `'${name}' has ${children} agents that still run`, { children });
    }
    mayStartOthers(this.#ports, entry);
  }

  async #requestOf(entry: SessionEntry, { role, task, outputs }: SpawnInput): Promise<InputOf<'run.start'>> {
    const { cwd, pid } = entry.view;
    const place = { cwd, env: environmentOf(pid) };
    const form = outputs === undefined ? {} : { output_schema: schemaOf(outputs) };
    const project = enclosingProject(cwd);
    const blueprint = await this.#blueprint(role, project);
    if (blueprint) {
      // A blueprint keeps its output format. The named outputs are looked up in its result.
      const hasForm = blueprint.output_schema !== undefined || blueprint.output_format !== undefined;
      const about = { ...place, ...(hasForm ? {} : form), ...(project !== undefined && { project }) };
      return { blueprint: role, prompt: task, ...about };
    }
    const adapter = await this.#adapterOf(entry);
    return { ...(adapter !== '' && { adapter }), prompt: `You are: ${role}\n\n${task}`, ...place, ...form };
  }

  async #blueprint(role: string, project: string | undefined): Promise<Blueprint | null> {
    if (!isBlueprintName(role)) return null;
    try {
      return await this.#ports.blueprints.show(role, project);
    } catch (error) {
      if (error instanceof OrchdError && error.code === 'ORCHD_BLUEPRINT_UNKNOWN') return null;
      throw error;
    }
  }

  /** Returns the parent's adapter if it can run without a terminal, otherwise the default. */
  async #adapterOf({ view }: SessionEntry): Promise<string> {
    const { adapterNamed } = await import('../../session/index.js');
    return adapterNamed(view.adapter)?.batch ? view.adapter : this.#ports.defaultAdapter;
  }
}

/** Returns an id that is equal for equal calls. */
const runIdOf = (entry: SessionEntry, callId: string): string =>
  makeId('run', createHash('sha256').update(`${entry.id}/spawn_agent/${callId}`).digest());

const startedOf = (run: Run, callId: string): ToolResult => ({
  ok: true,
  call_id: callId,
  run_id: run.id,
  session_id: announcedSession(run),
  status: run.state,
});

const schemaOf = (outputs: readonly string[]): Record<string, unknown> => ({
  type: 'object',
  required: [...outputs],
  properties: Object.fromEntries(outputs.map((name) => [name, {}])),
});

function missingOutputs(result: Run['result_data'], outputs: readonly string[]): SchemaError[] {
  const has = (name: string): boolean => typeof result === 'object' && result !== null && Object.hasOwn(result, name);
  return outputs
    .filter((name) => !has(name))
    .map((name) => ({ path: `$.${name}`, message: `'${name}' is a required property` }));
}

/** Returns the parent's environment; a login's environment if the system does not reveal it. */
function environmentOf(pid: number): Record<string, string> {
  try {
    const pairs = readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .filter((pair) => pair.includes('='));
    return Object.fromEntries(
      pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
    );
  } catch {
    return loginEnvironment();
  }
}

/** @param outputs  The fields that the caller named. */
function resultOf(run: Run, callId: string, outputs: readonly string[]): ToolResult {
  const { id, state, result_text, result_data, error } = run;
  const session_id = announcedSession(run);
  if (state !== 'completed') {
    const message = `run ${id} ${state}: ${error?.message ?? ''}`;
    throw new OrchdError('ORCHD_CHILD_FAILED', message, { run_id: id, session_id, error, errors: error?.errors });
  }
  const errors = missingOutputs(result_data, outputs);
  if (errors.length > 0) {
    const names = errors.map(({ path }) => `'${path.slice('$.'.length)}'`).join(', ');
    const message = `run ${id} completed, but its result has no ${names}: the blueprint '${run.blueprint}' decides its form`;
    throw new OrchdError('ORCHD_CHILD_FAILED', message, { run_id: id, session_id, result_data, errors });
  }
  return { ok: true, call_id: callId, run_id: id, session_id, result: result_text ?? result_data };
}

/** How an agent started the run. Undefined for a run that a person started. */
interface Spawned {
  /** The agent's spawn_agent call, as JSON; null for `run.start`. */
  readonly spawn: string | null;
  readonly isWaiting: boolean;
}

/** The caller and the context of a run. */
export interface RunOrigin {
  /** An id that is already in the log, or is derived from a call. Default: a new id. */
  readonly id?: string;
  readonly spawned?: Spawned;
  readonly owes?: Owed;
  /** The step of a workflow. */
  readonly step?: Pick<Run, 'workflow_id' | 'step_id' | 'step_agent'>;
}

export interface DepthPorts {
  readonly registry: Registry;
  readonly maxDepth: number;
}

/** @throws {OrchdError} ORCHD_SPAWN_LIMIT */
export function mayStartOthers({ registry, maxDepth }: DepthPorts, entry: SessionEntry): void {
  const depth = depthOf(registry, entry) + 1;
  if (depth <= maxDepth) return;
  const message = `agents may start agents ${maxDepth} deep, and this would be ${depth}`;
  throw new OrchdError('ORCHD_SPAWN_LIMIT', message, { depth });
}

function depthOf(registry: Pick<Registry, 'get'>, entry: SessionEntry): number {
  const parent = entry.view.parent_session_id;
  const above = parent === null ? undefined : registry.get(parent);
  return above === undefined ? 0 : depthOf(registry, above) + 1;
}
