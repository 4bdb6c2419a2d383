/** Untrusted text for the TUI: without what acts on a terminal, and without what terminals disagree about. */
import { steadyText } from '../protocol/columns.js';
import { displayLine, displayText } from '../protocol/index.js';

export { cut, fill, split, steadyText, widthOf, wrap } from '../protocol/columns.js';

/** Untrusted text as paragraphs. */
export const plainText = (text: string): string =>
  steadyText(displayText(text.replaceAll('\r\n', '\n')).replaceAll('\t', '  '));

/** Untrusted text on one line. */
export const plainLine = (text: string): string => steadyText(displayLine(text));

/** What went wrong, as one line. */
export const wordsOf = (error: unknown): string => plainLine(error instanceof Error ? error.message : String(error));
