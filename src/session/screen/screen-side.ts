/**
 * Screen side of a session: decides when there is an emulator, what it gets, and when its screen is read.
 *
 * In:   output (`take`, then `show` up to a position), marks of the row reader, turns, quiet, sizes.
 * Out:  utterances of the screen ear; findings from the program's screen.
 *
 *     lines      no emulator; the last rows are remembered for a new one
 *     painted    from the first painting or the alternate screen to its end
 *     after      the program prints lines again. The emulator continues for SHADOW_ROWS rows: they may be one long
 *                frame, and agents mark their words like shells do. After a prompt or a submitted input, its screen is
 *                not read until the program paints again. If lines came before that, it is another program, and a new
 *                emulator is created. The end of the alternate screen counts as a prompt; an agent with an adapter has
 *                ended then
 *
 * The file is long because everything that a session learns outside of its screen comes through here.
 */

import { keyOf, type NearMiss, startTexts, type Utterance } from '../../ears/index.js';
import { type Adapter, adapterByTitle, adapterNamed, adapterOf, GENERIC, type ScreenView } from '../adapters/index.js';
import type { RowMark } from '../rows/row-sink.js';
import { type HookAsk, HookAsks } from '../signals/hook-asks.js';
import type { Signal, SignalFinding } from '../signals/signal-watch.js';
import type { LookPacer } from './look-pacer.js';
import { PaintedScreen, type PaintedScreenState } from './painted-screen.js';
import { RecentOutput, type RecentOutputState } from './recent-output.js';
import { asksForHistory, isEmptying, quotedIn, submittedText } from './submitted-input.js';

interface ScreenSidePorts {
  readonly adapter: Adapter;
  readonly tell: (utterances: readonly Utterance[]) => void;
  readonly find: (finding: SignalFinding) => void;
  readonly hint: (nearMiss: NearMiss, position: number) => void;
  /** Time of the record that is being read. */
  readonly now: () => number;
  /** Returns the current turn. */
  readonly turn: () => number;
  /** True for a text that contains the session's key. */
  readonly isKeyed: (text: string) => boolean;
}

export interface ScreenSideState {
  readonly recent: RecentOutputState;
  readonly size: Size;
  readonly adapter: string;
  readonly isHistory: boolean;
  readonly isTitled: boolean;
  readonly prompt: string;
  readonly viewedAt?: number;
  /** Set while there is an emulator. */
  readonly painted?: PaintedScreenState;
  readonly linesSince?: number;
  readonly hasPrompted?: boolean;
  /** True if the program has painted. Absent in checkpoints of older versions. */
  readonly hasPainted?: boolean;
  /** Absent if no message was printed, and in checkpoints of older versions. */
  readonly printed?: readonly string[];
  /** Absent if no hook has asked. Earlier versions have it in `painted`. */
  readonly asks?: readonly HookAsk[];
  /** Undefined stands for false. */
  readonly isPrompted?: boolean;
}

type Phase =
  | { readonly kind: 'lines' }
  | { readonly kind: 'painted'; readonly screen: PaintedScreen }
  | {
      readonly kind: 'after';
      readonly screen: PaintedScreen;
      /** Number of rows printed since the program stopped painting, or since the prompt. */
      lines: number;
      /** True if a shell prompt or an Enter came since the program stopped painting. */
      readonly hasPrompted: boolean;
    };

const LINES: Phase = { kind: 'lines' };

interface Size {
  readonly cols: number;
  readonly rows: number;
}

/** Maximum number of rows that a program that paints may print as lines: the longest frame. */
const SHADOW_ROWS = 1000;
/**
 * Text that appears within this time after a shell has started a program, or after a person's key in it, is a result of
 * that, as in a pager. An agent that was started with its prompt takes longer to answer.
 */
const VIEWED_MS = 2_000;
const MAX_PRINTED = 16;
const NOTHING = new Uint8Array(0);

export class ScreenSide {
  readonly #ports: ScreenSidePorts;
  #phase: Phase = LINES;
  readonly #recent: RecentOutput;
  #size: Size = { cols: 0, rows: 0 };
  #adapter: Adapter;
  /** The arguments of the program's command. */
  #arguments: readonly string[] = [];
  /** True if text that is painted at once may be an old conversation. */
  #isHistory = true;
  /**
   * True if the title of a known agent was set. The program then has a screen, and does not just print an answer and
   * end.
   */
  #isTitled = false;
  /** The text that was submitted last to the agent, as far as it is known. */
  #prompt = '';
  /**
   * Set from the start of an unknown program, or from a person's key in it, until input is submitted to it. The value
   * is the time of that start or key.
   */
  #viewedAt: number | null = null;
  #hasPainted = false;
  /** The keys of the messages that were printed last. A program that paints later may show them. */
  #printed: readonly string[] = [];
  readonly #asks: HookAsks;
  /** True if the transcript had a prompt before anything was painted: the first screen may be idle for a moment. */
  #isPrompted: boolean;
  /** The output that is being read, and the number of its bytes that the screen has. */
  #output: Uint8Array = NOTHING;
  #outputAt = 0;
  #shown = 0;

  constructor(ports: ScreenSidePorts, state?: ScreenSideState) {
    this.#ports = ports;
    this.#recent = new RecentOutput(state?.recent);
    this.#asks = new HookAsks(state?.asks ?? state?.painted?.watch.dialogs?.asks);
    this.#isPrompted = state?.isPrompted ?? false;
    this.#adapter = state ? (adapterNamed(state.adapter) ?? GENERIC) : ports.adapter;
    if (!state) return;
    this.#size = state.size;
    this.#isHistory = state.isHistory;
    this.#isTitled = state.isTitled;
    this.#prompt = state.prompt;
    this.#viewedAt = state.viewedAt ?? null;
    this.#hasPainted = state.hasPainted ?? false;
    this.#printed = state.printed ?? [];
    if (!state.painted) return;
    const screen = this.#paint(0, { state: state.painted });
    const { linesSince: lines = 0, hasPrompted = false } = state;
    this.#phase = lines > 0 ? { kind: 'after', screen, lines, hasPrompted } : { kind: 'painted', screen };
  }

  /** Returns the state while there is no emulator. */
  state(): ScreenSideState {
    return {
      recent: this.#recent.state(),
      size: this.#size,
      adapter: this.#adapter.name,
      isHistory: this.#isHistory,
      isTitled: this.#isTitled,
      prompt: this.#prompt,
      ...(this.#viewedAt !== null && { viewedAt: this.#viewedAt }),
      ...(this.#hasPainted && { hasPainted: true }),
      ...(this.#printed.length > 0 && { printed: this.#printed }),
      ...(this.#asks.state().length > 0 && { asks: this.#asks.state() }),
      ...(this.#isPrompted && { isPrompted: true }),
    };
  }

  /**
   * Returns the state with or without an emulator; this object continues from it as well. Null in the middle of a
   * frame.
   */
  rebase(): ScreenSideState | null {
    const phase = this.#phase;
    if (phase.kind === 'lines') return this.state();
    const painted = phase.screen.rebase();
    const { lines, hasPrompted } = phase.kind === 'after' ? phase : { lines: 0, hasPrompted: false };
    return painted && { ...this.state(), painted, linesSince: lines, hasPrompted };
  }

  get #screen(): PaintedScreen | null {
    return this.#phase.kind === 'lines' ? null : this.#phase.screen;
  }

  /** The screen while it is read; null without an emulator, and after a prompt. */
  get #readScreen(): PaintedScreen | null {
    return this.#phase.kind === 'after' && this.#phase.hasPrompted ? null : this.#screen;
  }

  /** The emulator's look pacer, if there is an emulator. It receives output before the row reader does. */
  get pacer(): LookPacer | null {
    return this.#screen?.pacer ?? null;
  }

  /** True if there is an emulator. */
  get isPainted(): boolean {
    return this.#screen !== null;
  }

  /** True if the program has painted, even if it prints lines now. */
  get hasPainted(): boolean {
    return this.#hasPainted;
  }

  /** True if lines that a known agent prints before any input may belong to an old conversation. */
  get isOldConversation(): boolean {
    return this.#isHistory && this.#isTitled;
  }

  /** Called when the program was reported as working because it printed. */
  spoke(): void {
    this.#screen?.spoke();
  }

  /** Called with a message that was reported because the program has printed it as lines. */
  printed(utterance: Utterance): void {
    const key = keyOf(utterance);
    this.#printed = [...this.#printed, key].slice(-MAX_PRINTED);
    this.#screen?.printed(key);
  }

  /** True if the painted screen itself says whether the program works. */
  get hasSignals(): boolean {
    return this.#screen?.hasSignals ?? false;
  }

  /** Returns the signal of the last look; null if nothing is painted, or no adapter can read it. */
  signal(): Signal | null {
    return this.#readScreen?.signal() ?? null;
  }

  /** Returns the adapter of the program that paints; null while the program prints lines. */
  painter(): string | null {
    return this.#readScreen?.adapter ?? null;
  }

  /** Returns the screen of the program that paints; null while the program prints lines. */
  view(): ScreenView | null {
    return this.#readScreen?.view() ?? null;
  }

  /**
   * @param isOurs  True if orchd typed it, false for a person.
   * @param isKey  True for a key, also of `orchd keys`; false for a text with Enter.
   */
  typed(isOurs: boolean, isChoice: boolean, isKey: boolean): void {
    if (this.#viewedAt !== null && (isKey || !isOurs)) this.#viewedAt = this.#ports.now();
    this.#screen?.typed(isOurs, isChoice);
  }

  /** Called when the program was reported as working because its transcript has the prompt. */
  prompted(): void {
    if (this.#screen) this.#screen.prompted();
    else this.#isPrompted = true;
  }

  /** Called when a hook asks. `shows` is what its dialog shows. */
  asked(callId: string, shows: string): void {
    this.#asks.asked(callId, shows);
  }

  /** Called when a hook is answered. */
  decided(callId: string): void {
    this.#asks.decided(callId, this.#ports.now());
  }

  start(command: readonly string[]): void {
    const [program, ...args] = command;
    if (program === undefined) return;
    this.#arguments = args;
    this.#prompt = startTexts(command).findLast((text) => /\S\s+\S/.test(text)) ?? '';
    this.setAdapter(this.#adapter === GENERIC ? adapterOf(program) : this.#adapter);
  }

  /** Sets the adapter, which is known from the program's name or was chosen by the person. */
  setAdapter(adapter: Adapter): void {
    this.#adapter = adapter;
    if (adapter === GENERIC) return;
    this.#prompt = '';
    this.#isHistory = this.#arguments.some((arg) => adapter.screen.resumes.test(arg));
  }

  titled(title: string): void {
    this.#isTitled ||= adapterByTitle(title) !== null;
  }

  /** @param position  Journal position of the record. */
  resize(cols: number, rows: number, position: number): void {
    this.#size = { cols, rows };
    this.#screen?.resize(cols, rows, position);
  }

  /** Receives output before it is read. Its bytes stay valid until it is shown. */
  take(bytes: Uint8Array, position: number): void {
    this.#output = bytes;
    this.#outputAt = position;
    this.#shown = 0;
    this.pacer?.begin(position, bytes.length);
  }

  /** Feeds the output up to a position to the emulator, or to the memory of printed rows. */
  show(position: number): void {
    const end = position - this.#outputAt;
    if (end > this.#shown) {
      const isAll = this.#shown === 0 && end === this.#output.length;
      const bytes = isAll ? this.#output : this.#output.subarray(this.#shown, end);
      this.#screen?.feed(bytes);
      if (this.#phase.kind !== 'painted') this.#recent.add(bytes);
      this.#shown = end;
    }
    if (end >= this.#output.length) this.#output = NOTHING;
  }

  /** Like `show`, up to a byte of the output that is being read. */
  showByte(index: number): void {
    this.show(this.#outputAt + index);
  }

  /**
   * Like `show`, up to the last byte of a sequence that ends at a position: findings from everything before it come
   * first.
   */
  showBefore(position: number): void {
    if (this.#screen) this.show(position - 1);
  }

  /**
   * True if an emulator that begins at a position would show the output after another position.
   * @param position  Journal position up to which output was read.
   */
  remembers(from: number, position: number): boolean {
    this.show(position);
    return this.#screen !== null || position - from <= this.#recent.length;
  }

  /** @param isHeld  True if markers that the program has printed last were not told, because it may paint over them. */
  mark(mark: RowMark, position: number, isHeld = false): void {
    if (mark === 'alternate' && this.#isAnother && this.#adapter === GENERIC) this.#viewedAt = this.#ports.now();
    if (mark === 'painting' || mark === 'alternate') this.#open(position, isHeld);
    else if (mark === 'main' && this.#adapter !== GENERIC) {
      this.show(position);
      this.close(position);
    } else this.#shadow(mark === 'main' ? 'prompt' : mark, position);
  }

  /** True if every printed row must be counted. */
  get countsLines(): boolean {
    return this.#phase.kind === 'after';
  }

  /** Called when a printed row is finished. */
  countLine(position: number): void {
    const phase = this.#phase;
    if (phase.kind !== 'after') return;
    this.showBefore(position);
    if (++phase.lines <= SHADOW_ROWS) return;
    this.show(position);
    this.#readScreen?.finish(position);
    this.#drop();
  }

  /** Returns the quiet that would complete a finding; null for none. */
  wantsQuiet(): number | null {
    return this.#readScreen?.wantsQuiet() ?? null;
  }

  quiet(quietMs: number, position: number): void {
    this.#readScreen?.quiet(quietMs, position);
  }

  /** Called when an input is submitted: everything on the screen is final. */
  endTurn(position: number): void {
    if (this.#phase.kind === 'after') this.#shadow('prompt', position);
    else this.#screen?.finish(position);
  }

  /** @param isUnknown True if unknown keystrokes were typed before the Enter. */
  beginTurn(turn: number, typed: string, isUnknown: boolean): void {
    const text = submittedText(typed);
    this.#isHistory = asksForHistory(text, isUnknown) ?? this.#isHistory;
    this.#prompt = text.startsWith('/') ? '' : this.#isAnother ? quotedIn(text) : text;
    if (text !== '' || isUnknown) this.#viewedAt = null;
    this.#recent.beginTurn();
    const [isHistory, prompt] = [this.#isHistory, this.#prompt];
    this.#screen?.beginTurn({ turn, isHistory, isEmptied: isEmptying(text), prompt });
  }

  /** Called when the program has stopped painting: its output from here on is lines. */
  close(position: number): void {
    if (!this.#screen) return;
    this.#readScreen?.finish(position);
    this.#drop();
    this.#recent.clear();
  }

  #open(position: number, isHeld: boolean): void {
    this.show(position);
    const phase = this.#phase;
    if (phase.kind === 'after') {
      // Lines were printed after a prompt: another program paints now.
      if (phase.hasPrompted && phase.lines > 1) this.#drop();
      else this.#phase = { kind: 'painted', screen: phase.screen };
    }
    if (this.#screen || this.#size.cols === 0) return;
    this.#hasPainted = true;
    const screen = this.#paint(position, { isHeld });
    this.#phase = { kind: 'painted', screen };
    if (this.#isPrompted) screen.prompted();
    this.#isPrompted = false;
    this.pacer?.begin(position, Math.max(0, this.#outputAt + this.#output.length - position));
  }

  #paint(position: number, { state, isHeld = false }: { state?: PaintedScreenState; isHeld?: boolean }): PaintedScreen {
    return new PaintedScreen({
      ...this.#size,
      before: state ? [] : this.#recent.replay(this.#size.rows),
      isHeld,
      printed: this.#printed,
      position,
      show: (to) => this.show(to),
      turn: this.#ports.turn(),
      isPainted: () => this.#phase.kind !== 'after',
      isHistory: this.#isHistory,
      prompt: this.#prompt,
      adapter: this.#adapter,
      isViewed: () => this.#viewedAt !== null && this.#ports.now() - this.#viewedAt < VIEWED_MS,
      isKeyed: this.#ports.isKeyed,
      tell: this.#ports.tell,
      find: this.#ports.find,
      hint: this.#ports.hint,
      now: this.#ports.now,
      asks: this.#asks,
      ...(state && { state }),
    });
  }

  #drop(): void {
    this.#screen?.dispose();
    this.#phase = LINES;
  }

  #shadow(mark: 'prompt' | 'lines', position: number): void {
    const phase = this.#phase;
    if (phase.kind === 'lines') return;
    this.show(position);
    const isFirstPrompt = mark === 'prompt' && !(phase.kind === 'after' && phase.hasPrompted);
    if (phase.kind === 'after' && !isFirstPrompt) return;
    if (isFirstPrompt) phase.screen.finish(position);
    this.#recent.clear();
    this.#phase = { kind: 'after', screen: phase.screen, lines: 1, hasPrompted: isFirstPrompt };
  }

  /** True if the program that paints next is not the one to which input was submitted last. */
  get #isAnother(): boolean {
    return this.#ports.turn() > 0 && this.#readScreen === null;
  }
}
