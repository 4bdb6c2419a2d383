/** Finds the fields of an agent's form that are refused, with the reasons, and those in its folded part. */
import type { SchemaError } from '../../protocol/index.js';
import { readJsonText } from '../code/json-text.js';
import { type AgentDraft, type DraftField, fieldOf } from './draft.js';

interface Refusal {
  readonly title: string;
  readonly words: string;
  /** True if the field is in the folded part of the form. */
  readonly isFar: boolean;
}

const TITLES: Readonly<Record<DraftField, string>> = {
  name: 'Name',
  description: 'Description',
  instructions: 'Instructions',
  prompt: 'Prompt',
  model: 'Model',
  adapter: 'Agent program',
  args: 'Arguments',
  env: 'Environment',
  tools: 'Tools',
  interactive: 'Runs in a terminal',
  result: 'Result',
  outputSchema: 'Custom Output Schema',
  takesInput: 'Input Schema',
  inputSchema: 'Input Schema',
  timeout: 'Time limit',
  maxTurns: 'Most turns',
  maxCost: 'Cost limit',
};
const FAR: ReadonlySet<DraftField> = new Set([
  'adapter',
  'model',
  'args',
  'env',
  'prompt',
  'interactive',
  'result',
  'tools',
  'timeout',
  'maxTurns',
  'maxCost',
]);

export function refusedFields(
  draft: AgentDraft,
  errors: readonly SchemaError[],
  problems: Readonly<Partial<Record<DraftField, readonly string[]>>>,
): Refusal[] {
  const schemas = ['outputSchema', 'inputSchema'] as const;
  const unread = Object.entries(problems).flatMap(([name, words]) => {
    const field = name as DraftField; // the keys of `problems` are fields of the draft
    const isSchema = schemas.some((one) => one === field);
    const about = isSchema && !readJsonText(String(draft[field])).ok ? 'this is no JSON. ' : '';
    return (words ?? []).slice(0, 1).map((one) => ({ field, words: `${about}${one}` }));
  });
  const judged = errors.map(({ path, message }) => ({ field: fieldOf(path), words: `${path.slice(2)}: ${message}` }));
  return [...unread, ...judged].slice(0, 20).map(({ field, words }) => ({
    title: field ? TITLES[field] : 'Definition',
    words,
    isFar: field !== null && FAR.has(field),
  }));
}

/** True if the folded part holds something. */
export const isFar = ({
  adapter,
  model,
  args,
  env,
  prompt,
  interactive,
  tools,
  timeout,
  maxTurns,
  maxCost,
}: AgentDraft): boolean =>
  [adapter, model, args, env, prompt, interactive, timeout, maxTurns, maxCost].some((one) => one !== '') ||
  tools.length > 0;
