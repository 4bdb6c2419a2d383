/**
 * One program that the host runs, however it is connected: in a pty (pty.ts), or on pipes (pipes.ts).
 *
 * Out:  output in chunks of at most MAX_CHUNK_BYTES, borrowed during the call; how it ended.
 * Knows nothing of journals and of flow control beyond `pause` and `resume`.
 */
import { accessSync, constants as fsConstants, statSync } from 'node:fs';
import { OrchdError } from '../../protocol/errors.js';

/**
 * Maximum length of a chunk of output. (Linux gives at most 4,095 bytes per read of a terminal; reading again at once
 * gained nothing when it was measured.)
 */
export const MAX_CHUNK_BYTES = 8 * 1024;

export interface Program {
  readonly pid: number;
  /** Path of the terminal, e.g. /dev/pts/3. Null for a program on pipes. */
  readonly path: string | null;
  resume(): void;
  pause(): void;
  /**
   * Reads once the output that is available now.
   * @returns Number of bytes of output.
   */
  poll(): number;
  /**
   * Writes to the program's input without blocking.
   * @returns Number of bytes written; 0 if none can be written now; -1 if none can ever be written.
   * @throws If the terminal is gone.
   */
  write(bytes: Uint8Array): number;
  /** Closes the input of a program on pipes. Does nothing for a terminal. */
  endInput(): void;
  resize(cols: number, rows: number): void;
  /** Reads the rest of the output after the program's exit, up to a limit if another process continues to print. */
  drain(): Promise<void>;
  /**
   * Closes the terminal or the pipes.
   * @returns True if another process still holds them.
   */
  close(): Promise<boolean>;
}

export interface ProgramExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

export interface ProgramHandlers {
  /** Receives borrowed bytes of output. If it calls `pause`, no further bytes arrive. */
  onBytes(bytes: Buffer): void;
  /** Called when the program has ended. Its output may not have been read yet. */
  onExit(exit: ProgramExit): void;
}

/** @throws {OrchdError} ORCHD_SPAWN_FAILED: the directory or the program is not there, or may not be used. */
export function checkSpawnable(file: string, cwd: string): void {
  const fail = (what: string, cause?: unknown): never => {
    throw new OrchdError('ORCHD_SPAWN_FAILED', what, { file, cwd }, cause);
  };
  try {
    if (!statSync(cwd).isDirectory()) fail(`${cwd} is not a directory`);
    accessSync(cwd, fsConstants.X_OK);
  } catch (cause) {
    if (cause instanceof OrchdError) throw cause;
    fail(`the directory ${cwd} cannot be entered: ${String(cause)}`, cause);
  }
  try {
    if (!statSync(file).isFile()) fail(`${file} is not a program`);
    accessSync(file, fsConstants.X_OK);
  } catch (cause) {
    if (cause instanceof OrchdError) throw cause;
    fail(`the program ${file} cannot be started: ${String(cause)}`, cause);
  }
}

/** EAGAIN: there is nothing to read, or no room to write. */
export const isAgain = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === 'EAGAIN';
