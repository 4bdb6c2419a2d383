/** The open items of this machine. All parts of the page share one query, so that an event loads the list once. */
import { useMemo } from 'react';
import type { Item } from '../../protocol/index.js';
import { useOperation } from '../live/live.js';

/** Open items, and answered ones whose answer is stalled. */
export const useInbox = () => useOperation(['inbox'], 'inbox.list', { stalled: true });

const NONE: readonly Item[] = [];

export function useOpenItems(): readonly Item[] {
  const { data } = useInbox();
  return useMemo(() => data?.filter(({ state }) => state === 'open') ?? NONE, [data]);
}
