/** What a field of a tool's input takes, in words. Pure. */
import type { PropertySchema } from './tool.js';

/** `string`; `one of low, medium or high`. */
export function fieldKind({ type, enum: values }: PropertySchema): string {
  if (values !== undefined) return `one of ${values.map(String).join(', ')}`.replace(/, ([^,]*)$/, ' or $1');
  return type ?? 'any value';
}
