import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { paced } from '../inputs/agents.js';
import type { Totals } from '../inputs/player.js';

it('the player writes the recording of each session into its FIFO and prints totals at the end', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'orchd-player-'));
  const fifos = [0, 1].map((n) => join(folder, `fifo-${n}`));
  execFileSync('mkfifo', fifos);
  const files = fifos.map((fifo) => openSync(fifo, constants.O_RDWR));
  const seed = 17;
  const args = ['--import', 'tsx', join(import.meta.dirname, 'player.ts'), JSON.stringify({ seed, fifos })];
  const player = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const exit = once(player, 'exit');
  const output = text(player.stdout);
  try {
    for (const [session, file] of files.entries()) {
      const expected = Buffer.from(firstTexts(session, seed));
      const read = Buffer.alloc(expected.length);
      for (let at = 0; at < read.length; ) at += readSync(file, read, at, read.length - at, null);
      expect(read.equals(expected), `session ${session}`).toBe(true);
    }
    player.stdin.end();
    await exit;
    const { bytes, writes } = JSON.parse(await output) as Totals;
    expect(writes).toBeGreaterThanOrEqual(6);
    expect(bytes).toBeGreaterThanOrEqual([0, 1].reduce((sum, n) => sum + Buffer.byteLength(firstTexts(n, seed)), 0));
  } finally {
    player.kill();
    for (const file of files) closeSync(file);
    rmSync(folder, { recursive: true });
  }
});

/** Returns the text of the first three frames of a session. */
function firstTexts(session: number, seed: number): string {
  const frames = paced(session, seed);
  return [0, 1, 2].map(() => frames.next().value?.text ?? '').join('');
}
