/**
 * The one WebSocket of the page: the event log from where the page began.
 *
 * In:   a token.
 * Out:  every event once, in order, whatever breaks meanwhile: after a disconnect it continues behind the last event.
 *       After the computer slept it connects anew, because a dead connection looks like a quiet one.
 */
import type { Event, GapEvent, WebDevice } from '../../protocol/index.js';

export type Connection = 'connecting' | 'live' | 'away';

export interface EventSocketPorts {
  readonly url: string;
  readonly token: string;
  readonly onConnection: (state: Connection) => void;
  /** Called at the first connection, with the newest `seq`. What the page loads after that is at least as new. */
  readonly onBegin: (welcome: Welcome) => void;
  readonly onEvent: (event: Event | GapEvent) => void;
  /** The log was replaced by one that has fewer events: all that the page knows is void. */
  readonly onReset: () => void;
  /** The daemon does not know the token. */
  readonly onRefused: () => void;
}

export interface Welcome {
  readonly type: 'welcome';
  readonly version: string;
  readonly last_seq: number;
  readonly device: WebDevice | null;
}

const RETRY_FIRST_MS = 100;
const RETRY_MOST_MS = 3_000;
/** A timer that is this late tells that the computer slept. */
const SLEPT_MS = 15_000;
const BEAT_MS = 5_000;
const NOT_ALLOWED = 1008;

/** @returns A function that closes it. */
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
    mine.onopen = () => mine.send(JSON.stringify({ type: 'hello', token: ports.token }));
    mine.onmessage = ({ data }) => {
      if (socket === mine) take(JSON.parse(String(data)) as Incoming); // the daemon sends only these
    };
    mine.onclose = ({ code }) => {
      if (socket !== mine || isClosed) return;
      socket = null;
      if (code === NOT_ALLOWED) return ports.onRefused();
      ports.onConnection('away');
      timer = setTimeout(connect, retryMs);
      retryMs = Math.min(retryMs * 2, RETRY_MOST_MS);
    };
  };
  const take = (message: Incoming): void => {
    if (isRefusal(message)) {
      if (message.code !== 'ORCHD_INVALID') return;
      since = null; // behind the end of the log
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
type Incoming = Welcome | Refusal | Event | GapEvent;

const isEvent = (message: Incoming): message is Event | GapEvent => 'event_type' in message;
const isWelcome = (message: Incoming): message is Welcome => !isEvent(message) && message.type === 'welcome';
const isRefusal = (message: Incoming): message is Refusal => !isEvent(message) && message.type === 'refused';
