/**
 * Draws the person's terminal while a session is attached: the session's output, a status row below it, and sometimes
 * an overlay.
 *
 * In:   what to show. Sizes are those of the terminal.
 * Out:  bytes on the terminal; `window` is the size left for the session.
 * With the status row, the terminal uses its alternate screen and the session is drawn above the row. Without it, the
 * session has the whole terminal, and a notice covers the last row until the next key. At the end the terminal is
 * always restored.
 */
import type { Size } from '../../../protocol/index.js';
import { NOTICE_MS } from '../../model/timing.js';
import { inLocale } from '../../paint/ascii.js';
import type { Paint } from '../../paint/paint.js';
import { KEEP_TITLE, resetTerminal, setTitle } from '../../paint/terminal-reset.js';
import { fill } from '../../paint/text.js';
import { MIN_ROWS, sizeOf, windowOf } from '../attach-target.js';
import { createStage, type Overlay, type OverlayStage } from '../overlays/index.js';
import { noticeParts } from './notice-parts.js';

interface AttachViewPorts {
  readonly stdout: NodeJS.WriteStream;
  readonly paint: Paint;
  /** Returns the text of the status row in exactly `columns` columns. */
  readonly status: (columns: number, notice: string | null) => string;
  /** Requests the session's whole screen again. */
  readonly repaint: () => void;
}

/** Time for which each part of a long notice is shown, except the last part. */
const PART_MS = 4_000;

export class AttachView {
  readonly #ports: AttachViewPorts;
  #hasStatus = false;
  #hasEntered = false;
  #isOnAlternate = false;
  /** True if the rows of the main screen were scrolled up to make room for the session. */
  #isMainTaken = false;
  #stage: OverlayStage | null = null;
  /** `isLasting`: shown until `unsay` is called. */
  #notice: { readonly text: string; readonly isLasting: boolean } | null = null;
  /** The notice that is shown while there is no newer one. */
  #standing: string | null = null;
  /** The part of a long notice that is shown. */
  #part = 0;
  #noticeTimer: NodeJS.Timeout | undefined;
  #row = '';

  constructor(ports: AttachViewPorts) {
    this.#ports = ports;
  }

  /** Prepares the terminal for a session, with or without the status row. */
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
      // The lines on the terminal move up into its scrollback.
      text += `\x1b[?1049l${'\n'.repeat(rows)}\x1b[H`;
      this.#isMainTaken = true;
    }
    this.#ports.stdout.write(text);
    this.drawStatus();
  }

  /** Returns the part of the terminal that the session can use. */
  window(hasStatus = this.#hasStatus): Size {
    return windowOf(this.#ports.stdout, hasStatus);
  }

  /**
   * Writes the session's output.
   * @returns True if the terminal accepts more.
   */
  write(bytes: Uint8Array): boolean {
    return this.#ports.stdout.write(bytes);
  }

  /** Writes control sequences that do not change the screen, immediately. */
  send(text: string): void {
    this.#ports.stdout.write(text);
  }

  get isOverlaid(): boolean {
    return this.#stage !== null;
  }

  open(overlay: Overlay, hasMouse = false): void {
    this.#dismiss();
    this.#stage?.end();
    this.#stage = createStage({ overlay, hasMouse, size: () => this.window(), write: (text) => this.send(text) });
    this.#stage.draw();
  }

  redraw(): void {
    this.#stage?.draw();
  }

  /** @returns The input after the key that closed the overlay. */
  press(chunk: Buffer): Buffer {
    return this.#stage?.push(chunk) ?? chunk;
  }

  closeOverlay(): void {
    if (!this.#stage) return;
    this.#stage.end();
    this.#stage = null;
    this.#ports.repaint();
  }

  /** Handles a resize of the terminal, which leaves its content undefined. */
  resized(): void {
    this.#row = '';
    if (this.#stage) this.send('\x1b[m\x1b[2J');
    this.#stage?.draw(true);
    this.drawStatus();
  }

  /**
   * Shows a notice until the next key, at most for NOTICE_MS. A notice that is longer than the row is shown in parts.
   * @param isLasting True to show it until `unsay` is called.
   */
  say(text: string, isLasting = false): void {
    this.#notice = { text, isLasting };
    this.#show(0);
  }

  /** Shows a part of the notice, and the next one after it. */
  #show(part: number): void {
    clearTimeout(this.#noticeTimer);
    const text = this.#noticeText;
    if (text === null) return;
    this.#part = part;
    const { length } = noticeParts(text, this.#size().cols);
    const stays = this.#notice?.isLasting ?? true;
    if (length > 1 && (stays || part + 1 < length)) {
      this.#noticeTimer = setTimeout(() => this.#show((part + 1) % length), PART_MS);
    } else if (!stays && (length > 1 || this.#hasRow)) {
      this.#noticeTimer = setTimeout(() => this.unsay(), NOTICE_MS);
    }
    if (this.#hasRow) this.drawStatus();
    else this.#lay();
  }

  /** Returns the part of the notice that is shown now. */
  #shownPart(columns: number): string | null {
    const text = this.#noticeText;
    if (text === null) return null;
    const parts = noticeParts(text, columns);
    return parts[this.#part % parts.length] ?? text;
  }

  /** Sets the notice that is shown whenever there is no newer one, until the next session. */
  setStanding(text: string): void {
    this.#standing = text;
    if (this.#notice === null) this.#show(0);
  }

  /** Removes the current notice. */
  unsay(): void {
    if (this.#notice === null) return;
    const wasOver = !this.#hasRow;
    this.#dismiss();
    if (!wasOver || this.#stage) return;
    if (this.#standing === null) this.#ports.repaint();
    else this.#show(0);
  }

  /** Called when the output starts again from a full screen, which covers a notice on the last row. */
  covered(): void {
    if (!this.#hasRow) this.#notice = null;
  }

  drawStatus(): void {
    if (!this.#hasRow) return;
    const { cols, rows } = this.#size();
    const row = this.#ports.status(cols, this.#shownPart(cols));
    if (row === this.#row) return;
    this.#row = row;
    this.send(`\x1b7\x1b[${rows};1H\x1b[m${this.#ports.paint('inverse', inLocale(row))}\x1b[m\x1b8`);
  }

  restore(): void {
    clearTimeout(this.#noticeTimer);
    const { rows } = this.#size();
    this.#stage?.end();
    this.#stage = null;
    const hidesNotice = this.#noticeText !== null && !this.#hasRow;
    this.send(`${hidesNotice ? `\x1b[${rows};1H\x1b[2K` : ''}${resetTerminal(this.#isMainTaken ? rows : null)}`);
  }

  #dismiss(): void {
    clearTimeout(this.#noticeTimer);
    this.#notice = null;
    if (this.#standing !== null && this.#hasRow) this.#show(0);
    else this.drawStatus();
  }

  /** Draws a notice over the session's last row if there is no status row. */
  #lay(): void {
    if (this.#stage) return;
    const { cols, rows } = this.#size();
    const text = inLocale(fill(` ${this.#shownPart(cols) ?? ''}`, cols));
    this.send(`\x1b7\x1b[${rows};1H\x1b[0;7m${text}\x1b[0m\x1b8`);
  }

  get #noticeText(): string | null {
    return this.#notice?.text ?? this.#standing;
  }

  get #hasRow(): boolean {
    return this.#hasStatus && this.#size().rows >= MIN_ROWS;
  }

  #size(): Size {
    return sizeOf(this.#ports.stdout);
  }
}
