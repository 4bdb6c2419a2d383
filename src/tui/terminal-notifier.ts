/**
 * Tells the person through the terminal that a client sits on, and the daemon that the person sits there.
 *
 * In:   `item_notified` events from now on; what is typed (to know that somebody is there); the program's raw output,
 *       if any.
 * Out:  the terminal's own notification, one for all that comes within a moment; `presence.tell` to the daemon, which
 *       tells of no item that is in sight. A terminal that reports its focus is believed: without it nobody is there.
 * Nobody is said to be there before what is notified would be heard: it is told once. Writes between two sequences of
 * raw output only. Never fails: a daemon that is away is waited for.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../client/index.js';
import type { Event } from '../protocol/index.js';
import { chooseWay, type Notification, notifySequence } from './notify-way.js';
import { createOutputRest } from './output-rest.js';

export interface TerminalNotifierOptions {
  readonly client: Client;
  readonly env: NodeJS.ProcessEnv;
  /** `notify.terminal`. */
  readonly setting: string;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: Pick<NodeJS.WriteStream, 'write'>;
  /** The session in sight; null: the whole inbox. */
  readonly session: () => string | null;
}

export interface TerminalNotifier {
  /** Raw output has just been written to the terminal. */
  wrote(bytes: Uint8Array): void;
  /** Resolves when the daemon knows that nobody sits here any more, or does not answer. */
  close(): Promise<void>;
}

type Notified = Extract<Event, { event_type: 'item_notified' }>;

/** Items that are told within this of one another make one notification. */
const GATHER_MS = 50;
/** However many agents ask: no more than one notification in this time. */
const PAUSE_MS = 1_000;
const RETRY_MS = 1_000;
/** While keys are pressed the daemon is told this often; it counts for longer. */
const PRESENCE_MS = 30_000;
/** Nobody waits longer for the daemon when leaving. */
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
  /** Waits for the output to come to rest. */
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
  /** Nothing from now on is missed. */
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
      // The daemon is away, and whoever shows it says so.
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

/** Says that somebody is there: now, while keys are pressed, and no more as soon as the terminal loses its focus. */
function createPresenceTeller(client: Client, session: () => string | null) {
  // node:crypto would take as long to load as the session's screen to come
  const clientId = `${process.pid}-${process.hrtime.bigint()}`;
  let told: { isPresent: boolean; at: number; sessionId: string | null } | null = null;

  const tell = async (isPresent: boolean): Promise<void> => {
    const sessionId = session();
    const at = performance.now();
    const isKnown = told?.isPresent === isPresent && told.sessionId === sessionId && at - told.at < PRESENCE_MS;
    if (isKnown) return;
    told = { isPresent, at, sessionId };
    const where = sessionId === null ? {} : { session: sessionId };
    // A daemon that is away, or a session that has just ended: then nobody need know.
    await client.call('presence.tell', { client_id: clientId, present: isPresent, ...where }).catch(() => {});
  };
  return {
    /** Whoever opens a client sits there. */
    came(): void {
      if (told === null) void tell(true);
    },
    typed(chunk: Buffer): void {
      const focus = [...chunk.toString('latin1').matchAll(FOCUS_REPORT)].at(-1)?.[1];
      void tell(focus !== 'O');
    },
    left: () => Promise.race([tell(false), sleep(LEAVE_MS, undefined, { ref: false })]),
  };
}
