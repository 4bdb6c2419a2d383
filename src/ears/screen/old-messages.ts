/**
 * Old messages: suppresses messages that are complete when first seen and were not said in this session: old
 * conversations, files, examples.
 *
 *     an old conversation   on the screen before anything was typed, or after the program was asked to show one
 *     a file                in a pager or an editor, or another text that a program shows after a person's key
 *     an example            in a visible `orchestrator-message` fence: known programs show one only around a quotation
 *
 * In:   looks at the screen, and the messages found there (candidates).
 * Out:  the candidates to report. A suppressed one of an unknown program may be a real message: it is a near miss.
 *
 * A message was said in this session if it has the session's key or stands below the prompt. In a conversation, a
 * message that was seen unfinished counts too.
 */
import type { Candidate, MissedHint } from './candidates/index.js';
import { isFinal } from './final-candidates.js';
import type { Window } from './heard.js';
import { type Cursor, isViewer, type PlainRow } from './rows/index.js';

/**
 * The kind of program that shows the rows of the last look: a pager, an editor, or any program after a person's key.
 */
export type OldMessagesState = 'viewer' | 'key' | null;

interface FirstSightPorts {
  /** True for a text with the session's key, which no example and no old conversation has. */
  readonly isKeyed: (text: string) => boolean;
  /** True if the program has an adapter. */
  readonly isKnown: () => boolean;
  readonly isBelowPrompt: (row: number, window: Window) => boolean;
  readonly miss: (hint: MissedHint, text: string, row: number) => void;
}

interface Standing {
  /** True while messages that are complete at first sight may belong to an old conversation. */
  readonly isHistory: boolean;
  /** True if an earlier look saw the message unfinished. */
  readonly hasBegun: boolean;
}

export class OldMessages {
  readonly #ports: FirstSightPorts;
  #shows: OldMessagesState;

  constructor(ports: FirstSightPorts, state?: OldMessagesState) {
    this.#ports = ports;
    this.#shows = state ?? null;
  }

  state(): OldMessagesState {
    return this.#shows;
  }

  /** True if the screen shows a file, or another text that a person asked for with a key. */
  get isViewed(): boolean {
    return this.#shows !== null;
  }

  look(
    screen: readonly PlainRow[],
    { cursor, isViewed }: { readonly cursor: Cursor; readonly isViewed?: boolean | undefined },
  ): void {
    this.#shows = !this.#ports.isKnown() && isViewer(screen, cursor) ? 'viewer' : isViewed ? 'key' : null;
  }

  /** Returns the candidates without those in examples. */
  spoken(candidates: readonly Candidate[], isHistory: boolean): readonly Candidate[] {
    if (!candidates.some(({ isShown }) => isShown)) return candidates;
    return candidates.filter((candidate) => {
      if (!candidate.isShown || this.#ports.isKeyed(candidate.text)) return true;
      const mayBeNew = !this.isViewed && !(isHistory && this.#ports.isKnown());
      if (mayBeNew && isFinal(candidate)) this.#ports.miss('fence_shown', candidate.text, candidate.row);
      return false;
    });
  }

  /** True if a new candidate belongs to an old conversation or a viewed file, and is not reported. */
  isOld({ text }: Candidate, row: number, window: Window, { isHistory, hasBegun }: Standing): boolean {
    if (!isHistory && !this.isViewed) return false;
    const { isKeyed, isKnown, isBelowPrompt, miss } = this.#ports;
    if (isKeyed(text)) return false;
    if (this.#shows === 'viewer') return true;
    if (isBelowPrompt(row, window) || (hasBegun && !this.isViewed)) return false;
    if (!this.isViewed && !isKnown()) miss('old_screen', text, row);
    return true;
  }
}
