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
import type { RowMarks } from './row-marks.js';
import { SGR } from './rows.js';
import { SynchronizedOutput } from './synchronized-output.js';
import { widthOf } from './text.js';

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

export class FrameWriter {
  /** The stream to pass to Ink. */
  readonly stream: FrameStream;
  readonly #stdout: NodeJS.WriteStream;
  readonly #output: SynchronizedOutput;
  /** Each row on the terminal; null if a patch has changed it since. */
  #shown: readonly (string | null)[] = [];
  /** The newest patch after the newest frame, with those of its rows that are on the terminal. */
  #patch: Patch | null = null;
  #patched: readonly string[] = [];
  #newest = '';
  /** True until the next frame has written every row of the terminal, also those below the frame. */
  #isWhole = false;

  /** @param marks  The marks of rows in the frames; undefined if the frames contain the rows themselves. */
  constructor(stdout: NodeJS.WriteStream, marks?: Pick<RowMarks, 'expand'>) {
    this.#stdout = stdout;
    this.#output = new SynchronizedOutput(stdout, () => {
      this.#put();
      this.#putPatch();
    });
    this.stream = frameStream(stdout, (frame) => {
      this.#newest = marks?.expand(frame) ?? frame;
      this.#patch = null; // the frame already contains it
      this.#put();
    });
  }

  /** Writes every row with the next frame. */
  repaint(): void {
    this.#shown = [];
    this.#patched = [];
    this.#isWhole = true;
  }

  /**
   * Draws rows of equal width at a position of the picture. While the terminal is slow, only the newest patch is kept.
   */
  patch(x: number, y: number, lines: readonly string[]): void {
    if (this.#patch?.x !== x || this.#patch.y !== y) this.#patched = [];
    this.#patch = { x, y, lines };
    this.#putPatch();
  }

  close(): void {
    this.#output.close();
  }

  #put(): void {
    if (!this.#output.isReady) return;
    const rows = rowsOf(this.#stdout);
    const next = this.#newest.split('\n').slice(0, rows);
    const parts: string[] = [];
    const count = this.#isWhole ? rows : Math.max(next.length, this.#shown.length);
    for (let y = 0; y < count; y++) {
      const line = next[y] ?? '';
      if (line === this.#shown[y]) continue;
      // Erasing to the end of a full row would erase its last column.
      const isFull = widthOf(line.replaceAll(SGR, '')) >= columnsOf(this.#stdout);
      parts.push(`\x1b[${y + 1};1H${line}\x1b[0m${isFull ? '' : '\x1b[K'}`);
    }
    this.#isWhole = false;
    this.#shown = next;
    this.#patched = [];
    this.#write(parts);
  }

  #putPatch(): void {
    if (this.#patch === null || !this.#output.isReady || this.#shown.length === 0) return;
    const { x, y, lines } = this.#patch;
    const changed = lines
      .map((line, i) => ({ line, row: y + i, before: this.#patched[i] }))
      .slice(0, Math.max(0, rowsOf(this.#stdout) - y));
    const parts = changed
      .filter(({ line, before }) => line !== before)
      .map(({ line, row }) => `\x1b[${row + 1};${x + 1}H${line}\x1b[0m`);
    const isCovered = new Set(changed.map(({ row }) => row));
    this.#shown = this.#shown.map((line, row) => (isCovered.has(row) ? null : line));
    this.#patched = lines;
    this.#write(parts);
  }

  #write(parts: readonly string[]): void {
    if (parts.length > 0) this.#output.write(parts.join(''));
  }
}

const columnsOf = ({ columns }: NodeJS.WriteStream): number => columns || 80;
const rowsOf = ({ rows }: NodeJS.WriteStream): number => rows || 24;

/** Creates a stream of the terminal's size, whose writes are frames. */
function frameStream(stdout: NodeJS.WriteStream, take: (frame: string) => void): FrameStream {
  const sink = new Writable({
    decodeStrings: false,
    write(chunk: unknown, _encoding, done) {
      const text = String(chunk);
      if (text !== '') take(text);
      done();
    },
  });
  return Object.defineProperties(sink, {
    columns: { get: () => columnsOf(stdout) },
    rows: { get: () => rowsOf(stdout) },
    isTTY: { value: true },
  }) as FrameStream; // the missing properties were just added
}
