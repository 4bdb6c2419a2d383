/**
 * Copies a session's raw output to a pipe, across restarts of the daemon.
 *
 * In:   a living session, and the input to type into it.
 * Out:  its bytes from now until its end. After a disconnect the stream continues at the same journal position, so no
 *       byte is lost or repeated. Input is not read while the daemon is away. Input in transit when the daemon went
 *       away may be lost, and is never sent twice.
 */
import type { Readable, Writable } from 'node:stream';
import { callAcrossRestarts, type Terminal, type TerminalEnd } from '../../client/index.js';
import { OrchdError } from '../../protocol/index.js';
import type { Context } from '../program/context.js';
import { AWAY } from './wait-across-restarts.js';

interface FollowOptions {
  readonly context: Context;
  readonly session: string;
  readonly output: Writable;
  /** Null to type nothing. */
  readonly input: Readable | null;
}

const [ENDED, DAEMON_STOPS, BROKEN, NOT_ALLOWED] = [1000, 1001, 1006, 1008];

/** @throws {OrchdError} The daemon's refusal. */
export async function followOutput(options: FollowOptions): Promise<void> {
  const { context, input } = options;
  const { signal } = context;
  let terminal: Terminal | null = null;
  let position: number | undefined;
  const type = (bytes: Buffer): void => void terminal?.sendBytes(bytes);
  input?.pause().on('data', type);

  const once = async (): Promise<void> => {
    const opened = await open(options, position);
    opened.onControl((message) => {
      if (message.type === 'position') position = message.position;
    });
    opened.onBytes((bytes) => {
      if (position !== undefined) position += bytes.length;
      write(options.output, bytes, opened);
    });
    terminal = opened;
    input?.resume();
    const end = await opened.ended;
    terminal = null;
    input?.pause();
    if (!signal.aborted) mustBeOver(end);
  };
  try {
    const about = { isWaiting: true, signal, deadline: Number.POSITIVE_INFINITY };
    await callAcrossRestarts(once, { ...about, onAway: () => context.note(AWAY) });
  } finally {
    input?.off('data', type);
  }
}

function open({ context, session, input }: FollowOptions, from: number | undefined): Promise<Terminal> {
  const begin = from === undefined ? {} : { from };
  const { signal } = context;
  return context
    .client()
    .terminal(session, { mode: 'stream', readOnly: input === null, positions: true, signal, ...begin });
}

function write(output: Writable, bytes: Uint8Array, terminal: Terminal): void {
  if (output.write(bytes)) return;
  terminal.pause();
  output.once('drain', () => terminal.resume());
}

/** @throws {OrchdError} Why the stream ended although the session lives. */
function mustBeOver({ code, reason }: TerminalEnd): void {
  if (code === ENDED) return;
  if (code === DAEMON_STOPS || code === BROKEN) {
    throw new OrchdError('ORCHD_DAEMON_UNREACHABLE', 'the connection to the daemon broke');
  }
  if (code === NOT_ALLOWED) throw new OrchdError('ORCHD_FORBIDDEN', reason || 'the daemon does not allow this');
  throw new OrchdError('ORCHD_INTERNAL', `the stream ended with ${code}: ${reason || 'no reason given'}`);
}
