/**
 * Emulator: a terminal that is read while it is written to. The screen ear's eyes.
 *
 * In:   bytes, cut anywhere; sizes; quiet.
 * Out:  looks at the screen, at places that depend on the bytes alone, never on how they were cut or when they came:
 *
 *     ESC[?2026l                     the end of a synchronized update; inside of one nobody looks
 *     ESC[5A  ESC[H  ESC M  …        a pass over the screen is over when the cursor is about to go up
 *     ESC[J  ESC[2K  ESC[3S  …       before what was painted is erased or moved
 *     \n on the last row             before half a screen has left the alternate screen
 *     every LOOK_BYTES               whatever comes; not in the middle of a pass that is still going down
 *
 * A look that would say nothing is *kept*: its cells are copied, and nobody reads them unless the next one does not go on from there.
 */
import type { Terminal } from '@xterm/headless';
import type { Look } from '../ears/index.js';
import { type Core, coreOf, GROUND, openCharacter } from '../terminal/index.js';
import type { ScreenView } from './adapters/index.js';
import { openTerminal, snapshotOf } from './ear-terminal.js';
import { beginsStep, mayBeMode, nextMode, nextStep } from './output-steps.js';
import { RowMemory } from './row-memory.js';
import { viewOf } from './screen-view.js';

/** What an equal emulator is made of, between two pictures. */
export interface EmulatorState {
  readonly cols: number;
  readonly rows: number;
  /** Brings a fresh terminal of this size to the same screens and cursor. */
  readonly snapshot: string;
  readonly title: string;
  readonly position: number;
  readonly seen: number;
  readonly isBroken: boolean;
}

export interface EmulatorOptions {
  readonly cols: number;
  readonly rows: number;
  readonly onLook: (look: Look) => void;
  /** A picture was looked at, or kept; after `onLook`. */
  readonly onSeen: (position: number) => void;
  /** Whether nothing could come of another look at rows that begin nothing. */
  readonly isCalm: () => boolean;
  readonly onTitle: (title: string) => void;
  /** Goes on from here. */
  readonly state?: EmulatorState | undefined;
}

/** Without any other reason to look; a screen full of colours is painted with less. */
const LOOK_BYTES = 16 * 1024;
/** A synchronized update that has not ended after so much never will. */
const MAX_FRAME_BYTES = 512 * 1024;
const MAX_UNSEEN_ROWS = 500;
/** Of xterm's parser's states: from an ESC to the end of its sequence, but for strings. */
const LAST_OF_SEQUENCES = 6;
const NOTHING = new Uint8Array(0);

export class Emulator {
  #terminal: Terminal;
  #core: Core;
  readonly #onTitle: (title: string) => void;
  readonly #onLook: (look: Look) => void;
  readonly #onSeen: (position: number) => void;
  readonly #isCalm: () => boolean;
  #position = 0;
  /** Position of the last look. */
  #seen = 0;
  #isFramed = false;
  #hasPrinted = false;
  /** Lowest row that was printed on in this pass. */
  #lowest = -1;
  /** Rows that left the screen since the last look. */
  #scrolled = 0;
  /** The screen was cleared, switched or resized since the last look. */
  #isBroken = true;
  /** Bytes since the sequence or line feed that began the part of the last look: where it was within that nobody knows. */
  #sinceLook = 0;
  /** Bytes since the last sequence or line feed. */
  #sinceStep = 0;
  #title = '';
  readonly #rows = new RowMemory();
  /** The last look, if it was kept. */
  #kept: Omit<Look, 'rows'> | null = null;
  /** The first bytes of a character whose others have not come. */
  #held: Uint8Array = NOTHING;

  constructor({ cols, rows, onLook, onSeen, isCalm, onTitle, state }: EmulatorOptions) {
    this.#onLook = onLook;
    this.#onSeen = onSeen;
    this.#isCalm = isCalm;
    this.#onTitle = onTitle;
    this.#terminal = openTerminal(state?.cols ?? cols, state?.rows ?? rows);
    this.#core = coreOf(this.#terminal);
    if (state) {
      this.#core._inputHandler.parse(Buffer.from(state.snapshot));
      this.#title = state.title;
      this.#position = state.position;
      this.#seen = state.seen;
      this.#isBroken = state.isBroken;
    }
    this.#watch();
  }

  #watch(): void {
    this.#terminal.onTitleChange((title) => {
      this.#title = title;
      this.#onTitle(title);
    });
    this.#watchPrinting();
    this.#watchMoves();
  }

  /**
   * What an equal emulator is made of. This one goes on from there as well, so that both are the same machine, whatever a snapshot cannot
   * hold. Null in the middle of a sequence, a character, a picture, or while a part of the screen scrolls alone.
   */
  rebase(): EmulatorState | null {
    const { cols, rows } = this.#terminal;
    const { buffer } = this.#core._bufferService;
    const isWhole = buffer.scrollTop === 0 && buffer.scrollBottom === rows - 1;
    const isBetween = this.#core._inputHandler._parser.currentState === GROUND && this.#held.length === 0;
    if (!this.isSeen || !isWhole || !isBetween || this.#scrolled > 0) return null;
    const snapshot = snapshotOf(this.#terminal, { x: buffer.savedX, y: buffer.savedY - buffer.ybase });
    const state: EmulatorState = {
      ...{ cols, rows, snapshot, title: this.#title },
      ...{ position: this.#position, seen: this.#seen, isBroken: this.#isBroken },
    };
    this.#terminal.dispose();
    this.#terminal = openTerminal(cols, rows);
    this.#core = coreOf(this.#terminal);
    this.#core._inputHandler.parse(Buffer.from(snapshot));
    this.#sinceLook = 0;
    this.#sinceStep = 0;
    this.#lowest = -1;
    this.#watch();
    return state;
  }

  /** The next byte may be part of what sets or resets a mode. */
  get #hasBegun(): boolean {
    const { currentState } = this.#core._inputHandler._parser;
    return (currentState !== GROUND && currentState <= LAST_OF_SEQUENCES) || this.#held.length > 0;
  }

  /** Something was printed that no look has seen. */
  get hasUnseen(): boolean {
    return this.#hasPrinted && !this.#isFramed;
  }

  /** What stands there is what the last look saw. */
  get isSeen(): boolean {
    return !this.#hasPrinted && !this.#isFramed;
  }

  get isAlternate(): boolean {
    const { buffer, buffers } = this.#core._bufferService;
    return buffer === buffers.alt;
  }

  /** The screen as it stands; good until the next byte. */
  view(): ScreenView {
    return viewOf(this.#terminal, this.#title);
  }

  /** @param position  Journal position of the first byte. */
  feed(bytes: Uint8Array, position: number): void {
    let at = 0;
    while (at < bytes.length) {
      // A handler does not know where it stands; sequences and line feeds begin a part, so we do.
      if (beginsStep(bytes[at])) {
        this.#position = position + at;
        this.#sinceStep = 0;
      }
      const isWithin = this.#isFramed && !this.#hasBegun && !mayBeMode(bytes, at);
      const next = isWithin ? nextMode(bytes, at) : nextStep(bytes, at);
      const room = this.#limit - this.#sinceLook;
      const end = Math.min(next, at + (isWithin ? room : Math.max(1, Math.min(room, LOOK_BYTES - this.#sinceStep))));
      this.#sinceLook += end - at;
      this.#sinceStep += end - at;
      this.#parse(bytes.subarray(at, end));
      at = end;
      if (this.#sinceLook < this.#limit) continue;
      this.#position = position + at;
      this.#isFramed = false;
      this.#sinceStep = 0;
      this.look();
    }
  }

  resize(cols: number, rows: number): void {
    if (cols === this.#terminal.cols && rows === this.#terminal.rows) return;
    this.#lookIfPrinted();
    this.#terminal.resize(cols, rows);
    this.#scrolled = 0;
    this.#isBroken = true;
  }

  /** Quiet, the end of a turn: nothing more will come. */
  rest(position: number): void {
    this.#position = position;
    if (this.#hasPrinted && !this.#isFramed) this.look();
  }

  look(): void {
    const { cols, rows: size } = this.#terminal;
    const isMain = !this.isAlternate;
    const { buffer } = this.#core._bufferService;
    const { ybase } = buffer;
    const scrolled = isMain ? Math.min(this.#scrolled, ybase) : 0;
    const isContinued = isMain && !this.#isBroken && scrolled === this.#scrolled;
    const look = { at: this.#position, since: this.#seen, cols, size, isContinued };
    const isKept = isContinued && scrolled === 0 && this.#isCalm() && this.#rows.keep(buffer, ybase, size);
    // One that goes on from a kept one writes over all that stood there.
    if (!isContinued) this.catchUp();
    this.#kept = isKept ? look : null;
    this.#seen = this.#position;
    this.#sinceLook = this.#sinceStep;
    this.#hasPrinted = false;
    this.#lowest = -1;
    this.#scrolled = 0;
    this.#isBroken = false;
    if (!isKept) {
      this.#onLook({ ...look, rows: this.#rows.read(this.#terminal, buffer, ybase - scrolled, scrolled + size) });
    }
    this.#onSeen(look.at);
  }

  get #limit(): number {
    return this.#isFramed ? MAX_FRAME_BYTES : LOOK_BYTES;
  }

  /** Gives the last look to whom it was kept from: before what is known of the screen is asked for. */
  catchUp(): void {
    const kept = this.#kept;
    this.#kept = null;
    if (kept) this.#onLook({ ...kept, rows: this.#rows.kept(kept.cols, kept.size) });
  }

  dispose(): void {
    this.#rows.dispose();
    this.#terminal.dispose();
  }

  /** A character is given whole: xterm.js 6.0.0 reads some wrongly (E3 80 81, E2 80 A6) whose bytes come one by one. */
  #parse(bytes: Uint8Array): void {
    const all = this.#held.length > 0 ? Buffer.concat([this.#held, bytes]) : bytes;
    const end = all.length - openCharacter(all);
    this.#held = end < all.length ? Uint8Array.from(all.subarray(end)) : NOTHING;
    if (end > 0) this.#core._inputHandler.parse(all.subarray(0, end)); // no handler of ours is asynchronous: it is done when it returns
  }

  #lookIfPrinted(): void {
    if (this.#hasPrinted && !this.#isFramed) this.look();
  }

  get #y(): number {
    return this.#core._bufferService.buffer.y;
  }

  // ── where to look ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  #watchPrinting(): void {
    const handler = this.#core._inputHandler;
    const print = handler.print.bind(handler);
    handler.print = (codes, start, end) => {
      print(codes, start, end);
      // Behind it: what scrolls meanwhile is looked at, and more is printed.
      this.#hasPrinted = true;
      this.#lowest = Math.max(this.#lowest, this.#y);
    };
    const service = this.#core._bufferService;
    const scroll = service.scroll.bind(service);
    service.scroll = (attributes, isWrapped) => {
      this.#beforeScroll();
      scroll(attributes, isWrapped);
      this.#scrolled++;
    };
  }

  #beforeScroll(): void {
    if (this.#isFramed) return;
    const limit = this.isAlternate ? Math.max(1, this.#terminal.rows >> 2) : MAX_UNSEEN_ROWS;
    if (this.#scrolled >= limit) this.look();
  }

  #watchMoves(): void {
    const { parser } = this.#terminal;
    const look = (): boolean => {
      this.#lookIfPrinted();
      return false;
    };
    const control = (final: string, callback: (first: number) => void, prefix?: string): void => {
      parser.registerCsiHandler(prefix === undefined ? { final } : { prefix, final }, (parameters) => {
        const first = parameters[0];
        callback(typeof first === 'number' ? first : 0);
        return false;
      });
    };
    // Upwards, erased, moved.
    for (const final of ['A', 'F', 'S', 'T', 'L', 'M', 'r', 'u']) control(final, look);
    for (const final of ['8', 'M', 'c']) parser.registerEscHandler({ final }, look);
    const toRow = (row: number): void => {
      if (row - 1 < this.#y) this.#lookIfPrinted();
    };
    control('H', toRow);
    control('f', toRow);
    control('d', toRow);
    control('K', (part) => {
      if (part === 2 && this.#y <= this.#lowest) this.#lookIfPrinted();
    });
    control('J', (part) => {
      this.#lookIfPrinted();
      if (part < 2) return;
      this.#isBroken = true;
      if (part === 3) this.#scrolled = 0;
    });
    control('h', (mode) => this.#setMode(mode, true), '?');
    control('l', (mode) => this.#setMode(mode, false), '?');
  }

  #setMode(mode: number, isSet: boolean): void {
    if (mode === 2026) {
      this.#lookIfPrinted();
      if (this.#isFramed && !isSet) {
        this.#isFramed = false;
        this.#lookIfPrinted();
      }
      this.#isFramed = isSet;
      this.#sinceLook = this.#sinceStep;
    } else if (mode === 1049 || mode === 1047 || mode === 47) {
      this.#isFramed = false;
      this.#sinceLook = this.#sinceStep;
      this.#lookIfPrinted();
      this.#isBroken = true;
      this.#scrolled = 0;
    }
  }
}
