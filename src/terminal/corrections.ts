/**
 * What xterm.js does otherwise than a terminal should, put right from outside; what is left is listed in protocol/screen.md.
 *
 * `guard` keeps what a program prints from stopping the process: two things in the pinned version throw or loop. `correct` lets a
 * screen show what xterm and tmux show. Both use insides of the pinned version, and fail at once when they are not there.
 */
import type { Terminal } from '@xterm/headless';

interface Params {
  readonly params: ArrayLike<number>;
  readonly length: number;
}

/** What is used of xterm.js 6.0.0 beyond its interface. Its methods take a sequence's parameters and answer true. */
interface Insides {
  readonly _parser: {
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
  _curAttrData: unknown;
  _eraseAttrData(): unknown;
  _eraseInBufferLine(y: number, start: number, end: number, clearWrap: boolean, respectProtect: boolean): void;
  _resetBufferLine(y: number, respectProtect: boolean): void;
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
  readonly buffers: { onBufferActivate(listener: () => void): unknown };
  scroll(attributes: unknown): void;
}

interface Buffer {
  x: number;
  readonly y: number;
  readonly ybase: number;
  scrollTop: number;
  scrollBottom: number;
  tabs: Record<number, boolean>;
  readonly lines: { get(y: number): { isWrapped: boolean } | undefined };
}

/** Sequences with a count that the emulator repeats one by one, or makes room for, however large it is; and the most that has an effect. */
const COUNTED = {
  '@': ['insertChars', 'cols'],
  I: ['cursorForwardTab', 'cols'],
  L: ['insertLines', 'rows'],
  M: ['deleteLines', 'rows'],
  P: ['deleteChars', 'cols'],
  S: ['scrollUp', 'rows'],
  T: ['scrollDown', 'rows'],
  Z: ['cursorBackwardTab', 'cols'],
  b: ['repeatPrecedingCharacter', 'cells'],
  ' @': ['scrollLeft', 'cols'],
  ' A': ['scrollRight', 'cols'],
  "'}": ['insertColumns', 'cols'],
  "'~": ['deleteColumns', 'cols'],
} as const satisfies Record<string, readonly [keyof Insides, 'cols' | 'rows' | 'cells']>;

/** Nothing that is printed stops the process, or keeps it busy for longer than its bytes are worth. */
export function guard(terminal: Terminal): void {
  const inside = insidesOf(terminal);
  for (const [sequence, [method, most]] of Object.entries(COUNTED)) {
    const id = { intermediates: sequence.slice(0, -1), final: sequence.slice(-1) };
    inside._parser.registerCsiHandler(id, ({ params }) => {
      const limit = most === 'cells' ? terminal.cols * terminal.rows : terminal[most]; // a screen full: xterm's own limit
      if ((params[0] ?? 0) <= limit) return false;
      return inside[method]({ params: [limit], length: 1 });
    });
  }
  for (const prefix of ['', '?']) {
    inside._parser.registerCsiHandler({ prefix, final: 'J' }, ({ params }) => {
      if (params[0] !== 1 || inside._bufferService.buffer.x + 1 < terminal.cols) return false;
      eraseAbove(inside, prefix === '?');
      return true;
    });
  }
}

/** ED 1 with the cursor in the last column: xterm.js looks for the next row at a wrong place, and throws where there is none. */
function eraseAbove(inside: Insides, respectProtect: boolean): void {
  const { buffer, cols } = inside._bufferService;
  buffer.x = cols - 1;
  inside._eraseInBufferLine(buffer.y, 0, cols, true, respectProtect);
  for (let y = 0; y < buffer.y; y++) inside._resetBufferLine(y, respectProtect);
  const next = buffer.lines.get(buffer.ybase + buffer.y + 1);
  if (next) next.isWrapped = false;
}

/** Guards it, and puts right what xterm and tmux agree on. */
export function correct(terminal: Terminal): void {
  const inside = insidesOf(terminal);
  const service = inside._bufferService;
  const { _parser: parser } = inside;

  // Hyperlinks: the emulator calls a linked cell underlined, so that a capture and a restored screen would show a line that the
  // program never drew.
  terminal.parser.registerOscHandler(8, () => true);

  // SU: what leaves the screen at the top goes into the scrollback, as with a line feed.
  parser.registerCsiHandler({ final: 'S' }, ({ params }) => {
    const { scrollTop, scrollBottom } = service.buffer;
    if (scrollTop > 0) return false;
    const count = Math.min(params[0] || 1, scrollBottom + 1);
    for (let i = 0; i < count; i++) service.scroll(inside._eraseAttrData());
    return true;
  });

  // CBT while a wrap is pending: from the last column.
  parser.registerCsiHandler({ final: 'Z' }, () => {
    service.buffer.x = Math.min(service.buffer.x, service.cols - 1);
    return false;
  });

  // DECALN: without attributes.
  parser.registerEscHandler({ intermediates: '#', final: '8' }, () => {
    const attributes = inside._curAttrData;
    inside._curAttrData = { fg: 0, bg: 0 };
    inside.screenAlignmentPattern();
    inside._curAttrData = attributes;
    return true;
  });

  shareMargins(inside);
  guard(terminal);
}

/** Margins and tab stops belong to the terminal, whichever of its two screens is shown; xterm.js has them for each. */
function shareMargins({ _parser: parser, _bufferService: service }: Insides): void {
  let shared: Pick<Buffer, 'scrollTop' | 'scrollBottom' | 'tabs'> | null = null;
  for (const final of ['h', 'l']) {
    parser.registerCsiHandler({ prefix: '?', final }, () => {
      const { scrollTop, scrollBottom, tabs } = service.buffer;
      shared = { scrollTop, scrollBottom, tabs };
      return false;
    });
  }
  parser.registerEscHandler({ final: 'c' }, () => {
    shared = null;
    return false;
  });
  service.buffers.onBufferActivate(() => {
    if (shared) Object.assign(service.buffer, shared);
  });
}

function insidesOf(terminal: Terminal): Insides {
  const inside = (terminal as unknown as { _core?: { _inputHandler?: Insides } })._core?._inputHandler;
  const methods = [
    '_eraseAttrData',
    '_eraseInBufferLine',
    '_resetBufferLine',
    ...Object.values(COUNTED).map(([method]) => method),
  ] as const;
  if (!inside?._bufferService?.buffers || methods.some((name) => typeof inside[name] !== 'function'))
    throw new Error('this xterm.js has other insides than the one that orchd was built for');
  return inside;
}
