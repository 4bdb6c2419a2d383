import { randomBytes } from 'node:crypto';
import { callTool } from '../../client/index.js';
import { Mcp, type McpCaller, offeredTools, rpcError, willWait } from '../../tools/index.js';
import { type CommandSpec, text } from '../command.js';
import { readLines } from '../mcp-lines.js';

const INSTANCE_BYTES = 8;

export const mcp: CommandSpec = {
  name: 'mcp',
  group: 'Messages',
  summary: 'The tools as an MCP server on standard input and output, for the agent of a session.',
  options: [
    ['--session <session>', 'as another session (default: the one that this runs in)'],
    ['--tools <names>', 'these alone, with commas between them'],
  ],
  examples: ['orchd mcp', 'claude mcp add orchd -- orchd mcp'],
  async run(context, _args, options) {
    const session = text(options, 'session') ?? context.env['ORCHD_SESSION_ID'];
    // In an agent's own configuration it is also started outside of orchd: then it offers nothing.
    if (session === undefined) context.note('orchd: this does not run in a session of orchd, so there are no tools');
    const client = context.client();
    const send = (message: object): void => void process.stdout.write(`${JSON.stringify(message)}\n`);
    /** What ends each call that waits for a person. */
    const waiting = new Set<AbortController>();
    const replies = new Set<Promise<void>>();
    const caller: McpCaller = {
      instance: randomBytes(INSTANCE_BYTES).toString('hex'),
      tools: session === undefined ? [] : offeredTools(text(options, 'tools')?.split(',') ?? null),
      call({ tool, input: whole, callId }) {
        const { wait, ...input } = whole;
        const ended = new AbortController();
        const given = typeof wait === 'boolean' ? { wait } : {};
        const isWaiting = willWait(tool, given.wait);
        if (isWaiting) waiting.add(ended);
        const about = { session: session ?? '', tool: tool.name, input, callId, isWaiting, signal: ended.signal };
        const result = callTool(client, { ...about, ...given }).finally(() => waiting.delete(ended));
        return { result, cancel: () => ended.abort() };
      },
      send,
    };
    const server = new Mcp({
      every(ms, then) {
        const timer = setInterval(then, ms);
        return () => clearInterval(timer);
      },
    });
    process.stdout.on('error', () => process.exit()); // the agent is gone
    context.signal.addEventListener('abort', () => process.stdin.destroy());
    for await (const line of readLines(process.stdin)) {
      if (line === null) send(rpcError(null, 'parse', 'the line is no JSON'));
      else {
        const replied = server.take(line.value, caller).then((reply) => {
          if (reply) send(reply);
          replies.delete(replied);
        });
        replies.add(replied);
      }
    }
    for (const ended of waiting) ended.abort(); // nobody reads their results; what was only said is said to its end
    await Promise.all(replies);
    return undefined;
  },
};
