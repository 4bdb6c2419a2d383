/**
 * The end of a command: Ctrl-C, a closed reader, and the report of errors.
 *
 * Errors are printed on standard error in one sentence with the next step, or as JSON with --json. protocol/errors.ts
 * defines the exit codes.
 */

import { ERRORS, EXIT, OrchdError } from '../../protocol/errors.js';
import { displayLine, displayText } from '../../protocol/index.js';
import { watchOutput } from '../printing/output.js';
import type { ActionSpec, Options } from './command.js';
import { type Context, createContext } from './context.js';

/** Exit codes as in shells: 128 plus the signal's number. */
const [INTERRUPTED, TERMINATED] = [130, 143];

/** The exit code after a signal has ended the command. */
let endedWith: number | undefined;
let ended: AbortController | undefined;
let running: Context | undefined;
let exitCode: number | undefined;

/** Returns a signal that aborts at Ctrl-C. It is created on demand, because short commands do not need it. */
export function endSignal(): AbortSignal {
  ended ??= new AbortController();
  if (endedWith !== undefined) ended.abort();
  return ended.signal;
}

/** The first Ctrl-C ends the command, the second one the process. */
export function watchEnd(): void {
  process.on('SIGINT', () => endWith(INTERRUPTED));
  watchOutput(() => exitCode ?? EXIT.done);
}

/** For a command that must clean up first: TERM then has the same effect as Ctrl-C. */
export function watchTerm(): void {
  process.on('SIGTERM', () => endWith(TERMINATED));
}

function endWith(code: number): void {
  if (endedWith !== undefined) process.exit(endedWith);
  endedWith = code;
  ended?.abort();
  running?.close();
}

/** Runs a command and stores its exit code for `exitCodeNow`. */
export async function runCommand(spec: ActionSpec, args: readonly string[], options: Options): Promise<void> {
  const context = createContext({ isJson: options['json'] === true, isQuiet: options['quiet'] === true }, endSignal);
  running = context;
  try {
    exitCode = await spec.run(context, args, options);
  } finally {
    context.close();
  }
}

export const exitCodeNow = (): number => endedWith ?? exitCode ?? EXIT.done;

/**
 * Reports an error.
 * @returns The exit code.
 */
export function failWith(error: unknown): number {
  if (endedWith !== undefined) return endedWith;
  if (error instanceof OrchdError) return report(error);
  if (isTooManyFiles(error)) return report(new OrchdError('ORCHD_FILE', TOO_MANY_FILES));
  const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return report(new OrchdError('ORCHD_INTERNAL', words));
}

const TOO_MANY_FILES = 'too many files are open; raise the limit: `ulimit -n 1024`';

/**
 * True if a module or file could not be opened for lack of file descriptors. bin/orchd.js has the same check for the
 * start.
 */
const isTooManyFiles = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');

export function report(error: OrchdError): number {
  const { exit } = ERRORS[error.code];
  const hint = hintOf(error);
  const isJson = process.argv.includes('--json');
  const winner = error.code === 'ORCHD_ITEM_CLOSED' ? winnersAnswer(error) : '';
  // The message may quote untrusted text: a file of another person's project, or the output of a program.
  const text = `orchd: ${displayText(error.message)}${winner}\n  ${hint}\n`;
  process.stderr.write(isJson ? `${JSON.stringify(error.toProblem())}\n` : text);
  return exit;
}

/** The error of a command that takes no `MACHINE/SESSION`. */
const OF_MACHINE = /^no session '[A-Za-z0-9][\w-]*\//;

function hintOf(error: OrchdError): string {
  if (error.code === 'ORCHD_USAGE') return usageHint(error);
  const isOther = error.code === 'ORCHD_SESSION_UNKNOWN' && OF_MACHINE.test(error.message);
  return isOther ? 'This command works on this machine only; see `orchd ls`.' : ERRORS[error.code].hint;
}

/** Returns the help command to try after a usage error. */
function usageHint({ message }: OrchdError): string {
  const [word = ''] = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
  const isNamed = /^[a-z]+$/.test(word) && !message.startsWith(`unknown command '${word}'`);
  return `See \`orchd ${isNamed ? `${word} ` : ''}--help\`.`;
}

function winnersAnswer({ details }: OrchdError): string {
  const answer = details?.['answer'] as { text?: string } | null | undefined; // an item from the daemon
  return answer?.text ? `: “${displayLine(answer.text)}”` : '';
}
