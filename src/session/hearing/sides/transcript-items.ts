/**
 * Transcript items in a note of the journal: `{items, places}`. The daemon of this, an earlier or a later version has
 * written them. Unknown items are left out, without an error.
 */
import type { TranscriptItem } from '../../adapters/index.js';
import { asObject, asText, type Json, objectsIn } from '../../adapters/record.js';
import { count } from '../../adapters/usage.js';

export interface TranscriptOffset {
  readonly path: string;
  /** Bytes of the file that are in the journal. */
  readonly offset: number;
}

interface TranscriptNote {
  readonly items: readonly TranscriptItem[];
  /** Null if the note contains none. */
  readonly places: readonly TranscriptOffset[] | null;
}

/** Maximum length of a request's id; ids are UUIDs. */
const MAX_ID_CHARS = 100;

/** @param data  The content of a note `transcript`. */
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
  if (kind === 'usage') return readUsage(item);
  const named = typeof id === 'string' && id.length <= MAX_ID_CHARS ? { id } : {};
  if (kind === 'decided') return [{ kind, ...named }];
  if (kind === 'attention') return typeof text === 'string' ? [{ kind, text, ...named }] : [];
  if (kind === 'text' || kind === 'prompt') return typeof text === 'string' ? [{ kind, text }] : [];
  if (kind !== 'session' || typeof agentSessionId !== 'string') return [];
  return [{ kind, agentSessionId, path: asText(path), isOld: isOld === true }];
}

function readUsage({ id, usage }: Json): TranscriptItem[] {
  const told = asObject(usage);
  if (told === null) return [];
  const number = (name: string): number | null => count([told[name]]);
  return [
    {
      kind: 'usage',
      ...(typeof id === 'string' && { id }),
      usage: {
        input_tokens: number('input_tokens'),
        output_tokens: number('output_tokens'),
        cached_input_tokens: number('cached_input_tokens'),
        cost_usd: number('cost_usd'),
      },
    },
  ];
}

function readPlace(place: Json): TranscriptOffset[] {
  const { path, offset } = place;
  return typeof path === 'string' && typeof offset === 'number' ? [{ path, offset }] : [];
}
