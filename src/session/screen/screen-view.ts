/** Screen view: the screen of a terminal, for adapters. Each row is read once, when it is needed. */
import type { IBufferLine, Terminal } from '@xterm/headless';
import { coreOf } from '../../terminal/index.js';
import type { ScreenView, ViewRow } from '../adapters/index.js';

/** @returns The terminal's screen, which changes with the terminal. */
export function viewOf(terminal: Terminal, title: string): ScreenView {
  const { baseY, cursorX, cursorY } = terminal.buffer.active;
  const rows = Array.from({ length: terminal.rows }, (_, y) => new LazyRow(terminal.buffer.active.getLine(baseY + y)));
  const cursor = coreOf(terminal).coreService.isCursorHidden ? null : { x: cursorX, y: cursorY };
  return { rows, title: title.trim(), cursor };
}

class LazyRow implements ViewRow {
  readonly #line: IBufferLine | undefined;
  #text: string | null = null;

  constructor(line: IBufferLine | undefined) {
    this.#line = line;
  }

  get text(): string {
    this.#text ??= (this.#line?.translateToString(true) ?? '').replaceAll('\u00a0', ' ').trimEnd();
    return this.#text;
  }

  get bright(): string {
    const line = this.#line;
    if (!line) return '';
    let bright = '';
    for (let column = 0; column < line.length; column++) {
      const cell = line.getCell(column);
      if (!cell || cell.getWidth() === 0) continue; // the second half of a wide character
      const chars = cell.getChars();
      bright += cell.isDim() || chars === '' || chars === '\u00a0' ? ' '.repeat(cell.getWidth()) : chars;
    }
    return bright.trimEnd();
  }

  ground(column: number): number {
    const cell = this.#line?.getCell(column);
    if (!cell || cell.isBgDefault()) return 0;
    return 1 + cell.getBgColorMode() + cell.getBgColor();
  }
}
