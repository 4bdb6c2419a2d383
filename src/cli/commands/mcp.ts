import { type Client, callTool } from '../../client/index.js';
import { needRequestRoom, OrchdError } from '../../protocol/index.js';
import { offeredTools, TOOLS, type Tool, willWait } from '../../tools/index.js';
import { randomHex } from '../input/random-hex.js';
import { readJsonLines } from '../input/read-json-lines.js';
import { written } from '../printing/output.js';
import { type CommandSpec, text } from '../program/command.js';

const INSTANCE_BYTES = 8;
const NO_SESSION = 'this does not run in a session of orchd, so there are no tools';

export const mcp: CommandSpec = {
  name: 'mcp',
  group: 'Messages',
  summary: 'Serve the tools by MCP on standard input and output, for the agent of a session.',
  options: [
    ['--session <session>', 'speak for this session (default: the session of this command)'],
    ['--tools <names>', 'only these tools, separated by commas (default: those that the session is offered)'],
  ],
  examples: ['orchd mcp', 'claude mcp add orchd -- orchd mcp'],
  async run(context, _args, options) {
    const named = text(options, 'session');
    // Some agents' configurations expand a missing variable to ''.
    const session = named ?? (context.env['ORCHD_SESSION_ID'] || undefined);
    const wanted = text(options, 'tools');
    const known = toolsOf(wanted);
    // An agent's own configuration may also start this outside of orchd. No tools are offered then.
    if (session === undefined) context.note(`orchd: ${NO_SESSION}`);
    const client = context.client();
    // The daemon knows which tools the session needs, for example the report that a task's agent must send.
    const isAsked = session !== undefined && wanted === undefined;
    const offered = isAsked ? await offeredIn(client, session) : null;
    const tools = session === undefined ? [] : (offered ?? known);
    const { createMcpServer, LineTransport } = await import('../../mcp/index.js');
    const leaving = new AbortController();
    let open = 0;
    const server = createMcpServer({
      instance: randomHex(INSTANCE_BYTES),
      tools,
      refusal: isAsked ? undefined : (tool) => refusalOf(tool, tools, session),
      async call({ tool, input, wait, callId, signal }) {
        needRequestRoom(open); // the daemon would refuse it, too, in time that others wait for
        const isWaiting = willWait(tool, wait);
        const about = { session: session ?? '', tool: tool.name, input, callId, isWaiting };
        // Calls that wait are aborted when the client leaves. Reports are still sent.
        const until = isWaiting ? AbortSignal.any([signal, leaving.signal]) : signal;
        open++;
        try {
          return await callTool(client, { ...about, ...(wait !== undefined && { wait }), signal: until });
        } finally {
          open--;
        }
      },
    });
    const transport = new LineTransport((line) => void process.stdout.write(`${JSON.stringify(line)}\n`));
    await server.connect(transport);
    process.stdout.on('error', () => process.exit()); // The agent has closed the pipe.
    context.signal.addEventListener('abort', () => process.stdin.destroy());
    const serve = async (): Promise<void> => {
      for await (const line of readJsonLines(process.stdin)) {
        if ('problem' in line) transport.refuse(line.problem);
        else transport.take(line.value);
      }
    };
    // Starts both at once: serving does not wait for the check. The session that this process runs in needs no check.
    const check = named === undefined ? Promise.resolve() : mustBeKnown(client, named);
    await Promise.all([serve(), check]).finally(() => process.stdin.destroy());
    leaving.abort();
    await transport.idle();
    await written(process.stdout);
    return undefined;
  },
};

/** Returns the error for a tool that is not among those of `--tools`, or that is called outside of a session. */
function refusalOf({ name }: Tool, tools: readonly Tool[], session: string | undefined): OrchdError {
  if (session === undefined) return new OrchdError('ORCHD_INVALID', NO_SESSION);
  const names = tools.map((tool) => tool.name);
  const message = `this agent may not call ${name}; it has ${names.join(', ') || 'no tools'} (--tools)`;
  return new OrchdError('ORCHD_TOOL_NOT_OFFERED', message, { tools: names });
}

/** Returns the tools that a session may call; null if the daemon is away, is older, or does not know the session. */
async function offeredIn(client: Client, session: string): Promise<readonly Tool[] | null> {
  try {
    const { tools } = await client.call('session.tools', { session });
    return offeredTools(tools);
  } catch {
    return null;
  }
}

/**
 * Returns the tools of these names; all tools that a session is offered if `names` is undefined.
 * @throws {OrchdError} ORCHD_INVALID
 */
function toolsOf(names: string | undefined): readonly Tool[] {
  if (names === undefined) return offeredTools(null);
  const wanted = names.split(',').filter((name) => name !== ''); // an empty list is allowed
  const known = TOOLS.map(({ name }) => name);
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown === undefined) return offeredTools(wanted);
  throw new OrchdError('ORCHD_INVALID', `--tools: there is no tool '${unknown}'; there are ${known.join(', ')}`);
}

/**
 * Checks that the session exists. If the daemon is away, the check is skipped.
 * @throws {OrchdError} ORCHD_SESSION_UNKNOWN, ORCHD_AMBIGUOUS
 */
async function mustBeKnown(client: Client, session: string): Promise<void> {
  try {
    await client.call('session.show', { session });
  } catch (error) {
    const { code } = error instanceof OrchdError ? error : {};
    if (code === 'ORCHD_SESSION_UNKNOWN' || code === 'ORCHD_AMBIGUOUS') throw error;
  }
}
