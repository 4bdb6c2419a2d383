/**
 * Key legend: the row of a dialog that names its keys, read as choices.
 *
 *     Enter to stay in auto mode · shift+Tab to leave for accept edits mode · Esc to cancel
 *
 * Keys that only move the selection (arrows) are not choices. A legend without Enter asks for nothing, as under a help
 * page.
 */
import type { Choice } from '../adapter.js';

const PART = /^(?:press )?(\S+) to (\S.*)$/iu;
const SEPARATOR = /(?<!\s)\s+[·•|]\s+/u;
const CONTROL = /^ctrl[+-]([a-z])$/i;
const KEYS: Readonly<Record<string, string>> = {
  enter: '\r',
  return: '\r',
  esc: '\x1b',
  escape: '\x1b',
  tab: '\t',
  'shift+tab': '\x1b[Z',
  space: ' ',
};

/** @returns  Null if the row names no keys, or not Enter. */
export function readKeyLegend(row: string): Choice[] | null {
  const parts = row
    .trim()
    .split(SEPARATOR)
    .map((part) => PART.exec(part));
  if (parts.some((part) => part === null)) return null;
  const choices = parts.flatMap((part): Choice[] => {
    const keys = keysOf(part?.[1] ?? '');
    return keys === null ? [] : [{ label: part?.[2] ?? '', keys }];
  });
  return choices.length > 1 && choices.some(({ keys }) => keys === '\r') ? choices : null;
}

function keysOf(name: string): string | null {
  const known = KEYS[name.toLowerCase()];
  if (known !== undefined) return known;
  const letter = CONTROL.exec(name)?.[1];
  if (letter !== undefined) return String.fromCharCode(letter.toLowerCase().charCodeAt(0) & 0x1f);
  return /^[a-z0-9]$/i.test(name) ? name : null;
}
