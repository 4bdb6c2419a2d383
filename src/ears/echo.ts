/**
 * Echo: what was typed is also printed, by the terminal or by the agent's own screen, and must not be taken for the agent's words.
 *
 * A *key* stands for one block, marker or envelope, whatever blanks and line breaks stand in it, so that a wrapped copy has the same.
 * It is a digest: keys stand in journals, and what people type does not. The digest is not cryptographic and need not be: who
 * produces a second text with the same key excuses his own message, nobody else's.
 */
import { readText, type Utterance } from './grammar.js';

/** Keys of all that the grammar finds in a text that is about to be typed. Escape sequences and paste brackets are left out. */
export function echoKeys(text: string): string[] {
  const plain = text.replace(/\x1b\[[0-?]*[ -/]*[@-~]|\x1b[^[]/g, '').replace(/\r\n?/g, '\n');
  return [...new Set(readText(plain).map(echoKey))];
}

/** The key of one utterance: of the same words in the same form. */
export function echoKey(utterance: Utterance): string {
  const form = utterance.form === 'broken' ? utterance.source : utterance.form;
  return digest(`${form}:${utterance.text.replace(/\s+/g, '')}`);
}

/** 128 bits of a text, as 32 hexadecimal digits (cyrb128: four multiplicative lanes). */
export function digest(text: string): string {
  let a = 1779033703;
  let b = 3144134277;
  let c = 1013904242;
  let d = 2773480762;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = b ^ Math.imul(a ^ code, 597399067);
    b = c ^ Math.imul(b ^ code, 2869860233);
    c = d ^ Math.imul(c ^ code, 951274213);
    d = a ^ Math.imul(d ^ code, 2716044179);
  }
  a = Math.imul(c ^ (a >>> 18), 597399067);
  b = Math.imul(d ^ (b >>> 22), 2869860233);
  c = Math.imul(a ^ (c >>> 17), 951274213);
  d = Math.imul(b ^ (d >>> 19), 2716044179);
  return [a ^ b ^ c ^ d, b ^ a, c ^ a, d ^ a].map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('');
}
