/**
 * How a command ends: Ctrl-C, a reader that is gone, and what is said of an error.
 *
 * Errors go to standard error in one sentence and what to do next, or as JSON with --json; exit codes stand in protocol/errors.ts.
 */
import { displayLine } from '../protocol/display.js';
import { ERRORS, EXIT, OrchdError } from '../protocol/errors.js';
import type { CommandSpec, Options } from './command.js';
import { type Context, createContext } from './context.js';

/** 128 + SIGINT, as shells count. */
const INTERRUPTED = 130;

/** Aborts at Ctrl-C; at the second one the process ends. */
const ended = new AbortController();
export const endSignal: AbortSignal = ended.signal;
let exitCode: number | undefined;

export function watchEnd(): void {
  process.on('SIGINT', () => {
    if (ended.signal.aborted) process.exit(INTERRUPTED);
    ended.abort();
  });
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(exitCode ?? EXIT.done); // the reader has what it wanted
    process.stderr.write(`orchd: the output cannot be written: ${error.message}\n`);
    process.exit(EXIT.failed);
  });
}

/** Runs a command; `exitCodeNow` is its code then. */
export async function runCommand(spec: CommandSpec, args: readonly string[], options: Options): Promise<void> {
  const context = contextOf(options);
  try {
    exitCode = await spec.run(context, args, options);
  } finally {
    context.close();
  }
}

/** As `runCommand`, before the process ends: that closes what is open, and sooner. */
export async function runLastly(spec: CommandSpec, args: readonly string[], options: Options): Promise<void> {
  exitCode = await spec.run(contextOf(options), args, options);
}

const contextOf = (options: Options): Context =>
  createContext({ isJson: options['json'] === true, isQuiet: options['quiet'] === true }, ended.signal);

export const exitCodeNow = (): number => (ended.signal.aborted ? INTERRUPTED : (exitCode ?? EXIT.done));

/** Says what went wrong. @returns The exit code. */
export function failWith(error: unknown): number {
  if (ended.signal.aborted) return INTERRUPTED;
  return report(
    error instanceof OrchdError
      ? error
      : new OrchdError('ORCHD_INTERNAL', error instanceof Error ? (error.stack ?? error.message) : String(error)),
  );
}

export function report(error: OrchdError): number {
  const { exit } = ERRORS[error.code];
  const hint = error.code === 'ORCHD_USAGE' ? usageHint(error) : ERRORS[error.code].hint;
  const isJson = process.argv.includes('--json');
  const winner = error.code === 'ORCHD_ITEM_CLOSED' ? winnersAnswer(error) : '';
  process.stderr.write(
    isJson ? `${JSON.stringify(error.toProblem())}\n` : `orchd: ${error.message}${winner}\n  ${hint}\n`,
  );
  return exit;
}

/** Which help says what would have been right. */
function usageHint({ message }: OrchdError): string {
  const [word = ''] = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
  const isNamed = /^[a-z]+$/.test(word) && !message.startsWith('unknown command');
  return `See \`orchd ${isNamed ? `${word} ` : ''}--help\`.`;
}

function winnersAnswer({ details }: OrchdError): string {
  const answer = details?.['answer'] as { text?: string } | null | undefined; // from the daemon's item
  return answer?.text ? `: “${displayLine(answer.text)}”` : '';
}
