/**
 * Finds the reason for a difference: shrinks a case to the necessary pieces, and checks if that is a known difference.
 *
 * A known difference is removed from the case, and the rest is compared again, so that one difference does not hide
 * another.
 */
import type { Differences } from './compare.js';

export interface Known {
  readonly name: string;
  /** The parts of the screen that the difference affects. */
  readonly parts: readonly string[];
  /** Matches the shrunken case, whose pieces are joined by `JOINT`. */
  readonly pattern: RegExp;
  /**
   * Set if the difference occurs only while, or after, the cursor waits after the last column for the next character.
   */
  readonly when?: 'pending';
}

export interface Explained {
  /** Names of the known differences that the case contains. */
  readonly known: readonly string[];
  /** Unknown differences, as small as possible. */
  readonly unknown: { readonly pieces: readonly string[]; readonly differences: Differences } | null;
}

export const JOINT = '\x1f';

type Compare = (pieces: readonly string[]) => Promise<Differences>;
export interface Sides {
  compare(pieces: readonly string[]): Promise<Differences>;
  /** True if a wrap is pending after these pieces. */
  isWrapPending(pieces: readonly string[]): Promise<boolean>;
}

export async function explain(pieces: readonly string[], sides: Sides, all: readonly Known[]): Promise<Explained> {
  const known: string[] = [];
  let rest = pieces;
  for (;;) {
    if (isEqual(await sides.compare(rest))) return { known, unknown: null };
    const { small, culprit, differences } = await shrink(rest, sides.compare);
    const shrunken = small.map((at) => rest[at] ?? '');
    const joined = shrunken.join(JOINT);
    const fits = all.filter(
      ({ pattern, parts }) => pattern.test(joined) && Object.keys(differences).every((part) => parts.includes(part)),
    );
    const found =
      fits.find(({ when }) => !when) ?? (fits.length > 0 && (await waits(shrunken, sides)) ? fits[0] : undefined);
    if (!found) return { known, unknown: { pieces: shrunken, differences } };
    known.push(found.name);
    rest = rest.filter((_, at) => at !== culprit);
  }
}

async function waits(pieces: readonly string[], sides: Sides): Promise<boolean> {
  for (let length = 1; length < pieces.length; length++)
    if (await sides.isWrapPending(pieces.slice(0, length))) return true;
  return false;
}

const isEqual = (differences: Differences): boolean => Object.keys(differences).length === 0;

/** The last piece of the shortest differing beginning causes the difference. Unneeded pieces before it are removed. */
async function shrink(pieces: readonly string[], compare: Compare) {
  const take = (indices: readonly number[]): Promise<Differences> => compare(indices.map((at) => pieces[at] ?? ''));
  let end = 1;
  let differences = await take([0]);
  while (isEqual(differences)) {
    end++;
    differences = await take(range(end));
  }
  const culprit = end - 1;
  let small = range(end);
  for (let step = Math.ceil(end / 2); step >= 1; step = step === 1 ? 0 : Math.ceil(step / 2)) {
    for (let at = 0; at < small.length - 1; ) {
      const less = [...small.slice(0, at), ...small.slice(Math.min(at + step, small.length - 1))];
      const found = await take(less);
      if (isEqual(found)) at += step;
      else {
        small = less;
        differences = found;
      }
    }
  }
  return { small, culprit, differences };
}

const range = (length: number): number[] => Array.from({ length }, (_, at) => at);
