/** The JSON Schema of the outputs of a GOAL or an AGENT: `-> score: number, verdict: "yes" | "no"`. Pure. */
import type { Output } from './workflow.js';

type Schema = Readonly<Record<string, unknown>>;

/** @returns Null without outputs: the result is then text. */
export function outputSchema(outputs: readonly Output[]): Schema | null {
  if (outputs.length === 0) return null;
  return {
    type: 'object',
    properties: Object.fromEntries(outputs.map((output) => [output.name, typeSchema(output)])),
    required: outputs.map(({ name }) => name),
  };
}

function typeSchema({ type, is_list, choices }: Output): Schema {
  const one: Schema = type === 'choice' ? { enum: [...choices] } : type === 'any' ? {} : { type };
  return is_list ? { type: 'array', items: one } : one;
}
