/**
 * Pipes for a program: both sides of each, as descriptors of this process that its programs do not inherit.
 *
 * Node gives programs socket pairs, which cannot be opened by name (`echo x >/dev/stderr` fails there), and does not
 * expose their descriptors. It has no pipe(2) either. So these are FIFOs, in a folder of their own that is removed
 * before this returns.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, constants as fsConstants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface PipeSides {
  readonly read: number;
  readonly write: number;
}

/** The side of the pipe that this process keeps, non-blocking. The program inherits the other side. */
type KeptSide = keyof PipeSides;

const MKFIFO_MS = 5000;
const { O_RDONLY, O_WRONLY, O_NONBLOCK } = fsConstants;

/** @throws The system's error. No pipe is open then. */
export function openPipes(kept: readonly KeptSide[]): PipeSides[] {
  const folder = mkdtempSync(join(tmpdir(), 'orchd-pipes-'));
  const pipes: PipeSides[] = [];
  try {
    const paths = kept.map((side, n) => join(folder, `${n}-${side}`));
    const options = { timeout: MKFIFO_MS, env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' } };
    execFileSync('mkfifo', ['-m', '600', ...paths], { ...options, stdio: 'ignore' });
    for (const [n, side] of kept.entries()) pipes.push(openPipe(paths[n] ?? '', side));
    return pipes;
  } catch (cause) {
    for (const pipe of pipes) closePipe(pipe);
    throw cause;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function closePipe({ read, write }: PipeSides): void {
  closeSync(read);
  closeSync(write);
}

/**
 * Opens both sides of a FIFO without blocking. The non-blocking reader is opened first, so that opening the writer does
 * not wait.
 */
function openPipe(path: string, kept: KeptSide): PipeSides {
  const first = openSync(path, O_RDONLY | O_NONBLOCK);
  try {
    if (kept === 'read') return { read: first, write: openSync(path, O_WRONLY) };
    const write = openSync(path, O_WRONLY | O_NONBLOCK);
    const read = openSync(path, O_RDONLY);
    closeSync(first);
    return { read, write };
  } catch (cause) {
    closeSync(first);
    throw cause;
  }
}
