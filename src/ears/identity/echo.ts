/**
 * Echo: recognizes copies of typed text. The terminal or the agent's screen prints them, and the agent has not said
 * them.
 *
 * A *key* identifies one block, marker or envelope. Blanks and line breaks do not change it, so a wrapped copy has the
 * same key. The key is a digest, because journals hold keys but not what people type. The digest need not be
 * cryptographic: an agent that forges a text with the same key can only hide its own message.
 */

import { isMessageType, lineEnd } from '../../protocol/index.js';
import { MAX_BLOCK_CHARS } from '../bounds.js';
import { inkDigest } from '../digest.js';
import { bareHeadsIn, fenceHintIn, hintIn, hintKey, readText, type Utterance } from '../grammar/index.js';
import { readJson } from '../json.js';

/**
 * Returns the keys of all messages that the grammar finds in a text that is about to be typed, and of all that a screen
 * may show of it. On the screen, fences are missing, and a wrap may put any word at the beginning of a row. Escape
 * sequences and paste brackets are ignored.
 */
export function echoKeys(text: string): string[] {
  const plain = text.replace(/\x1b\[[0-?]*[ -/]*[@-~]|\x1b[^[]/g, '').replace(/\r\n?/g, '\n');
  return [...new Set([...readText(plain).map(echoKey), ...paintedKeys(plain), ...hintKeys(plain)])];
}

/** Returns the key of a message that a screen ear finds. The key depends on the object alone, not on its fence. */
export function paintedKey(utterance: Utterance): string {
  const text = utterance.form === 'envelope' ? utterance.json : utterance.text;
  return inkDigest(`painted:${text}`);
}

/** Keys of typed lines that would be hints. */
function hintKeys(text: string): string[] {
  const lines = /orchestrat/i.test(text)
    ? text.split('\n').filter((line) => hintIn(line) !== null || fenceHintIn(line) !== null)
    : [];
  return [...lines, ...bareHeadsIn(text)].slice(0, MAX_PAINTED_KEYS).map(hintKey);
}

/** Maximum number of objects and markers that are read in one typed text. A text with more is a pasted file. */
const MAX_PAINTED_KEYS = 256;
/**
 * Maximum number of characters that are searched for objects. Each nested object is read again, so a text with many
 * nested or unclosed braces needs a limit.
 */
const MAX_PAINTED_CHARS = 4 * MAX_BLOCK_CHARS;

function paintedKeys(text: string): string[] {
  const keys: string[] = [];
  let skipTo = 0;
  let read = 0;
  for (const match of text.matchAll(/\{\s*"|:ORCHESTRATOR:/g)) {
    if (keys.length >= MAX_PAINTED_KEYS || read > MAX_PAINTED_CHARS) break;
    if (match.index < skipTo) continue;
    const isMarker = match[0].startsWith(':');
    const end = isMarker ? lineEnd(text, match.index) : objectEnd(text, match.index);
    read += Math.min(MAX_BLOCK_CHARS, (end ?? text.length) - match.index);
    if (end === null) continue;
    const found = text.slice(match.index, end);
    if (!isMarker) {
      const reading = readJson(found);
      if (!reading.ok) continue;
      const { type } = reading.value as { type?: unknown }; // an object: it begins with a brace
      if (!isMessageType(type) && !found.includes('"status"')) continue;
      skipTo = end;
    }
    keys.push(inkDigest(`painted:${found}`));
  }
  return keys;
}

/**
 * Returns the index behind the brace that closes the one at `from`, or null if none does within the size limit of a
 * block.
 */
function objectEnd(text: string, from: number): number | null {
  let depth = 0;
  let isString = false;
  for (let at = from; at < Math.min(text.length, from + MAX_BLOCK_CHARS); at++) {
    const char = text[at];
    if (isString) {
      if (char === '\\') at++;
      else if (char === '"') isString = false;
    } else if (char === '"') isString = true;
    else if (char === '{') depth++;
    else if (char === '}' && --depth === 0) return at + 1;
  }
  return null;
}

/** Returns the key of one utterance. Utterances with the same words in the same form have the same key. */
export function echoKey(utterance: Utterance): string {
  const form = utterance.form === 'broken' ? utterance.source : utterance.form;
  return inkDigest(`${form}:${utterance.text}`);
}
