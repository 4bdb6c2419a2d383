/**
 * What a snapshot by xterm's serializer leaves out: hidden cursor, mouse encodings, scroll region, title. Watched by parser hooks
 * that let every sequence through. A saved cursor (DECSC) is left out by both: it is (1,1) in a restored screen.
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
  let region: readonly [number, number] | null = null;
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
    region = null;
    return false;
  };
  terminal.parser.registerCsiHandler({ prefix: '?', final: 'h' }, onMode(true));
  terminal.parser.registerCsiHandler({ prefix: '?', final: 'l' }, onMode(false));
  terminal.parser.registerCsiHandler({ final: 'r' }, ([top, bottom]) => {
    const first = (typeof top === 'number' && top) || 1;
    const last = (typeof bottom === 'number' && bottom) || terminal.rows;
    region = first === 1 && last >= terminal.rows ? null : [first, last];
    return false;
  });
  terminal.parser.registerCsiHandler({ intermediates: '!', final: 'p' }, reset);
  terminal.parser.registerEscHandler({ final: 'c' }, reset);
  const widen = () => {
    region = null;
    return false;
  };
  terminal.parser.registerEscHandler({ intermediates: '#', final: '8' }, widen);
  terminal.onResize(widen);

  return {
    get isCursorHidden() {
      return isCursorHidden;
    },
    restore(title) {
      const { cursorX, cursorY } = terminal.buffer.active;
      let text = '';
      if (region) text += `\x1b[${region[0]};${region[1]}r\x1b[${cursorY + 1};${cursorX + 1}H`;
      for (const mode of set) text += `\x1b[?${mode}h`;
      if (isCursorHidden) text += '\x1b[?25l';
      if (title !== '') text += `\x1b]2;${title}\x07`;
      return text;
    },
  };
}
