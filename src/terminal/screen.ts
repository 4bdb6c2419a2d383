/**
 * A session's screen: what a terminal of its size would show after the bytes so far.
 *
 * In:   bytes in journal order (`feed`), sizes.
 * Out:  what is on it (`look`), replies to the program's queries, a snapshot from which an equal screen can be made.
 * This one is the full emulator, xterm.js without a display: the reference that any faster one must equal.
 * Emoji are two columns wide (Unicode 11 tables), as the programs that we host count them.
 */
import serializeModule from '@xterm/addon-serialize';
import unicodeModule from '@xterm/addon-unicode11';
import headless, { type Terminal } from '@xterm/headless';
import { paintBlankRows } from './blank-rows.js';
import { correct } from './corrections.js';
import { trackModes } from './modes.js';
import { answerQueries } from './queries.js';
import { serialized, withState } from './restore.js';
import { rowToAnsi } from './row-ansi.js';

export interface ScreenOptions {
  readonly cols: number;
  readonly rows: number;
  /** Lines kept above the screen. */
  readonly scrollbackLines: number;
  /** Continues from this snapshot of an equally sized screen. */
  readonly snapshot?: string;
  /** Called with what the terminal would send to the program. Not called for what a snapshot holds. */
  readonly onReply?: (text: string) => void;
}

export interface Cursor {
  /** From 0. */
  readonly x: number;
  readonly y: number;
  readonly visible: boolean;
}

export interface Screen {
  /** Takes bytes; they must not change afterwards. `done` is called when they are on the screen, in order. */
  feed(bytes: Uint8Array, done: () => void): void;
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
  /** Takes effect after what was fed before. */
  resize(cols: number, rows: number): void;
  /** What brings a reset terminal of this size into this state: both screens, modes, cursor, and so much scrollback. */
  snapshot(scrollbackLines: number): string;
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
    title = text;
  });
  if (options.snapshot) terminal.write(options.snapshot);
  // Registered behind the snapshot's parsing: a restored screen answers nothing of the past.
  terminal.write('', () => answerQueries(terminal, (text) => options.onReply?.(text)));

  return {
    feed: (bytes, done) => terminal.write(bytes, done),
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
    resize: (cols, rows) => terminal.write('', () => terminal.resize(cols, rows)),
    snapshot: (scrollback) =>
      withState(
        terminal,
        serialized(terminal, () => serializer.serialize({ scrollback })),
        paintBlankRows(terminal) + modes.restore(title),
      ),
    dispose: () => terminal.dispose(),
  };
}
