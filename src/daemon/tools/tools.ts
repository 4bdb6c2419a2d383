/**
 * Tools: functions that an agent calls instead of printing a message, through any interface. Each call is checked, and
 * then handled as a message (tool-messages.ts), or by the part of the daemon that the tool is for.
 */
import { randomBytes } from 'node:crypto';
import { MAX_BLOCK_CHARS } from '../../ears/index.js';
import { CALL_ID_BYTES, OrchdError, type Run } from '../../protocol/index.js';
import { checkInput, type OwnTool, offeredTools, type Tool, toolNamed, willWait } from '../../tools/index.js';
import type { SessionEntry } from '../registry/index.js';
import type { CallRequest, ToolCaller, ToolMessages, ToolMessagesPorts, ToolResult } from './tool-messages.js';

interface ToolsPorts {
  readonly messages: Pick<ToolMessages, 'call'>;
  /** The tools that are not messages. */
  readonly own: Readonly<Record<OwnTool['name'], OwnCall>>;
  readonly runs: ToolMessagesPorts['runs'] & {
    /** Returns the names of the tools that a session's agent may call; null for all. */
    toolsOf(sessionId: string): readonly string[] | null;
    /** Returns the run of the session's agent, if the run requires a call; null otherwise. */
    owingIn(sessionId: string): Run | null;
  };
}

type OwnCall = (
  entry: SessionEntry,
  request: CallRequest & { callId: string; wait: boolean },
  caller: ToolCaller,
) => Promise<ToolResult>;

/** Checks and carries out the tool calls of agents. */
export class Tools {
  readonly #ports: ToolsPorts;

  constructor(ports: ToolsPorts) {
    this.#ports = ports;
  }

  /**
   * @throws {OrchdError} ORCHD_TOOL_UNKNOWN, ORCHD_TOOL_NOT_OFFERED, ORCHD_SCHEMA; as `ToolMessages.call`, or as the
   *   part of the daemon that the tool is for.
   */
  async call(entry: SessionEntry, request: CallRequest, caller: ToolCaller): Promise<ToolResult> {
    const { runs, own, messages } = this.#ports;
    const tool = toolNamed(request.tool);
    const offered = this.offered(entry);
    // A task's agent may say that it is done even if it was not offered that tool: the reply reminds it of the required
    // call, unless it has made that call.
    const isOfTask = tool.message === 'TASK_COMPLETE' && runs.owingIn(entry.id) !== null;
    if (!offered.includes(tool) && !isOfTask) {
      const names = offered.map(({ name }) => name);
      const message = `the agent of '${entry.view.name}' may not call ${tool.name}; it has ${names.join(', ') || 'no tools'}`;
      throw new OrchdError('ORCHD_TOOL_NOT_OFFERED', message, { tools: names });
    }
    checkSize(request.input);
    checkInput(tool, request.input);
    const callId = request.callId ?? randomBytes(CALL_ID_BYTES).toString('hex');
    if (tool.message !== null) return messages.call(entry, tool, { ...request, callId }, caller);
    return own[tool.name](entry, { ...request, callId, wait: willWait(tool, request.wait) }, caller);
  }

  /** Returns the tools that a session may call. */
  offered(entry: SessionEntry): readonly Tool[] {
    return offeredTools(this.#ports.runs.toolsOf(entry.id));
  }
}

/**
 * Limits the input to the size of a printed block; the limit of the body limits its depth.
 * @throws {OrchdError} ORCHD_TOO_LARGE
 */
function checkSize(input: unknown): void {
  const chars = JSON.stringify(input).length;
  if (chars <= MAX_BLOCK_CHARS) return;
  throw new OrchdError('ORCHD_TOO_LARGE', `the input has ${chars} characters; a tool takes ${MAX_BLOCK_CHARS}`);
}
