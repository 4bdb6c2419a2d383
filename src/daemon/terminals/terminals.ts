/**
 * Terminal streams: people and programs that watch a session and type into it. Messages: protocol/terminal-stream.md.
 *
 * No client can slow down a session: an `attach` that falls behind gets the whole screen again, a `stream` reads the
 * journal at its own speed, a `view` gets the changes since its last frame. The session has the size of the client in
 * control (size-control.ts); an `attach` of another size is painted.
 */

import { type HostClient, type JournalRecord, WATCH_CONTRACT } from '../../host/index.js';
import { fitCells, OrchdError, type Paths, type Size } from '../../protocol/index.js';
import type { ScreenKeeper } from '../../session/index.js';
import { type Colours, ESC, withColours } from '../../terminal/index.js';
import { handleSerially, KeyedQueue, limitConcurrency } from '../concurrency/index.js';
import type { Log } from '../log.js';
import type { SessionEntry } from '../registry/index.js';
import { createAttachFeed } from './attach.js';
import { AttachedClients } from './attached-clients.js';
import { type Feed, isSameSize, sendControl } from './feed.js';
import { createKeystrokes, type Keystrokes } from './keystrokes.js';
import { RestingSizes } from './resting-sizes.js';
import { type AttachedClient, SizeControl } from './size-control.js';
import type { TerminalSocket } from './socket.js';
import { createStreamFeed } from './stream.js';
import { createViewFeed } from './view.js';

export interface TerminalRequest {
  readonly mode: 'attach' | 'stream' | 'view';
  readonly size: Size | null;
  readonly isReadOnly: boolean;
  /** For `attach`: send frames of the screen, even if the client has the session's size. */
  readonly isPainted: boolean;
  /** For `view`: the least time between two frames. */
  readonly pauseMs: number;
  /** For `stream`: the journal position to start at; null: now. */
  readonly from: number | null;
  /** For `stream`: report the journal positions of bytes. */
  readonly tellsPositions: boolean;
  /** Called before input is typed. It throws if the client may not type now. Absent for a person. */
  readonly mayType?: () => void;
}

interface TerminalsPorts {
  readonly paths: Paths;
  readonly screenOf: (entry: SessionEntry) => Promise<ScreenKeeper>;
  readonly host: () => HostClient;
  readonly log: Log;
}

/** The time that a program has for painting at another size. It may wait until the size has stayed the same. */
const REPAINT_MS = 500;
const FEWEST_ROWS = 2;

const CREATE = { attach: createAttachFeed, stream: createStreamFeed, view: createViewFeed } as const;

/** Serves the terminal streams of all sessions, and decides their sizes. */
export class Terminals {
  readonly #ports: TerminalsPorts;
  readonly #feeds = new Map<string, Set<Feed>>();
  readonly #typing = new Map<string, Keystrokes>();
  readonly #sizeControls = new Map<string, SizeControl>();
  readonly #resting = new RestingSizes();
  /** Size changes per session, which run one after the other. */
  readonly #fitting = new KeyedQueue();
  /** Makes the first screens of many clients one after the other, each in its own turn of the event loop. */
  readonly #inTurn = limitConcurrency(1);
  /** The terminal colours of each session, as a client last reported them. */
  readonly #colours = new Map<string, Colours>();
  /** Sessions ordered by their last attach; the most recent is last. */
  readonly #attached = new Set<string>();
  readonly #clients = new AttachedClients();

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
  async serve(socket: TerminalSocket, entry: SessionEntry, request: TerminalRequest): Promise<void> {
    const { log } = this.#ports;
    const { mode, isReadOnly, isPainted, pauseMs, from: begin, tellsPositions } = request;
    const attached: AttachedClient = {
      size: mode === 'stream' || request.size === null ? null : fitCells(request.size),
      isReadOnly: isReadOnly || entry.view.mode === 'batch',
    };
    const client: Client = { entry, attached, socket, mayType: request.mayType, feed: null };
    handleSerially(
      socket,
      (data, isBinary) => this.#receive(client, data, isBinary),
      (error) => this.#refused('input was refused', entry, error),
    );
    socket.on('error', (error) => log.error('a terminal client failed', error, { session_id: entry.id }));
    if (!entry.hasEnded) this.#attach(socket, client, mode);
    await this.#fit(entry);
    const keeper = await this.#ports.screenOf(entry);
    await this.#inTurn(async () => {});
    if (socket.readyState !== socket.OPEN) return; // the client has disconnected meanwhile
    const from = entry.reader?.position ?? entry.view.journal_position;
    const { journalsDir: journals } = this.#ports.paths;
    const how = { isPainted, pauseMs, size: attached.size, begin: begin ?? from, tellsPositions };
    const feed = CREATE[mode]({ socket, entry, keeper, from, journals, ...how });
    client.feed = feed;
    if (entry.view.ended_at !== null) {
      await feed.end();
      return;
    }
    const feeds = this.#feeds.get(entry.id) ?? new Set();
    if (feeds.size === 0) void this.#watch(entry, true);
    this.#feeds.set(entry.id, feeds.add(feed));
    // The client gets the size and the screen before it counts as attached.
    if (mode === 'attach') this.#clients.add(entry.id, socket, attached);
    socket.on('close', () => {
      feeds.delete(feed);
      feed.close();
      if (feeds.size > 0 || this.#feeds.get(entry.id) !== feeds) return;
      this.#feeds.delete(entry.id);
      void this.#watch(entry, false);
    });
  }

  /**
   * Tells the host which sessions are watched. The host reports their output at once. A host with an older contract
   * does so for every session.
   */
  async #watch(entry: SessionEntry, isWatched: boolean): Promise<void> {
    try {
      const host = this.#ports.host();
      if (host.welcome.contract >= WATCH_CONTRACT) await host.call('watch', { sessionId: entry.id, isWatched });
    } catch (error) {
      this.#refused('the host refused to report output at once', entry, error);
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
    this.#sizeControls.delete(entry.id);
    this.#resting.forget(entry.id);
    this.#attached.delete(entry.id);
    this.#colours.delete(entry.id);
  }

  /** @throws {OrchdError} ORCHD_SESSION_ENDED */
  async resize(entry: SessionEntry, size: { cols: number; rows: number }): Promise<void> {
    if (entry.hasEnded) throw new OrchdError('ORCHD_SESSION_ENDED', `session '${entry.view.name}' has ended`);
    const { position } = await this.#ports.host().call('resize', { sessionId: entry.id, ...size });
    entry.reader?.grew(position);
    await entry.reader?.caughtUp();
  }

  /**
   * Makes a program paint its whole screen again: the terminal becomes a row smaller, and then as before. A program
   * ignores the signal for a new size if the size is the same.
   */
  repaint(entry: SessionEntry): Promise<void> {
    return this.#fitting.run(entry.id, async () => {
      const { cols, rows } = entry.aggregate.session.size;
      const other = { cols, rows: rows > FEWEST_ROWS ? rows - 1 : rows + 1 };
      await this.resize(entry, other);
      const until = entry.monotonicNow() + REPAINT_MS;
      for (let leftMs = REPAINT_MS; leftMs > 0 && !entry.hasEnded; leftMs = until - entry.monotonicNow())
        await entry.whenOutputRead(leftMs);
      if (isSameSize(other, entry.aggregate.session.size)) await this.resize(entry, { cols, rows });
    });
  }

  #attach(socket: TerminalSocket, client: Client, mode: TerminalRequest['mode']): void {
    const { entry, attached } = client;
    const control = this.#sizeControls.get(entry.id) ?? new SizeControl();
    this.#sizeControls.set(entry.id, control);
    const isFree = control.inControl === null;
    control.act(attached);
    if (isFree && control.inControl !== null) this.#resting.take(entry.id, entry.aggregate.session.size);
    if (mode === 'attach') {
      this.#attached.delete(entry.id);
      this.#attached.add(entry.id);
    }
    socket.on('close', () => {
      const hasChanged = control.leave(attached);
      if (hasChanged && control.inControl === null) this.#rest(entry, attached.size);
      if (control.isEmpty) this.#sizeControls.delete(entry.id);
      else if (hasChanged) void this.#fit(entry).catch((error: unknown) => this.#notFitted(entry, error));
    });
  }

  /** Called when no client decides the size any more. A size that was set by hand meanwhile stays. */
  #rest(entry: SessionEntry, left: Size | null): void {
    if (left === null || entry.hasEnded) return;
    this.#resting.leave(entry.id, left, (size) => {
      void this.#fitting
        .run(entry.id, async () => {
          const isTaken = (this.#sizeControls.get(entry.id)?.inControl ?? null) !== null;
          if (isTaken || entry.hasEnded || !isSameSize(left, entry.aggregate.session.size)) return;
          await this.resize(entry, size);
        })
        .catch((error: unknown) => this.#notFitted(entry, error));
    });
  }

  /** Gives the session the size of the controlling client, if there is one. Does nothing if the program has ended. */
  #fit(entry: SessionEntry): Promise<void> {
    return this.#fitting.run(entry.id, async () => {
      const size = this.#sizeControls.get(entry.id)?.inControl?.size ?? null;
      if (size === null || entry.hasEnded || isSameSize(size, entry.aggregate.session.size)) return;
      await this.resize(entry, size).catch((error: unknown) => {
        if (!(error instanceof OrchdError) || error.code !== 'ORCHD_SESSION_ENDED') throw error;
      });
    });
  }

  #notFitted(entry: SessionEntry, error: unknown): void {
    this.#refused('a size was refused', entry, error);
  }

  /** Logs a refusal, unless the session or the connection to the host has ended: both are reported elsewhere. */
  #refused(words: string, entry: SessionEntry, error: unknown): void {
    const isGone = error instanceof OrchdError && error.code === 'ORCHD_HOST_UNREACHABLE';
    if (!entry.hasEnded && !isGone) this.#ports.log.error(words, error, { session_id: entry.id });
  }

  async #receive(client: Client, data: Buffer, isBinary: boolean): Promise<void> {
    const { entry, attached, feed } = client;
    if (entry.hasEnded) return;
    const control = this.#sizeControls.get(entry.id);
    if (isBinary) {
      if (attached.isReadOnly || !isPermitted(client, data)) return;
      if (!isFocus(data) && control?.act(attached)) await this.#fit(entry);
      const typing =
        this.#typing.get(entry.id) ?? createKeystrokes(entry.id, this.#ports.host, (keys) => entry.pressed(keys));
      this.#typing.set(entry.id, typing);
      await typing.type(data);
      return;
    }
    const message = parseControl(data.toString());
    if (message === null) return;
    if (message.type === 'repaint') feed?.repaint?.();
    if (message.type === 'colours' && !attached.isReadOnly && message.colours)
      this.#colours.set(entry.id, message.colours);
    if (message.type === 'detach_others' && !attached.isReadOnly) this.#clients.detachOthers(entry.id, attached);
    if (message.type === 'take' && !attached.isReadOnly) {
      control?.act(attached);
      await this.#fit(entry);
    }
    if (message.type === 'resize' && attached.size !== null) {
      attached.size = fitCells(message);
      const isFollowed = control?.inControl === attached && !isSameSize(attached.size, entry.aggregate.session.size);
      feed?.fit?.(attached.size, isFollowed);
      if (isFollowed) await this.#fit(entry);
    }
  }
}

interface Client {
  readonly entry: SessionEntry;
  readonly attached: AttachedClient;
  readonly socket: TerminalSocket;
  readonly mayType: TerminalRequest['mayType'];
  /** Null until the stream has started. */
  feed: Feed | null;
}

/** Focus reports do not count as typing. */
const FOCUS = /^(?:\x1b\[[IO])+$/;
const FOCUS_BYTES = 6;
const isFocus = (data: Buffer): boolean => data[0] === ESC && FOCUS.test(data.toString('latin1', 0, FOCUS_BYTES + 1));

/** False if the client may not type this input now. It is told why. */
function isPermitted({ socket, mayType }: Client, data: Buffer): boolean {
  try {
    if (!isFocus(data)) mayType?.();
    return true;
  } catch (error) {
    if (!(error instanceof OrchdError)) throw error;
    sendControl(socket, { type: 'refused', ...error.toProblem() });
    return false;
  }
}

type Control =
  | { readonly type: 'take' | 'repaint' | 'detach_others' }
  | { readonly type: 'colours'; readonly colours: Colours | null }
  | ({ readonly type: 'resize' } & Size);

/** Returns null for an unknown message; a client's error affects only that client. */
function parseControl(text: string): Control | null {
  try {
    const { type, cols, rows, foreground, background } = JSON.parse(text);
    if (type === 'take' || type === 'repaint' || type === 'detach_others') return { type };
    if (type === 'colours') return { type, colours: coloursOf(foreground, background) };
    return type === 'resize' && isExtent(cols) && isExtent(rows) ? { type, cols, rows } : null;
  } catch {
    return null;
  }
}

/** Returns null if neither value is a valid colour. Invalid text must not reach the program in a reply. */
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
