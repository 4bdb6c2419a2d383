/**
 * Separates what a person types into an attached session: most bytes go to the program unchanged; the prefix key is
 * orchd's.
 *
 * In:   chunks of input, cut anywhere (`push`).
 * Out:  steps in order: bytes to send, and at the end perhaps the key after a prefix, with the unread rest of the
 *       chunk, which may belong to the overlay that this key opens.
 * The prefix is one byte (Ctrl-] is 1d), or the same key in an encoding that a program has requested from the terminal:
 *
 *   ESC [ 93 ; 5 u          kitty keyboard protocol; also 93:125;5:1u with alternate keys and event types
 *   ESC [ 27 ; 5 ; 93 ~     modifyOtherKeys
 *
 * Keys inside a bracketed paste (ESC [ 200 ~ … ESC [ 201 ~) go to the program; the prefix is not recognized in them.
 * No input is delayed: a key sequence that is cut by a read goes to the program.
 */
type InputStep =
  | { readonly kind: 'send'; readonly bytes: Buffer }
  /** @prop key  One character, `Tab`, `Enter`, `PageUp`, an arrow such as `Left`, or '' for any other key. */
  | { readonly kind: 'command'; readonly key: string; readonly rest: Buffer };

interface PrefixReader {
  push(chunk: Buffer): InputStep[];
  /** True after the prefix, until the next key. */
  readonly isWaiting: boolean;
}

const ESC = 0x1b;
const BRACKET = 0x5b;
const CTRL_MASK = 0x1f;
/** Maximum length of a key's sequence. */
const MAX_KEY_BYTES = 32;

/** @param prefix  The configured key, such as `C-]`. */
export function createPrefixReader(prefix: string): PrefixReader {
  const byte = prefixByte(prefix);
  const paste = createPasteWatch();
  let hasPrefix = false;

  return {
    get isWaiting() {
      return hasPrefix;
    },
    push(chunk) {
      const steps: InputStep[] = [];
      let from = 0;
      const flush = (to: number): void => {
        if (to > from) steps.push({ kind: 'send', bytes: chunk.subarray(from, to) });
      };
      for (let at = 0; at < chunk.length; ) {
        if (paste.isOpen) {
          paste.take(chunk[at] ?? 0);
          at += 1;
          continue;
        }
        const key = readKey(chunk, at);
        const end = at + key.length;
        const isPrefix = key.code === byte;
        if (!hasPrefix && !isPrefix) {
          for (; at < end; at++) paste.take(chunk[at] ?? 0);
          continue;
        }
        flush(at);
        from = end;
        if (!key.isRelease) {
          if (!hasPrefix) hasPrefix = true;
          else {
            hasPrefix = false;
            if (!isPrefix)
              return [...steps, { kind: 'command', key: key.name ?? keyName(key.code), rest: chunk.subarray(end) }];
            steps.push({ kind: 'send', bytes: chunk.subarray(at, end) });
          }
        }
        at = end;
      }
      flush(chunk.length);
      return steps;
    },
  };
}

/** Returns the byte of a key: `C-]` → 1d. */
function prefixByte(prefix: string): number {
  return prefix.toUpperCase().charCodeAt(prefix.length - 1) & CTRL_MASK;
}

/** Returns the label of a key: `C-]` → `Ctrl-]`. */
export const prefixName = (prefix: string): string => prefix.replace(/^C-/, 'Ctrl-');

/**
 * Returns the notice for a key after the prefix that has no action.
 *
 * @param prefix  The label of the prefix key.
 */
export const keyWithoutAction = (prefix: string, key: string): string =>
  `${key === '' ? `this key after ${prefix}` : `${prefix} ${key}`} does nothing; ${prefix} ? shows the keys`;

function keyName(code: number): string {
  if (code === 0x09) return 'Tab';
  if (code === 0x0d) return 'Enter';
  if (code === ESC) return 'Escape';
  return code > 0x20 && code < 0x7f ? String.fromCharCode(code) : '';
}

interface Key {
  readonly length: number;
  /** The byte that a plain terminal would send: Ctrl-] is 1d in every encoding. */
  readonly code: number;
  readonly isRelease: boolean;
  /** Set for arrows, and for the keys of pages. */
  readonly name?: string;
}

/** Final characters of the sequences of arrows: ESC [ A, and ESC O A in the mode of application cursor keys. */
const ARROWS: Readonly<Record<string, string>> = { A: 'Up', B: 'Down', C: 'Right', D: 'Left' };
const APPLICATION = 0x4f;
const PAGES: Readonly<Record<string, string>> = { 5: 'PageUp', 6: 'PageDown' };

/** Reads the key at a position: one byte or a whole escape sequence. */
function readKey(chunk: Buffer, at: number): Key {
  const code = chunk[at] ?? 0;
  const applied = ARROWS[String.fromCharCode(chunk[at + 2] ?? 0)];
  if (code === ESC && chunk[at + 1] === APPLICATION && applied !== undefined)
    return { length: 3, code: -1, isRelease: false, name: applied };
  if (code !== ESC || chunk[at + 1] !== BRACKET) return { length: 1, code, isRelease: false };
  const text = chunk.toString('latin1', at, at + MAX_KEY_BYTES);
  const whole = /^\x1b\[([0-9:;?<>=]*)([@-~])/.exec(text);
  if (!whole) return { length: 1, code, isRelease: false };
  const [sequence, params = '', final] = whole;
  const fields = params.split(';');
  const [first, second, third] = fields;
  const length = sequence.length;
  if (final === 'u') return { length, ...modified(first, second) };
  if (final === '~' && first === '27' && third !== undefined) return { length, ...modified(third, second) };
  const name = final === '~' ? PAGES[params] : ARROWS[final ?? ''];
  return { length, code: -1, isRelease: false, ...(name !== undefined && { name }) };
}

const SHIFT = 1;
const CTRL = 4;
const LOCKS = 64 | 128;

/**
 * @param key The code point, optionally followed by alternates after colons.
 * @param how 1 + modifiers, optionally followed by the type of the event.
 */
function modified(key = '', how = '1'): Pick<Key, 'code' | 'isRelease'> {
  const code = Number.parseInt(key, 10);
  const [mask = '1', event] = how.split(':');
  const modifiers = (Number.parseInt(mask, 10) - 1) & ~LOCKS;
  const isRelease = event === '3';
  const isModifierKey = code >= 57441 && code <= 57454; // Shift, Control and so on alone
  if (isModifierKey) return { code: -1, isRelease: true };
  if (modifiers === CTRL) return { code: code & CTRL_MASK, isRelease };
  return { code: (modifiers & ~SHIFT) === 0 ? code : -1, isRelease };
}

/** Tracks ESC [ 2 0 0 ~ and ESC [ 2 0 1 ~ byte by byte. */
function createPasteWatch() {
  const opening = '\x1b[200~';
  let isOpen = false;
  let matched = 0;
  return {
    get isOpen() {
      return isOpen;
    },
    take(byte: number): void {
      const wanted = matched === 4 ? (isOpen ? 0x31 : 0x30) : opening.charCodeAt(matched);
      matched = byte === wanted ? matched + 1 : byte === ESC ? 1 : 0;
      if (matched < opening.length) return;
      matched = 0;
      isOpen = !isOpen;
    },
  };
}
