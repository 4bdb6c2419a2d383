/**
 * Compares an answer with the text that the model server received. Pure.
 *
 * In:   the user's turn as in the request, part by part, and the expected text.
 * Out:  a grade. With every grade except `changed`, `told` and `expanded`, the model can read the exact text.
 */
import type { Turn } from './model/conversation.js';

export type Grade =
  | 'exact'
  /**
   * The text with one blank before or after it. orchd adds the blank so that the program does not run the text as a
   * command.
   */
  | 'guarded'
  /** After its question, which orchd adds while several questions are open. */
  | 'named'
  /** The program removed white space at the beginning or the end. */
  | 'trimmed'
  /** The exact text inside other words of the program, such as a tag or the content of a file. */
  | 'wrapped'
  /** The program replaced `@word` by the path of a matching file, and attached the file. */
  | 'expanded'
  /** orchd typed the text as the program would have changed it, and reported that. */
  | 'told'
  | 'changed';

/** A shorter text could occur by chance. */
const MIN_WRAPPED_CHARS = 8;
const LEADING_GUARD = /^[ \u2800]/;
/** Matches the beginning of a question, as orchd writes it before an answer. */
const NAME = /^[ \u2800]?[\p{L}\p{M}\p{N} ]{1,90}: $/u;
const TRAILING_GUARD = /[ \u2800\u200b]$/;

/** @param foreign  Texts that must not be in the same turn, such as another answer. */
export function compareAnswer(turn: Turn, expected: string, foreign: readonly string[] = []): Grade {
  const texts = [...(turn.parts ?? []), turn.text];
  if (texts.includes(expected)) return 'exact';
  const unguarded = texts.flatMap((text) => {
    const behind = text.replace(LEADING_GUARD, '');
    return [behind, behind.replace(TRAILING_GUARD, ''), text.replace(TRAILING_GUARD, '')];
  });
  if (unguarded.includes(expected)) return 'guarded';
  const core = expected.trim();
  const isTrimmed = (text: string) => text.trim() === core || text.replace(LEADING_GUARD, '').trim() === core;
  if (texts.some(isTrimmed)) return 'trimmed';
  const isNamed = (text: string) => text.endsWith(`: ${core}`) && NAME.test(text.slice(0, -core.length));
  if (texts.some((text) => isNamed(text) || isNamed(text.replace(TRAILING_GUARD, '')))) return 'named';
  const others = foreign.filter((text) => text.length >= MIN_WRAPPED_CHARS && !core.includes(text));
  const isAround = (text: string): boolean => isWrapped(text, core) && !others.some((other) => text.includes(other));
  if (texts.some(isAround)) return 'wrapped';
  return isExpanded(turn, core) ? 'expanded' : 'changed';
}

const AT_WORD = /@([\w./-]+)/g;

/** True if a part is the text with longer names in place of `@word`, and another part names the file for a word. */
function isExpanded({ parts = [] }: Turn, core: string): boolean {
  const names = [...core.matchAll(AT_WORD)].map(([, name = '']) => name);
  const words = core.split(AT_WORD).filter((_, at) => at % 2 === 0);
  const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const pattern = words.map((text, at) => {
    const name = names[at];
    return escaped(text) + (name === undefined ? '' : `@\\S*${escaped(name)}\\S*`);
  });
  const whole = new RegExp(`^${pattern.join('')}$`);
  return (
    names.length > 0 &&
    parts.some((part) => whole.test(part.trim())) &&
    parts.some((part) => names.some((name) => part.trim() === `Content from @${name}:`))
  );
}

/** True if the text is between tags, or is a whole line and long enough to be no coincidence. */
function isWrapped(text: string, core: string): boolean {
  for (let at = text.indexOf(core); at !== -1; at = text.indexOf(core, at + 1)) {
    const before = text.slice(0, at).trimEnd();
    const after = text.slice(at + core.length).trimStart();
    if (before.endsWith('>') && after.startsWith('<')) return true;
    const isOnItsLines =
      /(?:^|[\n>])\s*$/.test(text.slice(0, at)) && /^\s*(?:$|[\n<])/.test(text.slice(at + core.length));
    if (isOnItsLines && core.length >= MIN_WRAPPED_CHARS) return true;
  }
  return false;
}
