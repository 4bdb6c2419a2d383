/**
 * Generates files from other files: src/protocol/generated from protocol/*.schema.json (types, standalone validators),
 * the inputs of tools, the OpenAPI document, the envelopes' schemas, the pages of docs/reference, the man page, the
 * list in protocol/screen.md, and the tables in protocol/lifecycle.md and docs/internals/architecture.md.
 *
 * Run by `npm run generate`. A test fails if a file is stale. The schemas are the source of truth.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneModule from 'ajv/dist/standalone/index.js';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { ITEM_BADGES, MESSAGE_KINDS, MESSAGES } from '../protocol/messages/index.js';
import { hasBody, OPERATIONS, type OperationEntry, type OperationName, shapeName } from '../protocol/operations.js';
import { TOOL_SHAPES } from '../protocol/tool-shapes.js';
import { envelopeSchemas } from './envelope-schemas.js';
import { renewLifecyclePage } from './lifecycle-page.js';
import { openApi } from './openapi.js';
import { referencePages } from './reference/index.js';
import { renewScreenPage } from './screen-page.js';

const ROOT = join(import.meta.dirname, '../..');
const SCHEMAS = join(ROOT, 'protocol');
const COMMON = 'common.schema.json';
const NOTICE = 'Generated from protocol/ by `npm run generate`; do not edit.';
/** The width of the formatter. */
const LINE_COLUMNS = 120;
type Schema = Record<string, unknown>;

/** Returns the common schema, with the message types, the item types and the tools of src/protocol. */
function commonSchema(): string {
  return [
    { before: /"ItemType": \{/, names: Object.keys(ITEM_BADGES) },
    { before: /"Message": \{[^[]*\[[^\]]*\][^[]*"type": \{/, names: Object.keys(MESSAGES) },
    { before: /"BlueprintTool": \{\s*"type": "string",/, names: toolNames() },
  ].reduce(withList, readFileSync(join(SCHEMAS, COMMON), 'utf8'));
}

/** Replaces the names of an `enum`. It stands in one line, as the formatter wants it, or in a line for each name. */
function withList(schema: string, { before, names }: { readonly before: RegExp; readonly names: readonly string[] }) {
  const place = new RegExp(`(?<=${before.source}\\n( *))"enum": \\[[^\\]]*\\](,?)`);
  return schema.replace(place, (_all, indent: string, comma: string) => {
    const quoted = names.map((name) => `"${name}"`);
    const line = `"enum": [${quoted.join(', ')}]${comma}`;
    if (indent.length + line.length <= LINE_COLUMNS) return line;
    return `"enum": [\n${indent}  ${quoted.join(`,\n${indent}  `)}\n${indent}]${comma}`;
  });
}

/** Returns the names of all tools: those of messages in the order of their descriptors, then the others. */
function toolNames(): readonly string[] {
  const tools = MESSAGE_KINDS.flatMap(([, { tool }]) => (tool ? [tool] : []));
  const ofMessages = tools.sort((one, other) => one.place - other.place).map(({ name }) => name);
  return [...ofMessages, ...Object.keys(TOOL_SHAPES)];
}

const readSchema = (...path: string[]): Schema =>
  JSON.parse(path[0] === COMMON ? commonSchema() : readFileSync(join(SCHEMAS, ...path), 'utf8'));

/** Returns the `$defs` of a schema file. */
const definitions = (name: string) => readSchema(`${name}.schema.json`)['$defs'] as Record<string, Schema>;

/** Rewrites every reference so that all of them point into one document. */
function rebase<T>(value: T, prefix: string): T {
  return JSON.parse(
    JSON.stringify(value).replaceAll(
      /"\$ref":"[^"#]*#\/\$defs\/([^"]+)"/g,
      (_all, name) => `"$ref":"${prefix}${name}"`,
    ),
  );
}

/** This event exists only in streams: it says which records are missing in the log. */
const NO_RECORD = 'GapEvent';

/** Returns all shapes by name: common ones, events, operations, messages. */
function collectShapes(): Record<string, Schema> {
  const events = readSchema('events.schema.json');
  const shapes: Record<string, Schema> = {};
  for (const file of ['common', 'events', 'operations'])
    Object.assign(shapes, readSchema(`${file}.schema.json`)['$defs']);
  for (const file of readdirSync(join(SCHEMAS, 'messages')).sort()) {
    const { $schema: _s, $id: _i, ...schema } = readSchema('messages', file);
    shapes[`${schema['title']}Message`] = { ...schema, title: `${schema['title']}Message` };
  }
  shapes['Event'] = { description: 'One record of the durable log.', oneOf: listedEvents(events) };
  return shapes;
}

/**
 * Returns the list of all events at the beginning of protocol/events.schema.json.
 * @throws {Error} if it lacks an event that the file defines.
 */
function listedEvents({ oneOf, $defs }: Schema): unknown {
  const listed = new Set((oneOf as { $ref: string }[]).map(({ $ref }) => $ref));
  for (const [name, { properties = {} }] of Object.entries($defs as Record<string, { properties?: object }>)) {
    if (!('event_type' in properties) || name === NO_RECORD || listed.has(`#/$defs/${name}`)) continue;
    throw new Error(`protocol/events.schema.json defines ${name}: add it to \`oneOf\` at the beginning of the file`);
  }
  return oneOf;
}

/** Returns the types of all shapes, and a union of the messages, which `type` tells apart. */
async function generateTypes(shapes: Record<string, Schema>): Promise<string> {
  const whole = rebase({ title: 'Shapes', type: 'object', $defs: shapes }, '#/$defs/') as JSONSchema;
  const text = await compile(whole, 'Shapes', {
    bannerComment: `/** ${NOTICE} */`,
    unreachableDefinitions: true,
    additionalProperties: true,
    style: { singleQuote: true, printWidth: 120 },
    strictIndexSignatures: true,
    ignoreMinAndMaxItems: true,
  });
  const messages = Object.keys(shapes).filter((name) => /.Message$/.test(name));
  return `${text}export type TypedMessage = ${messages.join(' | ')};\n`
    .replace(/export interface Shapes \{\s*(\[k: string\]: unknown( \| undefined)?;?\s*)?\}\n?/, '')
    .replaceAll(
      /^ \* ?\n \* This interface was referenced by `Shapes`'s JSON-Schema\n \* via the `definition` ".*"\.\n/gm,
      '',
    )
    .replaceAll(
      /\/\*\*\n \* This interface was referenced by `Shapes`'s JSON-Schema\n \* via the `definition` ".*"\.\n \*\/\n/g,
      '',
    )
    .replaceAll(/^( *)\/\*\*\n *\* (.*)\n *\*\/$/gm, inOneLine);
}

/** Writes a comment of one line as such, if it fits, as in the rest of the code. */
function inOneLine(lines: string, indent: string, words: string): string {
  const line = `${indent}/** ${words} */`;
  return line.length <= LINE_COLUMNS ? line : lines;
}

function generateValidators(shapes: Record<string, Schema>): string {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    allowUnionTypes: true,
    strictRequired: false,
    strictTypes: false,
    code: { source: true, esm: true },
  });
  ajv.addSchema({ $id: 'orchd', $defs: rebase(shapes, '#/$defs/') });
  const wanted = Object.keys(shapes).filter((name) => /.Message$|Input$|^BlueprintDefinition$/.test(name));
  const refs = Object.fromEntries(wanted.map((name) => [`validate${name}`, `orchd#/$defs/${name}`]));
  // its types declare a namespace
  const standalone = standaloneModule as unknown as (ajv: Ajv2020, refs: Record<string, string>) => string;
  const code = standalone(ajv, refs).replace('"use strict";', '');
  if (/require\(/.test(code))
    throw new Error('a validator needs a runtime module of ajv; express the schema without it');
  return `// @ts-nocheck ${NOTICE}\n${code.replaceAll(';export const', ';\nexport const').replaceAll('function validate', '\nfunction validate')}\n`;
}

/** Query values are text. Lists the fields of other types in operations without a body, so that they are converted. */
function generateQueryTypes(shapes: Record<string, Schema>): string {
  const types: Record<string, Record<string, unknown>> = {};
  for (const [name, entry] of Object.entries(OPERATIONS) as [OperationName, OperationEntry][]) {
    if (hasBody(entry)) continue;
    // a JSON Schema
    const properties = (shapes[`${shapeName(name)}Input`]?.['properties'] ?? {}) as Record<string, Schema>;
    const fields = Object.entries(properties).filter(([, { type }]) => type !== 'string' && type !== undefined);
    if (fields.length > 0) types[name] = Object.fromEntries(fields.map(([field, { type }]) => [field, type]));
  }
  const value = JSON.stringify(types, null, 2);
  return (
    `/** ${NOTICE} Which query fields of each operation without a body are not text. */\nexport const ` +
    `QUERY_TYPES: Record<string, Record<string, string> | undefined> = ${value};\n`
  );
}

/**
 * Returns the schema of each tool's input. The key is the message type if the tool sends a message, otherwise the
 * tool's name.
 */
function toolInputs(): Record<string, Schema> {
  const inputs = readdirSync(join(SCHEMAS, 'messages'))
    .sort()
    .map(
      (file) => (readSchema('messages', file) as { properties: { type: { const: string }; data: Schema } }).properties,
    )
    .filter(({ type }) => type.const !== 'OUTPUT')
    .map(({ type, data: { description: _aboutExtraFields, ...data } }) => [type.const, data]);
  const operations = definitions('operations');
  const inputOf = (shape: string): Schema => {
    const { description: _ofTheShape, ...input } = operations[shape] ?? {};
    return input;
  };
  return {
    ...Object.fromEntries(inputs),
    ...Object.fromEntries(Object.entries(TOOL_SHAPES).map(([name, shape]) => [name, inputOf(shape)])),
  };
}

const generateInputs = (): string =>
  `/** ${NOTICE} The schema of each message's data, and of what is not a message. */\nexport const INPUTS = ` +
  `${JSON.stringify(toolInputs(), null, 2)} as const;\n`;

/** Returns the content of each generated file, by its path from the root. */
export async function generate(): Promise<Record<string, string>> {
  const shapes = collectShapes();
  return {
    'protocol/common.schema.json': commonSchema(),
    'src/protocol/generated/types.ts': await generateTypes(shapes),
    'src/protocol/generated/validators.ts': generateValidators(shapes),
    'src/protocol/generated/query-types.ts': generateQueryTypes(shapes),
    ...envelopeSchemas(readSchema('messages', 'output.schema.json')),
    'src/tools/generated/inputs.ts': generateInputs(),
    ...referencePages({
      common: definitions('common'),
      events: definitions('events'),
      operations: definitions('operations'),
      messages: readdirSync(join(SCHEMAS, 'messages'))
        .sort()
        .map((file) => readSchema('messages', file)),
      toolInputs: toolInputs(),
      limitsPage: readFileSync(join(ROOT, 'docs/reference/limits.md'), 'utf8'),
      architecturePage: readFileSync(join(ROOT, 'docs/internals/architecture.md'), 'utf8'),
    }),
    'protocol/lifecycle.md': renewLifecyclePage(readFileSync(join(SCHEMAS, 'lifecycle.md'), 'utf8')),
    'protocol/screen.md': renewScreenPage(
      readFileSync(join(SCHEMAS, 'screen.md'), 'utf8'),
      readFileSync(join(ROOT, 'fixtures/conformance/differences.json'), 'utf8'),
    ),
    'protocol/openapi.json': `${JSON.stringify(openApi(rebase(shapes, '#/components/schemas/')), null, 2)}\n`,
  };
}

if (process.argv[1] === import.meta.filename) {
  for (const [path, text] of Object.entries(await generate())) {
    writeFileSync(join(ROOT, path), text);
    process.stdout.write(`${path}\n`);
  }
}
