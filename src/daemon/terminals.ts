/**
 * Terminal streams: people and programs that watch a session, and type into it. Messages: protocol/terminal-stream.md.
 *
 * No watcher can slow a session: an `attach` that falls behind is given the screen anew, a `stream` reads the journal at its own
 * pace, a `view` gets what changed since it last had time.
 */

import type { WebSocket } from 'ws';
import type { HostClient, JournalRecord } from '../host/index.js';
import { OrchdError, type Paths } from '../protocol/index.js';
import type { ScreenKeeper } from '../session/index.js';
import { createAttachFeed } from './feeds/attach.js';
import type { Feed } from './feeds/feed.js';
import { createStreamFeed } from './feeds/stream.js';
import { createViewFeed } from './feeds/view.js';
import type { Log } from './log.js';
import type { SessionEntry } from './session-entry.js';
import { createTyping, type Typing } from './typing.js';

export interface TerminalRequest {
  readonly mode: 'attach' | 'stream' | 'view';
  readonly size: { cols: number; rows: number } | null;
  readonly isReadOnly: boolean;
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

  constructor(ports: TerminalsPorts) {
    this.#ports = ports;
  }

  /** Serves one client until either side closes. */
  async serve(socket: WebSocket, entry: SessionEntry, request: TerminalRequest): Promise<void> {
    const { log } = this.#ports;
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      socket.pause(); // what is typed waits in the client until the program takes it
      this.#receive(entry, request, data, isBinary)
        .catch((error: unknown) => {
          if (!entry.hasEnded) log.error('input was refused', error, { session_id: entry.id });
        })
        .finally(() => socket.resume());
    });
    socket.on('error', (error) => log.error('a terminal client failed', error, { session_id: entry.id }));
    if (request.size && request.mode !== 'stream' && !request.isReadOnly) await this.#fit(entry, request.size);
    const keeper = await this.#ports.screenOf(entry);
    if (socket.readyState !== socket.OPEN) return; // it has gone meanwhile
    const from = entry.runner?.position ?? entry.view.journal_position;
    const feed = CREATE[request.mode]({ socket, entry, keeper, from, journals: this.#ports.paths.journalsDir });
    if (entry.view.ended_at !== null) {
      await feed.end();
      return;
    }
    const feeds = this.#feeds.get(entry.id) ?? new Set();
    this.#feeds.set(entry.id, feeds.add(feed));
    socket.on('close', () => {
      feeds.delete(feed);
      feed.close();
      if (feeds.size === 0) this.#feeds.delete(entry.id);
    });
  }

  /** Every record, as it is heard. */
  onRecord(entry: SessionEntry, record: JournalRecord): void {
    const feeds = this.#feeds.get(entry.id);
    if (!feeds) return;
    for (const feed of feeds) feed.take(record);
  }

  /** The session has ended, and that is on disk. */
  onEnd(entry: SessionEntry): void {
    for (const feed of this.#feeds.get(entry.id) ?? []) void feed.end();
    this.#feeds.delete(entry.id);
    this.#typing.delete(entry.id);
  }

  /** @throws {OrchdError} ORCHD_SESSION_ENDED */
  async resize(entry: SessionEntry, size: { cols: number; rows: number }): Promise<void> {
    if (entry.hasEnded) throw new OrchdError('ORCHD_SESSION_ENDED', `session '${entry.view.name}' has ended`);
    const { position } = await this.#ports.host().call('resize', { sessionId: entry.id, ...size });
    entry.runner?.grew(position);
    await entry.runner?.caughtUp();
  }

  /** As `resize`; a program that has ended meanwhile needs no size, and its last screen is still to be shown. */
  async #fit(entry: SessionEntry, size: { cols: number; rows: number }): Promise<void> {
    if (entry.hasEnded) return;
    await this.resize(entry, size).catch((error: unknown) => {
      if (!(error instanceof OrchdError) || error.code !== 'ORCHD_SESSION_ENDED') throw error;
    });
  }

  async #receive(entry: SessionEntry, request: TerminalRequest, data: Buffer, isBinary: boolean): Promise<void> {
    if (request.isReadOnly || entry.hasEnded) return;
    if (isBinary) {
      const typing = this.#typing.get(entry.id) ?? createTyping(entry.id, this.#ports.host);
      this.#typing.set(entry.id, typing);
      await typing.type(data);
      return;
    }
    const size = parseResize(data.toString());
    if (size && request.mode !== 'stream') await this.resize(entry, size);
  }
}

function parseResize(text: string): { cols: number; rows: number } | null {
  try {
    const { type, cols, rows } = JSON.parse(text);
    const isSize = type === 'resize' && isExtent(cols) && isExtent(rows);
    return isSize ? { cols, rows } : null;
  } catch {
    return null; // not ours; a client's error harms only itself
  }
}

const isExtent = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 1000;
