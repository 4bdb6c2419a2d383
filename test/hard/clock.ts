/**
 * A wall clock that is set wrong under load: an hour and a year, forward and back; while the daemon and the host run,
 * and over a restart. It comes from parts/clock-shim.c, which needs Linux and a C compiler.
 *
 * Six sessions ask as soon as they were answered. Holds if no event is missing, if every accepted answer is typed once
 * and every session goes on, if the ended session from before is still there, if `orchd status` tells a jump of a year,
 * and if all is well after the clock was set right again.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDaemon } from '../harness/daemon.js';
import { startAskingLoad, until } from './parts/asking-load.js';
import { check } from './parts/home.js';
import { MachineClock } from './parts/machine-clock.js';
import { buildShim } from './parts/shim.js';
import type { HardTest } from './run.js';

const HOUR = 3_600;
const YEAR = 365 * 24 * HOUR;
const JUMPS = { '1 hour forward': HOUR, '1 hour back': -HOUR, '1 year forward': YEAR, '1 year back': -YEAR };
/** Answers that must be told before the clock jumps, and again after it. */
const LOAD_ANSWERS = 30;

export const hard: HardTest = {
  summary: 'a wall clock that is set wrong under load, and over a restart',
  options: ['--only TEXT  only the jumps whose name holds it'],
  async run(args) {
    const only = args[0] === '--only' ? (args[1] ?? '') : '';
    const shim = buildShim('clock-shim');
    if (!shim) throw new Error('this machine lets us set no clock wrong');
    try {
      for (const [name, seconds] of Object.entries(JUMPS))
        if (name.includes(only)) await jump(shim.library, name, seconds);
    } finally {
      rmSync(shim.dir, { recursive: true, force: true });
    }
  },
};

async function jump(library: string, name: string, seconds: number): Promise<void> {
  console.log(`${name}:`);
  const folder = mkdtempSync(join(tmpdir(), 'orchd-clock-'));
  const clock = new MachineClock(library, join(folder, 'seconds'));
  const daemon = await startDaemon({ parent: folder, env: { ...clock.env } });
  try {
    const old = await daemon.sh('echo old; exit 0', '--name', 'old');
    await daemon.event('session_exited', ({ session_id }) => session_id === old.id);
    const load = await startAskingLoad(daemon);
    const goesOn = async (): Promise<void> => {
      const before = load.told();
      await until('the load goes on', () => load.told() >= before + LOAD_ANSWERS);
    };
    try {
      await goesOn();
      clock.set(seconds);
      await goesOn();
      check('answers are typed after the jump', true);
      await daemon.crash();
      await daemon.orchd('start', '--detach', '--no-tcp');
      await goesOn();
      check('answers are typed after a restart', true);
      const told = (await daemon.orchd('status')).stdout.includes('the clock has jumped');
      check(`status ${told ? 'tells the jump' : 'says nothing of an hour'}`, told === (Math.abs(seconds) === YEAR));
      clock.set(0);
      await goesOn();
      await daemon.crash();
      await daemon.orchd('start', '--detach', '--no-tcp');
      await load.check();
      check('every answer was typed once, and no event is missing', true);
      const names = (await daemon.client.call('session.list', {})).map((session) => session.name);
      check('the ended session is still there', names.includes('old'));
      const { stdout } = await daemon.orchd('status');
      check('nothing is told once the clock is right', !stdout.includes('the clock has jumped'));
      await until('no answer stays stalled', async () => {
        const items = await daemon.client.call('inbox.list', { all: true });
        return items.every(({ answer }) => answer?.delivery !== 'stalled');
      });
      check('no answer stays stalled', true);
    } finally {
      await load.close();
    }
  } finally {
    await daemon.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
