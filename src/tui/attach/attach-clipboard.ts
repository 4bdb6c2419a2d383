/**
 * Access to the person's clipboard while a session is attached. Writing needs consent in the configuration; the
 * clipboard is never read.
 *
 * In:   the text that a program wants to write, and lines that the person copies.
 * Out:  OSC 52 on the terminal. If writing is not allowed, a notice says so once.
 */
import type { AttachView } from './attach-view.js';

export interface AttachClipboard {
  /** @returns  The notice to show. */
  copy(text: string): string;
  /** @param data  Base64, written by a program. */
  take(data: string): void;
}

const CONSENT = 'tui.clipboard = "write" in the configuration allows it';

export function createClipboard(view: AttachView, isAllowed: boolean): AttachClipboard {
  let wasTold = false;
  const write = (data: string): void => view.send(`\x1b]52;c;${data}\x07`);
  return {
    copy(text) {
      if (!isAllowed) return CONSENT;
      write(Buffer.from(text).toString('base64'));
      const lines = text.split('\n').length;
      return `${lines} line${lines === 1 ? '' : 's'} copied`;
    },
    take(data) {
      if (isAllowed) write(data);
      else if (!wasTold && !view.isOverlaid) {
        wasTold = true;
        view.say(`the program wants to write to your clipboard: ${CONSENT}`);
      }
    },
  };
}
