/**
 * Parses a command line with commander, runs its command, and exits with its code.
 *
 * In:   the commands that may be meant: all of them (main.ts), or one (the bundles of build/quick-bundles.ts).
 * Out:  the exit code. Errors are printed on standard error in one sentence with the next step, or as JSON with --json.
 *       protocol/errors.ts defines the exit codes.
 */
import { Command, CommanderError } from 'commander';
import { EXIT, OrchdError } from '../../protocol/errors.js';
import { versionText } from '../commands/version.js';
import { allWritten } from '../printing/output.js';
import { actionFirst } from './action-first.js';
import type { CommandSpec } from './command.js';
import { exitCodeNow, failWith, report, runCommand, watchEnd } from './end-command.js';
import { toCommand } from './to-command.js';

/** @param words  The words after `orchd`. Never returns. */
export async function runProgram(
  specs: readonly CommandSpec[],
  words: readonly string[],
  more: (program: Command) => void = () => {},
): Promise<never> {
  const program = createProgram(specs);
  more(program);
  watchEnd();
  const code = await program.parseAsync(inOrder(specs, words), { from: 'user' }).then(exitCodeNow, fail);
  // Exits once all output is written, without waiting for V8's background work (compiling, garbage collection).
  await allWritten();
  process.exit(code);
}

function createProgram(specs: readonly CommandSpec[]): Command {
  const isJson = process.argv.includes('--json');
  const program = new Command('orchd');
  program
    .description(
      'A terminal multiplexer daemon for AI agents: hosts them, hears their messages, and brings every ' +
        'question to you once.',
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
  for (const spec of specs) program.addCommand(toCommand(spec, runCommand));
  return program;
}

/** Moves the subcommand, if there is one, directly after its command. */
function inOrder(specs: readonly CommandSpec[], words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => !word.startsWith('-')) + 1;
  const spec = specs.find(({ name }) => name === words[at - 1]);
  return spec?.actions ? [...words.slice(0, at), ...actionFirst(spec, words.slice(at))] : words;
}

function fail(error: unknown): number {
  if (!(error instanceof CommanderError)) return failWith(error);
  if (error.exitCode === 0) return EXIT.done;
  const message = error.message.replace(/^error: /, '');
  return report(new OrchdError('ORCHD_USAGE', message === '(outputHelp)' ? 'say what to do' : message));
}
