/** A feed: sends the output of a session to one client. */

import type { JournalRecord } from '../../host/index.js';
import { CLOSE, type Size } from '../../protocol/index.js';
import type { ScreenKeeper } from '../../session/index.js';
import type { SessionEntry } from '../registry/index.js';
import type { TerminalSocket } from './socket.js';

export interface Feed {
  /** Handles a record. Its bytes are valid only during the call. */
  take(record: JournalRecord): void;
  /**
   * Called when the client's terminal has a new size.
   * @param isFollowed True if the session will get the same size in a moment.
   */
  fit?(size: Size, isFollowed: boolean): void;
  /** Called when the client has lost its content and needs all of it again. */
  repaint?(): void;
  /** Called when the session has ended: sends the rest and the exit, then closes the socket. */
  end(): Promise<void>;
  /** Called when the socket is closed. */
  close(): void;
}

export interface FeedPorts {
  readonly socket: TerminalSocket;
  readonly entry: SessionEntry;
  readonly keeper: ScreenKeeper;
  /** Journal position up to which the screen keeper has processed records. */
  readonly from: number;
  readonly journals: string;
  /** The client's own size; null if it uses the session's. */
  readonly size: Size | null;
  /** True if the client must be painted even at the session's own size. */
  readonly isPainted: boolean;
  /** For `view`: the least time between two frames. */
  readonly pauseMs: number;
  /** For `stream`: the journal position where the client begins; `from` is the current one. */
  readonly begin: number;
  /** For `stream`: true to report the journal positions of bytes. */
  readonly tellsPositions: boolean;
}

export function sendControl(socket: TerminalSocket, message: Record<string, unknown>): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
}

export function sendExit(socket: TerminalSocket, { view }: SessionEntry): void {
  sendControl(socket, { type: 'exit', state: view.state, exit_code: view.exit_code, signal: view.signal });
  socket.close(CLOSE.normal);
}

export const isSameSize = (a: Size | null, b: Size | null): boolean => a?.cols === b?.cols && a?.rows === b?.rows;
