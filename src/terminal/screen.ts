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
import { createRowReader } from './cells.js';
import { correct } from './corrections.js';
import { boundedTitle } from './guard.js';
import { trackModes } from './modes.js';
import type { Picture, Settings } from './picture.js';
import { answerQueries } from './queries.js';
import { withState } from './restore.js';
import { type RowTexts, rowTexts, startRowTexts } from './row-copies.js';
import { comparison } from './same-state.js';
import { Serializer } from './serializer.js';
import { type Core, coreOf, Writer } from './xterm-core.js';

/** Number of bytes of a snapshot that are restored before the clock is read again. */
const RESTORED_BYTES = 2048;
const NEVER = (): boolean => false;

interface ScreenOptions {
  readonly cols: number;
  readonly rows: number;
  /** Maximum number of lines kept above the screen. */
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

export interface Screen {
  /**
   * Continues to restore the snapshot with which it was created, until `isOver` returns true.
   * @returns True if it is restored.
   */
  restore(isOver: () => boolean): boolean;
  /** Processes bytes. They are on the screen when this returns, and when `done` is called. */
  feed(bytes: Uint8Array, done?: () => void): void;
  readonly cols: number;
  readonly rows: number;
  readonly cursor: Cursor;
  readonly title: string;
  readonly isAlternate: boolean;
  readonly hasBracketedPaste: boolean;
  readonly hasApplicationCursor: boolean;
  /** Number of lines that have left the screen at the top and are kept. */
  readonly scrollbackLines: number;
  /** Returns rows as text, or with colours; `from` may be negative to start in the scrollback. */
  look(options: { readonly from?: number; readonly ansi?: boolean }): string[];
  /** Begins to return the same rows in slices of time. The screen may change meanwhile. */
  startLook(options: { readonly from: number; readonly ansi: boolean }): RowTexts;
  /** Returns everything that a terminal needs to show the screen to a person; see painter.ts. */
  picture(): Picture;
  resize(cols: number, rows: number): void;
  /**
   * Returns sequences that bring a reset terminal of this size into this state: both screens, modes, cursor, and this
   * number of scrollback lines.
   */
  snapshot(scrollbackLines: number): string;
  /** Begins such a snapshot. */
  startSnapshot(scrollbackLines: number): SnapshotWriter;
  /** The character that a following accent combines with, in the form of xterm.js. */
  readonly joins: number;
  /** True if the last output ended between two sequences and two characters. */
  readonly isBetween: boolean;
  /**
   * True if further printed lines push the present content off the screen at its top (see line-watch.ts).
   */
  readonly isPlain: boolean;
  /**
   * Compares two screens in steps. Both must not change meanwhile. Returns true if they stay the same for any further
   * output.
   */
  compare(other: Screen): Generator<undefined, boolean>;
  readonly settings: Settings;
  readonly core: Core;
  dispose(): void;
}

/** Creates a screen. The caller must dispose of it. */
export function createScreen(options: ScreenOptions): Screen {
  const terminal: Terminal = new headless.Terminal({
    cols: options.cols,
    rows: options.rows,
    // With a scrollback of 0, the emulator loses rows when it wraps them again, and throws at the next one.
    scrollback: Math.max(1, options.scrollbackLines),
    allowProposedApi: true,
    logLevel: 'off',
    // Without these options, the emulator does not pass the queries to handlers, including orchd's.
    windowOptions: { getWinSizePixels: true, getCellSizePixels: true, getWinSizeChars: true },
  });
  terminal.loadAddon(new unicodeModule.Unicode11Addon());
  terminal.unicode.activeVersion = '11';
  correct(terminal);
  const modes = trackModes(terminal);
  let title = '';
  terminal.onTitleChange((text) => {
    title = boundedTitle(text);
  });
  let bells = 0;
  const readRow = createRowReader();
  terminal.onBell(() => {
    bells++;
  });
  const core = coreOf(terminal);
  const writer = new Writer(core);
  let unrestored: Uint8Array | null = Buffer.from(options.snapshot ?? '');

  function restore(isOver: () => boolean): boolean {
    while (unrestored && unrestored.length > 0) {
      writer.write(unrestored.subarray(0, RESTORED_BYTES));
      unrestored = unrestored.subarray(RESTORED_BYTES);
      if (unrestored.length > 0 && isOver()) return false;
    }
    if (unrestored) {
      unrestored = null;
      if (options.joins !== undefined) core._inputHandler._parser.precedingJoinState = options.joins;
      // Attach the reply handler after restoring, so that queries in the snapshot are not answered again.
      answerQueries(terminal, (text) => options.onReply?.(text));
    }
    return true;
  }

  if (!options.restoresLater) restore(NEVER);
  const startSnapshot = (scrollback: number): SnapshotWriter => {
    const rows = new Serializer(terminal, scrollback);
    return {
      goOn: (isOver) => rows.goOn(isOver),
      get text() {
        return withState(terminal, rows, modes.restore(title));
      },
    };
  };

  return {
    core,
    restore,
    startSnapshot,
    feed(bytes, done) {
      writer.write(bytes);
      done?.();
    },
    get cols() {
      return terminal.cols;
    },
    get rows() {
      return terminal.rows;
    },
    get cursor() {
      const buffer = terminal.buffer.active;
      return {
        x: Math.min(buffer.cursorX, terminal.cols - 1),
        y: buffer.cursorY,
        visible: !modes.isCursorHidden,
      };
    },
    get title() {
      return title;
    },
    get isAlternate() {
      return terminal.buffer.active.type === 'alternate';
    },
    get hasBracketedPaste() {
      return terminal.modes.bracketedPasteMode;
    },
    get hasApplicationCursor() {
      return terminal.modes.applicationCursorKeysMode;
    },
    get scrollbackLines() {
      return terminal.buffer.active.baseY;
    },
    look: ({ from = 0, ansi = false }) => rowTexts(terminal, { from, ansi }),
    startLook: (options) => startRowTexts(terminal, options),
    picture() {
      const { cols, rows, buffer } = terminal;
      const { active } = buffer;
      return {
        cols,
        rows: Array.from({ length: rows }, (_, y) => readRow(active.getLine(active.baseY + y), cols)),
        cursor: { x: Math.min(active.cursorX, cols - 1), y: active.cursorY, visible: !modes.isCursorHidden },
        title,
        settings: modes.settings,
        bells,
        isUpdating: terminal.modes.synchronizedOutputMode,
      };
    },
    resize(cols, rows) {
      terminal.resize(cols, rows);
    },
    get joins() {
      return core._inputHandler._parser.precedingJoinState;
    },
    get isBetween() {
      return writer.isBetween;
    },
    get isPlain() {
      const { buffer, buffers } = core._bufferService;
      const isWhole = buffer.scrollTop === 0 && buffer.scrollBottom === terminal.rows - 1;
      const isAscii = core._charsetService.glevel === 0 && core._charsetService._charsets.every((set) => !set);
      return buffer === buffers.normal && isWhole && isAscii && !core.coreService.decPrivateModes.reverseWraparound;
    },
    get settings() {
      return modes.settings;
    },
    *compare(other) {
      const isSame = title === other.title && JSON.stringify(modes.settings) === JSON.stringify(other.settings);
      return isSame && (yield* comparison(core, other.core));
    },
    snapshot(scrollback) {
      const own = startSnapshot(scrollback);
      own.goOn(NEVER);
      return own.text;
    },
    dispose: () => terminal.dispose(),
  };
}
