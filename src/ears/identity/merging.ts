/**
 * Merging: makes one message of what the terminal's ears (lines, screen), the transcript ear and the tools hear of it.
 *
 * In:   what each ear heard, in order; tool calls; transcript progress (`spoken`, `idle`, `prompted`, `pass`); times.
 * Out:  findings: message, rejected, corrected, called, and the health of the transcript.
 *
 *     screen          transcript is healthy               held until one of these is true of the transcript:
 *                     … has it                            reported, in the transcript's words
 *                     … continues without it              dropped: a tool's output, a sub-agent, a file that was shown
 *                     … has reported it in this turn      dropped: painted again, or read badly
 *                     … says nothing for 1,500 ms         reported, in the screen's words
 *                     … says nothing for 1,500 ms, and    held longer, and dropped at the next Enter:
 *                       the agent was not at work         the output of a person's own command
 *     screen, lines   else                                reported at once
 *     transcript      the terminal has reported it        nothing, or `corrected`
 *     any             the other ear has reported it       nothing
 *     tool            it was printed (tool-dedup.ts)      nothing; else reported at once
 *
 * unconfirmed.ts searches for copies. The state is plain data of limited size. Pure: times are those of records.
 *
 * The file is long because all ears meet here, and each has its rules.
 */
import type { Message } from '../../protocol/index.js';
import { MAX_HELD, MAX_UNCONFIRMED, TRANSCRIPT_WAIT_MS } from '../bounds.js';
import type { TranscriptFinding, UnplacedFinding } from '../findings.js';
import { structuredCopy, type TextSpan, type Utterance } from '../grammar/index.js';
import { isMisread, type Judged, type JudgedMessage } from './judge.js';
import type { Ledger } from './ledger.js';
import { isDamaged, isExact, isPicture, type Likeness, likenessOf, rareFieldsOf } from './likeness.js';
import { MissingTranscript, type MissingTranscriptState, type Submission } from './missing-transcript.js';
import { ToolDedup, type ToolDedupState } from './tool-dedup.js';
import {
  findCopy,
  type Held,
  type Reported,
  type Said,
  type Seen,
  saidLately,
  Unconfirmed,
  wholeKey,
} from './unconfirmed.js';

type Health = TranscriptFinding['health'];
type TerminalEar = 'lines' | 'screen';

interface MergingState {
  health: Health;
  hasSpoken: boolean;
  seen: readonly Seen[];
  said: readonly Said[];
  saidTwice?: ToolDedupState;
  silence?: MissingTranscriptState;
  /** In both fields, absent means false. */
  isKnown?: boolean;
  isSilenced?: boolean;
}

/** A call of a tool. */
export interface Call {
  readonly callId: string;
  readonly waits: boolean;
}

interface MergingPorts {
  readonly ledger: Ledger;
  /** @param content  The `contentKey` of a message. */
  readonly find: (told: UnplacedFinding, content?: string) => void;
  /** Returns the agent's own id of the conversation, if the agent has reported it. */
  readonly agentSessionId: () => string | null;
}

/** Combines what the ears of one session have heard into findings, each message once. */
export class Merging {
  readonly #ports: MergingPorts;
  #health: Health = 'waiting';
  /** True if the transcript has held words of the agent since the last prompt or Enter. */
  #hasSpoken = false;
  /** True if the transcript text that is being read contains a message that a terminal ear has found, too. */
  #hasMatched = false;
  #seen = new Unconfirmed();
  #said: readonly Said[] = [];
  #toolDedup = new ToolDedup();
  #missingTranscript = new MissingTranscript();
  /** True once the agent has named the conversation to which its transcript belongs. */
  #isKnown = false;
  /** True if the transcript counts as lost because it was silent. When it grows again, it is healthy again. */
  #isSilenced = false;

  /** @param state  A result of `state()` from which the merging is restored. */
  constructor(ports: MergingPorts, state?: unknown) {
    this.#ports = ports;
    if (state === undefined) return;
    const copy = structuredCopy(state) as MergingState; // `state()` returned it
    this.#health = copy.health;
    this.#hasSpoken = copy.hasSpoken;
    this.#seen = new Unconfirmed(copy.seen);
    this.#said = copy.said;
    this.#toolDedup = new ToolDedup(copy.saidTwice);
    this.#missingTranscript = new MissingTranscript(copy.silence);
    this.#isKnown = copy.isKnown ?? false;
    this.#isSilenced = copy.isSilenced ?? false;
  }

  state(): unknown {
    const saidTwice = this.#toolDedup.state();
    const state = {
      health: this.#health,
      hasSpoken: this.#hasSpoken,
      seen: this.#seen.state(),
      said: this.#said,
      silence: this.#missingTranscript.state(),
      isKnown: this.#isKnown,
      isSilenced: this.#isSilenced,
    };
    return structuredCopy({ ...state, ...(saidTwice && { saidTwice }) } satisfies MergingState);
  }

  get health(): Health {
    return this.#health;
  }

  get isHolding(): boolean {
    return this.#seen.isHolding;
  }

  /** The record time at which `advance` would report something, or null if it would not. */
  get deadline(): number | null {
    const silent = this.#health === 'healthy' ? this.#missingTranscript.deadline : null;
    const seen = this.#seen.deadline(this.#missingTranscript.isOthers);
    return silent === null || seen === null ? (silent ?? seen) : Math.min(silent, seen);
  }

  // ── what ears hear ────────────────────────────────────────────────────────────────────────────────────────────────

  /** Handles a message of a terminal ear. The lines ear reads the exact text, so its messages do not wait. */
  hearTerminal(utterance: Utterance, judged: Judged, ear: TerminalEar, time: number): void {
    const { turn } = this.#ports.ledger;
    const lately = saidLately(this.#said, turn, time);
    const likeness = likenessOf(utterance, judged, ear === 'lines' && lately.length === 0);
    const said = findCopy(lately, likeness, (one) => ({ seen: likeness, exact: one }));
    if (said) {
      this.#said = this.#said.map((one) => (one === said ? { ...one, isConfirmed: true } : one));
      this.#confirm();
      return;
    }
    const place = { from: utterance.from, to: utterance.to, line: utterance.line };
    if (ear === 'screen' && this.#isExpected) {
      const repeated = this.#repeated(likeness, judged);
      if (repeated === 'now') return;
      const held = { ...likeness, time, turn, standing: 'held', judged, place } as const;
      this.#seen.keep(repeated === 'before' ? { ...held, isRepeat: true } : held);
      if (this.#seen.held().length > MAX_HELD) this.#release((_, index) => index === 0);
      return;
    }
    this.release();
    const told = this.#tell(judged, ear, place, time);
    if (!told) return;
    const { kind, type, content, id, bare, leftOver } = likeness;
    const letters = ear === 'lines' ? '' : likeness.letters;
    const { from, ordinal, whole } = told;
    // Built field by field, because copying objects is the slowest step when many messages arrive.
    const standing = 'told' as const;
    const copy = { kind, type, content, id, letters, time, turn, standing, from, ordinal, whole, isAwaited: false };
    const isPlain = bare === undefined && leftOver === undefined;
    this.#seen.keep(isPlain ? copy : { ...copy, ...rareFieldsOf(likeness) });
  }

  /** Handles a message of the transcript. `place` is the position of its note, with the line within the text. */
  hearTranscript(utterance: Utterance, judged: Judged, place: TextSpan, time: number): void {
    const likeness = likenessOf(utterance, judged);
    const seen = this.#seen.copyOf(likeness);
    const turn = seen?.standing === 'told' ? seen.turn : this.#ports.ledger.turn;
    if (!seen) {
      if (this.#tell(judged, 'transcript', place, time)) this.#say({ ...likeness, time, turn });
      return;
    }
    this.#hasMatched = true;
    this.#seen.confirm(seen);
    this.#say({ ...likeness, time, turn, isConfirmed: true });
    if (seen.standing !== 'told') this.#tell(judged, 'transcript', place, time);
    else if (judged.kind === 'message' && seen.ordinal !== null) this.#correct(seen, judged.message, place);
    else if (judged.kind === 'message' && seen.kind === 'rejected') this.#tell(judged, 'transcript', place, time);
    this.#confirm();
  }

  /** Handles a tool call. The same call counts once. A message that was printed in this turn is not reported again. */
  hearCall({ callId, waits }: Call, judged: JudgedMessage, { from, to, line }: TextSpan, time: number): void {
    const { ledger, find } = this.#ports;
    const known = ledger.takeCall(callId, judged.message);
    if (known !== 'new') {
      find({ kind: 'called', callId, waits, message: known === 'same' ? 'known' : 'reused' });
      return;
    }
    const { turn } = ledger;
    const { source, message, content } = judged;
    const printed = this.#toolDedup.takePrinted(content, turn);
    const ordinal = printed?.ordinal ?? ledger.nextOrdinal();
    if (!printed) {
      find(
        { kind: 'message', source, message, ordinal, ear: 'tool', origin: { ear: 'tool', from, to }, turn, line },
        content,
      );
      this.#toolDedup.called({ content, turn, time, ordinal, from });
    }
    find({ kind: 'called', callId, waits, message: { turn, ordinal, toldFrom: printed?.from ?? from } });
  }

  /** Reports what happened to the answer of a tool call. */
  give(given: Extract<UnplacedFinding, { kind: 'given' }>): void {
    this.#ports.find(given);
  }

  // ── how far the transcript has come ───────────────────────────────────────────────────────────────────────────────

  /** Called when the transcript holds words or a prompt, which shows that the agent writes it. */
  written(): void {
    this.#missingTranscript.written();
    const isBack = this.#health === 'lost' && this.#isSilenced;
    if (this.#health === 'waiting' || isBack) this.#become('healthy');
  }

  /** Called when the agent has named its conversation, so that its transcript can be found. */
  known(): void {
    this.#isKnown = true;
  }

  /** Called when the person runs a command of their own in the agent's program: its output is not the agent's. */
  local(): void {
    this.#missingTranscript.local();
  }

  /** Called when the screen, the title or a hook shows whether the agent works. */
  acted(activity: 'busy' | 'idle' | 'unknown', time: number): void {
    this.#missingTranscript.acted(activity, time);
  }

  /**
   * Called after a text of the transcript was read. The agent writes the text after showing it, so messages that only
   * the screen has shown so far were not said by the agent. If the text contains a message that the screen has shown,
   * only the messages before that one are decided.
   */
  spoken(): void {
    this.#hasSpoken = true;
    if (!this.#hasMatched) this.#seen.drop();
    this.#hasMatched = false;
  }

  /**
   * Handles the end of a turn. If the transcript contains no words of the turn, the agent may have switched to another
   * file.
   */
  idle(): void {
    if (this.#hasSpoken) this.#seen.drop();
  }

  /** Called when another turn of the agent begins. */
  prompted(): void {
    this.#hasSpoken = false;
  }

  /** The transcript was read up to the input of `turn`: it will never contain messages reported before it. */
  pass(turn: number): void {
    this.#seen.pass(turn);
    if (turn === this.#ports.ledger.turn) this.#missingTranscript.prompted();
  }

  // ── time and turns ────────────────────────────────────────────────────────────────────────────────────────────────

  advance(time: number): void {
    if (this.#health === 'healthy' && this.#missingTranscript.isLost(time)) {
      this.#become('lost');
      this.#isSilenced = true;
      this.#releaseLost();
    }
    if (this.#seen.isSettled) return;
    if (!this.#missingTranscript.isOthers)
      this.#release((one) => !one.isRepeat && one.time + TRANSCRIPT_WAIT_MS <= time);
    if (!this.#seen.isMissed(time)) return;
    this.#seen.stopAwaiting();
    if (this.#health !== 'lost') this.#become('lost');
    this.#releaseLost();
  }

  /** Reports the held messages. Called before an Enter, which would give them the wrong turn, and before the end. */
  release(): void {
    if (this.#missingTranscript.isOthers) this.#seen.drop();
    else this.#release(() => true);
  }

  /** Handles an Enter. */
  beginTurn(input: Submission): void {
    this.#hasSpoken = false;
    this.#missingTranscript.beginTurn(input);
  }

  /** Called when the agent will not write the transcript any more, so that no message waits for it. */
  close(): void {
    this.release();
    this.#seen.stopAwaiting();
  }

  // ── inside ────────────────────────────────────────────────────────────────────────────────────────────────────────
  /** True if messages from the screen wait for the transcript to confirm them. */
  get #isExpected(): boolean {
    return this.#health === 'healthy' || (this.#health === 'waiting' && this.#isKnown);
  }

  /** Records a message that the transcript reported. Copies of it on the screen are then dropped. */
  #say(said: Said): void {
    this.#said = [...this.#said, said].slice(-MAX_UNCONFIRMED);
    this.#seen.dropCopies(said);
  }

  /**
   * Returns `now` if the screen's message is a copy of one that was reported in this turn. The transcript then reports
   * everything else itself. Returns `before` for a copy of an earlier message of which a part is a guess or missing, or
   * that came after words of this turn, and for words that a screen cannot show exactly.
   */
  #repeated(likeness: Likeness, judged: Judged): 'now' | 'before' | null {
    const { turn } = this.#ports.ledger;
    const pictured = this.#said.filter((one) => isPicture(likeness, one));
    if (pictured.some((one) => one.turn === turn)) return 'now';
    // The program may have rendered the words differently (formulas). The transcript has the exact words, and any real
    // mistake.
    if (this.#health === 'healthy' && isMisread(judged)) return 'before';
    const isGuess = judged.kind === 'rejected' || judged.exact === false;
    const isCut = pictured.some((one) => !isExact(likeness, one) && !isDamaged(likeness, one));
    // Once the transcript has words of this turn, it also gets a message that is said again.
    if (!isGuess)
      return isCut || (this.#hasSpoken && this.#missingTranscript.hasPrompt && pictured.length > 0) ? 'before' : null;
    return pictured.length > 0 || this.#seen.hasToldOther(likeness, turn) ? 'before' : null;
  }

  #release(isDue: (held: Held, index: number) => boolean, isLost = false): void {
    if (!this.isHolding) return;
    for (const held of this.#seen.held().filter(isDue)) {
      const { judged, place, isRepeat } = held;
      this.#seen.release(held, isRepeat && !isLost ? null : this.#tell(judged, 'screen', place, held.time));
    }
  }

  #releaseLost(): void {
    if (this.#missingTranscript.isOthers) this.#seen.drop();
    else this.#release(() => true, true);
  }

  #tell(judged: Judged, ear: TerminalEar | 'transcript', { from, to, line }: TextSpan, time: number): Reported | null {
    const { ledger, find } = this.#ports;
    const called = this.#calledAs(judged, time);
    if (called) return { from: called.from, ordinal: null, whole: '' };
    const verdict = ledger.tell(judged);
    if (!verdict) return null;
    const { turn } = ledger;
    const origin = { ear, from, to };
    if (verdict.kind === 'rejected') {
      const { kind, source, reason, errors, raw } = verdict;
      const cut = verdict.truncated;
      if (cut) find({ kind, source, reason, errors, raw, truncated: cut, ear, origin, turn, line });
      else find({ kind, source, reason, errors, raw, ear, origin, turn, line });
      return { from, ordinal: null, whole: '' };
    }
    const { kind, source, message, ordinal } = verdict;
    const content = judged.kind === 'message' ? judged.content : undefined;
    if (verdict.exact === false)
      find({ kind, source, message, ordinal, exact: false, ear, origin, turn, line }, content);
    else find({ kind, source, message, ordinal, ear, origin, turn, line }, content);
    if (content !== undefined) this.#toolDedup.printed({ content, turn, time, ordinal, from });
    const isAllContent = Object.keys(message).length === 2; // `type` and `data`
    // A message with a guessed part is corrected even if the exact text differs only in blanks.
    if (verdict.exact === false) return { from, ordinal, whole: '' };
    return { from, ordinal, whole: isAllContent && content !== undefined ? content : wholeKey(message) };
  }

  /**
   * Finds the tool message that a printed message repeats. The id of the printed message, if it has any, is added to
   * it.
   */
  #calledAs(judged: Judged, time: number): { readonly from: number } | null {
    if (judged.kind === 'rejected') return null;
    const { ledger } = this.#ports;
    const { message, content } = judged;
    if (message.id !== undefined && ledger.hasId(message.id)) return null;
    const called = this.#toolDedup.takeCalled(content, ledger.turn, time);
    if (called) ledger.amend(message);
    return called;
  }

  #correct(told: Extract<Seen, { standing: 'told' }>, message: Message, { from, to }: TextSpan): void {
    if (told.ordinal === null || told.whole === wholeKey(message)) return;
    this.#ports.ledger.amend(message);
    const { turn, ordinal, from: toldFrom } = told;
    const ear = 'transcript';
    this.#ports.find({ kind: 'corrected', turn, ordinal, toldFrom, message, ear, origin: { ear, from, to } });
  }

  /** Records that a transcript message and a terminal message are the same. The transcript is therefore healthy. */
  #confirm(): void {
    if (this.#health !== 'healthy') this.#become('healthy');
  }

  #become(health: Health): void {
    this.#health = health;
    this.#isSilenced = false;
    this.#ports.find({ kind: 'transcript', health, agentSessionId: this.#ports.agentSessionId() });
  }
}
