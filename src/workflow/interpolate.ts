/**
 * Variables in prompts. Pure.
 *
 * In:   a prompt, and the variables that are known.
 * Out:  the prompt with their values: text as it is, anything else as compact JSON. `$$` is a dollar sign; `$` before
 *       anything but a name is one, too. A variable that is not known stays as it is.
 */
import { usesIn } from './literal.js';

export type Values = ReadonlyMap<string, unknown>;

export const interpolate = (prompt: string, values: Values): string =>
  prompt.replaceAll(/\$\$|\$([A-Za-z_]\w*)/g, (all, name: string | undefined) => {
    if (name === undefined) return '$';
    return values.has(name) ? textOf(values.get(name)) : all;
  });

/** Those in a prompt, each once, in the order of the text. */
export const variablesIn = (prompt: string): string[] => [...new Set(usesIn(prompt, 0, false).map(({ name }) => name))];

/** A value as it stands in a prompt; nothing for what nobody set. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
