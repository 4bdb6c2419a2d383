/**
 * A session's screen: the content of a terminal of its size after the bytes so far.
 *
 * In:   bytes in journal order (`feed`), sizes.
 * Out:  its content (`look`), replies to the program's queries, a snapshot from which an equal screen can be created.
 *
 * It is a complete emulator: xterm.js without a display. A caller with many screens creates one only when it is needed
 * (src/session/screen/screen-keeper.ts). Emoji are two columns wide (Unicode 11 tables), as hosted programs count them.
 */
import unicodeModule from '@xterm/addon-unicode11';
import headless, { type Terminal } from '@xterm/headless';
import { answerQueries } from './queries.js';
import { createRowReader } from './rows/cells.js';
import type { Picture, Settings } from './rows/picture.js';
import { type RowTexts, rowTexts, startRowTexts } from './rows/row-copies.js';
import { trackModes } from './snapshot/modes.js';
import { withState } from './snapshot/restore.js';
import { Serializer } from './snapshot/serializer.js';
import { correct } from './xterm/corrections.js';
import { boundedTitle } from './xterm/guard.js';
import { comparison } from './xterm/same-state.js';
import { type Core, coreOf, limitRowsAbove, Writer } from './xterm/xterm-core.js';

/** Number of bytes of a snapshot that are restored before the clock is read again. */
const RESTORED_BYTES = 2048;
const NEVER = (): boolean => false;
/** A wider screen keeps fewer lines, so that a program that resizes its terminal does not use more of the memory. */
const FULL_COLS = 250;

interface ScreenOptions {
  readonly cols: number;
  readonly rows: number;
  /** Maximum number of lines kept above the screen, for up to FULL_COLS columns. */
  readonly scrollbackLines: number;
  /** Continues from this snapshot of an equally sized screen. */
  readonly snapshot?: string;
  /** True if the caller calls `restore` until it returns true, before anything else. */
  readonly restoresLater?: boolean;
  /** The `joins` of that screen, which no sequence can restore. */
  readonly joins?: number;
  /** Called with the terminal's replies to the program. Not called for queries in a snapshot. */
  readonly onReply?: (text: string) => void;
}

export interface Cursor {
  /** Column, from 0. */
  readonly x: number;
  readonly y: number;
  readonly visible: boolean;
}

/** A snapshot that is written in slices of time. The screen must not change meanwhile. */
export interface SnapshotWriter {
  /**
   * Continues until `isOver` returns true.
   * @returns True if the snapshot is complete.
   */
  goOn(isOver: () => boolean): boolean;
  readonly text: string;
}

/** The screen of one session. Its creator must dispose of it. */
export class Screen {
  readonly core: Core;
  readonly #options: ScreenOptions;
  readonly #terminal: Terminal;
  readonly #modes: ReturnType<typeof trackModes>;
  readonly #writer: Writer;
  readonly #readRow = createRowReader();
  /** The rest of the snapshot with which the screen was created; null once it is restored. */
  #unrestored: Uint8Array | null;
  #title = '';
  #bells = 0;

  constructor(options: ScreenOptions) {
    const terminal = createTerminal(options);
    this.#options = options;
    this.#terminal = terminal;
    this.#modes = trackModes(terminal);
    terminal.onTitleChange((text) => {
      this.#title = boundedTitle(text);
    });
    terminal.onBell(() => {
      this.#bells++;
    });
    this.core = coreOf(terminal);
    this.#limitRows();
    this.#writer = new Writer(this.core);
    this.#unrestored = Buffer.from(options.snapshot ?? '');
    if (!options.restoresLater) this.restore(NEVER);
  }

  /**
   * Continues to restore the snapshot with which it was created, until `isOver` returns true.
   * @returns True if it is restored.
   */
  restore(isOver: () => boolean): boolean {
    while (this.#unrestored && this.#unrestored.length > 0) {
      this.#writer.write(this.#unrestored.subarray(0, RESTORED_BYTES));
      this.#unrestored = this.#unrestored.subarray(RESTORED_BYTES);
      if (this.#unrestored.length > 0 && isOver()) return false;
    }
    if (this.#unrestored) {
      this.#unrestored = null;
      const { joins, onReply } = this.#options;
      if (joins !== undefined) this.core._inputHandler._parser.precedingJoinState = joins;
      // Attach the reply handler after restoring, so that queries in the snapshot are not answered again.
      answerQueries(this.#terminal, (text) => onReply?.(text));
    }
    return true;
  }

  /** Processes bytes. They are on the screen when this returns, and when `done` is called. */
  feed(bytes: Uint8Array, done?: () => void): void {
    this.#writer.write(bytes);
    done?.();
  }

  resize(cols: number, rows: number): void {
    this.#terminal.resize(cols, rows);
    this.#limitRows();
  }

  #limitRows(): void {
    if (this.cols <= FULL_COLS) return;
    limitRowsAbove(this.core, Math.max(1, Math.floor((this.#options.scrollbackLines * FULL_COLS) / this.cols)));
  }

  dispose(): void {
    this.#terminal.dispose();
  }

  get cols(): number {
    return this.#terminal.cols;
  }

  get rows(): number {
    return this.#terminal.rows;
  }

  get cursor(): Cursor {
    const buffer = this.#terminal.buffer.active;
    return {
      x: Math.min(buffer.cursorX, this.cols - 1),
      y: buffer.cursorY,
      visible: !this.#modes.isCursorHidden,
    };
  }

  get title(): string {
    return this.#title;
  }

  get isAlternate(): boolean {
    return this.#terminal.buffer.active.type === 'alternate';
  }

  get hasBracketedPaste(): boolean {
    return this.#terminal.modes.bracketedPasteMode;
  }

  get hasApplicationCursor(): boolean {
    return this.#terminal.modes.applicationCursorKeysMode;
  }

  /** Returns rows as text, or with colours; `from` may be negative to start in the scrollback. */
  look({ from = 0, ansi = false }: { readonly from?: number; readonly ansi?: boolean }): string[] {
    return rowTexts(this.#terminal, { from, ansi });
  }

  /** Begins to return the same rows in slices of time. The screen may change meanwhile. */
  startLook(options: { readonly from: number; readonly ansi: boolean }): RowTexts {
    return startRowTexts(this.#terminal, options);
  }

  /** Returns everything that a terminal needs to show the screen to a person; see painter.ts. */
  picture(): Picture {
    const { cols, rows, buffer } = this.#terminal;
    const { active } = buffer;
    return {
      cols,
      rows: Array.from({ length: rows }, (_, y) => this.#readRow(active.getLine(active.baseY + y), cols)),
      cursor: this.cursor,
      title: this.#title,
      settings: this.settings,
      bells: this.#bells,
      isUpdating: this.#terminal.modes.synchronizedOutputMode,
    };
  }

  /**
   * Returns sequences that bring a reset terminal of this size into this state: both screens, modes, cursor, and this
   * number of scrollback lines.
   */
  snapshot(scrollbackLines: number): string {
    const writer = this.startSnapshot(scrollbackLines);
    writer.goOn(NEVER);
    return writer.text;
  }

  /** Begins such a snapshot. */
  startSnapshot(scrollbackLines: number): SnapshotWriter {
    const rows = new Serializer(this.#terminal, scrollbackLines);
    const text = (): string => withState(this.#terminal, rows, this.#modes.restore(this.#title));
    return {
      goOn: (isOver) => rows.goOn(isOver),
      get text() {
        return text();
      },
    };
  }

  /** The character that a following accent combines with, in the form of xterm.js. */
  get joins(): number {
    return this.core._inputHandler._parser.precedingJoinState;
  }

  /** True if the last output ended between two sequences and two characters. */
  get isBetween(): boolean {
    return this.#writer.isBetween;
  }

  /** True if further printed lines push the present content off the screen at its top (see line-watch.ts). */
  get isPlain(): boolean {
    const { _bufferService: service, _charsetService: charset, coreService } = this.core;
    const { buffer, buffers } = service;
    const isWhole = buffer.scrollTop === 0 && buffer.scrollBottom === this.rows - 1;
    const isAscii = charset.glevel === 0 && charset._charsets.every((set) => !set);
    return buffer === buffers.normal && isWhole && isAscii && !coreService.decPrivateModes.reverseWraparound;
  }

  get settings(): Settings {
    return this.#modes.settings;
  }

  /**
   * Compares two screens in steps. Both must not change meanwhile. Returns true if they stay the same for any further
   * output.
   */
  *compare(other: Screen): Generator<undefined, boolean> {
    const isSame = this.title === other.title && JSON.stringify(this.settings) === JSON.stringify(other.settings);
    return isSame && (yield* comparison(this.core, other.core));
  }
}

/** Creates the emulator, with the widths and the sequences that hosted programs expect. */
function createTerminal({ cols, rows, scrollbackLines }: ScreenOptions): Terminal {
  const terminal = new headless.Terminal({
    cols,
    rows,
    // With a scrollback of 0, the emulator loses rows when it wraps them again, and throws at the next one.
    scrollback: Math.max(1, scrollbackLines),
    allowProposedApi: true,
    logLevel: 'off',
    // Without these options, the emulator does not pass the queries to handlers, including orchd's.
    windowOptions: { getWinSizePixels: true, getCellSizePixels: true, getWinSizeChars: true },
  });
  terminal.loadAddon(new unicodeModule.Unicode11Addon());
  terminal.unicode.activeVersion = '11';
  correct(terminal);
  return terminal;
}
