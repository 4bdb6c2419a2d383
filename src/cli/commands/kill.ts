import type { Session } from '../../protocol/index.js';
import { parseDuration } from '../input/parse-values.js';
import { type CommandSpec, text } from '../program/command.js';

export const kill: CommandSpec = {
  name: 'kill',
  group: 'Sessions',
  summary: 'End programs and all their processes: HUP, TERM, and KILL after a grace period.',
  args: '<sessions...>',
  options: [['--grace <duration>', 'time between TERM and KILL (default: 3s)']],
  quiet: 'print ids only',
  examples: ['orchd kill build', 'orchd kill build docs --grace 10s'],
  async run(context, selectors, options) {
    const grace = text(options, 'grace');
    const grace_ms = grace === undefined ? undefined : parseDuration('--grace', grace);
    const client = context.client();
    // All sessions are looked up first, so that a wrong name ends nothing.
    const targets = await Promise.all(selectors.map((session) => client.call('session.show', { session })));
    const ended: Session[] = await Promise.all(
      targets.map(({ id }) =>
        client.call('session.kill', { session: id, ...(grace_ms !== undefined && { grace_ms }) }),
      ),
    );
    await context.print(ended, () =>
      ended.map(({ id, name, state }) => (context.isQuiet ? `${id}\n` : `${name} ${state}\n`)).join(''),
    );
    return undefined;
  },
};
