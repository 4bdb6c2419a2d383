/**
 * Handles the tool calls that end an attempt of a task, however they arrive. A call counts once per attempt, and only
 * if it comes from the agent that must make it.
 */
import { OrchdError, type Run, type TaskTool } from '../../protocol/index.js';
import type { Blueprints } from '../blueprints/index.js';
import type { SessionEntry } from '../registry/index.js';
import type { Runs } from '../runs/index.js';
import type { CallRequest, ToolResult } from '../tools/index.js';
import { assignable } from './request.js';
import type { Tasks } from './tasks.js';

interface SubmissionPorts {
  readonly runs: Pick<Runs, 'collection' | 'submit'>;
  readonly tasks: Pick<Tasks, 'onSubmitted' | 'show'>;
  readonly blueprints: Pick<Blueprints, 'list'>;
}

/** Checks and carries out the tool calls that end an attempt of a task. */
export class Submissions {
  readonly #ports: SubmissionPorts;

  constructor(ports: SubmissionPorts) {
    this.#ports = ports;
  }

  /** @throws {OrchdError} ORCHD_NO_AGENT, ORCHD_TOOL_NOT_OFFERED, ORCHD_SCHEMA, ORCHD_SUBMITTED */
  async call(tool: TaskTool, entry: SessionEntry, request: CallRequest & { callId: string }): Promise<ToolResult> {
    const { runs, tasks } = this.#ports;
    const run = runs.collection.owingIn(entry.id);
    if (!run) throw new OrchdError('ORCHD_NO_AGENT', 'No agent currently active on this task');
    if (run.tool !== tool) {
      const message = `${tool} is not for this agent: it ends its work by ${run.tool}`;
      throw new OrchdError('ORCHD_TOOL_NOT_OFFERED', message);
    }
    const input = request.input as Readonly<Record<string, unknown>>; // validated by its schema
    await this.#checkAssigned(run, input['assignedAgent']);
    await runs.submit(run.id, request.callId, input);
    tasks.onSubmitted(run);
    return { ok: true };
  }

  /**
   * Checks the assigned agent, so that the planner can name another one.
   * @throws {OrchdError} ORCHD_SCHEMA
   */
  async #checkAssigned(run: Run, name: unknown): Promise<void> {
    if (run.tool !== 'planner-output' || typeof name !== 'string') return;
    const project = run.task_id === undefined ? null : this.#ports.tasks.show(run.task_id).project;
    const agents = await assignable(this.#ports.blueprints, project ?? undefined);
    if (agents.some((agent) => agent.name === name)) return;
    const names = agents.map((agent) => agent.name).join(', ');
    const message = `there is no agent '${name}' ${names === '' ? 'nor any other: leave it out' : `among ${names}`}`;
    throw new OrchdError('ORCHD_SCHEMA', `the input of planner-output does not fit: $.assignedAgent: ${message}`, {
      errors: [{ path: '$.assignedAgent', message }],
    });
  }
}
