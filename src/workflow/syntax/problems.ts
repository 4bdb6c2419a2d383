/**
 * Problems of an Agentfile: message, position, and what would be accepted. Pure.
 *
 * In:   drafts from the parser and the checks, with offsets.
 * Out:  problems in the order of the text, with lines, columns and excerpts.
 */
import { displayLine } from '../../protocol/index.js';
import { createSource, type Source, type Span } from './source.js';

export type ProblemCode =
  /** The text violates the grammar (protocol/agentfile.ebnf). */
  | 'syntax'
  | 'unknown_instruction'
  /** A required part is missing. */
  | 'missing'
  | 'duplicate'
  /** A name with two meanings. */
  | 'conflict'
  | 'unknown_agent'
  | 'unknown_goal'
  | 'unknown_variable'
  /** A variable that is set only later. */
  | 'order'
  /** A number out of its bounds, or an impossible value. */
  | 'value'
  /** A prompt file that cannot be read. */
  | 'unreadable'
  | 'outside'
  // All following codes are warnings.
  | 'long_prompt'
  | 'unused'
  | 'shadowed'
  | 'similar_names'
  | 'ignored';

export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly code: ProblemCode;
  readonly message: string;
  /** A value that would be accepted; null without a suggestion. */
  readonly accepted: string | null;
  /** The prompt file with the problem, as named by FROM; null for the Agentfile. */
  readonly file: string | null;
  /** Line number, from 1. */
  readonly line: number;
  /** Column, from 1, in code points. */
  readonly column: number;
  /** The line of the problem, with carets below the position. */
  readonly excerpt: string;
}

export interface ProblemDraft {
  readonly severity: 'error' | 'warning';
  readonly code: ProblemCode;
  readonly message: string;
  readonly span: Span;
  /** Computed when the problem is shown, because searching for a similar name is slow. */
  readonly accepted?: string | (() => string | null);
  /** The prompt file; undefined for the Agentfile. */
  readonly file?: PromptFile;
}

export interface PromptFile {
  readonly path: string;
  readonly text: string;
}

/** Maximum number of problems to report. The number of further ones is also reported. */
export const MAX_PROBLEMS = 1_000;

export function locate(text: string, drafts: readonly ProblemDraft[]): Problem[] {
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
      severity,
      code,
      message: cut(message),
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

/** Sorts problems: the Agentfile's first, then by file; in each file by position. */
function inOrder(drafts: readonly ProblemDraft[]): ProblemDraft[] {
  const rank = ({ file }: ProblemDraft): string => file?.path ?? '';
  return drafts.toSorted((a, b) => (rank(a) === rank(b) ? a.span.from - b.span.from : rank(a) < rank(b) ? -1 : 1));
}

/** Maximum length of a message, because a name in it may be as long as the file. */
const MAX_MESSAGE = 300;
function cut<T extends string | null>(message: T): T | string {
  return message !== null && message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message;
}

/** Maximum length of a quoted text in a message. */
const MAX_QUOTED = 40;
export function quoted(text: string): string {
  const line = displayLine(text);
  return `'${line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED)}…` : line}'`;
}

type Tell = (
  drafts: ProblemDraft[],
  code: ProblemDraft['code'],
  span: Span,
  message: string,
  accepted?: ProblemDraft['accepted'],
) => void;

const telling =
  (severity: ProblemDraft['severity']): Tell =>
  (drafts, code, { from, to }, message, accepted) =>
    void drafts.push({ severity, code, message, span: { from, to }, ...(accepted !== undefined && { accepted }) });

export const fail = telling('error');
export const warn = telling('warning');
