/**
 * Newest first: does a program show its newest text above older text?
 *
 *     message
 *     > the last prompt
 *     an older message       was heard only in the turn of the prompt below it
 *     > the first prompt
 *
 * Only such messages prove the order. A list of prompts, or a prompt that is pinned at the top, has none.
 *
 * In:   the prompts and messages of a screen, by rows, with the turns of each.
 * Out:  true if the screen proves the order.
 */

type Turns = ReadonlySet<number>;

/** A row of the screen, with the turns of the prompt, or of the message, that begins in it. */
interface ShownRow {
  readonly prompt: Turns | null;
  readonly message: Turns | null;
}

/** @param turn  The current turn. */
export function isNewestFirst(screen: readonly ShownRow[], turn: number): boolean {
  const last = screen.findIndex(({ prompt }) => prompt !== null);
  const next = screen.findIndex(({ prompt }, at) => at > last && prompt !== null);
  if (last === -1 || next === -1 || !isOnly(screen[last]?.prompt, turn)) return false;
  // A message of an earlier turn above the last prompt contradicts this order.
  if (screen.slice(0, last).some(({ message }) => message && message.size > 0 && !message.has(turn))) return false;
  const [earlier = turn] = screen[next]?.prompt ?? [];
  if (earlier >= turn || !isOnly(screen[next]?.prompt, earlier)) return false;
  return screen.slice(last + 1, next).some(({ message }) => isOnly(message, earlier));
}

const isOnly = (turns: Turns | null | undefined, turn: number): boolean => turns?.size === 1 && turns.has(turn);
