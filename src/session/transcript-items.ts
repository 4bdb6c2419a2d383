/**
 * Transcript items in a note of the journal: `{items, places}`, written by the daemon of this version, of an earlier or of a later one.
 * What is not understood is left out; nothing throws.
 */
import type { TranscriptItem } from './adapters/index.js';

export interface TranscriptPlace {
  readonly path: string;
  /** Bytes of the file that are in the journal. */
  readonly offset: number;
}

export interface TranscriptNote {
  readonly items: readonly TranscriptItem[];
  /** Null where it says nothing of them. */
  readonly places: readonly TranscriptPlace[] | null;
}

/** @param data  Of a note `transcript`. */
export function readTranscriptNote(data: unknown): TranscriptNote {
  if (!isObject(data)) return { items: [], places: null };
  const { items, places } = data;
  return {
    items: Array.isArray(items) ? items.flatMap(readItem) : [],
    places: Array.isArray(places) ? places.flatMap(readPlace) : null,
  };
}

function readItem(item: unknown): TranscriptItem[] {
  if (!isObject(item)) return [];
  const { kind, text, agentSessionId, path, isOld } = item;
  if (kind === 'idle') return [{ kind }];
  if (kind === 'text' || kind === 'prompt' || kind === 'attention') {
    return typeof text === 'string' ? [{ kind, text }] : [];
  }
  if (kind !== 'session' || typeof agentSessionId !== 'string') return [];
  return [{ kind, agentSessionId, path: typeof path === 'string' ? path : null, isOld: isOld === true }];
}

function readPlace(place: unknown): TranscriptPlace[] {
  if (!isObject(place)) return [];
  const { path, offset } = place;
  return typeof path === 'string' && typeof offset === 'number' ? [{ path, offset }] : [];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
