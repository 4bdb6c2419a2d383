/** What the emulator does otherwise than a terminal should, put right from outside. What cannot be: protocol/screen.md. */
import type { Terminal } from '@xterm/headless';

/**
 * Hyperlinks (OSC 8) are passed over: the emulator calls a linked cell underlined, so that a capture, and a screen restored from a
 * snapshot, would show a line that the program never drew.
 */
export function correct(terminal: Terminal): void {
  terminal.parser.registerOscHandler(8, () => true);
}
