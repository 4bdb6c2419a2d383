/**
 * Corrects differences of xterm.js from xterm and tmux on screens. protocol/screen.md lists the remaining ones.
 *
 * A handler that returns false lets the emulator's own handler continue. Handlers that are registered later are called
 * first.
 */
import type { Terminal } from '@xterm/headless';
import { guard } from './guard.js';
import { type Buffer, type Params, type XtermInternals, xtermInternals } from './xterm-internals.js';

/** Corrects a terminal, and limits its costs (guard.ts). */
export function correct(terminal: Terminal): void {
  guard(terminal);
  const inside = xtermInternals(terminal);
  const service = inside._bufferService;
  const { _parser: parser } = inside;

  // Ignores hyperlinks. xterm.js marks a linked cell as underlined, so a capture and a restored screen would show a
  // line that the program never drew.
  terminal.parser.registerOscHandler(8, () => true);

  // SU: rows that leave the screen at the top go into the scrollback, as with a line feed. This handler is called
  // before the guard, which was registered earlier.
  parser.registerCsiHandler({ final: 'S' }, ({ params }) => {
    const { scrollTop, scrollBottom } = service.buffer;
    if (scrollTop > 0) return false;
    const count = Math.min(params[0] || 1, scrollBottom + 1);
    for (let i = 0; i < count; i++) service.scroll(inside._eraseAttrData());
    return true;
  });

  // CBT while a wrap is pending starts from the last column.
  parser.registerCsiHandler({ final: 'Z' }, () => {
    service.buffer.x = Math.min(service.buffer.x, service.cols - 1);
    return false;
  });

  // SD: the new rows have the current background, as erased cells do.
  parser.registerCsiHandler({ final: 'T' }, ({ params }) => {
    const { buffer } = service;
    const top = buffer.ybase + buffer.scrollTop;
    const bottom = buffer.ybase + buffer.scrollBottom;
    for (let i = Math.min(params[0] || 1, bottom - top + 1); i > 0; i--) {
      buffer.lines.splice(bottom, 1);
      buffer.lines.splice(top, 0, buffer.getBlankLine(inside._eraseAttrData()));
    }
    return true;
  });

  // With origin mode, the emulator counts from the top margin in relative moves, and in moves to a column.
  inside._moveCursor = (dx, dy) => {
    inside._restrictCursor();
    service.buffer.x += dx;
    service.buffer.y += dy;
    inside._restrictCursor();
  };

  for (const final of 'G`') {
    parser.registerCsiHandler({ final }, ({ params }) => {
      inside._restrictCursor();
      service.buffer.x = Math.min(params[0] || 1, service.cols) - 1;
      return true;
    });
  }

  // DECALN: resets the attributes, and makes the whole screen the scroll region.
  parser.registerEscHandler({ intermediates: '#', final: '8' }, () => {
    service.buffer.scrollTop = 0;
    service.buffer.scrollBottom = service.rows - 1;
    const attributes = inside._curAttrData;
    inside._curAttrData = { fg: 0, bg: 0 };
    inside.screenAlignmentPattern();
    inside._curAttrData = attributes;
    return true;
  });

  shareMargins(inside);
  saveCursorOnScreen(inside);
}

/**
 * Margins and tab stops belong to the terminal, whichever of its two screens is shown; xterm.js has separate ones for
 * each.
 */
function shareMargins({ _parser: parser, _bufferService: service }: XtermInternals): void {
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

interface SavedCursor {
  readonly y: number;
  readonly origin: boolean;
}

const HOME: SavedCursor = { y: 0, origin: false };
const saved = new WeakMap<object, SavedCursor>();

/**
 * Returns the place to which DECRC moves the cursor in a buffer of a corrected terminal: the row on the screen, and
 * origin mode.
 */
export const savedCursorOf = (buffer: object): SavedCursor => saved.get(buffer) ?? HOME;

/** True if the cursor of this buffer has been saved. */
export const hasSavedCursor = (buffer: object): boolean => saved.has(buffer);

/**
 * DECSC saves a place on the screen, and origin mode. xterm.js saves a place in the text instead, which moves up with
 * the text.
 */
function saveCursorOnScreen({ _parser: parser, _bufferService: service, _coreService: core }: XtermInternals): void {
  const save = (): boolean => {
    saved.set(service.buffer, { y: service.buffer.y, origin: core.decPrivateModes.origin });
    return false;
  };
  const restore = (buffer: Buffer): boolean => {
    const { y, origin } = savedCursorOf(buffer);
    buffer.savedY = buffer.ybase + y;
    core.decPrivateModes.origin = origin;
    return false;
  };
  parser.registerEscHandler({ final: '7' }, save);
  parser.registerCsiHandler({ final: 's' }, save);
  parser.registerEscHandler({ final: '8' }, () => restore(service.buffer));
  parser.registerCsiHandler({ final: 'u' }, () => restore(service.buffer));
  parser.registerCsiHandler({ prefix: '?', final: 'h' }, (params) => has(params, 1048, 1049) && save());
  parser.registerCsiHandler(
    { prefix: '?', final: 'l' },
    (params) =>
      (has(params, 1049) && restore(service.buffers.normal)) || (has(params, 1048) && restore(service.buffer)),
  );
  parser.registerCsiHandler({ intermediates: '!', final: 'p' }, () => {
    saved.delete(service.buffer);
    return false;
  });
}

const has = ({ params, length }: Params, ...modes: readonly number[]): boolean =>
  Array.from({ length }, (_, at) => params[at] ?? 0).some((mode) => modes.includes(mode));
