/** Starts a daemon, and reports why it cannot start. */
import { spawn } from 'node:child_process';
import { constants, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { makeDirectory } from '../../host/index.js';
import {
  errorMessage,
  FAILED,
  HEAP_FLAGS,
  LISTENING,
  LOOPBACK,
  OrchdError,
  PLACE_ADVICE,
  portProblem,
  STARTING,
} from '../../protocol/index.js';
import type { Context } from '../program/context.js';
import { type DaemonFlags, toArguments } from './daemon-flags.js';
import { daemonStatus, POLL_MS, type Status } from './daemon-process.js';

/** If a starting daemon reports no step for this time, it is considered stopped or stuck. It reports one per second. */
const SILENT_MS = 20_000;
/** If a start takes longer than this, a note is printed, and again at this interval. */
const NOTE_MS = 2_000;
/** Maximum time to look for another daemon if this one could not start. */
const ABSENT_MS = 2_000;
/** Maximum wait for a daemon that another process started, while its process exists. */
const OTHER_START_MS = 120_000;
/** Resolves when a daemon listens: the one started here, or one that another process started at the same time. */
export async function startDaemon(context: Context, flags: DaemonFlags): Promise<void> {
  if (flags.port && !(await isFree(context, flags.port))) return;
  const { logFile } = context.paths;
  makeDirectory(dirname(logFile));
  const errors = openLog(logFile);
  const file = join(import.meta.dirname, 'daemon.js');
  const child = spawn(process.execPath, [...HEAP_FLAGS, file, ...toArguments(flags)], {
    detached: true,
    stdio: ['ignore', 'pipe', errors],
    cwd: '/',
    env: daemonEnvironment(context.env),
  });
  let failure: OrchdError | null = null;
  /** Null if the daemon listens; otherwise how it ended. */
  const end = await new Promise<DaemonEnd | null>((resolve, reject) => {
    const watch = watchStart(context, child.pid, reject);
    const done = (how: DaemonEnd | null) => {
      watch.close();
      resolve(how);
    };
    const lines = child.stdout && createInterface({ input: child.stdout });
    lines?.on('line', (line) => {
      if (line === LISTENING) done(null);
      else if (line.startsWith(STARTING)) watch.step(line.slice(STARTING.length));
      else if (line.startsWith(FAILED)) failure = OrchdError.fromProblem(JSON.parse(line.slice(FAILED.length)));
    });
    child.once('close', (code, signal) => done({ code, signal })); // `close` comes after the last line.
    child.once('error', (error) => {
      watch.close();
      reject(error);
    });
  });
  child.stdout?.destroy();
  child.unref();
  // If another process started a daemon at the same time, this one failed because the event log is in use.
  if (end !== null && !(await otherDaemon(context, ABSENT_MS))) throw failure ?? startError(end, logFile);
}

/** The end of a daemon that did not listen yet: its exit code, or the signal that ended it. */
interface DaemonEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

interface StartWatch {
  /** Handles a step that the daemon reports. */
  step(text: string): void;
  close(): void;
}

/**
 * Watches a start. If it takes long, prints the daemon's steps. If the daemon reports no steps, gives up.
 *
 * @param onSilent Called with ORCHD_DAEMON_SILENT. The daemon is not ended, because it may only be slow.
 */
function watchStart(context: Context, pid: number | undefined, onSilent: (error: OrchdError) => void): StartWatch {
  let lastStep: string | null = null;
  const giveUp = () => {
    clearInterval(noteTimer);
    const message =
      `the daemon (pid ${pid}) has been silent for ${SILENT_MS / 1000} s while it starts; its last step: ` +
      `${lastStep ?? 'none'}. ` +
      `It is left running: try \`orchd status\` later, end it with \`orchd stop\`, or see ${context.paths.logFile}`;
    onSilent(new OrchdError('ORCHD_DAEMON_SILENT', message));
  };
  let silence = setTimeout(giveUp, SILENT_MS);
  const noteTimer = setInterval(() => {
    context.note(`the daemon is starting${lastStep === null ? '' : `: ${lastStep}`}`);
  }, NOTE_MS);
  return {
    step(text) {
      lastStep = text;
      clearTimeout(silence);
      silence = setTimeout(giveUp, SILENT_MS);
    },
    close() {
      clearTimeout(silence);
      clearInterval(noteTimer);
    },
  };
}

/**
 * Waits for a daemon that another process starts.
 *
 * @throws {OrchdError} ORCHD_DAEMON_SILENT if no daemon answers in time.
 */
export async function daemonComesUp(context: Context): Promise<Status> {
  const status = await otherDaemon(context, SILENT_MS);
  if (status) return status;
  const message = `no daemon has come up in ${SILENT_MS / 1000} s; see ${context.paths.logFile}`;
  throw new OrchdError('ORCHD_DAEMON_SILENT', message);
}

/**
 * Waits until a daemon that another process started answers, and tells the person if that takes long.
 *
 * @param absentMs How long to wait while no daemon process exists.
 * @returns Null if no daemon process existed for that time.
 * @throws {OrchdError} ORCHD_DAEMON_SILENT if its process exists for OTHER_START_MS and does not answer.
 */
async function otherDaemon(context: Context, absentMs: number): Promise<Status | null> {
  const { daemonPid } = await import('./daemon-pid.js');
  let absent = 0;
  for (let waited = 0; waited < OTHER_START_MS; waited += POLL_MS) {
    const status = await daemonStatus(context).catch(() => null);
    if (status) return status;
    const pid = daemonPid(context.paths);
    if (pid === null) absent += POLL_MS;
    else if (waited > 0 && waited % NOTE_MS === 0)
      context.note(`waiting for the daemon (pid ${pid}), which is starting`);
    if (absent >= absentMs) return null;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const message =
    `the daemon has been starting for ${OTHER_START_MS / 1000} s; end it with \`orchd stop\`, or see ` +
    `${context.paths.logFile}`;
  throw new OrchdError('ORCHD_DAEMON_SILENT', message);
}

/**
 * Opens the log in which the daemon writes why it cannot start.
 * @throws {OrchdError} ORCHD_FILE
 */
function openLog(path: string): number {
  try {
    // O_NONBLOCK: opening a pipe without a reader fails, instead of waiting for a reader.
    const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK } = constants;
    return openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0o600);
  } catch (error) {
    const why = errorMessage(error);
    throw new OrchdError('ORCHD_FILE', `${path} cannot be written: ${why}; ${PLACE_ADVICE}`, { path }, error);
  }
}

/**
 * True if the port is free; false if a daemon that was started at the same time has it.
 * @throws {OrchdError} ORCHD_PORT if another program has it.
 */
async function isFree(context: Context, port: number): Promise<boolean> {
  try {
    await checkPort(port);
    return true;
  } catch (error) {
    if (await daemonStatus(context)) return false;
    throw error;
  }
}

/**
 * Returns the environment without a session's identity and the starter's colour settings, which the daemon must not
 * inherit.
 */
function daemonEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const {
    ORCHD_SESSION_ID: _session,
    ORCHD_SESSION_TOKEN: _token,
    ORCHD_KEY: _key,
    NODE_OPTIONS: _options,
    ...rest
  } = env;
  return { ...rest, NODE_ENV: 'production' };
}

/** V8's last words if it cannot reserve or get memory. */
const NO_MEMORY = /^# Fatal process OOM.*|^FATAL ERROR: .*(?:heap|memory).*/im;

/** Returns an error with the last message in the daemon's log. */
function startError({ code, signal }: DaemonEnd, logFile: string): OrchdError {
  const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-20).reverse();
  const how = signal === null ? `with code ${code}` : `by ${signal}`;
  // A signal means that the daemon could not write an error, so an error in the log is an older one.
  for (const line of signal === null ? lines : []) {
    try {
      const { error, code: known } = JSON.parse(line);
      if (typeof error === 'string') return OrchdError.fromProblem({ error, code: String(known), message: '' });
    } catch {
      // The line was not written by the daemon and is ignored.
    }
  }
  const said = signal === null ? undefined : NO_MEMORY.exec(lines.join('\n'))?.[0];
  if (said !== undefined) {
    const limit = 'a limit of its address space (`ulimit -v`) is too low, or the memory of the machine is used up';
    return new OrchdError('ORCHD_SYSTEM_LIMIT', `the daemon ended ${how} for lack of memory (${said}): ${limit}`);
  }
  return new OrchdError('ORCHD_DAEMON_UNREACHABLE', `the daemon ended ${how}; see ${logFile}`);
}

/**
 * Checks that a TCP port is free, before a daemon is started on it.
 * @throws {OrchdError} ORCHD_PORT if the port cannot be opened.
 */
export function checkPort(port: number): Promise<void> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(new OrchdError('ORCHD_PORT', portProblem(port, error), { port }, error)));
    server.listen({ port, host: LOOPBACK }, () => server.close(() => resolve()));
  });
}
