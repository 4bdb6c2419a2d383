/** The person's own terminal: what has to be put back after a program, or the TUI, had it. */

/**
 * Everything that programs are known to leave behind. The order matters: what belongs to the alternate screen is undone
 * on it first. Harmless where nothing was left.
 */
const TO_MAIN = [
  '\x1b[?2026l', // synchronized output
  '\x1b[<u', // kitty keyboard, of this screen
  '\x1b[?69l\x1b[r\x1b[?6l', // margins, scroll region, origin
  '\x1b[?1049l', // alternate screen; the cursor as it was
].join('');
const RESET = [
  '\x1b[<u', // kitty keyboard, of the main one
  '\x1b[>4m', // modifyOtherKeys
  '\x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l', // mouse
  '\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l', // its encodings
  '\x1b[?1004l', // focus
  '\x1b[?2004l', // bracketed paste
  '\x1b[?2031l\x1b[?2048l', // colour scheme and size reports
  '\x1b[?7h\x1b[4l\x1b[20l', // wrapping, inserting, newlines
  '\x1b[?1l\x1b>', // application cursor keys and keypad
  '\x1b(B\x0f', // characters
  '\x1b]104\x07\x1b]110\x07\x1b]111\x07\x1b]112\x07', // palette and colours
  '\x1b[0m\x1b[0 q\x1b[?25h', // attributes, cursor's shape, cursor
  '\x1b]2;\x07\x1b[23;0t', // title: empty, or as it was where the terminal keeps titles
].join('');

/** Keeps the title, to be put back by the reset. */
export const KEEP_TITLE = '\x1b[22;0t';

/** @param title  Fit to be shown. */
export const setTitle = (title: string): string => `\x1b]2;${title}\x07`;

/**
 * Resets.
 *
 * @param rows  Where the program had the main screen: its rows, and the cursor is left on a fresh line below. Null: it
 *              had the
 *              alternate one, and the main one, with its cursor, is as it was.
 */
export const resetTerminal = (rows: number | null): string =>
  rows === null ? TO_MAIN + RESET : `${TO_MAIN}\x1b[?69l\x1b[r\x1b[?6l${RESET}\x1b[${rows};1H\r\n`;

export const ENTER_TUI = '\x1b[?1049h\x1b[?7l\x1b[?25l\x1b[?2004h\x1b[?1004h\x1b[0m\x1b[2J';
export const LEAVE_TUI = '\x1b[?2026l\x1b[0m\x1b[?1004l\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l';

/**
 * Runs `restore` once, however this ends: by the returned function, a signal that ends the process, or an error.
 *
 * A signal ends the process after the restoring, with the exit code that shells give it.
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
