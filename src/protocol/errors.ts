/**
 * The error catalogue: every error of orchd with its HTTP status, its exit code and a hint.
 *
 * All components use one error class. Only the code, the message and the details are sent over the socket. `npm run
 * generate` writes the same table to docs/reference/errors.md.
 */

import type { Problem } from './generated/types.js';

/** Exit codes of the CLI. An attached `orchd run` exits with the program's own code instead. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  conflict: 4,
  unreachable: 5,
  schema: 6,
  /** Exit code of `orchd tool` if the question was declined. */
  declined: 7,
  timeout: 124,
} as const;

interface CatalogueEntry {
  readonly status: number;
  readonly exit: number;
  /** Advice for the person who gets the error. */
  readonly hint: string;
}

const error = (status: number, exit: number, hint: string): CatalogueEntry => ({ status, exit, hint });
const forbidden = (hint: string): CatalogueEntry => error(403, EXIT.failed, hint);
const notFound = (hint: string): CatalogueEntry => error(404, EXIT.notFound, hint);
const conflict = (hint: string): CatalogueEntry => error(409, EXIT.conflict, hint);
/** The caller gave something wrong. */
const invalid = (hint: string): CatalogueEntry => error(422, EXIT.usage, hint);
/** The request was valid, but what it names cannot be used. */
const unprocessable = (hint: string): CatalogueEntry => error(422, EXIT.failed, hint);
const internal = (hint: string): CatalogueEntry => error(500, EXIT.failed, hint);

export const ERRORS = {
  ORCHD_USAGE: error(400, EXIT.usage, 'See the --help of the command.'),
  ORCHD_INVALID: invalid('Correct the fields that the message names.'),
  ORCHD_UNAUTHORIZED: error(401, EXIT.failed, 'Send the token of the `token` file as a Bearer token.'),
  ORCHD_FORBIDDEN: forbidden('A program inside a session may not do this to others; use a terminal outside of orchd.'),
  ORCHD_FOREIGN: forbidden(
    'Call the daemon as 127.0.0.1 or localhost, or by a name of its certificate or its proxy, and not from another ' +
      'web page. A proxy must pass on the Host header.',
  ),
  ORCHD_WEB_CODE: forbidden('Open a new link: `orchd web`.'),
  ORCHD_WEB_ROLE: forbidden('Open a link with another role: `orchd web --role all`.'),
  ORCHD_WEB_DEVICE: notFound('See `orchd web --list` for the browsers.'),
  ORCHD_WEB_LISTEN: invalid(
    'Give a certificate (--tls-cert, --tls-key), or the address of a reverse proxy with TLS (--behind-proxy); ' +
      'docs/guide/web.md has examples.',
  ),
  ORCHD_WEB_LOCAL: conflict(
    'See `orchd web --listen` and `--behind-proxy` in `orchd web --help`, or [web] in the configuration.',
  ),
  ORCHD_NO_TCP: conflict(
    'Set daemon.tcp = true, and a daemon.port that is free, in the configuration, and run `orchd restart`. Or run ' +
      '`orchd restart --port N`.',
  ),
  ORCHD_NOT_FOUND: notFound('See `orchd api` for the routes.'),
  ORCHD_SESSION_UNKNOWN: notFound('See `orchd ls` for the sessions.'),
  ORCHD_ITEM_UNKNOWN: notFound('See `orchd inbox --all` for the items.'),
  ORCHD_EVENT_UNKNOWN: notFound('See `orchd events` for the events that are kept.'),
  ORCHD_AMBIGUOUS: conflict('Give more letters of the id or the whole name.'),
  ORCHD_ITEM_CLOSED: conflict('The details hold the answer that was first.'),
  ORCHD_TOO_LATE: conflict('An answer can be taken back until its typing begins. `orchd send` types more words.'),
  ORCHD_ITEM_WITHDRAWN: conflict('It will not be answered. Ask again if it still matters.'),
  ORCHD_TOOL_UNKNOWN: notFound('See `orchd tool --list` for the tools.'),
  ORCHD_TOOL_NOT_OFFERED: forbidden('The agent of a run may call the tools that its blueprint names.'),
  ORCHD_CALL_REUSED: conflict('Give another call_id, or the same input as before.'),
  ORCHD_UNTRUSTED: forbidden(
    'Read the commands. `orchd up --trust` starts them, and agrees to them until they are changed.',
  ),
  ORCHD_NAME_TAKEN: conflict('Choose another name, or rename the other session.'),
  ORCHD_RECORDING: unprocessable('Nothing was imported. Correct that line, or cut the recording before it.'),
  ORCHD_FILE: unprocessable('Check the path, whether you may use it, and the room on its disk.'),
  ORCHD_SESSION_ENDED: conflict('The program has ended; `orchd revive` starts it again.'),
  ORCHD_SESSION_ALIVE: conflict('End it first: `orchd kill`.'),
  ORCHD_NOT_REVIVABLE: conflict('See `orchd show`. `--fresh` makes an agent begin another conversation.'),
  ORCHD_BLUEPRINT_UNKNOWN: notFound('See `orchd agent list`. Blueprints of a project are listed only inside it.'),
  ORCHD_BLUEPRINT_EXISTS: conflict('Choose another name, or edit the blueprint: `orchd agent edit`.'),
  ORCHD_BLUEPRINT_DAMAGED: error(422, EXIT.schema, 'Correct its file; `orchd agent validate` tells every error.'),
  ORCHD_AGENTFILE: error(422, EXIT.schema, '`orchd workflow check` tells every problem, with its place.'),
  ORCHD_RUN_UNKNOWN: notFound('See `orchd runs list` for the runs.'),
  ORCHD_RUN_ENDED: conflict('See `orchd runs show`; `orchd runs retry` runs it again.'),
  ORCHD_RUN_ALIVE: conflict('Wait for it, or end it first: `orchd runs cancel`.'),
  ORCHD_TASK_UNKNOWN: notFound('See `orchd task list` for the tasks.'),
  ORCHD_TASK_STATE: conflict('See `orchd task show` for where it stands.'),
  ORCHD_WORKFLOW_UNKNOWN: notFound('See `orchd workflow list` for the workflow runs.'),
  ORCHD_WORKFLOW_STATE: conflict('See `orchd workflow show` for where it stands.'),
  ORCHD_SUBMITTED: conflict('The call counts once; the first one is kept. You are done.'),
  ORCHD_NO_AGENT: conflict('This works only while its agent runs; see `orchd task history`.'),
  ORCHD_NO_BATCH: invalid(
    'A run needs an agent program: say which with --adapter, or in the blueprint, or as runs.adapter in the ' +
      'configuration.',
  ),
  ORCHD_CHILD_FAILED: unprocessable('The details hold its error; `orchd runs show` has all of it.'),
  ORCHD_SPAWN_LIMIT: error(
    429,
    EXIT.failed,
    'Wait for the running agents, or do the work yourself; runs.max_children and runs.max_depth set the limits.',
  ),
  ORCHD_COMMAND_NOT_FOUND: unprocessable('Check the spelling and the PATH.'),
  ORCHD_ADAPTER_UNKNOWN: invalid('Leave --adapter out, or give one that the message names.'),
  ORCHD_NOT_TAUGHT: invalid(
    'Leave --teach out, and give the agent the text of `orchd prompt` (with its --key) as its first prompt ' +
      'or in a file it reads.',
  ),
  ORCHD_NO_TOOLS: invalid(
    'Leave --tools out: `orchd tool` works in any shell of the session. `orchd doctor` says which agents ' +
      'take tools.',
  ),
  ORCHD_SPAWN_FAILED: unprocessable('Check the directory and the command.'),
  ORCHD_SYSTEM_LIMIT: error(
    503,
    EXIT.failed,
    'End programs that you do not need, or raise the limit that the message names; see `orchd doctor`.',
  ),
  ORCHD_NOT_COMPILED: internal(
    'If something is missing, install it, then orchd again, in a checkout with `npm install`.',
  ),
  ORCHD_WORKTREE: unprocessable('See `git status`, `git branch` and `git worktree list` in that directory.'),
  ORCHD_OPTION_UNKNOWN: invalid('Choose one of the options, counted from 1.'),
  ORCHD_LINE_TOO_LONG: invalid(
    'This program reads whole lines from a terminal, which takes 4,095 bytes a line: shorten it or break the ' +
      'line.',
  ),
  ORCHD_ONE_LINE: invalid('This program reads each line as an answer: write it in one line.'),
  ORCHD_NOT_READY: conflict('Look at the session (`orchd attach`), or type anyway: `orchd send --now`.'),
  ORCHD_NO_TERMINAL: conflict(
    'Its whole input was given at its start (`--stdin`). To type into a program, start it without --batch.',
  ),
  ORCHD_CATCHING_UP: error(
    503,
    EXIT.conflict,
    'Nothing was done. Try again in a moment; `orchd status` shows how far the daemon is.',
  ),
  ORCHD_INPUT_FULL: error(429, EXIT.failed, 'The program does not read its input; try later or kill it.'),
  ORCHD_CLOCK: conflict('Set the clock. If it is right, say so once: `orchd prune --trust-clock`.'),
  ORCHD_BUSY: error(429, EXIT.failed, 'Try again when earlier requests of the session are answered.'),
  ORCHD_TOO_LARGE: error(413, EXIT.usage, 'A request may have 4 MiB, and 50,000 JSON values.'),
  ORCHD_SCHEMA: error(422, EXIT.schema, 'Correct the message; the errors name each place.'),
  ORCHD_TIMEOUT: error(408, EXIT.timeout, 'Wait longer (--timeout), or look at `orchd show`.'),
  ORCHD_STORE_FULL: error(507, EXIT.failed, 'Free disk space; nothing was lost, and orchd continues by itself.'),
  ORCHD_STORE_CORRUPT: internal(
    'The file was not changed. Move it away to start with an empty log; the journals are still there.',
  ),
  ORCHD_STORE_NEWER: internal('Nothing was changed. Install the newer orchd that wrote it.'),
  ORCHD_STORE_LOCKED: conflict('Another daemon has this home; see `orchd status`.'),
  ORCHD_HOST_UNREACHABLE: error(503, EXIT.unreachable, 'Run `orchd restart`, and see `orchd logs`.'),
  ORCHD_HOST_CONTRACT: error(
    503,
    EXIT.failed,
    'Nothing was changed. `orchd stop` ends the host and its sessions. Or use the orchd that started it.',
  ),
  ORCHD_LEASE_LOST: error(503, EXIT.unreachable, 'Another daemon took over; see `orchd status`.'),
  ORCHD_DAEMON_UNREACHABLE: error(503, EXIT.unreachable, 'Run `orchd start`.'),
  ORCHD_DAEMON_SILENT: error(
    504,
    EXIT.unreachable,
    'It may be stopped (SIGSTOP) or overloaded; `orchd restart` replaces it and keeps every session.',
  ),
  ORCHD_SOCKET_PATH: error(
    500,
    EXIT.usage,
    'Set ORCHD_SOCKET or ORCHD_HOME to another path: absolute, at most 107 bytes long, and no other file.',
  ),
  ORCHD_SOCKET_DIRECTORY: internal(
    'No other user may be able to replace the sockets: set ORCHD_HOME or XDG_RUNTIME_DIR to a directory of ' +
      'your own.',
  ),
  ORCHD_PORT: conflict(
    'Give another --port (0: any that is free), or --no-tcp: the commands and the TUI use the Unix socket.',
  ),
  ORCHD_CONFIG: error(500, EXIT.usage, 'See `orchd config --default` for every option.'),
  ORCHD_LAYOUT: invalid('Correct that line of the layout.'),
  ORCHD_SERVICE: internal(
    '`orchd service install --print` prints the file for a service manager; without one start orchd at login ' +
      'yourself: `orchd start --detach`.',
  ),
  ORCHD_HUB_UNREACHABLE: error(
    502,
    EXIT.unreachable,
    'Check the address, and that the server runs and knows the key of this machine (`orchd hub key`).',
  ),
  ORCHD_HUB_REFUSED: error(
    502,
    EXIT.failed,
    'Check the permissions of this machine in the configuration of the server: `orchd hub config` writes them.',
  ),
  ORCHD_HUB_EMPTY: conflict('Create them with `orchd hub init URL`.'),
  ORCHD_HUB_JOINED: conflict('Leave that hub first: `orchd hub leave`.'),
  ORCHD_HUB_NOT_JOINED: conflict('See `orchd hub join --help` for its options.'),
  ORCHD_MACHINE_UNKNOWN: notFound('See `orchd hub status` for the machines.'),
  ORCHD_MACHINE_AWAY: error(
    504,
    EXIT.unreachable,
    'See `orchd hub status`, and `orchd hub commands` for what became of it.',
  ),
  ORCHD_MACHINE_OLDER: conflict(
    'Install the same version on both machines, and restart their daemons: `orchd restart`.',
  ),
  ORCHD_HUB_FORBIDDEN: forbidden(
    'That machine decides what it accepts: `orchd hub enroll`, and hub.accept in its configuration.',
  ),
  ORCHD_HUB_EXPIRED: conflict('Nothing was done there. Send it again.'),
  ORCHD_HUB_CURSOR: conflict('Read the events again from the beginning: `--since 0`.'),
  ORCHD_HUB_NAME_TAKEN: conflict(
    'Choose another --name. If that machine is gone for good, `--replace` takes its name over.',
  ),
  ORCHD_HUB_LOG_OLDER: conflict('The log was restored from a backup. Leave the hub and join it under another --name.'),
  ORCHD_JOURNAL: internal('See `orchd logs`.'),
  ORCHD_INTERNAL: internal('This is a bug in orchd; please report it with `orchd logs`.'),
};

export type ErrorCode = keyof typeof ERRORS;

/** The error class of all components of orchd. */
export class OrchdError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | undefined;

  /**
   * @param code A code from the catalogue.
   * @param message One sentence: what was wrong, where, and what would be valid.
   */
  constructor(code: ErrorCode, message: string, details?: Record<string, unknown>, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'OrchdError';
    this.code = code;
    this.details = details;
  }

  toProblem(): Problem {
    const problem = { error: this.message, code: this.code, message: ERRORS[this.code].hint };
    const { details } = this;
    const errors = details?.['errors'];
    return { ...problem, ...(isErrorList(errors) && { errors }), ...(details && { details }) };
  }

  static fromProblem(problem: Problem): OrchdError {
    return new OrchdError(isErrorCode(problem.code) ? problem.code : 'ORCHD_INTERNAL', problem.error, problem.details);
  }
}

/** The error of a call that needs a hub, on a machine that has joined none. */
export const notOnHub = (): OrchdError =>
  new OrchdError('ORCHD_HUB_NOT_JOINED', 'this machine is on no hub: `orchd hub join URL` joins one');

const isErrorList = (value: unknown): value is NonNullable<Problem['errors']> => Array.isArray(value);

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);

/** Returns the code of an error of the system, such as `ENOENT`. Undefined for any other value. */
export const systemCode = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

/** Returns the message of a caught value, which need not be an error. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));
