/**
 * Access to the person's clipboard while a session is attached. A program needs consent to write: that of the
 * configuration, or a key for each text. The clipboard is never read.
 *
 * In:   the text that a program wants to write, and lines that the person copies.
 * Out:  OSC 52 on the terminal. If a program may not write, a notice shows the text and the key that allows it.
 */
import { plainLine } from '../../paint/text.js';
import type { AttachView } from './attach-view.js';

export interface AttachClipboard {
  /** @returns  The notice to show. */
  copy(text: string): string;
  /** @param data  Base64 text from a program's clipboard sequence. */
  take(data: string): void;
  /** Writes the text that the program wanted to write last. */
  allow(): void;
  /** Forgets that text, because another session is attached. */
  forget(): void;
}

/** Characters of the text that the notice shows. */
const SHOWN_CHARS = 24;

/** @param key  The keys that call `allow`, such as `Ctrl-] y`. */
export function createClipboard(view: AttachView, isAllowed: boolean, key: string): AttachClipboard {
  let asked: string | null = null;
  return {
    copy: (text) => copyLines((bytes) => view.send(bytes), text),
    take(data) {
      if (isAllowed) {
        view.send(sequence(data));
        return;
      }
      if (data === asked) return; // a program that repeats itself does not cover other notices
      asked = data;
      if (!view.isOverlaid) view.say(`the program wants to copy ${excerptOf(data)}: ${key} allows it`);
    },
    allow() {
      if (asked === null) {
        view.say('the program has copied nothing');
        return;
      }
      view.send(sequence(asked));
      view.say(`${excerptOf(asked)} copied`);
      asked = null;
    },
    forget() {
      asked = null;
    },
  };
}

const sequence = (base64: string): string => `\x1b]52;c;${base64}\x07`;

function excerptOf(base64: string): string {
  const text = plainLine(Buffer.from(base64, 'base64').toString());
  const chars = [...text];
  return `“${chars.slice(0, SHOWN_CHARS).join('')}${chars.length > SHOWN_CHARS ? '…' : ''}”`;
}

/**
 * Writes lines to the person's clipboard by OSC 52.
 * @returns The notice to show.
 */
export function copyLines(write: (bytes: string) => void, text: string): string {
  write(sequence(Buffer.from(text).toString('base64')));
  const lines = text.split('\n').length;
  return `${lines} line${lines === 1 ? '' : 's'} copied`;
}
