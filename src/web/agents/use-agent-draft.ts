/**
 * The values of an agent's form. Unsaved ones are kept in the tab for as long as it lives, so that a look at another
 * page loses nothing.
 */
import { useEffect, useMemo, useState } from 'react';
import type { Blueprint } from '../../protocol/index.js';
import { type AgentDraft, draftOf, NEW_AGENT } from './draft.js';

interface Stored {
  /** When the agent was last written before this draft began, and the form's values at that time. */
  readonly since: string | null;
  readonly base: AgentDraft;
  readonly draft: AgentDraft;
}

interface EditedDraft {
  readonly draft: AgentDraft;
  readonly isChanged: boolean;
  /** True if the agent was saved elsewhere after the draft began. */
  readonly isOutdated: boolean;
  readonly change: (part: Partial<AgentDraft>) => void;
  /** Drops the changes. */
  readonly reset: () => void;
  /** Called after the agent was saved. */
  readonly saved: (agent: Blueprint) => void;
  /** Called after the agent was deleted. */
  readonly forget: () => void;
}

/**
 * @param agent  Null for a new agent.
 * @param copyOf  The agent of which a new agent is a copy.
 */
export function useAgentDraft(agent: Blueprint | null, copyOf: Blueprint | undefined): EditedDraft {
  const key = storageKey(agent, copyOf);
  const original = useMemo<AgentDraft>(
    () => (agent ? draftOf(agent) : copyOf ? { ...draftOf(copyOf), name: `${copyOf.name}-copy` } : NEW_AGENT),
    [agent, copyOf],
  );
  const since = agent?.updated_at ?? null;
  const fresh: Stored = { since, base: original, draft: original };
  const [stored, setStored] = useState<Stored>(() => readStored(key) ?? fresh);
  const { draft } = stored;
  const isChanged = !isSame(stored);

  // If the agent was saved elsewhere, its new state is shown, unless there are unsaved changes here.
  useEffect(() => {
    setStored((now) => (isSame(now) ? { since, base: original, draft: original } : now));
  }, [since, original]);
  useEffect(() => {
    if (isChanged) sessionStorage.setItem(key, JSON.stringify(stored));
    else sessionStorage.removeItem(key);
  }, [key, stored, isChanged]);

  const forget = (): void => sessionStorage.removeItem(key);
  return {
    draft,
    isChanged,
    isOutdated: agent !== null && isChanged && stored.since !== since,
    change: (part) => setStored({ ...stored, draft: { ...draft, ...part } }),
    reset: () => setStored(fresh),
    saved: (agentNow) => {
      forget();
      const values = draftOf(agentNow);
      setStored({ since: agentNow.updated_at, base: values, draft: values });
    },
    forget,
  };
}

const isSame = ({ base, draft }: Stored): boolean => JSON.stringify(draft) === JSON.stringify(base);

const storageKey = (agent: Blueprint | null, copyOf: Blueprint | undefined): string =>
  `orchd.agent.${agent ? `${agent.project ?? ''}:${agent.name}` : `new:${copyOf?.name ?? ''}`}`;

function readStored(key: string): Stored | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as Stored | null; // only this form writes it
  } catch {
    return null;
  }
}
