/**
 * Keeps a model up with the daemon: a snapshot, then the events after it; after every break both anew.
 *
 * The `seq` is asked for before the snapshot, so nothing lies between them; what lies in both is told twice (see model.ts). What happened
 * before the snapshot is told at once: step by step it would show as open what was answered long ago.
 * Ends when the signal aborts. Never rejects.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../client/index.js';
import type { Event } from '../protocol/index.js';
import type { ModelInput } from './model.js';

export interface FollowPorts {
  readonly client: Client;
  readonly take: (input: ModelInput) => void;
  /** The newest event that was taken, 0 for none. */
  readonly lastSeq: () => number;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** What the feed begins with. */
const FIRST_EVENTS = 200;
/** Of what was missed no more is told. */
const MOST_MISSED = 2_000;
const RETRY_MS = 250;

export async function followDaemon({ client, take, lastSeq, now, signal }: FollowPorts): Promise<void> {
  while (!signal.aborted) {
    try {
      const status = await client.call('daemon.status', {}, { signal });
      const [sessions, items] = await Promise.all([
        client.call('session.list', { all: true }, { signal }),
        client.call('inbox.list', {}, { signal }),
      ]);
      take({ kind: 'snapshot', snapshot: { status, sessions, items }, at: now() });
      const seen = lastSeq();
      const isKnown = seen > 0 && seen <= status.last_seq; // another log begins anew
      const since = isKnown
        ? Math.max(seen, status.last_seq - MOST_MISSED)
        : Math.max(0, status.last_seq - FIRST_EVENTS);
      let isOvertaken = false;
      const history: Event[] = [];
      for await (const event of client.events({ since, follow: true, reconnect: false, signal })) {
        if (event.event_type === 'gap') {
          isOvertaken = event.to > status.last_seq; // what the log has forgotten only another snapshot knows
          if (isOvertaken) break;
        } else if (event.seq > status.last_seq) take({ kind: 'event', event });
        else {
          history.push(event);
          if (event.seq === status.last_seq) take({ kind: 'history', events: history });
        }
      }
      if (isOvertaken) continue;
      take({ kind: 'away', why: 'the daemon closed the connection' });
    } catch (error) {
      take({ kind: 'away', why: error instanceof Error ? error.message : String(error) });
    }
    await sleep(RETRY_MS, undefined, { signal }).catch(() => {});
  }
}
