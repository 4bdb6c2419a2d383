/**
 * Terminal streams: people and programs that watch a session and type into it. Messages: protocol/terminal-stream.md.
 *
 * No client can slow down a session: an `attach` that falls behind gets the whole screen again, a `stream` reads the
 * journal at its own speed, a `view` gets the changes since its last frame. The session has the size of the client in
 * control (seats.ts); an `attach` of another size is painted.
 */

import type { WebSocket } from 'ws';
import { type HostClient, type JournalRecord, WATCH_CONTRACT } from '../../host/index.js';
import { fitCells, OrchdError, type Paths, type Size } from '../../protocol/index.js';
import type { ScreenKeeper } from '../../session/index.js';
import { type Colours, withColours } from '../../terminal/index.js';
import { KeyedQueue, takeInTurn } from '../concurrency/index.js';
import type { Log } from '../log.js';
import type { SessionEntry } from '../registry/index.js';
import { createAttachFeed } from './attach.js';
import { type Feed, isSameSize } from './feed.js';
import { type Seat, Seats } from './seats.js';
import { createStreamFeed } from './stream.js';
import { createTyping, type Typing } from './typing.js';
import { createViewFeed } from './view.js';

export interface TerminalRequest {
  readonly mode: 'attach' | 'stream' | 'view';
  readonly size: Size | null;
  readonly isReadOnly: boolean;
  /** For `attach`: painted even at the session's own size. */
  readonly isPainted: boolean;
  /** For `stream`: the journal position to start at; null: now. */
  readonly from: number | null;
  /** For `stream`: report the journal positions of bytes. */
  readonly tellsPositions: boolean;
}

export interface TerminalsPorts {
  readonly paths: Paths;
  readonly screenOf: (entry: SessionEntry) => Promise<ScreenKeeper>;
  readonly host: () => HostClient;
  readonly log: Log;
}

const CREATE = { attach: createAttachFeed, stream: createStreamFeed, view: createViewFeed } as const;

export class Terminals {
  readonly #ports: TerminalsPorts;
  readonly #feeds = new Map<string, Set<Feed>>();
  readonly #typing = new Map<string, Typing>();
  readonly #seats = new Map<string, Seats>();
  /** Size changes per session, which run one after the other. */
  readonly #fitting = new KeyedQueue();
  /** The colours reported last by a client. */
  readonly #colours = new Map<string, Colours>();
  /** Sessions in the order in which they were attached to, the latest at the end. */
  readonly #attached = new Set<string>();

  constructor(ports: TerminalsPorts) {
    this.#ports = ports;
  }

  /** Returns the living session that a person attached to last. */
  get lastAttached(): string | null {
    return [...this.#attached].at(-1) ?? null;
  }

  /** Returns the reply to a terminal query. Colours are those of the person who attached last. */
  replyFor(entry: SessionEntry, reply: string): string {
    const colours = this.#colours.get(entry.id);
    return colours ? withColours(reply, colours) : reply;
  }

  /** Serves one client until either side closes. */
  async serve(socket: WebSocket, entry: SessionEntry, request: TerminalRequest): Promise<void> {
    const { log } = this.#ports;
    const { mode, isReadOnly, isPainted, from: begin, tellsPositions } = request;
    const seat: Seat = {
      size: mode === 'stream' || request.size === null ? null : fitCells(request.size),
      isReadOnly: isReadOnly || entry.view.mode === 'batch',
    };
    const client: Client = { entry, seat, feed: null };
    takeInTurn(
      socket,
      (data, isBinary) => this.#receive(client, data, isBinary),
      (error) => {
        if (!entry.hasEnded) log.error('input was refused', error, { session_id: entry.id });
      },
    );
    socket.on('error', (error) => log.error('a terminal client failed', error, { session_id: entry.id }));
    if (!entry.hasEnded) this.#sit(socket, client, mode);
    await this.#fit(entry);
    const keeper = await this.#ports.screenOf(entry);
    if (socket.readyState !== socket.OPEN) return; // the client has disconnected meanwhile
    const from = entry.runner?.position ?? entry.view.journal_position;
    const { journalsDir: journals } = this.#ports.paths;
    const how = { isPainted, size: seat.size, begin: begin ?? from, tellsPositions };
    const feed = CREATE[mode]({ socket, entry, keeper, from, journals, ...how });
    client.feed = feed;
    if (entry.view.ended_at !== null) {
      await feed.end();
      return;
    }
    const feeds = this.#feeds.get(entry.id) ?? new Set();
    if (feeds.size === 0) void this.#watch(entry, true);
    this.#feeds.set(entry.id, feeds.add(feed));
    socket.on('close', () => {
      feeds.delete(feed);
      feed.close();
      if (feeds.size > 0 || this.#feeds.get(entry.id) !== feeds) return;
      this.#feeds.delete(entry.id);
      void this.#watch(entry, false);
    });
  }

  /**
   * Tells the host which sessions are watched, whose output it reports at once. A host of an older contract does so for
   * every session.
   */
  async #watch(entry: SessionEntry, isWatched: boolean): Promise<void> {
    try {
      const host = this.#ports.host();
      if (host.welcome.contract >= WATCH_CONTRACT) await host.call('watch', { sessionId: entry.id, isWatched });
    } catch (error) {
      if (!entry.hasEnded) this.#ports.log.error('the host refused', error, { session_id: entry.id });
    }
  }

  /** True while a client sees the output as it is printed. */
  isWatched(entry: SessionEntry): boolean {
    return this.#feeds.has(entry.id);
  }

  /** Called with every record as it is read. */
  onRecord(entry: SessionEntry, record: JournalRecord): void {
    const feeds = this.#feeds.get(entry.id);
    if (!feeds) return;
    for (const feed of feeds) feed.take(record);
  }

  /** Called when the end of a session is on disk. */
  onEnd(entry: SessionEntry): void {
    for (const feed of this.#feeds.get(entry.id) ?? []) void feed.end();
    this.#feeds.delete(entry.id);
    this.#typing.delete(entry.id);
    this.#seats.delete(entry.id);
    this.#attached.delete(entry.id);
    this.#colours.delete(entry.id);
  }

  /** @throws {OrchdError} ORCHD_SESSION_ENDED */
  async resize(entry: SessionEntry, size: { cols: number; rows: number }): Promise<void> {
    if (entry.hasEnded) throw new OrchdError('ORCHD_SESSION_ENDED', `session '${entry.view.name}' has ended`);
    const { position } = await this.#ports.host().call('resize', { sessionId: entry.id, ...size });
    entry.runner?.grew(position);
    await entry.runner?.caughtUp();
  }

  #sit(socket: WebSocket, client: Client, mode: TerminalRequest['mode']): void {
    const { entry, seat } = client;
    const seats = this.#seats.get(entry.id) ?? new Seats();
    this.#seats.set(entry.id, seats);
    seats.act(seat);
    if (mode === 'attach') {
      this.#attached.delete(entry.id);
      this.#attached.add(entry.id);
    }
    socket.on('close', () => {
      const hasChanged = seats.leave(seat);
      if (seats.isEmpty) this.#seats.delete(entry.id);
      else if (hasChanged) void this.#fit(entry).catch((error: unknown) => this.#notFitted(entry, error));
    });
  }

  /**
   * Gives the session the size of the client in control, if there is one. Ignores a program that has ended meanwhile.
   */
  #fit(entry: SessionEntry): Promise<void> {
    return this.#fitting.run(entry.id, async () => {
      const size = this.#seats.get(entry.id)?.inControl?.size ?? null;
      if (size === null || entry.hasEnded || isSameSize(size, entry.book.session.size)) return;
      await this.resize(entry, size).catch((error: unknown) => {
        if (!(error instanceof OrchdError) || error.code !== 'ORCHD_SESSION_ENDED') throw error;
      });
    });
  }

  #notFitted(entry: SessionEntry, error: unknown): void {
    if (!entry.hasEnded) this.#ports.log.error('a size was refused', error, { session_id: entry.id });
  }

  async #receive({ entry, seat, feed }: Client, data: Buffer, isBinary: boolean): Promise<void> {
    if (entry.hasEnded) return;
    const seats = this.#seats.get(entry.id);
    if (isBinary) {
      if (seat.isReadOnly) return;
      if (!isFocus(data) && seats?.act(seat)) await this.#fit(entry);
      const typing =
        this.#typing.get(entry.id) ?? createTyping(entry.id, this.#ports.host, (keys) => entry.pressed(keys));
      this.#typing.set(entry.id, typing);
      await typing.type(data);
      return;
    }
    const message = parseControl(data.toString());
    if (message === null) return;
    if (message.type === 'repaint') feed?.repaint?.();
    if (message.type === 'colours' && !seat.isReadOnly && message.colours) this.#colours.set(entry.id, message.colours);
    if (message.type === 'take' && !seat.isReadOnly) {
      seats?.act(seat);
      await this.#fit(entry);
    }
    if (message.type === 'resize' && seat.size !== null) {
      seat.size = fitCells(message);
      const isFollowed = seats?.inControl === seat && !isSameSize(seat.size, entry.book.session.size);
      feed?.fit?.(seat.size, isFollowed);
      if (isFollowed) await this.#fit(entry);
    }
  }
}

interface Client {
  readonly entry: SessionEntry;
  readonly seat: Seat;
  /** Null until the stream has started. */
  feed: Feed | null;
}

/** Focus reports do not count as typing. */
const FOCUS = /^(?:\x1b\[[IO])+$/;
const FOCUS_BYTES = 6;
const isFocus = (data: Buffer): boolean => data[0] === ESC && FOCUS.test(data.toString('latin1', 0, FOCUS_BYTES + 1));
const ESC = 0x1b;

type Control =
  | { readonly type: 'take' | 'repaint' }
  | { readonly type: 'colours'; readonly colours: Colours | null }
  | ({ readonly type: 'resize' } & Size);

/** Returns null for an unknown message; a client's error affects only that client. */
function parseControl(text: string): Control | null {
  try {
    const { type, cols, rows, foreground, background } = JSON.parse(text);
    if (type === 'take' || type === 'repaint') return { type };
    if (type === 'colours') return { type, colours: coloursOf(foreground, background) };
    return type === 'resize' && isExtent(cols) && isExtent(rows) ? { type, cols, rows } : null;
  } catch {
    return null;
  }
}

/** Returns null if it contains no colour: only a valid colour may be typed into the program. */
function coloursOf(foreground: unknown, background: unknown): Colours | null {
  const known = {
    ...(isColour(foreground) && { foreground }),
    ...(isColour(background) && { background }),
  };
  return Object.keys(known).length === 0 ? null : known;
}

const isColour = (value: unknown): value is string =>
  typeof value === 'string' && /^rgb:[\da-f]{1,4}(\/[\da-f]{1,4}){2}$/i.test(value);

const isExtent = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 1000;
