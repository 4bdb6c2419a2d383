/** Builds an operation's input from a request: path, query and body, validated with the operation's schema. */

import {
  hasBody,
  type InputOf,
  OPERATIONS,
  type OperationName,
  OrchdError,
  QUERY_TYPES,
  validateInput,
} from '../../protocol/index.js';

/** Maximum number of errors in the message of a refusal. The details contain all of them. */
const MAX_SHOWN_ERRORS = 20;

type Fields = Record<string, unknown>;

/** @throws {OrchdError} ORCHD_INVALID with every error in `details.errors`. */
export function readInput<N extends OperationName>(
  operation: N,
  params: Fields,
  query: URLSearchParams,
  body: unknown,
): InputOf<N> {
  const isInBody = hasBody(OPERATIONS[operation]);
  if (isInBody && body !== undefined && body !== null && (typeof body !== 'object' || Array.isArray(body))) {
    throw new OrchdError('ORCHD_INVALID', 'the body must be a JSON object');
  }
  const fields: Fields = {
    ...(isInBody ? (body as Fields | null | undefined) : fromQuery(operation, query)),
    ...params,
  };
  const errors = validateInput(operation, fields);
  if (errors.length > 0) {
    const shown = errors.slice(0, MAX_SHOWN_ERRORS);
    const summary = shown.map(({ path, message }) => `${path}: ${message}`).join('; ');
    const more = errors.length > shown.length ? `; and ${errors.length - shown.length} more` : '';
    throw new OrchdError('ORCHD_INVALID', `the input does not fit: ${summary}${more}`, { errors });
  }
  return fields as InputOf<N>; // validated above
}

/** Converts query values, which are text, to the numbers, booleans or lists that the schema requires. */
function fromQuery(operation: OperationName, query: URLSearchParams): Fields {
  const types = QUERY_TYPES[operation] ?? {};
  const fields: Fields = {};
  for (const name of new Set(query.keys())) {
    const type = types[name];
    const value = query.get(name) ?? '';
    if (type === 'array') fields[name] = query.getAll(name).flatMap((entry) => entry.split(','));
    else if (type === 'boolean')
      fields[name] =
        value === '' || value === 'true' || value === '1' ? true : value === 'false' || value === '0' ? false : value;
    else if (type === 'integer') fields[name] = /^-?\d+$/.test(value) ? Number(value) : value;
    else fields[name] = value;
  }
  return fields;
}
