/**
 * A session's screen: what a terminal of its size would show after the bytes so far.
 *
 * In:   bytes in journal order (`feed`), sizes.
 * Out:  what is on it (`look`), replies to the program's queries, a snapshot from which an equal screen can be made.
 * It is the full emulator, xterm.js without a display; who keeps many screens opens one only when it is looked at
 * (src/session/screen/screen-keeper.ts).
 * Emoji are two columns wide (Unicode 11 tables), as the programs that we host count them.
 */
import serializeModule from '@xterm/addon-serialize';
import unicodeModule from '@xterm/addon-unicode11';
import headless, { type Terminal } from '@xterm/headless';
import { paintBlankRows } from './blank-rows.js';
import { createRowReader } from './cells.js';
import { correct } from './corrections.js';
import { boundedTitle } from './guard.js';
import { trackModes } from './modes.js';
import type { Picture } from './picture.js';
import { answerQueries } from './queries.js';
import { serialized, withState } from './restore.js';
import { rowToAnsi } from './row-ansi.js';
import { isSameState } from './same-state.js';
import { type Core, coreOf, Writer } from './xterm-core.js';

export interface ScreenOptions {
  readonly cols: number;
  readonly rows: number;
  /** Lines kept above the screen. */
  readonly scrollbackLines: number;
  /** Continues from this snapshot of an equally sized screen. */
  readonly snapshot?: string;
  /** The `joins` of that screen, which no sequence can restore. */
  readonly joins?: number;
  /** Called with what the terminal would send to the program. Not called for what a snapshot holds. */
  readonly onReply?: (text: string) => void;
}

export interface Cursor {
  /** Column, from 0. */
  readonly x: number;
  readonly y: number;
  readonly visible: boolean;
}

export interface Screen {
  /** Takes bytes: they are on the screen when this returns, and when `done` is called. */
  feed(bytes: Uint8Array, done?: () => void): void;
  readonly cols: number;
  readonly rows: number;
  readonly cursor: Cursor;
  readonly title: string;
  readonly isAlternate: boolean;
  readonly hasBracketedPaste: boolean;
  readonly hasApplicationCursor: boolean;
  /** Lines that have left the screen upwards and are still kept. */
  readonly scrollbackLines: number;
  /** Rows as text, or with colours; `from` may be negative to reach into the scrollback. */
  look(options: { readonly from?: number; readonly ansi?: boolean }): string[];
  /** All that a terminal needs that shows it to a person; see painter.ts. */
  picture(): Picture;
  resize(cols: number, rows: number): void;
  /**
   * Returns sequences that bring a reset terminal of this size into this state: both screens, modes, cursor, and this
   * number of scrollback lines.
   */
  snapshot(scrollbackLines: number): string;
  /** The character that a following accent combines with, in the form of xterm.js. */
  readonly joins: number;
  /** It stands between two sequences and two characters. */
  readonly isBetween: boolean;
  /**
   * True if printed lines fill the screen from here on, and push out its present content upwards (see line-watch.ts).
   */
  readonly isPlain: boolean;
  /** True if both screens stay the same for any further output. */
  isSame(other: Screen): boolean;
  readonly core: Core;
  dispose(): void;
}

export function createScreen(options: ScreenOptions): Screen {
  const terminal: Terminal = new headless.Terminal({
    cols: options.cols,
    rows: options.rows,
    // Without any the emulator loses rows when it wraps them anew, and throws at the next one.
    scrollback: Math.max(1, options.scrollbackLines),
    allowProposedApi: true,
    logLevel: 'off',
    // Without these the emulator keeps the queries from its handlers, ours included.
    windowOptions: { getWinSizePixels: true, getCellSizePixels: true, getWinSizeChars: true },
  });
  const serializer = new serializeModule.SerializeAddon();
  terminal.loadAddon(new unicodeModule.Unicode11Addon());
  terminal.loadAddon(serializer as never); // typed for the browser's terminal; the parts it uses are the same
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
  if (options.snapshot) writer.write(Buffer.from(options.snapshot));
  if (options.joins !== undefined) core._inputHandler._parser.precedingJoinState = options.joins;
  // Attach the reply handler after restoring, so that queries in the snapshot are not answered again.
  answerQueries(terminal, (text) => options.onReply?.(text));

  return {
    core,
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
    look: ({ from = 0, ansi = false }) => {
      const buffer = terminal.buffer.active;
      const first = Math.max(0, buffer.baseY + from);
      const texts: string[] = [];
      for (let y = first; y < buffer.baseY + terminal.rows; y++) {
        const line = buffer.getLine(y);
        texts.push(line ? (ansi ? rowToAnsi(line, terminal.cols) : line.translateToString(true)) : '');
      }
      return texts;
    },
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
    isSame(other) {
      const [own, its] = [modes.settings, other.picture().settings];
      return title === other.title && JSON.stringify(own) === JSON.stringify(its) && isSameState(core, other.core);
    },
    snapshot: (scrollback) =>
      withState(
        terminal,
        serialized(terminal, () => serializer.serialize({ scrollback })),
        paintBlankRows(terminal) + modes.restore(title),
      ),
    dispose: () => terminal.dispose(),
  };
}
