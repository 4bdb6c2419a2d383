/** Holds the order of the sessions while the person reads them. */
import { useRef } from 'react';

const NONE: readonly string[] = [];

interface HeldSessions {
  /** The sessions that keep their places now; empty if the person does not read. */
  readonly held: readonly string[];
  /** Takes the ids of the sessions that are shown, in their order. */
  readonly keep: (ids: readonly string[]) => void;
}

/** @param scope  What the person has chosen to see. Another choice orders the sessions anew. */
export function useHeldSessions(isReading: boolean, scope: string): HeldSessions {
  const last = useRef({ scope, ids: NONE });
  return {
    held: isReading && last.current.scope === scope ? last.current.ids : NONE,
    keep(ids) {
      const { ids: before, scope: scopeBefore } = last.current;
      // The same array stays, so that what is computed from it stays, too.
      const isSame = before.length === ids.length && before.every((id, at) => id === ids[at]);
      if (!isSame || scope !== scopeBefore) last.current = { scope, ids: isSame ? before : ids };
    },
  };
}
