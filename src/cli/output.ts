/**
 * Standard output, as commands write to it.
 *
 * In:   text.
 * Out:  the text, at once where that is possible: what is no terminal is written without Node's stream, which takes
 *       longer to make than a short command has left. A reader that is gone ends the command quietly, with `exitCode`.
 */
import { fstatSync, writeSync } from 'node:fs';
import { EXIT } from '../protocol/errors.js';

const FD = 1;

let isWatched = false;
let exitCode: () => number = () => EXIT.done;

/** @param codeNow  What a command exits with whose reader has what it wanted. */
export function watchOutput(codeNow: () => number): void {
  exitCode = codeNow;
}

/** Node's stream, for who needs it: a terminal, what is written while it is full. */
export function outputStream(): NodeJS.WriteStream {
  const { stdout } = process;
  if (!isWatched) stdout.on('error', failed);
  isWatched = true;
  return stdout;
}

/** Most outputs are no device: asking that is cheaper than making the stream. */
export const isTerminal = (): boolean => isDevice() && outputStream().isTTY === true;

/** Of the terminal; Infinity where there is none. */
export const columns = (): number => (isTerminal() ? outputStream().columns : Number.POSITIVE_INFINITY);

/** Resolves when it is written: the process may end then. */
export function writeOutput(text: string): Promise<void> {
  const rest = isDevice() ? Buffer.from(text) : writeNow(Buffer.from(text));
  if (rest.length === 0) return Promise.resolve();
  return new Promise((resolve) => outputStream().write(rest, () => resolve()));
}

/**
 * Resolves when the system has all that was written to one of Node's streams, or its reader is gone: the process may
 * end then.
 */
export function written(stream: NodeJS.WriteStream): Promise<void> {
  if (stream.writableLength === 0) return Promise.resolve();
  return new Promise((resolve) => stream.write('', () => resolve()));
}

/** @returns What could not be written without waiting. */
function writeNow(bytes: Buffer): Buffer {
  let at = 0;
  try {
    while (at < bytes.length) at += writeSync(FD, bytes, at);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) failed(error);
  }
  return bytes.subarray(at);
}

let device: boolean | undefined;
function isDevice(): boolean {
  device ??= fstatSync(FD).isCharacterDevice();
  return device;
}

function failed(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === 'EPIPE') process.exit(exitCode());
  process.stderr.write(`orchd: the output cannot be written: ${error instanceof Error ? error.message : error}\n`);
  process.exit(EXIT.failed);
}
