/** Shortens untrusted text for a label, a row or a title. */
import { displayLine } from '../../protocol/index.js';

const LINE_CHARS = 300;

/** Returns a text on one line, cut if it is long. */
export function line(text: string, most = LINE_CHARS): string {
  const cut = text.length > most * 2 ? text.slice(0, most * 2) : text;
  const shown = displayLine(cut);
  return shown.length > most || cut !== text ? `${shown.slice(0, most)}…` : shown;
}
