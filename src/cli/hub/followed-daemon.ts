/**
 * A daemon whose runs and workflows a command follows: that of this machine, or of another one over the hub.
 *
 *     of this machine    if the daemon is gone, the command waits until it is back; the event stream connects again
 *     of another one     the events come from the hub. The machine, the hub or this daemon may be away meanwhile.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type CallOptions, type Client, callAcrossRestarts, callMachine } from '../../client/index.js';
import { type Event, OrchdError } from '../../protocol/index.js';
import type { Context } from '../program/context.js';
import { AWAY, type Wait, waitAcrossRestarts } from '../sessions/wait-across-restarts.js';
import { isHubAway } from './remote-target.js';

/** Maximum time for which one request waits for events. */
export const WAIT_MS = 20_000;
/** Pause before a failed request is repeated. */
export const RETRY_MS = 1_000;

export interface FollowedDaemon {
  readonly call: Client['call'];
  /** Returns the place after the newest event. */
  position(): Promise<string>;
  /** Returns the events after a place. It ends when the signal aborts. */
  events(wanted: WantedEvents): AsyncIterable<Event | typeof CHECK>;
  /**
   * Repeats a call until there is a reply.
   *
   * @param isWaiting  False: only for a few seconds.
   */
  lasting<T>(call: () => Promise<T>, how: { readonly isWaiting: boolean; readonly signal: AbortSignal }): Promise<T>;
}

interface WantedEvents {
  readonly since: string;
  readonly type: readonly Event['event_type'][];
  readonly signal: AbortSignal;
  /** Called with words for the person when the events stop. */
  readonly onAway: (words: string) => void;
}

/** Events may have been missed, so what is followed has to be looked at again. */
export const CHECK = 'check';

export const followedDaemon = (client: Client, machine: string | undefined): FollowedDaemon =>
  machine === undefined ? ownDaemon(client) : machineDaemon(client, machine);

function ownDaemon(client: Client): FollowedDaemon {
  return {
    call: client.call,
    position: async () => String((await client.call('daemon.status', {})).last_seq),
    async *events({ since, type, signal, onAway }) {
      const onConnection = (isThere: boolean): void => {
        if (!isThere) onAway(AWAY);
      };
      const events = client.events({ follow: true, since: Number(since), type: [...type], onConnection, signal });
      for await (const event of events) yield event.event_type === 'gap' ? CHECK : event;
    },
    lasting: (call, how) => callAcrossRestarts(call, { ...how, deadline: Number.POSITIVE_INFINITY }),
  };
}

function machineDaemon(client: Client, machine: string): FollowedDaemon {
  const position = async (): Promise<string> => (await client.call('hub.events', { machine })).cursor;
  return {
    call: (operation, input, options) => callMachine(client, machine, operation, input, options),
    position,
    async *events({ since, type, signal, onAway }) {
      let cursor: string | null = since;
      for (let isTold = false; !signal.aborted; ) {
        try {
          // The cursor is not valid after the hub was restored from a backup.
          const from: string = cursor ?? (await position());
          const wanted = { machine, since: from, type: [...type], wait_ms: WAIT_MS };
          const { events, cursor: next, gap } = await client.call('hub.events', wanted, { signal });
          if (gap || cursor === null || events.length === 0) yield CHECK;
          for (const { event } of events) yield event as unknown as Event; // its machine has stored it as an event
          cursor = next;
          isTold = false;
        } catch (error) {
          if (signal.aborted) return;
          if (error instanceof OrchdError && error.code === 'ORCHD_HUB_CURSOR') {
            cursor = null;
            continue;
          }
          if (!isHubAway(error)) throw error;
          if (!isTold) onAway(`orchd: ${error.message}; orchd waits until it is back`);
          isTold = true;
          await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
        }
      }
    },
    async lasting(call, { isWaiting, signal }) {
      const end = isWaiting ? Number.POSITIVE_INFINITY : performance.now() + WAIT_MS;
      for (;;) {
        try {
          return await call();
        } catch (error) {
          const isOver = signal.aborted || performance.now() + RETRY_MS > end;
          const isAway = isHubAway(error) || (isWaiting && isMachineAway(error));
          if (isOver || !isAway) throw error;
        }
        await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    },
  };
}

/** A machine that was killed is not *away* before three missed heartbeats. It then gets the command too late. */
const MACHINE_AWAY: readonly string[] = ['ORCHD_MACHINE_AWAY', 'ORCHD_HUB_EXPIRED', 'ORCHD_HUB_REFUSED'];
const isMachineAway = (error: unknown): boolean => error instanceof OrchdError && MACHINE_AWAY.includes(error.code);

/** How the end of a run or of a workflow run is awaited. */
export interface AwaitedEnd<T> {
  /** For messages. */
  readonly kind: string;
  readonly selector: string;
  readonly machine: string | undefined;
  readonly show: (selector: string, options?: CallOptions) => Promise<T>;
  /** The call that the daemon of this machine answers at the end. */
  readonly wait: Wait<T>;
  /** The event of the end, which another machine publishes. */
  readonly type: Event['event_type'];
  /** Returns the id of the thing that an event of this type is about. */
  readonly idOf: (event: Event) => string | undefined;
}

interface Ending {
  readonly id: string;
  readonly state: string;
  readonly ended_at: string | null;
}

/**
 * Waits until a run or a workflow is over.
 *
 * @throws {OrchdError} ORCHD_TIMEOUT, or ORCHD_DAEMON_UNREACHABLE after Ctrl-C; those of the first look at it.
 */
export async function waitForEnd<T extends Ending>(
  context: Context,
  daemon: FollowedDaemon,
  { kind, selector, machine, show, wait, type, idOf }: AwaitedEnd<T>,
  timeoutMs: number | undefined,
): Promise<T> {
  if (machine === undefined) return waitAcrossRestarts(context, wait, timeoutMs);
  const { id } = await show(selector);
  const load = (): Promise<T> => show(id, { signal: context.signal });
  const isMine = (event: Event): boolean => idOf(event) === id;
  return waitByEvents(context, daemon, { machine, name: `${kind} ${id}`, type: [type], load, isMine }, timeoutMs);
}

/** Waits for a run or a workflow of another machine, by the events that the machine publishes. */
async function waitByEvents<T extends Ending>(
  { signal: interrupted, note }: Pick<Context, 'signal' | 'note'>,
  daemon: FollowedDaemon,
  about: {
    readonly machine: string;
    /** The kind and the id, for messages. */
    readonly name: string;
    readonly type: WantedEvents['type'];
    readonly load: () => Promise<T>;
    readonly isMine: (event: Event) => boolean;
  },
  timeoutMs: number | undefined,
): Promise<T> {
  const { machine, name, load, isMine, type } = about;
  const isOver = ({ ended_at }: T): boolean => ended_at !== null;
  const signal = timeoutMs === undefined ? interrupted : AbortSignal.any([interrupted, AbortSignal.timeout(timeoutMs)]);
  const since = await daemon.position();
  let found = await load();
  let isTold = false;
  const look = async (): Promise<T> => {
    try {
      found = await load();
      isTold = false;
    } catch (error) {
      if (!isHubAway(error) && !isMachineAway(error)) throw error;
      if (!isTold) note(`orchd: '${machine}' does not reply; orchd waits until it does`);
      isTold = true;
    }
    return found;
  };
  if (isOver(found)) return found;
  for await (const event of daemon.events({ since, type, signal, onAway: note })) {
    if (event !== CHECK && !isMine(event)) continue;
    if (isOver(await look())) return found;
    // The end is known, but not the result: the machine went away right after it.
    while (isTold && !signal.aborted) {
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
      if (isOver(await look())) return found;
    }
  }
  interrupted.throwIfAborted();
  throw new OrchdError('ORCHD_TIMEOUT', `${name} on '${machine}' is still ${found.state}`);
}
