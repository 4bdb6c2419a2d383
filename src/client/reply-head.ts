/** Parses the head of an HTTP/1.1 reply: its status, and the length of its body. Pure. */

/** The connection ended, or the reply is not HTTP. */
export class BrokenReply extends Error {}

export interface ReplyHead {
  readonly status: number;
  readonly isChunked: boolean;
  /** Number of bytes of the body; null if it is chunked or ends with the connection. */
  readonly length: number | null;
  /** `Sec-WebSocket-Accept`; null if it is missing. */
  readonly accept: string | null;
}

export const MAX_HEAD_BYTES = 64 * 1024;
export const HEAD_END = '\r\n\r\n';
export const LINE_END = '\r\n';

/** @param text  The head without the blank line at its end. @throws {BrokenReply} */
export function parseHead(text: string): ReplyHead {
  const [statusLine = '', ...lines] = text.split(LINE_END);
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(statusLine)?.[1]);
  if (Number.isNaN(status)) throw new BrokenReply('what came is not HTTP');
  let length: number | null = status === 204 ? 0 : null;
  let isChunked = false;
  let accept: string | null = null;
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    if (name === 'transfer-encoding') isChunked = value.toLowerCase().endsWith('chunked');
    else if (name === 'content-length') length = Number(value);
    else if (name === 'sec-websocket-accept') accept = value;
  }
  return { status, isChunked, length: isChunked ? null : length, accept };
}
