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
import {
  type Core,
  coreOf,
  GROUND,
  isPlace,
  openCharacter,
  type StrokeSink,
  type Taken,
  Undrawn,
} from '../terminal/index.js';
import type { ScreenView } from './adapters/index.js';
import { openTerminal, snapshotOf } from './ear-terminal.js';
import { OutputPlace } from './output-place.js';
import { beginsStep, mayBeMode, nextMode, nextStep } from './output-steps.js';
import { hasSigns, RowMemory, SIGN_KINDS } from './row-memory.js';
import { viewOf } from './screen-view.js';
import { watchMoves } from './terminal-moves.js';

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

export interface Strokes {
  /** How many bytes were taken; without those of a sequence that has not come whole. */
  readonly taken: number;
  readonly whole: number;
  readonly hasText: boolean;
  /** Whether they leave a synchronized update open; null if none began or ended. */
  readonly isFramed: boolean | null;
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
const FRAME_MODE = 2026;
const ESC = 0x1b;
/** With it what may be a control begins, or a character. */
const LEAD_C1 = 0xc2;

export class Emulator implements StrokeSink {
  #terminal: Terminal;
  #core: Core;
  /** What is painted, as long as nobody reads it. */
  #undrawn: Undrawn;
  /** It is being drawn: there is nothing to be seen of it that was not seen when it came. */
  #isDrawing = false;
  /** Since the last look the terminal itself was written to. */
  #isWritten = true;
  readonly #onTitle: (title: string) => void;
  readonly #onLook: (look: Look) => void;
  readonly #onSeen: (position: number) => void;
  readonly #isCalm: () => boolean;
  readonly #place = new OutputPlace();
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
  /** What `feedStrokes` says of them. */
  #strokes: { hasText: boolean; isFramed: boolean | null } = { hasText: false, isFramed: null };
  #title = '';
  readonly #rows = new RowMemory();
  /** The last look, if it was kept; and whether not even drawn. */
  #kept: Omit<Look, 'rows'> | null = null;
  #isKeptUndrawn = false;
  /** The first bytes of a character whose others have not come. */
  #held: Uint8Array = NOTHING;

  constructor({ cols, rows, onLook, onSeen, isCalm, onTitle, state }: EmulatorOptions) {
    this.#onLook = onLook;
    this.#onSeen = onSeen;
    this.#isCalm = isCalm;
    this.#onTitle = onTitle;
    this.#terminal = openTerminal(state?.cols ?? cols, state?.rows ?? rows);
    this.#core = coreOf(this.#terminal);
    this.#undrawn = this.#paper();
    if (state) {
      this.#core._inputHandler.parse(Buffer.from(state.snapshot));
      this.#title = state.title;
      this.#place.position = state.position;
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
    this.#watchMoves();
  }

  /**
   * What an equal emulator is made of. This one goes on from there as well, so that both are the same machine, whatever a snapshot cannot
   * hold. Null in the middle of a sequence, a character, a picture, or while a part of the screen scrolls alone.
   */
  rebase(): EmulatorState | null {
    this.#parse(this.#leave());
    const { cols, rows } = this.#terminal;
    const { buffer } = this.#core._bufferService;
    const isWhole = buffer.scrollTop === 0 && buffer.scrollBottom === rows - 1;
    const isBetween = this.#core._inputHandler._parser.currentState === GROUND && this.#held.length === 0;
    if (!this.isSeen || !isWhole || !isBetween || this.#scrolled > 0) return null;
    const snapshot = snapshotOf(this.#terminal, { x: buffer.savedX, y: buffer.savedY - buffer.ybase });
    const state: EmulatorState = {
      ...{ cols, rows, snapshot, title: this.#title },
      ...{ position: this.#place.position, seen: this.#seen, isBroken: this.#isBroken },
    };
    this.#terminal.dispose();
    this.#terminal = openTerminal(cols, rows);
    this.#core = coreOf(this.#terminal);
    this.#core._inputHandler.parse(Buffer.from(snapshot));
    this.#undrawn = this.#paper();
    this.#place.startOver();
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
    this.#draw();
    return viewOf(this.#terminal, this.#title);
  }

  /** @param position  Journal position of the first byte. */
  feed(bytes: Uint8Array, position: number): void {
    this.#place.begin(position);
    let at = 0;
    while (at < bytes.length) {
      const room = Math.max(1, this.#limit - this.#place.sinceLook);
      // A frame may end anywhere in what is taken at once: then less than LOOK_BYTES may follow.
      const end = Math.min(bytes.length, at + Math.min(room, LOOK_BYTES));
      if (this.#mayPaint(bytes, at)) {
        at = this.#paint(bytes, at, end);
      } else at = this.#write(bytes, at, Math.min(bytes.length, at + room));
      this.#lookAtLimit(position + at);
    }
    this.#noteWaiting(position + bytes.length, bytes.length);
  }

  #mayPaint(bytes: Uint8Array, at: number): boolean {
    return this.#undrawn.isActive || (isPlace(bytes, at) && this.#held.length === 0 && this.#undrawn.begin());
  }

  /** @param end  Where what was fed ends. */
  #noteWaiting(end: number, count: number): void {
    const { waiting } = this.#undrawn;
    if (waiting > 0 && waiting <= count) this.#place.waits(end, waiting);
  }

  /** As `feed`, up to something that is no stroke. */
  feedStrokes(bytes: Uint8Array, position: number): Strokes {
    this.#place.begin(position);
    this.#strokes = { hasText: false, isFramed: null };
    let at = 0;
    let { waiting } = this.#undrawn;
    while (at < bytes.length && this.#mayPaint(bytes, at)) {
      const room = Math.max(1, this.#limit - this.#place.sinceLook);
      const { end, isOdd, waited } = this.#take(bytes, at, Math.min(bytes.length, at + Math.min(room, LOOK_BYTES)));
      at = end;
      waiting = isOdd ? waited : this.#undrawn.waiting;
      if (isOdd) break;
      this.#lookAtLimit(position + at);
    }
    this.#noteWaiting(position + at, at);
    return { ...this.#strokes, taken: at, whole: Math.max(0, at - waiting) };
  }

  get #limit(): number {
    return this.#isFramed ? MAX_FRAME_BYTES : LOOK_BYTES;
  }

  #lookAtLimit(position: number): void {
    if (this.#place.sinceLook < this.#limit) return;
    this.#place.here(position);
    this.#isFramed = false;
    this.look();
  }

  /** Takes strokes, and of what is none the first part. @returns Up to where. */
  #paint(bytes: Uint8Array, from: number, to: number): number {
    const { end, isOdd } = this.#take(bytes, from, to);
    return isOdd ? this.#write(bytes, end, to) : end;
  }

  /** Takes strokes; behind something else it is the terminal that is written to. */
  #take(bytes: Uint8Array, from: number, to: number): Taken & { readonly waited: number } {
    const before = this.#undrawn.waiting > 0 ? this.#undrawn.waited() : NOTHING;
    const { end, isOdd } = this.#undrawn.take(bytes, from, to);
    const waited = isOdd ? this.#leave(end) : NOTHING;
    if (waited.length > 0) this.#place.at(from - waited.length);
    else {
      const hasCome = isOdd || this.#undrawn.waiting <= to - from;
      if (hasCome && beginsStep(before[0])) this.#place.at(from - before.length);
      if (end > from)
        this.#place.at(Math.max(bytes.lastIndexOf(ESC, end - 1), bytes.lastIndexOf(LEAD_C1, end - 1)), from);
    }
    this.#parse(waited);
    this.#place.advance(end - from);
    return { end, isOdd, waited: waited.length };
  }

  /** Writes one part to the terminal: a sequence with the text behind it, or a line; of a frame what comes before a mode. @returns Its end. */
  #write(bytes: Uint8Array, at: number, to: number): number {
    // A handler does not know where it stands; sequences and line feeds begin a part, so we do.
    if (beginsStep(bytes[at])) this.#place.at(at);
    const isWithin = this.#isFramed && !this.#hasBegun && !mayBeMode(bytes, at);
    // A frame may end with this part: then so many bytes may follow its beginning.
    const room = isWithin ? to - at : Math.max(1, LOOK_BYTES - this.#place.sincePlace);
    const end = Math.min(isWithin ? nextMode(bytes, at) : nextStep(bytes, at), to, at + room);
    this.#place.advance(end - at);
    this.#parse(bytes.subarray(at, end));
    return end;
  }

  // ── what is not drawn ────────────────────────────────────────────────────────────────────────────────────────────────────────

  #paper(): Undrawn {
    return new Undrawn({ core: this.#core, kinds: SIGN_KINDS, sink: this });
  }

  get isWatching(): boolean {
    return this.#hasPrinted && !this.#isFramed;
  }

  toRow(row: number, at: number): void {
    if (row < this.#undrawn.row) this.#lookAt(at);
  }

  erases(row: number, at: number): void {
    if (row <= this.#lowest) this.#lookAt(at);
  }

  #lookAt(at: number): void {
    this.#place.at(this.#undrawn.indexOf(at));
    this.look();
  }

  frames(isBegin: boolean, at: number): void {
    this.#place.at(this.#undrawn.indexOf(at));
    this.#strokes.isFramed = isBegin;
    this.#setMode(FRAME_MODE, isBegin);
  }

  printed(row: number): void {
    this.#hasPrinted = true;
    this.#strokes.hasText = true;
    if (row > this.#lowest) this.#lowest = row;
  }

  #draw(): void {
    if (!this.#undrawn.isActive) return;
    this.#isDrawing = true;
    this.#undrawn.draw(() => this.#copyKept());
    this.#isDrawing = false;
    this.#isWritten = true;
  }

  /** The terminal shows what the last look has seen. */
  #copyKept(): void {
    const { buffer } = this.#core._bufferService;
    if (this.#isKeptUndrawn) this.#rows.copy(buffer, buffer.ybase, this.#terminal.rows);
    this.#isKeptUndrawn = false;
  }

  /** From here on the terminal itself is written to. @returns What has waited before byte `index`. */
  #leave(index?: number): Uint8Array {
    if (!this.#undrawn.isActive) return NOTHING;
    this.#draw();
    return this.#undrawn.leave(index);
  }

  // ── looks ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** @returns  False if it has this size already. */
  resize(cols: number, rows: number): boolean {
    if (cols === this.#terminal.cols && rows === this.#terminal.rows) return false;
    this.#lookIfPrinted();
    this.#parse(this.#leave());
    this.#terminal.resize(cols, rows);
    this.#undrawn = this.#paper();
    this.#scrolled = 0;
    this.#isBroken = true;
    return true;
  }

  /** Quiet, the end of a turn: nothing more will come. */
  rest(position: number): void {
    this.#place.here(position);
    this.#lookIfPrinted();
  }

  look(): void {
    const { cols, rows: size } = this.#terminal;
    const isMain = !this.isAlternate;
    const { buffer } = this.#core._bufferService;
    const { ybase } = buffer;
    const scrolled = isMain ? Math.min(this.#scrolled, ybase) : 0;
    const isContinued = isMain && !this.#isBroken && scrolled === this.#scrolled;
    const look = { at: this.#place.position, since: this.#seen, cols, size, isContinued };
    const isCalm = isContinued && scrolled === 0 && this.#isCalm();
    const isUndrawn = isCalm && this.#mayStayUndrawn();
    if (isUndrawn) this.#undrawn.keep();
    else this.#draw();
    const isKept = isUndrawn || (isCalm && this.#rows.keep(buffer, ybase, size));
    // One that goes on from a kept one writes over all that stood there.
    if (!isContinued) this.catchUp();
    this.#kept = isKept ? look : null;
    this.#isKeptUndrawn = isUndrawn;
    this.#isWritten = false;
    this.#seen = this.#place.position;
    this.#place.looked();
    this.#hasPrinted = false;
    this.#lowest = -1;
    this.#scrolled = 0;
    this.#isBroken = false;
    if (!isKept) {
      this.#onLook({ ...look, rows: this.#rows.read(this.#terminal, buffer, ybase - scrolled, scrolled + size) });
    }
    this.#onSeen(look.at);
  }

  /** What has changed since the last look are strokes, and no row begins or decides something by them. */
  #mayStayUndrawn(): boolean {
    const { cols, rows } = this.#terminal;
    return (
      this.#undrawn.isActive && !this.#isWritten && this.#rows.holds(cols, rows) && !this.#undrawn.hasRecent(hasSigns)
    );
  }

  /** Gives the last look to whom it was kept from: before what is known of the screen is asked for. */
  catchUp(): void {
    const kept = this.#kept;
    if (this.#isKeptUndrawn) this.#draw();
    this.#kept = null;
    if (kept) this.#onLook({ ...kept, rows: this.#rows.kept(kept.cols, kept.size) });
  }

  dispose(): void {
    this.#rows.dispose();
    this.#terminal.dispose();
  }

  /** A character is given whole: xterm.js 6.0.0 reads some wrongly (E3 80 81, E2 80 A6) whose bytes come one by one. */
  #parse(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    const all = this.#held.length > 0 ? Buffer.concat([this.#held, bytes]) : bytes;
    const end = all.length - openCharacter(all);
    this.#held = end < all.length ? Uint8Array.from(all.subarray(end)) : NOTHING;
    if (end > 0) this.#core._inputHandler.parse(all.subarray(0, end)); // no handler of ours is asynchronous: it is done when it returns
    this.#isWritten = true; // also what came behind a look in the middle of it
  }

  #lookIfPrinted(): void {
    if (this.#hasPrinted && !this.#isFramed) this.look();
  }

  get #y(): number {
    return this.#core._bufferService.buffer.y;
  }

  // ── where to look ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  #watchMoves(): void {
    const look = (): void => this.#lookIfPrinted();
    watchMoves(this.#terminal, this.#core, {
      isDrawing: () => this.#isDrawing,
      printed: () => {
        this.#hasPrinted = true;
        this.#lowest = Math.max(this.#lowest, this.#y);
      },
      scrolls: () => this.#beforeScroll(),
      scrolled: () => {
        this.#scrolled++;
      },
      moves: look,
      toRow: (row) => {
        if (row - 1 < this.#y) look();
      },
      erasesRow: (part) => {
        if (part === 2 && this.#y <= this.#lowest) look();
      },
      erases: (part) => {
        look();
        if (part < 2) return;
        this.#isBroken = true;
        if (part === 3) this.#scrolled = 0;
      },
      setsMode: (mode, isSet) => this.#setMode(mode, isSet),
    });
  }

  #beforeScroll(): void {
    if (this.#isFramed) return;
    const limit = this.isAlternate ? Math.max(1, this.#terminal.rows >> 2) : MAX_UNSEEN_ROWS;
    if (this.#scrolled >= limit) this.look();
  }

  #setMode(mode: number, isSet: boolean): void {
    if (mode === FRAME_MODE) {
      this.#lookIfPrinted();
      if (this.#isFramed && !isSet) {
        this.#isFramed = false;
        this.#lookIfPrinted();
      }
      this.#isFramed = isSet;
      this.#place.looked();
    } else if (mode === 1049 || mode === 1047 || mode === 47) {
      this.#isFramed = false;
      this.#place.looked();
      this.#lookIfPrinted();
      this.#isBroken = true;
      this.#scrolled = 0;
    }
  }
}
