/** Screen view: the screen of a terminal, for adapters. Each row is read once, when it is needed. */
import type { Terminal } from '@xterm/headless';
import { brightText, coreOf, type Line, lineText } from '../../terminal/index.js';
import type { ScreenView, ViewRow } from '../adapters/index.js';
import { type Reading, readingOf } from './screen-rows.js';

interface ViewOptions {
  readonly terminal: Terminal;
  readonly title: string;
  /** Returns true if a row of the screen may have been written to since its last reading (screen-rows.ts). */
  readonly isDirty: (y: number) => boolean;
}

/** @returns The terminal's screen, which changes with the terminal. */
export function viewOf({ terminal, title, isDirty }: ViewOptions): ScreenView {
  const { coreService, _bufferService } = coreOf(terminal);
  const { lines, ybase, x, y } = _bufferService.buffer;
  const rows = Array.from({ length: terminal.rows }, (_, row) => new LazyRow(lines.get(ybase + row), !isDirty(row)));
  const cursor = coreService.isCursorHidden ? null : { x, y };
  return { rows, title: title.trim(), cursor };
}

class LazyRow implements ViewRow {
  readonly #line: Line | undefined;
  /** Cache of the line's texts. If the line has not changed, it is the cache of the last reading. */
  readonly #memo: Pick<Reading, 'text' | 'bright'>;

  constructor(line: Line | undefined, isRead: boolean) {
    this.#line = line;
    this.#memo = (isRead && line && readingOf(line)) || {};
  }

  get text(): string {
    this.#memo.text ??= this.#line ? lineText(this.#line, true).replaceAll('\u00a0', ' ').trimEnd() : '';
    return this.#memo.text;
  }

  get bright(): string {
    this.#memo.bright ??= this.#line ? brightText(this.#line) : '';
    return this.#memo.bright;
  }

  /** The mode and the colour of the background, without the flags; see xterm.js, `getBgColorMode`, `getBgColor`. */
  ground(column: number): number {
    const background = (this.#line?._data[3 * column + 2] ?? 0) & 0x3ffffff;
    return background >> 24 === 0 ? 0 : 1 + background;
  }
}
