/**
 * Ledger: turns what ears heard into messages and rejections: echo, key, schema, identity.
 *
 * In:   turns (`beginTurn`), what was typed (`typed`, `excuse`), the required key (`requireKey`), and utterances (`hear`).
 * Out:  for each utterance a verdict, or nothing: an echo, or a message that was told before.
 *
 * Identity is (turn, ordinal within the turn, canonical {type, data}); where a message has an `id`, the id decides. See
 * protocol/identity.md. State is plain data and bounded: `state()` is a copy of it. Knows nothing of clocks, journals or rows.
 */
import {
  type Ear,
  isMessageType,
  MESSAGE_TYPES,
  type Message,
  type MessageType,
  type RejectReason,
  type SchemaError,
  type Source,
  validateMessage,
} from '../protocol/index.js';
import { MAX_ECHO_KEYS, MAX_IDS, MAX_RAW_CHARS, MAX_TOLD, MAX_TYPED_CHARS } from './bounds.js';
import { digest, echoKey, echoKeys, paintedKey } from './echo.js';
import { structuredCopy, type Utterance } from './grammar.js';
import { canonical, readJson } from './json.js';
import type { MarkerType } from './markers.js';

export type Verdict =
  | { readonly kind: 'message'; readonly source: Source; readonly message: Message; readonly ordinal: number }
  | ({ readonly kind: 'rejected'; readonly source: Source } & Rejection);

interface Rejection {
  readonly reason: RejectReason;
  readonly errors: readonly SchemaError[];
  readonly raw: string;
  readonly truncated?: true;
}

interface LedgerState {
  turn: number;
  ordinal: number;
  key: string | null;
  /** Keys whose copies are excused in this turn. */
  echo: string[];
  /** Keys of what was typed since the last Enter: they count in the turn that the next one begins, too. */
  nextEcho: string[];
  /** The text of orchd's own writes since the last Enter. */
  typed: string;
  /** Digests of ids, and of what was said with them; the oldest first. */
  ids: [string, string][];
  /** What each ear has heard in this turn: how often, by content. */
  heard?: [string, [Ear, number][]][];
}

type JsonObject = Readonly<Record<string, unknown>>;

/** What the marker's words are called in the message's data. */
const MARKER_FIELDS: Readonly<Record<MarkerType, string>> = {
  TASK_COMPLETE: 'summary',
  QUESTION: 'question',
  BLOCKED: 'reason',
};
const DEFAULT_SUMMARY = 'Task complete';

export class Ledger {
  #turn = 0;
  #ordinal = 0;
  #key: string | null = null;
  #echo = new Set<string>();
  #nextEcho = new Set<string>();
  #typed = '';
  readonly #ids = new Map<string, string>();
  #heard = new Map<string, Map<Ear, number>>();

  /** @param state  What `state()` gave earlier. */
  constructor(state?: unknown) {
    if (state === undefined) return;
    const copy = structuredCopy(state) as LedgerState; // our own checkpoint
    this.#turn = copy.turn;
    this.#ordinal = copy.ordinal;
    this.#key = copy.key;
    this.#echo = new Set(copy.echo);
    this.#nextEcho = new Set(copy.nextEcho);
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
      typed: this.#typed,
      ids: [...this.#ids],
      ...(this.#heard.size > 0 ? { heard: [...this.#heard].map(([key, counts]) => [key, [...counts]]) } : {}),
    } satisfies LedgerState;
  }

  get turn(): number {
    return this.#turn;
  }

  /** An Enter: everything typed before it excuses its copies in the turn that begins, and nothing older does. */
  beginTurn(): number {
    this.#excuseNext(echoKeys(this.#typed));
    this.#echo = this.#nextEcho;
    this.#nextEcho = new Set();
    this.#typed = '';
    this.#ordinal = 0;
    this.#heard.clear();
    return ++this.#turn;
  }

  /** Text of a write of orchd's own. Its copies are excused at once, and in the turn that the next Enter begins. */
  typed(text: string): void {
    this.#typed = (this.#typed + text).slice(-MAX_TYPED_CHARS);
    this.excuse(echoKeys(text));
  }

  /** Keys (`echoKeys`) of what a person is about to type: as `typed`. */
  excuse(keys: readonly string[]): void {
    for (const key of keys) addBounded(this.#echo, key);
    this.#excuseNext(keys);
  }

  /** What the program was started with (`startTexts`): excused until the first Enter. */
  excuseStart(texts: readonly string[]): void {
    for (const text of texts) for (const key of echoKeys(text)) addBounded(this.#echo, key);
  }

  #excuseNext(keys: readonly string[]): void {
    for (const key of keys) addBounded(this.#nextEcho, key);
  }

  /** From now on only messages with this word as their top-level `key` count; null: all do. */
  requireKey(key: string | null): void {
    this.#key = key;
  }

  /** @param ear  Who heard it. What two ears hear of one turn is one message, as often as the one that heard it more often did. */
  hear(utterance: Utterance, ear: Ear = 'lines'): Verdict | null {
    if (this.#isEcho(utterance, ear)) return null;
    return this.#verdict(utterance, ear);
  }

  #isEcho(utterance: Utterance, ear: Ear): boolean {
    if (this.#echo.size === 0) return false;
    return this.#echo.has(echoKey(utterance)) || (ear === 'screen' && this.#echo.has(paintedKey(utterance)));
  }

  /** Whether another ear has told this already. */
  #isTold(content: string, ear: Ear): boolean {
    const counts = this.#heard.get(content) ?? new Map<Ear, number>();
    const told = Math.max(0, ...counts.values());
    const count = (counts.get(ear) ?? 0) + 1;
    counts.set(ear, count);
    this.#heard.set(content, counts);
    const oldest = this.#heard.keys().next().value;
    if (this.#heard.size > MAX_TOLD && oldest !== undefined) this.#heard.delete(oldest);
    return count <= told;
  }

  #verdict(utterance: Utterance, ear: Ear): Verdict | null {
    switch (utterance.form) {
      case 'fence':
        return this.#judgeJson('fence', utterance.text, utterance.text, null, ear);
      case 'envelope':
        return this.#judgeJson('envelope', utterance.json, utterance.text, utterance.human, ear);
      case 'marker':
        return this.#judgeMarker(utterance, ear);
      case 'broken': {
        const message =
          utterance.reason === 'unclosed'
            ? `The ${utterance.source === 'fence' ? 'fence' : '<output> envelope'} was not closed`
            : 'Longer than what is read';
        return this.#reject(utterance.source, utterance.reason, [{ path: '$', message }], utterance.text);
      }
    }
  }

  #judgeMarker(marker: Extract<Utterance, { form: 'marker' }>, ear: Ear): Verdict | null {
    if (this.#key !== null) {
      const message = "A marker cannot carry the 'key' that this session requires";
      return this.#reject('marker', 'unauthenticated', [{ path: '$.key', message }], marker.text);
    }
    const words = marker.words === '' && marker.type === 'TASK_COMPLETE' ? DEFAULT_SUMMARY : marker.words;
    const message = { type: marker.type, data: { [MARKER_FIELDS[marker.type]]: words } };
    return this.#judge('marker', message, marker.text, ear);
  }

  #judgeJson(source: 'fence' | 'envelope', json: string, raw: string, human: string | null, ear: Ear): Verdict | null {
    const reading = readJson(json);
    if (!reading.ok) return this.#reject(source, 'json', [reading.error], raw);
    if (!isObject(reading.value)) {
      const message = `${kindOf(reading.value)} is not of type 'object'`;
      return this.#reject(source, 'schema', [{ path: '$', message }], raw);
    }
    let value: JsonObject = reading.value;
    if (this.#key !== null) {
      const { key, ...rest } = value;
      if (key !== this.#key) {
        const message = key === undefined ? "'key' is a required property" : "'key' is not the key of this session";
        return this.#reject(source, 'unauthenticated', [{ path: '$.key', message }], raw);
      }
      value = rest;
    }
    return this.#judge(source, source === 'envelope' ? envelopeMessage(value, human ?? '') : value, raw, ear);
  }

  #judge(source: Source, value: JsonObject, raw: string, ear: Ear): Verdict | null {
    const type = value['type'];
    if (type === undefined) {
      return this.#reject(source, 'schema', [{ path: '$.type', message: "'type' is a required property" }], raw);
    }
    if (!isMessageType(type)) {
      const known = Object.keys(MESSAGE_TYPES).map((name) => `'${name}'`);
      const message = `${typeof type === 'string' ? `'${type.slice(0, 200)}'` : kindOf(type)} is not one of [${known.join(', ')}]`;
      return this.#reject(source, 'unknown_type', [{ path: '$.type', message }], raw);
    }
    const errors = validateMessage(type, value);
    if (errors.length > 0) return this.#reject(source, 'schema', errors, raw);
    const message = value as JsonObject & Message; // as its schema says
    // Blanks at the wraps of a screen are not known for sure.
    const content = digest(canonical({ type, data: message.data }).replace(/\s+/g, ''));
    if (this.#isTold(content, ear)) return null;
    if (message.id !== undefined) {
      const known = this.#remember(message.id, type, message.data);
      if (known === 'same') return null;
      if (known === 'other') {
        const errors = [{ path: '$.id', message: 'Another message of this session has this id' }];
        return this.#reject(source, 'id_reused', errors, raw);
      }
    }
    return { kind: 'message', source, message, ordinal: ++this.#ordinal };
  }

  #remember(id: string, type: MessageType, data: unknown): 'new' | 'same' | 'other' {
    const name = digest(id);
    const content = digest(canonical({ type, data }));
    const known = this.#ids.get(name);
    if (known !== undefined) return known === content ? 'same' : 'other';
    this.#ids.set(name, content);
    const oldest = this.#ids.keys().next().value;
    if (this.#ids.size > MAX_IDS && oldest !== undefined) this.#ids.delete(oldest);
    return 'new';
  }

  #reject(source: Source, reason: RejectReason, errors: readonly SchemaError[], text: string): Verdict {
    // The key is a secret of the session and its agent; what is rejected is shown to others.
    const safe = this.#key ? text.replaceAll(this.#key, '…') : text;
    const isLong = safe.length > MAX_RAW_CHARS;
    const raw = isLong ? safe.slice(0, MAX_RAW_CHARS) : safe;
    return { kind: 'rejected', source, reason, errors, raw, ...(isLong ? { truncated: true as const } : {}) };
  }
}

/** An envelope's JSON part is the data of an OUTPUT, unless it is a message itself. */
function envelopeMessage(value: JsonObject, human: string): JsonObject {
  if (!isMessageType(value['type']) || !isObject(value['data'])) return { type: 'OUTPUT', data: value, human };
  return value['type'] === 'OUTPUT' && value['human'] === undefined ? { ...value, human } : value;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value that is no object, in a few words. */
function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'An array';
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'string' ? 'A string' : typeof value === 'object' ? 'An object' : String(value);
}

function addBounded(set: Set<string>, key: string): void {
  set.add(key);
  const oldest = set.values().next().value;
  if (set.size > MAX_ECHO_KEYS && oldest !== undefined) set.delete(oldest);
}
