/**
 * Overlays: panels such as help, an answer or copy mode that cover a part of an attached session and take its keys.
 *
 * In:   an overlay (rows and keys) and the area that it may use.
 * Out:  sequences that draw its rows at the bottom of that area.
 * The covered text is lost. The caller that closes an overlay requests the screen again.
 */
import type { Size } from '../../../protocol/index.js';
import { createKeyReader, type Key } from '../../input/key-reader.js';
import { ESCAPE_MS, TICK_MS } from '../../model/timing.js';
import { inLocale } from '../../paint/ascii.js';
import { MOUSE } from '../../paint/terminal-reset.js';

export interface Overlay {
  /** Returns at most `size.rows` rows, each of exactly `size.cols` columns. */
  rows(size: Size): readonly string[];
  press(key: Key): void;
}

/** The functions that an overlay may call. */
export interface OverlayPorts {
  /** Draws the overlay again, after its rows have changed. */
  redraw(): void;
  /** @param notice  The notice to show after closing. */
  close(notice?: string): void;
}

export interface OverlayStage {
  /**
   * Draws the current rows.
   * @param isWhole True if the terminal was cleared, so that every row must be written.
   */
  draw(isWhole?: boolean): void;
  /** @returns The input after the key that closed the overlay. It is for what the overlay has covered. */
  push(chunk: Buffer): Buffer;
  /** Restores the terminal modes. The rows stay until the screen is drawn again. */
  end(): void;
}

interface StagePorts {
  readonly overlay: Overlay;
  readonly size: () => Size;
  readonly write: (text: string) => void;
  /** True to get the wheel and clicks. */
  readonly hasMouse?: boolean;
}

/**
 * Sets up the terminal for an overlay: no margins, no wrapping, no cursor, no mouse, plain key codes, bracketed paste.
 */
export const TAKE_KEYS =
  '\x1b7\x1b[?6l\x1b[?69l\x1b[r\x1b8\x1b[?7l\x1b[4l\x1b[m\x1b(B\x0f\x1b[?25l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1l\x1b>\x1b[>0u\x1b[>4m\x1b[?2004h';
export const GIVE_KEYS = '\x1b[<u\x1b[?2004l\x1b[?7h\x1b[?25h';
const ESCAPE: Key = { kind: 'named', name: 'escape' };
/** With Alt, these move by words and delete words in a text field. */
const EDITING_ALT: readonly string[] = ['b', 'f', 'd'];

export function createStage({ overlay, size, write, hasMouse = false }: StagePorts): OverlayStage {
  const reader = createKeyReader();
  let escaping: NodeJS.Timeout | undefined;
  /** The height of the tallest overlay so far: a smaller one must cover the rows of a larger one. */
  let height = 0;
  let shown: readonly string[] = [];
  let isOver = false;

  function draw(isWhole = false): void {
    if (isOver) return;
    const now = size();
    const rows = overlay.rows(now).slice(0, now.rows);
    height = Math.min(now.rows, Math.max(height, rows.length));
    const blank = ' '.repeat(now.cols);
    const all = [...Array.from({ length: height - rows.length }, () => blank), ...rows];
    const top = now.rows - height;
    const isSame = !isWhole && shown.length === all.length;
    const changed = all.flatMap((row, y) =>
      isSame && shown[y] === row ? [] : [`\x1b[${top + y + 1};1H\x1b[m${row}\x1b[m`],
    );
    shown = all;
    if (changed.length > 0) write(inLocale(changed.join('')));
  }

  /** @returns True as long as the overlay takes keys. */
  const press = (key: Key): boolean => {
    if (!isOver) overlay.press(key);
    return !isOver;
  };

  /** Reads keys until the overlay is closed, and returns the input after that. */
  function read(chunk: Buffer): Buffer {
    let late = '';
    const rest = reader.pushUntil(chunk, (key) => {
      if (key.kind !== 'alt' || EDITING_ALT.includes(key.text)) return press(key);
      // Escape and a character that were typed one after the other, over a connection that sends them together.
      if (press(ESCAPE)) return press({ kind: 'char', text: key.text });
      late = key.text;
      return false;
    });
    return late === '' ? rest : Buffer.concat([Buffer.from(late), rest]);
  }

  write(TAKE_KEYS + (hasMouse ? MOUSE.on : ''));
  const ticking = setInterval(() => draw(), TICK_MS); // ages are shown in seconds
  return {
    draw,
    push(chunk) {
      clearTimeout(escaping);
      const rest = read(chunk);
      if (reader.isWaiting && !isOver) escaping = setTimeout(() => reader.flush().every(press), ESCAPE_MS);
      return rest;
    },
    end() {
      isOver = true;
      clearTimeout(escaping);
      clearInterval(ticking);
      write((hasMouse ? MOUSE.off : '') + GIVE_KEYS);
    },
  };
}
