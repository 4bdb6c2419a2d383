/**
 * A tool's input on the command line: `--input` once or several times, each a JSON object, `@FILE` or `-` with one, or
 * `NAME=VALUE`.
 *
 *     question=Which?                text stays text where the tool wants text
 *     progress=40                    what it wants as a number, a boolean or an object is read as JSON
 *     options=JWT  options=OAuth2    a list grows; `options=["JWT"]` is a whole one
 */
import { OrchdError } from '../protocol/index.js';
import type { Tool } from '../tools/index.js';
import { readText } from './read-input.js';

/** @throws {OrchdError} ORCHD_USAGE, ORCHD_FILE. What does not fit the tool, the daemon says. */
export async function readToolInput(tool: Tool, given: readonly string[]): Promise<Record<string, unknown>> {
  const input: Record<string, unknown> = {};
  for (const one of given) {
    const pair = /^([A-Za-z_]\w*)=(.*)$/s.exec(one);
    if (pair) setField(input, tool, pair[1] ?? '', pair[2] ?? '');
    else Object.assign(input, parseObject(await textOf(one), one));
  }
  return input;
}

async function textOf(given: string): Promise<string> {
  if (given === '-') return await readText('-');
  return given.startsWith('@') ? await readText(given.slice(1)) : given;
}

function parseObject(text: string, given: string): object {
  const value = parseJson(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  const what = given === '-' || given.startsWith('@') ? `what ${given} holds` : `--input ${given}`;
  throw new OrchdError('ORCHD_USAGE', `${what} is no JSON object, and not NAME=VALUE`);
}

function setField(input: Record<string, unknown>, tool: Tool, name: string, value: string): void {
  const type = tool.input.properties[name]?.type;
  if (type === 'array') {
    const whole = value.trimStart().startsWith('[') ? parseJson(value) : undefined;
    const before = input[name];
    input[name] = Array.isArray(whole) ? whole : [...(Array.isArray(before) ? before : []), value];
  } else if (type === 'string') input[name] = value;
  else input[name] = parseJson(value) ?? value;
}

/** Undefined for what is none. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
