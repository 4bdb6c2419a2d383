/**
 * Transcript items in a note of the journal: `{items, places}`, written by the daemon of this version, of an earlier or
 * of a later one. Unknown items are left out, without an error.
 */
import type { TranscriptItem } from '../adapters/index.js';
import { asObject, asText, type Json, objectsIn } from '../adapters/record.js';

export interface TranscriptPlace {
  readonly path: string;
  /** Bytes of the file that are in the journal. */
  readonly offset: number;
}

interface TranscriptNote {
  readonly items: readonly TranscriptItem[];
  /** Null where it says nothing of them. */
  readonly places: readonly TranscriptPlace[] | null;
}

/** Ids of requests are UUIDs. */
const MAX_ID_CHARS = 100;

/** @param data  Of a note `transcript`. */
export function readTranscriptNote(data: unknown): TranscriptNote {
  const note = asObject(data);
  const places = note?.['places'];
  return {
    items: objectsIn(note?.['items']).flatMap(readItem),
    places: Array.isArray(places) ? objectsIn(places).flatMap(readPlace) : null,
  };
}

function readItem(item: Json): TranscriptItem[] {
  const { kind, text, agentSessionId, path, isOld, by, after, id } = item;
  if (kind === 'idle') {
    return [by === 'hook' ? { kind, by, ...(typeof after === 'string' && { after }) } : { kind }];
  }
  if (kind === 'local') return [{ kind }];
  const named = typeof id === 'string' && id.length <= MAX_ID_CHARS ? { id } : {};
  if (kind === 'decided') return [{ kind, ...named }];
  if (kind === 'attention') return typeof text === 'string' ? [{ kind, text, ...named }] : [];
  if (kind === 'text' || kind === 'prompt') return typeof text === 'string' ? [{ kind, text }] : [];
  if (kind !== 'session' || typeof agentSessionId !== 'string') return [];
  return [{ kind, agentSessionId, path: asText(path), isOld: isOld === true }];
}

function readPlace(place: Json): TranscriptPlace[] {
  const { path, offset } = place;
  return typeof path === 'string' && typeof offset === 'number' ? [{ path, offset }] : [];
}
