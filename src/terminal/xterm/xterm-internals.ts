/** The internals of xterm.js 6.0.0 that corrections use. */
import type { Terminal } from '@xterm/headless';

export interface Params {
  readonly params: ArrayLike<number>;
  readonly length: number;
}

/** Collects the text of OSC or DCS sequences. */
interface StringParser {
  put(codes: Uint32Array, start: number, end: number): void;
}

/** Its methods take a sequence's parameters and return true. */
export interface XtermInternals {
  readonly _parser: {
    /** Bits 1 and 2: the width of the last printed character; 0 if a sequence came since. */
    readonly precedingJoinState: number;
    readonly _oscParser: StringParser & { start(): void };
    readonly _dcsParser: StringParser & { hook(ident: number, params: unknown): void };
    registerCsiHandler(
      id: { readonly prefix?: string; readonly intermediates?: string; readonly final: string },
      handler: (params: Params) => boolean,
    ): unknown;
    registerEscHandler(
      id: { readonly intermediates?: string; readonly final: string },
      handler: () => boolean,
    ): unknown;
  };
  readonly _bufferService: Buffers;
  readonly _charsetService: {
    readonly charset: Charset | undefined;
    readonly glevel: number;
    readonly _charsets: readonly (Charset | undefined)[];
  };
  readonly _coreService: { readonly decPrivateModes: { origin: boolean } };
  _curAttrData: { fg?: number; bg: number };
  _moveCursor(dx: number, dy: number): void;
  _restrictCursor(): void;
  _eraseAttrData(): unknown;
  _eraseInBufferLine(y: number, start: number, end: number, clearWrap: boolean, respectProtect: boolean): void;
  _resetBufferLine(y: number, respectProtect: boolean): void;
  markRangeDirty(first: number, last: number): void;
  screenAlignmentPattern(): boolean;
  cursorBackwardTab(params: Params): boolean;
  cursorForwardTab(params: Params): boolean;
  deleteChars(params: Params): boolean;
  deleteColumns(params: Params): boolean;
  deleteLines(params: Params): boolean;
  insertChars(params: Params): boolean;
  insertColumns(params: Params): boolean;
  insertLines(params: Params): boolean;
  repeatPrecedingCharacter(params: Params): boolean;
  scrollDown(params: Params): boolean;
  scrollLeft(params: Params): boolean;
  scrollRight(params: Params): boolean;
  scrollUp(params: Params): boolean;
}

interface Buffers {
  readonly cols: number;
  readonly rows: number;
  readonly buffer: Buffer;
  readonly buffers: { readonly normal: Buffer; readonly alt: Buffer; onBufferActivate(listener: () => void): unknown };
  scroll(attributes: unknown): void;
}

/** The characters that a character set shows in place of ASCII characters. */
export type Charset = Readonly<Record<string, string | undefined>>;

export interface Buffer {
  x: number;
  y: number;
  readonly ybase: number;
  readonly savedX: number;
  savedY: number;
  readonly savedCurAttrData: unknown;
  readonly savedCharset: Charset | undefined;
  scrollTop: number;
  scrollBottom: number;
  tabs: Record<number, boolean>;
  readonly lines: {
    readonly length: number;
    get(y: number): { isWrapped: boolean; hasContent(x: number): number; getString(x: number): string } | undefined;
    splice(at: number, deleted: number, ...rows: unknown[]): void;
  };
  getBlankLine(attributes: unknown): unknown;
}

const METHODS = [
  '_moveCursor',
  '_restrictCursor',
  '_eraseAttrData',
  '_eraseInBufferLine',
  '_resetBufferLine',
  'markRangeDirty',
  'screenAlignmentPattern',
] as const satisfies readonly (keyof XtermInternals)[];

/** @throws If this is not the version of xterm.js that orchd was built for. */
export function xtermInternals(terminal: Terminal): XtermInternals {
  const inside = (terminal as unknown as { _core?: { _inputHandler?: XtermInternals } })._core?._inputHandler;
  if (
    !inside?._bufferService?.buffers ||
    !inside._coreService?.decPrivateModes ||
    [inside._parser?._oscParser, inside._parser?._dcsParser].some((parser) => typeof parser?.put !== 'function') ||
    METHODS.some((name) => typeof inside[name] !== 'function')
  )
    throw new Error('this xterm.js has other insides than the one that orchd was built for');
  return inside;
}
