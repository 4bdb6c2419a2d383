/**
 * One session after the other prints a hostile output as fast as it is read (parts/hostile-outputs.ts), while a client
 * looks at it. Meanwhile the requests of others, the messages of another session, and the memory of daemon and host are
 * watched.
 *
 * Prints the figures of each output beside those of a quiet daemon: they depend on the machine and its other work. The
 * test does not hold if the daemon dies, or if anything that others wait for takes longer than STUCK_MS.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Size } from '../../src/protocol/index.js';
import { createHome, type Home } from './parts/home.js';
import { HOSTILE_OUTPUTS } from './parts/hostile-outputs.js';
import { type Figures, type Watch, watchOthers } from './parts/watch-others.js';
import type { HardTest } from './run.js';

const SIZE = '120x40';
const FILE_BYTES = 64 * 1024;
const LOOK_MS = 500;
const QUIET_MS = 3_000;
const PATIENCE = { timeoutMs: 60_000 };
/** Others wait: for a reply, for a message, or until the session has ended. */
const STUCK_MS = 5_000;

export const hard: HardTest = {
  summary: 'hostile outputs, one after the other, while others use the daemon',
  options: [
    '--only REGEXP    only outputs with such a name',
    '--seconds N      of each (5)',
    '--size COLSxROWS of its terminal (120x40)',
  ],
  async run(args) {
    const { values } = parseArgs({
      args,
      options: { only: { type: 'string' }, seconds: { type: 'string' }, size: { type: 'string' } },
    });
    const only = new RegExp(values.only ?? '');
    const seconds = Number(values.seconds ?? 5);
    const [cols = 0, rows = 0] = (values.size ?? SIZE).split('x').map(Number);
    const home = createHome();
    const folder = mkdtempSync(join(tmpdir(), 'orchd-attack-'));
    const stuck: string[] = [];
    try {
      await home.must(['start', '--detach', '--no-tcp']);
      const watch = await watchOthers(home);
      watch.begin();
      await setTimeout(QUIET_MS);
      console.log(line('(quiet)', await watch.end(), 0));
      for (const [name, [before, repeated]] of Object.entries(HOSTILE_OUTPUTS)) {
        if (!only.test(name)) continue;
        const script = writeOutput(folder, before, repeated);
        const killMs = await attack(home, watch, { name, script, seconds, size: { cols, rows } });
        const figures = await watch.end();
        console.log(line(name, figures, killMs));
        if (Math.max(figures.max, figures.lateMs, killMs) > STUCK_MS) stuck.push(name);
      }
      await watch.close();
    } finally {
      await home.close();
      rmSync(folder, { recursive: true, force: true });
    }
    if (stuck.length > 0) throw new Error(`others waited for more than ${STUCK_MS} ms: ${stuck.join(', ')}`);
  },
};

/** @returns A shell script that prints it without end. */
function writeOutput(folder: string, before: string, repeated: string): string {
  const [first, rest] = [join(folder, 'first'), join(folder, 'rest')];
  writeFileSync(first, before);
  writeFileSync(rest, repeated.repeat(Math.ceil(FILE_BYTES / repeated.length)));
  return `cat ${first}; while :; do cat ${rest}; done`;
}

interface Hostile {
  readonly name: string;
  readonly script: string;
  readonly seconds: number;
  readonly size: Size;
}

/** @returns How long it took to kill and remove the session. */
async function attack({ client }: Home, watch: Watch, { name, script, seconds, size }: Hostile): Promise<number> {
  watch.begin();
  const wish = { command: ['sh', '-c', script], cwd: '/', name: `hostile-${name}`, size };
  const { id: session } = await client.call('session.start', wish, PATIENCE);
  for (const endMs = performance.now() + seconds * 1000; performance.now() < endMs; await setTimeout(LOOK_MS))
    await client.call('session.capture', { session, scrollback: 100 }, PATIENCE);
  const sinceMs = performance.now();
  await client.call('session.kill', { session }, PATIENCE);
  await client.call('session.remove', { session }, PATIENCE);
  return performance.now() - sinceMs;
}

function line(name: string, { p50, p99, max, lateMs, daemonMb, hostMb }: Figures, killMs: number): string {
  const others = `requests p50 ${p50}, p99 ${p99}, max ${max} ms; messages up to ${lateMs} ms late`;
  return `${name.padEnd(16)} ${others}; daemon ${daemonMb}, host ${hostMb} MB; ended in ${Math.round(killMs)} ms`;
}
