/**
 * Agent flags: the flags that an installed agent supports, read from its `--help`. An agent refuses to start with an
 * unknown flag, so orchd adds only flags that the help names. The daemon asks at starts, and `orchd doctor` in the same
 * way.
 *
 * Each installed version (path, size and time of its file) is asked once, and the answer is kept in a file, because
 * some agents need seconds to print their help. A version that hangs is not asked again.
 */
import {
  closeSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { askProgram } from '../host/index.js';

export interface FlagsAbout {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly cacheFile: string;
  /** Maximum time in milliseconds that one start waits for the flags. Default: 20,000. */
  readonly patienceMs?: number;
  /** Time limit for `--help` in milliseconds. Default: MAX_HELP_MS. */
  readonly limitMs?: number;
  /** True if the flags are kept in the file. Default: true. */
  readonly isKept?: boolean;
}

interface KnownFlags {
  readonly flags: ReadonlySet<string>;
  /** The reason, in words, if no flags are known. */
  readonly problem: string | null;
}

/**
 * The slowest agent needs two seconds on an idle machine, and seven on a busy one. Only the first start of a version
 * waits.
 */
export const PATIENCE_MS = 20_000;
/** Time limit for `--help`. If a start does not wait long enough for the answer, the next start uses it. */
const MAX_HELP_MS = 60_000;
const MAX_KNOWN = 50;
const HEAD_BYTES = 256;
const RUNNERS = /(?:^|\/)(?:node|nodejs|bun|npx|bunx)$/;
const SHELLS = /^(?:(?:a|ba|da|fi|k|mk|pdk|c|tc|z)?sh|busybox|toybox)$/;
const FLAG = /--[a-z][a-z0-9-]*/g;

type StoredFlags = Record<string, readonly string[]>;

interface Asked {
  readonly answer: Promise<KnownFlags>;
  /** True if `--help` took longer than one start waits. */
  isSlow: boolean;
}
const asked = new Map<string, Asked>();

/**
 * @param file  The absolute path of the program.
 * @param argv  Its command line: after a runner (`node agent.js`) the script is asked.
 * @returns     No flags if it does not list them, or not in time.
 */
export async function flagsOf(file: string, argv: readonly string[], about: FlagsAbout): Promise<KnownFlags> {
  const script = RUNNERS.test(file) && argv[1] !== undefined && !argv[1].startsWith('-') ? [argv[1]] : [];
  const name = [file, ...script].map(versionOf).join(' ');
  const kept = readKnown(about.cacheFile)[name];
  if (kept) return { flags: new Set(kept), problem: null };
  let one = asked.get(name);
  if (!one) {
    one = { answer: ask(name, file, script, about), isSlow: false };
    asked.set(name, one);
  }
  const { answer } = one;
  const patienceMs = about.patienceMs ?? PATIENCE_MS;
  const answered = await Promise.race([answer, lateAfter(one.isSlow ? 0 : patienceMs)]);
  if (answered === null) one.isSlow = true;
  return answered ?? { flags: new Set(), problem: `did not answer within ${patienceMs / 1000} s` };
}

const lateAfter = (ms: number): Promise<null> => new Promise((resolve) => setTimeout(() => resolve(null), ms).unref());

async function ask(name: string, file: string, script: readonly string[], about: FlagsAbout): Promise<KnownFlags> {
  const { env, cwd, cacheFile, limitMs = MAX_HELP_MS, isKept = true } = about;
  const { text, isLate, problem } = await askProgram(file, [...script, '--help'], { env, cwd, limitMs });
  const flags = isLate ? [] : [...new Set(text.match(FLAG) ?? [])];
  if (flags.length > 0 && isKept) keep(cacheFile, { ...readKnown(cacheFile), [name]: flags });
  // A program that did not answer in time is not asked again. One that failed at once may work at the next start.
  if (!isLate) asked.delete(name);
  return { flags: new Set(flags), problem: flags.length > 0 ? null : (problem ?? 'names no flags') };
}

/**
 * True if a shell runs the file. A person's own script may have the name of an agent and do anything when it is called
 * with `--help`. orchd therefore neither asks it nor adds anything to its command line.
 */
export function isShellScript(file: string): boolean {
  const head = headOf(file);
  // A script without a shebang runs in a shell.
  if (!head.startsWith('#!')) return head !== '' && !head.includes('\0');
  const words = head.slice(2).split('\n', 1)[0]?.trim().split(/\s+/) ?? [];
  const [first = '', ...rest] = words.map((word) => word.slice(word.lastIndexOf('/') + 1));
  const program = first === 'env' ? rest.find((word) => !word.startsWith('-') && !word.includes('=')) : first;
  return program !== undefined && SHELLS.test(program);
}

function headOf(file: string): string {
  try {
    const fd = openSync(file, 'r');
    try {
      const buffer = Buffer.alloc(HEAD_BYTES);
      return buffer.toString('latin1', 0, readSync(fd, buffer, 0, HEAD_BYTES, 0));
    } finally {
      closeSync(fd);
    }
  } catch {
    return ''; // A program may be run that cannot be read.
  }
}

function versionOf(file: string): string {
  try {
    const path = realpathSync(file);
    const { size, mtimeMs } = statSync(path);
    return `${path}:${size}:${mtimeMs}`;
  } catch {
    return file;
  }
}

function readKnown(file: string): StoredFlags {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as StoredFlags; // this module wrote the file
  } catch {
    return {};
  }
}

function keep(file: string, known: StoredFlags): void {
  const newest = Object.fromEntries(Object.entries(known).slice(-MAX_KNOWN));
  try {
    writeFileSync(`${file}.new`, JSON.stringify(newest), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch {
    // The file cannot be written: the program is asked again after a restart.
  }
}
