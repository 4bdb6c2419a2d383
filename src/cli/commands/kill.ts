import { type Session, shownState } from '../../protocol/index.js';
import { clientOn, idOn, type OnMachine, onMachine, targetOf } from '../hub/remote-target.js';
import { parseDuration } from '../input/parse-values.js';
import { type CommandSpec, text } from '../program/command.js';

/** The daemon may still have to read the session's last output. */
const endWords = (session: Session): string =>
  session.catching_up === undefined ? session.state : `has ended, and is ${shownState(session).words}`;

export const kill: CommandSpec = {
  name: 'kill',
  group: 'Sessions',
  summary: 'End programs and all their processes: HUP, TERM, and KILL after a grace period.',
  args: '<sessions...>',
  options: [
    ['--grace <duration>', 'time between TERM and KILL (default: 3s)'],
    ['--machine <name>', 'sessions of this machine of the hub; or write NAME/SESSION'],
  ],
  quiet: 'print ids only',
  examples: ['orchd kill build', 'orchd kill build-7/web', 'orchd kill build docs --grace 10s'],
  async run(context, selectors, options) {
    const grace = text(options, 'grace');
    const grace_ms = grace === undefined ? undefined : parseDuration('--grace', grace);
    // All sessions are looked up first, so that a wrong name ends nothing.
    const targets = await Promise.all(
      selectors.map(async (given) => {
        const { machine, selector } = targetOf(given, options);
        const client = clientOn(context, machine);
        return { machine, client, id: (await client.call('session.show', { session: selector })).id };
      }),
    );
    const ended: OnMachine<Session>[] = await Promise.all(
      targets.map(async ({ id, client, machine }) => {
        const request = { session: id, ...(grace_ms !== undefined && { grace_ms }) };
        return onMachine(await client.call('session.kill', request), machine);
      }),
    );
    await context.print(ended, () =>
      ended
        .map((session) => {
          const name = idOn(session.name, session.machine);
          return context.isQuiet ? `${session.id}\n` : `${name} ${endWords(session)}\n`;
        })
        .join(''),
    );
    return undefined;
  },
};
