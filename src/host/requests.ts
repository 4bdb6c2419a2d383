/**
 * Checks the commands of a client, field by field. A validator library would double the host's memory.
 *
 * In:   the parsed line.
 * Out:  the command's input, typed, or ORCHD_INVALID with a sentence that names the field.
 */
import { isAbsolute } from 'node:path';
import { OrchdError } from '../protocol/errors.js';
import { type HostCommandName, type HostCommands, type SpawnRequest, STDIN_BYTES, type WriteStep } from './contract.js';

type Fields = Readonly<Record<string, unknown>>;
type Inputs = { readonly [N in HostCommandName]: (fields: Fields) => HostCommands[N]['in'] };

/** A session's id becomes the name of a directory. */
const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
/** Maximum size of a terminal in each direction. */
const MAX_CELLS = 65_535;
const MAX_MS = 10 * 60 * 1000;

const invalid = (name: string, wanted: string): never => {
  throw new OrchdError('ORCHD_INVALID', `${name} must be ${wanted}`, { field: name });
};

function text(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : invalid(name, 'a string');
}
function whole(fields: Fields, name: string, min = 0, max = Number.MAX_SAFE_INTEGER): number {
  const value = fields[name];
  const isFit = typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
  return isFit ? value : invalid(name, `a whole number from ${min} to ${max}`);
}
function list(fields: Fields, name: string): readonly unknown[] {
  const value = fields[name];
  return Array.isArray(value) ? value : invalid(name, 'an array');
}
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
function sessionId(fields: Fields): string {
  const id = text(fields, 'sessionId');
  return SESSION_ID.test(id) ? id : invalid('sessionId', 'letters, digits, _ and -, at most 64');
}
/** Returns a string for a system call. A NUL character would end it there, so it is refused. */
function plain(value: unknown, name: string): string {
  return typeof value === 'string' && !value.includes('\0') ? value : invalid(name, 'a string without NUL');
}
function absolute(fields: Fields, name: string): string {
  const path = plain(fields[name], name);
  return isAbsolute(path) ? path : invalid(name, 'an absolute path');
}
const size = (fields: Fields) => ({
  cols: whole(fields, 'cols', 1, MAX_CELLS),
  rows: whole(fields, 'rows', 1, MAX_CELLS),
});

function steps(fields: Fields): WriteStep[] {
  return list(fields, 'steps').map((step) => {
    if (isFields(step) && typeof step['text'] === 'string') return { text: step['text'] };
    if (isFields(step) && 'settleMs' in step) return { settleMs: whole(step, 'settleMs', 0, MAX_MS) };
    return invalid('steps', 'an array of {text} and {settleMs}');
  });
}

function environment(fields: Fields): Record<string, string> {
  const { env } = fields;
  if (!isFields(env)) return invalid('env', 'an object');
  const names = Object.keys(env);
  const bad = names.find((name) => name === '' || /[=\0]/.test(name));
  if (bad !== undefined) return invalid('env', `an object of names without = and NUL, not ${JSON.stringify(bad)}`);
  return Object.fromEntries(names.map((name) => [name, plain(env[name], `env.${name}`)]));
}

function connection(fields: Fields): Pick<SpawnRequest, 'mode' | 'stdin'> {
  const { mode = 'pty', stdin } = fields;
  if (mode !== 'pty' && mode !== 'batch') return invalid('mode', "'pty' or 'batch'");
  if (stdin === undefined) return { mode };
  if (typeof stdin !== 'string' || mode === 'pty') return invalid('stdin', 'a string, with batch only');
  if (Buffer.byteLength(stdin) <= STDIN_BYTES) return { mode, stdin };
  throw new OrchdError('ORCHD_TOO_LARGE', `the standard input is longer than ${STDIN_BYTES} bytes`);
}

function spawn(fields: Fields): SpawnRequest {
  const argv = list(fields, 'argv').map((value) => plain(value, 'argv'));
  if (argv.length === 0) invalid('argv', "an array that begins with the program's name");
  return {
    sessionId: sessionId(fields),
    file: absolute(fields, 'file'),
    argv,
    cwd: absolute(fields, 'cwd'),
    env: environment(fields),
    umask: whole(fields, 'umask', 0, 0o777),
    again: fields['again'] === true,
    ...connection(fields),
    ...size(fields),
    notes: list(fields, 'notes').map((note) => {
      if (!isFields(note)) return invalid('notes', 'an array of {name, data}');
      return { name: text(note, 'name'), data: note['data'] ?? null };
    }),
  };
}

function earlier({ earlier: program }: Fields): Pick<HostCommands['kill']['in'], 'earlier'> {
  if (program === undefined) return {};
  if (!isFields(program)) return invalid('earlier', 'an object');
  return { earlier: { pid: whole(program, 'pid', 2), startedAt: whole(program, 'startedAt') } };
}

const grace = (fields: Fields) => ({ graceMs: whole(fields, 'graceMs', 0, MAX_MS) });

export const INPUTS: Inputs = {
  hello: (fields) => ({ contract: whole(fields, 'contract', 1), pid: whole(fields, 'pid', 1) }),
  spawn,
  write: (fields) => ({ sessionId: sessionId(fields), writeId: text(fields, 'writeId'), steps: steps(fields) }),
  proceed: (fields) => ({ sessionId: sessionId(fields), writeId: text(fields, 'writeId') }),
  keys: (fields) => ({ sessionId: sessionId(fields), text: text(fields, 'text') }),
  reply: (fields) => ({ sessionId: sessionId(fields), query: whole(fields, 'query'), text: text(fields, 'text') }),
  resize: (fields) => ({ sessionId: sessionId(fields), ...size(fields) }),
  note: (fields) => ({ sessionId: sessionId(fields), name: text(fields, 'name'), data: fields['data'] ?? null }),
  tick: (fields) => ({
    sessionId: sessionId(fields),
    since: whole(fields, 'since'),
    quietMs: fields['quietMs'] === null ? null : whole(fields, 'quietMs', 0, MAX_MS),
    stays: fields['stays'] === true,
  }),
  taken: (fields) => ({ sessionId: sessionId(fields), position: whole(fields, 'position') }),
  watch: (fields) => ({ sessionId: sessionId(fields), isWatched: fields['isWatched'] === true }),
  person_waits: () => ({}),
  kill: (fields) => ({ sessionId: sessionId(fields), ...grace(fields), ...earlier(fields) }),
  terminal: (fields) => ({ sessionId: sessionId(fields) }),
  forget: (fields) => ({ sessionId: sessionId(fields) }),
  shutdown: grace,
};

export const isCommandName = (name: unknown): name is HostCommandName =>
  typeof name === 'string' && Object.hasOwn(INPUTS, name);
