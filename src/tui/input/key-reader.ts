/**
 * Reads keys for the TUI from a terminal in raw mode.
 *
 * In:   chunks of input, cut anywhere (`push`), and `flush` after a short pause: a single Escape is then the Escape
 *       key.
 * Out:  keys in order. A bracketed paste is one key with its whole text. Unknown sequences are ignored.
 * Modifiers are understood in the terminals' default encoding and in the extended encodings:
 *
 *   ESC [ 13 ; 2 u          kitty keyboard protocol: code and 1 + modifiers
 *   ESC [ 27 ; 2 ; 13 ~     modifyOtherKeys
 *   ESC [ < 0 ; 5 ; 3 M     the mouse (SGR): button, column and row from 1; m when the button is released
 */
import { StringDecoder } from 'node:string_decoder';

export type KeyName =
  | ('up' | 'down' | 'left' | 'right' | 'home' | 'end' | 'pageup' | 'pagedown')
  | ('insert' | 'delete' | 'backspace' | 'enter' | 'tab' | 'backtab' | 'escape')
  | ('f1' | 'f2' | 'f3' | 'f4' | 'f5' | 'f6' | 'f7' | 'f8' | 'f9' | 'f10' | 'f11' | 'f12');

export type Key =
  | { readonly kind: 'named'; readonly name: KeyName; readonly with?: 'shift' | 'alt' | 'ctrl' }
  | { readonly kind: 'char'; readonly text: string }
  /** Ctrl with a lower-case letter. */
  | { readonly kind: 'ctrl'; readonly letter: string }
  /** Alt with a character. */
  | { readonly kind: 'alt'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string }
  /** Columns and rows count from 0. */
  | {
      readonly kind: 'mouse';
      readonly what: 'click' | 'wheelup' | 'wheeldown';
      readonly x: number;
      readonly y: number;
    };

interface KeyReader {
  push(chunk: Buffer): Key[];
  flush(): Key[];
  /**
   * Reads the keys of a chunk one by one, until `press` returns false.
   * @returns The input after that key, which the reader forgets.
   */
  pushUntil(chunk: Buffer, press: (key: Key) => boolean): Buffer;
  /** True while an Escape has arrived whose sequence may be incomplete. */
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
  P: 'f1',
  Q: 'f2',
  R: 'f3',
  S: 'f4',
};
const TILDES: Readonly<Record<string, KeyName>> = {
  1: 'home',
  2: 'insert',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
  11: 'f1',
  12: 'f2',
  13: 'f3',
  14: 'f4',
  15: 'f5',
  17: 'f6',
  18: 'f7',
  19: 'f8',
  20: 'f9',
  21: 'f10',
  23: 'f11',
  24: 'f12',
};
/** Enter sends a carriage return. A newline is Ctrl-J, which is not a key here. */
const CONTROLS: Readonly<Record<string, KeyName>> = {
  '\r': 'enter',
  '\t': 'tab',
  '\x1b': 'escape',
  '\x7f': 'backspace',
  '\b': 'backspace',
};
const PASTE_END = '\x1b[201~';
/** Maximum length of a paste. A longer one is cut: an answer is not meant for whole files. */
const MAX_PASTE_CHARS = 64 * 1024;

export function createKeyReader(): KeyReader {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let paste: string | null = null;

  function* read(isLast: boolean): Generator<Key, void> {
    while (rest !== '') {
      if (paste !== null) {
        const end = rest.indexOf(PASTE_END);
        // The end marker of the paste may be cut, so its possible first characters stay in the buffer.
        const taken = end < 0 ? Math.max(0, rest.length - PASTE_END.length + 1) : end;
        paste = (paste + rest.slice(0, taken)).slice(0, MAX_PASTE_CHARS);
        rest = rest.slice(end < 0 ? taken : end + PASTE_END.length);
        if (end < 0) break;
        const text = paste;
        paste = null;
        yield { kind: 'paste', text };
        continue;
      }
      const sequence = /^\x1b(?:\[[0-9;:<=>?]*[ -/]*[@-~]|O[@-~])/.exec(rest)?.[0];
      if (sequence !== undefined) {
        rest = rest.slice(sequence.length);
        if (sequence === '\x1b[200~') paste = '';
        else yield* fromSequence(sequence);
        continue;
      }
      if (rest[0] === '\x1b') {
        const isOpen = /^\x1b(?:[[O][0-9;:<=>?]*)?$/.test(rest);
        if (isOpen && !isLast) break;
        if (rest.length === 1 || isOpen) {
          rest = '';
          yield { kind: 'named', name: 'escape' };
          break;
        }
        const char = charAt(rest, 1);
        // An Escape, and what was sent together with it: another one, which may begin a sequence, or a key with Ctrl.
        if (char === '\x1b' || (char < ' ' && CONTROLS[char] === undefined)) {
          rest = rest.slice(1);
          yield { kind: 'named', name: 'escape' };
          continue;
        }
        rest = rest.slice(1 + char.length);
        yield* fromChar(char, ALT);
        continue;
      }
      const char = charAt(rest, 0);
      rest = rest.slice(char.length);
      yield* fromChar(char, 0);
    }
  }

  return {
    push(chunk) {
      rest += decoder.write(chunk);
      return [...read(false)];
    },
    flush: () => [...read(true)],
    pushUntil(chunk, press) {
      rest += decoder.write(chunk);
      for (const key of read(false)) {
        if (press(key)) continue;
        const unread = Buffer.from(rest + decoder.end());
        rest = '';
        return unread;
      }
      return Buffer.alloc(0);
    },
    get isWaiting() {
      return rest !== '' && paste === null;
    },
  };
}

const SHIFT = 1;
const ALT = 2;
const CTRL = 4;
/** The bits of caps lock and num lock are ignored. */
const KNOWN = SHIFT | ALT | CTRL;
const RELEASED = '3';

const charAt = (text: string, at: number): string => String.fromCodePoint(text.codePointAt(at) ?? 0);

function fromSequence(sequence: string): Key[] {
  const final = sequence.at(-1) ?? '';
  const params = sequence.slice(2, -1);
  if (params.startsWith('<')) return fromMouse(params.slice(1), final);
  const [first = '', second = '', third = ''] = params.split(';');
  const [mask = '1', event] = second.split(':');
  if (event === RELEASED) return [];
  const modifiers = (Number.parseInt(mask || '1', 10) - 1) & KNOWN;
  if (final === 'u') return fromCode(Number.parseInt(first, 10), modifiers);
  if (final === '~' && first === '27' && third !== '') return fromCode(Number.parseInt(third, 10), modifiers);
  const name = final === '~' ? TILDES[first] : FINALS[final];
  return name === undefined ? [] : [named(name, modifiers)];
}

function fromCode(code: number, modifiers: number): Key[] {
  // The private use area contains keys that are not text: kitty's keypad and the modifier keys.
  if (!Number.isInteger(code) || code > 0x10ffff || (code >= 0xe000 && code <= 0xf8ff)) return [];
  const char = String.fromCodePoint(code);
  if (modifiers & CTRL && /^[a-zA-Z]$/.test(char)) return [{ kind: 'ctrl', letter: char.toLowerCase() }];
  return fromChar(modifiers & SHIFT ? char.toUpperCase() : char, modifiers);
}

function fromChar(char: string, modifiers: number): Key[] {
  const name = CONTROLS[char];
  if (name !== undefined) return [named(name, modifiers)];
  const code = char.charCodeAt(0);
  if (code === 0) return [];
  if (code < 27) return [{ kind: 'ctrl', letter: String.fromCharCode(code + 96) }];
  if (code < 32) return [];
  return [{ kind: modifiers & ALT ? 'alt' : 'char', text: char }];
}

function named(name: KeyName, modifiers: number): Key {
  if (name === 'tab' && modifiers & SHIFT) return { kind: 'named', name: 'backtab' };
  if (name === 'backtab' || modifiers === 0) return { kind: 'named', name };
  return { kind: 'named', name, with: modifiers & ALT ? 'alt' : modifiers & CTRL ? 'ctrl' : 'shift' };
}

const WHEEL = 64;
/** The bit for movement while a button is held. */
const MOTION = 32;

function fromMouse(params: string, final: string): Key[] {
  const [button = Number.NaN, column = 0, row = 0] = params.split(';').map(Number);
  const place = { x: column - 1, y: row - 1 };
  if (final !== 'M' || button & MOTION) return [];
  if (button === WHEEL) return [{ kind: 'mouse', what: 'wheelup', ...place }];
  if (button === WHEEL + 1) return [{ kind: 'mouse', what: 'wheeldown', ...place }];
  return button === 0 ? [{ kind: 'mouse', what: 'click', ...place }] : [];
}
