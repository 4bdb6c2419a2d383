/**
 * Reads the questions and answers of a fixture file, for the modes that try many texts.
 *
 * In:   JSON: `{"rounds": [{"name", "question", "options"?, "context"?, "before"?, "after"?,
 *       "answer"}]}`. `answer` is a text, or `{"option":
 *       N}`. `before` and `after` are what the model says around its question. A text can also be `{"text", "times",
 *       "join"?, "end"?}`: the text repeated, with `%n` replaced by the number of the repetition.
 * Out:  rounds in the order of the file.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answered, Round } from './interview.js';

export interface TextRound extends Round {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

type Text = string | { readonly text: string; readonly times: number; readonly join?: string; readonly end?: string };

interface Entry {
  readonly name: string;
  readonly question: Text;
  readonly options?: readonly Text[];
  readonly context?: Text;
  readonly before?: Text;
  readonly after?: Text;
  readonly answer: Text | { readonly option: number };
}

export const FIXTURES = join(import.meta.dirname, '../../fixtures/agents');

/** @throws {Error} if the file is not JSON of this shape. */
export function readRounds(file: string): TextRound[] {
  const { rounds } = JSON.parse(readFileSync(file, 'utf8')) as { rounds: readonly Entry[] };
  if (!Array.isArray(rounds)) throw new Error(`${file} has no list "rounds"`);
  return rounds.map(toRound);
}

function toRound({ name, question, options, context, before, after, answer: given }: Entry): TextRound {
  const data = {
    question: expand(question),
    ...(options && { options: options.map(expand) }),
    ...(context !== undefined && { context: expand(context) }),
  };
  const answer: Answered = typeof given === 'object' && 'option' in given ? given : { text: expand(given) };
  const expected = 'text' in answer ? answer.text : data.options?.[answer.option - 1];
  if (expected === undefined) throw new Error(`round "${name}" has no such option`);
  const around = { before: expand(before ?? 'I need a decision.'), after: expand(after ?? '') };
  return { name, question: { type: 'QUESTION', data }, answer, expected, ...around };
}

function expand(text: Text): string {
  if (typeof text === 'string') return text;
  const parts = Array.from({ length: text.times }, (_, index) => text.text.replaceAll('%n', String(index + 1)));
  return parts.join(text.join ?? '') + (text.end ?? '');
}
