/** Compares the text of an answer with an input that an agent has recorded in its own transcript. */

/**
 * `whole`: the agent has the text, perhaps without the blanks at its ends and at the ends of its lines, or between other
 * whole lines. `changed`: the agent has a changed copy of it, or the text within other words. `other`: another input.
 */
export type RecordedText = 'whole' | 'changed' | 'other';

/** Only the beginning of a longer text is compared for its likeness. */
const MAX_CHARS = 4_000;
/** The least likeness of a changed copy, from 0 to 1. */
const LEAST_LIKENESS = 0.5;
/** A text within others counts if they have at most as many further characters as the text, and these. */
const MORE_CHARS = 60;
/** A text of which the agent has one part counts if that part has at least this share of it. */
const LEAST_PART = 1 / 3;

export function compareRecorded(typed: string, recorded: string): RecordedText {
  if (hasLines(recorded, typed)) return 'whole';
  const [mine, theirs] = [folded(typed), folded(recorded)];
  if (mine === '' || theirs === '') return 'other';
  const isWithin = theirs.includes(mine) && theirs.length <= 2 * mine.length + MORE_CHARS;
  const isPart = mine.includes(theirs) && theirs.length >= mine.length * LEAST_PART;
  return isWithin || isPart || likeness(mine, theirs) >= LEAST_LIKENESS ? 'changed' : 'other';
}

/**
 * True if some whole lines of `text` are those of `part`. An agent trims what is typed, puts pasted text between two
 * lines of its own, and joins the inputs that came while it worked.
 */
function hasLines(text: string, part: string): boolean {
  const [first = '', ...others] = linesOf(part);
  if (first === '') return false;
  const lines = linesOf(text);
  const isFirst = (line: string | undefined): boolean => line !== undefined && withoutBlanks(line, 'start') === first;
  if (others.length === 0) return lines.some(isFirst);
  return endsOf(others, lines).some((end) => isFirst(lines[end - others.length]));
}

/** Returns the index of the last line of each place where `part` stands in `lines` (Knuth, Morris and Pratt). */
function endsOf(part: readonly string[], lines: readonly string[]): number[] {
  // back[n]: the length of the longest beginning of `part` with which its first n lines end, too
  const back = [0, 0];
  const step = (matched: number, line: string | undefined): number => {
    let count = matched;
    while (count > 0 && part[count] !== line) count = back[count] ?? 0;
    return part[count] === line ? count + 1 : 0;
  };
  for (let at = 1; at < part.length; at++) back.push(step(back[at] ?? 0, part[at]));
  let matched = 0;
  return lines.flatMap((line, at) => {
    matched = step(matched, line);
    return matched === part.length ? [at] : [];
  });
}

/** Returns the lines of a text without the blanks at its ends and at the ends of its lines. */
const linesOf = (text: string): string[] =>
  withoutBlanks(withoutBlanks(text, 'start'), 'end')
    .split(/\r\n?|\n/)
    .map((line) => withoutBlanks(line, 'end'));

/** A regular expression would take long for a text with many blanks. orchd may have typed U+2800 as a blank. */
function withoutBlanks(text: string, side: 'start' | 'end'): string {
  const isBlank = (char: string | undefined): boolean => char === '\u2800' || char?.trim() === '';
  let [from, to] = [0, text.length];
  while (side === 'start' && isBlank(text[from])) from++;
  while (side === 'end' && isBlank(text[to - 1])) to--;
  return text.slice(from, to);
}

/** Makes equal what differs only in blanks, capitals, and forms of the same letters, such as `e` with U+0301 and `é`. */
const folded = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\u2800]+/g, ' ')
    .trim();

/** Returns the share of pairs of neighbouring characters that two texts have in common (Sørensen and Dice). */
function likeness(one: string, other: string): number {
  const pairs = pairsOf(other);
  let common = 0;
  for (const [pair, count] of pairsOf(one)) common += Math.min(count, pairs.get(pair) ?? 0);
  const all = Math.min(one.length, MAX_CHARS) + Math.min(other.length, MAX_CHARS) - 2;
  return all > 0 ? (2 * common) / all : 0;
}

function pairsOf(text: string): Map<string, number> {
  const pairs = new Map<string, number>();
  const end = Math.min(text.length, MAX_CHARS);
  for (let at = 2; at <= end; at++) {
    const pair = text.slice(at - 2, at);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}
