/**
 * Terminal moves: what a terminal does that decides where the screen ear looks, told as it happens.
 *
 * In:   a terminal and its insides.
 * Out:  through the ports: each before it is done, but for text, which is told behind it; then what it has scrolled was told before.
 */
import type { Terminal } from '@xterm/headless';
import type { Core } from '../terminal/index.js';

export interface MovesPorts {
  /** While it is true nothing is told but scrolling. */
  readonly isDrawing: () => boolean;
  readonly printed: () => void;
  readonly scrolls: () => void;
  readonly scrolled: () => void;
  /** The cursor goes up, or what stands there is moved. */
  readonly moves: () => void;
  /** The cursor goes to a row of the screen, from 1. */
  readonly toRow: (row: number) => void;
  /** `ESC[K` and `ESC[J`, with what they erase. */
  readonly erasesRow: (part: number) => void;
  readonly erases: (part: number) => void;
  readonly setsMode: (mode: number, isSet: boolean) => void;
}

/** Upwards, erased, moved. */
const MOVES = ['A', 'F', 'S', 'T', 'L', 'M', 'r', 'u'];
/** DECRC, RI and RIS. */
const ESCAPES = ['8', 'M', 'c'];

export function watchMoves({ parser }: Terminal, core: Core, ports: MovesPorts): void {
  watchText(core, ports);
  const moves = (): boolean => {
    if (!ports.isDrawing()) ports.moves();
    return false;
  };
  const control = (final: string, tell: (first: number) => void, prefix?: string): void => {
    parser.registerCsiHandler(prefix === undefined ? { final } : { prefix, final }, (parameters) => {
      if (ports.isDrawing()) return false;
      const first = parameters[0];
      tell(typeof first === 'number' ? first : 0);
      return false;
    });
  };
  for (const final of MOVES) control(final, moves);
  for (const final of ESCAPES) parser.registerEscHandler({ final }, moves);
  for (const final of ['H', 'f', 'd']) control(final, (row) => ports.toRow(Math.max(1, row)));
  control('K', ports.erasesRow);
  control('J', ports.erases);
  control('h', (mode) => ports.setsMode(mode, true), '?');
  control('l', (mode) => ports.setsMode(mode, false), '?');
}

function watchText({ _inputHandler: handler, _bufferService: service }: Core, ports: MovesPorts): void {
  const print = handler.print.bind(handler);
  handler.print = (codes, start, end) => {
    print(codes, start, end);
    if (!ports.isDrawing()) ports.printed();
  };
  const scroll = service.scroll.bind(service);
  service.scroll = (attributes, isWrapped) => {
    ports.scrolls();
    scroll(attributes, isWrapped);
    ports.scrolled();
  };
}
