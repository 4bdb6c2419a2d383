/**
 * Replaces variables in prompts. Pure.
 *
 * In:   a prompt, and the known variables.
 * Out:  the prompt with their values: text unchanged, other values as compact JSON. `$$` gives a dollar sign, and a `$`
 *       that is not followed by a name is also kept. An unknown variable is kept as written.
 */
import { usesIn } from './syntax/index.js';

export type Values = ReadonlyMap<string, unknown>;

/** Returns a prompt with the values of its variables. */
export const interpolate = (prompt: string, values: Values): string =>
  prompt.replaceAll(/\$\$|\$([A-Za-z_]\w*)/g, (all, name: string | undefined) => {
    if (name === undefined) return '$';
    return values.has(name) ? textOf(values.get(name)) : all;
  });

/** Returns the variables in a prompt, each once, in the order of the text. */
export const variablesIn = (prompt: string): string[] => [...new Set(usesIn(prompt, 0, false).map(({ name }) => name))];

/** Formats a value for a prompt. Returns '' if the variable is unset. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
