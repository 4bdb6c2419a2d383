/**
 * The daemon's connection to the host: typed calls, and notices as they come.
 *
 * Connecting says `hello`, so it takes the lease: the daemon that was connected before is replaced.
 * When the connection ends, open calls fail and `onClose` is told why; nothing reconnects by itself.
 */
import { connect } from 'node:net';
import { OrchdError } from '../protocol/errors.js';
import { contractError } from './ask-contract.js';
import {
  COMMAND_BYTES,
  CONTRACT_VERSION,
  type HostCommandName,
  type HostCommands,
  type HostNotice,
  type HostReply,
  type HostWelcome,
  OLDEST_CONTRACT,
} from './contract.js';
import { createLineSplitter } from './lines.js';

/** Maximum length of a reply or a notice, in bytes. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
/**
 * Maximum delay of an order for ticks. The silence of a tick counts from the last output and is longer than this, so
 * the tick itself is not late.
 */
const LATE_MS = 20;

export interface HostClientOptions {
  readonly socketPath: string;
  /**
   * Called for each notice, in order. The first notice of a session may arrive before the promise of its `spawn` is
   * resolved, so keep notices of unknown sessions.
   */
  readonly onNotice?: (notice: HostNotice) => void;
  /** Called once, after the connection has ended for any reason, including `close`. */
  readonly onClose?: (reason: OrchdError) => void;
  /** Called with the problem of a command that was sent with `tell`. */
  readonly onRefused?: (problem: OrchdError) => void;
  /** Id of the process that says hello, by default this process. It is never killed with a session. */
  readonly pid?: number;
  /** Accepts a host of any older contract. Only `shutdown` may be called then: every contract has it. */
  readonly anyContract?: boolean;
}

export interface HostClient {
  readonly welcome: HostWelcome;
  /**
   * Sends a command.
   *
   * @throws {OrchdError} ORCHD_TOO_LARGE if the command is too long; it is not sent then, because the host could not
   * name it in its refusal. The error of the host. ORCHD_HOST_UNREACHABLE or ORCHD_LEASE_LOST if the connection ends
   * before the reply.
   */
  call<N extends HostCommandName>(name: N, input: HostCommands[N]['in']): Promise<HostCommands[N]['out']>;
  /**
   * Sends a command without asking for a reply. If it fails, `onRefused` is called. Nothing is sent once the connection
   * has ended.
   */
  tell<N extends HostCommandName>(name: N, input: HostCommands[N]['in']): void;
  close(): void;
}

interface Waiting {
  resolve(reply: object): void;
  reject(cause: OrchdError): void;
}

/** Returns the sessions that have grown and their new ends, from a notice of this contract or of the one before. */
export function grownIn(notice: HostNotice): readonly (readonly [sessionId: string, position: number])[] {
  if (notice.notice === 'grown') return notice.positions;
  return notice.notice === 'grew' ? [[notice.sessionId, notice.position]] : [];
}

/** @throws {OrchdError} ORCHD_HOST_UNREACHABLE if no host listens there. ORCHD_HOST_CONTRACT if the host is too old. */
export async function connectHost(options: HostClientOptions): Promise<HostClient> {
  const { socketPath } = options;
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let isReplaced = false;
  let ended: OrchdError | null = null;

  const socket = connect(socketPath);
  const end = (cause?: unknown) => {
    if (ended) return;
    const why = cause instanceof Error ? cause.message : 'the connection ended';
    ended = isReplaced
      ? new OrchdError('ORCHD_LEASE_LOST', 'another daemon has taken over this host')
      : new OrchdError('ORCHD_HOST_UNREACHABLE', `the host at ${socketPath} cannot be reached: ${why}`, {}, cause);
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
    socket.destroy();
    options.onClose?.(ended);
  };
  const lines = createLineSplitter(MAX_LINE_BYTES, (line) => take(line), end);
  socket.on('data', (chunk) => lines.push(chunk));
  socket.on('error', end);
  socket.on('close', () => end());

  const take = (line: string) => {
    // No check is needed: the host is trusted to follow the contract.
    const message = JSON.parse(line) as HostReply | HostNotice;
    if (!('id' in message)) {
      if (message.notice === 'replaced') isReplaced = true;
      options.onNotice?.(message);
      return;
    }
    const call = waiting.get(message.id);
    waiting.delete(message.id);
    if (!message.ok) {
      const problem = OrchdError.fromProblem(message.problem);
      if (call) call.reject(problem);
      else options.onRefused?.(problem);
      return;
    }
    const { id: _, ok: __, ...fields } = message;
    call?.resolve(fields);
  };

  const send = createSender((lines) => !ended && socket.write(lines));
  const tell: HostClient['tell'] = (name, input) => {
    if (!ended) send(JSON.stringify({ command: name, ...input }), name === 'tick');
  };
  const call: HostClient['call'] = (name, input) =>
    new Promise((resolve, reject) => {
      if (ended) {
        reject(ended);
        return;
      }
      const line = JSON.stringify({ id: lastId + 1, command: name, ...input });
      const bytes = Buffer.byteLength(line);
      if (bytes > COMMAND_BYTES) {
        const what = `what is sent to the host is too long: ${name} has ${bytes} bytes, and may have ${COMMAND_BYTES}`;
        reject(new OrchdError('ORCHD_TOO_LARGE', what));
        return;
      }
      lastId++;
      // The contract guarantees the reply's type for each command.
      waiting.set(lastId, { resolve: (reply) => resolve(reply as HostCommands[typeof name]['out']), reject });
      send(line);
    });

  const welcome = await call('hello', { contract: CONTRACT_VERSION, pid: options.pid ?? process.pid });
  if (!options.anyContract && welcome.contract < OLDEST_CONTRACT) {
    socket.destroy();
    throw contractError(welcome.contract, welcome.pid);
  }
  return { welcome, call, tell, close: () => socket.destroy() };
}

/**
 * Sends lines together, because each write wakes the host: those of one turn of the event loop, with the late ones
 * before them. Late lines wait up to LATE_MS for others.
 */
function createSender(write: (lines: string) => void): (line: string, isLate?: boolean) => void {
  let unsent = '';
  let isFlushing = false;
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    const lines = unsent;
    unsent = '';
    isFlushing = false;
    clearTimeout(timer);
    timer = undefined;
    write(lines);
  };
  return (line, isLate = false) => {
    unsent += `${line}\n`;
    if (isFlushing) return;
    if (isLate) {
      timer ??= setTimeout(flush, LATE_MS);
      return;
    }
    isFlushing = true;
    process.nextTick(flush);
  };
}
