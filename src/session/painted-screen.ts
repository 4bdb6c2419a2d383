/**
 * Painted screen: an emulator, the screen ear that looks at it, and the watch on its signals, for as long as a program paints.
 *
 * In:   output from the first painting on (`feed`), quiet, turns, sizes.
 * Out:  utterances through `tell` and findings through `find`, each at a place in the output that depends on the bytes alone.
 */
import { ScreenEar, type ScreenEarState, type TurnStart, type Utterance } from '../ears/index.js';
import { type Adapter, adapterByTitle, adapterNamed } from './adapters/index.js';
import { Emulator, type EmulatorState, type Strokes } from './emulator.js';
import {
  LOOK_QUIET_MS,
  SETTLE_QUIET_MS,
  type Signal,
  type SignalFinding,
  SignalWatch,
  type SignalWatchState,
} from './signal-watch.js';

export interface PaintedScreenOptions {
  readonly cols: number;
  readonly rows: number;
  /** What stands on the screen already; others have heard it. */
  readonly before: Uint8Array;
  readonly position: number;
  readonly turn: number;
  /** Whether what is painted at once may be an old conversation. */
  readonly isHistory: boolean;
  /** The text that was submitted last, as far as it is known. */
  readonly prompt: string;
  readonly adapter: Adapter;
  readonly tell: (utterances: readonly Utterance[]) => void;
  readonly find: (finding: SignalFinding) => void;
  /** Time of the record that is being read. */
  readonly now: () => number;
  /** Goes on from here. */
  readonly state?: PaintedScreenState | undefined;
}

export interface PaintedScreenState {
  readonly emulator: EmulatorState;
  readonly ear: ScreenEarState;
  readonly watch: SignalWatchState;
  /** Whose screen it is; known by its title, perhaps. */
  readonly adapter: string;
}

export class PaintedScreen {
  readonly #emulator: Emulator;
  readonly #ear: ScreenEar;
  readonly #tell: (utterances: readonly Utterance[]) => void;
  readonly #watch: SignalWatch;
  /** What was printed as lines is looked at, and not told. */
  #isHeard = false;
  #adapter: Adapter;

  constructor(options: PaintedScreenOptions) {
    const { cols, rows, turn, isHistory, prompt, state } = options;
    const adapter = (state && adapterNamed(state.adapter)) ?? options.adapter;
    this.#adapter = adapter;
    this.#tell = options.tell;
    this.#ear = new ScreenEar(adapter.screen, { turn, isHistory, prompt }, state?.ear);
    const eyes = {
      view: () => this.#emulator.view(),
      isAlternate: () => this.#emulator.isAlternate,
      isSeen: () => this.#emulator.isSeen,
    };
    this.#watch = new SignalWatch(adapter.signals, { eyes, tell: options.find, now: options.now }, state?.watch);
    this.#emulator = new Emulator({
      cols,
      rows,
      state: state?.emulator,
      onLook: (look) => {
        const utterances = this.#ear.look(look);
        if (this.#isHeard) this.#tell(utterances);
      },
      onSeen: (at) => {
        if (this.#isHeard) this.#watch.looked(at);
      },
      isCalm: () => this.#ear.isCalm,
      onTitle: (title) => {
        const known = adapterByTitle(title);
        if (known) {
          this.#adapter = known;
          this.#emulator.catchUp();
          this.#ear.setRules(known.screen);
          this.#watch.setSignals(known.signals);
        }
        if (this.#isHeard) this.#watch.titled(title);
      },
    });
    if (!state) {
      this.#emulator.feed(options.before, options.position);
      this.#emulator.rest(options.position);
      this.#ear.settle();
    }
    this.#isHeard = true;
  }

  /** What an equal one is made of; this one goes on from there as well. Null in the middle of a picture. */
  rebase(): PaintedScreenState | null {
    const emulator = this.#emulator.rebase();
    if (!emulator) return null;
    this.#emulator.catchUp();
    return { emulator, ear: this.#ear.state(), watch: this.#watch.state(), adapter: this.#adapter.name };
  }

  feed(bytes: Uint8Array, position: number): void {
    this.#emulator.feed(bytes, position);
  }

  /** As `feed`, up to something that is no stroke. */
  feedStrokes(bytes: Uint8Array, position: number): Strokes {
    return this.#emulator.feedStrokes(bytes, position);
  }

  resize(cols: number, rows: number): void {
    if (this.#emulator.resize(cols, rows)) this.#watch.resized();
  }

  /** The quiet that would make something known. */
  wantsQuiet(): number | null {
    if (this.#emulator.hasUnseen) return LOOK_QUIET_MS;
    const signals = this.#watch.wantsQuiet();
    return this.#ear.isWaiting ? Math.min(SETTLE_QUIET_MS, signals ?? SETTLE_QUIET_MS) : signals;
  }

  quiet(quietMs: number, position: number): void {
    if (quietMs >= LOOK_QUIET_MS) this.#emulator.rest(position);
    if (quietMs >= SETTLE_QUIET_MS) this.#tell(this.#ear.settle());
    this.#watch.quiet(quietMs, position);
  }

  /** Everything up to here is final: an input was submitted, the program ends, or it stops painting. */
  finish(position: number): void {
    this.#emulator.rest(position);
    this.#tell(this.#ear.settle());
  }

  beginTurn(start: TurnStart): void {
    this.#emulator.catchUp();
    this.#tell(this.#ear.beginTurn(start));
    this.#watch.beginTurn();
  }

  /** @param isOurs  It was typed by orchd, and not by a person. */
  typed(isOurs: boolean, isChoice: boolean): void {
    this.#watch.typed(isOurs, isChoice);
  }

  get hasSignals(): boolean {
    return this.#watch.hasSignals;
  }

  signal(): Signal | null {
    return this.#watch.signal();
  }

  /** Name of the program's adapter; a program that a shell has started is known by its title. */
  get adapter(): string {
    return this.#adapter.name;
  }

  dispose(): void {
    this.#watch.close();
    this.#emulator.dispose();
  }
}
