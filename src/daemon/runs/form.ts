/** What the agent of a run is told of the form of its result: at its start, and once more when the result does not fit. Pure. */
import type { Run } from '../../protocol/index.js';
import { callInstructions, envelopeInstructions, schemaInstructions } from '../../results/index.js';

/** Null where its text is the result. */
export function formInstructions(
  run: Pick<Run, 'id' | 'blueprint' | 'adapter' | 'output_format' | 'output_schema' | 'tool'>,
): string | null {
  if (run.tool !== undefined) return callInstructions(run.tool);
  if (run.output_format === 'envelope') return envelopeInstructions(run.blueprint ?? run.adapter, run.id);
  return run.output_schema === null ? null : schemaInstructions(run.output_schema);
}
