/**
 * Puts whole frames on the terminal, writing only the rows that changed, each at its own place.
 *
 * In:   frames as Ink makes them with `debug`: all rows, joined by newlines, one write per frame.
 * Out:  one synchronized write per frame. A terminal that is slow gets the newest frame when it has drained, not every one.
 * Nothing depends on where the cursor was, so a resize or somebody else's output is repaired by `repaint`.
 */
import { Writable } from 'node:stream';
import { widthOf } from './text.js';

const BEGIN = '\x1b[?2026h';
const END = '\x1b[?2026l';
const SGR = /\x1b\[[0-9;]*m/g;

/** What Ink takes for a terminal. */
export interface FrameStream extends Writable {
  columns: number;
  rows: number;
  isTTY: boolean;
}

export interface FrameWriter {
  /** To be given to Ink. */
  readonly stream: FrameStream;
  /** Writes every row with the next frame. */
  repaint(): void;
  close(): void;
}

export function createFrameWriter(stdout: NodeJS.WriteStream): FrameWriter {
  let shown: readonly string[] = [];
  let newest = '';
  let isWaiting = false;
  let isClosed = false;
  const columns = (): number => stdout.columns || 80;
  const rows = (): number => stdout.rows || 24;

  function put(): void {
    if (isWaiting || isClosed) return;
    const next = newest.split('\n').slice(0, rows());
    const parts: string[] = [];
    for (let y = 0; y < Math.max(next.length, shown.length); y++) {
      const line = next[y] ?? '';
      if (line === shown[y]) continue;
      // Erasing behind a full row would erase its last column.
      const isFull = widthOf(line.replaceAll(SGR, '')) >= columns();
      parts.push(`\x1b[${y + 1};1H${line}\x1b[0m${isFull ? '' : '\x1b[K'}`);
    }
    shown = next;
    if (parts.length === 0) return;
    isWaiting = !stdout.write(BEGIN + parts.join('') + END);
    if (isWaiting) stdout.once('drain', drained);
  }

  const drained = (): void => {
    isWaiting = false;
    put();
  };

  const sink = new Writable({
    decodeStrings: false,
    write(chunk: unknown, _encoding, done) {
      const text = String(chunk);
      if (text !== '') {
        newest = text;
        put();
      }
      done();
    },
  });
  const stream = Object.defineProperties(sink, {
    columns: { get: columns },
    rows: { get: rows },
    isTTY: { value: true },
  }) as FrameStream; // just given what it lacked

  return {
    stream,
    repaint() {
      shown = [];
    },
    close() {
      isClosed = true;
      stdout.off('drain', drained);
    },
  };
}
