/**
 * The terminals of the page, as channels of its one WebSocket: protocol/terminal-stream.md.
 *
 * A channel survives a disconnect: it is opened again when the page is connected again. The page reports handled bytes
 * every REPORT_MS. If it draws slowly, the daemon skips to the newest screen.
 */
import { CHANNEL_BYTES, CLOSE } from '../../protocol/index.js';

interface ChannelHandlers {
  /** True for a terminal of another machine. If its daemon stops, this one goes on. */
  readonly isElsewhere?: boolean;
  /** Called when the stream begins, also after a reconnect. The content shown before is then obsolete. */
  onBegin(): void;
  /** @param taken  Must be called once the bytes are drawn. */
  onBytes?(bytes: Uint8Array, taken: () => void): void;
  onMessage(message: StreamMessage): void;
  /** The stream has ended, and is not opened again. */
  onClosed?(reason: string, code: number): void;
}

/** Text messages of a stream. */
export type StreamMessage =
  | { readonly type: 'size'; readonly cols: number; readonly rows: number }
  | ScreenMessage
  | { readonly type: 'exit'; readonly state: string }
  | { readonly type: 'refused'; readonly code: string; readonly error: string }
  | { readonly type: 'clipboard' };

/** The rows of a screen that changed, with SGR sequences. */
interface ScreenMessage {
  readonly type: 'screen';
  readonly size: { readonly cols: number; readonly rows: number };
  readonly cursor: { readonly x: number; readonly y: number; readonly visible: boolean };
  readonly title: string;
  readonly rows: Readonly<Record<string, string>>;
}

export type ChannelMessage =
  | { readonly type: 'message'; readonly channel: number; readonly message: StreamMessage }
  | { readonly type: 'closed'; readonly channel: number; readonly code: number; readonly reason: string };

export const isChannelMessage = (message: object): message is ChannelMessage => 'channel' in message;

export interface Channel {
  /** Types keys into the session. */
  type(bytes: Uint8Array): void;
  /** Sends a text message of the stream. */
  tell(message: object): void;
  close(): void;
}

const REPORT_MS = 20;

interface Open {
  number: number;
  readonly session: string;
  readonly query: () => string;
  readonly handlers: ChannelHandlers;
  handled: number;
  reported: number;
}

export class Channels {
  readonly #open = new Set<Open>();
  readonly #byNumber = new Map<number, Open>();
  #last = 0;
  #send: ((data: string | Uint8Array<ArrayBuffer>) => void) | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;

  /** @param query  Returns the query of the stream's URL. It is called at each connection. */
  open(session: string, query: () => string, handlers: ChannelHandlers): Channel {
    const one: Open = { number: 0, session, query, handlers, handled: 0, reported: 0 };
    this.#open.add(one);
    this.#begin(one);
    return {
      type: (bytes) => this.#type(one, bytes),
      tell: (message) => this.#tell({ type: 'message', channel: one.number, message }),
      close: () => {
        if (!this.#open.delete(one) || !this.#byNumber.delete(one.number)) return;
        this.#tell({ type: 'close', channel: one.number });
      },
    };
  }

  /** Called when the page is connected, with a function that sends a message. */
  connected(send: (data: string | Uint8Array<ArrayBuffer>) => void): void {
    this.#send = send;
    for (const one of this.#open) this.#begin(one);
  }

  disconnected(): void {
    this.#send = null;
    this.#byNumber.clear();
  }

  take(message: ChannelMessage): void {
    const one = this.#byNumber.get(message.channel);
    if (!one) return;
    if (message.type === 'message') {
      one.handlers.onMessage(message.message);
      this.#taken(one, one.number);
      return;
    }
    this.#byNumber.delete(one.number);
    if (message.code === CLOSE.goingAway && one.handlers.isElsewhere !== true) return;
    this.#open.delete(one);
    one.handlers.onClosed?.(message.reason, message.code);
  }

  takeBytes(data: ArrayBuffer): void {
    const number = new DataView(data).getUint32(0);
    const one = this.#byNumber.get(number);
    if (!one) return;
    const taken = (): void => this.#taken(one, number);
    if (one.handlers.onBytes) one.handlers.onBytes(new Uint8Array(data, CHANNEL_BYTES), taken);
    else taken();
  }

  #begin(one: Open): void {
    if (!this.#send) return;
    this.#last += 1;
    Object.assign(one, { number: this.#last, handled: 0, reported: 0 });
    this.#byNumber.set(one.number, one);
    one.handlers.onBegin();
    this.#tell({ type: 'open', channel: one.number, session: one.session, query: one.query() });
  }

  #tell(message: object): void {
    this.#send?.(JSON.stringify(message));
  }

  #type(one: Open, bytes: Uint8Array): void {
    if (!this.#send || !this.#byNumber.has(one.number)) return;
    const message = new Uint8Array(CHANNEL_BYTES + bytes.length);
    new DataView(message.buffer).setUint32(0, one.number);
    message.set(bytes, CHANNEL_BYTES);
    this.#send(message);
  }

  /** @param number  The channel's number when the message arrived. A message for an earlier number is ignored. */
  #taken(one: Open, number: number): void {
    if (one.number !== number) return;
    one.handled += 1;
    this.#timer ??= setTimeout(() => this.#report(), REPORT_MS);
  }

  #report(): void {
    this.#timer = null;
    for (const one of this.#byNumber.values()) {
      if (one.handled === one.reported) continue;
      one.reported = one.handled;
      this.#tell({ type: 'taken', channel: one.number, messages: one.handled });
    }
  }
}
