/**
 * The CLI: `orchd COMMAND …`. Reads the command line by the table in commands/, runs one command, and exits with its code.
 *
 * Errors go to standard error in one sentence and what to do next, or as JSON with --json; exit codes stand in protocol/errors.ts.
 * Only what every command needs is imported here: `orchd ls` must cost little more than Node itself.
 */
import { Command, CommanderError } from 'commander';
import { displayLine } from '../protocol/display.js';
import { ERRORS, EXIT, OrchdError } from '../protocol/errors.js';
import { VERSION } from '../protocol/version.js';
import type { CommandSpec, Options } from './command.js';
import { COMMANDS } from './commands/index.js';
import { createContext } from './context.js';

const ended = new AbortController();
let exitCode: number | undefined;

function build(): Command {
  const program = new Command('orchd');
  program
    .description(
      'A terminal multiplexer daemon for AI agents: hosts them, hears their messages, and brings every question to you once.',
    )
    .version(VERSION, '-V, --version', 'the version')
    .helpOption('-h, --help', 'how it is used')
    .helpCommand('help [command]', 'how a command is used')
    .option('--json', 'print JSON')
    .option('-q, --quiet', 'print ids only')
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .addHelpText('after', '\nEvery command has --json, -q and --help with examples. New here? `orchd demo`.');
  for (const spec of needed()) program.addCommand(toCommand(spec));
  program
    .command('__complete [words...]', { hidden: true })
    .allowUnknownOption()
    .helpOption(false)
    .passThroughOptions()
    .action(completeWords);
  return program;
}

/** The one that is named; all of them where none is, for the help. */
function needed(): readonly CommandSpec[] {
  const word = process.argv.slice(2).find((argument) => !argument.startsWith('-')) ?? '';
  const named = COMMANDS.filter(({ name, aliases = [] }) => name === word || aliases.includes(word));
  return named.length > 0 ? named : COMMANDS;
}

function toCommand(spec: CommandSpec): Command {
  const command = new Command(spec.name)
    .description(spec.summary)
    .summary(spec.summary.replace(/\s*[;:(.].*$/s, ''))
    .helpGroup(`${spec.group}:`)
    .helpOption('-h, --help', 'how it is used')
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .showSuggestionAfterError()
    .addHelpText('after', `\nExamples:\n${spec.examples.map((line) => `  ${line}`).join('\n')}`);
  for (const alias of spec.aliases ?? []) command.alias(alias);
  if (spec.args) command.arguments(spec.args);
  if (spec.passesThrough) command.passThroughOptions();
  for (const [flags, description] of spec.options ?? []) {
    if (description.endsWith('…'))
      command.option(flags, description.slice(0, -1), (value: string, all: string[]) => [...all, value], []);
    else command.option(flags, description);
  }
  if (!spec.options?.some(([flags]) => flags.includes('--json'))) command.option('--json', 'print JSON');
  command.option('-q, --quiet', 'print ids only');
  return command.action(async (...given: unknown[]) => {
    const options = (given.at(-1) as Command).optsWithGlobals() as Options; // commander gives the command last
    const args = given
      .slice(0, -2)
      .flat()
      .filter((value): value is string => typeof value === 'string');
    const context = createContext(
      { isJson: options['json'] === true, isQuiet: options['quiet'] === true },
      ended.signal,
    );
    try {
      exitCode = await spec.run(context, args, options);
    } finally {
      context.close();
    }
  });
}

async function completeWords(words: string[]): Promise<void> {
  const context = createContext({ isJson: false, isQuiet: true }, ended.signal);
  const { complete } = await import('./complete.js');
  const found = await complete(context, COMMANDS, words).catch(() => []);
  process.stdout.write(found.map((word) => `${word}\n`).join(''));
  context.close();
}

function fail(error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return EXIT.done;
    const message = error.message.replace(/^error: /, '');
    return report(
      new OrchdError('ORCHD_USAGE', message === '(outputHelp)' ? 'say what to do; see `orchd --help`' : message),
    );
  }
  if (ended.signal.aborted) return INTERRUPTED;
  return report(
    error instanceof OrchdError
      ? error
      : new OrchdError('ORCHD_INTERNAL', error instanceof Error ? (error.stack ?? error.message) : String(error)),
  );
}

/** 128 + SIGINT, as shells count. */
const INTERRUPTED = 130;

function report(error: OrchdError): number {
  const { hint, exit } = ERRORS[error.code];
  const isJson = process.argv.includes('--json');
  const winner = error.code === 'ORCHD_ITEM_CLOSED' ? winnersAnswer(error) : '';
  process.stderr.write(
    isJson ? `${JSON.stringify(error.toProblem())}\n` : `orchd: ${error.message}${winner}\n  ${hint}\n`,
  );
  return exit;
}

function winnersAnswer({ details }: OrchdError): string {
  const answer = details?.['answer'] as { text?: string } | null | undefined; // from the daemon's item
  return answer?.text ? `: “${displayLine(answer.text)}”` : '';
}

process.on('SIGINT', () => {
  if (ended.signal.aborted) process.exit(INTERRUPTED);
  ended.abort();
});
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCode ?? EXIT.done); // the reader has what it wanted
  process.stderr.write(`orchd: the output cannot be written: ${error.message}\n`);
  process.exit(EXIT.failed);
});

try {
  await build().parseAsync(process.argv);
  process.exitCode = ended.signal.aborted ? INTERRUPTED : (exitCode ?? EXIT.done);
} catch (error) {
  process.exitCode = fail(error);
}
