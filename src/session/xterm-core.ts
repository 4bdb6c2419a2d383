/**
 * xterm.js as the emulator needs it: opened, written to synchronously, and written down.
 *
 * It is written to by its input handler (`write` would parse later, when the journal has gone on). That is an internal of the pinned
 * version, as is the call that scrolls; `selfCheck` sees at the first use that both do what is expected.
 */
import serializeModule from '@xterm/addon-serialize';
import unicodeModule from '@xterm/addon-unicode11';
import headless, { type Terminal } from '@xterm/headless';
import { guard } from '../terminal/index.js';

/** What is used of xterm.js 6.0.0 beyond its interface. */
export interface Core {
  readonly _inputHandler: {
    parse(bytes: Uint8Array): unknown;
    readonly _parser: { readonly currentState: number };
    print(codes: Uint32Array, start: number, end: number): void;
  };
  readonly _bufferService: {
    scroll(attributes: unknown, isWrapped?: boolean): void;
    readonly buffer: {
      readonly scrollTop: number;
      readonly scrollBottom: number;
      readonly savedX: number;
      readonly savedY: number;
      readonly ybase: number;
    };
  };
}

/** Of xterm's parser, between two sequences. */
export const GROUND = 0;

/** Rows that may leave the main screen between two looks. */
const SCROLLBACK_ROWS = 600;
const NOTHING = new Uint8Array(0);

/** @param saved  Where the saved cursor stands, in the screen; the serializer leaves it out. */
export function snapshotOf(terminal: Terminal, saved: { readonly x: number; readonly y: number }): string {
  const serializer = new serializeModule.SerializeAddon();
  terminal.loadAddon(serializer as never); // typed for the browser's terminal; the parts it uses are the same
  const { cursorX, cursorY } = terminal.buffer.active;
  const to = (x: number, y: number): string => `\x1b[${Math.max(0, y) + 1};${x + 1}H`;
  const text = serializer.serialize({ scrollback: SCROLLBACK_ROWS });
  // A cursor behind the last column waits for the next character to wrap; the serializer leaves it so, and moving it would not.
  if (cursorX >= terminal.cols) return text;
  return `${text}${to(saved.x, saved.y)}\x1b7${to(cursorX, cursorY)}`;
}

export function openTerminal(cols: number, rows: number): Terminal {
  const terminal = new headless.Terminal({
    cols,
    rows,
    scrollback: SCROLLBACK_ROWS,
    allowProposedApi: true,
    logLevel: 'off',
  });
  terminal.loadAddon(new unicodeModule.Unicode11Addon());
  terminal.unicode.activeVersion = '11';
  guard(terminal);
  return terminal;
}

export function coreOf(terminal: Terminal): Core {
  selfCheck();
  return (terminal as unknown as { _core: Core })._core; // `selfCheck` has seen that it is there
}

let isChecked = false;

/** Whether this xterm.js can be written to synchronously, and tells of printing and scrolling. */
function selfCheck(): void {
  if (isChecked) return;
  const terminal = openTerminal(4, 2);
  const core = (terminal as unknown as { _core?: Partial<Core> })._core;
  const handler = core?._inputHandler;
  const service = core?._bufferService;
  if (!handler || !service) throw new Error('this xterm.js has other insides than the one that orchd was built for');
  let printed = 0;
  let scrolled = 0;
  const print = handler.print.bind(handler);
  handler.print = (codes, start, end) => {
    printed += end - start;
    print(codes, start, end);
  };
  const scroll = service.scroll.bind(service);
  service.scroll = (attributes, isWrapped) => {
    scrolled++;
    scroll(attributes, isWrapped);
  };
  handler.parse(NOTHING);
  handler.parse(Uint8Array.from([0x61, 0x0a, 0x62, 0x0a, 0x63]));
  const isRead = terminal.buffer.active.getLine(2)?.translateToString(true) === '  c';
  terminal.dispose();
  if (printed !== 3 || scrolled !== 1 || !isRead) {
    throw new Error('this xterm.js does not work as the one that orchd was built for');
  }
  isChecked = true;
}
