/**
 * How well a text fits what somebody typed: its letters in order, better the closer they stand and where words begin.
 * Pure.
 *
 * @returns  The higher the better; null when a letter is missing. Everything fits an empty query equally.
 */
export function fuzzyScore(query: string, text: string): number | null {
  const wanted = query.toLowerCase().replaceAll(/\s+/g, '');
  const lower = text.toLowerCase();
  const whole = lower.indexOf(query.trim().toLowerCase());
  // As it was typed, somewhere: before everything that is scattered.
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
