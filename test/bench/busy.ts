/** Sessions that print all the time, evenly, beside what is measured. */
import { execFileSync, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

export const PROGRAMS = join(import.meta.dirname, 'programs');

/**
 * @param start  Starts a session with this command.
 * @returns      Ends it.
 */
export async function makeBusy(
  folder: string,
  { sessions, linesPerSecond }: { readonly sessions: number; readonly linesPerSecond: number },
  start: (command: string[], index: number) => Promise<unknown>,
): Promise<() => void> {
  const fifos = Array.from({ length: sessions }, (_, n) => join(folder, `busy-${n}`));
  execFileSync('mkfifo', fifos);
  const feeder = spawn(process.execPath, [join(PROGRAMS, 'feeder.mjs'), String(linesPerSecond), ...fifos]);
  feeder.stderr.pipe(process.stderr);
  for (const [index, fifo] of fifos.entries()) await start(['cat', fifo], index);
  return () => {
    feeder.kill();
    for (const fifo of fifos) rmSync(fifo);
  };
}
