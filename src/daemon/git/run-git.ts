/**
 * Runs git in a repository whose configuration an agent may have written. No program that the configuration names is
 * started, nothing in the repository is changed unless the command itself does, and git never asks anything.
 *
 *     GIT_OPTIONAL_LOCKS=0, fsmonitor off     reading refreshes no index and starts no daemon
 *     hooks, pager, external diff, textconv   off
 *     signing, garbage collection             off: both can start programs
 *     hooks of the configuration (git 2.54)   each is disabled; core.hooksPath does not concern them
 *     filters (clean, smudge, process)        each that the configuration defines is overridden by nothing
 *     merge drivers                           each is overridden by a program that fails, which counts as a conflict
 *
 * The settings are given as GIT_CONFIG_KEY_n: with `-c`, a name that contains `=` would override another one.
 * A commit of a person is the exception (`openPersonsGit`): it runs their hooks, filters and signing.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { OrchdError } from '../../protocol/index.js';

const run = promisify(execFile);
const TIMEOUT_MS = 15_000;
/** For commands that write: a checkout of a large repository takes a while, and so do hooks. */
export const WRITE_TIMEOUT_MS = 300_000;
const MAX_BYTES = 32 * 1024 * 1024;
type Settings = readonly (readonly [name: string, value: string])[];

const QUIET: Settings = [
  ['core.fsmonitor', 'false'],
  ['core.untrackedCache', 'false'],
  ['core.pager', 'cat'],
  ['core.quotePath', 'false'],
];
const SAFE: Settings = [
  ...QUIET,
  ['core.hooksPath', '/dev/null'],
  ['diff.external', ''],
  ['diff.noprefix', 'false'],
  ['diff.mnemonicPrefix', 'false'],
  ['submodule.recurse', 'false'],
  ['commit.gpgSign', 'false'],
  ['merge.verifySignatures', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
];
/** Options of `git diff` that keep it from starting programs and from reading submodules. */
export const PLAIN_DIFF = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--ignore-submodules=dirty',
  '--submodule=short',
];

/**
 * @returns Standard output.
 * @throws {OrchdError} ORCHD_WORKTREE with git's message.
 */
export type Git = (...args: string[]) => Promise<string>;

interface GitOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** Additional settings, which override those of the repository. */
  readonly settings?: Settings;
}

/** @throws {OrchdError} ORCHD_WORKTREE if the directory is in no repository. */
export async function openGit(directory: string, options: GitOptions = {}): Promise<Git> {
  const { env = {}, timeoutMs = TIMEOUT_MS } = options;
  const settings = [...SAFE, ...(options.settings ?? [])];
  const git: Git = (...args) =>
    runGit(directory, args, timeoutMs, { ...environment(), ...settingsOf(settings), ...env });
  await git('rev-parse', '--git-dir');
  for (const name of await namesIn(git, '^filter\\.')) {
    settings.push([name, /\.required$/i.test(name) ? 'false' : '']);
  }
  for (const name of await namesIn(git, '^merge\\..*\\.driver$')) settings.push([name, 'false']);
  settings.push(...(await disabledHooks(git)));
  return git;
}

/** Returns the settings that disable the hooks that the configuration itself defines: `hook.<name>.command`. */
async function disabledHooks(git: Git): Promise<Settings> {
  const names = await namesIn(git, '^hook\\..*\\.(command|event)$');
  const hooks = new Set(names.map((name) => name.replace(/\.[^.]*$/, '')));
  return [...hooks].map((hook) => [`${hook}.enabled`, 'false']);
}

/** Returns the settings with which git runs no hook of a repository. */
export const withoutHooks = async (git: Git): Promise<Settings> => [
  ['core.hooksPath', '/dev/null'],
  ...(await disabledHooks(git)),
];

/**
 * Opens git for a person's own commit: it runs what `git commit` in their shell would run.
 *
 * @param env      The person's environment.
 * @param settings Additional settings, which override those of the repository.
 */
export function openPersonsGit(
  directory: string,
  env: Readonly<Record<string, string | undefined>>,
  settings: Settings = [],
): Git {
  // A GIT_DIR or GIT_INDEX_FILE of the person's shell would name another repository.
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_')));
  const quiet = { ...settingsOf([...QUIET, ...settings]), GIT_TERMINAL_PROMPT: '0', GIT_EDITOR: 'true' };
  return (...args) => runGit(directory, args, WRITE_TIMEOUT_MS, { ...own, ...quiet });
}

async function namesIn(git: Git, pattern: string): Promise<string[]> {
  const names = await git('config', '--null', '--name-only', '--get-regexp', pattern).catch(() => '');
  return names.split('\0').filter(Boolean);
}

const settingsOf = (settings: Settings): Readonly<Record<string, string>> =>
  Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(settings.length)],
    ...settings.flatMap(([name, value], at) => [
      [`GIT_CONFIG_KEY_${at}`, name],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ]);

async function runGit(
  directory: string,
  args: readonly string[],
  timeoutMs: number,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  try {
    const { stdout } = await run('git', ['--no-pager', ...args], {
      cwd: directory,
      timeout: timeoutMs,
      maxBuffer: MAX_BYTES,
      env,
    });
    return stdout;
  } catch (error) {
    throw refused(directory, error, timeoutMs);
  }
}

/** Only what git needs. Variables such as GIT_DIR of the person's shell would name another repository. */
const environment = (): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  LC_ALL: 'C.UTF-8',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_EDITOR: 'true',
  // A partial clone would start a program to fetch missing objects.
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: '',
});

function refused(directory: string, error: unknown, timeoutMs: number): OrchdError {
  // the type of execFile's rejections
  const { code, killed, stderr } = error as { code?: unknown; killed?: boolean; stderr?: string };
  const said = (stderr ?? '').trim().split('\n').at(-1) ?? '';
  const why =
    code === 'ENOENT'
      ? `git is not installed, or there is no directory ${directory}`
      : killed
        ? `git took longer than ${timeoutMs / 1000} s in ${directory}`
        : /not a git repository/.test(said)
          ? `${directory} is in no git repository`
          : said || 'git failed';
  return new OrchdError('ORCHD_WORKTREE', why);
}
