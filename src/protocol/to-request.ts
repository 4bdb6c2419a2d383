/** Puts the input of an operation into a request, as the operation table defines. */
import { OrchdError } from './errors.js';
import { hasBody, type InputOf, OPERATIONS, type OperationName } from './operations.js';

interface WireRequest {
  readonly path: string;
  readonly body?: string;
}

/**
 * Builds the HTTP request of an operation. Fields named in the path go into the path. The others go into the query of a
 * GET or DELETE (lists repeated) or into the JSON body.
 */
export function toRequest<N extends OperationName>(name: N, input: InputOf<N>): WireRequest {
  const { path } = OPERATIONS[name];
  const fields = new Map<string, unknown>(Object.entries(input));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, field: string) => {
    const value = fields.get(field);
    fields.delete(field);
    return encodeURIComponent(String(value));
  });
  if (hasBody(OPERATIONS[name])) return { path: filled, body: toBody(fields) };
  const query = [...fields].flatMap(([field, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((one) =>
      one === undefined || one === null ? [] : [`${inQuery(field)}=${inQuery(String(one))}`],
    ),
  );
  return { path: query.length > 0 ? `${filled}?${query.join('&')}` : filled };
}

const inQuery = (text: string): string => encodeURIComponent(text).replaceAll('%20', '+');

/** @throws {OrchdError} ORCHD_INVALID for values nested so deeply that they cannot be written as JSON. */
function toBody(fields: ReadonlyMap<string, unknown>): string {
  try {
    return JSON.stringify(Object.fromEntries(fields));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new OrchdError('ORCHD_INVALID', 'the input is nested too deeply', undefined, error);
  }
}
