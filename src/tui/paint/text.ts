/**
 * Makes untrusted text safe for the TUI: removes control sequences and characters whose width differs between
 * terminals.
 */
import { displayLine, displayText, errorMessage, steadyText } from '../../protocol/index.js';

export { cut, fill, split, steadyText, widthOf, wrap } from '../../protocol/index.js';

/** Returns untrusted text as paragraphs. */
export const plainText = (text: string): string =>
  steadyText(displayText(text.replaceAll('\r\n', '\n')).replaceAll('\t', '  '));

/** Returns untrusted text on one line. */
export const plainLine = (text: string): string => steadyText(displayLine(text));

/** Returns an error's message on one line. */
export const wordsOf = (error: unknown): string => plainLine(errorMessage(error));

/** Returns a command as one line. Absolute paths are cut to their last part: lists have little room. */
export const commandLine = (command: readonly string[]): string => plainLine(command.map(lastPart).join(' '));

const lastPart = (word: string): string => (/^\/.*[^/]$/.test(word) ? word.slice(word.lastIndexOf('/') + 1) : word);
