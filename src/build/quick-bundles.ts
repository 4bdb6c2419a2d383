/**
 * The bundles of the commands, which load only what the command needs: one for each name of a command. bin/orchd.js
 * finds them by their names. They run the same program as src/cli/main.ts, with one command.
 */
import { join } from 'node:path';
import { COMMANDS } from '../cli/commands/index.js';

const CLI = join(import.meta.dirname, '../cli');
/**
 * Commands without a bundle. The first two may open the TUI, and CommonJS cannot contain Ink, because a module of it
 * awaits at its top level. `doctor` also has to run where a limit of the address space ends other programs, and a
 * bundle needs more of it than modules do.
 */
const WITHOUT_BUNDLE = ['start', 'demo', 'doctor'];
const PREFIX = 'quick:';

/** The command of each name. */
const commandOf = new Map(
  COMMANDS.filter(({ name }) => !WITHOUT_BUNDLE.includes(name)).flatMap(({ name, aliases = [] }) =>
    [name, ...aliases].map((word) => [word, name] as const),
  ),
);

/** The hidden command for which a person waits at each Tab. */
const COMPLETE = '__complete';

/** Entries by the bundle's name. */
export const quickEntries: Readonly<Record<string, string>> = Object.fromEntries(
  [...commandOf.keys(), COMPLETE].map((word) => [`quick-${word}`, PREFIX + word]),
);

/** Commander loads this module for subcommands that are programs of their own. orchd has none. */
const UNUSED_BY_COMMANDER = 'node:child_process';
const IN_COMMANDER = /[\\/]commander[\\/]/;

/** Returns the name under which the file of a command exports it. */
const exportOf = (command: string): string => (/^(ex|im)port$/.test(command) ? `${command}Command` : command);

const importOf = (name: string, file: string): string =>
  `import { ${name} } from ${JSON.stringify(join(CLI, file))};\n`;

/** Returns the program of a bundle. */
function programOf(word: string): string {
  const command = commandOf.get(word);
  const [name, file, given] = command
    ? [exportOf(command), `commands/${command}.ts`, `[${exportOf(command)}], process.argv.slice(2)`]
    : ['addCompletion', 'program/completion.ts', '[], process.argv.slice(2), addCompletion'];
  return `${importOf(name, file)}${importOf('runProgram', 'program/program.ts')}void runProgram(${given});`;
}

/** Provides the entries, which exist only in the build. */
export const quickPlugin = {
  name: 'quick',
  resolveId(id: string, importer?: string): string | undefined {
    const isUnused = id === UNUSED_BY_COMMANDER && IN_COMMANDER.test(importer ?? '');
    // No quick command opens the TUI.
    if (isUnused || id === './open-tui.js') return join(import.meta.dirname, 'unused.cjs');
    return id.startsWith(PREFIX) ? id : undefined;
  },
  load: (id: string): string | undefined => (id.startsWith(PREFIX) ? programOf(id.slice(PREFIX.length)) : undefined),
};
