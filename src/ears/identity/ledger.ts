/**
 * Ledger: decides which of the utterances that the ears hear count, and as which message, by echo, key, schema and
 * identity.
 *
 * In:   turns (`beginTurn`), what was typed (`typed`, `excuse`), the required key (`requireKey`), and utterances
 *       (`judge`).
 * Out:  for each utterance a verdict, or nothing if it is an echo or the other ear of the terminal has heard it. Then
 *       `tell` gives a message its number in the turn; between the two calls it may wait (merging.ts).
 *
 * A message's identity is (turn, ordinal within the turn, canonical {type, data}). If a message has an `id`, the id
 * decides. See protocol/identity.md. The state is plain data of limited size: `state()` is a copy of it. Knows nothing
 * of clocks, journals or rows.
 */
import type { Ear, Message } from '../../protocol/index.js';
import { MAX_ECHO_KEYS, MAX_IDS, MAX_TOLD, MAX_TYPED_CHARS } from '../bounds.js';
import { digest } from '../digest.js';
import { hintKey, structuredCopy, type Utterance } from '../grammar/index.js';
import { readJson } from '../json.js';
import { echoKey, echoKeys, paintedKey } from './echo.js';
import { contentText, type Judged, type JudgedMessage, type JudgedRejection, judge, reject } from './judge.js';

export type Verdict = (Omit<JudgedMessage, 'text' | 'content'> & { readonly ordinal: number }) | JudgedRejection;

interface LedgerState {
  turn: number;
  ordinal: number;
  key: string | null;
  /** Keys of texts whose copies are ignored in this turn. */
  echo: string[];
  /** Keys of what was typed since the last Enter. They also count in the turn that the next Enter begins. */
  nextEcho: string[];
  /** Keys of everything that was typed, in all turns. Absent in checkpoints of older versions. */
  everTyped?: string[];
  /** The text of orchd's own writes since the last Enter. */
  typed: string;
  /** Digests of ids, and of the content of their messages; the oldest first. */
  ids: [string, string][];
  /** Number of reports of each content by each terminal ear in this turn. */
  heard?: [string, [Ear, number][]][];
}

/** Decides which utterances count as messages, and recognizes repetitions. */
export class Ledger {
  #turn = 0;
  #ordinal = 0;
  #key: string | null = null;
  #echo = new Set<string>();
  #nextEcho = new Set<string>();
  readonly #everTyped = new Set<string>();
  #typed = '';
  readonly #ids = new Map<string, string>();
  #heard = new Map<string, Map<Ear, number>>();

  /** @param state  A result of `state()` from which the ledger is restored. */
  constructor(state?: unknown) {
    if (state === undefined) return;
    const copy = structuredCopy(state) as LedgerState; // `state()` returned it
    this.#turn = copy.turn;
    this.#ordinal = copy.ordinal;
    this.#key = copy.key;
    this.#echo = new Set(copy.echo);
    this.#nextEcho = new Set(copy.nextEcho);
    this.#everTyped = new Set(copy.everTyped);
    this.#typed = copy.typed;
    this.#ids = new Map(copy.ids);
    this.#heard = new Map((copy.heard ?? []).map(([key, counts]) => [key, new Map(counts)]));
  }

  state(): unknown {
    return {
      turn: this.#turn,
      ordinal: this.#ordinal,
      key: this.#key,
      echo: [...this.#echo],
      nextEcho: [...this.#nextEcho],
      ...(this.#everTyped.size > 0 ? { everTyped: [...this.#everTyped] } : {}),
      typed: this.#typed,
      ids: [...this.#ids],
      ...(this.#heard.size > 0 ? { heard: [...this.#heard].map(([key, counts]) => [key, [...counts]]) } : {}),
    } satisfies LedgerState;
  }

  get turn(): number {
    return this.#turn;
  }

  /**
   * Handles an Enter. In the turn that begins, copies of what was typed before it are ignored, but not copies of older
   * text.
   */
  beginTurn(): number {
    this.#excuseNext(echoKeys(this.#typed));
    this.#echo = this.#nextEcho;
    this.#nextEcho = new Set();
    this.#typed = '';
    this.#ordinal = 0;
    this.#heard.clear();
    return ++this.#turn;
  }

  /**
   * Called when the program was started again: text typed into the previous process will not be echoed, and no ear has
   * reported a message of the new one.
   */
  startAgain(): void {
    this.#echo.clear();
    this.#nextEcho.clear();
    this.#typed = '';
    this.#heard.clear();
    this.#key = null;
  }

  /**
   * Adds the text of one of orchd's own writes. Its copies are ignored at once, and in the turn that the next Enter
   * begins.
   */
  typed(text: string): void {
    this.#typed = (this.#typed + text).slice(-MAX_TYPED_CHARS);
    this.excuse(echoKeys(text));
  }

  /** Adds keys (`echoKeys`) of what a person is about to type. Treated as in `typed`. */
  excuse(keys: readonly string[]): void {
    for (const key of keys) addBounded(this.#echo, key);
    this.#excuseNext(keys);
  }

  /** Adds the arguments of the program's command (`startTexts`). Copies of them are ignored until the first Enter. */
  excuseStart(texts: readonly string[]): void {
    for (const text of texts) {
      for (const key of echoKeys(text)) {
        addBounded(this.#echo, key);
        addBounded(this.#everTyped, key);
      }
    }
  }

  #excuseNext(keys: readonly string[]): void {
    for (const key of keys) {
      addBounded(this.#nextEcho, key);
      addBounded(this.#everTyped, key);
    }
  }

  /** From now on only messages with this word as their top-level `key` count. With null, all messages count. */
  requireKey(key: string | null): void {
    this.#key = key;
  }

  /** True for an object with the session's key, if it requires one. */
  isKeyed(text: string): boolean {
    if (this.#key === null || !text.includes(this.#key)) return false;
    const reading = readJson(text);
    if (!reading.ok || typeof reading.value !== 'object' || reading.value === null) return false;
    return 'key' in reading.value && reading.value.key === this.#key;
  }

  /**
   * Judges an utterance. Returns null if it is an echo, or if the terminal's other ear (lines or screen) has already
   * reported it. If both ears find a message in one turn, its count is the higher of their two counts.
   */
  judge(utterance: Utterance, ear: Ear = 'lines'): Judged | null {
    if (this.isEcho(utterance, ear)) return null;
    const judged = judge(utterance, this.#key);
    if (judged.kind === 'message' && ear !== 'transcript' && this.#isTold(judged.content, ear)) return null;
    return utterance.exact === false && judged.kind === 'message' ? { ...judged, exact: false } : judged;
  }

  /** Numbers a message within its turn. Returns null if a message with the same id and content was reported before. */
  tell(judged: Judged): Verdict | null {
    if (judged.kind === 'rejected') return judged;
    const { source, message, text } = judged;
    if (message.id !== undefined) {
      const known = this.#remember(message.id, message);
      if (known === 'same') return null;
      if (known === 'other') {
        const errors = [{ path: '$.id', message: 'Another message of this session has this id' }];
        return reject(source, 'id_reused', errors, text, this.#key);
      }
    }
    const ordinal = this.nextOrdinal();
    return judged.exact === false
      ? { kind: 'message', source, message, ordinal, exact: false }
      : { kind: 'message', source, message, ordinal };
  }

  /** Counts one more message of this turn and returns its number. */
  nextOrdinal(): number {
    return ++this.#ordinal;
  }

  /** Sets the exact text of a message that was reported: from now on its id stands for that text. */
  amend(message: Message): void {
    if (message.id !== undefined) this.#setId(digest(message.id), idContent(message));
  }

  /** True if a message with this id was reported. */
  hasId(id: string): boolean {
    return this.#ids.has(digest(id));
  }

  /**
   * Remembers a tool call by its id. Calls share the list of message ids, with a prefix character that message ids do
   * not have.
   */
  takeCall(callId: string, message: Message): 'new' | 'same' | 'other' {
    return this.#remember(`\u0000${callId}`, message);
  }

  /** True if the utterance repeats typed text, or an argument of the program's command. */
  isEcho(utterance: Utterance, ear: Ear): boolean {
    if (this.#echo.size === 0) return false;
    return this.#echo.has(echoKey(utterance)) || (ear === 'screen' && this.#echo.has(paintedKey(utterance)));
  }

  /**
   * True if the utterance repeats text that was typed in any turn. A program that paints shows its whole conversation
   * again, and may print it as lines.
   */
  wasTyped(utterance: Utterance): boolean {
    if (this.#everTyped.size === 0) return false;
    return this.#everTyped.has(echoKey(utterance)) || this.#everTyped.has(paintedKey(utterance));
  }

  /** True if a line that would be a hint was typed. */
  isTypedHint(line: string): boolean {
    return this.#echo.size > 0 && this.#echo.has(hintKey(line));
  }

  /** True if the terminal's other ear has reported this already. */
  #isTold(content: string, ear: Ear): boolean {
    const counts = this.#heard.get(content);
    if (counts) {
      let told = 0;
      for (const count of counts.values()) if (count > told) told = count;
      const count = (counts.get(ear) ?? 0) + 1;
      counts.set(ear, count);
      return count <= told;
    }
    this.#heard.set(content, new Map<Ear, number>().set(ear, 1));
    if (this.#heard.size <= MAX_TOLD) return false;
    const oldest = this.#heard.keys().next().value;
    if (oldest !== undefined) this.#heard.delete(oldest);
    return false;
  }

  #remember(id: string, message: Message): 'new' | 'same' | 'other' {
    const name = digest(id);
    const content = idContent(message);
    const known = this.#ids.get(name);
    if (known !== undefined) return known === content ? 'same' : 'other';
    this.#setId(name, content);
    return 'new';
  }

  #setId(name: string, content: string): void {
    this.#ids.set(name, content);
    const oldest = this.#ids.keys().next().value;
    if (this.#ids.size > MAX_IDS && oldest !== undefined) this.#ids.delete(oldest);
  }
}

function idContent(message: Message): string {
  return digest(contentText(message));
}

function addBounded(set: Set<string>, key: string): void {
  set.add(key);
  const oldest = set.values().next().value;
  if (set.size > MAX_ECHO_KEYS && oldest !== undefined) set.delete(oldest);
}
