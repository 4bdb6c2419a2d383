/**
 * The bundles of src/cli/quick.ts: one for each frequent command and each of its aliases. bin/orchd.js finds them by
 * their names.
 *
 * In:   names of files in src/cli/commands.
 * Out:  entries that exist only in the build, and the plugin that loads them.
 */
import { join } from 'node:path';

const CLI = join(import.meta.dirname, '../cli');
/** The command's file, for each name of the command. */
const QUICK = {
  ...{ ls: 'ls', list: 'ls', capture: 'capture', run: 'run', send: 'send', keys: 'keys', kill: 'kill' },
  ...{ attach: 'attach', a: 'attach', inbox: 'inbox', answer: 'answer', status: 'status', wait: 'wait', tool: 'tool' },
  ...{ show: 'show', events: 'events' },
  ...{ mcp: 'mcp', hook: 'hook' },
  version: 'version',
} as const;
/** Commands that need no daemon have a fast path of their own, with the same function name. */
const ALONE: Readonly<Record<string, string>> = { version: 'quick-version.ts' };
const PREFIX = 'quick:';

/** Entries by the bundle's name. */
export const quickEntries: readonly (readonly [name: string, entry: string])[] = Object.entries(QUICK).map(
  ([word, command]) => [`quick-${word}`, PREFIX + command],
);

/** Suffix of an entry's own file, which would only load the file with its content. */
export const FACADE = '-entry';

interface Output {
  readonly name: string;
  readonly fileName: string;
  code: string;
}

export const quickPlugin = {
  name: 'quick',
  resolveId: (id: string): string | undefined => (id.startsWith(PREFIX) ? id : undefined),
  load(id: string): string | undefined {
    if (!id.startsWith(PREFIX)) return undefined;
    const command = id.slice(PREFIX.length);
    const alone = ALONE[command];
    if (alone) return `export { takeCommand } from ${JSON.stringify(join(CLI, alone))};`;
    return `import { ${command} } from ${JSON.stringify(join(CLI, 'commands', `${command}.ts`))};
import { takeCommand as take } from ${JSON.stringify(join(CLI, 'quick.ts'))};
export const takeCommand = () => take(${command});`;
  },
  /**
   * Joins files, because each file that Node has to find and read takes half a millisecond. A command is one file, and
   * the code that it loads later is another.
   */
  generateBundle(_options: unknown, bundle: Record<string, Output>): void {
    const outputs = Object.values(bundle);
    const runtime = outputs.find(({ name }) => name === 'rolldown-runtime');
    for (const output of outputs) {
      if (output === runtime || output.name.endsWith(FACADE)) delete bundle[output.fileName];
      else if (runtime) {
        const inline = `(()=>{const exports={};${runtime.code};return exports})()`;
        output.code = output.code.replace(`require(\`./${runtime.fileName}\`)`, () => inline);
      }
    }
  },
};
