/**
 * Sends odd input to every operation of the API: strings with NUL and lone surrogates, paths that are devices, pipes
 * and links to themselves, huge numbers, wrong types and missing fields. Inputs are made from the schemas of the
 * operations, so that most of them are taken as valid.
 *
 * The test does not hold if the daemon calls an input a bug of its own (status 500), if a reply to another client takes
 * longer than STUCK_MS, or if the daemon has been replaced at the end.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { hasBody, OPERATIONS, type OperationEntry } from '../../src/protocol/index.js';
import { createRandom } from '../harness/random.js';
import { createHome } from './parts/home.js';
import type { HardTest } from './run.js';

const SCHEMAS = join(import.meta.dirname, '../../protocol');
/** The test does not wait longer for a reply, because some operations wait on purpose. */
const PATIENCE_MS = 2_000;
const STUCK_MS = 2_000;
const PARALLEL = 4;
/** Odd input ends and removes sessions, so a new one is started after this many requests. */
const FRESH_EVERY = 100;
const TOLD_SLOW = 5;
/** These operations would end the daemon under test. */
const ENDS = new Set(['daemon.stop', 'daemon.restart']);
const SCRIPT = `echo ':ORCHESTRATOR: QUESTION - Which?'; cat`;

type Json = Readonly<Record<string, unknown>>;
type Random = ReturnType<typeof createRandom>;

const STRINGS = [
  '',
  ' ',
  'x',
  'a\0b',
  '\ud800',
  '\u202e',
  '\u{e0041}',
  '\r\n',
  '\x1b[31m',
  '%',
  '%00',
  '../../..',
  '-x',
  '--help',
  '__proto__',
  'constructor',
  'toString',
  '(',
  '(a+)+$',
  '\\',
  '$(true)',
  '*',
  'null',
  '0',
  '-1',
  '1e999',
  'é',
  '漢字',
  'x'.repeat(300),
  'x'.repeat(70_000),
  '\u0301'.repeat(3000),
  '{"a":1}',
  '[',
  '2026-02-30T00:00:00Z',
  'true',
];
const NUMBERS = [0, 1, -1, 2, 0.5, 1e9, 2 ** 31, 2 ** 53, -(2 ** 53), 1e308, 1e-300];

export const hard: HardTest = {
  summary: 'odd input for every operation of the API',
  options: ['--seconds N   how long (120)', '--seed N      other inputs; printed at the start'],
  async run(args) {
    const { values } = parseArgs({ args, options: { seconds: { type: 'string' }, seed: { type: 'string' } } });
    const seed = Number(values.seed ?? Date.now() % 1e6);
    const until = Date.now() + Number(values.seconds ?? 120) * 1000;
    console.log(`api: seed ${seed}`);
    const folder = mkdtempSync(join(tmpdir(), 'orchd-odd-'));
    const home = createHome();
    try {
      const paths = makePaths(folder);
      await home.must(['start', '--detach', '--no-tcp']);
      const { daemon } = await home.client.call('daemon.status', {});
      const known: string[] = [];
      const refresh = async (): Promise<void> => {
        const { id, name } = await home.client.call('session.start', { command: ['sh', '-c', SCRIPT], cwd: folder });
        const open = await home.client.call('inbox.list', {});
        known.splice(0, known.length, id, name, ...open.slice(-2).map((item) => item.id));
      };
      await refresh();
      const maker = createMaker(createRandom(seed), { paths, known });
      const names = Object.keys(OPERATIONS).filter((name) => !ENDS.has(name));
      const tried: Tried[] = [];
      let at = 0;
      const work = async (): Promise<void> => {
        while (Date.now() < until) {
          if (++at % FRESH_EVERY === 0) await refresh();
          const name = names[at % names.length] ?? '';
          const { method, path, body } = maker(name);
          tried.push({ name, body, ...(await send(home.paths.socket, method, path, body)) });
        }
      };
      const waits: number[] = [];
      const watch = async (): Promise<void> => {
        while (Date.now() < until) {
          const { ms, status } = await send(home.paths.socket, 'GET', '/api/status', undefined);
          waits.push(status === 200 ? ms : Number.POSITIVE_INFINITY);
        }
      };
      await Promise.all([watch(), ...Array.from({ length: PARALLEL }, work)]);
      const now = await home.client.call('daemon.status', {});
      if (now.daemon.pid !== daemon.pid) throw new Error('the daemon was replaced');
      report(tried, waits);
    } finally {
      await home.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

interface Tried {
  readonly name: string;
  readonly body: string | undefined;
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

function report(tried: readonly Tried[], waits: readonly number[]): void {
  const count = new Map<number, number>();
  for (const { status } of tried) count.set(status, (count.get(status) ?? 0) + 1);
  const counts = [...count].sort(([a], [b]) => a - b).map(([status, times]) => `${status || 'none'}: ${times}`);
  const slowest = Math.max(...waits);
  console.log(`api: ${tried.length} requests, replies ${counts.join(', ')}; others waited up to ${slowest} ms`);
  const bySlowness = tried.filter(({ status }) => status > 0).sort((a, b) => b.ms - a.ms);
  for (const { name, ms, status, body } of bySlowness.slice(0, TOLD_SLOW))
    console.log(`api: ${name} took ${ms} ms, ${status}, for ${body?.slice(0, 200)}`);
  const bugs = new Map(tried.filter(({ status }) => status >= 500).map((one) => [`${one.name} ${one.text}`, one]));
  for (const { name, body, status, text } of bugs.values())
    console.log(`api: ${name} ${status}: ${text.slice(0, 300)} for ${body?.slice(0, 300)}`);
  if (bugs.size > 0) throw new Error(`${bugs.size} replies call an input a bug`);
  if (slowest > STUCK_MS) throw new Error(`another client waited for ${slowest} ms`);
}

/** Paths of everything that is no plain file. */
function makePaths(folder: string): string[] {
  const at = (name: string): string => join(folder, name);
  mkdirSync(at('folder'));
  execFileSync('mkfifo', [at('pipe')]);
  symlinkSync('loop', at('loop'));
  symlinkSync('/etc/passwd', at('link'));
  writeFileSync(at('empty'), '');
  writeFileSync(at('bytes'), Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 7) % 256)));
  writeFileSync(at('huge'), '');
  truncateSync(at('huge'), 2 ** 34);
  const own = ['folder', 'pipe', 'loop', 'link', 'empty', 'bytes', 'huge', 'none', 'folder/../bytes', 'a\0b', ''];
  const more = [at('x'.repeat(300)), at('d/'.repeat(3000)), '/dev/zero', '/dev/null/x', '/proc/self/mem', '/dev/tty'];
  return [...own.map(at), ...more];
}

/** Makes requests for an operation from the schema of its input. */
function createMaker(random: Random, { paths, known }: { paths: readonly string[]; known: readonly string[] }) {
  const read = (file: string): Json => JSON.parse(readFileSync(join(SCHEMAS, file), 'utf8')) as Json;
  const files = new Map<string, Json>();
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)] as T; // none is empty
  const odd = (): unknown =>
    pick<() => unknown>([() => pick(STRINGS), () => pick(NUMBERS), () => null, () => [], () => ({})])();

  function follow(reference: string, file: string): [Json, string] {
    const [other, pointer = ''] = reference.split('#');
    const name = other === '' || other === undefined ? file : other;
    if (!files.has(name)) files.set(name, read(name));
    let value: unknown = files.get(name);
    for (const part of pointer.split('/').filter(Boolean)) value = (value as Json)[part];
    return [value as Json, name];
  }

  function make(schema: Json, file: string, depth: number): unknown {
    if (random.below(40) === 0) return odd();
    if (typeof schema['$ref'] === 'string') return make(...follow(schema['$ref'], file), depth + 1);
    for (const word of ['anyOf', 'oneOf']) {
      if (Array.isArray(schema[word])) return make(pick(schema[word] as Json[]), file, depth + 1);
    }
    if (schema['const'] !== undefined) return schema['const'];
    if (Array.isArray(schema['enum'])) return pick(schema['enum']);
    const type = Array.isArray(schema['type']) ? pick(schema['type'] as string[]) : schema['type'];
    if (type === 'boolean') return random.below(2) === 0;
    if (type === 'integer' || type === 'number') return number(schema);
    if (type === 'string') return string(schema);
    if (type === 'array') {
      const count = random.below(50) === 0 ? 2000 : random.below(4);
      return Array.from({ length: count }, () => make((schema['items'] ?? {}) as Json, file, depth + 1));
    }
    if (type === 'object' && depth < 6) return object(schema, file, depth);
    return odd();
  }

  function object(schema: Json, file: string, depth: number): Json {
    const required = new Set((schema['required'] ?? []) as string[]);
    const made: Record<string, unknown> = {};
    for (const [name, own] of Object.entries((schema['properties'] ?? {}) as Record<string, Json>)) {
      const isIn = required.has(name) ? random.below(30) > 0 : random.below(3) === 0;
      if (isIn) made[name] = isSelector(name) && random.below(3) > 0 ? pick(known) : make(own, file, depth + 1);
    }
    const more = schema['additionalProperties'];
    if (typeof more === 'object' && more !== null)
      for (let left = random.below(3); left > 0; left--) made[pick(STRINGS)] = make(more as Json, file, depth + 1);
    return made;
  }

  const isSelector = (name: string): boolean => name === 'session' || name === 'item';

  function number({ minimum, maximum }: Json): number {
    const [low, high] = [Number(minimum ?? -1e6), Number(maximum ?? 1e6)];
    return random.below(4) === 0 ? pick(NUMBERS) : pick([low, high, low + random.below(100)]);
  }

  function string({ pattern }: Json): string {
    const text = random.below(3) === 0 ? pick(paths) : pick(STRINGS);
    if (typeof pattern !== 'string' || random.below(10) === 0) return text;
    const fitting = [...paths, ...STRINGS, 'abc_1', 'abcd'].filter((one) => new RegExp(pattern, 'u').test(one));
    return fitting.length === 0 ? text : pick(fitting);
  }

  return (name: string): { method: string; path: string; body: string | undefined } => {
    const entry = (OPERATIONS as Readonly<Record<string, OperationEntry>>)[name] as OperationEntry; // it is one of them
    const type = name
      .split(/[._]/)
      .map((word) => (word[0] ?? '').toUpperCase() + word.slice(1))
      .join('');
    const [schema, file] = follow(`operations.schema.json#/$defs/${type}Input`, '');
    const { ...fields } = object(schema, file, 0) as Record<string, unknown>;
    const path = entry.path.replaceAll(/\{(\w+)\}/g, (_all, field: string) => {
      const value = fields[field] ?? pick(known);
      delete fields[field];
      return encodeURIComponent(Buffer.from(String(value)).toString()) /* lone surrogates have no form in a URL */;
    });
    if (hasBody(entry)) return { method: entry.method, path, body: JSON.stringify(fields) };
    const query = new URLSearchParams(
      Object.entries(fields).map(([key, value]): [string, string] => [key, String(value)]),
    );
    return { method: entry.method, path: `${path}?${query}`, body: undefined };
  };
}

/** @returns Status 0 if there was no reply within PATIENCE_MS. */
function send(
  socketPath: string,
  method: string,
  path: string,
  body: string | undefined,
): Promise<{ status: number; text: string; ms: number }> {
  const since = performance.now();
  const headers = body === undefined ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve) => {
    let text = '';
    const done = (status: number): void => {
      clearTimeout(timer);
      resolve({ status, text, ms: Math.round(performance.now() - since) });
    };
    const asked = request({ socketPath, method, path, headers }, (reply) => {
      reply.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      reply.once('close', () => done(reply.statusCode ?? 0));
    });
    const timer = setTimeout(() => asked.destroy(), PATIENCE_MS);
    asked.once('error', () => done(0));
    asked.end(body);
  });
}
