/**
 * The person's clipboard while a session is attached: written only with consent, read never.
 *
 * In:   what a program wants to write, lines that the person copies. Out: OSC 52 on the terminal; words where it is not
 *       allowed, said once.
 */
import type { AttachView } from './attach-view.js';

export interface AttachClipboard {
  /** @returns What to say of it. */
  copy(text: string): string;
  /** @param data  Base64, of a program. */
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
