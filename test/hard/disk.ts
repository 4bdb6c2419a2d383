/**
 * Disks that fail under load: full, freed, read-only, broken; while the daemon runs, and while it starts.
 *
 * Each trial starts six sessions that ask as soon as they were answered, lets the disk fail, makes it well again, and
 * checks that no event is missing, that every accepted answer was typed exactly once, and that every session goes on. A
 * real full disk is a tmpfs (root only); every other failure comes from parts/fault-shim.c, which needs a C compiler.
 */
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type CliResult, startDaemon, type TestDaemon } from '../harness/daemon.js';
import { mountSmallDisk } from '../harness/small-disk.js';
import { startAskingLoad, until } from './parts/asking-load.js';
import { buildShim, type Shim } from './parts/shim.js';
import type { HardTest } from './run.js';

/** A disk that a trial can break. */
interface Disk {
  /** The folder in which the daemon's home is made. */
  readonly path: string;
  readonly env: Record<string, string>;
  fail(): void;
  heal(): void;
  close(): void;
}
interface Trial {
  readonly name: string;
  readonly isStart: boolean;
  /** Returns null if this machine has no such disk. */
  readonly open: () => Disk | null;
}

const LOAD_ANSWERS = 60;
const FAILING_MS = 3_000;
/** Words that must not appear because of a failing disk. */
const OUR_BUG = /This is a bug in orchd/;
const SHOULD_START_MS = 30_000;
const MAX_WORDS = 160;

export const hard: HardTest = {
  summary: 'A disk that is full, freed, read-only or broken, under load and while the daemon starts.',
  options: [
    '--rounds N   how often each trial is made (default: 2)',
    '--only TEXT  only the trials whose name holds it',
  ],
  async run(args) {
    const { values } = parseArgs({
      args,
      options: { rounds: { type: 'string', default: '2' }, only: { type: 'string', default: '' } },
    });
    const shim = buildShim('fault-shim');
    const failures: string[] = [];
    let made = 0;
    try {
      for (const trial of trialsWith(shim).filter(({ name }) => name.includes(values.only))) {
        for (let round = 1; round <= Number(values.rounds); round++) {
          const disk = trial.open();
          if (!disk) {
            console.log(`${trial.name}: not tried, this machine lets us make no such disk`);
            break;
          }
          made++;
          try {
            console.log(`${trial.name}, round ${round}: ${await make(trial, disk)}`);
          } catch (error) {
            const words = error instanceof Error ? error.message : String(error);
            failures.push(`${trial.name}, round ${round}: ${words}`);
            console.log(`${failures.at(-1)} — DID NOT HOLD`);
          } finally {
            disk.close();
          }
        }
      }
    } finally {
      if (shim) rmSync(shim.dir, { recursive: true, force: true });
    }
    console.log(`\n${made - failures.length} of ${made} trials held`);
    if (made === 0) throw new Error('nothing could be tried');
    if (failures.length > 0) throw new Error(failures.join('\n'));
  },
};

function trialsWith(shim: Shim | null): Trial[] {
  const codes = ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'] as const;
  const disks: { readonly name: string; readonly open: () => Disk | null }[] = [
    { name: 'a full tmpfs', open: fullTmpfs },
    ...codes.map((code) => ({
      name: `writes fail with ${code}`,
      open: () => shim && faulty(shim, constants.errno[code]),
    })),
  ];
  return disks.flatMap(({ name, open }) => [
    { name: `${name} while the daemon runs`, isStart: false, open },
    { name: `${name} while it is killed and started`, isStart: true, open },
  ]);
}

async function make({ isStart }: Trial, disk: Disk): Promise<string> {
  const daemon = await startDaemon({ parent: disk.path, env: { ...disk.env, ORCHD_SESSIONS_STALL_MS: '5000' } });
  const load = await startAskingLoad(daemon);
  try {
    await until('the load begins', () => load.told() >= LOAD_ANSWERS);
    disk.fail();
    await pause(FAILING_MS);
    disk.fail(); // Also fills the space that was freed meanwhile.
    const words = isStart ? await startOn(daemon, disk) : await told(daemon);
    disk.heal();
    if (isStart && (await daemon.orchd('status')).code !== 0) {
      const { code, stderr } = await daemon.orchd('start', '--detach', '--no-tcp');
      if (code !== 0) throw new Error(`it does not start on a disk that is well again: ${stderr}`);
    }
    await load.check();
    return `${words}; ${load.accepted} answers, each typed once`;
  } finally {
    disk.heal();
    await load.close();
    await daemon.close();
  }
}

/** Returns the daemon's messages so far. A journal may fail before the store does. */
async function told(daemon: TestDaemon): Promise<string> {
  const { code, stdout, stderr } = await daemon.orchd('status');
  if (code !== 0) throw new Error(`status fails: ${stderr}`);
  refuseOurBug(stdout + stderr);
  return `status says: ${/^disk +(.*)$/m.exec(stdout)?.[1] ?? 'nothing of the disk'}`.slice(0, MAX_WORDS);
}

async function startOn(daemon: TestDaemon, disk: Disk): Promise<string> {
  await daemon.crash();
  disk.fail();
  const since = Date.now();
  const started: CliResult = await daemon.orchd('start', '--detach', '--no-tcp');
  const ms = Date.now() - since;
  refuseOurBug(started.stdout + started.stderr);
  if (ms > SHOULD_START_MS) throw new Error(`start took ${Math.round(ms / 1000)} s`);
  if (started.code === 0) return `it started in ${ms} ms`;
  const why = started.stderr.split('\n').find((line) => line.startsWith('orchd: ')) ?? '';
  if (why === '') throw new Error('start failed without a word');
  return `start said in ${ms} ms: ${why.slice(0, MAX_WORDS)}`;
}

function refuseOurBug(words: string): void {
  if (OUR_BUG.test(words)) throw new Error(`a disk that fails is called a bug of ours: ${words}`);
}

function fullTmpfs(): Disk | null {
  const disk = mountSmallDisk(24);
  return (
    disk && { path: disk.path, env: {}, fail: () => disk.fill(), heal: () => disk.free(), close: () => disk.close() }
  );
}

function faulty({ library }: Shim, errno: number): Disk {
  const path = mkdtempSync(join(tmpdir(), 'orchd-fault-'));
  const file = `${path}.errno`;
  writeFileSync(file, Buffer.alloc(4));
  const set = (value: number): void => {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32LE(value);
    const fd = openSync(file, 'r+');
    writeSync(fd, bytes, 0, 4, 0);
    closeSync(fd);
  };
  return {
    path,
    env: { LD_PRELOAD: library, ORCHD_FAULT_DIR: path, ORCHD_FAULT_FILE: file },
    fail: () => set(errno),
    heal: () => set(0),
    close() {
      rmSync(path, { recursive: true, force: true });
      rmSync(file, { force: true });
    },
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
