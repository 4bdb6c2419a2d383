/** Describes the type of a field of a tool's input. Pure. */
import type { PropertySchema } from './tool.js';

/** Returns, for example, `string` or `one of low, medium or high`. */
export function fieldKind({ type, enum: values }: PropertySchema): string {
  if (values !== undefined) return `one of ${values.map(String).join(', ')}`.replace(/, ([^,]*)$/, ' or $1');
  return type ?? 'any value';
}
