/** How large a tool's input may be: as large, and as deep, as a printed block. */
import { MAX_BLOCK_CHARS, MAX_JSON_DEPTH } from '../../ears/index.js';
import { OrchdError } from '../../protocol/index.js';

/** @throws {OrchdError} ORCHD_SCHEMA, ORCHD_TOO_LARGE */
export function checkSize(input: unknown): void {
  if (isDeeper(input, MAX_JSON_DEPTH)) {
    const message = `nested deeper than ${MAX_JSON_DEPTH}`;
    throw new OrchdError('ORCHD_SCHEMA', `the input is ${message}`, { errors: [{ path: '$', message }] });
  }
  const chars = JSON.stringify(input).length;
  if (chars <= MAX_BLOCK_CHARS) return;
  throw new OrchdError('ORCHD_TOO_LARGE', `the input has ${chars} characters; a tool takes ${MAX_BLOCK_CHARS}`);
}

/** Looks no deeper than `depth`. */
function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((one) => isDeeper(one, depth - 1));
}
