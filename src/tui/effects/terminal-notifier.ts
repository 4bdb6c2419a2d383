/**
 * Notifies the person through a client's terminal, and tells the daemon whether the person is present there.
 *
 * In:   `item_notified` events from now on; typed keys, as a sign of presence; the program's raw output, if any.
 * Out:  the terminal's own notification, one for all events within GATHER_MS; `presence.tell` to the daemon, which does
 *       not notify about visible items. If the terminal reports its focus, a person is present only while it has the
 *       focus.
 * Presence is reported only after the subscription to events is open, because every item is notified once.
 * Notifications are written only between two sequences of raw output. Never fails: it waits while the daemon is away.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../client/index.js';
import { createOutputRest, type Event } from '../../protocol/index.js';
import { chooseWay, type Notification, notifySequence } from './notify-way.js';

interface TerminalNotifierOptions {
  readonly client: Client;
  readonly env: NodeJS.ProcessEnv;
  /** The setting `notify.terminal`. */
  readonly setting: string;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: Pick<NodeJS.WriteStream, 'write'>;
  /** Returns the visible session; null for the whole inbox. */
  readonly session: () => string | null;
}

export interface TerminalNotifier {
  /** Called after raw output was written to the terminal. */
  wrote(bytes: Uint8Array): void;
  /** Resolves when the daemon knows that this client is gone, or after LEAVE_MS without an answer. */
  close(): Promise<void>;
}

type Notified = Extract<Event, { event_type: 'item_notified' }>;

/** Items notified within this time of one another make one notification. */
const GATHER_MS = 50;
/** Minimum time between two notifications, however many agents ask. */
const PAUSE_MS = 1_000;
const RETRY_MS = 1_000;
/** Interval for reporting presence while keys are pressed. The daemon counts a report for longer. */
const PRESENCE_MS = 30_000;
/** Maximum time to wait for the daemon when leaving. */
const LEAVE_MS = 250;
const FOCUS_REPORT = /\x1b\[([IO])/g;

export function openTerminalNotifier(options: TerminalNotifierOptions): TerminalNotifier {
  const { client, env, setting, stdin, stdout, session } = options;
  const chosen = chooseWay(setting, env);
  const rest = createOutputRest();
  const end = new AbortController();
  const presence = createPresenceTeller(client, session);
  let gathered: Notified[] = [];
  let timer: NodeJS.Timeout | undefined;
  let pauseUntil = 0;
  /** Bytes to write when the output is between two sequences. */
  let held = '';

  const put = (): void => {
    if (held === '' || !rest.isAtRest) return;
    stdout.write(held);
    held = '';
  };
  const show = (): void => {
    timer = undefined;
    pauseUntil = performance.now() + PAUSE_MS;
    held = notifySequence(chosen, asOne(gathered));
    gathered = [];
    put();
  };
  const take = (event: Notified): void => {
    gathered.push(event);
    timer ??= setTimeout(show, Math.max(GATHER_MS, pauseUntil - performance.now()));
  };
  const onInput = (chunk: Buffer): void => presence.typed(chunk);

  stdin.on('data', onInput);
  if (chosen.way === 'off') presence.came();
  else void follow(client, { take, listens: presence.came, signal: end.signal });
  return {
    wrote(bytes) {
      rest.take(bytes);
      put();
    },
    close() {
      clearTimeout(timer);
      stdin.off('data', onInput);
      end.abort();
      return presence.left();
    },
  };
}

interface FollowPorts {
  readonly take: (event: Notified) => void;
  /** Called when the subscription is open, so that no later event is missed. */
  readonly listens: () => void;
  readonly signal: AbortSignal;
}

async function follow(client: Client, { take, listens, signal }: FollowPorts): Promise<void> {
  while (!signal.aborted) {
    try {
      const { last_seq: since } = await client.call('daemon.status', {}, { signal });
      listens();
      for await (const event of client.events({ since, follow: true, type: ['item_notified'], signal })) {
        if (event.event_type === 'item_notified') take(event);
      }
    } catch {
      // The daemon is unreachable; another part of the client shows that.
    }
    await sleep(RETRY_MS, undefined, { signal, ref: false }).catch(() => {});
  }
}

function asOne(events: readonly Notified[]): Notification {
  const [first] = events;
  if (first && events.length === 1) return { title: first.title, text: first.text, id: first.item_id };
  return {
    title: `${events.length} items wait for you`,
    text: events.map(({ title }) => title).join(', '),
    id: 'orchd',
  };
}

/** Reports presence: at the start, while keys are pressed, and its end as soon as the terminal loses the focus. */
function createPresenceTeller(client: Client, session: () => string | null) {
  // Loading node:crypto would take as long as getting the session's first screen.
  const clientId = `${process.pid}-${process.hrtime.bigint()}`;
  let reported: { isPresent: boolean; at: number; sessionId: string | null } | null = null;

  const tell = async (isPresent: boolean): Promise<void> => {
    const sessionId = session();
    const at = performance.now();
    const isKnown =
      reported?.isPresent === isPresent && reported.sessionId === sessionId && at - reported.at < PRESENCE_MS;
    if (isKnown) return;
    reported = { isPresent, at, sessionId };
    const where = sessionId === null ? {} : { session: sessionId };
    // The call fails if the daemon is unreachable or the session has just ended. The report does not matter then.
    await client.call('presence.tell', { client_id: clientId, present: isPresent, ...where }).catch(() => {});
  };
  return {
    /** Reports that the person is present, because they just opened a client. */
    came(): void {
      if (reported === null) void tell(true);
    },
    typed(chunk: Buffer): void {
      const focus = [...chunk.toString('latin1').matchAll(FOCUS_REPORT)].at(-1)?.[1];
      void tell(focus !== 'O');
    },
    left: () => Promise.race([tell(false), sleep(LEAVE_MS, undefined, { ref: false })]),
  };
}
