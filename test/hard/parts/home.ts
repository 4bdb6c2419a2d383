/** A home for hard tests, and the commands of one or several builds of orchd in it. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '../../../src/client/index.js';
import { type Paths, resolvePaths } from '../../../src/protocol/index.js';

/** The build of this checkout. */
export const BIN = join(import.meta.dirname, '../../../bin/orchd.js');
const POLL_MS = 50;
/** A command that takes longer is stuck. It is ended, and its code is null. */
const PATIENCE_MS = 120_000;

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Home {
  readonly paths: Paths;
  readonly env: NodeJS.ProcessEnv;
  readonly client: Client;
  /**
   * Runs a command to its end.
   * @param bin  Of another build, if not of this one.
   */
  run(args: readonly string[], bin?: string): Promise<Outcome>;
  /** The same for a command that must succeed. Returns what it printed. */
  must(args: readonly string[], bin?: string): Promise<string>;
  /** Ends everything in it and removes it. */
  close(): Promise<void>;
}

export function createHome(more: NodeJS.ProcessEnv = {}): Home {
  const home = mkdtempSync(join(tmpdir(), 'orchd-hard-'));
  const { ORCHD_SOCKET: _socket, ORCHD_SESSION_ID: _session, ORCHD_SESSION_TOKEN: _token, ...rest } = process.env;
  const env = { ...rest, ORCHD_HOME: home, NO_COLOR: '1', ...more };
  const paths = resolvePaths({ env, uid: 0, tmpDir: tmpdir(), homeDir: home });
  const client = createClient({ socketPath: paths.socket, clientName: 'test' });
  const run: Home['run'] = (args, bin = BIN) =>
    new Promise((resolve, reject) => {
      const stdio = ['ignore', 'pipe', 'pipe'] as const;
      const child = spawn(process.execPath, [bin, ...args], {
        env,
        cwd: home,
        stdio: [...stdio],
        timeout: PATIENCE_MS,
      });
      let stdout = '';
      let stderr = '';
      child.stdout.setEncoding('utf8').on('data', (text) => {
        stdout += text;
      });
      child.stderr.setEncoding('utf8').on('data', (text) => {
        stderr += text;
      });
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, stdout, stderr }));
    });
  return {
    paths,
    env,
    client,
    run,
    async must(args, bin) {
      const { code, stdout, stderr } = await run(args, bin);
      if (code !== 0) throw new Error(`orchd ${args.join(' ')} ended with ${code}: ${stderr}`);
      return stdout;
    },
    async close() {
      client.close();
      await run(['stop', '--quiet']);
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/**
 * Repeats `look` until it returns a value.
 * @throws {Error} after `limitMs`.
 */
export async function until<T>(
  what: string,
  look: () => Promise<T | null | undefined | false>,
  limitMs = 60_000,
): Promise<T> {
  for (const end = Date.now() + limitMs; Date.now() < end; ) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`${what}: not in ${limitMs / 1000} s`);
}

export function check(claim: string, holds: boolean): void {
  if (!holds) throw new Error(`this does not hold: ${claim}`);
  console.log(`  holds: ${claim}`);
}
