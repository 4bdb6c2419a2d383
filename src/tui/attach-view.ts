/**
 * The person's terminal while a session is attached: the session's output, one status row below it, and for a while an
 * overlay.
 *
 * In:   what to show; sizes are the terminal's. Out: bytes on it; `window` is what is left for the session.
 * With the status row the terminal is on its alternate screen and the session is painted above the row; without, the
 * session has the whole terminal, and a notice lies over its last row until the next key. However it ends, the terminal
 * is as it was.
 */
import type { Size } from '../protocol/index.js';
import { createStage, type Overlay, type OverlayStage } from './attach-overlay.js';
import { LEAST_ROWS, sizeOf, windowOf } from './attach-seat.js';
import type { Paint } from './paint.js';
import { KEEP_TITLE, resetTerminal, setTitle } from './terminal-reset.js';
import { fill } from './text.js';

export interface AttachViewPorts {
  readonly stdout: NodeJS.WriteStream;
  readonly paint: Paint;
  /** The row's text, of so many columns. */
  readonly status: (columns: number, notice: string | null) => string;
  /** The screen is wanted anew. */
  readonly repaint: () => void;
}

const NOTICE_MS = 6_000;

export class AttachView {
  readonly #ports: AttachViewPorts;
  #hasStatus = false;
  #hasEntered = false;
  #isOnAlternate = false;
  /** The main screen's rows have been moved up for the session. */
  #isMainTaken = false;
  #stage: OverlayStage | null = null;
  #notice: string | null = null;
  /** What is said whenever nothing else is. */
  #standing: string | null = null;
  #noticeTimer: NodeJS.Timeout | undefined;
  #row = '';

  constructor(ports: AttachViewPorts) {
    this.#ports = ports;
  }

  /** Makes room for a session, with the row or without. */
  enter(title: string, hasStatus: boolean): void {
    this.#standing = null;
    this.#dismiss();
    this.#hasStatus = hasStatus;
    this.#row = '';
    const { rows } = this.#size();
    let text = (this.#hasEntered ? '' : KEEP_TITLE) + setTitle(title);
    this.#hasEntered = true;
    if (hasStatus && !this.#isOnAlternate) text += '\x1b[?1049h\x1b[m\x1b[r\x1b[2J\x1b[H';
    this.#isOnAlternate = hasStatus;
    if (!hasStatus && !this.#isMainTaken) {
      // What the person had on the terminal moves up into its scrollback.
      text += `\x1b[?1049l${'\n'.repeat(rows)}\x1b[H`;
      this.#isMainTaken = true;
    }
    this.#ports.stdout.write(text);
    this.drawStatus();
  }

  /** What the session has of the terminal. */
  window(hasStatus = this.#hasStatus): Size {
    return windowOf(this.#ports.stdout, hasStatus);
  }

  /** The session's output. @returns Whether the terminal takes more. */
  write(bytes: Uint8Array): boolean {
    return this.#ports.stdout.write(bytes);
  }

  /** What is not of the screen, and goes out at once. */
  send(text: string): void {
    this.#ports.stdout.write(text);
  }

  get isOverlaid(): boolean {
    return this.#stage !== null;
  }

  open(overlay: Overlay): void {
    this.#dismiss();
    this.#stage?.end();
    this.#stage = createStage({ overlay, size: () => this.window(), write: (text) => this.send(text) });
    this.#stage.draw();
  }

  redraw(): void {
    this.#stage?.draw();
  }

  press(chunk: Buffer): void {
    this.#stage?.push(chunk);
  }

  closeOverlay(): void {
    if (!this.#stage) return;
    this.#stage.end();
    this.#stage = null;
    this.#ports.repaint();
  }

  /** The terminal has another size, and whatever on it. */
  resized(): void {
    this.#row = '';
    if (this.#stage) this.send('\x1b[m\x1b[2J');
    this.#stage?.draw(true);
    this.drawStatus();
  }

  /** A remark, until the next key or for a while. @param isLasting  Until it is taken back. */
  say(text: string, isLasting = false): void {
    clearTimeout(this.#noticeTimer);
    this.#notice = text;
    if (this.#hasRow) {
      if (!isLasting) this.#noticeTimer = setTimeout(() => this.unsay(), NOTICE_MS);
      this.drawStatus();
    } else this.#lay(text);
  }

  /** What is said until the next session, whenever nothing else is. */
  stand(text: string): void {
    this.#standing = text;
    if (this.#notice !== null) return;
    if (this.#hasRow) this.drawStatus();
    else this.#lay(text);
  }

  /** Takes back what was said. */
  unsay(): void {
    if (this.#notice === null) return;
    const wasOver = !this.#hasRow;
    this.#dismiss();
    if (!wasOver || this.#stage) return;
    if (this.#standing === null) this.#ports.repaint();
    else this.#lay(this.#standing);
  }

  /** The output begins anew and covers a notice that lay over it. */
  covered(): void {
    if (!this.#hasRow) this.#notice = null;
  }

  drawStatus(): void {
    if (!this.#hasRow) return;
    const { cols, rows } = this.#size();
    const row = this.#ports.status(cols, this.#notice ?? this.#standing);
    if (row === this.#row) return;
    this.#row = row;
    this.send(`\x1b7\x1b[${rows};1H\x1b[m${this.#ports.paint('inverse', row)}\x1b[m\x1b8`);
  }

  restore(): void {
    clearTimeout(this.#noticeTimer);
    const { rows } = this.#size();
    this.#stage?.end();
    this.#stage = null;
    const hidesNotice = (this.#notice ?? this.#standing) !== null && !this.#hasRow;
    this.send(`${hidesNotice ? `\x1b[${rows};1H\x1b[2K` : ''}${resetTerminal(this.#isMainTaken ? rows : null)}`);
  }

  #dismiss(): void {
    clearTimeout(this.#noticeTimer);
    this.#notice = null;
    this.drawStatus();
  }

  /** Over the session's last row, where there is no row of ours. */
  #lay(text: string): void {
    if (this.#stage) return;
    const { cols, rows } = this.#size();
    this.send(`\x1b7\x1b[${rows};1H\x1b[0;7m${fill(` ${text}`, cols)}\x1b[0m\x1b8`);
  }

  get #hasRow(): boolean {
    return this.#hasStatus && this.#size().rows >= LEAST_ROWS;
  }

  #size(): Size {
    return sizeOf(this.#ports.stdout);
  }
}
