/**
 * Names of keys. The configuration uses the names of `orchd keys`: `a`, `Enter`, `C-p`, `M-Enter`, `S-Tab`, `F1`.
 * People see the labels on keyboards: `Ctrl-P`, `Alt-Enter`, `↑`. Pure.
 */
import type { Key, KeyName } from './key-reader.js';

const NAMED: Readonly<Record<KeyName, string>> = {
  up: 'Up',
  down: 'Down',
  left: 'Left',
  right: 'Right',
  home: 'Home',
  end: 'End',
  pageup: 'PageUp',
  pagedown: 'PageDown',
  insert: 'Insert',
  delete: 'Delete',
  backspace: 'BSpace',
  enter: 'Enter',
  tab: 'Tab',
  backtab: 'S-Tab',
  escape: 'Escape',
  f1: 'F1',
  f2: 'F2',
  f3: 'F3',
  f4: 'F4',
  f5: 'F5',
  f6: 'F6',
  f7: 'F7',
  f8: 'F8',
  f9: 'F9',
  f10: 'F10',
  f11: 'F11',
  f12: 'F12',
};
const ALIASES: Readonly<Record<string, string>> = {
  return: 'Enter',
  esc: 'Escape',
  backspace: 'BSpace',
  btab: 'S-Tab',
  pgup: 'PageUp',
  pgdn: 'PageDown',
  ppage: 'PageUp',
  npage: 'PageDown',
  ic: 'Insert',
  dc: 'Delete',
};
/** Keys that a terminal cannot distinguish from a letter with Ctrl. */
const SAME: Readonly<Record<string, string>> = { 'C-i': 'Tab', 'C-m': 'Enter', 'C-h': 'BSpace' };
const MODIFIERS: readonly (readonly [RegExp, string])[] = [
  [/^(?:C-|Ctrl-|\^)(?=.)/i, 'C-'],
  [/^(?:M-|Alt-|Meta-)(?=.)/i, 'M-'],
  [/^(?:S-|Shift-)(?=.)/i, 'S-'],
];
const WITH = { shift: 'S-', alt: 'M-', ctrl: 'C-' } as const;

/** Returns the name of a pressed key; null for a paste or the mouse. */
export function spell(key: Key): string | null {
  switch (key.kind) {
    case 'named':
      return `${key.with === undefined ? '' : WITH[key.with]}${NAMED[key.name]}`;
    case 'char':
      return key.text === ' ' ? 'Space' : key.text;
    case 'ctrl':
      return `C-${key.letter}`;
    case 'alt':
      return `M-${key.text}`;
    default:
      return null;
  }
}

/** Returns the normalized name of a key written by a person; null if it is not a key. */
export function readKeyName(text: string): string | null {
  if ([...text].length === 1) return text;
  for (const [pattern, prefix] of MODIFIERS) {
    if (!pattern.test(text)) continue;
    const rest = readKeyName(text.replace(pattern, ''));
    if (rest === null || /^[CMS]-/.test(rest)) return null;
    const isChar = [...rest].length === 1;
    if (prefix === 'C-' && isChar) return /^[a-z]$/i.test(rest) ? sameAs(`C-${rest.toLowerCase()}`) : null;
    if (prefix === 'S-' && isChar) return rest.toUpperCase() === rest ? null : rest.toUpperCase();
    return rest === 'Space' ? null : `${prefix}${rest}`;
  }
  const lower = text.toLowerCase();
  if (lower === 'space') return 'Space';
  return ALIASES[lower] ?? Object.values(NAMED).find((name) => name.toLowerCase() === lower) ?? null;
}

const sameAs = (name: string): string => SAME[name] ?? name;

export const KEYS_ARE =
  'a character, Enter, Tab, S-Tab, Space, Escape, Up, PageUp, Home, Delete, F1 …, C-x, M-x, M-Enter';

const SHOWN: Readonly<Record<string, string>> = {
  Up: '↑',
  Down: '↓',
  Left: '←',
  Right: '→',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
  Escape: 'Esc',
  BSpace: 'Backspace',
  Delete: 'Del',
};

/** Returns the label for people: `C-p` → `Ctrl-P`. */
export function keyWords(name: string): string {
  const [, prefix, rest = name] = /^([CMS])-(.+)$/.exec(name) ?? [];
  const word = SHOWN[rest] ?? rest;
  if (prefix === 'C') return `Ctrl-${word.length === 1 ? word.toUpperCase() : word}`;
  if (prefix === undefined) return word;
  return `${prefix === 'M' ? 'Alt' : 'Shift'}-${word}`;
}
