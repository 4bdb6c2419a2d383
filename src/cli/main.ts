/**
 * The CLI: `orchd COMMAND …`. Parses the command line with the table in commands/, runs one command, and exits with its
 * code.
 *
 * Errors are printed on standard error in one sentence with the next step, or as JSON with --json. protocol/errors.ts
 * defines the exit codes. Only modules that every command needs are imported here: `orchd ls` must take little longer
 * than Node itself.
 */
import { Command, CommanderError } from 'commander';
import { EXIT, OrchdError } from '../protocol/errors.js';
import type { CommandSpec } from './command.js';
import { COMMANDS } from './commands/index.js';
import { versionText } from './commands/version.js';
import { createContext } from './context.js';
import { endSignal, exitCodeNow, failWith, report, runCommand, watchEnd, watchStream } from './end-command.js';
import { written } from './output.js';
import { toCommand } from './to-command.js';

function build(): Command {
  const isJson = process.argv.includes('--json');
  const program = new Command('orchd');
  program
    .description(
      'A terminal multiplexer daemon for AI agents: hosts them, hears their messages, and brings every question to you once.',
    )
    .version(versionText('number', isJson).trimEnd(), '-V, --version', 'the version')
    .helpOption('-h, --help', 'how it is used')
    .helpCommand('help [command]', 'how a command is used')
    .option('--json', 'print JSON')
    .option('-q, --quiet', 'print ids only, and no remarks')
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .addHelpText(
      'after',
      '\nEvery command has --json, -q and --help with examples; help itself is text. New here? `orchd demo`.',
    );
  for (const spec of needed()) program.addCommand(toCommand(spec, runCommand));
  program
    .command('__complete [words...]', { hidden: true })
    .allowUnknownOption()
    .helpOption(false)
    .passThroughOptions()
    .action(completeWords);
  return program;
}

/** Returns the named command; all commands if none is named, for the help. */
function needed(): readonly CommandSpec[] {
  const word = process.argv.slice(2).find((argument) => !argument.startsWith('-')) ?? '';
  const named = COMMANDS.filter(({ name, aliases = [] }) => name === word || aliases.includes(word));
  return named.length > 0 ? named : COMMANDS;
}

async function completeWords(words: string[]): Promise<void> {
  const context = createContext({ isJson: false, isQuiet: true }, endSignal);
  const { complete } = await import('./complete.js');
  const found = await complete(context, COMMANDS, words).catch(() => []);
  process.stdout.write(found.map((word) => `${word}\n`).join(''));
  context.close();
}

function fail(error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return EXIT.done;
    const message = error.message.replace(/^error: /, '');
    return report(new OrchdError('ORCHD_USAGE', message === '(outputHelp)' ? 'say what to do' : message));
  }
  return failWith(error);
}

/** Returns the words after `orchd`. Without words, `orchd` opens the TUI if it runs in a terminal. */
function words(): readonly string[] {
  const given = process.argv.slice(2);
  return given.length === 0 && process.stdin.isTTY && process.stdout.isTTY ? ['start'] : given;
}

/** Exits once all output is written, without waiting for V8's background work (compiling, garbage collection). */
async function end(code: number): Promise<never> {
  await Promise.all([process.stdout, process.stderr].map(written));
  process.exit(code);
}

watchEnd();
watchStream();
await end(await build().parseAsync(words(), { from: 'user' }).then(exitCodeNow, fail));
