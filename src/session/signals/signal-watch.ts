/**
 * Signal watch: reports changes in what an agent's screen and title say of it.
 *
 * In:   looks and quiet of the emulator, with their positions; titles, turns, typing.
 * Out:  findings `activity`, `attention` and `attention_over` (source `dialog`), without their time.
 *
 * A picture is reported when it is stable: it was the same at two readings, or there was quiet. Readings are few: at
 * quiet of LOOK_QUIET_MS, and after every READ_BYTES while output does not rest. After an Enter an agent looks idle
 * until it has begun. So idle counts only after SETTLE_QUIET_MS with an empty composer, because text in the composer
 * was not taken. An agent that reports its activity by its title, and has set none, is still starting.
 *
 * Dialogs have rules of their own (dialog-watch.ts). While a dialog is open, no activity is reported, because pictures
 * without it may be repaints.
 *
 * A program without signals (without an adapter) has one finding: once its painted screen is stable, its activity is
 * `unknown`.
 */
import type { ActivityFinding, AttentionFinding, AttentionOverFinding } from '../../ears/index.js';
import { type Dialog, isSameDialog, type ScreenView, type Signals } from '../adapters/index.js';
import { DialogWatch, type DialogWatchState } from './dialog-watch.js';
import { type Reading, readSignals } from './signals.js';
import { Spinner, type SpinnerState, STALE_SPINNER_MS } from './spinner.js';

export type SignalFinding = Untimed<ActivityFinding> | Untimed<AttentionFinding> | Untimed<AttentionOverFinding>;
type Untimed<F> = Omit<F, 'at' | 'time'>;

/** The signal that the daemon reads before and after it types. */
export interface Signal {
  readonly isReady: boolean;
  /** When it first was ready: the record's time, milliseconds since the epoch; null before. */
  readonly readyAt: number | null;
  readonly activity: 'busy' | 'idle' | 'unknown' | null;
  readonly composer: string | null;
  readonly dialog: Dialog | null;
  /** The adapter's: how long after `readyAt` input is safe, and after the start is no longer waited for. */
  readonly readyQuietMs: number;
  readonly readyLimitMs: number;
}

/** The emulator that is looked at. */
interface Eyes {
  readonly view: () => ScreenView;
  /** The program paints, and has not gone on with printing lines. */
  readonly isPainted: () => boolean;
  /** True if the screen equals the last look: nothing was printed since, and no synchronized update is open. */
  readonly isSeen: () => boolean;
}

export interface SignalWatchState {
  readonly unread: number;
  /** Not in checkpoints of older versions. */
  readonly unreadBytes?: number;
  readonly isTyped?: boolean;
  readonly last: Reading | null;
  readonly isUnsure: boolean;
  readonly told: ActivityFinding['activity'] | null;
  readonly hasBegun: boolean;
  readonly dialogs?: DialogWatchState;
  /** Field of earlier versions, now `dialogs`: the text and the labels of the open dialog, as JSON. */
  readonly open?: string | null;
  readonly hasSettled: boolean;
  readonly readyAt: number | null;
  /** Not there: false. */
  readonly isResized?: boolean;
  /** Not in checkpoints of older versions. */
  readonly spinner?: SpinnerState | null;
}

interface SignalWatchPorts {
  readonly eyes: Eyes;
  readonly tell: (finding: SignalFinding) => void;
  /** Time of the record that is being read. */
  readonly now: () => number;
}

/** A picture that rests so long is looked at, though no sequence has said that it is complete. */
export const LOOK_QUIET_MS = 40;
/** As LOOK_QUIET_MS, of a picture that can hold nothing new: a spinner takes a step more often. */
export const CALM_QUIET_MS = 200;
/** Silence after which what could still grow is final. */
export const SETTLE_QUIET_MS = 400;
/** As long as an agent without a busy title was seen to rest before it began. */
const BEGIN_QUIET_MS = 3_000;
/** While output does not rest, the screen is read after so much of it, and at least two looks. */
const READ_BYTES = 3 * 1024;
const READ_LOOKS = 2;
const NOTHING_READ = { isReady: false, activity: null, composer: null, dialog: null } as const;

export class SignalWatch {
  readonly #ports: SignalWatchPorts;
  #signals: Signals | null;
  /** Number of unread looks and titles; the screen at the beginning is one. */
  #unread = 1;
  /** Output before them. */
  #unreadBytes = 0;
  /** Something was typed since the program came to rest, or was told to do something else. */
  #isTyped = false;
  #last: Reading | null = null;
  /** The last reading was of a picture that may not stand. */
  #isUnsure = false;
  #told: ActivityFinding['activity'] | null = null;
  /** An Enter came, and the program has not been busy since. */
  #hasBegun = true;
  readonly #dialogs: DialogWatch;
  /** The size has changed, and the program has printed nothing since: what stands there was drawn for another size. */
  #isResized = false;
  #readyAt: number | null = null;
  /** It was judged after SETTLE_QUIET_MS: more quiet would say nothing more. */
  #hasSettled = false;
  readonly #spinner: Spinner;

  constructor(signals: Signals | null, ports: SignalWatchPorts, state?: SignalWatchState) {
    this.#signals = signals;
    this.#ports = ports;
    this.#dialogs = new DialogWatch(ports, state && (state.dialogs ?? dialogsOf(state.open)));
    this.#spinner = new Spinner(state?.spinner);
    if (!state) return;
    this.#unread = state.unread;
    this.#unreadBytes = state.unreadBytes ?? 0;
    this.#isTyped = state.isTyped ?? false;
    this.#last = state.last;
    this.#isUnsure = state.isUnsure;
    this.#told = state.told;
    this.#hasBegun = state.hasBegun;
    this.#hasSettled = state.hasSettled;
    this.#readyAt = state.readyAt;
    this.#isResized = state.isResized ?? false;
  }

  state(): SignalWatchState {
    return {
      unread: this.#unread,
      unreadBytes: this.#unreadBytes,
      isTyped: this.#isTyped,
      last: this.#last,
      isUnsure: this.#isUnsure,
      told: this.#told,
      hasBegun: this.#hasBegun,
      dialogs: this.#dialogs.state(),
      hasSettled: this.#hasSettled,
      readyAt: this.#readyAt,
      isResized: this.#isResized,
      spinner: this.#spinner.state(),
    };
  }

  get hasSignals(): boolean {
    return this.#signals !== null;
  }

  /** Another program is known to paint. */
  setSignals(signals: Signals | null): void {
    if (signals === this.#signals) return;
    this.#signals = signals;
    this.#unread++;
  }

  /** A title is never half painted: that it says busy counts at once. */
  titled(title: string): void {
    this.#unread++;
    if (this.#signals?.busy.title?.test(title.trim()) && this.#told !== 'busy') this.#tell('busy', 'title');
  }

  /** @param bytes  Output since the look before. */
  looked(position: number, bytes: number): void {
    this.#unread++;
    this.#unreadBytes += bytes;
    this.#isResized = false;
    if (this.#unreadBytes >= READ_BYTES && this.#unread >= READ_LOOKS) this.#read(position, 0);
  }

  /** The agent works, and nothing that it may ask or be told is under way: a look at the next frame can wait. */
  get isCalm(): boolean {
    if (this.#isTyped) return false;
    if (!this.#signals) return true;
    return this.#told === 'busy' && !this.#dialogs.isOpen && this.#dialogs.wantsQuiet() === null;
  }

  /** The quiet that would make something known. */
  wantsQuiet(): number | null {
    if (!this.#signals) return this.#told !== 'unknown' && this.#ports.eyes.isPainted() ? SETTLE_QUIET_MS : null;
    const lasting = this.#lastingQuiet();
    if (this.#isResized) return null;
    if (this.#unread > 0 || this.#isUnsure) return this.#ports.eyes.isSeen() ? LOOK_QUIET_MS : null; // else the picture itself is waited for
    const isWaited = this.#isCovered() || (this.#last?.activity === 'idle' && this.#told === null);
    if (!isWaited || this.#hasSettled) return lasting;
    return Math.min(this.#settleMs, lasting ?? this.#settleMs);
  }

  /** The quiet that ends or opens a dialog, or shows that a spinner stands still. */
  #lastingQuiet(): number | null {
    const dialog = this.#dialogs.wantsQuiet();
    if (!this.#signals?.busy.isSpinner || !this.#spinner.isTurning) return dialog;
    return Math.min(STALE_SPINNER_MS, dialog ?? STALE_SPINNER_MS);
  }

  quiet(quietMs: number, position: number): void {
    if (!this.#signals && quietMs >= SETTLE_QUIET_MS) this.#isTyped = false;
    if (this.#signals) {
      if (quietMs >= LOOK_QUIET_MS && !this.#isResized && this.#ports.eyes.isSeen()) this.#read(position, quietMs);
    } else if (quietMs >= SETTLE_QUIET_MS && this.#told !== 'unknown' && this.#ports.eyes.isPainted()) {
      this.#tell('unknown', 'screen');
    }
  }

  /** @param isOurs  It was typed by orchd: if a dialog is open, to choose in it. */
  typed(isOurs: boolean, isChoice: boolean): void {
    this.#dialogs.typed(isOurs, isChoice);
    this.#hasSettled = false;
    this.#isTyped = true;
  }

  /** Until the program prints again, its screen shows a picture of the old size, cut or wrapped. */
  resized(): void {
    this.#isResized = true;
    this.#dialogs.resized();
  }

  /** An input was submitted. */
  beginTurn(): void {
    // Still busy, unless it has just come to rest and that is not reported yet.
    if (this.#told === 'busy' && this.signal()?.activity !== 'idle') return;
    this.#told = null;
    this.#hasBegun = false;
  }

  /** The program paints no more. */
  close(): void {
    this.#dialogs.close();
  }

  /** As of the last look; null without signals. */
  signal(): Signal | null {
    if (!this.#signals) return null;
    const { eyes } = this.#ports;
    const isFresh = this.#unread > 0 && eyes.isSeen();
    const reading = isFresh ? this.#spinner.judge(readSignals(this.#signals, eyes.view())) : this.#last;
    const { readyQuietMs, readyLimitMs } = this.#signals;
    const { isReady, activity, composer, dialog } = reading ?? NOTHING_READ;
    return { isReady, readyAt: this.#readyAt, activity, composer, dialog, readyQuietMs, readyLimitMs };
  }

  #read(position: number, quietMs: number): void {
    if (!this.#signals) return;
    let isRepeated = true;
    if (this.#unread > 0 || !this.#last) {
      const reading = this.#turned(readSignals(this.#signals, this.#ports.eyes.view()), quietMs);
      isRepeated = this.#last !== null && isSameReading(reading, this.#last);
      this.#unread = 0;
      this.#unreadBytes = 0;
      this.#hasSettled = false;
      this.#last = reading;
      if (reading.isReady) this.#readyAt ??= this.#ports.now();
    } else this.#last = this.#turned(this.#last, quietMs);
    const { dialog } = this.#last;
    this.#dialogs.look({ dialog, position, quietMs, isRepeated });
    this.#isUnsure = !isRepeated && quietMs === 0;
    if (this.#isUnsure) return;
    if (quietMs >= this.#settleMs) {
      this.#hasSettled = true;
      this.#isTyped = false;
    }
    if (!this.#dialogs.isOpen || dialog) this.#judge(this.#last, quietMs);
  }

  /** The reading, without a spinner that stands still. */
  #turned(reading: Reading, quietMs: number): Reading {
    return this.#signals?.busy.isSpinner ? this.#spinner.take(reading, this.#ports.now(), quietMs) : reading;
  }

  #judge({ activity, source, composer }: Reading, quietMs: number): void {
    if (this.#isCovered() && quietMs >= SETTLE_QUIET_MS) this.#tell('unknown', source);
    if (activity === null || activity === this.#told) return;
    if (activity === 'idle' && !this.#hasBegun) {
      const isStarting = source === 'screen' && this.#signals?.busy.title;
      if (quietMs < this.#settleMs || isStarting || composer !== '') return;
    }
    this.#tell(activity, source);
  }

  #tell(activity: ActivityFinding['activity'], source: Reading['source']): void {
    if (activity === 'busy') this.#hasBegun = true;
    this.#isTyped = false;
    this.#told = activity;
    this.#ports.tell({ kind: 'activity', activity, source });
  }

  /** Behind an Enter, one that shows nothing until it has begun is given longer. */
  get #settleMs(): number {
    return this.#hasBegun || this.#signals?.busy.title ? SETTLE_QUIET_MS : BEGIN_QUIET_MS;
  }

  /** It was ready, and now nothing is seen that we know: no composer, no dialog, no work. */
  #isCovered(): boolean {
    const isSeen = this.#last?.activity !== null || this.#last.dialog !== null;
    return this.#readyAt !== null && !isSeen && this.#told !== 'unknown';
  }
}

function isSameReading(one: Reading, other: Reading): boolean {
  if (one.activity !== other.activity) return false;
  if (one.dialog === null || other.dialog === null) return one.dialog === other.dialog;
  return isSameDialog(one.dialog, other.dialog);
}

/** The state of an earlier version, which kept a key of the open dialog. */
function dialogsOf(open: string | null | undefined): DialogWatchState | undefined {
  if (open === null || open === undefined) return undefined;
  const [text = '', labels = []] = JSON.parse(open) as [text: string, labels: string[]]; // our own checkpoint
  const dialog = { text, choices: labels.map((label) => ({ label, keys: null })) };
  const isOpen = { dialog, missingSince: null, wasTyped: false, wasChosen: false, chosenAt: null };
  return { candidate: null, open: isOpen };
}
