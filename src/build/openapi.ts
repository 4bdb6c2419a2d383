/** Generates the OpenAPI 3.1 document: one path for each operation, and the protocol's shapes as components. */
import { ERRORS } from '../protocol/errors.js';
import { hasBody, OPERATIONS, type OperationEntry, type OperationName, shapeName } from '../protocol/operations.js';

type Json = Record<string, unknown>;
interface ObjectSchema {
  readonly properties?: Record<string, Json>;
  readonly required?: readonly string[];
}

const jsonContent = (schema: Json) => ({ 'application/json': { schema } });
const SCHEMAS = '#/components/schemas/';
const reference = (name: string) => ({ $ref: SCHEMAS + name });
const PROBLEM = { $ref: '#/components/responses/Problem' };
/** One event in each line, or in each `data` field. */
const EVENT_STREAMS = Object.fromEntries(
  ['application/x-ndjson', 'text/event-stream'].map((type) => [
    type,
    { schema: { anyOf: [reference('Event'), reference('GapEvent')] } },
  ]),
);

/**
 * @param shapes Every shape by name, with references that already point to `#/components/schemas/`.
 * @returns The whole document.
 */
export function openApi(shapes: Record<string, Json>): Json {
  const paths: Record<string, Json> = {};
  for (const [name, entry] of Object.entries(OPERATIONS) as [OperationName, OperationEntry][]) {
    const path = paths[entry.path] ?? {};
    paths[entry.path] = path;
    path[entry.method.toLowerCase()] = operation(name, entry, shapes[`${shapeName(name)}Input`] as ObjectSchema);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'orchd',
      version: '1',
      license: { name: 'MIT', identifier: 'MIT' },
      description: `Errors have a code of the catalogue: ${Object.keys(ERRORS).join(', ')}`,
    },
    servers: [{ url: 'http://127.0.0.1:8765' }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      responses: { Problem: { description: 'An error of the catalogue.', content: jsonContent(reference('Problem')) } },
      schemas: usedShapes(shapes, paths),
    },
  };
}

/** Returns the shapes that the operations refer to, directly or through other shapes. */
function usedShapes(shapes: Record<string, Json>, paths: Json): Record<string, Json> {
  const used = new Set(['Problem']);
  const follow = (text: string): void => {
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)["/]/g)) {
      if (used.has(name)) continue;
      used.add(name);
      follow(JSON.stringify(shapes[name]));
    }
  };
  follow(JSON.stringify([paths, shapes['Problem']]));
  return Object.fromEntries(Object.entries(shapes).filter(([name]) => used.has(name)));
}

function operation(name: OperationName, entry: OperationEntry, input: ObjectSchema): Json {
  const required = new Set(input.required ?? []);
  const inPath = new Set([...entry.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]));
  const fields = Object.entries(input.properties ?? {});
  const parameters = fields
    .filter(([field]) => inPath.has(field) || !hasBody(entry))
    .map(([field, schema]) => ({
      name: field,
      in: inPath.has(field) ? 'path' : 'query',
      required: inPath.has(field) || required.has(field),
      schema,
    }));
  const body = fields.filter(([field]) => !inPath.has(field));
  return {
    operationId: name,
    summary: entry.summary,
    description: `CLI: \`orchd ${entry.cli}\`.`,
    parameters,
    ...(hasBody(entry) && {
      requestBody: {
        content: jsonContent(
          inPath.size === 0
            ? reference(`${shapeName(name)}Input`)
            : {
                type: 'object',
                properties: Object.fromEntries(body),
                required: body.map(([field]) => field).filter((field) => required.has(field)),
              },
        ),
      },
    }),
    responses: {
      [entry.status ?? 200]: {
        description: 'Done.',
        content: { ...jsonContent(reference(`${shapeName(name)}Output`)), ...(entry.streams && EVENT_STREAMS) },
      },
      '4XX': PROBLEM,
      default: PROBLEM,
    },
  };
}
