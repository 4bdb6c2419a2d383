import { type InputOf, OrchdError, STATE_BADGES } from '../../protocol/index.js';
import { parseDuration } from '../input/parse-values.js';
import { type CommandSpec, text } from '../program/command.js';
import { waitAcrossRestarts } from '../sessions/wait-across-restarts.js';

type Until = InputOf<'session.wait'>['until'];

export const wait: CommandSpec = {
  name: 'wait',
  group: 'Sessions',
  summary: 'Wait until a session is in a state (`exited`: until its process is gone, whatever the state).',
  args: '<session>',
  options: [
    ['--until <state>', `one of ${Object.keys(STATE_BADGES).join(', ')} (default: exited)`],
    ['--timeout <duration>', 'give up after this, with exit code 124'],
  ],
  examples: ['orchd wait build', 'orchd wait build --until waiting --timeout 60s'],
  async run(context, [session = ''], options) {
    const until = text(options, 'until') ?? 'exited';
    if (!Object.hasOwn(STATE_BADGES, until)) {
      throw new OrchdError(
        'ORCHD_USAGE',
        `'${until}' is not a state; states are ${Object.keys(STATE_BADGES).join(', ')}`,
      );
    }
    const timeout = text(options, 'timeout');
    const timeoutMs = timeout === undefined ? undefined : parseDuration('--timeout', timeout);
    const client = context.client();
    // Waits by id, because another session may have this name after a restart of the daemon. Without a daemon this
    // fails at once.
    const { id } = await client.call('session.show', { session });
    const about = { session: id, until: until as Until }; // checked against the table of states
    const reached = await waitAcrossRestarts(
      context,
      (given, how) => client.call('session.wait', { ...about, ...given }, how),
      timeoutMs,
    );
    await context.print(reached, () => (context.isQuiet ? `${reached.id}\n` : `${reached.name} ${reached.state}\n`));
    return undefined;
  },
};
