/**
 * Tracks the states that a snapshot by xterm's serializer leaves out: hidden cursor, mouse encodings, title, the shape
 * of the cursor, keyboard protocols. Parser hooks watch them and let every sequence through. restore.ts reads the
 * states that are in the emulator itself.
 */
import type { Terminal } from '@xterm/headless';
import type { Settings } from '../rows/picture.js';

/**
 * DEC private modes that the serializer does not write: 25 cursor, 1005/1006/1015/1016 mouse encodings, 2031 colour
 * reports.
 */
const WATCHED = new Set([1005, 1006, 1015, 1016, 2031]);
const MOUSE_MODES = { none: null, x10: 9, vt200: 1000, drag: 1002, any: 1003 } as const;
/** Maximum number of stacked flags of the kitty keyboard protocol, to which a program can return. */
const MAX_KEY_FLAGS = 16;

interface TrackedModes {
  readonly isCursorHidden: boolean;
  /** The current settings; the same object while they have not changed. */
  readonly settings: Settings;
  /** Returns sequences that set the states that the serializer leaves out. */
  restore(title: string): string;
}

export function trackModes(terminal: Terminal): TrackedModes {
  const set = new Set<number>();
  let isCursorHidden = false;
  let cursorStyle = 0;
  let otherKeys = 0;
  /** The stacks of flags of the main and of the alternate screen, the newest last. */
  const keyFlags = { normal: [0], alternate: [0] };
  let shown: Settings | null = null;
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
    cursorStyle = 0;
    otherKeys = 0;
    keyFlags.normal = [0];
    keyFlags.alternate = [0];
    return false;
  };
  const flagsNow = (): number[] => keyFlags[terminal.buffer.active.type];
  terminal.parser.registerCsiHandler({ prefix: '?', final: 'h' }, onMode(true));
  terminal.parser.registerCsiHandler({ prefix: '?', final: 'l' }, onMode(false));
  terminal.parser.registerCsiHandler({ intermediates: '!', final: 'p' }, reset);
  terminal.parser.registerEscHandler({ final: 'c' }, reset);
  terminal.parser.registerCsiHandler({ intermediates: ' ', final: 'q' }, ([style]) => {
    if (typeof style === 'number' && style <= 6) cursorStyle = style;
    return false;
  });
  terminal.parser.registerCsiHandler({ prefix: '>', final: 'm' }, ([what, value]) => {
    if (what === 4) otherKeys = typeof value === 'number' ? Math.min(value, 2) : 0;
    return false;
  });
  // The kitty keyboard protocol: push, pop, set.
  terminal.parser.registerCsiHandler({ prefix: '>', final: 'u' }, ([flags]) => {
    const stack = flagsNow();
    stack.push(typeof flags === 'number' ? flags : 0);
    if (stack.length > MAX_KEY_FLAGS) stack.shift();
    return false;
  });
  terminal.parser.registerCsiHandler({ prefix: '<', final: 'u' }, ([count]) => {
    const stack = flagsNow();
    stack.splice(Math.max(0, stack.length - (typeof count === 'number' && count > 0 ? count : 1)));
    if (stack.length === 0) stack.push(0);
    return false;
  });
  terminal.parser.registerCsiHandler({ prefix: '=', final: 'u' }, ([flags, how]) => {
    const stack = flagsNow();
    const given = typeof flags === 'number' ? flags : 0;
    const before = stack.pop() ?? 0;
    stack.push(how === 2 ? before | given : how === 3 ? before & ~given : given);
    return false;
  });

  return {
    get isCursorHidden() {
      return isCursorHidden;
    },
    get settings() {
      const { modes } = terminal;
      const mouse = MOUSE_MODES[modes.mouseTrackingMode];
      const next: Settings = {
        modes: [
          ...(modes.applicationCursorKeysMode ? [1] : []),
          ...(mouse === null ? [] : [mouse]),
          ...(modes.sendFocusMode ? [1004] : []),
          ...set,
          ...(modes.bracketedPasteMode ? [2004] : []),
        ],
        hasKeypad: modes.applicationKeypadMode,
        cursorStyle,
        keyFlags: flagsNow().at(-1) ?? 0,
        otherKeys,
      };
      if (shown === null || !isSameSettings(shown, next)) shown = next;
      return shown;
    },
    restore(title) {
      let text = '';
      for (const mode of set) text += `\x1b[?${mode}h`;
      if (isCursorHidden) text += '\x1b[?25l';
      if (cursorStyle !== 0) text += `\x1b[${cursorStyle} q`;
      if (otherKeys !== 0) text += `\x1b[>4;${otherKeys}m`;
      for (const flags of flagsNow().slice(1)) text += `\x1b[>${flags}u`;
      if (title !== '') text += `\x1b]2;${title}\x07`;
      return text;
    },
  };
}

const isSameSettings = (a: Settings, b: Settings): boolean =>
  a.modes.join() === b.modes.join() &&
  a.hasKeypad === b.hasKeypad &&
  a.cursorStyle === b.cursorStyle &&
  a.keyFlags === b.keyFlags &&
  a.otherKeys === b.otherKeys;
