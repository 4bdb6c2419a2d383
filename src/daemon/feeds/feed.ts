/** A feed: what one watching client is sent. */
import type { WebSocket } from 'ws';
import type { JournalRecord } from '../../host/index.js';
import type { Size } from '../../protocol/index.js';
import type { ScreenKeeper } from '../../session/index.js';
import type { SessionEntry } from '../session-entry.js';

export interface Feed {
  /** A record, its bytes borrowed. */
  take(record: JournalRecord): void;
  /** The client's terminal has this size now. @param isFollowed  The session will have it in a moment. */
  fit?(size: Size, isFollowed: boolean): void;
  /** The client has lost what it was sent, and wants it anew. */
  repaint?(): void;
  /** The session has ended: sends what is left, says so, and closes the socket. */
  end(): Promise<void>;
  /** The socket is gone. */
  close(): void;
}

export interface FeedPorts {
  readonly socket: WebSocket;
  readonly entry: SessionEntry;
  readonly keeper: ScreenKeeper;
  /** Journal position up to which the keeper has taken records. */
  readonly from: number;
  readonly journals: string;
  /** The client's own size; null: it takes the session's. */
  readonly size: Size | null;
  /** The client wants to be painted even at the session's own size. */
  readonly isPainted: boolean;
  /** `stream`: where the client begins in the journal; `from` is now. */
  readonly begin: number;
  /** `stream`: the client is told where bytes stand in the journal. */
  readonly tellsPositions: boolean;
}

export function sendControl(socket: WebSocket, message: Record<string, unknown>): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
}

export function sendExit(socket: WebSocket, { view }: SessionEntry): void {
  sendControl(socket, { type: 'exit', state: view.state, exit_code: view.exit_code, signal: view.signal });
  socket.close(1000);
}

export const isSameSize = (a: Size | null, b: Size | null): boolean => a?.cols === b?.cols && a?.rows === b?.rows;
