/** Sequences that restore the person's terminal after a program or the TUI has used it. */

/**
 * Undoes every mode that programs are known to leave set. The order matters: settings of the alternate screen are
 * undone before it is left. Harmless if no mode was set.
 */
const TO_MAIN = [
  '\x1b[?2026l', // synchronized output
  '\x1b[<u', // Keyboard protocol of kitty, on this screen.
  '\x1b[?69l\x1b[r\x1b[?6l', // margins, scroll region, origin
  '\x1b[?1049l', // alternate screen; restores the cursor
].join('');
const RESET = [
  '\x1b[<u', // kitty keyboard of the main screen
  '\x1b[>4m', // modifyOtherKeys
  '\x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l', // mouse
  '\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l', // Mouse encodings.
  '\x1b[?1004l', // focus
  '\x1b[?2004l', // bracketed paste
  '\x1b[?2031l\x1b[?2048l', // colour scheme reports and size reports
  '\x1b[?7h\x1b[4l\x1b[20l', // wrapping, inserting, newlines
  '\x1b[?1l\x1b>', // application cursor keys and keypad
  '\x1b(B\x0f', // Character sets.
  '\x1b]104\x07\x1b]110\x07\x1b]111\x07\x1b]112\x07', // palette and colours
  '\x1b[0m\x1b[0 q\x1b[?25h', // attributes, cursor's shape, cursor
  '\x1b]2;\x07\x1b[23;0t', // title: empty, or the saved one if the terminal can save titles
].join('');

/** Saves the title; the reset restores it. */
export const KEEP_TITLE = '\x1b[22;0t';

/** @param title  A text that is safe to display. */
export const setTitle = (title: string): string => `\x1b]2;${title}\x07`;

/**
 * Returns the sequence that resets the terminal.
 *
 * @param rows Number of rows if the program used the main screen: the cursor ends on a new line below them. Null if it
 *   used the alternate screen: the main screen and its cursor are unchanged.
 */
export const resetTerminal = (rows: number | null): string =>
  rows === null ? TO_MAIN + RESET : `${TO_MAIN}\x1b[?69l\x1b[r\x1b[?6l${RESET}\x1b[${rows};1H\r\n`;

/** Enables clicks and the wheel, with the SGR encoding for columns beyond 223. */
export const MOUSE = { on: '\x1b[?1000h\x1b[?1006h', off: '\x1b[?1006l\x1b[?1000l' } as const;

export const ENTER_TUI = '\x1b[?1049h\x1b[?7l\x1b[?25l\x1b[?2004h\x1b[?1004h\x1b[0m\x1b[2J';
export const LEAVE_TUI = '\x1b[?2026l\x1b[0m\x1b[?1004l\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l';

/**
 * Runs `restore` once: when the returned function is called, a signal ends the process, or an error is thrown.
 *
 * After a signal, the process ends with the usual exit code for that signal.
 */
export function whenOver(restore: () => void): () => void {
  let isDone = false;
  const once = (): void => {
    if (isDone) return;
    isDone = true;
    process.off('exit', once);
    process.off('uncaughtExceptionMonitor', once);
    for (const signal of SIGNALS) process.off(signal, onSignal);
    restore();
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    once();
    process.exit(SIGNAL_EXIT[signal] ?? 1);
  };
  process.once('exit', once);
  process.once('uncaughtExceptionMonitor', once);
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return once;
}

const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;
const SIGNAL_EXIT: Readonly<Partial<Record<NodeJS.Signals, number>>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };
