/** Reads lines of JSON that another program has written. Every field is checked, and nothing throws. */
import type { Reading, TranscriptItem } from './adapter.js';

export type Json = Readonly<Record<string, unknown>>;

export const NOTHING: Reading = { at: null, items: [] };

/** Parses a line as a JSON object; null if it is anything else. */
export function parseRecord(line: string): Json | null {
  try {
    return asObject(JSON.parse(line));
  } catch {
    return null;
  }
}

export const asObject = (value: unknown): Json | null =>
  // Json claims nothing about the fields of the object.
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;

export const asText = (value: unknown): string | null => (typeof value === 'string' ? value : null);

export function objectsIn(value: unknown): Json[] {
  if (!Array.isArray(value)) return [];
  return value.map(asObject).filter((one) => one !== null);
}

/** Returns the texts of a message's parts with one `type`; a plain string is one part. */
export function partTexts(content: unknown, type: string): string[] {
  if (typeof content === 'string') return [content];
  return objectsIn(content).flatMap((part) => (part['type'] === type ? (asText(part['text']) ?? []) : []));
}

/** @param time  ISO 8601, or milliseconds since the epoch. */
export function reading(time: unknown, items: readonly TranscriptItem[]): Reading {
  if (items.length === 0) return NOTHING;
  const at = typeof time === 'number' ? time : Date.parse(asText(time) ?? '');
  return { at: Number.isFinite(at) ? at : null, items };
}

export const text = (words: string): TranscriptItem[] => (words === '' ? [] : [{ kind: 'text', text: words }]);
export const prompt = (words: string): TranscriptItem[] => (words === '' ? [] : [{ kind: 'prompt', text: words }]);
export const IDLE: TranscriptItem = { kind: 'idle' };
/** The item for a hook's report that a turn has ended. */
export const RESTED = { kind: 'idle', by: 'hook' } as const satisfies TranscriptItem;

/** Returns the text of a permission request: the tool and its whole input. */
export function permissionText(tool: string, input: Json): string {
  const fields = Object.entries(input).map(([name, value]) => {
    return `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
  });
  return [`Permission to use ${tool}`, ...fields].join('\n');
}
