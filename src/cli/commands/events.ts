import { EVENT_TYPES, type Event, type GapEvent, OrchdError } from '../../protocol/index.js';
import { parseWhole } from '../input/parse-values.js';
import { describeEvent, sessionNames } from '../printing/describe-event.js';
import { type CommandSpec, flag, list, text } from '../program/command.js';

export const events: CommandSpec = {
  name: 'events',
  group: 'Inbox and events',
  summary: 'Print the event log; with --json, one event per line.',
  options: [
    ['-f, --follow', 'continue with new events (from now on, unless --since)'],
    ['--since <seq>', 'only events after this one'],
    ['--type <type>', 'only events of this type…'],
    ['--session <session>', 'only events of this session'],
    [
      '--machine <name>',
      'events of this machine of the hub; all: of all machines. --since is then a cursor, or 0',
      ['all'],
    ],
  ],
  quiet: 'print their numbers only',
  examples: [
    'orchd events',
    'orchd events -f --json --type message',
    'orchd events --since 120 --session build',
    'orchd events --machine all -f --json',
  ],
  async run(context, _args, options) {
    const since = text(options, 'since');
    const session = text(options, 'session');
    const types = list(options, 'type');
    const unknown = types.find((type) => !EVENT_TYPES.includes(type));
    if (unknown !== undefined) {
      throw new OrchdError(
        'ORCHD_USAGE',
        `there are no events of type '${unknown}'; there are ${EVENT_TYPES.join(', ')}`,
      );
    }
    const follow = flag(options, 'follow');
    const machine = text(options, 'machine');
    if (machine !== undefined) {
      const { printMachineEvents } = await import('../hub/events.js');
      return printMachineEvents(context, machine, { follow, since, types, session });
    }
    const isWords = !context.isJson && !context.isQuiet;
    const names = isWords ? await sessionNames(context) : new Map<string, string>();
    const stream = context.client().events({
      follow,
      reconnect: follow,
      ...(since !== undefined && { since: parseWhole('--since', since) }),
      ...(types.length > 0 && { type: types as Event['event_type'][] }), // checked above
      ...(session !== undefined && { session }),
    });
    for await (const event of stream) await context.write(show(event));
    return undefined;

    function show(event: Event | GapEvent): string {
      if (context.isJson) return `${JSON.stringify(event)}\n`;
      if (event.event_type === 'gap') return `${gapWords(event)}\n`;
      if (context.isQuiet) return `${event.seq}\n`;
      if (event.event_type === 'session_started' || event.event_type === 'session_renamed') {
        names.set(event.session_id, event.name);
      }
      return `${describeEvent(event, context.paint, names)}\n`;
    }
  },
};

const gapWords = ({ from, to, reason }: GapEvent): string =>
  reason === 'damaged' ? `event ${from} was damaged on disk` : `events ${from} to ${to} are gone`;
