/**
 * The layout of a project, `.orchd/layout.toml`: the sessions that `orchd up` starts, and how they are shown.
 *
 *     split = "api | (web - logs)"      optional
 *
 *     [[session]]
 *     name = "api"
 *     command = "npm run dev"           or a list of words
 *     cwd = "server"                    from the project's directory; default: that directory
 *     tags = ["dev"]
 *     adapter = "claude"                default: by the program's name
 *     teach = true                      the instructions of `orchd prompt`
 *     env = { PORT = "8080" }
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import { displayLine, errorMessage, nearest, OrchdError, splitCommand } from '../../protocol/index.js';
import { parseSplit } from './split-text.js';
import { leavesOf, type SplitNode } from './split-tree.js';

export interface LayoutSession {
  readonly name: string;
  readonly command: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly tags: readonly string[];
  readonly adapter: string | null;
  readonly isTaught: boolean;
  readonly env: Readonly<Record<string, string>>;
}

export interface Layout {
  readonly file: string;
  /** The directory of the project, which contains `.orchd`. */
  readonly project: string;
  readonly sessions: readonly LayoutSession[];
  readonly split: SplitNode | null;
}

const FOLDER = '.orchd';
const FILE = 'layout.toml';
const MAX_BYTES = 256 * 1024;
const MAX_SESSIONS = 50;
const NAME = /^(?!(?:ses|itm|run|tsk|wfl)_)[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const TOP_KEYS = ['split', 'session'] as const;
const SESSION_KEYS = ['name', 'command', 'cwd', 'tags', 'adapter', 'teach', 'env'] as const;

/** Returns the nearest layout file in a directory or its parents; null if there is none. */
export function findLayout(from: string): string | null {
  for (let dir = resolve(from); ; dir = dirname(dir)) {
    const file = join(dir, FOLDER, FILE);
    if (existsSync(file)) return file;
    if (dirname(dir) === dir) return null;
  }
}

/** Returns where the layout of a directory's project is, or would be: beside its other files of orchd. */
export function layoutPlace(from: string): string {
  const found = findLayout(from);
  if (found !== null) return found;
  for (let dir = resolve(from); dirname(dir) !== dir; dir = dirname(dir))
    if (existsSync(join(dir, FOLDER))) return join(dir, FOLDER, FILE);
  return join(resolve(from), FOLDER, FILE);
}

/** @throws {OrchdError} ORCHD_FILE if it cannot be read; ORCHD_LAYOUT with the line of what is wrong. */
export function readLayout(file: string): Layout {
  return parseLayout(file, readLayoutText(file));
}

/** @throws {OrchdError} ORCHD_FILE */
export function readLayoutText(file: string): string {
  try {
    const stat = statSync(file);
    if (!stat.isFile()) throw new OrchdError('ORCHD_FILE', `${file} is not a file`);
    if (stat.size > MAX_BYTES) throw new OrchdError('ORCHD_FILE', `${file} is larger than ${MAX_BYTES / 1024} KiB`);
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof OrchdError) throw error;
    throw new OrchdError('ORCHD_FILE', `${file}: ${errorMessage(error)}`);
  }
}

/** @throws {OrchdError} ORCHD_LAYOUT */
export function parseLayout(file: string, text: string): Layout {
  let table: Record<string, unknown>;
  try {
    table = parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [what = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
    const place = `${file}, line ${error.line}, column ${error.column}`;
    throw new OrchdError('ORCHD_LAYOUT', `${place}: ${what}\n${error.codeblock.trimEnd()}`);
  }
  const project = dirname(dirname(file));
  const lines = text.split('\n');
  const wrong = (entry: number | null, key: string, words: string): OrchdError => {
    const line = lineOf(lines, entry, key);
    return new OrchdError('ORCHD_LAYOUT', displayLine(`${file}${line === null ? '' : `, line ${line}`}: ${words}`));
  };
  refuseUnknown(table, TOP_KEYS, (key, words) => wrong(null, key, words));
  const entries = table['session'] ?? [];
  if (!isTables(entries)) throw wrong(null, 'session', 'write each session below a line [[session]]');
  if (entries.length === 0) throw wrong(null, '', 'it has no session: add [[session]] with a name and a command');
  if (entries.length > MAX_SESSIONS) throw wrong(null, '', `it has more than ${MAX_SESSIONS} sessions`);
  const sessions = entries.map((entry, at) => sessionOf(entry, project, (key, words) => wrong(at, key, words)));
  for (const [at, { name }] of sessions.entries()) {
    if (sessions.findIndex((one) => one.name === name) < at)
      throw wrong(at, 'name', `there are two sessions '${name}'`);
  }
  const split = splitOf(table['split'], sessions, (words) => wrong(null, 'split', words));
  return { file, project, sessions, split };
}

type Table = Readonly<Record<string, unknown>>;
type Wrong = (key: string, words: string) => OrchdError;

const isTables = (value: unknown): value is readonly Table[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'object' && one !== null && !Array.isArray(one));

function refuseUnknown(table: Table, known: readonly string[], wrong: Wrong): void {
  const unknown = Object.keys(table).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const near = nearest(unknown, known);
  throw wrong(
    unknown,
    `there is no '${unknown}'; ${near === null ? `use ${known.join(', ')}` : `did you mean ${near}?`}`,
  );
}

function sessionOf(entry: Table, project: string, wrong: Wrong): LayoutSession {
  refuseUnknown(entry, SESSION_KEYS, wrong);
  const { name, command, cwd = '.', tags = [], adapter = null, teach = false, env = {} } = entry;
  if (name === undefined) throw wrong('', 'this session has no name');
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw wrong('name', 'a name is a text of letters, digits, . _ and -, and begins with a letter or a digit');
  }
  if (typeof cwd !== 'string') throw wrong('cwd', 'cwd is a text: a directory');
  const directory = resolve(project, cwd);
  if (!existsSync(directory)) throw wrong('cwd', `there is no directory ${directory}`);
  if (!isTexts(tags)) throw wrong('tags', 'tags is a list of texts: ["dev", "web"]');
  if (adapter !== null && typeof adapter !== 'string') throw wrong('adapter', 'adapter is a text such as "claude"');
  if (typeof teach !== 'boolean') throw wrong('teach', 'teach is true or false');
  if (typeof env !== 'object' || env === null || Array.isArray(env) || !isTexts(Object.values(env))) {
    throw wrong('env', 'env is a table of texts: { PORT = "8080" }');
  }
  return {
    name,
    cwd: directory,
    tags,
    adapter,
    isTaught: teach,
    command: commandOf(command, wrong),
    env: env as Record<string, string>, // checked above
  };
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

function commandOf(command: unknown, wrong: Wrong): readonly string[] {
  if (command === undefined) throw wrong('', 'this session has no command');
  if (isTexts(command) && command.length > 0) return command;
  if (typeof command !== 'string') throw wrong('command', 'command is a text, or a list of words: ["make", "test"]');
  const { command: words, problem } = splitCommand(command);
  if (problem !== null) throw wrong('command', problem);
  return words;
}

function splitOf(
  text: unknown,
  sessions: readonly LayoutSession[],
  wrong: (words: string) => OrchdError,
): SplitNode | null {
  if (text === undefined) return null;
  if (typeof text !== 'string') throw wrong('split is a text such as "api | (web - logs)"');
  let tree: SplitNode;
  try {
    tree = parseSplit(text);
  } catch (error) {
    throw wrong(errorMessage(error));
  }
  const names = sessions.map(({ name }) => name);
  const leaves = leavesOf(tree);
  const unknown = leaves.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const near = nearest(unknown, names);
    throw wrong(
      `split: no session is called '${unknown}'; ${near === null ? `there are ${names.join(', ')}` : `did you mean ${near}?`}`,
    );
  }
  const twice = leaves.find((name, at) => leaves.indexOf(name) < at);
  if (twice !== undefined) throw wrong(`split: '${twice}' is in it twice`);
  return tree;
}

/**
 * Returns the line (from 1) of a key: above the first table, or in the entry of `[[session]]` with this number. Without
 * the key: the line of the entry. Null if it is written in another way.
 */
export function lineOf(lines: readonly string[], entry: number | null, key: string): number | null {
  let current = -1;
  let isInTable = false;
  for (const [at, line] of lines.entries()) {
    const header = /^\s*\[\[?\s*["']?([\w.-]+)["']?\s*\]/.exec(line)?.[1];
    if (header !== undefined) {
      isInTable = true;
      if (/^\s*\[\[/.test(line) && header === 'session') current++;
      if (current === entry && key === '') return at + 1;
      if (entry === null && header === key) return at + 1;
    }
    const found = /^\s*["']?([\w-]+)["']?\s*(?:=|\.)/.exec(line)?.[1];
    if (found === key && key !== '' && (entry === null ? !isInTable : current === entry)) return at + 1;
  }
  return null;
}
