/** Generates docs/reference/operations.md from the table of operations and their schemas. */
import {
  hasBody,
  OPERATIONS,
  type OperationEntry,
  type OperationName,
  type Scope,
  shapeName,
} from '../../protocol/operations.js';
import { code, escapeText, fieldTable, type Shape, table, typeText, wrap } from './markdown.js';

const SCOPES: Readonly<Record<Scope, string>> = {
  any: 'every session',
  own: 'a session, for itself and the sessions that it started',
  started: 'a session, for the sessions that it started',
  self: 'a session, for itself',
  person: 'no session',
};

/** @param shapes Every shape by name. */
export function operationsPage(shapes: Readonly<Record<string, Shape>>): string {
  const entries = Object.entries(OPERATIONS) as [OperationName, OperationEntry][];
  return [
    '# Operations',
    wrap(
      'Every operation of the daemon, as HTTP request and as `call(name, input)` of the ' +
        '[library](../guide/programs.md#the-library). Fields in braces come from the path. GET and DELETE take ' +
        'the other fields from the query, all other methods from a JSON body. ' +
        '[openapi.json](../../protocol/openapi.json) describes the same for machines. A person may call every ' +
        'operation. A program inside a session has the token of that session; the table says what it may call.',
    ),
    table(
      ['operation', 'request', 'who may call it, besides a person'],
      entries.map(([name, { method, path, scope }]) => [
        `[${code(name)}](#${name.replaceAll('.', '')})`,
        code(`${method} ${path}`),
        SCOPES[scope],
      ]),
    ),
    ...entries.flatMap(([name, entry]) => section(name, entry, shapes)),
  ].join('\n\n');
}

function section(name: OperationName, entry: OperationEntry, shapes: Readonly<Record<string, Shape>>): string[] {
  const input = shapes[`${shapeName(name)}Input`];
  const output = shapes[`${shapeName(name)}Output`];
  const alias = entry.alias === undefined ? '' : ` Alias: ${code(entry.alias)}.`;
  return [
    `## ${name}`,
    wrap(escapeText(entry.summary)),
    `${code(`${entry.method} ${entry.path}`)} (command: \`orchd ${entry.cli}\`).${alias}`,
    `Input (${hasBody(entry) ? 'path and JSON body' : 'path and query'}):`,
    fieldTable(input),
    ...result(output, entry.status ?? 200),
  ];
}

function result(output: Shape | undefined, status: number): string[] {
  if (output === undefined) return [];
  if (output.properties === undefined) return [`Output (${status}): ${typeText(output)}.`];
  return [`Output (${status}):`, fieldTable(output)];
}
