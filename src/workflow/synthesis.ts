/**
 * Builds the prompt with which a goal combines the results of its agents. Pure.
 *
 * The goal's own prompt is followed by the exact block that the documentation shows. An agent without outputs
 * contributes its text. A goal without outputs is asked for text.
 */
import { textOf } from './interpolate.js';
import type { Output } from './workflow.js';

export interface Contribution {
  readonly agent: string;
  readonly outputs: readonly Output[];
  /** An object with the outputs; a text if there are none. */
  readonly result: unknown;
}

/** @param prompt  The goal's prompt with its variables filled in. */
export function synthesisPrompt(
  prompt: string,
  contributions: readonly Contribution[],
  outputs: readonly Output[],
): string {
  const sections = contributions.map(({ agent, outputs: fields, result }) => `## ${agent}\n${body(fields, result)}`);
  const wanted =
    outputs.length === 0
      ? 'Synthesize these into one text.'
      : `Synthesize these into:\n${outputs.map(({ name }) => `- ${name}`).join('\n')}\n\nRespond as JSON.`;
  return [prompt, 'You have received outputs from multiple agents:', ...sections, wanted].join('\n\n');
}

function body(fields: readonly Output[], result: unknown): string {
  if (fields.length === 0) return textOf(result);
  const values = new Map(Object.entries(result ?? {}));
  return fields.map(({ name }) => `- ${name}: ${textOf(values.get(name))}`).join('\n');
}
