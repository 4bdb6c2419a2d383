/**
 * Before the prompt: waits until a program of an interactive run takes its prompt. A program may ask something first,
 * such as whether it may trust the folder, or how to sign in. The prompt is no answer to that.
 *
 * In:   a session that has just started.
 * Out:  an inbox item for each such question, which a person answers there or in the terminal. Resolves when the
 *       program takes a prompt, or has ended.
 *
 *     an agent whose screen is read   its composer is drawn. Its dialogs are items already (dialog-watch.ts); a screen
 *                                     that its adapter does not know becomes an item, and the prompt waits
 *     any other program               it waits for input, and its screen shows no question (opening-question.ts)
 *
 * Without a screen that looks like a question, the prompt of a program without an adapter is typed.
 */
import type { AttentionFinding, AttentionOverFinding } from '../../ears/index.js';
import { isDeliveryPending } from '../../lifecycle/index.js';
import type { Item } from '../../protocol/index.js';
import type { OpeningQuestion, OpeningScreen, ScreenKeeper } from '../../session/index.js';
import type { Typist } from '../answers/index.js';
import type { SessionEntry } from '../registry/index.js';
import { whenWaiting } from './line-program.js';

interface BeforePromptPorts {
  readonly now: () => number;
  readonly typist: Pick<Typist, 'sees'>;
  readonly screenOf: (entry: SessionEntry) => Promise<ScreenKeeper>;
}

type Read = (screen: OpeningScreen) => OpeningQuestion | null;

/** Maximum time between two looks at a program that prints nothing. */
export const LOOK_MS = 250;
/** A question must be on the screen of an agent for this time: its own dialogs are found sooner. */
const STAND_MS = 3_000;
/** After this time without a composer, the screen of an agent becomes an item, whatever it shows. */
const READY_PATIENCE_MS = 180_000;
/** A program that has asked is quiet for this time before it takes the prompt: it may ask again. */
const CALM_AFTER_QUESTION_MS = 1_500;
/** Maximum number of rows of a screen that are shown in an item. */
const SHOWN_ROWS = 20;

/** @param isCurrent  Returns false once the run no longer waits for this. */
export async function whenPromptFits(
  ports: BeforePromptPorts,
  entry: SessionEntry,
  isCurrent: () => boolean,
): Promise<void> {
  const { openingQuestion } = await import('../../session/index.js');
  const notice = new Notice(entry, ports.now);
  const isOver = (): boolean => entry.hasEnded || !isCurrent();
  while (!isOver()) {
    const isAgent = ports.typist.sees(entry);
    if (isAgent) await whenComposerDrawn(ports, entry, { notice, read: openingQuestion, isOver });
    else if (!(await hasAsked(ports, entry, { notice, read: openingQuestion, isOver }))) break;
    if (isAgent && ports.typist.sees(entry)) break;
  }
  await notice.over();
}

interface How {
  readonly notice: Notice;
  readonly read: Read;
  readonly isOver: () => boolean;
}

/** Resolves when an agent's composer was drawn, or its screen is no longer read because it prints lines. */
async function whenComposerDrawn(
  ports: BeforePromptPorts,
  entry: SessionEntry,
  { notice, read, isOver }: How,
): Promise<void> {
  let since = entry.monotonicNow();
  let seen: { readonly text: string | null; readonly since: number } = { text: null, since };
  while (!isOver() && ports.typist.sees(entry) && !entry.hearing?.signal()?.readyAt) {
    const now = entry.monotonicNow();
    if (entry.hearing?.signal()?.dialog) {
      since = now;
      seen = { text: null, since };
    } else {
      const screen = await screenOf(ports, entry);
      const text = read(screen)?.text ?? null;
      if (text !== seen.text) seen = { text, since: now };
      if (text === null) {
        if (now - since >= READY_PATIENCE_MS) await notice.tell(wordsOf(screen));
        else await notice.over();
      } else if (now - seen.since >= STAND_MS) await notice.tell(text);
    }
    await entry.whenOutputRead(LOOK_MS);
  }
}

/** Waits until a program without known signals waits for input. Returns true if it asked something before. */
async function hasAsked(
  ports: BeforePromptPorts,
  entry: SessionEntry,
  { notice, read, isOver }: How,
): Promise<boolean> {
  await whenWaiting(entry, notice.hasAsked ? CALM_AFTER_QUESTION_MS : undefined);
  const asked = isOver() || ports.typist.sees(entry) ? null : read(await screenOf(ports, entry));
  if (asked === null) return ports.typist.sees(entry) && !isOver();
  await notice.tell(asked.text);
  // While a person types the answer, its row begins with the question.
  while (!isOver() && isAskedStill(await screenOf(ports, entry), asked, read)) {
    await notice.tell(asked.text);
    await entry.whenOutputRead(LOOK_MS);
  }
  await notice.over();
  return true;
}

function isAskedStill(screen: OpeningScreen, { text, line }: OpeningQuestion, read: Read): boolean {
  const now = read(screen);
  if (now?.text === text) return true;
  return line !== null && (screen.rows[screen.cursor.y] ?? '').startsWith(line);
}

async function screenOf(ports: BeforePromptPorts, entry: SessionEntry): Promise<OpeningScreen> {
  const { screen } = await ports.screenOf(entry);
  return { rows: screen.look({ ansi: false }), cursor: screen.cursor };
}

function wordsOf({ rows }: OpeningScreen): string {
  const shown = rows.map((row) => row.trimEnd()).filter((row) => row !== '');
  return shown.slice(-SHOWN_ROWS).join('\n') || 'It shows nothing, and no input line.';
}

/** The inbox item for the question. */
class Notice {
  readonly #entry: SessionEntry;
  readonly #now: () => number;
  #toldAt: number | null = null;
  #text: string | null = null;

  constructor(entry: SessionEntry, now: () => number) {
    this.#entry = entry;
    this.#now = now;
  }

  /** True if a question of the program was reported. */
  get hasAsked(): boolean {
    return this.#toldAt !== null;
  }

  /**
   * Opens an item, unless it is open, its answer is about to be typed, or it was put away. A question that is still
   * there some time after its answer is asked again.
   */
  async tell(text: string): Promise<void> {
    const about = questionsIn(this.#entry).filter(({ data }) => data['text'] === text);
    const isOpen = about.some(({ state }) => state === 'open');
    const isHandled = about.some(({ answer }) => answer?.declined === true || isDeliveryPending(answer));
    if (isOpen || isHandled) {
      this.#toldAt = this.#entry.monotonicNow();
      this.#text = text;
    }
    const isFresh = this.#toldAt !== null && this.#entry.monotonicNow() - this.#toldAt < STAND_MS;
    if (isOpen || isHandled || (text === this.#text && isFresh)) return;
    if (about.some(({ answer }) => this.#isRecent(answer))) return;
    if (this.#text !== null) await this.over();
    this.#text = text;
    this.#toldAt = this.#entry.monotonicNow();
    await this.#entry.noticed({ ...this.#base(), kind: 'attention', text, choices: [] } satisfies AttentionFinding);
  }

  /** Closes the item, also one that an earlier daemon has opened. */
  async over(): Promise<void> {
    const open = questionsIn(this.#entry).filter(({ state }) => state === 'open');
    if (this.#entry.hasEnded || (this.#text === null && open.length === 0)) return;
    const openedMs = this.#now() - Math.max(...open.map(({ opened_at }) => Date.parse(opened_at)));
    const wasTyped = this.#entry.monotonicNow() - this.#entry.draft.at < openedMs;
    this.#text = null;
    await this.#entry.noticed({ ...this.#base(), kind: 'attention_over', wasTyped } satisfies AttentionOverFinding);
  }

  /** True for an answer that was given so recently that the screen may still show its question. */
  #isRecent(answer: Item['answer']): boolean {
    return answer !== null && this.#now() - Date.parse(answer.at) < STAND_MS;
  }

  #base() {
    const at = this.#entry.aggregate.session.journal_position;
    const origin = { ear: 'screen', from: at, to: at } as const;
    return { at, time: this.#now(), origin, source: 'question' } as const;
  }
}

const questionsIn = ({ aggregate }: SessionEntry): Item[] =>
  aggregate.items.flatMap(({ item }) => (item.type === 'attention' && item.data['source'] === 'question' ? item : []));
