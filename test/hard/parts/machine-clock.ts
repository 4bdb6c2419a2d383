/** The wall clock of the programs of one machine, which can be set wrong while they run (clock-shim.c). */
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';

export class MachineClock {
  /** The environment of the programs. */
  readonly env: { readonly LD_PRELOAD: string; readonly ORCHD_CLOCK_FILE: string };

  /** @param file  Is made; it has the seconds that are added. */
  constructor(library: string, file: string) {
    writeFileSync(file, Buffer.alloc(8));
    this.env = { LD_PRELOAD: library, ORCHD_CLOCK_FILE: file };
  }

  set(seconds: number): void {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(seconds));
    const fd = openSync(this.env.ORCHD_CLOCK_FILE, 'r+');
    writeSync(fd, bytes, 0, 8, 0);
    closeSync(fd);
  }
}
