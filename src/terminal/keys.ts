/** Keys by their tmux names (`C-c`, `M-x`, `Enter`, `Up`, `F5`, `a`), and the bytes that a terminal sends for them. */
import { OrchdError } from '../protocol/index.js';

const NAMED: Readonly<Record<string, string>> = {
  Enter: '\r',
  Tab: '\t',
  BTab: '\x1b[Z',
  Space: ' ',
  Escape: '\x1b',
  BSpace: '\x7f',
  Insert: '\x1b[2~',
  Delete: '\x1b[3~',
  PageUp: '\x1b[5~',
  PageDown: '\x1b[6~',
  F1: '\x1bOP',
  F2: '\x1bOQ',
  F3: '\x1bOR',
  F4: '\x1bOS',
  F5: '\x1b[15~',
  F6: '\x1b[17~',
  F7: '\x1b[18~',
  F8: '\x1b[19~',
  F9: '\x1b[20~',
  F10: '\x1b[21~',
  F11: '\x1b[23~',
  F12: '\x1b[24~',
};
const ALIASES: Readonly<Record<string, string>> = {
  Return: 'Enter',
  Esc: 'Escape',
  Backspace: 'BSpace',
  IC: 'Insert',
  DC: 'Delete',
  PPage: 'PageUp',
  PgUp: 'PageUp',
  NPage: 'PageDown',
  PgDn: 'PageDown',
};
/** Keys whose bytes depend on DECCKM (application cursor keys). */
const CURSOR: Readonly<Record<string, string>> = { Up: 'A', Down: 'B', Right: 'C', Left: 'D', Home: 'H', End: 'F' };

/**
 * @param applicationCursor  True if the program has set DECCKM.
 * @throws {OrchdError} ORCHD_INVALID for an unknown name.
 */
export function keyBytes(key: string, applicationCursor: boolean): string {
  const found = lookUp(key, applicationCursor);
  if (found !== undefined) return found;
  const known = [...Object.keys(NAMED), ...Object.keys(CURSOR)].join(', ');
  throw new OrchdError('ORCHD_INVALID', `'${key}' is not a key; keys are single characters, C-x, M-x, S-Tab, ${known}`);
}

function lookUp(key: string, applicationCursor: boolean): string | undefined {
  if ([...key].length === 1) return key;
  const name = ALIASES[key] ?? key;
  const cursor = CURSOR[name];
  if (cursor !== undefined) return `\x1b${applicationCursor ? 'O' : '['}${cursor}`;
  if (NAMED[name] !== undefined) return NAMED[name];
  if (key === 'S-Tab') return NAMED['BTab'];
  if (/^M-./.test(key)) {
    const rest = lookUp(key.slice(2), applicationCursor);
    return rest === undefined ? undefined : `\x1b${rest}`;
  }
  return /^(C-|\^)./.test(key) ? control(key.slice(key.startsWith('C-') ? 2 : 1)) : undefined;
}

function control(key: string): string | undefined {
  if (key === 'Space') return '\0';
  if (!/^[@a-zA-Z[\\\]^_?]$/.test(key)) return undefined;
  return key === '?' ? '\x7f' : String.fromCharCode(key.toUpperCase().charCodeAt(0) & 31);
}
