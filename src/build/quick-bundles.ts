/**
 * The bundles of frequent commands, which load only what the command needs: one for each name of a command.
 * bin/orchd.js finds them by their names. They run the same program as src/cli/main.ts, with one command.
 */
import { join } from 'node:path';

const CLI = join(import.meta.dirname, '../cli');
/** The file of the command, for each of its names. */
const QUICK: Readonly<Record<string, string>> = {
  ls: 'ls',
  list: 'ls',
  capture: 'capture',
  run: 'run',
  send: 'send',
  keys: 'keys',
  kill: 'kill',
  attach: 'attach',
  a: 'attach',
  inbox: 'inbox',
  answer: 'answer',
  status: 'status',
  wait: 'wait',
  tool: 'tool',
  show: 'show',
  events: 'events',
  mcp: 'mcp',
  hook: 'hook',
  version: 'version',
};
const PREFIX = 'quick:';

/** Entries by the bundle's name. */
export const quickEntries: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(QUICK).map((name) => [`quick-${name}`, PREFIX + name]),
);

/** Provides the entries, which exist only in the build. */
export const quickPlugin = {
  name: 'quick',
  resolveId: (id: string): string | undefined => (id.startsWith(PREFIX) ? id : undefined),
  load(id: string): string | undefined {
    if (!id.startsWith(PREFIX)) return undefined;
    const command = QUICK[id.slice(PREFIX.length)] ?? '';
    return `import { ${command} } from ${JSON.stringify(join(CLI, 'commands', `${command}.ts`))};
import { runProgram } from ${JSON.stringify(join(CLI, 'program/program.ts'))};
void runProgram([${command}], process.argv.slice(2));`;
  },
};
