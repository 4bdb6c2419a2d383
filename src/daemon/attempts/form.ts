/**
 * Returns the instructions about the form of a run's result: for its start, and for a result that does not match. Pure.
 */
import type { Run } from '../../protocol/index.js';
import { callInstructions, envelopeInstructions, schemaInstructions } from '../../results/index.js';

/** Returns null if the result is plain text. */
export function formInstructions(
  run: Pick<Run, 'id' | 'blueprint' | 'adapter' | 'output_format' | 'output_schema' | 'tool'>,
): string | null {
  if (run.tool !== undefined) return callInstructions(run.tool);
  if (run.output_format === 'envelope') return envelopeInstructions(run.blueprint ?? run.adapter, run.id);
  return run.output_schema === null ? null : schemaInstructions(run.output_schema);
}
