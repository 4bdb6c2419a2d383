/**
 * Sessions print hostile outputs one after the other, as fast as they are read (parts/hostile-outputs.ts), while a
 * client views them. Meanwhile the requests of other clients, the messages of another session, and the memory of daemon
 * and host are measured.
 *
 * Other programs on the machine must not decide the result, so each figure has a companion:
 *
 *     (beside)   the same requests to a second daemon without hostile output, at the same time: it has the same cores,
 *                and the attacked daemon and its program as its load
 *     own        requests and messages without the time in which their daemon waited for a core
 *     turn       the longest turn of the daemon's event loop, in CPU time
 *
 * The test fails if the own p99 of requests is OWN_MS above that of the second daemon, if the own lateness of messages
 * exceeds LATE_MS, if a turn takes OWN_MS, if the daemon dies, or if anything takes longer than STUCK_MS.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Size } from '../../src/protocol/index.js';
import { createHome, type Home } from './parts/home.js';
import { HOSTILE_OUTPUTS } from './parts/hostile-outputs.js';
import { startWatched } from './parts/turn-watch.js';
import { type Figures, watchOthers } from './parts/watch-others.js';
import type { HardTest } from './run.js';

const SIZE = '120x40';
const FILE_BYTES = 64 * 1024;
const LOOK_MS = 500;
const QUIET_MS = 3_000;
const PATIENCE = { timeoutMs: 60_000 };
const OWN_MS = 100;
const LATE_MS = 500;
/** Maximum time that other clients wait for a reply, for a message, or for the end of the session. */
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
    const beside = createHome();
    const folder = mkdtempSync(join(tmpdir(), 'orchd-attack-'));
    const broken: string[] = [];
    try {
      const turns = await startWatched(home);
      await beside.must(['start', '--detach', '--no-tcp']);
      const watch = await watchOthers(home);
      const bystander = await watchOthers(beside);
      const begin = (): void => {
        turns.longestMs();
        watch.begin();
        bystander.begin();
      };
      const end = async (name: string, killMs: number): Promise<void> => {
        const [figures, quiet] = await Promise.all([watch.end(), bystander.end()]);
        const turnMs = turns.longestMs();
        console.log(line(name, figures, quiet, turnMs, killMs));
        const { max, lateMs, ownP99, ownLateMs } = figures;
        if (Math.max(max, lateMs, killMs) > STUCK_MS) broken.push(`${name}: others waited for over ${STUCK_MS} ms`);
        if (ownP99 - quiet.ownP99 >= OWN_MS) broken.push(`${name}: own p99 ${ownP99} ms`);
        if (turnMs >= OWN_MS) broken.push(`${name}: a turn of ${turnMs} ms`);
        if (ownLateMs - quiet.ownLateMs >= LATE_MS) broken.push(`${name}: messages ${ownLateMs} ms late`);
      };
      begin();
      await setTimeout(QUIET_MS);
      await end('(quiet)', 0);
      for (const [name, [before, repeated]] of Object.entries(HOSTILE_OUTPUTS)) {
        if (!only.test(name)) continue;
        const script = writeOutput(folder, before, repeated);
        begin();
        await end(name, await attack(home, { name, script, seconds, size: { cols, rows } }));
      }
      await Promise.all([watch.close(), bystander.close()]);
    } finally {
      await Promise.all([home.close(), beside.close()]);
      rmSync(folder, { recursive: true, force: true });
    }
    if (broken.length > 0) throw new Error(broken.join('\n'));
  },
};

/** @returns A shell script that prints the output without end. */
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
async function attack({ client }: Home, { name, script, seconds, size }: Hostile): Promise<number> {
  const wish = { command: ['sh', '-c', script], cwd: '/', name: `hostile-${name}`, size };
  const { id: session } = await client.call('session.start', wish, PATIENCE);
  for (const endMs = performance.now() + seconds * 1000; performance.now() < endMs; await setTimeout(LOOK_MS))
    await client.call('session.capture', { session, scrollback: 100 }, PATIENCE);
  const sinceMs = performance.now();
  await client.call('session.kill', { session }, PATIENCE);
  await client.call('session.remove', { session, forever: true }, PATIENCE);
  return performance.now() - sinceMs;
}

function line(name: string, figures: Figures, beside: Figures, turnMs: number, killMs: number): string {
  const { p50, p99, max, ownP99, lateMs, ownLateMs, daemonMb, hostMb } = figures;
  const requests = `requests p50 ${p50}, p99 ${p99} (own ${ownP99}; beside ${beside.p99}, own ${beside.ownP99}), max ${max} ms`;
  const messages = `messages up to ${lateMs} ms late (own ${ownLateMs}; beside ${beside.lateMs})`;
  const rest = `turn ${turnMs} ms; daemon ${daemonMb}, host ${hostMb} MB; ended in ${Math.round(killMs)} ms`;
  return `${name.padEnd(16)} ${requests}; ${messages}; ${rest}`;
}
