import { callAcrossRestarts } from '../../client/index.js';
import { CALL_ID_BYTES } from '../../protocol/index.js';
import { randomHex } from '../input/random-hex.js';
import { readAll } from '../input/read-input.js';
import { type CommandSpec, text } from '../program/command.js';
import type { Context } from '../program/context.js';

/** How long to retry while the daemon is replaced. After that the agent's own dialog has to be used anyway. */
const AWAY_MS = 60_000;

/** Runs inside an agent. On any error it prints nothing, so that the agent shows its own dialog. */
export const hook: CommandSpec = {
  name: 'hook',
  group: 'Messages',
  summary:
    'Ask the question that an agent gives to its hook (JSON on standard input), and print the decision. ' +
    'orchd sets this up.',
  options: [['--session <session>', 'speak for this session (default: the session of this command)']],
  examples: [
    'echo \'{"hook_event_name": "PermissionRequest", "tool_name": "Bash", "tool_input": {"command": "ls"}}\' ' +
      '| orchd hook',
  ],
  async run(context, _args, options) {
    const session = text(options, 'session') ?? context.env['ORCHD_SESSION_ID'];
    const output = session === undefined ? null : await decided(context, session).catch(() => null);
    if (output !== null) await context.write(`${output}\n`);
    return undefined;
  },
};

/** Returns the hook's output; null for none. */
async function decided(context: Context, session: string): Promise<string | null> {
  const payload: unknown = JSON.parse((await readAll('-')).toString('utf8'));
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return null;
  const call_id = randomHex(CALL_ID_BYTES);
  const { signal } = context;
  const ask = () =>
    context
      .client()
      .call('session.hook', { session, call_id, payload: payload as Record<string, unknown> }, { signal });
  const about = { isWaiting: true, deadline: Number.POSITIVE_INFINITY, awayMs: AWAY_MS, signal };
  const { output } = await callAcrossRestarts(ask, about);
  return output;
}
