/**
 * xterm.js with access to its internals: written to synchronously, and inspected.
 *
 * Output goes directly to its input handler, because `write` would parse later, when the journal has grown. That
 * handler and the call that scrolls are internals of the pinned version. `coreOf` checks at the first use that both
 * work as expected.
 */
import headless, { type Terminal } from '@xterm/headless';

/** The internals of xterm.js 6.0.0 that are used here. */
export interface Core {
  readonly _inputHandler: {
    parse(bytes: Uint8Array): unknown;
    /** `precedingJoinState`: the last character's part in joining the next one (emoji); 0 after an escape sequence. */
    readonly _parser: { readonly currentState: number; precedingJoinState: number; reset(): void };
    readonly _utf8Decoder: { clear(): void };
    readonly _curAttrData: Attributes;
    /** Receives the numbers of the rows that are written to. */
    _dirtyRowTracker: RowTracker;
    print(codes: Uint32Array, start: number, end: number): void;
  };
  readonly _bufferService: {
    scroll(attributes: unknown, isWrapped?: boolean): void;
    readonly cols: number;
    readonly rows: number;
    readonly buffer: Buffer;
    readonly buffers: { readonly normal: Buffer; readonly alt: Buffer; readonly active: Buffer };
  };
  readonly _charsetService: { readonly glevel: number; readonly _charsets: readonly (object | undefined)[] };
  readonly coreService: {
    readonly modes: { readonly insertMode: boolean };
    readonly decPrivateModes: { readonly origin: boolean; readonly reverseWraparound: boolean };
    readonly isCursorHidden: boolean;
  };
  readonly unicodeService: { wcwidth(code: number): number };
  readonly coreMouseService: { readonly activeProtocol: string; readonly activeEncoding: string };
}

/** The part of a buffer that `dropRowsAbove` changes. */
interface Rows {
  readonly lines: { readonly length: number; maxLength: number; trimStart(count: number): void };
  ybase: number;
  ydisp: number;
  savedY: number;
}

interface RowTracker {
  readonly start: number;
  readonly end: number;
  clearRange(): void;
  markDirty(row: number): void;
  markRangeDirty(first: number, last: number): void;
  markAllDirty(): void;
}

export interface Buffer {
  readonly lines: { readonly length: number; get(y: number): Line | undefined };
  readonly x: number;
  readonly y: number;
  readonly ybase: number;
  readonly scrollTop: number;
  readonly scrollBottom: number;
  readonly savedX: number;
  readonly savedY: number;
  readonly savedCharset: object | undefined;
  readonly savedCurAttrData: Attributes;
  readonly tabs: Readonly<Record<number, boolean | undefined>>;
}

export interface Line {
  readonly length: number;
  readonly isWrapped: boolean;
  /** Three numbers a cell: content, text colour and flags, background and flags. */
  readonly _data: Uint32Array;
  readonly _combined: Readonly<Record<number, string>>;
  readonly _extendedAttrs: Readonly<Record<number, Extended | undefined>>;
  /** @param isTrimmed  True to leave out the cells at its end that were never written to. */
  translateToString(isTrimmed: boolean, from: number, to: number): string;
  /** A property of orchd: the last reading of the line, kept as long as the line exists. */
  reading?: unknown;
}

export interface Attributes {
  readonly fg: number;
  readonly bg: number;
  readonly extended: Extended;
}

interface Extended {
  readonly underlineStyle: number;
  readonly underlineColor: number;
  readonly urlId: number;
}

/** The state of xterm's parser between two sequences. */
export const GROUND = 0;

const NOTHING = new Uint8Array(0);

/** Returns the internals of a terminal. The first call checks that they work as expected. */
export function coreOf(terminal: Terminal): Core {
  selfCheck();
  return (terminal as unknown as { _core: Core })._core; // `selfCheck` has seen that it is there
}

let isChecked = false;

/** Checks that this xterm.js can be written to synchronously, and reports printing and scrolling. */
function selfCheck(): void {
  if (isChecked) return;
  const terminal = new headless.Terminal({ cols: 4, rows: 2, allowProposedApi: true, logLevel: 'off' });
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
  dropRowsAbove(core as Core, 0);
  const isDropped = terminal.buffer.active.getLine(1)?.translateToString(true) === '  c';
  terminal.dispose();
  const { start, end } = handler._dirtyRowTracker;
  if (
    start !== 0 ||
    end !== 1 ||
    printed !== 3 ||
    scrolled !== 1 ||
    !isRead ||
    !isDropped ||
    !(handler._parser.precedingJoinState > 0)
  ) {
    throw new Error('this xterm.js does not work as the one that orchd was built for');
  }
  isChecked = true;
}

/**
 * Drops the oldest rows above the main screen, down to `kept`, and gives their memory back. Cursor, modes, scroll
 * region and tab stops stay as they are; setting the option `scrollback` would reset some of them.
 */
export function dropRowsAbove(core: Core, kept: number): void {
  const rows = core._bufferService.buffers.normal as unknown as Rows; // `selfCheck` has seen that it works
  const dropped = rows.ybase - kept;
  if (dropped <= 0) return;
  const { lines } = rows;
  const { maxLength } = lines;
  lines.trimStart(dropped);
  rows.ybase -= dropped;
  rows.ydisp = Math.max(0, rows.ydisp - dropped);
  rows.savedY = Math.max(0, rows.savedY - dropped);
  // Setting another length replaces the internal list, which would otherwise keep dropped rows in memory.
  lines.maxLength = lines.length;
  lines.maxLength = maxLength;
}

/** Drops rows as `dropRowsAbove` does, and keeps no more from now on, until the size changes. */
export function limitRowsAbove(core: Core, kept: number): void {
  dropRowsAbove(core, kept);
  const { buffers, rows } = core._bufferService;
  (buffers.normal as unknown as Rows).lines.maxLength = kept + rows;
}

/**
 * Writes at once. Characters are passed complete, because xterm.js 6.0.0 reads some wrongly (E3 80 81, E2 80 A6) if
 * their bytes come one by one.
 */
export class Writer {
  readonly #core: Core;
  /** The first bytes of an incomplete character. */
  #held: Uint8Array = NOTHING;

  constructor(core: Core) {
    this.#core = core;
  }

  /** @param bytes  They may be cut anywhere, and may change after the call. */
  write(bytes: Uint8Array): void {
    const all = this.#held.length > 0 ? joined(this.#held, bytes) : bytes;
    const end = all.length - openCharacter(all);
    this.#held = end < all.length ? Uint8Array.from(all.subarray(end)) : NOTHING;
    // No handler of orchd is asynchronous, so everything is parsed when the call returns.
    if (end > 0) this.#core._inputHandler.parse(all.subarray(0, end));
  }

  /** True if the last output ended between two sequences and two characters. */
  get isBetween(): boolean {
    return this.#held.length === 0 && this.#core._inputHandler._parser.currentState === GROUND;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

/** Returns the number of bytes at the end that are an incomplete UTF-8 character. */
function openCharacter(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back ? back : 0;
  }
  return 0;
}
