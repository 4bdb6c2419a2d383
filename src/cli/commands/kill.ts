import { type Session, shownState } from '../../protocol/index.js';
import { parseDuration } from '../input/parse-values.js';
import { type CommandSpec, text } from '../program/command.js';

/** Its last output may still have to be heard. */
const endWords = (session: Session): string =>
  session.catching_up === undefined ? session.state : `has ended, and is ${shownState(session).words}`;

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
      ended.map((session) => (context.isQuiet ? `${session.id}\n` : `${session.name} ${endWords(session)}\n`)).join(''),
    );
    return undefined;
  },
};
