/**
 * First sight: of what is whole when it is first seen, what was not said in this session?
 *
 *     an old conversation   on the screen before anything was typed, or where one was asked for
 *     a file                in a pager or an editor; or whatever a program shows at a person's key
 *     an example            a block in a fence of our name, which only programs show that quote something, or that are not known
 *
 * In:   looks, and their candidates.
 * Out:  which candidates are silent; a near miss for those of unknown programs that may have been said all the same.
 *
 * Said in this session is what has the session's key, what stands below the prompt, and in a conversation what was seen unfinished.
 */
import type { Candidate } from './candidates.js';
import { isFinal } from './final-candidates.js';
import type { Window } from './heard.js';
import type { MissedHint } from './near-misses.js';
import type { PlainRow } from './rows.js';
import type { Cursor } from './tearing.js';
import { isViewer } from './viewer.js';

/** What shows the rows of the last look: a pager or an editor, by its screen; or any program, at a person's key. */
export type FirstSightState = 'viewer' | 'key' | null;

export interface FirstSightPorts {
  /** True for a text with the session's key, which no example and no old conversation has. */
  readonly isKeyed: (text: string) => boolean;
  /** Whether the program has an adapter. */
  readonly isKnown: () => boolean;
  readonly isBelowPrompt: (row: number, window: Window) => boolean;
  readonly miss: (hint: MissedHint, text: string, row: number) => void;
}

interface Standing {
  /** What is whole at first sight may be an old conversation. */
  readonly isHistory: boolean;
  /** It was seen unfinished. */
  readonly hasBegun: boolean;
}

export class FirstSight {
  readonly #ports: FirstSightPorts;
  #shows: FirstSightState;

  constructor(ports: FirstSightPorts, state?: FirstSightState) {
    this.#ports = ports;
    this.#shows = state ?? null;
  }

  state(): FirstSightState {
    return this.#shows;
  }

  /** A file is shown, or something else that a person asked for with a key. */
  get isViewed(): boolean {
    return this.#shows !== null;
  }

  look(
    screen: readonly PlainRow[],
    { cursor, isViewed }: { readonly cursor: Cursor; readonly isViewed?: boolean },
  ): void {
    this.#shows = !this.#ports.isKnown() && isViewer(screen, cursor) ? 'viewer' : isViewed ? 'key' : null;
  }

  /** The candidates without examples. */
  spoken(candidates: readonly Candidate[], isHistory: boolean): readonly Candidate[] {
    if (!candidates.some(({ isShown }) => isShown)) return candidates;
    return candidates.filter((candidate) => {
      if (!candidate.isShown || this.#ports.isKeyed(candidate.text)) return true;
      if (!isHistory && !this.isViewed && isFinal(candidate))
        this.#ports.miss('fence_shown', candidate.text, candidate.row);
      return false;
    });
  }

  /** Whether a new candidate is silent. */
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
