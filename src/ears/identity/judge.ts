/**
 * Judging: is one utterance a valid message by itself? Checks its JSON, the required key, and its schema.
 *
 * In:   an utterance, and the key that the session requires.
 * Out:  a valid message, or a rejection with its reason; see protocol/identity.md for the order of reasons.
 *
 * Pure, and without memory: the ledger decides whether it is an echo, was reported before or has a used id.
 */
import {
  isMessageType,
  isRecord,
  MESSAGES,
  type Message,
  type RejectReason,
  type SchemaError,
  type Source,
  validateMessage,
} from '../../protocol/index.js';
import { MAX_RAW_CHARS } from '../bounds.js';
import { inkDigest } from '../digest.js';
import type { Utterance } from '../grammar/index.js';
import { canonical, readJson } from '../json.js';

export type Judged = JudgedMessage | JudgedRejection;

export interface JudgedMessage {
  readonly kind: 'message';
  readonly source: Source;
  readonly message: Message;
  /** The original text. It is shown if the message turns out to be invalid later. */
  readonly text: string;
  /** The message's `contentKey`, used to compare it with other messages. */
  readonly content: string;
  /**
   * False if a part of the message is a guess, because it was read from a painted screen. Absent if the text is exact.
   */
  readonly exact?: false;
}

export interface JudgedRejection {
  readonly kind: 'rejected';
  readonly source: Source;
  readonly reason: RejectReason;
  readonly errors: readonly SchemaError[];
  readonly raw: string;
  readonly truncated?: true;
}

type JsonObject = Readonly<Record<string, unknown>>;

const DEFAULT_SUMMARY = 'Task complete';

/** @param key  The word that every message must have as its top-level `key`; null: none is required. */
export function judge(utterance: Utterance, key: string | null): Judged {
  switch (utterance.form) {
    case 'fence':
      return judgeJson('fence', utterance.text, utterance.text, null, key);
    case 'envelope':
      return judgeJson('envelope', utterance.json, utterance.text, utterance.human, key);
    case 'marker':
      return judgeMarker(utterance, key);
    case 'broken': {
      const message =
        utterance.reason === 'unclosed'
          ? `The ${utterance.source === 'fence' ? 'fence' : '<output> envelope'} was not closed`
          : 'Longer than what is read';
      return reject(utterance.source, utterance.reason, [{ path: '$', message }], utterance.text, key);
    }
  }
}

function judgeMarker(marker: Extract<Utterance, { form: 'marker' }>, key: string | null): Judged {
  if (key !== null) {
    const message = "A marker cannot carry the 'key' that this session requires";
    return reject('marker', 'unauthenticated', [{ path: '$.key', message }], marker.text, key);
  }
  const words = marker.words === '' && marker.type === 'TASK_COMPLETE' ? DEFAULT_SUMMARY : marker.words;
  const message = { type: marker.type, data: { [MESSAGES[marker.type].words.subject]: words } };
  return judgeMessage('marker', message, marker.text, key);
}

function judgeJson(
  source: 'fence' | 'envelope',
  json: string,
  raw: string,
  human: string | null,
  required: string | null,
): Judged {
  const reading = readJson(json);
  if (!reading.ok) return reject(source, 'json', [reading.error], raw, required);
  if (!isRecord(reading.value)) {
    const message = `${kindOf(reading.value)} is not of type 'object'`;
    return reject(source, 'schema', [{ path: '$', message }], raw, required);
  }
  let value: JsonObject = reading.value;
  if (required !== null) {
    const { key, ...rest } = value;
    if (key !== required) {
      const message = key === undefined ? "'key' is a required property" : "'key' is not the key of this session";
      return reject(source, 'unauthenticated', [{ path: '$.key', message }], raw, required);
    }
    value = rest;
  }
  const message = source === 'envelope' ? envelopeMessage(value, human ?? '') : value;
  return judgeMessage(source, message, raw, required);
}

function judgeMessage(source: Source, value: JsonObject, text: string, key: string | null): Judged {
  const type = value['type'];
  if (type === undefined) {
    return reject(source, 'schema', [{ path: '$.type', message: "'type' is a required property" }], text, key);
  }
  if (!isMessageType(type)) {
    const known = Object.keys(MESSAGES).map((name) => `'${name}'`);
    const message = `${typeof type === 'string' ? `'${type.slice(0, 200)}'` : kindOf(type)} is not one of [${known.join(', ')}]`;
    return reject(source, 'unknown_type', [{ path: '$.type', message }], text, key);
  }
  const errors = validateMessage(type, value);
  if (errors.length > 0) return reject(source, 'schema', errors, text, key);
  const message = value as JsonObject & Message; // the check above validates it
  return { kind: 'message', source, message, text, content: contentKey(message) };
}

/**
 * The key by which two ears recognize the same message. It ignores blanks, because a screen does not show reliably
 * which blanks were at a wrap.
 */
export function contentKey(message: Message): string {
  return inkDigest(contentText(message));
}

/** The content of a message as text: only `type` and `data`, in the form of `canonical`. */
export function contentText({ type, data }: Message): string {
  return `{"data":${canonical(data)},"type":${canonical(type)}}`;
}

/**
 * @param key  A secret of the session and its agent. It is removed from the text, because rejected text is shown to
 *   others.
 */
export function reject(
  source: Source,
  reason: RejectReason,
  errors: readonly SchemaError[],
  text: string,
  key: string | null,
): JudgedRejection {
  const safe = key ? text.replaceAll(key, '…') : text;
  const isLong = safe.length > MAX_RAW_CHARS;
  const raw = isLong ? safe.slice(0, MAX_RAW_CHARS) : safe;
  return { kind: 'rejected', source, reason, errors, raw, ...(isLong ? { truncated: true as const } : {}) };
}

/** The JSON part of an envelope is the data of an OUTPUT message, unless it is a message itself. */
function envelopeMessage(value: JsonObject, human: string): JsonObject {
  if (!isMessageType(value['type']) || !isRecord(value['data'])) return { type: 'OUTPUT', data: value, human };
  return value['type'] === 'OUTPUT' && value['human'] === undefined ? { ...value, human } : value;
}

/** Names the kind of a value that is not an object. */
function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'An array';
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'string' ? 'A string' : typeof value === 'object' ? 'An object' : String(value);
}

/** True for a rejection that may be due to how the text was shown. */
export const isMisread = (judged: Judged): boolean =>
  judged.kind === 'rejected' && (judged.reason === 'json' || judged.reason === 'schema');
