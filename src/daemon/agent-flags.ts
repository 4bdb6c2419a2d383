/**
 * Which flags an installed agent knows: what its `--help` names. An agent refuses to start for a flag that its version does not have, so
 * nothing is added that is not there.
 *
 * Asked once for each installed version (path, size and time of its file), and kept in a file: some need seconds to say it.
 */
import { execFile } from 'node:child_process';
import { readFileSync, realpathSync, renameSync, statSync, writeFileSync } from 'node:fs';

export interface FlagsAbout {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly cacheFile: string;
}

/** The slowest needs two seconds on an idle machine, and seven on a busy one. Once for each version, a start may take so long: without the flags the session is not heard by its transcript, ever. */
const PATIENCE_MS = 20_000;
/** What comes later is known at the next start. */
const MAX_HELP_MS = 60_000;
const MAX_HELP_BYTES = 1024 * 1024;
const MAX_KNOWN = 50;
const RUNNERS = /(?:^|\/)(?:node|nodejs|bun|npx|bunx)$/;
const FLAG = /--[a-z][a-z0-9-]*/g;

type Known = Record<string, readonly string[]>;
const asked = new Map<string, Promise<ReadonlySet<string>>>();

/**
 * @param file  The program, absolute.
 * @param argv  Its command line: behind a runner (`node agent.js`) the script is asked.
 * @returns     Empty if it does not say, or not soon.
 */
export function flagsOf(file: string, argv: readonly string[], about: FlagsAbout): Promise<ReadonlySet<string>> {
  const script = RUNNERS.test(file) && argv[1] !== undefined && !argv[1].startsWith('-') ? [argv[1]] : [];
  const name = [file, ...script].map(versionOf).join(' ');
  const known = asked.get(name) ?? answer(name, file, script, about);
  asked.set(name, known);
  return Promise.race([known, noneAfter(PATIENCE_MS)]);
}

const noneAfter = (ms: number): Promise<ReadonlySet<string>> =>
  new Promise((resolve) => setTimeout(() => resolve(new Set()), ms).unref());

async function answer(
  name: string,
  file: string,
  script: readonly string[],
  about: FlagsAbout,
): Promise<ReadonlySet<string>> {
  const kept = readKnown(about.cacheFile);
  const flags = kept[name] ?? flagsIn(await helpOf(file, script, about));
  if (flags.length === 0)
    asked.delete(name); // asked again at the next start
  else if (kept[name] === undefined) keep(about.cacheFile, { ...readKnown(about.cacheFile), [name]: flags });
  return new Set(flags);
}

/** @returns What it prints; '' if it takes too long or cannot be started. */
function helpOf(file: string, script: readonly string[], { env, cwd }: Omit<FlagsAbout, 'cacheFile'>): Promise<string> {
  const options = { env, cwd, timeout: MAX_HELP_MS, killSignal: 'SIGKILL', maxBuffer: MAX_HELP_BYTES } as const;
  return new Promise((resolve) => {
    const child = execFile(file, [...script, '--help'], options, (_error, stdout, stderr) => resolve(stdout + stderr));
    child.stdin?.end();
  });
}

const flagsIn = (help: string): string[] => [...new Set(help.match(FLAG) ?? [])];

function versionOf(file: string): string {
  try {
    const path = realpathSync(file);
    const { size, mtimeMs } = statSync(path);
    return `${path}:${size}:${mtimeMs}`;
  } catch {
    return file;
  }
}

function readKnown(file: string): Known {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Known; // written below; what is damaged is asked again
  } catch {
    return {};
  }
}

function keep(file: string, known: Known): void {
  const newest = Object.fromEntries(Object.entries(known).slice(-MAX_KNOWN));
  try {
    writeFileSync(`${file}.new`, JSON.stringify(newest), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch {
    // It is asked again after a restart.
  }
}
