/**
 * Lines of JSON on a socket: splits incoming chunks into lines.
 *
 * In:   chunks, cut anywhere (`push`).
 * Out:  each line, without its newline. A line longer than `maxBytes` is reported once (`onOversized`) and skipped
 *       to its end.
 */
interface LineSplitter {
  push(chunk: Buffer): void;
}

const NEWLINE = 0x0a;

export function createLineSplitter(
  maxBytes: number,
  onLine: (line: string) => void,
  onOversized: () => void,
): LineSplitter {
  let parts: Buffer[] = [];
  let held = 0;
  let isSkipping = false;

  const end = (last: Buffer) => {
    const line = parts.length === 0 ? last : Buffer.concat([...parts, last]);
    parts = [];
    held = 0;
    if (isSkipping) isSkipping = false;
    else if (line.length > maxBytes) onOversized();
    else if (line.length > 0) onLine(line.toString('utf8'));
  };

  return {
    push(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
        end(chunk.subarray(from, at));
        from = at + 1;
      }
      if (from === chunk.length || isSkipping) return;
      parts.push(chunk.subarray(from));
      held += chunk.length - from;
      if (held <= maxBytes) return;
      parts = [];
      held = 0;
      isSkipping = true;
      onOversized();
    },
  };
}
