/**
 * `import { connect } from 'orchd'`: orchd for other programs.
 *
 * Provides typed calls of every operation, events with resume, and terminals. The daemon's rules apply: inside a
 * session, a program has the session's rights; elsewhere, the person's. No daemon is started; run
 * `orchd start --detach` first.
 */
import { tmpdir, userInfo } from 'node:os';
import { type GapEvent, type Item, resolvePaths } from '../protocol/index.js';
import { type Client, createClient } from './client.js';
import type { EventsOptions, EventType } from './events.js';
import type { TypedEventOf } from './item-types.js';
import {
  answerItem,
  answerQuestions,
  type GivenAnswer,
  type QuestionHandler,
  type QuestionOptions,
} from './questions.js';

export { type ErrorCode, OrchdError } from '../protocol/errors.js';
export type * from '../protocol/generated/types.js';
export type { InputOf, OperationName, OutputOf } from '../protocol/operations.js';
export type { CallOptions } from './call.js';
export type { Client } from './client.js';
export type { EventsOptions, EventType } from './events.js';
export type { AttentionData, ItemData, TypedEventOf as EventOf } from './item-types.js';
export type { GivenAnswer, Question, QuestionHandler, QuestionOptions } from './questions.js';
export type { ClientControl, DaemonControl, Terminal, TerminalEnd, TerminalOptions } from './terminal.js';

export interface ConnectOptions {
  /** The daemon's Unix socket. Default: as for the `orchd` command (ORCHD_SOCKET, ORCHD_HOME, XDG_RUNTIME_DIR). */
  readonly socket?: string;
  /** The name by which the daemon knows this program, for example in `answered by`. Default: `library`. */
  readonly name?: string;
  /** A session's token. Default: that of the enclosing session (ORCHD_SESSION_TOKEN), or none. */
  readonly token?: string;
  /**
   * Timeout for a reply in milliseconds. Default: 10,000. Operations that wait (`session.wait`, `run.wait`) have their
   * own.
   */
  readonly timeoutMs?: number;
  /** Closes the connection. */
  readonly signal?: AbortSignal;
}

/** A client with the two calls that most programs need. */
export interface Orchd extends Omit<Client, 'events'> {
  /** Returns the events in the log and, with `follow`, later ones. Leaving the loop closes the stream. */
  events<T extends EventType = EventType>(options?: EventsOptions<T>): AsyncIterable<TypedEventOf<T> | GapEvent>;
  /**
   * Answers an open item.
   *
   * @throws {OrchdError} ORCHD_ITEM_CLOSED if it was already answered; ORCHD_INVALID if it does not accept this answer.
   */
  answer(item: string | Pick<Item, 'id'>, answer: GivenAnswer): Promise<Item>;
  /**
   * Calls `handler` once for each open item and for each that opens. The result of `handler` is the answer. Without
   * a result the item stays open for a person. An item that another client answers first is skipped. The loop continues
   * after a restart of the daemon.
   *
   * @returns Resolves when `signal` aborts or the client is closed; rejects with what a handler throws.
   */
  onQuestion(handler: QuestionHandler, options?: QuestionOptions): Promise<void>;
}

/** @throws {OrchdError} ORCHD_DAEMON_UNREACHABLE if no daemon runs, ORCHD_DAEMON_SILENT if it does not answer. */
export async function connect(options: ConnectOptions = {}): Promise<Orchd> {
  const { env } = process;
  const {
    socket,
    name = 'library',
    token = env['ORCHD_SESSION_ID'] ? env['ORCHD_SESSION_TOKEN'] : undefined,
  } = options;
  const { uid, homedir } = userInfo();
  const place = { env, uid, tmpDir: tmpdir(), homeDir: env['HOME'] ?? homedir };
  const client = createClient({
    socketPath: socket ?? resolvePaths(place).socket,
    clientName: name,
    token,
    ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
    ...(options.signal && { signal: options.signal }),
  });
  try {
    await client.call('daemon.status', {});
  } catch (error) {
    client.close();
    throw error;
  }
  return {
    ...client,
    events: <T extends EventType>(own?: EventsOptions<T>) =>
      client.events(own) as AsyncIterable<TypedEventOf<T> | GapEvent>, // the type of an item determines its data
    answer: (item, answer) => answerItem(client, item, answer),
    onQuestion: (handler, own) => answerQuestions(client, handler, own),
  };
}
