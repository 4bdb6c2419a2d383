/**
 * How a command ends: Ctrl-C, a reader that is gone, and what is said of an error.
 *
 * Errors go to standard error in one sentence and what to do next, or as JSON with --json; exit codes stand in
 * protocol/errors.ts.
 */
import { displayLine } from '../protocol/display.js';
import { ERRORS, EXIT, OrchdError } from '../protocol/errors.js';
import type { CommandSpec, Options } from './command.js';
import { type Context, createContext } from './context.js';
import { outputStream, watchOutput } from './output.js';

/** 128 and the signal's number, as shells count. */
const [INTERRUPTED, TERMINATED] = [130, 143];

/** The exit code, once a signal has ended the command. */
let endedWith: number | undefined;
let ended: AbortController | undefined;
let running: Context | undefined;
let exitCode: number | undefined;

/** Aborts at Ctrl-C. Made for who asks: a short command asks nobody but the daemon. */
export function endSignal(): AbortSignal {
  ended ??= new AbortController();
  if (endedWith !== undefined) ended.abort();
  return ended.signal;
}

/** At the first Ctrl-C the command ends, at the second one the process. */
export function watchEnd(): void {
  process.on('SIGINT', () => endWith(INTERRUPTED));
  watchOutput(() => exitCode ?? EXIT.done);
}

/** For a command that has to put something in order first: TERM ends it as Ctrl-C does. */
export function watchTerm(): void {
  process.on('SIGTERM', () => endWith(TERMINATED));
}

function endWith(code: number): void {
  if (endedWith !== undefined) process.exit(endedWith);
  endedWith = code;
  ended?.abort();
  running?.close();
}

/** Of commands that write to Node's own stream. */
export const watchStream = (): void => void outputStream();

/** Runs a command; `exitCodeNow` is its code then. */
export async function runCommand(spec: CommandSpec, args: readonly string[], options: Options): Promise<void> {
  const context = contextOf(options);
  running = context;
  try {
    exitCode = await spec.run(context, args, options);
  } finally {
    context.close();
  }
}

/** As `runCommand`, before the process ends: that closes what is open, and sooner. */
export async function runLastly(spec: CommandSpec, args: readonly string[], options: Options): Promise<void> {
  running = contextOf(options);
  exitCode = await spec.run(running, args, options);
}

const contextOf = (options: Options): Context =>
  createContext({ isJson: options['json'] === true, isQuiet: options['quiet'] === true }, endSignal);

export const exitCodeNow = (): number => endedWith ?? exitCode ?? EXIT.done;

/** Says what went wrong. @returns The exit code. */
export function failWith(error: unknown): number {
  if (endedWith !== undefined) return endedWith;
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
