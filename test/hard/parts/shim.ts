/** Builds a library of this folder that a program loads by LD_PRELOAD. Needs Linux and a C compiler. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Shim {
  /** The folder with the library; the caller removes it. */
  readonly dir: string;
  readonly library: string;
}

/** Returns null if it cannot be built here, and prints why. */
export function buildShim(name: string): Shim | null {
  if (process.platform !== 'linux') return null;
  const dir = mkdtempSync(join(tmpdir(), 'orchd-shim-'));
  const library = join(dir, `${name}.so`);
  const source = join(import.meta.dirname, `${name}.c`);
  const { status, stderr } = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'], {
    encoding: 'utf8',
  });
  if (status === 0) return { dir, library };
  console.log(`the shim cannot be compiled: ${stderr || 'there is no cc'}`);
  rmSync(dir, { recursive: true, force: true });
  return null;
}
