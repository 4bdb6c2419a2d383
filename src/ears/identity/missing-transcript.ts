/**
 * Missing transcript: decides whether a transcript without entries for a turn is lost or had none to write.
 *
 * In:   turns, what the agent was seen to do (busy, idle), what its transcript holds, record times.
 * Out:  `isOthers`: the screen shows no words of the agent in this turn. `isLost`: the transcript is lost.
 *
 *     the agent never worked in this turn, and       the screen shows the output of a person's own command
 *     the transcript does not grow
 *     the agent worked and came to rest, and its     the agent has stopped writing the transcript, or writes to
 *     prompt never came                              another file
 *
 * The first conclusion needs an agent that was seen at work before, and an input that was not a prompt. The second
 * counts at once for a prompt whose text is known. Keystrokes may have been a command of the program, so two such turns
 * in a row are needed.
 */
import { TRANSCRIPT_WAIT_MS } from '../bounds.js';

export interface MissingTranscriptState {
  /** True if the agent was seen at work in any turn. */
  readonly wasSeen: boolean;
  /** True if the agent was seen at work in this turn. */
  readonly hasWorked: boolean;
  /** Time at which the agent stopped working. Null while it works, or if it has not worked. */
  readonly restedAt: number | null;
  /** True if the transcript holds something of this turn. */
  readonly hasWritten: boolean;
  /** True if the transcript holds the prompt of this turn. Absent in checkpoints of older versions. */
  readonly hasPrompt?: boolean;
  /** True if the person runs a command of their own in the agent's program. */
  readonly isLocal: boolean;
  readonly input: Submission;
  /** Number of consecutive turns in which the agent worked and the transcript was silent. */
  readonly silentTurns: number;
}

/** The kind of a submitted input: text for the agent, a command for the agent's program, or unknown keystrokes. */
export type Submission = 'prompt' | 'command' | 'unknown';

/**
 * After this many turns in a row without transcript entries, the unknown keystrokes that began them were not commands.
 */
const MAX_UNKNOWN_TURNS = 2;

export class MissingTranscript {
  #state: MissingTranscriptState;

  constructor(state?: MissingTranscriptState) {
    this.#state = state ?? {
      wasSeen: false,
      hasWorked: false,
      restedAt: null,
      hasWritten: false,
      isLocal: false,
      input: 'unknown',
      silentTurns: 0,
    };
  }

  state(): MissingTranscriptState {
    return this.#state;
  }

  beginTurn(input: Submission): void {
    const { hasWorked, restedAt } = this.#state;
    const silentTurns = this.#isSilent() ? this.#state.silentTurns + 1 : 0;
    const isAtWork = hasWorked && restedAt === null;
    this.#state = {
      ...this.#state,
      hasWorked: isAtWork,
      restedAt: null,
      hasWritten: false,
      isLocal: false,
      input,
      silentTurns,
      hasPrompt: false,
    };
  }

  /** Called when the screen, the title or a hook shows whether the agent works. */
  acted(activity: 'busy' | 'idle' | 'unknown', time: number): void {
    if (activity === 'busy') this.#state = { ...this.#state, wasSeen: true, hasWorked: true, restedAt: null };
    else if (this.#state.hasWorked) this.#state = { ...this.#state, restedAt: this.#state.restedAt ?? time };
  }

  /** Called when the transcript holds a prompt, words or an end of this turn. */
  written(): void {
    if (!this.#state.hasWritten) this.#state = { ...this.#state, hasWritten: true, silentTurns: 0 };
  }

  /** Called when the transcript holds the prompt of this turn. */
  prompted(): void {
    this.#state = { ...this.#state, hasPrompt: true };
  }

  get hasPrompt(): boolean {
    return this.#state.hasPrompt ?? false;
  }

  /** Called when the transcript shows that the person runs a command of their own. */
  local(): void {
    this.#state = { ...this.#state, isLocal: true };
  }

  /** True if the screen cannot show the agent's words in this turn. */
  get isOthers(): boolean {
    const { wasSeen, hasWorked, hasWritten, isLocal, input } = this.#state;
    return isLocal || (wasSeen && !hasWorked && !hasWritten && input !== 'prompt');
  }

  /** The record time at which `isLost` becomes true if nothing is written before; null if it will not. */
  get deadline(): number | null {
    const { restedAt, input, silentTurns } = this.#state;
    if (restedAt === null || !this.#isSilent()) return null;
    const isProof = input === 'prompt' || (input === 'unknown' && silentTurns + 1 >= MAX_UNKNOWN_TURNS);
    return isProof ? restedAt + TRANSCRIPT_WAIT_MS : null;
  }

  isLost(time: number): boolean {
    const { deadline } = this;
    return deadline !== null && deadline <= time;
  }

  /** True if the agent worked in this turn and the transcript holds nothing of it. */
  #isSilent(): boolean {
    const { hasWorked, hasWritten, isLocal } = this.#state;
    return hasWorked && !hasWritten && !isLocal;
  }
}
