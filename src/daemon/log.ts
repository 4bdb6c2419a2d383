/** The daemon's own log: one JSON object per line, appended to a file. It never contains typed or printed text. */
import { appendFileSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeDirectory } from '../host/index.js';

export interface Log {
  info(message: string, details?: Record<string, unknown>): void;
  error(message: string, error?: unknown, details?: Record<string, unknown>): void;
}

/** A larger file is renamed to `FILE.1` at the next start. */
const ROTATE_BYTES = 10 * 1024 * 1024;

/** @throws {OrchdError} ORCHD_FILE if its directory cannot be created. */
export function openLog(path: string, processName: string): Log {
  makeDirectory(dirname(path));
  if (sizeOf(path) > ROTATE_BYTES) renameSync(path, `${path}.1`);
  const write = (level: string, message: string, more: Record<string, unknown>) => {
    const line = { time: new Date().toISOString(), level, process: processName, pid: process.pid, message, ...more };
    try {
      appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    } catch {
      // A full disk must not end the daemon, so a failed log entry is ignored.
    }
  };
  return {
    info: (message, details = {}) => write('info', message, details),
    error: (message, error, details = {}) => write('error', message, { ...describe(error), ...details }),
  };
}

function describe(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return error === undefined ? {} : { error: String(error) };
  const code = (error as { code?: unknown }).code;
  return { error: error.message, ...(typeof code === 'string' && { code }), stack: error.stack };
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}
