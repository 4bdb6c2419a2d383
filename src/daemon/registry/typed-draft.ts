/**
 * The text that a person has typed into a session through orchd and not submitted, and when keys were pressed.
 * Pure functions; SessionEntry keeps the draft.
 */
import {
  draftAfter,
  findTyped,
  isEdit,
  isLeftOver,
  isSubmit,
  NO_DRAFT,
  type Picture,
  type TypedPosition,
  type UnsentText,
} from '../../lifecycle/index.js';

export interface TypedDraft extends UnsentText {
  /** When the last key was pressed, by the monotonic clock. */
  readonly at: number;
  /** When the last key that changes an input line was pressed, by the monotonic clock. */
  readonly editedAt: number;
  /** When Enter was pressed last, by the monotonic clock. */
  readonly enteredAt: number;
  /** When a person's Enter submitted a text, by the monotonic clock. */
  readonly submittedAt: number;
  /** True if `orchd send --no-enter` typed all of it. Another `orchd send` may then continue it. */
  readonly isSent: boolean;
  /** Text that was deleted by keys, as the screen showed it before. Null once a text is submitted. */
  readonly removed: Removed | null;
  /** True if the program showed the alternate screen when the first key was pressed. */
  readonly isOnAlternate: boolean;
}

export interface Removed {
  readonly text: string;
  /** The place of the text on the screen; null if the screen did not show it. */
  readonly place: TypedPosition | null;
}

const NOTHING_TYPED: TypedDraft = {
  ...NO_DRAFT,
  at: Number.NEGATIVE_INFINITY,
  editedAt: Number.NEGATIVE_INFINITY,
  enteredAt: Number.NEGATIVE_INFINITY,
  submittedAt: Number.NEGATIVE_INFINITY,
  isSent: false,
  removed: null,
  isOnAlternate: false,
};

interface Press {
  /** The time of the keys, by the monotonic clock. */
  readonly at: number;
  /** True if the keys choose in a dialog. Such keys are not a draft. */
  readonly isChoice: boolean;
  /** True if a client types a text for the person (`session.send`). */
  readonly isSent: boolean;
  /** True if the program shows the alternate screen. */
  readonly isAlternate: boolean;
  /** The screen before the keys; null if the session has none. */
  readonly picture: () => Picture | null;
}

/** Returns the draft after keys that are about to be sent to the program. */
export function draftAfterKeys(
  draft: TypedDraft,
  keys: string,
  { at, isChoice, isSent, isAlternate, picture }: Press,
): TypedDraft {
  const after = isChoice ? draft : draftAfter(draft, keys);
  return {
    ...after,
    at,
    editedAt: !isChoice && isEdit(keys) ? at : draft.editedAt,
    enteredAt: !isChoice && keys.includes('\r') ? at : draft.enteredAt,
    submittedAt: !isSent && !isChoice && isSubmit(draft, keys) ? at : draft.submittedAt,
    isSent: isSent && (draft.isSent || draft.text === ''),
    removed: removedBy(keys, draft, after, picture),
    isOnAlternate: draft.text === '' ? isAlternate : draft.isOnAlternate,
  };
}

/** The program may ignore the keys that delete text, so the place of the text is remembered. */
function removedBy(
  keys: string,
  { text, removed }: TypedDraft,
  after: UnsentText,
  picture: Press['picture'],
): Removed | null {
  if (keys.includes('\r')) return null;
  if (after.text.length >= text.length || removed?.text.startsWith(text)) return removed;
  const now = picture();
  if (removed?.place && now && isLeftOver(removed.place, now)) return removed;
  return { text, place: now && findTyped(text, { ...now, rows: [] }, now) };
}

/** Returns the draft after the daemon's start. The journal has the text of its writes, but no keys of a person. */
export const writtenDraft = (unsubmitted: string): TypedDraft => ({
  ...NOTHING_TYPED,
  ...draftAfter(NO_DRAFT, unsubmitted),
});

/** Returns the draft once the screen shows that its text is gone. The times of the keys stay. */
export const withoutText = ({ editedAt, enteredAt, submittedAt }: TypedDraft): TypedDraft => ({
  ...NOTHING_TYPED,
  editedAt,
  enteredAt,
  submittedAt,
});
