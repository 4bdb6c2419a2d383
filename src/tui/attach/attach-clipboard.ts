/**
 * Access to the person's clipboard while a session is attached. A program needs consent in the configuration to write;
 * the clipboard is never read.
 *
 * In:   the text that a program wants to write, and lines that the person copies.
 * Out:  OSC 52 on the terminal. If a program may not write, a notice says so once.
 */
import type { AttachView } from './attach-view.js';

export interface AttachClipboard {
  /** @returns  The notice to show. */
  copy(text: string): string;
  /** @param data  Base64 text from a program's clipboard sequence. */
  take(data: string): void;
}

const CONSENT = 'tui.clipboard = "write" in the configuration allows it';

export function createClipboard(view: AttachView, isAllowed: boolean): AttachClipboard {
  let isAnnounced = false;
  return {
    copy: (text) => copyLines((bytes) => view.send(bytes), text),
    take(data) {
      if (isAllowed) view.send(sequence(data));
      else if (!isAnnounced && !view.isOverlaid) {
        isAnnounced = true;
        view.say(`the program wants to write to your clipboard: ${CONSENT}`);
      }
    },
  };
}

const sequence = (base64: string): string => `\x1b]52;c;${base64}\x07`;

/**
 * Writes lines to the person's clipboard by OSC 52.
 * @returns The notice to show.
 */
export function copyLines(write: (bytes: string) => void, text: string): string {
  write(sequence(Buffer.from(text).toString('base64')));
  const lines = text.split('\n').length;
  return `${lines} line${lines === 1 ? '' : 's'} copied`;
}
