/**
 * Verifies that Enter has arrived: presses it once more if the text is still in the input line, and watches until the
 * text is gone.
 *
 * In:   a text that was typed with its Enter.
 * Out:  `onWait` if it was not submitted; the findings `taken` and `unwatched` for the item that it answers.
 */
import { enterAgain } from '../../lifecycle/index.js';
import type { SessionEntry } from '../registry/index.js';
import type { InputLineWatch, LineState, Manner } from './input-line.js';
import { isAnswer, LOOK_MS, type TypeRequest, type TypingPorts } from './type-request.js';

/** Shortest time after an Enter after which a text that is still there counts as not submitted. */
export const VERIFY_MS = 1_500;
/**
 * Minimum time for which a text must have disappeared from the input line: the program may be in the middle of a
 * repaint.
 */
const GONE_MS = 400;
/** The daemon stops watching after this time if it cannot see the outcome. */
const GIVE_UP_MS = 30_000;
/** While the program does not wait for its terminal, that time does not pass, up to this one. */
const LONGEST_BUSY_MS = 300_000;
const UNSENT_LOOK_MS = 250;

/** A text that is still watched after `verify` has resolved. */
interface Watched {
  readonly writeId: string;
  /** True if the text is still in the input line. */
  readonly isUnsent: boolean;
  /** True if the text was not seen: it may not have been read yet. */
  readonly isUnseen?: boolean;
}

/** The text that was typed last. */
interface LastTyped {
  readonly watch: InputLineWatch;
  /** The ids of the items that were open when it was typed. */
  readonly open: ReadonlySet<string>;
  /** Time at which its Enter was typed, by the monotonic clock. */
  readonly at: number;
}

/** Watches the texts that were typed last, one for each session. */
export class Verification {
  readonly #ports: TypingPorts;
  readonly #watched = new Map<string, Watched>();
  readonly #last = new Map<string, LastTyped>();

  constructor(ports: TypingPorts) {
    this.#ports = ports;
  }

  /** True if the last text is still in the session's input line. */
  isUnsent(entry: SessionEntry): boolean {
    return this.#watched.get(entry.id)?.isUnsent === true;
  }

  /**
   * Returns the input line if a part of the last text is still there; else null. A person's Enter submits the part. If
   * the program shows it after that, it is no input.
   */
  partLeft(entry: SessionEntry): string | null {
    const last = this.#last.get(entry.id);
    return last === undefined || entry.draft.enteredAt > last.at ? null : last.watch.partLeft();
  }

  /**
   * True if the program may not have read the last text yet. An answer to a question that was open then must wait: the
   * program would read both texts at once. A question that was asked later shows that it has read the text.
   */
  isUnread(entry: SessionEntry, writeId: string): boolean {
    const asked = entry.aggregate.items.find((item) => item.writeId === writeId)?.item.id;
    const isUnseen = this.#watched.get(entry.id)?.isUnseen === true;
    return isUnseen && asked !== undefined && this.#last.get(entry.id)?.open.has(asked) === true;
  }

  /** Called before another text is typed. */
  forget(entry: SessionEntry): void {
    this.#watched.delete(entry.id);
    this.#last.delete(entry.id);
  }

  /**
   * Presses Enter once more if the text is still in the input line, and reports if that did not help.
   *
   * @param open  The ids of the items that were open when the text was typed.
   */
  async verify(
    entry: SessionEntry,
    request: TypeRequest,
    manner: Manner,
    watch: InputLineWatch,
    open: ReadonlySet<string>,
  ): Promise<void> {
    const { writeId, onWait } = request;
    const isKept = isAnswer(entry, writeId);
    if (manner === 'keys') this.#last.set(entry.id, { watch, open, at: this.#ports.monotonicNow() });
    const { standing, seen, mayBeOld, isBusy } = await this.#submit(entry, writeId, watch, isKept);
    if (this.#ports.isOver(entry)) return;
    const isUnsent = standing === 'stands' || standing === 'changed';
    if (isUnsent && !(mayBeOld && hasAsked(entry, open))) onWait('not_submitted', seen ?? undefined);
    if (standing === 'left' && manner === 'keys' && isKept && watch.wentOn()) return this.#taken(entry, writeId);
    // An agent whose composer is not visible reports by its adapter if it works.
    if (!isUnsent && (!isKept || (manner === 'agent' && !isBusy))) return;
    this.#watched.set(entry.id, { writeId, isUnsent, isUnseen: standing === 'unknown' });
    void this.#lookOn(entry, request, watch, isUnsent).catch((error: unknown) => {
      if (!entry.hasEnded) this.#ports.log.error('an answer could not be watched', error, { session_id: entry.id });
    });
  }

  /** Watches the text. If it stays in the input line and `mayPress` returns true, Enter is pressed once more. */
  async #submit(entry: SessionEntry, writeId: string, watch: InputLineWatch, isKept: boolean, mayPress = () => true) {
    const { verifyMs = VERIFY_MS } = watch;
    const look = await this.#lookFor(entry, watch, verifyMs, isKept);
    if (look.standing !== 'stands' || !mayPress()) return look;
    const steps = [{ text: '\r' }];
    await this.#ports.host().call('write', { sessionId: entry.id, writeId: enterAgain(writeId), steps });
    return this.#lookFor(entry, watch, verifyMs, isKept);
  }

  /**
   * Watches until the text has left the input line; with `isKept`, or if the empty line is not seen, until it has left
   * for GONE_MS. The watch ends after `withinMs`. The time begins again when the text is first seen, also after the
   * program was seen to be busy.
   */
  async #lookFor(entry: SessionEntry, watch: InputLineWatch, withinMs: number, isKept: boolean): Promise<LineState> {
    const begun = this.#ports.monotonicNow();
    let until = begun + withinMs;
    let goneAt: number | null = null;
    let isSeen = false;
    for (;;) {
      const look = watch.look();
      const now = this.#ports.monotonicNow();
      if (look.isBusy) isSeen = false;
      if (!isSeen && look.standing === 'stands') {
        isSeen = true;
        until = Math.min(now + withinMs, begun + GIVE_UP_MS);
      }
      goneAt = look.standing === 'left' ? (goneAt ?? now) : null;
      const isGone = goneAt !== null && ((!isKept && look.isLineSeen) || now - goneAt >= GONE_MS);
      if (isGone || (goneAt === null && now >= until) || this.#ports.isOver(entry)) return look;
      await this.#ports.pause(entry, LOOK_MS);
    }
  }

  /** Continues to watch, because a slow program may react late or never. Ends when another text is typed. */
  async #lookOn(
    entry: SessionEntry,
    { writeId, onWait }: TypeRequest,
    watch: InputLineWatch,
    isUnsent: boolean,
  ): Promise<void> {
    let { turn } = entry.aggregate.session;
    const begun = this.#ports.monotonicNow();
    let since = begun;
    let reported: 'not_submitted' | 'left_line' | null = isUnsent ? 'not_submitted' : null;
    const report = (reason: 'not_submitted' | 'left_line', seen?: string | null): void => {
      reported = reason;
      since = this.#ports.monotonicNow();
      this.#watched.set(entry.id, { writeId, isUnsent: reason === 'not_submitted' });
      onWait(reason, seen ?? undefined);
    };
    const isCurrent = (): boolean => !this.#ports.isOver(entry) && this.#watched.get(entry.id)?.writeId === writeId;
    // Enter must not submit what a person has begun to type.
    const mayPress = (): boolean => isCurrent() && entry.draft.text === '';
    while (isCurrent() && (reported === 'not_submitted' || this.#ports.monotonicNow() - since < GIVE_UP_MS)) {
      let { standing, seen, isBusy } = await this.#lookFor(entry, watch, UNSENT_LOOK_MS, true);
      const now = this.#ports.monotonicNow();
      if (isBusy && now - begun < LONGEST_BUSY_MS) since = now;
      if (reported === null && standing === 'stands') {
        ({ standing, seen, isBusy } = await this.#submit(entry, writeId, watch, true, mayPress));
        ({ turn } = entry.aggregate.session);
      }
      if (!isCurrent()) break;
      const stands = standing === 'stands' || standing === 'changed';
      if (stands && reported !== 'not_submitted') report('not_submitted', seen);
      if (standing === 'left') {
        // If no person has deleted the text, the program has taken it late.
        const isDeleted = entry.draft.editedAt > begun && entry.aggregate.session.turn <= turn;
        const isEntered = reported === null || !isDeleted;
        if (isEntered && watch.wentOn()) {
          await this.#taken(entry, writeId);
          break;
        }
        if (reported === null) this.#watched.set(entry.id, { writeId, isUnsent: false });
        else if (reported === 'not_submitted') report('left_line');
        if (!isEntered) {
          await entry.apply({ kind: 'unwatched', writeId });
          break;
        }
      }
      await this.#ports.pause(entry, UNSENT_LOOK_MS);
    }
    if (this.#watched.get(entry.id)?.writeId === writeId) this.#watched.delete(entry.id);
  }

  #taken(entry: SessionEntry, writeId: string): Promise<void> {
    const evidence = 'its text left the input line, and the program went on';
    return entry.apply({ kind: 'taken', writeId, evidence, time: this.#ports.now() });
  }
}

/** True if the program has asked something since a text was typed. */
const hasAsked = ({ aggregate }: SessionEntry, open: ReadonlySet<string>): boolean =>
  aggregate.items.some(({ item }) => item.state === 'open' && !open.has(item.id));
