/**
 * Keeps a model in sync with the daemon: a snapshot, then the events after it. Both are repeated after every reconnect.
 *
 * The `seq` is read before the snapshot, so no event is missed. Events that are in both are applied twice, which is
 * harmless (see model.ts). Events before the snapshot are passed at once: step by step, they would show items as open
 * that were answered long ago. A daemon that is stopped or stuck does not close the connection, so it is asked
 * periodically if it still answers. Ends when the signal aborts. Never rejects.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../client/index.js';
import { type Event, errorMessage, type OutputOf } from '../../protocol/index.js';
import type { ModelInput } from './model.js';
import { tuiHealth } from './tui-health.js';

interface FollowPorts {
  readonly client: Client;
  readonly take: (input: ModelInput) => void;
  /** Returns the `seq` of the newest event in the model, 0 for none. */
  readonly lastSeq: () => number;
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** Resolves when it is time to ask the daemon again. Default: after PULSE_MS. */
  readonly pulse?: (signal: AbortSignal) => Promise<unknown>;
}

type Status = OutputOf<'daemon.status'>;

/** Number of past events shown in the feed at the start. */
const FIRST_EVENTS = 200;
/** Maximum number of missed events to read after a reconnect. */
const MAX_MISSED = 2_000;
const RETRY_MS = 250;
const PULSE_MS = 10_000;

export async function followDaemon(ports: FollowPorts): Promise<void> {
  const { take, signal } = ports;
  while (!signal.aborted) {
    const connection = new AbortController();
    let silence: unknown = null;
    const onSilent = (error: unknown): void => {
      silence = error;
      connection.abort();
    };
    try {
      const isOvertaken = await followOnce(ports, AbortSignal.any([signal, connection.signal]), onSilent);
      if (isOvertaken) continue;
      take({ kind: 'away', why: silence === null ? 'the daemon closed the connection' : errorMessage(silence) });
    } catch (error) {
      take({ kind: 'away', why: errorMessage(silence ?? error) });
    } finally {
      connection.abort();
    }
    await sleep(RETRY_MS, undefined, { signal }).catch(() => {});
  }
}

/** @returns  True if events were already removed from the log, so that only another snapshot can tell the state. */
async function followOnce(
  { client, take, lastSeq, now, pulse = nextPulse }: FollowPorts,
  signal: AbortSignal,
  onSilent: (error: unknown) => void,
): Promise<boolean> {
  const status = await client.call('daemon.status', {}, { signal });
  const [sessions, items] = await Promise.all([
    client.call('session.list', { all: true }, { signal }),
    client.call('inbox.list', {}, { signal }),
  ]);
  take({ kind: 'snapshot', snapshot: { status, sessions, items }, at: now() });
  let health = JSON.stringify(tuiHealth(status));
  let journals = JSON.stringify(status.journals);
  let changes = JSON.stringify(status.changes);
  const onStatus = (now: Status): void => {
    if (JSON.stringify(now.journals) !== journals) {
      journals = JSON.stringify(now.journals);
      take({ kind: 'journals', journals: now.journals });
    }
    if (JSON.stringify(now.changes) !== changes) {
      changes = JSON.stringify(now.changes);
      take({ kind: 'changes', changes: now.changes });
    }
    const findings = tuiHealth(now);
    if (JSON.stringify(findings) === health) return;
    health = JSON.stringify(findings);
    take({ kind: 'health', health: findings });
  };
  void pingDaemon(client, pulse, signal, onStatus).catch((error: unknown) => {
    if (!signal.aborted) onSilent(error);
  });
  const seen = lastSeq();
  const isKnown = seen > 0 && seen <= status.last_seq; // false if this is another log, as after a reset
  const since = isKnown ? Math.max(seen, status.last_seq - MAX_MISSED) : Math.max(0, status.last_seq - FIRST_EVENTS);
  const history: Event[] = [];
  for await (const event of client.events({ since, follow: true, reconnect: false, signal })) {
    if (event.event_type === 'gap') {
      if (event.to > status.last_seq) return true;
    } else if (event.seq > status.last_seq) take({ kind: 'event', event });
    else {
      history.push(event);
      if (event.seq === status.last_seq) take({ kind: 'history', events: history });
    }
  }
  return false;
}

const nextPulse = (signal: AbortSignal): Promise<unknown> => sleep(PULSE_MS, undefined, { signal, ref: false });

/** Asks the daemon periodically. Rejects when it does not answer. */
async function pingDaemon(
  client: Client,
  pulse: NonNullable<FollowPorts['pulse']>,
  signal: AbortSignal,
  onStatus: (status: Status) => void,
): Promise<never> {
  for (;;) {
    await pulse(signal);
    onStatus(await client.call('daemon.status', {}, { signal }));
  }
}
