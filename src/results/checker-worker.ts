/**
 * The checker's thread, a separate bundle (dist/checker-worker.cjs). Foreign schemas and texts can keep it busy
 * forever. The checker then kills it. checker-messages.ts defines the messages.
 */
import { parentPort } from 'node:worker_threads';
import { READY, type Reply, type Request } from './checker-messages.js';
import { type CompiledSchema, checkSchema, compileSchema } from './schema-check.js';
import { checkText } from './verdict.js';

const port = parentPort;
if (!port) throw new Error('this file is a worker');

/**
 * Maximum number of cached schemas. Compiling takes longer than checking, and runs of one blueprint often follow each
 * other.
 */
const MAX_SCHEMAS = 20;
const compiled = new Map<string, CompiledSchema>();

function compile(text: string): CompiledSchema {
  const known = compiled.get(text);
  if (known) return known;
  const schema = compileSchema(JSON.parse(text));
  compiled.set(text, schema);
  const [oldest] = compiled.keys();
  if (compiled.size > MAX_SCHEMAS && oldest !== undefined) compiled.delete(oldest);
  return schema;
}

function answer({ schema: text, what, given, echo }: Request): Reply['answer'] {
  if (what === 'schema') {
    const errors = checkSchema(JSON.parse(text));
    return errors.length === 0 ? { ok: true, value: null } : { ok: false, errors };
  }
  const schema = compile(text);
  if (!schema.ok) return { ok: false, errors: schema.errors };
  if (what === 'text') return checkText(given, schema, echo);
  const value: unknown = JSON.parse(given);
  const errors = schema.check(value);
  return errors.length === 0 ? { ok: true, value } : { ok: false, errors };
}

port.on('message', (request: Request) => {
  const reply: Reply = { id: request.id, answer: answer(request) };
  port.postMessage(reply);
});
port.postMessage(READY);
