/**
 * The TUI in a pty of 120x40 beside SESSIONS agents whose spinners turn ten times a second: the time to its first
 * frame, and the CPU time of its process while one agent is in the pane. `node -e 0` is measured for comparison.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { spawn } from 'node-pty';
import { startDaemon } from '../harness/daemon.js';
import { type Bench, median } from './bench.js';
import { cpuSeconds } from './processes.js';

const BIN = join(import.meta.dirname, '../../bin/orchd.js');
const SESSIONS = 5;
const STARTS = 7;
const WATCH_MS = 10_000;
/** Time before the measurement, in which code is compiled and ages of seconds become minutes. */
const SETTLE_MS = 5_000;
const SPINNER = `
const marks = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
let n = 0;
process.stdout.write('\\x1b[2J');
setInterval(() => {
  n += 1;
  process.stdout.write('\\x1b[12;3H\\x1b[35m' + marks[n % 10] + '\\x1b[39m Working … (' + Math.floor(n / 10) + 's)\\x1b[K');
}, 100);`;

export const tui: Bench = {
  name: 'tui',
  summary: `the TUI's first frame, and its CPU beside ${SESSIONS} agents with spinners`,
  async run() {
    const daemon = await startDaemon();
    const open = () =>
      spawn(process.execPath, [BIN, 'start'], { cols: 120, rows: 40, env: { ...daemon.env, TERM: 'xterm-256color' } });
    try {
      for (let n = 0; n < SESSIONS; n++)
        await daemon.client.call('session.start', { command: [process.execPath, '-e', SPINNER] });
      const frames: number[] = [];
      const bare: number[] = [];
      for (let n = 0; n < STARTS; n++) {
        let from = performance.now();
        spawnSync(process.execPath, ['-e', '0']);
        bare.push(performance.now() - from);
        from = performance.now();
        const pty = open();
        await new Promise<void>((resolve) => {
          let seen = '';
          pty.onData((data) => {
            seen += data;
            if (/Sessions[\s\S]*\x1b\[\?2026l/.test(seen)) resolve();
          });
        });
        frames.push(performance.now() - from);
        await ended(pty);
      }
      const pty = open();
      let bytes = 0;
      pty.onData((data) => {
        bytes += data.length;
      });
      await setTimeout(SETTLE_MS);
      const [before, bytesBefore] = [cpuSeconds([pty.pid]), bytes];
      await setTimeout(WATCH_MS);
      const share = ((cpuSeconds([pty.pid]) - before) * 100_000) / WATCH_MS;
      const note = `${Math.round(((bytes - bytesBefore) * 1000) / WATCH_MS)} bytes/s written`;
      await ended(pty);
      return [
        {
          what: 'first frame, p50',
          value: median(frames),
          unit: 'ms',
          goal: 700,
          note: `node -e 0: ${Math.round(median(bare))} ms`,
        },
        { what: 'CPU, per cent of a core', value: share, unit: '', goal: 5, note },
      ];
    } finally {
      await daemon.close();
    }
  },
};

function ended(pty: ReturnType<typeof spawn>): Promise<void> {
  return new Promise((resolve) => {
    pty.onExit(() => resolve());
    pty.kill();
  });
}
