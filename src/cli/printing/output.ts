/**
 * Standard output of commands.
 *
 * In:   text.
 * Out:  the text, immediately where possible. If standard output is not a terminal, the text is written without Node's
 *       stream, because creating the stream takes longer than the rest of a short command. If the reader is gone, the
 *       command ends quietly with `exitCode`.
 */
import { fstatSync, writeSync } from 'node:fs';
import { EXIT, errorMessage } from '../../protocol/errors.js';

const FD = 1;

let isWatched = false;
let exitCode: () => number = () => EXIT.done;

/** @param codeNow  Returns the exit code of a command whose output pipe was closed. */
export function watchOutput(codeNow: () => number): void {
  exitCode = codeNow;
}

/** Returns Node's stream, which is needed for a terminal and while the output is full. */
export function outputStream(): NodeJS.WriteStream {
  const { stdout } = process;
  if (!isWatched) stdout.on('error', failed);
  isWatched = true;
  return stdout;
}

/** Most outputs are not devices, and that check is cheaper than creating the stream. */
export const isTerminal = (): boolean => isDevice() && outputStream().isTTY === true;

/** Returns the terminal's width; Infinity without a terminal. */
export const columns = (): number => (isTerminal() ? outputStream().columns : Number.POSITIVE_INFINITY);

/** Resolves when the text is written, so that the process may exit. */
export function writeOutput(text: string): Promise<void> {
  const rest = isDevice() ? Buffer.from(text) : writeNow(Buffer.from(text));
  if (rest.length === 0) return Promise.resolve();
  return new Promise((resolve) => outputStream().write(rest, () => resolve()));
}

/** Resolves when all data of a stream was passed to the system, or its reader is gone. The process may then exit. */
export function written(stream: NodeJS.WriteStream): Promise<void> {
  if (stream.writableLength === 0) return Promise.resolve();
  return new Promise((resolve) => stream.write('', () => resolve()));
}

/** @returns The bytes that could not be written without waiting. */
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
  process.stderr.write(`orchd: the output cannot be written: ${errorMessage(error)}\n`);
  process.exit(EXIT.failed);
}
