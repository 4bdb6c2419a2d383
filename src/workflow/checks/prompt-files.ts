/**
 * Prompts from files: FROM path. Pure: the caller provides the function that reads files.
 *
 * A path is relative to the Agentfile's directory and must stay inside it, unless `allowOutside` is set. Escapes have
 * no meaning in a file. Its last line end is not part of the prompt.
 */
import { fail, type ProblemDraft, quoted, usesIn, type Word } from '../syntax/index.js';
import type { PromptText } from './works.js';

/** Reads a file by its path as named by FROM. `isOutside`: a link leads to another directory. */
export type ReadFile = (
  path: string,
) => { readonly text: string } | { readonly problem: string; readonly isOutside?: true };

const UNREAD = { value: null, uses: [] };

/** @param readFile  Null: files are neither read nor checked. */
export function createPromptReader(
  readFile: ReadFile | null,
  allowOutside: boolean,
  drafts: ProblemDraft[],
): (path: Word) => PromptText {
  const known = new Map<string, PromptText>();
  return (word) => {
    const path = word.text;
    if (path === '') {
      fail(drafts, 'missing', word, 'the path is empty', 'a path');
      return { ...UNREAD, path };
    }
    if (!allowOutside && isOutside(path)) {
      failOutside(drafts, word);
      return { ...UNREAD, path };
    }
    const before = known.get(path);
    if (before) return before;
    const reading = readFile?.(path) ?? null;
    if (reading !== null && 'problem' in reading) {
      if (reading.isOutside && !allowOutside) failOutside(drafts, word);
      else
        fail(
          drafts,
          'unreadable',
          word,
          `${quoted(path)} cannot be read: ${reading.problem}`,
          'a file of text, by its path from here',
        );
    }
    if (reading === null || 'problem' in reading) return { ...UNREAD, path };
    const value = reading.text
      .replace(/^\ufeff/, '')
      .replaceAll('\r\n', '\n')
      .replace(/\n$/, '');
    if (value.trim() === '')
      fail(drafts, 'missing', word, `the prompt in ${quoted(path)} is empty`, 'what it is to do');
    const prompt = { value, path, uses: usesIn(reading.text, 0, false), file: { path, text: reading.text } };
    known.set(path, prompt);
    return prompt;
  };
}

function failOutside(drafts: ProblemDraft[], word: Word): void {
  const message = `${quoted(word.text)} is outside of the Agentfile's directory`;
  fail(drafts, 'outside', word, message, 'a path inside of it, or --allow-outside');
}

function isOutside(path: string): boolean {
  if (path.startsWith('/')) return true;
  let depth = 0;
  for (const part of path.split('/')) {
    if (part === '..') depth--;
    else if (part !== '' && part !== '.') depth++;
    if (depth < 0) return true;
  }
  return false;
}
