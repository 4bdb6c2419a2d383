/**
 * Standard output of commands.
 *
 * In:   text.
 * Out:  the text, immediately where possible. If standard output is not a terminal, the text is written without Node's
 *       stream, because creating the stream takes longer than the rest of a short command. If the reader is gone, the
 *       command ends quietly with the exit code of `watchOutput`.
 */
import { fstatSync, writeSync } from 'node:fs';
import { EXIT, errorMessage } from '../../protocol/errors.js';

const FD = 1;

let exitCode: () => number = () => EXIT.done;
/** Node's streams of standard output and standard error, if the command has used them. */
const used = new Set<NodeJS.WriteStream>();

/**
 * Watches Node's streams from their first use, which creates them. If the reader of standard output closes the pipe,
 * the command ends quietly.
 *
 * @param codeNow  Returns the exit code of a command whose output pipe was closed.
 */
export function watchOutput(codeNow: () => number): void {
  exitCode = codeNow;
  onFirstUse('stdout', (stream) => stream.on('error', failed));
  onFirstUse('stderr', () => {});
}

function onFirstUse(name: 'stdout' | 'stderr', begun: (stream: NodeJS.WriteStream) => void): void {
  const property = Object.getOwnPropertyDescriptor(process, name);
  Object.defineProperty(process, name, {
    ...property,
    get() {
      const stream: NodeJS.WriteStream = property?.get?.call(process);
      if (!used.has(stream)) begun(stream);
      used.add(stream);
      return stream;
    },
  });
}

/** Resolves when all that the command wrote was passed to the system. The process may then exit. */
export const allWritten = async (): Promise<void> => void (await Promise.all([...used].map(written)));

/** Most outputs are not devices, and that check is cheaper than creating the stream. */
export const isTerminal = (): boolean => isDevice() && process.stdout.isTTY === true;

/** Returns the terminal's width; Infinity without a terminal. */
export const columns = (): number => (isTerminal() ? process.stdout.columns : Number.POSITIVE_INFINITY);

/** Resolves when the text is written, so that the process may exit. */
export function writeOutput(text: string): Promise<void> {
  const rest = isDevice() ? Buffer.from(text) : writeNow(Buffer.from(text));
  if (rest.length === 0) return Promise.resolve();
  return new Promise((resolve) => process.stdout.write(rest, () => resolve()));
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
