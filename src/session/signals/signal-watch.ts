/**
 * Signal watch: reports changes of an agent's activity and dialogs, as its screen and title show them.
 *
 * In:   looks and quiet of the emulator, with their positions; titles, turns, typing.
 * Out:  findings `activity`, `attention` and `attention_over` (source `dialog`), without their time.
 *
 * A reading of the screen is reported when it is stable: two readings were equal, or there was quiet. The screen is
 * read rarely: at quiet of LOOK_QUIET_MS, and after every READ_BYTES while output continues.
 *
 * After an Enter an agent looks idle until it has begun. Idle therefore counts only after SETTLE_QUIET_MS with an empty
 * composer; text in the composer was not accepted. An agent that reports its activity by its title, and has set none,
 * is still starting.
 *
 * Dialogs have rules of their own (dialog-watch.ts). While a dialog is open, no activity is reported, because frames
 * without it may be repaints. A program without signals (without an adapter) has one finding: once its painted screen
 * is stable, or only a clock or an animation changes on it (still-screen.ts), its activity is `unknown`.
 */
import type { ActivityFinding, AttentionFinding, AttentionOverFinding, Unplaced } from '../../ears/index.js';
import { type Dialog, isSameDialog, type ScreenView, type Signals } from '../adapters/index.js';
import { DialogWatch } from './dialog-watch.js';
import type { HookAsks } from './hook-asks.js';
import { dialogsOf, type SignalWatchState } from './signal-watch-state.js';
import { type Reading, readSignals } from './signals.js';
import { Spinner, STALE_SPINNER_MS } from './spinner.js';
import { StillScreen } from './still-screen.js';

export type SignalFinding = Unplaced<ActivityFinding | AttentionFinding | AttentionOverFinding>;

/** The signal that the daemon reads before and after it types. */
export interface Signal {
  readonly isReady: boolean;
  /** Time of the record at which it was first ready, in milliseconds since the epoch; null before. */
  readonly readyAt: number | null;
  readonly activity: 'busy' | 'idle' | 'unknown' | null;
  readonly composer: string | null;
  readonly dialog: Dialog | null;
  /**
   * Settings of the adapter: the silence after `readyAt` that makes input safe, and the maximum time from the start to
   * `readyAt`.
   */
  readonly readyQuietMs: number;
  readonly readyLimitMs: number;
}

/** The emulator that is read. */
interface ScreenReading {
  readonly view: () => ScreenView;
  /** True while the program paints and has not printed lines again. */
  readonly isPainted: () => boolean;
  /** True if the screen equals the last look: nothing was printed since, and no synchronized update is open. */
  readonly isSeen: () => boolean;
}

interface SignalWatchPorts {
  readonly screen: ScreenReading;
  readonly tell: (finding: SignalFinding) => void;
  /** Time of the record that is being read. */
  readonly now: () => number;
  /** What hooks have asked. */
  readonly asks: HookAsks;
}

/** Quiet after which a frame is looked at, although no sequence has shown that it is complete. */
export const LOOK_QUIET_MS = 40;
/** Like LOOK_QUIET_MS, for a frame in which nothing relevant can change. A spinner changes more often than this. */
export const CALM_QUIET_MS = 200;
/** Silence after which text that could still grow is final. */
export const SETTLE_QUIET_MS = 400;
/** The longest observed time from an Enter until an agent without a busy title began to work. */
const BEGIN_QUIET_MS = 3_000;
/** While output continues, the screen is read after this many bytes, and after at least two looks. */
const READ_BYTES = 3 * 1024;
const READ_LOOKS = 2;
/** Output of fewer bytes is a step of a spinner or a clock, while the last reading is not older than STEP_MS. */
const STEP_BYTES = 1024;
const STEP_MS = 400;
const NOTHING_READ = { isReady: false, activity: null, composer: null, dialog: null } as const;

/**
 * How much the last reading can be relied on. `unsure`: it may have been of an incomplete frame. `settled`: it was read
 * after the quiet that shows all, so that more quiet would change nothing.
 */
type Certainty = 'unsure' | 'sure' | 'settled';

/**
 * How far the last turn has come. `entered`: an Enter has begun it, and the program was not busy since. `prompted`: as
 * that, and the transcript has its prompt. `begun`: the program was busy since.
 */
type Turn = 'entered' | 'prompted' | 'begun';

export class SignalWatch {
  readonly #ports: SignalWatchPorts;
  #signals: Signals | null;
  /** Number of looks and titles that were not read yet, including the initial screen. */
  #unread = 1;
  /** Number of output bytes before them. */
  #unreadBytes = 0;
  /** Time of the record at the last reading. */
  #readMs = 0;
  /** True if something was typed since the program became idle or got another instruction. */
  #isTyped = false;
  #last: Reading | null = null;
  #certainty: Certainty = 'sure';
  #told: ActivityFinding['activity'] | null = null;
  #turn: Turn = 'begun';
  readonly #dialogs: DialogWatch;
  /** True if the size has changed and the program has printed nothing since: its screen was drawn for another size. */
  #isResized = false;
  #readyAt: number | null = null;
  readonly #spinner: Spinner;
  readonly #still: StillScreen;

  constructor(signals: Signals | null, ports: SignalWatchPorts, state?: SignalWatchState) {
    this.#signals = signals;
    this.#ports = ports;
    this.#dialogs = new DialogWatch(ports, state && (state.dialogs ?? dialogsOf(state.open)));
    this.#spinner = new Spinner(state?.spinner);
    this.#still = new StillScreen(state?.still);
    if (!state) return;
    this.#unread = state.unread;
    this.#unreadBytes = state.unreadBytes ?? 0;
    this.#readMs = state.readMs ?? 0;
    this.#isTyped = state.isTyped ?? false;
    this.#last = state.last;
    this.#certainty = state.isUnsure ? 'unsure' : state.hasSettled ? 'settled' : 'sure';
    this.#told = state.told;
    this.#turn = state.hasBegun ? 'begun' : state.isPrompted ? 'prompted' : 'entered';
    this.#readyAt = state.readyAt;
    this.#isResized = state.isResized ?? false;
  }

  state(): SignalWatchState {
    const still = this.#still.state();
    return {
      unread: this.#unread,
      unreadBytes: this.#unreadBytes,
      readMs: this.#readMs,
      isTyped: this.#isTyped,
      last: this.#last,
      isUnsure: this.#certainty === 'unsure',
      told: this.#told,
      hasBegun: this.#turn === 'begun',
      ...(this.#turn === 'prompted' && { isPrompted: true }),
      dialogs: this.#dialogs.state(),
      hasSettled: this.#certainty === 'settled',
      readyAt: this.#readyAt,
      isResized: this.#isResized,
      spinner: this.#spinner.state(),
      ...(still && { still }),
    };
  }

  get hasSignals(): boolean {
    return this.#signals !== null;
  }

  /** Called when another program is recognized on the screen. */
  setSignals(signals: Signals | null): void {
    if (signals === this.#signals) return;
    this.#signals = signals;
    this.#unread++;
  }

  /** Called when the title has changed. A title is never painted halfway, so `busy` in it counts at once. */
  titled(title: string): void {
    this.#unread++;
    if (this.#signals?.busy.title?.test(title.trim()) && this.#told !== 'busy') this.#tell('busy', 'title');
  }

  /** @param bytes  Number of output bytes since the previous look. */
  looked(position: number, bytes: number): void {
    this.#unread++;
    this.#unreadBytes += bytes;
    this.#isResized = false;
    this.#lookForStillness();
    if (this.#unreadBytes >= READ_BYTES && this.#unread >= READ_LOOKS) this.#read(position, 0);
  }

  /** A program without signals that shows a clock or an animation is never quiet. */
  #lookForStillness(): void {
    const { screen, now } = this.#ports;
    if (this.#signals || this.#told === 'unknown' || !screen.isPainted()) return;
    const rows = (): string[] => screen.view().rows.map(({ text }) => text);
    if (this.#still.look(rows, now())) this.#tell('unknown', 'screen');
  }

  /** True if the activity is known, and neither a dialog nor an input is in progress: a look can wait for more. */
  get isCalm(): boolean {
    if (this.#isTyped) return false;
    if (!this.#signals) return true;
    const isKnown = this.#told !== null && this.#turn === 'begun';
    return isKnown && !this.#dialogs.isOpen && this.#dialogs.wantsQuiet() === null;
  }

  /** Returns the quiet before the screen is read. The step of a spinner need not be read each time. */
  get #readingQuiet(): number {
    const isStep = this.isCalm && this.#certainty !== 'unsure' && this.#unreadBytes < STEP_BYTES;
    return isStep && this.#ports.now() - this.#readMs < STEP_MS ? CALM_QUIET_MS : LOOK_QUIET_MS;
  }

  /** Returns the quiet that would complete a finding; null for none. */
  wantsQuiet(): number | null {
    if (!this.#signals) return this.#told !== 'unknown' && this.#ports.screen.isPainted() ? SETTLE_QUIET_MS : null;
    const lasting = this.#lastingQuiet();
    if (this.#isResized) return null;
    // If the screen was not read since the last output, the watch waits for that reading and not for quiet.
    const isRead = this.#unread === 0 && this.#certainty !== 'unsure';
    if (!isRead) return this.#ports.screen.isSeen() ? this.#readingQuiet : null;
    const isWaited = this.#isCovered() || (this.#last?.activity === 'idle' && this.#told === null);
    if (!isWaited || this.#certainty === 'settled') return lasting;
    return Math.min(this.#settleMs, lasting ?? this.#settleMs);
  }

  /** Returns the quiet that ends or opens a dialog, or shows that a spinner has stopped. */
  #lastingQuiet(): number | null {
    const dialog = this.#dialogs.wantsQuiet();
    if (!this.#signals?.busy.isSpinner || !this.#spinner.isTurning) return dialog;
    return Math.min(STALE_SPINNER_MS, dialog ?? STALE_SPINNER_MS);
  }

  quiet(quietMs: number, position: number): void {
    if (!this.#signals && quietMs >= SETTLE_QUIET_MS) this.#isTyped = false;
    if (this.#signals) {
      if (quietMs >= LOOK_QUIET_MS && !this.#isResized && this.#ports.screen.isSeen()) this.#read(position, quietMs);
    } else if (quietMs >= SETTLE_QUIET_MS && this.#told !== 'unknown' && this.#ports.screen.isPainted()) {
      this.#tell('unknown', 'screen');
    }
  }

  /**
   * Called when the program was reported as working because it printed. A screen that cannot be read is then reported
   * again.
   */
  spoke(): void {
    if (this.#signals) return;
    this.#told = null;
    this.#still.begin();
  }

  /** @param isOurs  True if orchd typed the text. If a dialog is open, orchd chose in it. */
  typed(isOurs: boolean, isChoice: boolean): void {
    this.#dialogs.typed(isOurs, isChoice);
    this.#unsettle();
    this.#isTyped = true;
  }

  /**
   * Called after a resize. Until the program prints again, its screen shows a frame of the old size, cut or wrapped.
   */
  resized(): void {
    this.#isResized = true;
    this.#dialogs.resized();
  }

  /** Called when an input was submitted. */
  beginTurn(): void {
    this.#still.begin();
    // The agent is still busy, unless it has just become idle and that is not reported yet.
    if (this.#told === 'busy' && this.signal()?.activity !== 'idle') return;
    this.#told = null;
    if (this.#turn === 'begun') this.#turn = 'entered';
  }

  /**
   * Called when the program was reported as working because its transcript has the prompt. That may be read late: the
   * screen was idle before, and may stay so. Then it is reported as idle again.
   */
  prompted(): void {
    const isNew = this.#told === null && this.#readyAt === null;
    if (!this.#signals || !(this.#told === 'idle' || isNew)) return;
    this.#told = null;
    this.#turn = 'prompted';
    this.#unsettle();
  }

  /** Called when more quiet may change something again. */
  #unsettle(): void {
    if (this.#certainty === 'settled') this.#certainty = 'sure';
  }

  /** Called when the program stops painting. */
  close(): void {
    this.#dialogs.close();
  }

  /** Returns the signal of the last look; null without signals. */
  signal(): Signal | null {
    if (!this.#signals) return null;
    const { screen } = this.#ports;
    const isFresh = this.#unread > 0 && screen.isSeen();
    const reading = isFresh
      ? this.#spinner.judge(this.#idleByComposer(readSignals(this.#signals, screen.view())))
      : this.#last;
    const { readyQuietMs, readyLimitMs } = this.#signals;
    const { isReady, activity, composer, dialog } = reading ?? NOTHING_READ;
    return { isReady, readyAt: this.#readyAt, activity, composer, dialog, readyQuietMs, readyLimitMs };
  }

  #read(position: number, quietMs: number): void {
    if (!this.#signals) return;
    this.#readMs = this.#ports.now();
    let isRepeated = true;
    if (this.#unread > 0 || !this.#last) {
      const read = this.#idleByComposer(readSignals(this.#signals, this.#ports.screen.view()));
      const reading = this.#turned(read, quietMs);
      isRepeated = this.#last !== null && isSameReading(reading, this.#last);
      this.#unread = 0;
      this.#unreadBytes = 0;
      this.#certainty = 'sure';
      this.#last = reading;
      if (reading.isReady) this.#readyAt ??= this.#ports.now();
    } else this.#last = this.#turned(this.#last, quietMs);
    const { dialog } = this.#last;
    this.#dialogs.look({ dialog, position, quietMs, isRepeated });
    if (!isRepeated && quietMs === 0) {
      this.#certainty = 'unsure';
      return;
    }
    if (quietMs >= this.#settleMs) {
      this.#certainty = 'settled';
      this.#isTyped = false;
    } else if (this.#certainty === 'unsure') this.#certainty = 'sure';
    if (!this.#dialogs.isOpen || dialog) this.#judge(this.#last, quietMs);
  }

  /**
   * Returns the reading of an agent whose title reports its activity, as idle if only the row below the composer hides
   * that. The agent may show something else in that row for a while, such as `paste again to expand`. Once the agent
   * was ready, its composer without a dialog is enough.
   */
  #idleByComposer(reading: Reading): Reading {
    const { activity, source, composer, dialog } = reading;
    const isIdle = activity === null && source === 'title' && composer !== null && dialog === null;
    return isIdle && this.#readyAt !== null ? { ...reading, activity: 'idle' } : reading;
  }

  /** Returns the reading without a spinner that has stopped. */
  #turned(reading: Reading, quietMs: number): Reading {
    return this.#signals?.busy.isSpinner ? this.#spinner.take(reading, this.#ports.now(), quietMs) : reading;
  }

  #judge({ activity, source, composer }: Reading, quietMs: number): void {
    if (this.#isCovered() && quietMs >= SETTLE_QUIET_MS) this.#tell('unknown', source);
    if (activity === null || activity === this.#told) return;
    if (activity === 'idle' && this.#turn !== 'begun') {
      const isStarting = source === 'screen' && this.#signals?.busy.title;
      if (quietMs < this.#settleMs || isStarting || composer !== '') return;
    }
    this.#tell(activity, source);
  }

  #tell(activity: ActivityFinding['activity'], source: Reading['source']): void {
    if (activity === 'busy') this.#turn = 'begun';
    else if (this.#turn === 'prompted') this.#turn = 'entered';
    this.#isTyped = false;
    this.#told = activity;
    this.#ports.tell({ kind: 'activity', activity, source });
  }

  /** Returns the quiet that is needed: longer after an Enter, for an agent that shows nothing until it has begun. */
  get #settleMs(): number {
    const showsBegin = this.#turn === 'begun' || (this.#turn === 'entered' && this.#signals?.busy.title);
    return showsBegin ? SETTLE_QUIET_MS : BEGIN_QUIET_MS;
  }

  /** True if it was ready, and now shows nothing known: no composer, no dialog, no activity. */
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
