/**
 * The note `hook`: the question of an agent's hook that waits for an answer. The daemon writes it to the journal before
 * it uses it (protocol/journal.md). Notes `tool` record the delivery of the answer, as for any call.
 */
import type { HookAsk } from '../../../ears/index.js';
import { asObject, asText } from '../../adapters/record.js';

export const HOOK_NOTE = 'hook';

export interface HookNote extends HookAsk {
  readonly text: string;
}

/** Returns null for data of another shape, as another version may have written it. */
export function readHookNote(data: unknown): HookNote | null {
  const note = asObject(data);
  const [callId, text] = [asText(note?.['callId']), asText(note?.['text'])];
  const choices = note?.['choices'];
  if (callId === null || text === null || !Array.isArray(choices)) return null;
  const labels = choices.filter((label) => typeof label === 'string');
  return { callId, text, shows: asText(note?.['shows']), choices: labels };
}
