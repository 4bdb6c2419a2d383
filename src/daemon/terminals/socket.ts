/**
 * Limits of unsent bytes per client. Above them, `frames` are skipped, a `stream` waits in the journal, and `raw`
 * output is dropped until the client gets the whole screen again.
 */
export const MAX_QUEUED_BYTES = { frames: 64 * 1024, stream: 256 * 1024, raw: 1024 * 1024 } as const;

/** The part of a connection that a terminal stream uses: a WebSocket, or a channel of one. */
export interface TerminalSocket {
  readonly readyState: number;
  readonly OPEN: number;
  /** Bytes that the client has not received. */
  readonly bufferedAmount: number;
  /** @param sent  Called when the client has received the message, or has disconnected. */
  send(data: string | Buffer, sent?: () => void): void;
  close(code?: number, reason?: string): void;
  on(name: 'message', listener: (data: Buffer, isBinary: boolean) => void): unknown;
  on(name: 'close', listener: () => void): unknown;
  on(name: 'error', listener: (error: Error) => void): unknown;
  /** Stops and continues the client's messages. */
  pause(): void;
  resume(): void;
}
