/**
 * Variants of a recording: what the same program could have painted on another day. Words become other words of the
 * same length, numbers other numbers, spinners stand elsewhere in their turn. Escape sequences, places, widths and
 * times stay as recorded.
 *
 * Within one variant a word always becomes the same word, so that a row that was painted twice alike still is. Words
 * of the message protocol stay: a message remains a message.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom } from '../../harness/random.js';
import { readWords } from './vocabulary.js';

const SCHEMAS = ['messages', 'envelope'].map((folder) => join(import.meta.dirname, '../../../protocol', folder));
const SPINNERS = ['⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏', '✢✳✶✻✽', '◐◓◑◒', '⣾⣽⣻⢿⡿⣟⣯⣷'];
/** Shorter words are not replaced: most of them are parts of a word that the program painted in pieces. */
const MIN_LETTERS = 4;

/** Matches escape sequences and JSON escapes, which are kept; then numbers, words and spinners, which are replaced. */
const TOKENS =
  /(\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]P_^X][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]?|\\u[0-9a-fA-F]{4}|\\.)|(\d+)|([A-Za-z]+)|([⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏✢✳✶✻✽◐◓◑◒⣾⣽⣻⢿⡿⣟⣯⣷])/g;

/**
 * @param variant  0 returns the text as it was recorded.
 * @returns        A function that is called with the recording's pieces, in order.
 */
export function createVariant(variant: number, seed: number): (text: string) => string {
  if (variant === 0) return (text) => text;
  const { below } = createRandom(seed * 8191 + variant);
  const turn = 1 + below(100);
  const chosen = new Map<string, string>();
  const other = (text: string, choose: (text: string) => string): string => {
    const replacement = chosen.get(text) ?? choose(text);
    chosen.set(text, replacement);
    return replacement;
  };
  const otherWord = (word: string): string => {
    const words = wordsOf(word.length);
    return likeCase(words[below(words.length)] ?? word, word);
  };
  return (text) =>
    text.replace(TOKENS, (token: string, kept?: string, number?: string, word?: string) => {
      if (kept !== undefined) return token;
      if (number !== undefined) return other(token, (digits) => otherNumber(digits, below));
      if (word === undefined) return turnSpinner(token, turn);
      return word.length < MIN_LETTERS || protocolWords().has(word.toLowerCase()) ? token : other(token, otherWord);
    });
}

/**
 * Returns a number with the same number of digits and no new leading 0. 100 is kept, because a percentage cannot be
 * higher.
 */
function otherNumber(digits: string, below: (limit: number) => number): string {
  if (digits === '100' || digits === '0') return digits;
  return digits.replace(/\d/g, (digit, at) => String(at === 0 && digit !== '0' ? 1 + below(9) : below(10)));
}

function turnSpinner(mark: string, turn: number): string {
  const marks = [...(SPINNERS.find((spinner) => spinner.includes(mark)) ?? mark)];
  return marks[(marks.indexOf(mark) + turn) % marks.length] ?? mark;
}

function likeCase(word: string, model: string): string {
  if (model === model.toUpperCase()) return word.toUpperCase();
  return /^[A-Z]/.test(model) ? word.charAt(0).toUpperCase() + word.slice(1) : word;
}

const byLength = new Map<number, readonly string[]>();

function wordsOf(length: number): readonly string[] {
  const words = byLength.get(length) ?? readWords().filter((word) => word.length === length);
  byLength.set(length, words);
  return words;
}

let reserved: Set<string> | null = null;

/** Every key, constant and enumerated value of the message schemas, and the words that begin a message. */
function protocolWords(): Set<string> {
  if (reserved) return reserved;
  const words = new Set(['orchestrator', 'message', 'output', 'output_schema', 'human', 'json']);
  const add = (text: unknown): void => {
    if (typeof text === 'string') for (const word of text.match(/[A-Za-z]+/g) ?? []) words.add(word.toLowerCase());
  };
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, entry] of Object.entries(value)) {
      if (key === 'properties') for (const name of Object.keys(entry as object)) add(name);
      if (key === 'const' || key === 'enum') for (const text of [entry].flat()) add(text);
      walk(entry);
    }
  };
  for (const folder of SCHEMAS)
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      if (file.endsWith('.json')) walk(JSON.parse(readFileSync(join(folder, file), 'utf8')));
  reserved = words;
  return words;
}
