/**
 * Problems of an Agentfile: what is wrong, where, and what would have been accepted. Pure.
 *
 * In:   drafts, as the parser and the checks make them: with offsets.
 * Out:  problems in the order of the text, with lines, columns and excerpts.
 */
import { displayLine } from '../protocol/display.js';
import { createSource, type Source, type Span } from './source.js';

export type ProblemCode =
  /** The grammar (protocol/agentfile.ebnf) does not allow it. */
  | 'syntax'
  | 'unknown_instruction'
  /** Something that must be said is not. */
  | 'missing'
  | 'duplicate'
  /** A name that means two things. */
  | 'conflict'
  | 'unknown_agent'
  | 'unknown_goal'
  | 'unknown_variable'
  /** A variable that is only known later. */
  | 'order'
  /** A number out of its bounds, or a value that can never be. */
  | 'value'
  /** A prompt file. */
  | 'unreadable'
  | 'outside'
  // The rest are warnings.
  | 'long_prompt'
  | 'unused'
  | 'shadowed'
  | 'similar_names'
  | 'ignored';

export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly code: ProblemCode;
  readonly message: string;
  /** What would have been accepted; null where there is nothing to say. */
  readonly accepted: string | null;
  /** The prompt file in which it is, as FROM names it; null: the Agentfile. */
  readonly file: string | null;
  /** From 1. */
  readonly line: number;
  /** From 1, in code points. */
  readonly column: number;
  /** The line, and carets below it. */
  readonly excerpt: string;
}

export interface Draft {
  readonly severity: 'error' | 'warning';
  readonly code: ProblemCode;
  readonly message: string;
  readonly span: Span;
  /** Made when it is shown: looking for a similar name takes long. */
  readonly accepted?: string | (() => string | null);
  /** Not there: the Agentfile. */
  readonly file?: PromptFile;
}

export interface PromptFile {
  readonly path: string;
  readonly text: string;
}

/** More tell nobody more; the number of the others is told. */
export const MAX_PROBLEMS = 1_000;

export function locate(text: string, drafts: readonly Draft[]): Problem[] {
  if (drafts.length === 0) return [];
  const sources = new Map<string | null, Source>([[null, createSource(text)]]);
  const sourceOf = (file: PromptFile | undefined): Source => {
    const known = sources.get(file?.path ?? null);
    if (known) return known;
    const made = createSource(file?.text ?? '');
    sources.set(file?.path ?? null, made);
    return made;
  };
  const problems = inOrder(drafts)
    .slice(0, MAX_PROBLEMS)
    .map(({ severity, code, message, span, accepted = null, file }) => ({
      ...{ severity, code, message: cut(message) },
      accepted: cut(typeof accepted === 'function' ? accepted() : accepted),
      file: file?.path ?? null,
      ...sourceOf(file).place(span.from),
      excerpt: sourceOf(file).excerpt(span),
    }));
  const last = problems.at(-1);
  const left = drafts.length - problems.length;
  if (last && left > 0) problems.push({ ...last, message: `and ${left} more problems behind this`, accepted: null });
  return problems;
}

/** The Agentfile's first, each in the order of its text. */
function inOrder(drafts: readonly Draft[]): Draft[] {
  const rank = ({ file }: Draft): string => file?.path ?? '';
  return drafts.toSorted((a, b) => (rank(a) === rank(b) ? a.span.from - b.span.from : rank(a) < rank(b) ? -1 : 1));
}

/** Names in them may be as long as the text. */
const MAX_MESSAGE = 300;
function cut<T extends string | null>(message: T): T | string {
  return message !== null && message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message;
}

/** What stands in a text, as a sentence shows it. */
const MAX_QUOTED = 40;
export function quoted(text: string): string {
  const line = displayLine(text);
  return `'${line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED)}…` : line}'`;
}
