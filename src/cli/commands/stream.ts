import { type CommandSpec, flag } from '../program/command.js';
import { mustLive } from '../sessions/living-session.js';

export const stream: CommandSpec = {
  name: 'stream',
  group: 'Sessions',
  summary: 'Print a session’s raw output from now on (also with --json), and type standard input into it.',
  args: '<session>',
  options: [['--read-only', 'do not type standard input']],
  examples: ['orchd stream build', 'printf "y\\n" | orchd stream build | head -3'],
  async run(context, [selector = ''], options) {
    const session = await context.client().call('session.show', { session: selector });
    mustLive(session);
    const isTyped = !flag(options, 'readOnly') && !process.stdin.isTTY;
    const { followOutput } = await import('../sessions/follow-output.js');
    const input = isTyped ? process.stdin : null;
    await followOutput({ context, session: session.id, output: process.stdout, input });
    process.stdin.destroy();
    return undefined;
  },
};
