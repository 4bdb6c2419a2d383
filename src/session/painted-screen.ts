/**
 * Painted screen: an emulator and the screen ear that looks at it, for as long as a program paints.
 *
 * In:   output from the first painting on (`feed`), quiet, turns, sizes.
 * Out:  utterances through `tell`, each at a place in the output that depends on the bytes alone.
 */
import { ScreenEar, type Utterance } from '../ears/index.js';
import { type Adapter, adapterByTitle } from './adapters/index.js';
import { Emulator } from './emulator.js';

export interface PaintedScreenOptions {
  readonly cols: number;
  readonly rows: number;
  /** What stands on the screen already; others have heard it. */
  readonly before: Uint8Array;
  readonly position: number;
  readonly turn: number;
  /** Whether what is painted at once may be an old conversation. */
  readonly isHistory: boolean;
  readonly adapter: Adapter;
  readonly tell: (utterances: readonly Utterance[]) => void;
}

/** A picture that rests so long is looked at, though no sequence has said that it is complete. */
export const LOOK_QUIET_MS = 40;
/** Silence after which what could still grow is final. */
export const SETTLE_QUIET_MS = 400;

export class PaintedScreen {
  readonly #emulator: Emulator;
  readonly #ear: ScreenEar;
  readonly #tell: (utterances: readonly Utterance[]) => void;
  /** What was printed as lines is looked at, and not told. */
  #isHeard = false;

  constructor(options: PaintedScreenOptions) {
    const { cols, rows, adapter, turn, isHistory } = options;
    this.#tell = options.tell;
    this.#ear = new ScreenEar(adapter.screen, { turn, isHistory });
    this.#emulator = new Emulator({
      cols,
      rows,
      onLook: (look) => {
        const utterances = this.#ear.look(look);
        if (this.#isHeard) this.#tell(utterances);
      },
      onTitle: (title) => {
        const known = adapterByTitle(title);
        if (known) this.#ear.setRules(known.screen);
      },
    });
    this.#emulator.feed(options.before, options.position);
    this.#emulator.rest(options.position);
    this.#ear.settle();
    this.#isHeard = true;
  }

  feed(bytes: Uint8Array, position: number): void {
    this.#emulator.feed(bytes, position);
  }

  resize(cols: number, rows: number): void {
    this.#emulator.resize(cols, rows);
  }

  /** The quiet that would make something known. */
  wantsQuiet(): number | null {
    if (this.#emulator.hasUnseen) return LOOK_QUIET_MS;
    return this.#ear.isWaiting ? SETTLE_QUIET_MS : null;
  }

  quiet(quietMs: number, position: number): void {
    if (quietMs >= LOOK_QUIET_MS) this.#emulator.rest(position);
    if (quietMs >= SETTLE_QUIET_MS) this.#tell(this.#ear.settle());
  }

  /** Everything up to here is final: an input was submitted, the program ends, or it stops painting. */
  finish(position: number): void {
    this.#emulator.rest(position);
    this.#tell(this.#ear.settle());
  }

  beginTurn(turn: number, isHistory: boolean): void {
    this.#tell(this.#ear.beginTurn(turn, isHistory));
  }

  dispose(): void {
    this.#emulator.dispose();
  }
}
