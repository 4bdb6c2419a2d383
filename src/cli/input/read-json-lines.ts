/**
 * Reads JSON values, one per line, from standard input, as MCP's stdio transport sends them.
 *
 * In:   bytes, cut anywhere.
 * Out:  each line's value; the reason for a line that is not JSON, is nested too deeply, or is longer than
 *       MAX_LINE_CHARS.
 */
import { StringDecoder } from 'node:string_decoder';
import { readJson } from '../../ears/index.js';

type JsonLine = { readonly value: unknown } | { readonly problem: string };

/** Maximum length of a line, equal to the limit of a request to the daemon. */
const MAX_LINE_CHARS = 4 * 1024 * 1024;

/** Reads JSON lines until the input ends. */
export async function* readJsonLines(input: AsyncIterable<Buffer>): AsyncGenerator<JsonLine, void> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let isTooLong = false;
  for await (const bytes of input) {
    const parts = decoder.write(bytes).split('\n');
    for (const [index, part] of parts.entries()) {
      isTooLong ||= rest.length + part.length > MAX_LINE_CHARS;
      rest = isTooLong ? '' : rest + part;
      if (index === parts.length - 1) break; // the rest of this line has not arrived
      const line = rest.trim();
      const wasTooLong = isTooLong;
      [rest, isTooLong] = ['', false];
      if (wasTooLong) yield { problem: 'the line has more than 4 MiB' };
      else if (line !== '') yield parse(line);
    }
  }
}

function parse(line: string): JsonLine {
  const reading = readJson(line);
  return reading.ok ? { value: reading.value } : { problem: `the line is no JSON: ${reading.error.message}` };
}
