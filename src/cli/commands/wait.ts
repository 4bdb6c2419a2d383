import { type InputOf, OrchdError, STATE_LOOKS } from '../../protocol/index.js';
import { type CommandSpec, text } from '../command.js';
import { parseDuration } from '../parse-values.js';

type Until = InputOf<'session.wait'>['until'];

export const wait: CommandSpec = {
  name: 'wait',
  group: 'Sessions',
  summary: 'Wait until a session is in a state (`exited`: until its process is gone, whatever the state).',
  args: '<session>',
  options: [
    ['--until <state>', `one of ${Object.keys(STATE_LOOKS).join(', ')} (default: exited)`],
    ['--timeout <duration>', 'give up after this, with exit code 124'],
  ],
  examples: ['orchd wait build', 'orchd wait build --until waiting --timeout 60s'],
  async run(context, [session = ''], options) {
    const until = text(options, 'until') ?? 'exited';
    if (!Object.hasOwn(STATE_LOOKS, until)) {
      throw new OrchdError('ORCHD_USAGE', `'${until}' is no state; states are ${Object.keys(STATE_LOOKS).join(', ')}`);
    }
    const timeout = text(options, 'timeout');
    const reached = await context.client().call('session.wait', {
      session,
      until: until as Until, // checked against the table of states
      ...(timeout !== undefined && { timeout_ms: parseDuration('--timeout', timeout) }),
    });
    await context.print(reached, () => (context.isQuiet ? `${reached.id}\n` : `${reached.name} ${reached.state}\n`));
    return undefined;
  },
};
