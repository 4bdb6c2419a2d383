/**
 * Loads the items and the sessions of the other machines again and again, while this machine is on a hub.
 *
 * A round begins MACHINES_MS after the one before. Without a hub, the daemon is asked every NO_HUB_MS whether it has
 * joined one. The model gets only what has changed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../client/index.js';
import { displayLine, MACHINES_MS, NO_HUB_MS, OrchdError } from '../../protocol/index.js';
import type { ModelInput } from './model.js';
import type { OnHub } from './other-machines.js';

interface WatchPorts {
  readonly client: Client;
  readonly take: (input: ModelInput) => void;
  /** Called with the reason for which an answer was refused that was on its way. */
  readonly tell: (words: string) => void;
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** Waits between two rounds. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** Ends when the signal aborts. Never rejects. */
export async function watchMachines({ client, take, tell, now, signal, pause = wait }: WatchPorts): Promise<void> {
  let known = 'null';
  const onTheirWay = new Set<string>();
  while (!signal.aborted) {
    // While the daemon or the hub is away, the model keeps what it has last seen.
    const hub = await loadMachines(client, signal).catch(() => undefined);
    if (hub) await tellRefused(client, onTheirWay, tell, signal).catch(() => undefined);
    const next = hub === undefined ? known : JSON.stringify(hub, withoutAges);
    if (next !== known && hub !== undefined) {
      known = next;
      take({ kind: 'machines', hub, at: now() });
    }
    await pause(hub === null ? NO_HUB_MS : MACHINES_MS, signal).catch(() => undefined);
  }
}

const wait = (ms: number, signal: AbortSignal): Promise<unknown> => sleep(ms, undefined, { signal, ref: false });

/** @param onTheirWay  The ids of the commands that were on their way before. Those that are now replace them. */
async function tellRefused(
  client: Client,
  onTheirWay: Set<string>,
  tell: (words: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const commands = await client.call('hub.commands', {}, { signal });
  for (const { id, to, state, error = '' } of commands) {
    if (state === 'refused' && onTheirWay.has(id)) tell(`${to} refused the answer: ${displayLine(error)}`);
  }
  onTheirWay.clear();
  for (const { id, state } of commands) if (state === 'on_its_way') onTheirWay.add(id);
}

/** Step in which the age of a machine that is away changes on the screen. Other machines show no age. */
const AGE_MS = 10_000;
const withoutAges = (name: string, value: unknown): unknown =>
  name === 'age_ms' && typeof value === 'number' ? Math.floor(value / AGE_MS) : value;

/** @returns  Null if this machine is on no hub. */
async function loadMachines(client: Client, signal: AbortSignal): Promise<OnHub | null> {
  try {
    const { joined, name = '' } = await client.call('hub.status', {}, { signal });
    if (!joined) return null;
    const [items, sessions] = await Promise.all([
      client.call('hub.items', {}, { signal }),
      client.call('hub.sessions', {}, { signal }),
    ]);
    return { own: name, items, sessions };
  } catch (error) {
    const isAlone = error instanceof OrchdError && error.code === 'ORCHD_HUB_NOT_JOINED';
    if (isAlone) return null;
    throw error;
  }
}
