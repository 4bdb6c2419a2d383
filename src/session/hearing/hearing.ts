/**
 * Hearing: reads one session's journal and returns findings. It joins the ears of a session.
 *
 * In:   journal records in order (`push`); time is input too, as `tick` records.
 * Out:  for each record the findings that it makes known.
 *
 * The same journal gives the same findings however its output is cut into records, and from any checkpoint (`state`)
 * on. These rules meet here; protocol/identity.md defines each:
 *
 * - Submitted input, an OSC 133 prompt, the alternate screen, and the program's exit end the document. The row that is
 *   open then is the document's last one, and the rest of that row is ignored.
 * - Rows before the first output that is not an echo are typed text, not words of the program.
 * - A row that could end an utterance counts as finished after QUIET_MS without output.
 * - Rows that a program paints belong to the screen ear. Its emulator exists from the first painting to the end of the
 *   alternate screen, to a prompt and a new program, or until many rows were printed as lines. It is written to
 *   synchronously (emulator.ts), because its screen is part of this function.
 * - Notes `transcript` and `hook` belong to the transcript ear, notes `tool` are calls. All are merged.
 * - Output of an agent without a terminal belongs only to the transcript ear, line by line (batch-side.ts).
 * - Another `start` record begins again, with the turn and the ids of messages (session-hearing.ts).
 *
 * The file is long because these rules act on the same records, in one order.
 */
import {
  type Finding,
  type Judged,
  Ledger,
  Merging,
  type NearMiss,
  type RejectedFinding,
  startTexts,
  type UnplacedFinding,
  type Utterance,
} from '../../ears/index.js';
import type {
  ExitRecord,
  InputRecord,
  JournalRecord,
  NoteRecord,
  OutRecord,
  StartRecord,
} from '../../host/contract.js';
import type { HintKind } from '../../protocol/index.js';
import { type Adapter, adapterNamed, GENERIC, type ScreenView } from '../adapters/index.js';
import { ScreenSide, type ScreenSideState } from '../screen/screen-side.js';
import type { Signal, SignalFinding } from '../signals/signal-watch.js';
import { ActivityMemory } from './activity.js';
import { type HearingState, STATE_VERSION } from './hearing-state.js';
import { Notices } from './notices.js';
import { PrintedAgain } from './printed-again.js';
import { ReplayGuard, type ReplayGuardState } from './replay-guard.js';
import { BatchSide, type BatchSidePorts } from './sides/batch-side.js';
import { HintSide } from './sides/hint-side.js';
import { HOOK_NOTE, readHookNote } from './sides/hook-note.js';
import { LinesSide } from './sides/lines-side.js';
import type { TranscriptOffset } from './sides/transcript-items.js';
import { TranscriptSide } from './sides/transcript-side.js';
import { hearToolNote, TOOL_NOTE } from './tool-note.js';
import { TypedInput } from './typed-input.js';
import { judgeObserved, type UtteranceObserver } from './utterance-observer.js';

export interface Hearing {
  /** @param record  The next record of the journal; its bytes are valid only during the call. */
  push(record: JournalRecord): readonly Finding[];
  /**
   * Returns a checkpoint: JSON of bounded size, small while `isAtRest`. `createHearing` continues from it. Null while
   * the program paints; an older checkpoint is used then.
   */
  state(): unknown;
  /**
   * Returns a checkpoint also while the program paints: up to some megabytes of JSON. This hearing continues from it as
   * well, so that both stay equal. Null in the middle of a frame.
   */
  rebase(): unknown;
  /** True if no row, block or envelope has begun. */
  isAtRest(): boolean;
  /** The quiet after which a `tick` would complete a finding; null if no tick can. */
  wantsTick(): { quietMs: number } | null;
  /**
   * Returns the signal of the program's screen, for use before and after an answer is typed. Null if nothing is
   * painted, or no adapter can read it.
   */
  signal(): Signal | null;
  /** Name of the adapter of the program that paints; null while the program prints lines. */
  painter(): string | null;
  /** The screen of the program that paints, valid until the next record; null while the program prints lines. */
  view(): ScreenView | null;
  /** Text that orchd has typed since the last Enter. The text of a person's keys is not known. */
  unsubmitted(): string;
  /** True if orchd's write has begun and not ended. */
  hasBegun(writeId: string): boolean;
  /** The positions in the agent's transcript files up to which they are in the journal; null before the first note. */
  transcriptPlaces(): readonly TranscriptOffset[] | null;
  /** True if the agent's transcript has stopped without a reason. */
  isTranscriptLost(): boolean;
  /** True if the transcript is lost, and this prompt, which orchd typed last, should be in it. */
  lacks(prompt: string): boolean;
  /** The agent's own id of the conversation; null until its transcript contains it. */
  agentSessionId(): string | null;
}

/**
 * Silence after which a row without a line feed counts as finished: a program that asks and then reads prints nothing
 * more.
 */
export const QUIET_MS = 400;
/** The options of a program's hearing besides its adapter. */
export interface ProgramOptions {
  /** The result of `state()` after the previous record. */
  readonly checkpoint?: unknown;
  /** Called with every utterance, before the ears are merged. */
  readonly onUtterance?: UtteranceObserver | undefined;
  /** The state that the session's earlier program left. There is no checkpoint then. */
  readonly carriedOver?: CarriedOver;
}

/** The state that the next program of a session gets from the one before it. */
interface CarriedOver {
  readonly ledger: unknown;
  readonly toldBefore: ReplayGuardState;
  readonly hints: readonly HintKind[];
}

/** The hearing of one program, from its start on. */
export class ProgramHearing implements Hearing {
  readonly #lines: LinesSide;
  readonly #ledger: Ledger;
  /**
   * True if the program had waited for the input that began the turn: it printed no line between its last message and
   * that input.
   */
  #hadWaited = false;
  readonly #typed: TypedInput;
  readonly #screen: ScreenSide;
  readonly #notices: Notices;
  readonly #merging: Merging;
  readonly #activity: ActivityMemory;
  readonly #transcript: TranscriptSide;
  /** Reads all output of an agent without a terminal. */
  #batch: BatchSide | null = null;
  /** Time of the last output; quiet is measured from it. */
  #printedAt = 0;
  /** Time of the last Enter. Silence before it does not say that the turn after it has ended. */
  #enteredAt = 0;
  /** True if the program is a known agent, so its screen shows its activity. */
  #isAgent = false;
  /** True if the program has printed a message in a fence as lines. */
  #printsFences = false;
  readonly #onUtterance: UtteranceObserver | null;
  /** The turn in which the program was started: 0 for the session's first. */
  readonly #startTurn: number;
  readonly #replayGuard: ReplayGuard;
  readonly #printedAgain: PrintedAgain;
  readonly #hints: HintSide;
  #findings: Finding[] = [];
  #at = 0;
  #time = 0;

  constructor(adapter: Adapter, { checkpoint, onUtterance, carriedOver }: ProgramOptions = {}) {
    this.#onUtterance = onUtterance ?? null;
    const state = checkpoint as HearingState | undefined; // `checkpoint` returned it
    if (state && state.version !== STATE_VERSION)
      throw new Error(`the checkpoint has version ${state.version}, and only ${STATE_VERSION} can be read`);
    const ledger = new Ledger(carriedOver?.ledger ?? state?.ledger);
    if (carriedOver) ledger.startAgain();
    this.#ledger = ledger;
    this.#replayGuard = new ReplayGuard(carriedOver?.toldBefore ?? state?.toldBefore);
    this.#printedAgain = new PrintedAgain(state?.printedAgain);
    this.#startTurn = carriedOver ? ledger.turn : (state?.startTurn ?? 0);
    this.#typed = new TypedInput(state?.typed);
    const hints = new HintSide({ ledger, find: (told) => this.#find(told) }, carriedOver?.hints ?? state?.hints);
    this.#hints = hints;
    const find = (told: UnplacedFinding, content?: string): void => this.#find(told, content);
    const merging = new Merging({ ledger, find, agentSessionId: () => this.agentSessionId() }, state?.merging);
    const activity = new ActivityMemory(state?.activity);
    const isSeenBusy = () => this.#screen.signal()?.activity === 'busy';
    const prompted = () => this.#screen.prompted();
    const transcript = new TranscriptSide(
      { ledger, hints, find, isSeenBusy, prompted, merging, activity, onUtterance: this.#onUtterance },
      state?.transcript,
    );
    this.#merging = merging;
    this.#activity = activity;
    this.#transcript = transcript;
    const tell = (utterances: readonly Utterance[]): void => this.#tell(utterances, 'screen');
    const findSeen = (finding: SignalFinding): void => {
      const isNews = finding.kind !== 'activity' || activity.change(finding.activity, ledger.turn);
      if (finding.kind === 'activity') merging.acted(finding.activity, this.#time);
      if (isNews) find(finding);
      if (finding.kind !== 'activity') return;
      if (finding.activity === 'busy') transcript.goOn(this.#time);
      else if (finding.activity === 'idle') transcript.rest(this.#time);
    };
    const turn = (): number => ledger.turn;
    const hint = (nearMiss: NearMiss, to: number): void => {
      const place = { from: to, to, line: 1 };
      // The screen may still show a block that the program has printed as lines.
      if (nearMiss.hint === 'fence_shown' && this.#printsFences) return;
      if (merging.health !== 'healthy') hints.take(nearMiss, place, nearMiss.text, 'screen');
    };
    const isKeyed = (text: string): boolean => ledger.isKeyed(text);
    this.#screen = new ScreenSide(
      { adapter, tell, find: findSeen, hint, now: () => this.#time, turn, isKeyed },
      state?.screen,
    );
    this.#notices = new Notices(find, state?.notices);
    this.#lines = new LinesSide(
      {
        screen: this.#screen,
        notices: this.#notices,
        now: () => this.#time,
        tell: (utterances) => this.#tell(utterances),
        hint: (hint, place, line) => {
          if (!this.#isOldPrint) this.#hints.take(hint, place, line, 'lines');
        },
        reprinting: (paintedAt) => this.#printedAgain.begin(paintedAt),
        spoke: () => this.#spoke(),
      },
      state,
    );
    if (!state) return;
    this.#printedAt = state.printedAt;
    this.#enteredAt = state.enteredAt;
    this.#isAgent = state.isAgent;
    this.#hadWaited = state.hadWaited;
    this.#printsFences = state.printsFences ?? false;
    this.#batch = state.batch ? BatchSide.restore(state.batch, this.#batchPorts) : null;
  }

  state(): unknown {
    return this.#screen.isPainted ? null : this.#stateWith(this.#screen.state());
  }

  rebase(): unknown {
    const screen = this.#screen.rebase();
    return screen && this.#stateWith(screen);
  }

  #stateWith(screen: ScreenSideState): HearingState {
    const printedAgain = this.#printedAgain.state();
    return {
      version: STATE_VERSION,
      ...this.#lines.state(),
      ledger: this.#ledger.state(),
      hadWaited: this.#hadWaited,
      ...(this.#printsFences && { printsFences: true }),
      typed: this.#typed.state(),
      screen,
      merging: this.#merging.state(),
      activity: this.#activity.state(),
      transcript: this.#transcript.state(),
      printedAt: this.#printedAt,
      enteredAt: this.#enteredAt,
      isAgent: this.#isAgent,
      notices: this.#notices.state(),
      startTurn: this.#startTurn,
      toldBefore: this.#replayGuard.state(),
      ...(printedAgain && { printedAgain }),
      hints: this.#hints.state(),
      ...(this.#batch && { batch: this.#batch.state() }),
    };
  }

  isAtRest(): boolean {
    const isBetween = this.#lines.isAtRest() && (this.#batch?.isAtRest() ?? true);
    return !this.#screen.isPainted && isBetween && !this.#merging.isHolding;
  }

  wantsTick(): { quietMs: number } | null {
    const { deadline } = this.#merging;
    const screenQuiet = this.#screen.wantsQuiet();
    const quietMs = Math.min(
      this.#lines.couldEnd() ? QUIET_MS : Number.POSITIVE_INFINITY,
      this.#lines.holdMs ?? Number.POSITIVE_INFINITY,
      screenQuiet === null ? Number.POSITIVE_INFINITY : screenQuiet + this.#quietBeforeEnter,
      deadline === null ? Number.POSITIVE_INFINITY : Math.max(1, deadline - this.#printedAt),
      this.#notices.isWaiting ? QUIET_MS : Number.POSITIVE_INFINITY,
    );
    return Number.isFinite(quietMs) ? { quietMs } : null;
  }

  transcriptPlaces(): readonly TranscriptOffset[] | null {
    return this.#transcript.places;
  }

  isTranscriptLost(): boolean {
    return this.#merging.health === 'lost';
  }

  lacks(prompt: string): boolean {
    return this.isTranscriptLost() && this.#transcript.isLastTyped(prompt);
  }

  agentSessionId(): string | null {
    return this.#transcript.agentSessionId;
  }

  signal(): Signal | null {
    return this.#screen.signal();
  }

  painter(): string | null {
    return this.#screen.painter();
  }

  view(): ScreenView | null {
    return this.#screen.view();
  }

  unsubmitted(): string {
    return this.#typed.unsubmitted;
  }

  hasBegun(writeId: string): boolean {
    return this.#typed.hasBegun(writeId);
  }

  push(record: JournalRecord): readonly Finding[] {
    this.#findings = [];
    this.#at = record.end;
    this.#time = record.time;
    // A note may complete a message that waits for the transcript, so it is read before the time advances.
    const isNote = record.kind === 'note';
    if (!isNote) this.#merging.advance(this.#timeAfter(record));
    switch (record.kind) {
      case 'start':
        this.#start(record);
        break;
      case 'out':
        this.#out(record);
        this.#notices.advance(record.time);
        break;
      case 'resize':
        this.#lines.resize(record.cols);
        this.#screen.resize(record.cols, record.rows, record.position);
        break;
      case 'input':
        this.#input(record);
        break;
      case 'note':
        this.#note(record);
        break;
      case 'tick':
        if (record.quietMs >= QUIET_MS && this.#lines.couldEnd()) this.#lines.finishPartial(record.position);
        this.#lines.quiet(record.quietMs);
        this.#screen.quiet(record.quietMs - this.#quietBeforeEnter, record.position);
        if (record.quietMs >= QUIET_MS) this.#notices.rest();
        break;
      case 'exit':
        this.#exit(record);
        break;
      case 'pause':
        this.#find({ kind: record.paused ? 'paused' : 'resumed', reason: record.reason });
        break;
      case 'reply':
      case 'snapshot': // session-hearing.ts
        break;
    }
    if (isNote) this.#merging.advance(record.time);
    return this.#findings;
  }

  /**
   * The silence between the last output and the last Enter. Silence before an Enter must not count as silence after it.
   */
  get #quietBeforeEnter(): number {
    return Math.max(0, this.#enteredAt - this.#printedAt);
  }

  /**
   * Returns the clock's time after a record. After a tick, that includes the silence for which the tick was ordered.
   */
  #timeAfter(record: JournalRecord): number {
    return record.kind === 'tick' ? Math.max(record.time, this.#printedAt + record.quietMs) : record.time;
  }

  /** Called when another program replaces this one, at this record. Returns the last findings of this program. */
  endBy(record: JournalRecord): { findings: readonly Finding[]; carriedOver: CarriedOver } {
    this.#findings = [];
    this.#at = record.end;
    this.#time = record.time;
    this.#finish(record.position);
    return { findings: this.#findings, carriedOver: this.#carriedOver };
  }

  get #carriedOver(): CarriedOver {
    return {
      ledger: this.#ledger.state(),
      toldBefore: this.#replayGuard.state(),
      hints: this.#hints.state(),
    };
  }

  // ── records ────────────────────────────────────────────────

  #start(record: StartRecord): void {
    this.#lines.resize(record.cols);
    this.#screen.resize(record.cols, record.rows, record.position);
    this.#screen.start(record.command);
    this.#ledger.excuseStart(startTexts(record.command));
  }

  #out({ bytes, bytesPosition, time }: OutRecord): void {
    if (bytes.length > 0) this.#typed.printed();
    this.#printedAt = time;
    if (this.#batch) {
      this.#batch.push(bytes, bytesPosition);
      return;
    }
    this.#screen.take(bytes, bytesPosition);
    this.#lines.push(bytes, bytesPosition);
    this.#screen.show(bytesPosition + bytes.length);
  }

  #input(record: InputRecord): void {
    const { writeId } = record;
    if (record.phase === 'end' || record.phase === 'failed') {
      if (writeId === null) return;
      const from = this.#typed.end(writeId) ?? record.position;
      if (record.submits) this.#notices.submitted();
      if (record.submits || this.#screen.signal()?.dialog) this.#entered(record);
      const kind = record.phase === 'end' ? 'written' : 'write_failed';
      this.#find({ kind, writeId, from, to: record.position });
      return;
    }
    this.#screen.typed(writeId !== null, couldChoose(record), !record.submits);
    // A line editor may ring at the text before the Enter of the same write.
    this.#notices.typed(record.submits && writeId === null, record.time);
    const prompt = this.#lines.prompt();
    this.#transcript.type(record);
    this.#typed.take(record);
    if (record.text !== null) this.#ledger.typed(record.text);
    if (!record.submits) return;
    this.#lines.endDocument(record.position);
    this.#screen.endTurn(record.position);
    this.#merging.release();
    this.#hadWaited = !this.#lines.hasPrinted;
    const turn = this.#ledger.beginTurn();
    if (turn > this.#startTurn + 1) this.#replayGuard.forget();
    const { text, keystrokes } = this.#typed.submit();
    this.#printedAgain.end(text, record.time);
    this.#transcript.beginTurn(turn, text);
    this.#screen.beginTurn(turn, text, keystrokes > 1);
    // The last keystroke is Enter, which the terminal echoes as a line break.
    this.#lines.beginTurn(prompt, text, Math.max(0, keystrokes - 1));
    this.#entered(record);
    this.#find({ kind: 'turn', turn, writeId });
  }

  /** Called for an Enter: a key of a person, or the end of a text that orchd has typed. */
  #entered(record: InputRecord): void {
    this.#enteredAt = record.time;
    this.#screen.typed(record.writeId !== null, couldChoose(record), !record.submits);
  }

  #note(note: NoteRecord): void {
    const { name, data } = note;
    if (typeof data !== 'object' || data === null) return;
    if (name === 'transcript' || name === HOOK_NOTE) {
      const ask = name === HOOK_NOTE ? readHookNote(data) : null;
      if (ask?.shows) this.#screen.asked(ask.callId, ask.shows);
      this.#transcript.take(note);
    } else if (name === TOOL_NOTE) {
      hearToolNote(note, data, this.#merging, this.#onUtterance);
      if ('phase' in data && 'callId' in data) this.#screen.decided(String(data.callId));
    } else if (name === 'session' && 'adapter' in data && typeof data.adapter === 'string') {
      const adapter = adapterNamed(data.adapter);
      if (adapter && adapter !== GENERIC) this.#screen.setAdapter(adapter);
      if ('how' in data && data.how === 'conversation') this.#replayGuard.resume();
      if ('mode' in data && data.mode === 'batch') this.#beginBatch(adapter);
      this.#isAgent = (adapter?.signals ?? null) !== null && 'agent' in data && data.agent !== null;
    } else if (name === 'echo' && 'keys' in data && Array.isArray(data.keys)) {
      this.#ledger.excuse(data.keys.filter((key) => typeof key === 'string'));
    } else if (name === 'key' && 'key' in data) {
      this.#ledger.requireKey(typeof data.key === 'string' && data.key !== '' ? data.key : null);
    }
  }

  /** A batch agent works until it exits, even if it reports the end of a turn. */
  #beginBatch(adapter: Adapter | null): void {
    this.#batch = BatchSide.of(adapter, this.#batchPorts);
    this.#find({ kind: 'busy', turn: this.#ledger.turn, hadWaited: false });
  }

  get #batchPorts(): BatchSidePorts {
    const [now, turn] = [() => this.#time, () => this.#ledger.turn];
    return { transcript: this.#transcript, find: (told) => this.#find(told), now, turn };
  }

  #finish(position: number): void {
    this.#batch?.end();
    this.#lines.endDocument(position);
    this.#screen.close(position);
    this.#merging.close();
  }

  #exit({ position, exitCode, signal, leftOpen, escaped }: ExitRecord): void {
    this.#finish(position);
    this.#transcript.end(this.#time);
    this.#find({ kind: 'exited', exitCode, signal, leftOpen, escaped });
  }

  // ── findings ────────────────────────────────────────────────

  #spoke(): void {
    // Without a known screen, output means activity. A known screen shows the activity itself, and repaints for many
    // reasons.
    if (this.#isAgent || (this.#ledger.turn > 0 && this.#screen.hasSignals)) return;
    this.#find({ kind: 'busy', turn: this.#ledger.turn, hadWaited: this.#hadWaited });
    if (this.#screen.hasSignals) return;
    // A full-screen program that orchd cannot read may have been reported as such before its first text.
    this.#activity.forget();
    this.#screen.spoke();
  }

  #tell(utterances: readonly Utterance[], ear: 'lines' | 'screen' = 'lines'): void {
    if (ear === 'lines' && this.#isOldPrint) return;
    for (const utterance of utterances) {
      if (ear === 'lines' && this.#screen.hasPainted && this.#ledger.wasTyped(utterance)) continue;
      const judged = judgeObserved(this.#ledger, utterance, ear, this.#onUtterance);
      if (ear === 'lines' && utterance.form === 'fence' && judged?.kind === 'message') this.#printsFences = true;
      const isOld = judged?.kind === 'message' && this.#replayGuard.isReplay(judged.content);
      if (judged?.kind === 'message' && ear === 'lines') this.#screen.printed(utterance);
      if (judged && ear === 'lines' && this.#printedAgain.isCopy(contentOf(judged))) continue;
      if (judged && !isOld) this.#merging.hearTerminal(utterance, judged, ear, this.#time);
    }
  }

  /** True if the output may be an old conversation. */
  get #isOldPrint(): boolean {
    return this.#ledger.turn === this.#startTurn && this.#screen.isOldConversation;
  }

  /** @param content  The content of a message, by which a repetition is recognized. */
  #find(finding: UnplacedFinding, content?: string): void {
    if (finding.kind === 'message') this.#lines.told();
    if (content !== undefined) this.#replayGuard.tell(content);
    const told = finding.kind === 'rejected' ? contentOf(finding) : content;
    if (told !== undefined) this.#printedAgain.tell(told);
    // The finding object was created for this call, so it can be completed in place instead of being copied.
    const placed = finding as UnplacedFinding & { at: number; time: number };
    placed.at = this.#at;
    placed.time = this.#time;
    this.#findings.push(placed as Finding);
  }
}

/** Identifies a message or a rejection by its content. */
const contentOf = (told: Judged | Pick<RejectedFinding, 'kind' | 'raw'>): string =>
  told.kind === 'message' ? told.content : `rejected:${told.raw}`;

/** True for an input that can end a dialog: Enter, a digit, a letter, Esc. An arrow key is a longer sequence. */
function couldChoose({ submits, length }: InputRecord): boolean {
  return submits || length === 1;
}
