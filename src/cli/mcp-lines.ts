/**
 * JSON messages, one per line, on standard input and output: MCP's stdio transport.
 *
 * In:   bytes, cut anywhere.
 * Out:  each line's value; null for a line that is not JSON or is longer than MAX_LINE_CHARS.
 */
import { StringDecoder } from 'node:string_decoder';

/** The limit of a request to the daemon. */
const MAX_LINE_CHARS = 4 * 1024 * 1024;

/** Ends with the input. */
export async function* readLines(
  input: AsyncIterable<Buffer>,
): AsyncGenerator<{ readonly value: unknown } | null, void> {
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
      if (wasTooLong) yield null;
      else if (line !== '') yield parse(line);
    }
  }
}

function parse(line: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(line) };
  } catch {
    return null;
  }
}
