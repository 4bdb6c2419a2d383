/**
 * A recording as the page plays it: the records of a journal that change a screen, in order. Pure.
 *
 * Times are milliseconds from the first record. Long pauses can be cut, because agents wait for hours.
 */
import { type OutputOf, safeJson } from '../../protocol/index.js';

export type JournalRecord = OutputOf<'session.journal'>['records'][number];

export interface Size {
  readonly cols: number;
  readonly rows: number;
}

interface Placed {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly position: number;
  readonly end: number;
}

export type Frame = Placed &
  (
    | { readonly kind: 'out'; readonly bytes: Uint8Array }
    | ({ readonly kind: 'resize' } & Size)
    /** A new terminal: at a program's start, or the snapshot that precedes the oldest kept byte. */
    | ({ readonly kind: 'screen'; readonly text: string } & Size)
  );

const bytesOf = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));

/** Returns the frames of a page of a journal. */
export function framesOf(records: readonly JournalRecord[]): Frame[] {
  return records.flatMap((record): Frame[] => {
    const { position, end, time: at } = record;
    const placed = { at, position, end };
    // The fields of each kind are in protocol/journal.md.
    const fields = record as unknown as Readonly<Record<string, unknown>>;
    if (record.kind === 'out') return [{ ...placed, kind: 'out', bytes: bytesOf(record.bytes ?? '') }];
    if (record.kind === 'resize') return [{ ...placed, kind: 'resize', ...sizeOf(fields) }];
    if (record.kind === 'start') return [{ ...placed, kind: 'screen', text: '', ...sizeOf(fields) }];
    if (record.kind !== 'snapshot') return [];
    const screen = fields['screen'] as Readonly<Record<string, unknown>>;
    return [{ ...placed, kind: 'screen', text: String(screen['snapshot']), ...sizeOf(screen) }];
  });
}

const sizeOf = ({ cols, rows }: Readonly<Record<string, unknown>>): Size => ({
  cols: Number(cols),
  rows: Number(rows),
});

/**
 * Returns the time of each frame in the playing.
 *
 * @param mostPauseMs  Longer pauses are as long as this.
 */
export function timesOf(frames: readonly Frame[], mostPauseMs: number): number[] {
  let time = 0;
  let before = frames[0]?.at ?? 0;
  return frames.map(({ at }) => {
    time += Math.min(Math.max(0, at - before), mostPauseMs);
    before = at;
    return time;
  });
}

/** Returns how many of the values are at most `value`. The values must be ascending. */
export function countUpTo(values: readonly number[], value: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the index of the frame that holds a position, or of the last one before it. */
export function frameAt(frames: readonly Frame[], position: number): number {
  const after = frames.findIndex(({ end }) => end > position);
  return after < 0 ? frames.length - 1 : after;
}

/** Returns the index of the last frame at a moment. */
export const frameAtTime = (frames: readonly Frame[], at: number): number =>
  Math.max(
    0,
    countUpTo(
      frames.map((frame) => frame.at),
      at,
    ) - 1,
  );

interface Mark {
  readonly at: number;
  readonly label: string;
}

const RESET = '\x1bc';

/** Returns the recording as an asciicast of version 2, with the marks that players know. */
export function toCast(title: string, frames: readonly Frame[], marks: readonly Mark[]): string[] {
  const [first] = frames;
  if (!first) return [];
  const size = frames.find((frame) => frame.kind !== 'out') ?? { cols: 80, rows: 24 };
  const header = { version: 2, width: size.cols, height: size.rows, timestamp: Math.floor(first.at / 1000), title };
  const lines = [header as unknown, ...events(frames, marks, first.at)];
  return lines.map((line) => `${safeJson(line)}\n`);
}

function events(frames: readonly Frame[], marks: readonly Mark[], start: number): unknown[] {
  const decoder = new TextDecoder();
  const seconds = (at: number): number => Math.max(0, at - start) / 1000;
  const out = frames.flatMap((frame, index): (readonly [number, string, string])[] => {
    const at = seconds(frame.at);
    if (frame.kind === 'out') {
      const text = decoder.decode(frame.bytes, { stream: true });
      return text === '' ? [] : [[at, 'o', text]];
    }
    const resize = [at, 'r', `${frame.cols}x${frame.rows}`] as const;
    if (frame.kind === 'resize') return [resize];
    const text = `${index === 0 ? '' : RESET}${frame.text}`;
    return text === '' ? [resize] : [resize, [at, 'o', text]];
  });
  const marked = marks.map(({ at, label }) => [seconds(at), 'm', label] as const);
  return [...out, ...marked].sort(([a], [b]) => a - b);
}
