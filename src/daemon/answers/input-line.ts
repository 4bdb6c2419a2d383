/**
 * Input line: what the daemon knows about the place where a program shows typed text.
 *
 *     agent   its adapter reads the composer (lifecycle/typing/input-readiness.ts)
 *     keys    the program reads single keys: the line is found by the typed text (lifecycle/typing/submission.ts)
 *     lines   the terminal is in line mode: the kernel holds the line until Enter
 */
import type { HostClient } from '../../host/index.js';
import {
  type AgentSight,
  composerStanding,
  findTyped,
  findUnsent,
  hasKeptBlanks,
  isBeginning,
  isLeftOver,
  isPart,
  mayLoseBlanks,
  type Picture,
  partLeft,
  SubmissionEvidence,
  showsEnd,
  significant,
  standsIn,
  type TextStanding,
  type TypedPosition,
} from '../../lifecycle/index.js';
import { adapterNamed } from '../../session/adapters/index.js';
import type { Removed, SessionEntry } from '../registry/index.js';
import type { TypedScreens } from '../sessions/index.js';
import { mayTakeInput } from './prompt.js';

export type Manner = 'agent' | 'keys' | 'lines';

/**
 * The state of an answer's text after Enter. `seen` is the content of the input line while it contains the text.
 * `changed` lists words that the program changed.
 */
export interface LineState {
  readonly standing: TextStanding | 'changed';
  readonly seen: string | null;
  /** False if the program may have erased the input line only to paint it again. */
  readonly isLineSeen: boolean;
  /** Set while the program does not wait for its terminal: it may still be reading the text and the Enter behind it. */
  readonly isBusy?: true;
  /** Set for a text in a program that hides its cursor: the program may go on showing what it got. */
  readonly mayBeOld?: true;
}

/** Watches one text until it has left the input line. */
export interface InputLineWatch {
  /** True if the text was seen in the input line. */
  readonly isShown: () => boolean;
  readonly look: () => LineState;
  /** True if the program did something with a text that has left its input line. */
  readonly wentOn: () => boolean;
  /** Returns the input line if the program has taken only a part of the text and the rest is still there; else null. */
  readonly partLeft: () => string | null;
  /** How long to wait for the effect of Enter, in milliseconds. Absent: the shortest time. */
  readonly verifyMs?: number;
}

/** Maximum time between a key and its appearance on the screen of a slow program. */
const DRAFT_GRACE_MS = 10_000;
/** Maximum time until a program repaints its input line after a character was deleted. */
const DELETE_GRACE_MS = 500;
/**
 * A person who deletes or types continues within this time, and a slow program handles the last keys. Their keys would
 * change an answer between its text and its Enter.
 */
const EDIT_PAUSE_MS = 1_000;
/**
 * Maximum time to wait for a program that is seen not to read its terminal. It may look for input in a way that is
 * never seen, such as a short look between two pauses.
 */
const DEAF_LIMIT_MS = 30_000;
/**
 * A program with no visible turns may have no input line while it works on what a person has sent. It begins to work
 * within the first time. An answer waits for the end of that work, at the longest for the second time, because an
 * animation may look like work.
 */
const TURN_BEGIN_MS = 1_000;
const LONGEST_TURN_MS = 60_000;
const MAX_SEEN_CHARS = 200;
const NOTHING: LineState = { standing: 'unknown', seen: null, isLineSeen: false };
const BUSY: LineState = { ...NOTHING, isBusy: true };

export async function mannerOf(entry: SessionEntry, host: HostClient): Promise<Manner> {
  if (sightOf(entry)) return 'agent';
  // A program that has crashed may have left bracketed paste set. The next one would get its marks as text.
  const { canonical } = await host.call('terminal', { sessionId: entry.id });
  return canonical ? 'lines' : 'keys';
}

/**
 * Returns what the adapter reads from the screen. Null for a program without signals, and for an agent that prints
 * lines.
 */
export function sightOf(entry: SessionEntry): AgentSight | null {
  const seen = entry.hearing?.signal() ?? null;
  if (seen) return seen;
  const signals = adapterNamed(entry.view.adapter)?.signals;
  if (!signals || entry.aggregate.standing.state !== 'starting') return null;
  const { readyQuietMs, readyLimitMs } = signals;
  return { readyAt: null, activity: null, composer: null, dialog: null, readyQuietMs, readyLimitMs };
}

/** Returns the words in an agent's composer; nothing if it is empty or not visible, and for other programs. */
export function seenIn(entry: SessionEntry): { readonly seen?: string } {
  const composer = sightOf(entry)?.composer ?? '';
  return composer === '' ? {} : { seen: cut(composer) };
}

/**
 * True if an agent that owns the whole screen shows a text in its composer, or no composer, although no person typed
 * there. If its size changed while it painted, the agent may paint only what has changed since a picture that the
 * terminal never had.
 */
export function mayBeStale(entry: SessionEntry): boolean {
  const sight = sightOf(entry);
  const { text, removed } = entry.draft;
  if (!sight || sight.readyAt === null || sight.dialog || text !== '' || removed) return false;
  return sight.composer !== '' && entry.keeper?.screen?.isAlternate === true;
}

/**
 * True if text that a person has typed but not submitted may be in the input line, or the person is editing it. Forgets
 * a draft that has disappeared from the screen.
 *
 * @param isAnswer False for `orchd send`: a person may continue a text typed by `orchd send --no-enter`, and an
 *   incomplete line.
 */
export function holdsDraft(entry: SessionEntry, manner: Manner, isAnswer: boolean): boolean {
  const { text, at, editedAt, isSent, removed, isOnAlternate } = entry.draft;
  if (isOnAlternate && entry.keeper?.screen?.isAlternate === false) {
    entry.dropDraft(); // the keys of a program that has given its screen back, such as the `q` of a pager
    return false;
  }
  if (isAnswer && manner !== 'lines' && entry.monotonicNow() - editedAt < EDIT_PAUSE_MS) return true;
  if (text === '' && removed) return manner === 'keys' && hasLeftOver(entry, removed, at);
  if (text === '' || (!isAnswer && (isSent || manner === 'lines'))) return false;
  if (manner === 'lines' || entry.monotonicNow() - at < DRAFT_GRACE_MS) return true;
  if (manner === 'agent' ? sightOf(entry)?.composer !== '' : isOnScreen(entry, text)) return true;
  entry.dropDraft();
  return false;
}

/**
 * Returns why an answer waits for a program without signals that may still work on a text that a person has sent, and
 * would drop the answer. Null if it does not wait.
 *
 * @param takesInput  Tells if the program waits for its terminal; null if that is not certain.
 */
export function worksForPerson(
  entry: SessionEntry,
  manner: Manner,
  takesInput = () => mayTakeInput(entry.view.pid),
): 'agent_busy' | 'not_reading' | null {
  const sinceMs = entry.monotonicNow() - entry.draft.submittedAt;
  if (manner !== 'keys' || sinceMs >= LONGEST_TURN_MS) return null;
  if (sinceMs < TURN_BEGIN_MS || entry.aggregate.standing.state === 'working') return 'agent_busy';
  return takesInput() === false ? 'not_reading' : null;
}

/**
 * True if no process of a program without signals waits for its terminal. A program may throw away what was typed
 * before it reads, as those do that ask for a password.
 */
export const isDeaf = (entry: SessionEntry, manner: Manner, waitedMs: number): boolean =>
  manner !== 'agent' && waitedMs < DEAF_LIMIT_MS && mayTakeInput(entry.view.pid) === false;

/** True if the program has not deleted all of a text, or may still be painting. */
function hasLeftOver(entry: SessionEntry, { place }: Removed, at: number): boolean {
  if (entry.monotonicNow() - at < DELETE_GRACE_MS) return true;
  const now = entry.picture();
  return place !== null && now !== null && isLeftOver(place, now);
}

/** Must be called before the text is typed: the text is found by comparing the screen before and after typing. */
export function watchText(entry: SessionEntry, manner: Manner, text: string): InputLineWatch {
  return manner === 'agent' ? watchComposer(entry, text) : watchScreen(entry, text, entry.picture());
}

/**
 * Watches for a text that a previous daemon has typed.
 *
 * @param screens  Null if they are not known. The text is then recognized only directly before the cursor.
 */
export function watchAgain(
  entry: SessionEntry,
  manner: Manner,
  text: string,
  screens: TypedScreens | null,
): InputLineWatch {
  return manner === 'agent'
    ? watchComposer(entry, text)
    : watchScreen(entry, text, screens?.before ?? null, screens?.after);
}

/** @param takesInput  Tells if the agent waits for its terminal; null if that is not certain. */
export function watchComposer(
  entry: SessionEntry,
  text: string,
  takesInput = () => mayTakeInput(entry.view.pid),
): InputLineWatch {
  const { length } = entry.aggregate.items;
  let hasWorked = false;
  return {
    isShown: () => significant(sightOf(entry)?.composer ?? '') !== '',
    look: () => {
      const sight = sightOf(entry);
      if (!sight) return NOTHING;
      hasWorked ||= sight.activity === 'busy';
      const standing = composerStanding(sight, text);
      if ((standing === 'stands' || standing === 'changed') && takesInput() === false) return BUSY;
      return { standing, seen: standing === 'left' ? null : sight.composer && cut(sight.composer), isLineSeen: true };
    },
    // A text that has left the composer may have been thrown away.
    wentOn: () => hasWorked || entry.aggregate.items.length > length,
    partLeft: () => null, // its adapter reads the whole composer
  };
}

/**
 * @param shown  A screen from before Enter.
 * @param takesInput  Tells if the program waits for its terminal; null if that is not certain.
 */
export function watchScreen(
  entry: SessionEntry,
  text: string,
  before: Picture | null,
  shown: Picture | null = null,
  takesInput = () => mayTakeInput(entry.view.pid),
): InputLineWatch {
  let place: TypedPosition | null = null;
  let isEntered = false;
  /** True once the end of the text was seen. A slow program may still be reading it, with the Enter behind it. */
  let hasEnd = false;
  let areBlanksKept = !mayLoseBlanks(text);
  const { ownOutput } = entry;
  const evidence =
    before && new SubmissionEvidence(text, before, ownOutput.isPrinting(entry.monotonicNow()), ownOutput.printedAt);
  const find = (now: Picture | null): TypedPosition | null => {
    if (!now) return null;
    if (before !== null && !isEntered) return findTyped(text, before, now);
    // After Enter, the text may be part of the program's output. At the cursor, it is in the input line.
    const found = findTyped(text, before ?? { ...now, rows: [] }, now);
    const isAtCursor = found?.rowsToCursor === 0 && Math.abs(found.columnsToCursor) <= 1;
    return isAtCursor ? found : before && findUnsent(text, before, now);
  };
  const isShownIn = (now: Picture | null): boolean => {
    place = find(now) ?? place;
    if (before && now && place) {
      areBlanksKept ||= hasKeptBlanks(text, before, now);
      evidence?.lookBeforeEnter(now, place);
    }
    return place !== null;
  };
  isShownIn(shown);
  return {
    isShown: () => isShownIn(entry.picture()),
    look: () => {
      isEntered = true;
      const now = entry.picture();
      place ??= find(now);
      if (!now || !place) return NOTHING;
      if (before && isBeginning(place, text) && !hasEnd) {
        const found = find(now);
        if (found && !isBeginning(found, text)) place = found;
        hasEnd = showsEnd(text, before, now);
        if (isBeginning(place, text) && !hasEnd) return NOTHING;
      }
      evidence?.found(place);
      const { standing, shown, isChanged, isLineSeen } = standsIn(place, now);
      if (standing === 'left') evidence?.note(now, entry.monotonicNow());
      // If the whole text was visible and has left the line, the program has read it. Only Enter may still be unread.
      const isRead = standing === 'left' && !isPart(place, text);
      if (standing !== 'unknown' && !isRead && takesInput() === false) return BUSY;
      const mayBeOld = standing === 'stands' && !now.cursor.visible && !place.isCursorVisible;
      return {
        standing: isChanged ? 'changed' : standing,
        seen: shown && cut(shown),
        isLineSeen,
        ...(mayBeOld && { mayBeOld }),
      };
    },
    wentOn: () => {
      const now = entry.picture();
      if (!areBlanksKept) return false; // what it went on with may be another text
      return evidence === null || (now !== null && evidence.look(now, entry.monotonicNow()));
    },
    partLeft: () => {
      const now = entry.picture();
      const left = before && now && place && partLeft(place, before, now);
      return left && cut(left);
    },
  };
}

/** True if a draft is at the cursor, or anywhere if the program hides the cursor and paints its own. */
function isOnScreen(entry: SessionEntry, text: string): boolean {
  const now = entry.picture();
  const place = now && findTyped(text, { ...now, rows: [] }, now);
  return place !== null && (!place.isCursorVisible || place.rowsToCursor === 0);
}

const cut = (text: string): string => text.slice(0, MAX_SEEN_CHARS);
