/**
 * The bundles of src/cli/quick.ts: one for each command that is called all day, and for each of its aliases. bin/orchd.js finds them by
 * their names.
 *
 * In:   names of files in src/cli/commands. Out: entries that exist only in the build, and what loads them.
 */
import { join } from 'node:path';

const CLI = join(import.meta.dirname, '../cli');
/** The command's file, for each word that calls it. */
const QUICK = {
  ...{ ls: 'ls', list: 'ls', capture: 'capture', run: 'run', send: 'send', keys: 'keys', kill: 'kill' },
  ...{ attach: 'attach', a: 'attach', inbox: 'inbox', answer: 'answer', status: 'status', wait: 'wait', tool: 'tool' },
  ...{ mcp: 'mcp', hook: 'hook' },
} as const;
const PREFIX = 'quick:';

/** By the bundle's name. */
export const quickEntries: readonly (readonly [name: string, entry: string])[] = Object.entries(QUICK).map(
  ([word, command]) => [`quick-${word}`, PREFIX + command],
);

export const quickPlugin = {
  name: 'quick',
  resolveId: (id: string): string | undefined => (id.startsWith(PREFIX) ? id : undefined),
  load(id: string): string | undefined {
    if (!id.startsWith(PREFIX)) return undefined;
    const command = id.slice(PREFIX.length);
    return `import { ${command} } from ${JSON.stringify(join(CLI, 'commands', `${command}.ts`))};
import { takeCommand as take } from ${JSON.stringify(join(CLI, 'quick.ts'))};
export const takeCommand = () => take(${command});`;
  },
};
