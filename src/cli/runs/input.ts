/**
 * Reads the input of a run from the command line: `--input` once with JSON, a file (`@path`) or `-` for standard input;
 * or several times with `k=v`. A value in `k=v` is parsed as JSON if possible and is otherwise a text. If `valuesAre`
 * is `text`, every value is a text.
 */
import { readJson } from '../../ears/index.js';
import { OrchdError } from '../../protocol/index.js';
import { readText } from '../input/read-input.js';

const PAIR = /^([A-Za-z_][\w.-]*)=([\s\S]*)$/;

/**
 * @returns Undefined if no input is given.
 * @throws {OrchdError} ORCHD_USAGE, ORCHD_FILE
 */
export async function readInputs(given: readonly string[], valuesAre: 'json' | 'text' = 'json'): Promise<unknown> {
  const [first, ...more] = given;
  if (first === undefined) return undefined;
  if (given.every((one) => PAIR.test(one))) return Object.fromEntries(given.map((pair) => pairOf(pair, valuesAre)));
  if (more.length > 0) {
    throw new OrchdError('ORCHD_USAGE', '--input is given once with JSON, @file or -, or several times with k=v');
  }
  if (first === '-' || first.startsWith('@')) {
    const file = first === '-' ? '-' : first.slice(1);
    return fromText(await readText(file));
  }
  const reading = readJson(first);
  if (reading.ok) return reading.value;
  throw new OrchdError(
    'ORCHD_USAGE',
    `--input takes JSON, @file, - or k=v; '${first}' is no JSON: ${reading.error.message}`,
  );
}

/** Parses a file's content as JSON, or else returns it as text. */
function fromText(text: string): unknown {
  const reading = readJson(text);
  return reading.ok ? reading.value : text.replace(/\r?\n$/, '');
}

function pairOf(pair: string, valuesAre: 'json' | 'text'): [string, unknown] {
  const [, name = '', value = ''] = PAIR.exec(pair) ?? [];
  if (valuesAre === 'text') return [name, value];
  const reading = readJson(value);
  return [name, reading.ok ? reading.value : value];
}
