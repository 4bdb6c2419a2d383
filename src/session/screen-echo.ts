/**
 * Screen echo: cuts a screen's rows at the prompt that was typed last, so that only what follows it is left. Pure.
 *
 * Programs paint a prompt wrapped, indented, in a box or behind a sign (`> `): blanks and these signs do not count.
 */

/** Signs and borders around a prompt. */
const DECORATION = /[\s\u2500-\u259f\u2800>❯›»|•●⏺]+/gu;

/** Returns the rows below the typed text; all rows if it is not found in them. */
export function afterPrompt(rows: readonly string[], typed: string): readonly string[] {
  const wanted = ink(typed.replace(/\x1b\[[0-?]*[ -/]*[@-~]/g, ''));
  if (wanted === '') return rows;
  const ends: number[] = [];
  let text = '';
  for (const row of rows) {
    text += ink(row);
    ends.push(text.length);
  }
  const at = text.lastIndexOf(wanted);
  if (at === -1) return rows;
  const last = ends.findIndex((end) => end >= at + wanted.length);
  return rows.slice(last + 1);
}

const ink = (text: string): string => text.replace(DECORATION, '');
