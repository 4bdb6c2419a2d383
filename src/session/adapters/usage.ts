/**
 * Reads the usage of a request from an agent's record. Each agent names the numbers differently, so its adapter passes
 * them. A record may contain anything: what is no count is left out.
 */
import type { TranscriptItem } from './adapter.js';
import { asText } from './record.js';

/** Request ids are shorter; a longer one would fill the checkpoint of the session. */
const MAX_ID_CHARS = 200;
/** More than a request can use. A larger number is an error of the program, or a forged record. */
const MAX_COUNT = 1e12;

interface ReportedUsage {
  /** Each field is a list of numbers to add up. */
  readonly input: readonly unknown[];
  readonly output: readonly unknown[];
  readonly cached: readonly unknown[];
  readonly cost?: readonly unknown[];
}

/**
 * @param id Identifies the request; anything but a text: it has no id.
 * @returns  [] if the record contains no number.
 */
export function usage(id: unknown, { input, output, cached, cost = [] }: ReportedUsage): TranscriptItem[] {
  const told = {
    input_tokens: count(input),
    output_tokens: count(output),
    cached_input_tokens: count(cached),
    cost_usd: count(cost),
  };
  if (told.input_tokens === null && told.output_tokens === null && told.cost_usd === null) return [];
  const name = asText(id);
  return [{ kind: 'usage', ...(name !== null && name.length <= MAX_ID_CHARS && { id: name }), usage: told }];
}

/** Returns the sum of the values that are counts; null if none is. */
export function count(values: readonly unknown[]): number | null {
  const counts = values.filter(
    (value): value is number => typeof value === 'number' && value >= 0 && value < MAX_COUNT,
  );
  return counts.length === 0 ? null : counts.reduce((sum, value) => sum + value, 0);
}
