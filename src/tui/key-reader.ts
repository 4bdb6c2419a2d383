/**
 * Keys for the TUI, from a terminal in raw mode.
 *
 * In:   chunks of input, cut anywhere (`push`); `flush` when nothing came for a moment: an Escape that stands alone is then a key.
 * Out:  keys in order. A bracketed paste is one key with all its text. Sequences that mean nothing here are left out.
 */
import { StringDecoder } from 'node:string_decoder';

export type KeyName =
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'home'
  | 'end'
  | 'pageup'
  | 'pagedown'
  | 'delete'
  | 'backspace'
  | 'enter'
  | 'tab'
  | 'backtab'
  | 'escape';

export type Key =
  | { readonly kind: 'named'; readonly name: KeyName }
  | { readonly kind: 'char'; readonly text: string }
  /** Ctrl and a small letter. */
  | { readonly kind: 'ctrl'; readonly letter: string }
  | { readonly kind: 'paste'; readonly text: string };

export interface KeyReader {
  push(chunk: Buffer): Key[];
  flush(): Key[];
  /** Whether an Escape waits for what follows. */
  readonly isWaiting: boolean;
}

const FINALS: Readonly<Record<string, KeyName>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  H: 'home',
  F: 'end',
  Z: 'backtab',
};
const TILDES: Readonly<Record<string, KeyName>> = {
  1: 'home',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
};
const CONTROLS: Readonly<Record<string, KeyName>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\x7f': 'backspace',
  '\b': 'backspace',
};
const PASTE_END = '\x1b[201~';
/** A paste longer than this is cut: the answer's line is no place for a file. */
const MAX_PASTE_CHARS = 64 * 1024;

export function createKeyReader(): KeyReader {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let paste: string | null = null;

  function read(isLast: boolean): Key[] {
    const keys: Key[] = [];
    while (rest !== '') {
      if (paste !== null) {
        const end = rest.indexOf(PASTE_END);
        // The end may be cut: its first characters stay.
        const taken = end < 0 ? Math.max(0, rest.length - PASTE_END.length + 1) : end;
        paste = (paste + rest.slice(0, taken)).slice(0, MAX_PASTE_CHARS);
        rest = rest.slice(end < 0 ? taken : end + PASTE_END.length);
        if (end < 0) break;
        keys.push({ kind: 'paste', text: paste });
        paste = null;
        continue;
      }
      const sequence = /^\x1b(?:\[[0-9;:<=>?]*[ -/]*[@-~]|O[@-~])/.exec(rest)?.[0];
      if (sequence === '\x1b[200~') paste = '';
      else if (sequence !== undefined) keys.push(...fromSequence(sequence));
      if (sequence !== undefined) {
        rest = rest.slice(sequence.length);
        continue;
      }
      if (rest[0] === '\x1b') {
        const isOpen = /^\x1b(?:[[O][0-9;:<=>?]*)?$/.test(rest);
        if (isOpen && !isLast) break;
        if (rest.length === 1 || isOpen) {
          keys.push({ kind: 'named', name: 'escape' });
          rest = '';
          break;
        }
        rest = rest.slice(1 + charAt(rest, 1).length); // Alt and a key: not ours
        continue;
      }
      const char = charAt(rest, 0);
      rest = rest.slice(char.length);
      keys.push(...fromChar(char));
    }
    return keys;
  }

  return {
    push(chunk) {
      rest += decoder.write(chunk);
      return read(false);
    },
    flush: () => read(true),
    get isWaiting() {
      return rest !== '' && paste === null;
    },
  };
}

const charAt = (text: string, at: number): string => String.fromCodePoint(text.codePointAt(at) ?? 0);

function fromSequence(sequence: string): Key[] {
  const final = sequence.at(-1) ?? '';
  const first = /\d+/.exec(sequence)?.[0] ?? '';
  const name = final === '~' ? TILDES[first] : FINALS[final];
  return name === undefined ? [] : [{ kind: 'named', name }];
}

function fromChar(char: string): Key[] {
  const name = CONTROLS[char];
  if (name !== undefined) return [{ kind: 'named', name }];
  const code = char.charCodeAt(0);
  if (code === 0) return [];
  if (code < 27) return [{ kind: 'ctrl', letter: String.fromCharCode(code + 96) }];
  if (code < 32) return [];
  return [{ kind: 'char', text: char }];
}
