import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPERATIONS, type OperationEntry } from '../../protocol/index.js';
import { table } from '../printing/paint.js';
import { type CommandSpec, flag } from '../program/command.js';

export const api: CommandSpec = {
  name: 'api',
  group: 'Daemon',
  summary: 'List the operations of the API, or print its OpenAPI document.',
  options: [['--openapi', 'the whole API as OpenAPI 3.1']],
  examples: ['orchd api', 'orchd api --openapi > openapi.json'],
  async run(context, _args, options) {
    if (flag(options, 'openapi')) {
      await context.write(readFileSync(join(import.meta.dirname, '../protocol/openapi.json'), 'utf8'));
      return undefined;
    }
    const entries = Object.entries(OPERATIONS as Record<string, OperationEntry>);
    if (context.isJson) {
      await context.print(
        entries.map(([operation, entry]) => ({ operation, ...entry })),
        () => '',
      );
      return undefined;
    }
    const rows = entries.map(([name, { method, path, cli, summary }]) => [
      { text: name },
      { text: method },
      { text: path },
      { text: `orchd ${cli}` },
      { text: summary },
    ]);
    await context.write(
      await table(context.paint, ['OPERATION', 'METHOD', 'PATH', 'CLI', ''], rows, Number.POSITIVE_INFINITY),
    );
    return undefined;
  },
};
