/** The daemon's judgement of a definition while it is edited. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { BlueprintDefinition, SchemaError } from '../../protocol/index.js';
import { useLive } from '../live/live.js';

/** Delay from the last key to the check. */
const PAUSE_MS = 250;

interface Judgement {
  readonly errors: readonly SchemaError[];
  /** True until the newest definition is checked. */
  readonly isChecking: boolean;
}

export function useJudgement(definition: BlueprintDefinition): Judgement {
  const { api } = useLive();
  const [settled, setSettled] = useState(definition);
  const text = JSON.stringify(definition);
  const settledText = JSON.stringify(settled);
  useEffect(() => {
    if (text === settledText) return;
    // `text` is the JSON of a definition.
    const timer = setTimeout(() => setSettled(JSON.parse(text) as BlueprintDefinition), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, settledText]);
  const { data, isPlaceholderData, isFetching } = useQuery({
    queryKey: ['judgement', settledText],
    queryFn: ({ signal }) => api.call('blueprint.validate', { ...settled }, signal),
    placeholderData: keepPreviousData,
    gcTime: 10_000,
  });
  const isChecking = text !== settledText || isPlaceholderData || (isFetching && !data);
  return { errors: data?.errors ?? [], isChecking };
}
