/**
 * Rates how well a text matches a typed query: the letters must appear in order. Adjacent letters and word starts score
 * higher. Pure.
 *
 * @returns The score, higher is better; null if a letter is missing. Every text matches an empty query equally.
 */
import { withoutBlanks } from '../../protocol/index.js';
export function fuzzyScore(query: string, text: string): number | null {
  const wanted = withoutBlanks(query.toLowerCase());
  const lower = text.toLowerCase();
  const whole = lower.indexOf(query.trim().toLowerCase());
  // A contiguous match ranks above every scattered one.
  if (wanted !== '' && whole >= 0) return WHOLE + (isStart(lower, whole) ? AT_START : 0) - whole;
  let score = 0;
  let from = 0;
  for (const char of wanted) {
    const next = lower.indexOf(char, from);
    if (next < 0) return null;
    score += isStart(lower, next) ? AT_START : next === from ? ADJACENT : 0;
    score -= next - from;
    from = next + 1;
  }
  return score;
}

const WHOLE = 1_000;
const AT_START = 8;
const ADJACENT = 4;

const isStart = (text: string, at: number): boolean => at === 0 || !/[a-z0-9]/.test(text.charAt(at - 1));
