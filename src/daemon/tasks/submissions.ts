/**
 * The tools by which work on a task ends, by whichever way they were called: they count once in an attempt, and only for the agent that owes
 * them.
 */
import { OrchdError, type TaskTool } from '../../protocol/index.js';
import type { Runs } from '../runs/runs.js';
import type { SessionEntry } from '../session-entry.js';
import type { CallRequest, ToolResult } from '../tools/tools.js';
import type { Tasks } from './tasks.js';

export interface SubmissionPorts {
  readonly runs: Pick<Runs, 'shelf' | 'submit'>;
  readonly tasks: Pick<Tasks, 'onSubmitted'>;
}

export class Submissions {
  readonly #ports: SubmissionPorts;

  constructor(ports: SubmissionPorts) {
    this.#ports = ports;
  }

  /** @throws {OrchdError} ORCHD_NO_AGENT, ORCHD_TOOL_NOT_OFFERED, ORCHD_SUBMITTED */
  async call(tool: TaskTool, entry: SessionEntry, request: CallRequest & { callId: string }): Promise<ToolResult> {
    const { runs, tasks } = this.#ports;
    const run = runs.shelf.owingIn(entry.id);
    if (!run) throw new OrchdError('ORCHD_NO_AGENT', 'No agent currently active on this task');
    if (run.tool !== tool) {
      const message = `${tool} is not for this agent: it ends its work by ${run.tool}`;
      throw new OrchdError('ORCHD_TOOL_NOT_OFFERED', message);
    }
    await runs.submit(run.id, request.callId, request.input as Readonly<Record<string, unknown>>); // checked by its schema
    tasks.onSubmitted(run);
    return { ok: true };
  }
}
