/**
 * Codex runs one program at the end of each turn (`notify`), with a JSON object as its last argument. For one session,
 * orchd's program takes its place. It appends to the feed and then runs the person's own program, which is configured
 * by `-p NAME`, config.toml, or the machine's configuration. Projects cannot configure one: Codex ignores theirs.
 */
import { parse } from 'smol-toml';
import { shellWord } from '../../../protocol/index.js';
import type { LaunchRequest } from '../adapter.js';
import { optionValue } from './command-line.js';
import { asToml, tellLine } from './launch.js';

const NOTIFY_FILE = 'notify.sh';
const MACHINES_CONFIG = '/etc/codex/config.toml';
/** Matches a program that the person chose on the command line. */
const GIVEN = /(?:^|=)notify=/;

interface Notify {
  readonly args: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

export const NO_NOTIFY: Notify = { args: [], files: {} };

/** Returns the folder of Codex's settings and sessions. */
export const codexHome = (env: LaunchRequest['env']): string => env['CODEX_HOME'] || `${env['HOME']}/.codex`;

export function codexNotify(request: Pick<LaunchRequest, 'argv' | 'env' | 'dir' | 'machine'>): Notify {
  const { argv, dir } = request;
  const own = argv.some((word) => GIVEN.test(word)) ? null : ownNotify(request);
  if (own === null) return NO_NOTIFY;
  // The words are passed in a file, because other users can read command lines.
  const words = asToml(['sh', `${dir}/${NOTIFY_FILE}`]);
  const lines = [tellLine(dir), ...(own.length > 0 ? [`exec ${own.map(shellWord).join(' ')} "$1"`] : [])];
  return { args: ['--config', `notify=${words}`], files: { [NOTIFY_FILE]: `${lines.join('\n')}\n` } };
}

/**
 * @returns  [] if the person has set none; null if that cannot be determined. orchd then does not change the setting.
 */
function ownNotify({ argv, env, machine }: Pick<LaunchRequest, 'argv' | 'env' | 'machine'>): readonly string[] | null {
  const home = codexHome(env);
  // The path may be relative to the working directory or to the account's home. orchd does not know which, so it gives
  // up.
  if (!home.startsWith('/')) return null;
  const profile = optionValue(argv, /^(?:-p|--profile)$/) ?? joinedProfile(argv);
  const files = [
    ...(profile === null ? [] : [`${home}/${profile}.config.toml`]),
    `${home}/config.toml`,
    MACHINES_CONFIG,
  ];
  for (const file of files) {
    const text = machine.text(file);
    const notify = text === null ? undefined : notifyIn(text);
    if (notify !== undefined) return notify;
  }
  return [];
}

/** `-pNAME` */
const joinedProfile = (argv: readonly string[]): string | null =>
  argv.find((word) => /^-p[^=]/.test(word))?.slice('-p'.length) ?? null;

/** Returns undefined if the text does not set it; null if the value is not a list of words. */
function notifyIn(text: string): readonly string[] | null | undefined {
  try {
    const { notify } = parse(text);
    if (notify === undefined) return undefined;
    if (!Array.isArray(notify)) return null;
    const words = notify.filter((word) => typeof word === 'string');
    return words.length === notify.length ? words : null;
  } catch {
    return null;
  }
}
