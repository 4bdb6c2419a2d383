/**
 * Transcript side of a session: reads the agent's own records, which the daemon has put into the journal.
 *
 * In:   notes `transcript` and `hook`, items of other places (`hear`), typed text, turns, record times.
 * Out:  utterances through the merging; findings prompt, activity, attention and transcript; the position up to
 *       which the transcript has been read.
 *
 * A text is a document of its own and read by the grammar of lines. A prompt is matched to the submitted input that it
 * repeats. The transcript has then passed everything that was reported in the turns before.
 */
import {
  digest,
  type HintSink,
  type Ledger,
  MAX_ATTENTION_CHARS,
  MAX_SUBMITTED,
  type Merging,
  readText,
  type UnplacedFinding,
} from '../../../ears/index.js';
import type { InputRecord, JournalRecord, NoteRecord } from '../../../host/contract.js';
import type { TranscriptItem } from '../../adapters/index.js';
import type { ActivityMemory } from '../activity.js';
import { judgeObserved, type UtteranceObserver } from '../utterance-observer.js';
import type { HintSide } from './hint-side.js';
import { HOOK_NOTE, type HookNote, readHookNote } from './hook-note.js';
import { readTranscriptNote, type TranscriptOffset } from './transcript-items.js';
import { UsageSide, type UsageSideState } from './usage-side.js';

interface TranscriptSidePorts {
  readonly ledger: Ledger;
  readonly merging: Merging;
  readonly hints: HintSide;
  readonly activity: ActivityMemory;
  readonly find: (told: UnplacedFinding) => void;
  /** True if the agent's screen or title shows that the agent works. */
  readonly isSeenBusy: () => boolean;
  /** Called when a prompt was reported as the beginning of work. */
  readonly prompted: () => void;
  readonly onUtterance: UtteranceObserver | null;
}

/** The journal position of the items, and their time. */
type RecordSpan = Pick<JournalRecord, 'position' | 'end' | 'time'>;

/** A submitted input: its turn, and the digest of its text; null if a person typed unknown text. */
type Submitted = readonly [turn: number, text: string | null];

/**
 * A hook's note is written before its dialog is painted. For this time after the note, the screen may not show the
 * dialog yet.
 */
const ASK_SETTLE_MS = 2_000;

/**
 * Pattern of conversation ids. An id becomes an argument of a command line when the session is revived. A record in a
 * feed must not be able to add an option in this way.
 */
const CONVERSATION = /^\w[\w.:-]{0,199}$/;

/** Input that is a command for the agent's program. */
const COMMAND = /^[/!#?$:]/;

interface Attention {
  readonly text: string;
  readonly wasTyped: boolean;
  /**
   * Time when a hook asked and began to wait for the decision. Other reports about the same question are less complete.
   */
  readonly askedAt?: number;
}

/** Questions of the agent whose decision it will report, by id. */
interface Waiting {
  readonly id: string;
  readonly text: string;
}
/** Maximum number of remembered questions. The agent's dialogs show any further ones. */
const MAX_WAITING = 20;

export interface TranscriptSideState {
  readonly places: readonly TranscriptOffset[] | null;
  readonly agentSessionId: string | null;
  readonly submitted: readonly Submitted[];
  readonly hasKeys: boolean;
  /** Undefined stands for null. */
  readonly lastTyped?: string | null;
  readonly attention: Attention | null;
  /** Undefined if no question waits for its decision. */
  readonly waiting?: readonly Waiting[];
  /** Undefined while no usage was reported. */
  readonly usage?: UsageSideState;
}

export class TranscriptSide {
  readonly #ports: TranscriptSidePorts;
  #places: readonly TranscriptOffset[] | null = null;
  #agentSessionId: string | null = null;
  /** In order; inputs before the last prompt are removed. */
  #submitted: readonly Submitted[] = [];
  /** True if a person has typed since the last Enter. */
  #hasKeys = false;
  /** The digest of the last input, if orchd alone has typed it. */
  #lastTyped: string | null = null;
  /** The open question of the agent's hook. */
  #attention: Attention | null = null;
  /** The questions that are asked at the same time; the person sees the first one. */
  #waiting: readonly Waiting[] = [];
  readonly #usage: UsageSide;

  constructor(ports: TranscriptSidePorts, state?: TranscriptSideState) {
    this.#ports = ports;
    this.#usage = new UsageSide(ports.find, state?.usage);
    if (!state) return;
    this.#places = state.places;
    this.#agentSessionId = state.agentSessionId;
    this.#submitted = state.submitted;
    this.#hasKeys = state.hasKeys;
    this.#lastTyped = state.lastTyped ?? null;
    this.#attention = state.attention;
    this.#waiting = state.waiting ?? [];
  }

  state(): TranscriptSideState {
    return {
      places: this.#places,
      agentSessionId: this.#agentSessionId,
      submitted: this.#submitted,
      hasKeys: this.#hasKeys,
      lastTyped: this.#lastTyped,
      attention: this.#attention,
      waiting: this.#waiting,
      ...withUsage(this.#usage.state()),
    };
  }

  get places(): readonly TranscriptOffset[] | null {
    return this.#places;
  }

  get agentSessionId(): string | null {
    return this.#agentSessionId;
  }

  /** True if orchd alone typed this text, and nothing was submitted since. */
  isLastTyped(text: string): boolean {
    return this.#lastTyped !== null && this.#lastTyped === digest(plain(text));
  }

  take(note: NoteRecord): void {
    if (note.name === HOOK_NOTE) this.#ask(readHookNote(note.data), note);
    else {
      const { items, places } = readTranscriptNote(note.data);
      this.#places = places ?? this.#places;
      this.hear(items, note);
    }
  }

  hear(items: readonly TranscriptItem[], place: RecordSpan): void {
    for (const item of items) this.#item(item, place);
  }

  /** Called when the program has ended. */
  end(time: number): void {
    this.#usage.end(time);
  }

  /** Called when the screen shows that the agent waits: some transcripts do not name the end of a turn. */
  rest(time: number): void {
    this.#usage.endTurn(time);
  }

  /** Called when something is typed: text by orchd, or keystrokes of a person. */
  type({ text, length, submits }: InputRecord): void {
    // The last keystroke is Enter.
    if (text === null && length > (submits ? 1 : 0)) this.#hasKeys = true;
    if (this.#attention) this.#attention = { ...this.#attention, wasTyped: true };
  }

  /** @param typed  The part of the input that orchd has typed. */
  beginTurn(turn: number, typed: string): void {
    const text = plain(typed);
    const isBare = !this.#hasKeys && text === '';
    this.#usage.beginTurn();
    this.#ports.merging.beginTurn(isBare || COMMAND.test(text) ? 'command' : this.#hasKeys ? 'unknown' : 'prompt');
    if (!isBare) {
      this.#lastTyped = this.#hasKeys ? null : digest(text);
      this.#submitted = [...this.#submitted, [turn, this.#lastTyped] as const].slice(-MAX_SUBMITTED);
    }
    this.#hasKeys = false;
    this.#endAttention();
  }

  #item(item: TranscriptItem, place: RecordSpan): void {
    const { merging } = this.#ports;
    switch (item.kind) {
      case 'session':
        merging.known();
        this.#identify(item.agentSessionId);
        break;
      case 'local':
        merging.local();
        break;
      case 'text':
        merging.written();
        this.#hear(item.text, place);
        merging.spoken();
        this.#waiting = [];
        // The agent may have said the text before it asked, and written it down later.
        if (this.#attention?.askedAt === undefined) this.#endAttention();
        break;
      case 'prompt':
        merging.written();
        merging.prompted();
        this.#prompted(item.text);
        this.#waiting = [];
        break;
      case 'idle':
        // A hook reports before the last frame is painted, and independently of the transcript.
        if (item.after !== undefined && digest(plain(item.after)) !== this.#lastTyped) break; // another conversation's
        if (item.by !== 'hook') {
          merging.written();
          merging.idle();
        }
        this.#usage.endTurn(place.time);
        if (this.#isOfBefore()) break;
        if (item.by === 'hook') this.#rest();
        else this.#act('idle');
        this.#waiting = [];
        this.#endAttention();
        break;
      case 'usage':
        this.#usage.take(item, place.time);
        break;
      case 'decided':
        this.#decide(item.id, place);
        break;
      case 'attention': {
        const text = item.text.slice(0, MAX_ATTENTION_CHARS);
        if (item.id === undefined || this.#isNext(item.id, text)) this.#attend(text, place);
        break;
      }
    }
  }

  #identify(agentSessionId: string): void {
    if (agentSessionId === this.#agentSessionId || !CONVERSATION.test(agentSessionId)) return;
    this.#agentSessionId = agentSessionId;
    this.#ports.find({ kind: 'transcript', health: this.#ports.merging.health, agentSessionId });
  }

  #hear(text: string, { position, end, time }: RecordSpan): void {
    const { ledger, merging, onUtterance } = this.#ports;
    const place = (line: number) => ({ from: position, to: end, line });
    const onHint: HintSink = (hint, { line }, row) => this.#ports.hints.take(hint, place(line), row, 'transcript');
    for (const utterance of readText(text, onHint)) {
      const judged = judgeObserved(ledger, utterance, 'transcript', onUtterance);
      if (judged) merging.hearTranscript(utterance, judged, place(utterance.line), time);
    }
  }

  /**
   * Matches a prompt to the first submitted input with its text, else to the first unknown input.
   *
   * @returns The turn of that input, null if there is none, and whether it has the prompt's text.
   */
  #pass(prompt: string): { readonly turn: number | null; readonly isSame: boolean } {
    const text = digest(plain(prompt));
    const same = this.#submitted.find(([, submitted]) => submitted === text);
    const found = same ?? this.#submitted.find(([, submitted]) => submitted === null);
    if (!found) return { turn: null, isSame: false };
    this.#submitted = this.#submitted.slice(this.#submitted.indexOf(found) + 1);
    this.#ports.merging.pass(found[0]);
    return { turn: found[0], isSame: same !== undefined };
  }

  /**
   * Reports a prompt, and that the agent works on it. The transcript of a turn may be read late. If the screen has shown
   * that the agent worked in this turn and rests since, the agent has already done what the prompt asks. A hook that
   * waits for its decision has asked after the prompt of its turn.
   */
  #prompted(text: string): void {
    const { activity, ledger, find, prompted } = this.#ports;
    const { turn, isSame } = this.#pass(text);
    find({ kind: 'prompt', text, ...(isSame && turn !== null && { turn }) });
    this.#usage.beginTurn();
    const isThisTurn = turn === ledger.turn;
    const isOver = isThisTurn && activity.hasRested(turn);
    if (!isOver && this.#act('busy')) prompted();
    if (!isThisTurn || this.#attention?.askedAt === undefined) this.#endAttention();
  }

  /**
   * True for the end of an earlier turn that is read late: a hook waits for its decision in this turn, whose input is not
   * recorded yet.
   */
  #isOfBefore(): boolean {
    const { turn } = this.#ports.ledger;
    return this.#attention?.askedAt !== undefined && this.#submitted.some(([submitted]) => submitted === turn);
  }

  /** Reports idle, unless the screen shows the agent's activity: the screen is more reliable. */
  #rest(): void {
    if (!this.#ports.isSeenBusy()) this.#act('idle', 'hook');
  }

  #act(activity: 'busy' | 'idle', source: 'transcript' | 'hook' = 'transcript'): boolean {
    if (!this.#ports.activity.change(activity, this.#ports.ledger.turn)) return false;
    this.#ports.find({ kind: 'activity', activity, source });
    return true;
  }

  #attend(text: string, { position, end }: RecordSpan): void {
    if (this.#attention?.text === text || this.#attention?.askedAt !== undefined) return;
    this.#endAttention();
    this.#attention = { text, wasTyped: false };
    const origin = { ear: 'hook', from: position, to: end } as const;
    this.#ports.find({ kind: 'attention', source: 'hook', text, choices: [], origin });
  }

  /**
   * Remembers a question.
   * @returns  True if no other question is open before it.
   */
  #isNext(id: string, text: string): boolean {
    const isKnown = this.#waiting.some((one) => one.id === id);
    if (!isKnown && this.#waiting.length < MAX_WAITING) this.#waiting = [...this.#waiting, { id, text }];
    return this.#waiting[0]?.id === id;
  }

  /** Handles the decision of a question. If several were asked at once, the next one is shown. */
  #decide(id: string | undefined, place: RecordSpan): void {
    const [first] = this.#waiting;
    this.#waiting = id === undefined ? [] : this.#waiting.filter((one) => one.id !== id);
    const [next] = this.#waiting;
    if (next && next === first) return;
    if (this.#attention?.askedAt === undefined) this.#endAttention();
    if (next) this.#attend(next.text, place);
  }

  /**
   * Handles a hook that waits for the person's decision. Several hooks may wait at the same time: the second one may
   * ask before the first is answered.
   */
  #ask(note: HookNote | null, { position, end, time }: RecordSpan): void {
    if (!note) return;
    const { text, ...ask } = note;
    this.#attention = { text, wasTyped: false, askedAt: time };
    const origin = { ear: 'hook', from: position, to: end } as const;
    this.#ports.find({ kind: 'attention', source: 'hook', text, choices: [], origin, ask });
  }

  /** Called when the program is seen to work: it does not ask any more. */
  goOn(time: number): void {
    this.#usage.beginTurn();
    const askedAt = this.#attention?.askedAt ?? Number.NEGATIVE_INFINITY;
    if (time - askedAt >= ASK_SETTLE_MS) this.#endAttention();
  }

  #endAttention(): void {
    if (!this.#attention) return;
    const { wasTyped } = this.#attention;
    this.#attention = null;
    this.#ports.find({ kind: 'attention_over', source: 'hook', wasTyped });
  }
}

const withUsage = (usage: UsageSideState | undefined) => (usage === undefined ? {} : { usage });

/** Returns typed text, or a prompt that repeats it, without blanks and escape sequences. */
function plain(text: string): string {
  // orchd may type U+2800 to keep words from being a command (adapter.ts).
  return text.replace(/\x1b\[[0-?]*[ -/]*[@-~]|\x1b[^[]/g, '').replace(/[\s\u2800]+/g, '');
}
