/**
 * The start of a hosted program: its file, and the caller's environment with orchd's additions, never the daemon's
 * environment.
 */
import { type UserInfo, userInfo } from 'node:os';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { isDirectory, isProgram } from '../../host/index.js';
import { OrchdError } from '../../protocol/index.js';

const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** Variables that describe the caller's terminal instead of the program's. */
const OF_ANOTHER_TERMINAL =
  /^(TMUX|TMUX_PANE|STY|WINDOW|ZELLIJ.*|LINES|COLUMNS|TERM_PROGRAM_VERSION|TERM_SESSION_ID|KITTY_.*|WEZTERM_.*|ITERM_.*|VTE_VERSION|ORCHD_(SESSION_ID|SESSION_TOKEN|TASK_ID|KEY))$/;
/**
 * This variable names a file that contains another session's token. A program that inherits it would speak as that
 * session.
 */
const OF_A_SESSION = /^GEMINI_CLI_SYSTEM_DEFAULTS_PATH$/;
const SESSIONS_FILE = /\/(ses_[^/]+)\/orchd-[^/]+$/;

export interface ProgramIdentity {
  readonly socket: string;
  readonly sessionId: string;
  readonly token: string;
  readonly key: string | undefined;
  /** The task that the session works on, if there is one. */
  readonly taskId?: string;
}

/** The user of this process; cached, because reading it opens files. */
let user: UserInfo<string> | undefined;

/** Returns a login's environment, for callers that send none. */
export function loginEnvironment(): Record<'HOME' | 'PATH', string> & Record<string, string> {
  user ??= userInfo();
  const { username, homedir, shell } = user;
  return {
    HOME: homedir,
    USER: username,
    LOGNAME: username,
    SHELL: shell ?? '/bin/sh',
    PATH: DEFAULT_PATH,
    LANG: 'C.UTF-8',
  };
}

export function programEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  identity: ProgramIdentity,
): Record<string, string> {
  const kept = Object.entries(env).filter(
    (pair): pair is [string, string] => isKept(...pair) && !isAnothers(...pair, identity),
  );
  return {
    ...Object.fromEntries(kept),
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    TERM_PROGRAM: 'orchd',
    ORCHD_SOCKET: identity.socket,
    ORCHD_SESSION_ID: identity.sessionId,
    ORCHD_SESSION_TOKEN: identity.token,
    ...(identity.key !== undefined && { ORCHD_KEY: identity.key }),
    ...(identity.taskId !== undefined && { ORCHD_TASK_ID: identity.taskId }),
  };
}

const isKept = (name: string, value: string | undefined): boolean =>
  value !== undefined && !OF_ANOTHER_TERMINAL.test(name) && !value.includes('\0');

const isAnothers = (name: string, value: string | undefined, { sessionId }: ProgramIdentity): boolean => {
  const owner = OF_A_SESSION.test(name) ? SESSIONS_FILE.exec(value ?? '')?.[1] : undefined;
  return owner !== undefined && owner !== sessionId;
};

/**
 * Finds a program as a shell does.
 *
 * @throws {OrchdError} ORCHD_COMMAND_NOT_FOUND if there is none; ORCHD_SPAWN_FAILED for an invalid directory.
 */
export function findProgram(command: string, cwd: string, path: string | undefined): string {
  if (!isAbsolute(cwd) || !isDirectory(cwd)) {
    throw new OrchdError('ORCHD_SPAWN_FAILED', `'${cwd}' is not a directory`);
  }
  if (command.includes('/')) {
    const file = resolve(cwd, command);
    if (isProgram(file)) return file;
    throw new OrchdError('ORCHD_COMMAND_NOT_FOUND', `'${command}' is not a program that can be run (in ${cwd})`);
  }
  const folders = (path ?? DEFAULT_PATH).split(delimiter);
  const file = folders.map((folder) => resolve(cwd, join(folder, command))).find(isProgram);
  if (file === undefined) throw new OrchdError('ORCHD_COMMAND_NOT_FOUND', `command not found: ${command}`);
  return file;
}
