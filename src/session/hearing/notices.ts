/**
 * Notices: a program that calls for the person by the bell or a notification. They work for every program.
 *
 *     BEL                               outside of any sequence. Not within TYPING_MS after a key other than Enter,
 *                                       or after a text until its Enter: line editors ring then
 *     ESC ] 9 ; text BEL                but not 9;4 (progress) and the other numbers of that kind
 *     ESC ] 777 ; notify ; title ; text BEL
 *
 * At most one of each kind is open. Both end with the next input. A bell of a program that paints is reported once the
 * program rests, after the question for which it rang: that is read from the screen, which takes longer.
 */
import type { AttentionFinding, AttentionOverFinding, Unplaced } from '../../ears/index.js';

type NoticeFinding = Unplaced<AttentionFinding | AttentionOverFinding>;

/** The state for checkpoints, which must be small. */
export interface NoticesState {
  readonly open: readonly ('bell' | 'notification')[];
  /** Time when a key other than Enter was pressed. */
  readonly typedAt: number | null;
  /** A bell that is not reported yet. */
  readonly rung?: Rung;
}

/** A bell: its journal position, and the time of its record. */
interface Rung {
  readonly position: number;
  readonly time: number;
}

/** Maximum time from a key to a bell that the key caused. */
const TYPING_MS = 2_000;
/** A program that does not rest has its bell reported after this time. */
const LONGEST_MS = 1_500;

const MAX_TEXT = 500;
const TEXT = /^9;(?!\d+(?:;|$))([\s\S]+)$/;
const NOTIFY = /^777;notify;([^;]*)(?:;([\s\S]*))?$/;

export class Notices {
  readonly #tell: (finding: NoticeFinding) => void;
  #isRinging = false;
  #isNotified = false;
  /** Time when a key was pressed since the last Enter. */
  #typedAt: number | null = null;
  #rung: Rung | null = null;

  constructor(tell: (finding: NoticeFinding) => void, state?: NoticesState) {
    this.#tell = tell;
    if (!state) return;
    this.#isRinging = state.open.includes('bell');
    this.#isNotified = state.open.includes('notification');
    this.#typedAt = state.typedAt;
    this.#rung = state.rung ?? null;
  }

  state(): NoticesState {
    const bell = this.#isRinging ? (['bell'] as const) : [];
    const notification = this.#isNotified ? (['notification'] as const) : [];
    return { open: [...bell, ...notification], typedAt: this.#typedAt, ...(this.#rung && { rung: this.#rung }) };
  }

  /**
   * @param position  Journal position after the BEL.
   * @param time      Time of its record.
   * @param isPainter True for a program that paints.
   */
  rang(position: number, time: number, isPainter: boolean): void {
    if (this.#isRinging || (this.#typedAt !== null && time - this.#typedAt < TYPING_MS)) return;
    this.#isRinging = true;
    this.#rung = { position, time };
    if (!isPainter) this.rest();
  }

  /** True while a bell waits until the program rests. */
  get isWaiting(): boolean {
    return this.#rung !== null;
  }

  /** Called when the program has printed nothing for a while, after what its screen says has been reported. */
  rest(): void {
    if (!this.#rung) return;
    const { position } = this.#rung;
    this.#rung = null;
    const origin = { ear: 'lines', from: position - 1, to: position } as const;
    this.#tell({ kind: 'attention', source: 'bell', text: 'The bell rang', choices: [], origin });
  }

  /** Called with the time of each output. */
  advance(time: number): void {
    if (this.#rung && time - this.#rung.time >= LONGEST_MS) this.rest();
  }

  /**
   * @param payload  The beginning of an OSC string, one character per byte.
   * @param position  Journal position after it.
   */
  notified(payload: string, position: number): void {
    if (this.#isNotified) return;
    const text = textOf(Buffer.from(payload, 'latin1').toString('utf8'));
    if (text === '') return;
    this.#isNotified = true;
    const origin = { ear: 'lines', from: Math.max(0, position - payload.length), to: position } as const;
    this.#tell({ kind: 'attention', source: 'notification', text, choices: [], origin });
  }

  /** Called at an input of orchd or of a person. */
  typed(isSubmitted: boolean, time: number): void {
    this.#typedAt = isSubmitted ? null : time;
    if (this.#isRinging && !this.#rung) this.#tell({ kind: 'attention_over', source: 'bell', wasTyped: true });
    this.#rung = null;
    if (this.#isNotified) this.#tell({ kind: 'attention_over', source: 'notification', wasTyped: true });
    this.#isRinging = false;
    this.#isNotified = false;
  }

  /** Called when the Enter of a written text was typed. */
  submitted(): void {
    this.#typedAt = null;
  }
}

function textOf(payload: string): string {
  const notify = NOTIFY.exec(payload);
  const words = notify ? [notify[1], notify[2]] : [TEXT.exec(payload)?.[1]];
  const text = words.filter((word) => word !== undefined && word.trim() !== '').join(': ');
  return text
    .replace(/[\x00-\x1f\x7f\ufffd]+/g, ' ')
    .trim()
    .slice(0, MAX_TEXT);
}
