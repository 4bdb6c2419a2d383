/**
 * Casts: terminal recordings (asciicast, versions 2 and 3) as text.
 *
 *     {"version": 2, "width": 80, "height": 24, …}      the header; version 3: "term": {"cols": 80, "rows": 24}
 *     [1.25, "o", "text\r\n"]                           seconds (version 3: since the line before), what, and its data
 *     # a comment (version 3)
 *
 * `o` is output, `i` input, `r` a resize (`"80x24"`); everything else (`m`, …) is somebody else's.
 */
export interface CastEvent {
  readonly timeMs: number;
  readonly kind: string;
  readonly data: string;
}

export interface Cast {
  readonly cols: number;
  readonly rows: number;
  readonly events: readonly CastEvent[];
}

export type CastReading =
  | { readonly ok: true; readonly cast: Cast }
  | { readonly ok: false; readonly line: number; readonly message: string };

const MAX_COLS = 1000;

export function parseCast(text: string): CastReading {
  const lines = text.split('\n');
  const header = parseLine(lines[0] ?? '');
  if (typeof header !== 'object' || header === null || Array.isArray(header)) {
    return fail(1, 'expected the header of an asciicast, a JSON object');
  }
  const { version, width, height, term } = header as Record<string, unknown>; // an object, as asked
  if (version !== 2 && version !== 3) return fail(1, `expected "version": 2 or 3, found ${JSON.stringify(version)}`);
  const size = version === 2 ? { cols: width, rows: height } : (term as { cols: unknown; rows: unknown } | undefined);
  const cols = size?.cols;
  const rows = size?.rows;
  if (!isCount(cols) || !isCount(rows)) {
    return fail(
      1,
      `expected ${version === 2 ? '"width" and "height"' : '"term": {"cols", "rows"}'}, whole numbers from 1 to 1000`,
    );
  }

  const events: CastEvent[] = [];
  let timeMs = 0;
  for (let at = 1; at < lines.length; at++) {
    const line = (lines[at] ?? '').trim();
    if (line === '' || line.startsWith('#')) continue;
    const event = parseLine(line);
    if (!Array.isArray(event)) return fail(at + 1, 'expected an event, [seconds, "kind", "data"]');
    const [seconds, kind, data]: unknown[] = event;
    if (typeof seconds !== 'number' || seconds < 0) return fail(at + 1, 'expected a number of seconds first');
    if (typeof kind !== 'string') return fail(at + 1, 'expected the kind of event second, a string');
    if (typeof data !== 'string') return fail(at + 1, 'expected the data of the event third, a string');
    if (kind === 'r' && !parseSize(data)) return fail(at + 1, 'expected a size, "COLSxROWS"');
    timeMs = Math.max(timeMs, Math.round(seconds * 1000) + (version === 3 ? timeMs : 0));
    events.push({ timeMs, kind, data });
  }
  return { ok: true, cast: { cols, rows, events } };
}

/** `80x24` */
export function parseSize(text: string): { cols: number; rows: number } | null {
  const match = /^(\d{1,4})x(\d{1,4})$/.exec(text);
  const cols = Number(match?.[1]);
  const rows = Number(match?.[2]);
  return isCount(cols) && isCount(rows) ? { cols, rows } : null;
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_COLS; // an integer, as asked
}

function fail(line: number, message: string): CastReading {
  return { ok: false, line, message };
}
