/**
 * The host's socket: lines in, lines out, one daemon at a time.
 *
 * `hello` makes a connection the daemon's and raises the epoch. The daemon's connection before it gets `replaced` and
 * is closed. Before `hello` nothing else is served. No line can end the host: an invalid line is answered with a
 * problem (`id` 0 if the line had none). A reply comes after the notices of the records that its command appended.
 *
 * "Grew" notices are collected: over one turn of the event loop (`soon`), or up to the next beat (`beat`). While a
 * client watches they are sent at once (`now`). While the daemon does not read, only the last position of each session
 * is kept, so that a slow daemon costs a fixed amount. The notice of a person's keys, and the reply to them, are sent
 * with their echo, or after ECHO_MS, because the person waits for the echo.
 */
import { createServer, type Server, type Socket } from 'node:net';
import { OrchdError } from '../protocol/errors.js';
import { COMMAND_BYTES, CONTRACT_VERSION, type HostNotice, type HostWelcome, WATCH_CONTRACT } from './contract.js';
import type { Host } from './host.js';
import { createLineSplitter } from './lines.js';
import { INPUTS, isCommandName, isFields } from './requests.js';
import type { NoticeUrgency, Session } from './session.js';

/** Maximum data that waits for a client. A client that does not read it is disconnected. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;
/** Maximum delay of the notice of a key, within which a terminal usually echoes. */
const ECHO_MS = 1;
/** If more than this waits for the client, further notices are held back. */
const NOTICE_UNREAD_BYTES = 64 * 1024;

interface HostServerOptions {
  readonly host: Host;
  readonly version: string;
  readonly commit: string | null;
  readonly log: (line: string) => void;
  /** Called after the reply to `shutdown` was sent. */
  readonly onShutdown: () => void;
  readonly now?: () => number;
}

interface Connection {
  readonly socket: Socket;
  /** The epoch of this connection. 0 before its `hello`. */
  epoch: number;
  /** The contract version of the daemon at the other end. */
  contract: number;
}

export class HostServer {
  readonly server: Server;
  readonly #options: HostServerOptions;
  readonly #startedAt: number;
  readonly #connections = new Set<Connection>();
  #epoch = 0;
  /** The connection that holds the lease. */
  #leader: Connection | null = null;
  /** Sessions that have grown since the last notice. */
  readonly #grown = new Set<Session>();
  #isTelling = false;
  /** Replies that are sent with the next notices, or when the timer fires. */
  #replies: (readonly [Connection, object])[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(options: HostServerOptions) {
    this.#options = options;
    this.#startedAt = (options.now ?? Date.now)();
    this.server = createServer((socket) => this.#accept(socket));
  }

  /** Adds the session to the next `grown` notice. */
  grew(session: Session, when: NoticeUrgency): void {
    if (!this.#leader) return;
    this.#grown.add(session);
    if (when === 'now') this.#tell();
    else if (when === 'later') this.#tellLater();
    else if (when === 'soon') this.#tellSoon();
  }

  /** Called when all sessions of a beat have been read. */
  beat(): void {
    this.#tell();
  }

  /** Accepts no more connections and ends the existing ones after the last notices. Resolves when they are closed. */
  close(): Promise<void> {
    this.#tell();
    for (const { socket } of this.#connections) socket.end();
    return new Promise((resolve) => void this.server.close(() => resolve()));
  }

  #accept(socket: Socket): void {
    const connection: Connection = { socket, epoch: 0, contract: 0 };
    this.#connections.add(connection);
    const lines = createLineSplitter(
      COMMAND_BYTES,
      (line) => void this.#onLine(connection, line),
      () => this.#refuse(connection, 0, new OrchdError('ORCHD_TOO_LARGE', 'the line is too long')),
    );
    socket.on('data', (chunk) => lines.push(chunk));
    socket.on('drain', () => this.#tell());
    socket.on('error', (cause) => this.#options.log(`connection: ${cause.message}`));
    socket.on('close', () => {
      this.#connections.delete(connection);
      if (this.#leader !== connection) return;
      this.#leader = null;
      this.#grown.clear();
      this.#options.log(`the daemon of epoch ${connection.epoch} went away`);
      this.#options.host.attend(null);
    });
  }

  async #onLine(connection: Connection, line: string): Promise<void> {
    let id = 0;
    try {
      const request = parse(line);
      const wantsReply = typeof request['id'] === 'number';
      if (typeof request['id'] === 'number') id = request['id'];
      const name = request['command'];
      if (!isCommandName(name)) {
        throw new OrchdError(
          'ORCHD_INVALID',
          `there is no command ${JSON.stringify(name)} in contract ${CONTRACT_VERSION}`,
        );
      }
      const fields =
        name === 'hello' ? this.#hello(connection, INPUTS.hello(request)) : await this.#run(connection, name, request);
      // Replies are sent after the notices, so that a caller whose `kill` returns has already received the exit
      // record's notice.
      if (wantsReply) {
        this.#replies.push([connection, { id, ok: true, ...fields }]);
        if (name === 'keys') this.#tellLater();
        else if (name === 'hello')
          this.#tell(); // before any notice
        else this.#tellSoon();
      }
      if (name === 'shutdown') this.#options.onShutdown();
    } catch (cause) {
      this.#refuse(connection, id, cause);
    }
  }

  async #run(connection: Connection, name: Exclude<keyof typeof INPUTS, 'hello'>, request: Record<string, unknown>) {
    if (connection.epoch === 0) throw new OrchdError('ORCHD_INVALID', 'the first command must be hello');
    if (connection !== this.#leader) throw new OrchdError('ORCHD_LEASE_LOST', 'another daemon has taken over');
    // The two tables have the same keys, but the compiler does not see that the input fits the handler of the same
    // name.
    const handler = this.#options.host.handlers[name] as (input: unknown) => object | Promise<object>;
    return await handler(INPUTS[name](request));
  }

  #hello(connection: Connection, { pid, contract }: { pid: number; contract: number }): HostWelcome {
    const before = this.#leader;
    this.#epoch++;
    connection.epoch = this.#epoch;
    connection.contract = contract;
    this.#leader = connection;
    this.#grown.clear();
    if (before && before !== connection) {
      this.#send(before, { notice: 'replaced' });
      before.socket.end();
    }
    this.#options.log(`the daemon of epoch ${this.#epoch} came: pid ${pid}`);
    this.#options.host.attend({ pid, contract });
    return {
      contract: CONTRACT_VERSION,
      pid: process.pid,
      version: this.#options.version,
      ...(this.#options.commit !== null && { commit: this.#options.commit }),
      startedAt: this.#startedAt,
      epoch: this.#epoch,
      sessions: this.#options.host.describe(),
    };
  }

  #tell(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const leader = this.#leader;
    const lines = leader ? this.#growth(leader) : [];
    for (const [connection, reply] of this.#replies.splice(0)) {
      if (connection === leader) lines.push(reply);
      else this.#send(connection, reply);
    }
    if (leader && lines.length > 0) this.#send(leader, ...lines); // one write wakes the daemon once
  }

  #tellSoon(): void {
    if (this.#isTelling) return;
    this.#isTelling = true;
    setImmediate(() => {
      this.#isTelling = false;
      this.#tell();
    });
  }

  #tellLater(): void {
    this.#timer ??= setTimeout(() => this.#tell(), ECHO_MS);
  }

  #growth({ socket, contract }: Connection): object[] {
    if (this.#grown.size === 0 || socket.writableLength > NOTICE_UNREAD_BYTES) return [];
    const grown = [...this.#grown];
    this.#grown.clear();
    return contract < WATCH_CONTRACT ? grown.map(grew) : [allGrew(grown)];
  }

  #refuse(connection: Connection, id: number, cause: unknown): void {
    const isKnown = cause instanceof OrchdError;
    if (!isKnown) this.#options.log(`internal: ${cause instanceof Error ? cause.stack : String(cause)}`);
    const error = isKnown ? cause : new OrchdError('ORCHD_INTERNAL', `the host failed: ${String(cause)}`);
    this.#send(connection, { id, ok: false, problem: error.toProblem() });
  }

  #send({ socket }: Connection, ...messages: readonly object[]): void {
    if (socket.destroyed || socket.writableEnded) return;
    socket.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
    if (socket.writableLength > MAX_UNREAD_BYTES) socket.destroy();
  }
}

const grew = ({ sessionId, position }: Session): HostNotice => ({ notice: 'grew', sessionId, position });

function allGrew(sessions: readonly Session[]): HostNotice {
  return { notice: 'grown', positions: sessions.map(({ sessionId, position }) => [sessionId, position]) };
}

function parse(line: string): Record<string, unknown> {
  let request: unknown;
  try {
    request = JSON.parse(line);
  } catch (cause) {
    throw new OrchdError('ORCHD_INVALID', 'the line is no JSON', undefined, cause);
  }
  if (!isFields(request)) throw new OrchdError('ORCHD_INVALID', 'the line must hold a JSON object');
  return request;
}
