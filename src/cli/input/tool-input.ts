/**
 * Reads a tool's input from the command line. `--input` may be repeated; each value is a JSON object, `@FILE` or `-`
 * with one, or `NAME=VALUE`.
 *
 *     question=Which?                a field of type text takes the value unchanged
 *     progress=40                    a number, a boolean or an object is parsed as JSON
 *     options=JWT  options=OAuth2    each adds to the list; `options=["JWT"]` sets the whole list
 */
import { readJson } from '../../ears/index.js';
import { OrchdError } from '../../protocol/index.js';
import type { Tool } from '../../tools/index.js';
import { readText } from './read-input.js';

/** @throws {OrchdError} ORCHD_USAGE, ORCHD_FILE. The daemon checks the input against the tool's schema. */
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
  throw new OrchdError('ORCHD_USAGE', `${what} is neither a JSON object nor NAME=VALUE`);
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

/** Returns undefined if the text is not JSON. */
function parseJson(text: string): unknown {
  const reading = readJson(text);
  return reading.ok ? reading.value : undefined;
}
