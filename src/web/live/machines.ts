/**
 * The open items and the running sessions of the other machines of a hub.
 *
 * No event tells the page of them, so it asks the daemon every MACHINES_MS; without a hub, every NO_HUB_MS.
 */
import { useQuery } from '@tanstack/react-query';
import {
  awayWords,
  displayLine,
  type Item,
  MACHINES_MS,
  NO_HUB_MS,
  OrchdError,
  type OutputOf,
  type Session,
} from '../../protocol/index.js';
import type { Api } from './api.js';
import { useLive } from './live.js';

interface There {
  readonly machine: string;
  /** The time for which the machine is away, in words; empty if it is not away. */
  readonly away: string;
}

export interface OtherItem extends There {
  /** The name of the item's session begins with the name of the machine: `build/web`. */
  readonly item: Item;
  /** The answer that the machine has not got yet, in words; empty if there is none. */
  readonly onItsWay: string;
}

export interface OtherSession extends There {
  /** The id and the name of the session begin with the name of the machine: `build/web`. */
  readonly session: Session;
}

interface Machines {
  readonly items: readonly OtherItem[];
  readonly sessions: readonly OtherSession[];
}

const NONE: Machines = { items: [], sessions: [] };
export const MACHINES_KEY = ['machines'];

/** @returns An empty list without a hub, and before the first reply. The last list stays while the hub is away. */
export function useMachines(): Machines {
  const { api } = useLive();
  const { data } = useQuery<Machines | null>({
    queryKey: MACHINES_KEY,
    queryFn: ({ signal }) => loadMachines(api, signal),
    refetchInterval: ({ state }) => (state.data ? MACHINES_MS : NO_HUB_MS),
  });
  return data ?? NONE;
}

/** @returns  Null if this machine is on no hub. */
async function loadMachines(api: Api, signal: AbortSignal): Promise<Machines | null> {
  try {
    const { joined, name: own = '' } = await api.call('hub.status', {}, signal);
    if (!joined) return null;
    const [items, sessions] = await Promise.all([
      api.call('hub.items', {}, signal),
      api.call('hub.sessions', {}, signal),
    ]);
    return ofOthers(own, items, sessions);
  } catch (error) {
    if (error instanceof OrchdError && error.code === 'ORCHD_HUB_NOT_JOINED') return null;
    throw error;
  }
}

/** @param own  The name of this machine, whose items and sessions are left out. */
export function ofOthers(own: string, items: OutputOf<'hub.items'>, sessions: OutputOf<'hub.sessions'>): Machines {
  return {
    items: items
      .filter(({ machine }) => machine !== own)
      .map(({ machine, away, age_ms, item, on_its_way: sent }) => ({
        machine,
        away: away ? awayWords(steady(age_ms)) : '',
        item: { ...item, session_name: `${machine}/${item.session_name}` },
        onItsWay: sent ? `“${displayLine(sent.text)}” (${displayLine(sent.by)})` : '',
      })),
    sessions: sessions
      .filter(({ machine, session }) => machine !== own && session.ended_at === null)
      .map(({ machine, away, age_ms, session }) => ({
        machine,
        away: away ? awayWords(steady(age_ms)) : '',
        session: { ...session, id: `${machine}/${session.id}`, name: `${machine}/${session.name}` },
      })),
  };
}

/** Rounds an age to minutes, or to 10 seconds in the first minute, so that the page is not drawn again each second. */
const steady = (ageMs: number): number =>
  ageMs < 60_000 ? Math.ceil(ageMs / 10_000) * 10_000 : Math.floor(ageMs / 60_000) * 60_000;
