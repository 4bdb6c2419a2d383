/**
 * One program that the host runs, however it is connected: in a pty (pty.ts), or on pipes (pipes.ts).
 *
 * Out:  output in chunks of at most MAX_CHUNK_BYTES, borrowed during the call; how it ended.
 * Knows nothing of journals and of flow control beyond `pause` and `resume`.
 */
import { accessSync, constants as fsConstants, statSync } from 'node:fs';
import { OrchdError } from '../protocol/errors.js';

/**
 * Maximum length of a chunk of output. (Linux gives at most 4,095 bytes per read of a terminal; reading again at once
 * gained nothing when it was measured.)
 */
export const MAX_CHUNK_BYTES = 8 * 1024;

export interface Program {
  readonly pid: number;
  /** Path of its terminal, e.g. /dev/pts/3; null where it has none. */
  readonly path: string | null;
  resume(): void;
  pause(): void;
  /** Reads once what is there now. @returns How many bytes of output. */
  poll(): number;
  /**
   * Writes to its input without waiting.
   *
   * @returns How many bytes were taken, 0 for "not now"; -1 when it will never take any.
   * @throws  When its terminal is gone.
   */
  write(bytes: Uint8Array): number;
  /** There is no more input for one on pipes; a terminal stays open. */
  endInput(): void;
  resize(cols: number, rows: number): void;
  /** After its exit: everything that it printed, but no more than a bound if another process goes on printing. */
  drain(): Promise<void>;
  /** Lets go of what it was connected by. @returns Whether another process still holds it. */
  close(): Promise<boolean>;
}

export interface ProgramExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

export interface ProgramHandlers {
  /** Borrowed bytes of output. May call `pause`: then no more come. */
  onBytes(bytes: Buffer): void;
  /** The program has ended; its output may not have been read. */
  onExit(exit: ProgramExit): void;
}

/** @throws {OrchdError} ORCHD_SPAWN_FAILED: the directory or the program is not there, or may not be used. */
export function checkSpawnable(file: string, cwd: string): void {
  const fail = (what: string, cause?: unknown): never => {
    throw new OrchdError('ORCHD_SPAWN_FAILED', what, { file, cwd }, cause);
  };
  try {
    if (!statSync(cwd).isDirectory()) fail(`${cwd} is no directory`);
    accessSync(cwd, fsConstants.X_OK);
  } catch (cause) {
    if (cause instanceof OrchdError) throw cause;
    fail(`the directory ${cwd} cannot be entered: ${String(cause)}`, cause);
  }
  try {
    if (!statSync(file).isFile()) fail(`${file} is no program`);
    accessSync(file, fsConstants.X_OK);
  } catch (cause) {
    if (cause instanceof OrchdError) throw cause;
    fail(`the program ${file} cannot be started: ${String(cause)}`, cause);
  }
}

/** "Resource temporarily unavailable": there is nothing to read, or no room to write. */
export const isAgain = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === 'EAGAIN';
