/**
 * Finds interactive shells and other programs that would run a typed text as commands: editors, pagers, debuggers,
 * interpreters without a script.
 *
 * In:   a command line, or the pid of a session's program.
 * Out:  whether it is one, or whether one reads the program's terminal now.
 *
 * Processes are read from /proc. Without it (macOS) only the command line is known.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { startByProc } from '../../host/index.js';
import { trueNames } from './true-names.js';

/** A process as described by /proc/PID/stat. */
interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly terminal: number;
  /** The foreground process group of the process's terminal. */
  readonly foreground: number;
}

const SHELLS = /^(?:(?:a|ba|da|fi|k|mk|pdk|c|tc|z)?sh|yash|oil|osh|ysh|nu|pwsh|xonsh|elvish)$/;
const BOXES = /^(?:busybox|toybox)$/;
/** Programs that show a shell of another machine or container, whose processes are not visible here. */
const REMOTE =
  /^(?:ssh|mosh|mosh-client|telnet|rlogin|et|su|sudo|doas|run0|pkexec|docker|podman|nerdctl|kubectl|oc|lxc|incus|adb|machinectl|tmux|screen|zellij|abduco|dtach)(?::.*)?$/;
/** Editors, pagers, debuggers and clients of databases, which treat typed keys and lines as commands. */
const COMMANDED =
  /^(?:n?vim?|view|vimdiff|nvim|ex|ed|emacs|nano|pico|micro|hx|helix|kak|joe|less|more|most|man|info|h?top|btop|mc|ranger|gdb|lldb|psql|mysql|mariadb|sqlite3|redis-cli|mongosh|s?ftp|crontab|visudo|fzf|tig|lazygit|bc|dc|gnuplot|octave|maxima|gp|duckdb|(?:pg|my|lite)cli|cqlsh|sqlplus|l?ftp|nslookup|telnet|jshell|iex|fdisk|parted)$/;
/** Editors and pagers that use the terminal until they end. */
const EDITORS = /^(?:n?vim?|view|vimdiff|nvim|emacs|nano|pico|micro|hx|helix|kak|joe|less|more|most)$/;
/** Line editors that pass a paste line by line to the program that they wrap. */
const LINE_WRAPPERS = /^(?:rlwrap|rlfe|ledit)$/;
const INTERPRETERS =
  /^(?:(?:i|b|pt|ptI)?python[\d.]*|node|deno|bun|irb|pry|ghci|lua[\d.]*|R|perl|ruby|php|tclsh[\d.]*|julia|ocaml|utop|sbcl|clisp|guile|racket|scala|erl|fennel)$/;
/** Modules of Python that read commands. */
const MODULES = /^(?:IPython|b?ptpython|bpython|code|pdb|asyncio|sqlite3)$/i;
const VALUE_OPTIONS = /^(?:--rcfile|--init-file|[-+][oO])$/;
export const HAS_PROC = process.platform === 'linux';

/**
 * True for the name of a program that shows a shell of another machine or of a container, such as `ssh` or `docker`.
 */
export const isRemote = (name: string): boolean => REMOTE.test(name);

/** True for the name or the path of a shell, also with the dash of a login shell. */
export const isShellName = (program: string): boolean => SHELLS.test(basename(program).replace(/^-/, ''));

/** True for the command line of an interactive shell, which has neither a script nor code as its argument. */
export function isInteractiveShell(argv: readonly string[]): boolean {
  const [program = '', ...args] = argv;
  if (BOXES.test(basename(program))) return isInteractiveShell(args);
  if (!isShellName(program)) return false;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (/^-(?=[a-z]+$)[a-z]*c/.test(arg) || arg === '--command') return false;
    // With the option -s, a shell reads commands from the terminal, regardless of other arguments.
    if (/^-(?=[a-z]+$)[a-z]*s/.test(arg)) return true;
    if (arg === '--' || arg === '-') return at === args.length - 1;
    if (VALUE_OPTIONS.test(arg)) at++;
    else if (!/^[-+]/.test(arg)) return false;
  }
  return true;
}

/** True for a program that runs typed text as commands: a shell, an editor, an interpreter without a script. */
export function takesCommands(argv: readonly string[]): boolean {
  const [program = '', ...args] = argv;
  const name = basename(program);
  if (INTERPRETERS.test(name)) return isAtPrompt(args);
  return COMMANDED.test(name) || isInteractiveShell(argv);
}

/** True for the arguments of an interpreter that runs no script, or the script of a program that takes commands. */
function isAtPrompt(args: readonly string[]): boolean {
  const at = args.findIndex((arg) => !/^-(?:[^cem-]|-(?!eval|print|command|$))/.test(arg));
  if (at === -1) return true;
  const [first = '', second = ''] = args.slice(at);
  if (first === '-m') return MODULES.test(second);
  return !first.startsWith('-') && takesCommands([first, ...args.slice(at + 1)]);
}

/**
 * True if a program that takes commands, or one that may show such a program, reads the terminal of a session's
 * program. Null if the system does not tell.
 *
 * @param isAgent  The screen shows an agent. Terminals that the agent opened itself then do not count, nor does a
 *   connection to another machine on which the agent may run.
 */
export function isAtCommands(pid: number, isAgent: boolean): boolean | null {
  if (!HAS_PROC) return null;
  const program = readProcess(pid);
  if (!program) return null;
  const all = listProcesses();
  const inFront = all.filter(
    ({ terminal, group }) => terminal === program.terminal && terminal !== 0 && group === program.foreground,
  );
  if (inFront.some((one) => readsCommands(one.pid))) return true;
  if (isAgent) return false;
  if (inFront.some((one) => isRemote(nameOf(argvOf(one.pid))))) return true;
  // `script` and similar programs run another program on a new terminal.
  const inner = descendantsOf(inFront, all).filter(
    ({ terminal, group, foreground }) => terminal !== program.terminal && terminal !== 0 && group === foreground,
  );
  return inner.some((one) => readsCommands(one.pid));
}

/**
 * Finds an editor or pager that reads the session's terminal and was started after `since`. The session's program
 * itself does not count. Only its descendants are examined, so that this may be called often.
 *
 * @returns Its name. Null if there is none, or if the system does not say.
 */
export function editorInFront(pid: number, since: number): string | null {
  const program = HAS_PROC ? readProcess(pid) : null;
  if (!program || program.terminal === 0) return null;
  const found = new Set(childrenOf(pid));
  for (const child of found) {
    const one = readProcess(child);
    if (!one) continue;
    for (const next of childrenOf(child)) found.add(next);
    if (one.terminal !== program.terminal || one.group !== program.foreground) continue;
    const name = nameOf(argvOf(child));
    if (EDITORS.test(name) && (startByProc(child) ?? 0) >= since) return name;
  }
  return null;
}

/**
 * True if the program that reads the terminal of a session's program takes a paste of several lines as several lines: a
 * line editor around another program, or a script of bash with `read -e`. False on macOS.
 */
export function wrapsLines(pid: number): boolean {
  const foreground = HAS_PROC ? (readProcess(pid)?.foreground ?? 0) : 0;
  if (foreground === 0) return false;
  const argv = argvOf(foreground);
  return LINE_WRAPPERS.test(nameOf(argv)) || (/^r?bash$/.test(nameOf(argv)) && !isInteractiveShell(argv));
}

/** Returns the processes that a process has started, as far as the system tells. */
export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean).map(Number);
  } catch {
    return []; // The process has ended.
  }
}

const nameOf = ([program = '']: readonly string[]): string => basename(program);

/** True for a program that reads its commands from a terminal, whatever its name. */
function readsCommands(pid: number): boolean {
  const argv = argvOf(pid);
  if (!takesCommands(argv) && !takesCommandsByFile(pid, argv)) return false;
  try {
    return /^\/dev\/(?:pts\/|tty|console)/.test(readlinkSync(`/proc/${pid}/fd/0`));
  } catch {
    return true; // The process belongs to another user.
  }
}

/**
 * True if the executable file is that of a program that takes commands. A process may change the words of its command
 * line. The file of an agent may be an interpreter whose words are lost that way, so an interpreter counts only if its
 * file has another name.
 */
function takesCommandsByFile(pid: number, [, ...args]: readonly string[]): boolean {
  const [name, twin] = trueNames(pid, isCommanded);
  if (name === undefined || INTERPRETERS.test(name)) return false;
  // A box acts as the program that its first word names, which was examined already.
  return [name, twin].some((one) => one !== undefined && !BOXES.test(one) && takesCommands([one, ...args]));
}

/** True for the name of a program that takes commands if it has no script. */
const isCommanded = (name: string): boolean => isShellName(name) || COMMANDED.test(name) || INTERPRETERS.test(name);

function argvOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replace(/\0$/, '').split('\0');
  } catch {
    return []; // The process has ended.
  }
}

function descendantsOf(roots: readonly Process[], all: readonly Process[]): Process[] {
  const found = new Set(roots);
  for (const parent of found) {
    for (const one of all) if (one.parent === parent.pid) found.add(one);
  }
  return [...found];
}

function listProcesses(): Process[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readProcess(Number(name)) ?? []) : []));
}

function readProcess(pid: number): Process | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name is in parentheses and may contain parentheses and spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [, parent, group, , terminal, foreground] = fields.map(Number);
    if (parent === undefined || group === undefined || terminal === undefined || foreground === undefined) return null;
    return { pid, parent, group, terminal, foreground };
  } catch {
    return null; // The process has ended.
  }
}
