/**
 * Painted screen: an emulator, the screen ear that looks at it, and the watch on its signals, while a program paints.
 *
 * In:   output from the first painting on (`feed`), quiet, turns, sizes.
 * Out:  utterances through `tell` and findings through `find`, each at a place in the output that depends only on the
 *       bytes.
 */
import {
  type NearMiss,
  ScreenEar,
  type ScreenEarState,
  type ScreenRules,
  type TurnStart,
  type Utterance,
} from '../../ears/index.js';
import { type Adapter, adapterByTitle, adapterNamed, GENERIC, type ScreenView } from '../adapters/index.js';
import type { HookAsks } from '../signals/hook-asks.js';
import {
  CALM_QUIET_MS,
  LOOK_QUIET_MS,
  SETTLE_QUIET_MS,
  type Signal,
  type SignalFinding,
  SignalWatch,
} from '../signals/signal-watch.js';
import type { SignalWatchState } from '../signals/signal-watch-state.js';
import { Emulator, type EmulatorState } from './emulator.js';
import { LookPacer, type LookPacerState, type LookPoint } from './look-pacer.js';

/** A block that is no JSON is told after this silence. The program may paint the rest of it before. */
const DAMAGED_QUIET_MS = 1_500;

interface PaintedScreenOptions {
  readonly cols: number;
  readonly rows: number;
  /**
   * Output that is already on the screen and was read by other ears. The screen is looked at after each piece: what it
   * shows then is not new.
   */
  readonly before: readonly Uint8Array[];
  /** True if a marker that the last piece may end with was read, but not reported. */
  readonly isHeld: boolean;
  /** The keys (`keyOf`) of the messages that these ears have reported last. */
  readonly printed: readonly string[];
  readonly position: number;
  /** Feeds it (`feed`) the output that is being read, up to a journal position. */
  readonly show: (position: number) => void;
  readonly turn: number;
  /** True while the program paints and has not printed lines again. */
  readonly isPainted: () => boolean;
  /** True if text that is painted at once may be an old conversation. */
  readonly isHistory: boolean;
  /** The text that was submitted last, as far as it is known. */
  readonly prompt: string;
  readonly adapter: Adapter;
  /** True if a person's key caused a text that is complete when it is first seen. */
  readonly isViewed: () => boolean;
  /** True for a text that contains the session's key. */
  readonly isKeyed: (text: string) => boolean;
  readonly tell: (utterances: readonly Utterance[]) => void;
  readonly find: (finding: SignalFinding) => void;
  /** Called for a row that looks like a message but is not, with the position up to which the screen is known. */
  readonly hint: (nearMiss: NearMiss, position: number) => void;
  /** Time of the record that is being read. */
  readonly now: () => number;
  /** What hooks have asked. */
  readonly asks: HookAsks;
  /** The state to continue from. */
  readonly state?: PaintedScreenState | undefined;
}

export interface PaintedScreenState {
  readonly emulator: EmulatorState;
  /** Decides when the screen is looked at next (look-pacer.ts). Undefined in checkpoints of older versions. */
  readonly pacer?: LookPacerState;
  readonly ear: ScreenEarState;
  readonly watch: SignalWatchState;
  /** The adapter of the screen's program, which may be recognized by its title. */
  readonly adapter: string;
}

export class PaintedScreen {
  readonly #emulator: Emulator;
  /** Receives all output before it is fed to the emulator. */
  readonly pacer: LookPacer;
  readonly #ear: ScreenEar;
  readonly #tell: (utterances: readonly Utterance[]) => void;
  readonly #isViewed: () => boolean;
  readonly #now: () => number;
  readonly #hint: PaintedScreenOptions['hint'];
  readonly #watch: SignalWatch;
  /** False while the constructor feeds output that other ears have already read. */
  #isHeard = false;
  #adapter: Adapter;

  constructor(options: PaintedScreenOptions) {
    const { cols, rows, turn, isHistory, prompt, state } = options;
    const adapter = (state && adapterNamed(state.adapter)) ?? options.adapter;
    this.#adapter = adapter;
    this.#tell = options.tell;
    this.#isViewed = options.isViewed;
    this.#now = options.now;
    this.#hint = options.hint;
    this.#ear = new ScreenEar(rulesOf(adapter), { turn, isHistory, prompt, isKeyed: options.isKeyed }, state?.ear);
    const screen = {
      view: () => this.#emulator.view(),
      isPainted: options.isPainted,
      isSeen: () => this.pacer.isSeen,
    };
    const { find: tell, now, asks } = options;
    this.#watch = new SignalWatch(adapter.signals, { screen, tell, now, asks }, state?.watch);
    const emulator = new Emulator({
      cols,
      rows,
      state: state?.emulator,
      onTitle: (title) => this.#titled(title),
      hasPanes: () => this.#adapter === GENERIC,
    });
    this.#emulator = emulator;
    const { show } = options;
    this.pacer = new LookPacer(
      { screen: emulator, ear: this.#ear, show, look: (place) => this.#look(place), now },
      state?.pacer,
    );
    if (!state) {
      for (const key of options.printed) this.printed(key);
      const last = options.isHeld ? options.before.at(-1) : undefined;
      for (const bytes of options.before) {
        emulator.feed(bytes);
        const place = { at: options.position, isFramed: false, isErasing: false, isAtRest: true, bytes: 0 };
        const utterances = emulator.isBlank ? [] : this.#read(place);
        if (bytes === last) this.#tell(utterances.filter(({ form }) => form === 'marker'));
        else this.#ear.settle();
      }
      this.#ear.takeNearMisses();
    }
    this.#isHeard = true;
  }

  #look(place: LookPoint): void {
    this.#tell(this.#read(place));
    this.#watch.looked(place.at, place.bytes);
  }

  #read({ at, isFramed, isErasing, isAtRest }: LookPoint): readonly Utterance[] {
    const look = this.#emulator.look(at, isFramed, {
      isErasing,
      isAtRest,
      timeMs: this.#now(),
      isViewed: this.#isViewed(),
    });
    return this.#ear.look(look);
  }

  #titled(title: string): void {
    const known = adapterByTitle(title);
    if (known) {
      this.#adapter = known;
      this.#ear.setRules(rulesOf(known));
      this.#watch.setSignals(known.signals);
    }
    if (this.#isHeard) this.#watch.titled(title);
  }

  /** Returns the state of an equal object; this one continues from it as well. Null in the middle of a frame. */
  rebase(): PaintedScreenState | null {
    const emulator = this.pacer.isFramed ? null : this.#emulator.rebase();
    if (!emulator) return null;
    return {
      emulator,
      pacer: this.pacer.state(),
      ear: this.#ear.state(),
      watch: this.#watch.state(),
      adapter: this.#adapter.name,
    };
  }

  feed(bytes: Uint8Array): void {
    this.#emulator.feed(bytes);
  }

  /** @param position  Journal position up to which output was fed. */
  resize(cols: number, rows: number, position: number): void {
    if (cols === this.#emulator.cols && rows === this.#emulator.rows) return;
    this.pacer.rest(position);
    this.#emulator.resize(cols, rows);
    this.#watch.resized();
  }

  /** Returns the quiet that would complete a finding; null for none. */
  wantsQuiet(): number | null {
    if (this.pacer.hasUnseen) return this.pacer.isCalm && this.#watch.isCalm ? CALM_QUIET_MS : LOOK_QUIET_MS;
    if (this.#ear.isHalfPainted || this.#ear.hasWhole) return LOOK_QUIET_MS;
    const signals = this.#watch.wantsQuiet();
    const ear = this.#ear.isWaiting ? SETTLE_QUIET_MS : this.#ear.hasDamaged ? DAMAGED_QUIET_MS : null;
    return ear === null ? signals : Math.min(ear, signals ?? ear);
  }

  quiet(quietMs: number, position: number): void {
    if (quietMs >= LOOK_QUIET_MS) {
      this.pacer.rest(position);
      this.#tell(this.#ear.rest());
    }
    if (quietMs >= SETTLE_QUIET_MS) this.#settle(position);
    this.#watch.quiet(quietMs, position);
  }

  /** Called when everything up to here is final: an input was submitted, the program ends, or it stops painting. */
  finish(position: number): void {
    this.pacer.rest(position);
    this.#settle(position);
  }

  #settle(position: number): void {
    this.#tell(this.#ear.settle());
    for (const nearMiss of this.#ear.takeNearMisses()) this.#hint(nearMiss, position);
  }

  beginTurn(start: TurnStart): void {
    // Text that is already visible in a pane was not read before, but it is not new.
    const again = this.#emulator.submit(this.#now());
    if (again) this.#tell(this.#ear.look(again));
    this.#tell(this.#ear.beginTurn(start));
    this.#watch.beginTurn();
  }

  /** Called when the program was reported as working because its transcript has the prompt. */
  prompted(): void {
    this.#watch.prompted();
  }

  /** @param isOurs  True if orchd typed it, false for a person. */
  typed(isOurs: boolean, isChoice: boolean): void {
    this.#watch.typed(isOurs, isChoice);
  }

  spoke(): void {
    this.#watch.spoke();
  }

  /** Called with the key of a message that was reported because the program has printed it as lines. */
  printed(key: string): void {
    this.#ear.printed(key);
  }

  get hasSignals(): boolean {
    return this.#watch.hasSignals;
  }

  signal(): Signal | null {
    return this.#watch.signal();
  }

  /** The current screen, valid until the next byte. */
  view(): ScreenView {
    return this.#emulator.view();
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

const rulesOf = (adapter: Adapter): ScreenRules => ({ ...adapter.screen, isKnown: adapter !== GENERIC });
