/**
 * The one WebSocket of the page: streams the event log from the moment when the page was loaded, and the terminals
 * that the page shows.
 *
 * In:   a token, and the channels of the terminals.
 * Out:  every event once, in order. After a disconnect the stream reconnects and continues after the last event. It
 *       also reconnects after the computer was asleep, because a dead connection looks like one without events.
 */
import { CLOSE, type Event, type GapEvent, type WebDevice } from '../../protocol/index.js';
import { type ChannelMessage, type Channels, isChannelMessage } from './channels.js';

export type Connection = 'connecting' | 'live' | 'away';

interface EventSocketPorts {
  readonly url: string;
  readonly token: string;
  readonly onConnection: (state: Connection) => void;
  /** Called at the first connection, with the newest `seq`. Data that the page loads after that is at least as new. */
  readonly onBegin: (welcome: Welcome) => void;
  readonly onEvent: (event: Event | GapEvent) => void;
  /** Called if the log was replaced by one with fewer events. All data that the page has is then invalid. */
  readonly onReset: () => void;
  readonly channels: Channels;
  /** Called if the daemon does not know the token. */
  readonly onRefused: () => void;
}

interface Welcome {
  readonly type: 'welcome';
  readonly version: string;
  readonly last_seq: number;
  readonly device: WebDevice | null;
}

const RETRY_FIRST_MS = 100;
const RETRY_MOST_MS = 3_000;
/** If a timer fires this late, the computer was asleep. */
const SLEPT_MS = 15_000;
const BEAT_MS = 5_000;

/** @returns A function that closes the connection. */
export function followEvents(ports: EventSocketPorts): () => void {
  let socket: WebSocket | null = null;
  let since: number | null = null;
  let retryMs = RETRY_FIRST_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  const connect = (): void => {
    clearTimeout(timer);
    if (isClosed) return;
    const at = since === null ? '' : `&since=${since}`;
    const mine = new WebSocket(`${ports.url}?hello=true${at}`);
    socket = mine;
    mine.binaryType = 'arraybuffer';
    mine.onopen = () => mine.send(JSON.stringify({ type: 'hello', token: ports.token }));
    mine.onmessage = ({ data }) => {
      if (socket !== mine) return;
      if (data instanceof ArrayBuffer) ports.channels.takeBytes(data);
      else take(JSON.parse(String(data)) as Incoming, mine); // the daemon sends only these
    };
    mine.onclose = ({ code }) => {
      if (socket !== mine || isClosed) return;
      socket = null;
      ports.channels.disconnected();
      if (code === CLOSE.notAllowed) return ports.onRefused();
      ports.onConnection('away');
      timer = setTimeout(connect, retryMs);
      retryMs = Math.min(retryMs * 2, RETRY_MOST_MS);
    };
  };
  const take = (message: Incoming, from: WebSocket): void => {
    if (isChannelMessage(message)) ports.channels.take(message);
    else if (isRefusal(message)) {
      if (message.code !== 'ORCHD_INVALID') return;
      since = null; // The log of this daemon ends before that seq.
      const refused = socket;
      socket = null;
      refused?.close();
      ports.onReset();
      connect();
    } else if (isWelcome(message)) {
      retryMs = RETRY_FIRST_MS;
      if (since === null) {
        since = message.last_seq;
        ports.onBegin(message);
      }
      ports.channels.connected((data) => from.send(data));
      ports.onConnection('live');
    } else {
      const seq = message.event_type === 'gap' ? message.to : message.seq;
      if (since !== null && seq <= since) return;
      since = seq;
      ports.onEvent(message);
    }
  };
  const again = (): void => {
    const old = socket;
    socket = null;
    old?.close();
    ports.channels.disconnected();
    ports.onConnection('away');
    connect();
  };
  let beatAt = Date.now();
  const beat = setInterval(() => {
    const lateMs = Date.now() - beatAt - BEAT_MS;
    beatAt = Date.now();
    if (lateMs > SLEPT_MS) again();
  }, BEAT_MS);
  const onOnline = (): void => {
    retryMs = RETRY_FIRST_MS;
    if (socket === null) connect();
  };
  addEventListener('online', onOnline);
  document.addEventListener('visibilitychange', onOnline);
  ports.onConnection('connecting');
  connect();
  return () => {
    isClosed = true;
    clearTimeout(timer);
    clearInterval(beat);
    removeEventListener('online', onOnline);
    document.removeEventListener('visibilitychange', onOnline);
    socket?.close();
  };
}

interface Refusal {
  readonly type: 'refused';
  readonly code: string;
}
type Incoming = Welcome | Refusal | Event | GapEvent | ChannelMessage;
type Other = Exclude<Incoming, ChannelMessage>;

const isEvent = (message: Other): message is Event | GapEvent => 'event_type' in message;
const isWelcome = (message: Other): message is Welcome => !isEvent(message) && message.type === 'welcome';
const isRefusal = (message: Other): message is Refusal => !isEvent(message) && message.type === 'refused';
