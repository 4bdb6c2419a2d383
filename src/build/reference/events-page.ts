/** Generates docs/reference/events.md, types.md and messages.md from the schemas. */
import { code, escapeText, fieldTable, type Shape, table, wrap } from './markdown.js';

/** Fields that all events have. */
const COMMON = ['seq', 'event_type', 'timestamp', 'session_id'];

/** @param events The definitions of protocol/events.schema.json by name. */
export function eventsPage(events: Readonly<Record<string, Shape>>): string {
  const entries = Object.values(events).map((shape) => ({
    type: String(shape.properties?.['event_type']?.const),
    shape,
  }));
  const sample = events['SessionRenamedEvent'];
  if (sample === undefined) throw new Error('protocol/events.schema.json has no SessionRenamedEvent');
  const common = Object.fromEntries(COMMON.map((name) => [name, sample.properties?.[name] ?? {}]));
  return [
    '# Events',
    wrap(
      'The event log has everything that happened, in the order of `seq`. ' +
        '[Programs](../guide/programs.md#follow-events) shows how to follow it. Later versions add fields and ' +
        'types; ignore those that you do not know.',
    ),
    'Every event has these fields (`session_id` only if it belongs to a session):',
    fieldTable({ properties: common }),
    table(
      ['event', 'meaning'],
      entries.map(({ type, shape }) => [`[${code(type)}](#${type})`, escapeText(shape.description ?? '')]),
    ),
    ...entries.flatMap(({ type, shape }) => [
      `## ${type}`,
      wrap(escapeText(shape.description ?? '')),
      fieldTable(shape, COMMON),
    ]),
  ].join('\n\n');
}

/** @param shapes The shapes by name. */
export function typesPage(shapes: Readonly<Record<string, Shape>>): string {
  return [
    '# Types',
    'Shapes that several operations and events use.',
    ...Object.entries(shapes).flatMap(([name, shape]) => [
      `## ${name}`,
      ...(shape.description ? [wrap(escapeText(shape.description))] : []),
      ...(shape.properties ? [fieldTable(shape)] : [wrap(`Type: ${typeLine(shape)}.`)]),
    ]),
  ].join('\n\n');
}

const typeLine = (shape: Shape): string =>
  shape.enum ? shape.enum.map((value) => code(String(value))).join(', ') : String(shape.type ?? 'any value');

interface MessageSchema extends Shape {
  readonly examples?: readonly unknown[];
}

/** @param messages The schemas in protocol/messages, in the order of their file names. */
export function messagesPage(messages: readonly MessageSchema[]): string {
  return [
    '# Messages',
    wrap(
      'Every type of message with the fields of its `data`. [Inbox and answers](../guide/inbox.md#messages) ' +
        'shows how a message is printed. Unknown fields of `data` are kept. Every message may have an `id` and ' +
        'a `key` beside `type` and `data`.',
    ),
    ...messages.flatMap((schema) => {
      const { type, data } = schema.properties ?? {};
      const examples = schema.examples ?? [];
      return [
        `## ${String(type?.const)}`,
        wrap(escapeText(schema.description ?? '')),
        data?.properties ? fieldTable(data) : fieldTable(schema, ['type', 'id']),
        ...examples.map((example) => `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``),
      ];
    }),
  ].join('\n\n');
}
