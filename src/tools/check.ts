/**
 * Checks a tool's input with the schema of its message, so that a tool call and a printed message follow the same
 * rules.
 */
import { OrchdError, type SchemaError, validateMessage, validateToolInput } from '../protocol/index.js';
import type { Tool } from './tool.js';

/** Returns errors with their paths within the input; [] for a valid one. */
function inputErrors(tool: Tool, input: unknown): SchemaError[] {
  if (tool.message === null) return validateToolInput(tool.name, input);
  const errors = validateMessage(tool.message, { type: tool.message, data: input });
  return errors.map(({ path, message }) => ({ path: path.replace(/^\$\.data/, '$'), message }));
}

/** @throws {OrchdError} ORCHD_SCHEMA with every error in `details.errors`. */
export function checkInput(tool: Tool, input: unknown): void {
  const errors = inputErrors(tool, input);
  if (errors.length === 0) return;
  const summary = errors.map(({ path, message }) => `${path}: ${message}`).join('; ');
  throw new OrchdError('ORCHD_SCHEMA', `the input of ${tool.name} does not fit: ${summary}`, { errors });
}
