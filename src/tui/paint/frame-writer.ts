/**
 * Writes frames to the terminal. Only the rows that changed are written, each at its own position.
 *
 * In:   frames as Ink makes them with `debug`: all rows joined by newlines, one write per frame, with marks in place of
 *       rows (row-marks.ts). `patch` takes a part of the picture that changes often (a session's screen) and writes it
 *       without a new frame.
 * Out:  one synchronized update per frame. A slow terminal gets the newest frame after it has drained, not every frame.
 * Rows are positioned absolutely. `repaint` therefore repairs the picture after a resize or after output of another
 * program.
 */

import { Writable } from 'node:stream';
import { inLocale } from './ascii.js';
import type { RowMarks } from './row-marks.js';
import { SGR } from './rows.js';
import { widthOf } from './text.js';

const BEGIN = '\x1b[?2026h';
const END = '\x1b[?2026l';

/** The stream that Ink uses as its terminal. */
interface FrameStream extends Writable {
  columns: number;
  rows: number;
  isTTY: boolean;
}

interface Patch {
  readonly x: number;
  readonly y: number;
  readonly lines: readonly string[];
}

export interface FrameWriter {
  /** The stream to pass to Ink. */
  readonly stream: FrameStream;
  /** Writes every row with the next frame. */
  repaint(): void;
  /**
   * Draws rows of equal width at a position of the picture. While the terminal is slow, only the newest patch is kept.
   */
  patch(x: number, y: number, lines: readonly string[]): void;
  close(): void;
}

/** @param marks  The marks of rows in the frames; undefined if the frames contain the rows themselves. */
export function createFrameWriter(stdout: NodeJS.WriteStream, marks?: Pick<RowMarks, 'expand'>): FrameWriter {
  /** Each row on the terminal; null if a patch has changed it since. */
  let shown: readonly (string | null)[] = [];
  /** The newest patch after the newest frame, with those of its rows that are on the terminal. */
  let patch: Patch | null = null;
  let patched: readonly string[] = [];
  let newest = '';
  /** True until the next frame has written every row of the terminal, also those below the frame. */
  let isWhole = false;
  let isWaiting = false;
  let isClosed = false;
  const columns = (): number => stdout.columns || 80;
  const rows = (): number => stdout.rows || 24;

  function put(): void {
    if (isWaiting || isClosed) return;
    const next = newest.split('\n').slice(0, rows());
    const parts: string[] = [];
    const count = isWhole ? rows() : Math.max(next.length, shown.length);
    for (let y = 0; y < count; y++) {
      const line = next[y] ?? '';
      if (line === shown[y]) continue;
      // Erasing to the end of a full row would erase its last column.
      const isFull = widthOf(line.replaceAll(SGR, '')) >= columns();
      parts.push(`\x1b[${y + 1};1H${line}\x1b[0m${isFull ? '' : '\x1b[K'}`);
    }
    isWhole = false;
    shown = next;
    patched = [];
    write(parts);
  }

  function putPatch(): void {
    if (patch === null || isWaiting || isClosed || shown.length === 0) return;
    const { x, y, lines } = patch;
    const changed = lines
      .map((line, i) => ({ line, row: y + i, before: patched[i] }))
      .slice(0, Math.max(0, rows() - y));
    const parts = changed
      .filter(({ line, before }) => line !== before)
      .map(({ line, row }) => `\x1b[${row + 1};${x + 1}H${line}\x1b[0m`);
    const isCovered = new Set(changed.map(({ row }) => row));
    shown = shown.map((line, row) => (isCovered.has(row) ? null : line));
    patched = lines;
    write(parts);
  }

  function write(parts: readonly string[]): void {
    if (parts.length === 0) return;
    isWaiting = !stdout.write(BEGIN + inLocale(parts.join('')) + END);
    if (isWaiting) stdout.once('drain', drained);
  }

  const drained = (): void => {
    isWaiting = false;
    put();
    putPatch();
  };

  const sink = new Writable({
    decodeStrings: false,
    write(chunk: unknown, _encoding, done) {
      const text = String(chunk);
      if (text !== '') {
        newest = marks?.expand(text) ?? text;
        patch = null; // the frame already contains it
        put();
      }
      done();
    },
  });
  const stream = Object.defineProperties(sink, {
    columns: { get: columns },
    rows: { get: rows },
    isTTY: { value: true },
  }) as FrameStream; // the missing properties were just added

  return {
    stream,
    repaint() {
      shown = [];
      patched = [];
      isWhole = true;
    },
    patch(x, y, lines) {
      if (patch?.x !== x || patch.y !== y) patched = [];
      patch = { x, y, lines };
      putPatch();
    },
    close() {
      isClosed = true;
      stdout.off('drain', drained);
    },
  };
}
