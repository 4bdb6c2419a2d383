/**
 * The wheel of an attached terminal: it looks back, unless the program wants the mouse.
 *
 * In:   output of the session, and what the person types.
 * Out:  mouse modes to send to the terminal; the typed bytes without the mouse reports that orchd has asked for.
 * While the program uses the mouse, its modes and all reports pass unchanged. Without it, orchd enables clicks and the
 * wheel itself: most terminals would otherwise turn the wheel into arrow keys, which are the history of a shell.
 */
import { MOUSE } from '../paint/terminal-reset.js';

/** The modes in which a terminal reports the mouse. orchd sets one encoding beside them. */
const TRACKING: ReadonlySet<number> = new Set([9, 1000, 1002, 1003]);
const SGR = 1006;
const WHEEL_UP = 64;
/** Maximum length of a control sequence that sets modes. */
const MAX_SEQUENCE = 64;

export interface AttachMouse {
  /**
   * Looks in the program's output for mouse modes.
   * @returns The sequence to send after the output; '' for none.
   */
  wrote(bytes: Uint8Array): string;
  /** Returns the sequence that enables the mouse again after the terminal was used for something else. */
  again(): string;
  /** Returns the sequence that gives the mouse back to the terminal; '' if orchd does not use it. */
  off(): string;
  /** Removes mouse reports that orchd requested from the input. */
  typed(chunk: Buffer): { readonly rest: Buffer; readonly isWheelUp: boolean };
}

export function createAttachMouse(): AttachMouse {
  const tracking = new Set<number>();
  let hasSgr = false;
  let isOwn = false;
  /**
   * True if the session's output has disabled a mouse mode since orchd enabled the mouse. The daemon does so too: each
   * complete screen that it sends begins with a reset of all modes. orchd then enables the mouse again.
   */
  let isLost = false;
  /** The beginning of a control sequence that continues in the next output. */
  let open = '';
  /** The beginning of a mouse report that continues in the next input. */
  let report = '';

  function set(modes: string, isOn: boolean): void {
    for (const mode of modes.split(';').map(Number)) {
      if (mode === SGR) hasSgr = isOn;
      else if (TRACKING.has(mode)) tracking[isOn ? 'add' : 'delete'](mode);
      else continue;
      isLost ||= !isOn;
    }
  }

  function on(): string {
    isOwn = true;
    isLost = false;
    return MOUSE.on;
  }

  return {
    wrote(bytes) {
      if (open === '' && !bytes.includes(0x1b)) return '';
      const text = open + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
      for (const [, modes = '', final] of text.matchAll(/\x1b\[\?([\d;]*)([hl])/g)) set(modes, final === 'h');
      const cut = /\x1b(?:\[[?\d;]*)?$/.exec(text)?.[0] ?? '';
      open = cut.length > MAX_SEQUENCE ? '' : cut;
      // The output ends within a sequence. Another sequence there would break it.
      if (open !== '') return '';
      if (tracking.size > 0) {
        const isEncoded = isOwn && !hasSgr;
        isOwn = false;
        return isEncoded ? `\x1b[?${SGR}l` : '';
      }
      return isOwn && !isLost ? '' : on();
    },
    again() {
      return tracking.size > 0 ? '' : on();
    },
    off() {
      if (!isOwn) return '';
      isOwn = false;
      return MOUSE.off;
    },
    typed(chunk) {
      if (!isOwn) return { rest: chunk, isWheelUp: false };
      const text = report + chunk.toString('latin1');
      report = /\x1b\[<[\d;]*$/.exec(text)?.[0] ?? '';
      let isWheelUp = false;
      const rest = text
        .slice(0, text.length - report.length)
        .replaceAll(/\x1b\[<(\d+);\d+;\d+[Mm]/g, (_all, button) => {
          if (Number(button) === WHEEL_UP) isWheelUp = true;
          return '';
        });
      return { rest: Buffer.from(rest, 'latin1'), isWheelUp };
    },
  };
}
