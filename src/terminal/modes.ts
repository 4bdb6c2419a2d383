/**
 * What a snapshot by xterm's serializer leaves out: hidden cursor, mouse encodings, title. Watched by parser hooks
 * that let every sequence through. What can be read from the emulator itself is in restore.ts.
 */
import type { Terminal } from '@xterm/headless';

/** DEC private modes that the serializer does not write: 25 cursor, 1005/1006/1015/1016 mouse encodings, 2031 colour reports. */
const WATCHED = new Set([1005, 1006, 1015, 1016, 2031]);

export interface TrackedModes {
  readonly isCursorHidden: boolean;
  /** Escape sequences that set what the serializer left out. */
  restore(title: string): string;
}

export function trackModes(terminal: Terminal): TrackedModes {
  const set = new Set<number>();
  let isCursorHidden = false;
  const onMode = (isOn: boolean) => (params: readonly (number | number[])[]) => {
    for (const mode of params) {
      if (mode === 25) isCursorHidden = !isOn;
      else if (typeof mode === 'number' && WATCHED.has(mode)) set[isOn ? 'add' : 'delete'](mode);
    }
    return false;
  };
  const reset = () => {
    set.clear();
    isCursorHidden = false;
    return false;
  };
  terminal.parser.registerCsiHandler({ prefix: '?', final: 'h' }, onMode(true));
  terminal.parser.registerCsiHandler({ prefix: '?', final: 'l' }, onMode(false));
  terminal.parser.registerCsiHandler({ intermediates: '!', final: 'p' }, reset);
  terminal.parser.registerEscHandler({ final: 'c' }, reset);

  return {
    get isCursorHidden() {
      return isCursorHidden;
    },
    restore(title) {
      let text = '';
      for (const mode of set) text += `\x1b[?${mode}h`;
      if (isCursorHidden) text += '\x1b[?25l';
      if (title !== '') text += `\x1b]2;${title}\x07`;
      return text;
    },
  };
}
