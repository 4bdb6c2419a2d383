/**
 * Looking back at a session without attaching to it: its scrollback and its screen on the whole terminal, living or
 * ended, in the copy mode of an attached session.
 *
 * In:   keys and the wheel. Out: rows on the alternate screen. The terminal is always restored.
 */
import type { Client } from '../../client/index.js';
import type { Session } from '../../protocol/index.js';
import type { Paint } from '../paint/paint.js';
import { ENTER_TUI, LEAVE_TUI, whenOver } from '../paint/terminal-reset.js';
import { plainLine } from '../paint/text.js';
import { sizeOf } from './attach-target.js';
import { copyLines } from './display/index.js';
import { type Chosen, type CopyChoice, createCopy, createStage, MAX_SCROLLBACK } from './overlays/index.js';

interface LookBackOptions {
  readonly client: Client;
  readonly session: Pick<Session, 'id' | 'name'>;
  readonly paint: Paint;
  readonly hasMouse: boolean;
  /** Default: standard input and output. */
  readonly streams?: { readonly stdin: NodeJS.ReadStream; readonly stdout: NodeJS.WriteStream };
}

/**
 * Resolves when the person leaves, or the terminal is gone.
 * @throws {OrchdError} The daemon's refusal. The terminal is then unchanged.
 */
export async function lookBack({ client, session, ...options }: LookBackOptions): Promise<void> {
  const { text } = await client.call('session.capture', {
    session: session.id,
    ansi: true,
    scrollback: MAX_SCROLLBACK,
  });
  await showRows({ ...options, title: plainLine(session.name), rows: text.replace(/\n$/, '').split('\n') });
}

interface ShowOptions extends Pick<LookBackOptions, 'paint' | 'hasMouse' | 'streams'> {
  readonly title: string;
  /** Rows with SGR sequences. */
  readonly rows: readonly string[];
  /** True to begin with the first row. Default: with the last. */
  readonly startsAtTop?: boolean;
  /** Rows to which `]` and `[` go. */
  readonly stops?: readonly number[];
  /** The keys that the foot row names. */
  readonly keys?: string;
  /** Further entries that the person can choose. Choosing one leaves the view. */
  readonly choices?: readonly CopyChoice[];
}

/**
 * Shows rows on the whole terminal, to scroll, search and copy. Resolves when the person leaves.
 * @returns  The choice that the person left with; null for none.
 */
export async function showRows({ paint, hasMouse, streams, choices, ...shown }: ShowOptions): Promise<Chosen | null> {
  const { stdin, stdout } = streams ?? process;
  let chosen: Chosen | null = null;
  await new Promise<void>((resolve) => {
    const write = (bytes: string): void => void stdout.write(bytes);
    const overlay = createCopy({
      paint,
      ...shown,
      ...(choices && { choices }),
      choose: (choice) => {
        chosen = choice;
      },
      copy: (lines) => copyLines(write, lines),
      redraw: () => stage.draw(),
      close: () => end(),
    });
    write(ENTER_TUI);
    const stage = createStage({ overlay, hasMouse, size: () => sizeOf(stdout), write });
    const onData = (chunk: Buffer): void => {
      const rest = stage.push(chunk);
      if (rest.length > 0) stdin.unshift(rest); // for the caller, which reads the terminal again
    };
    const onResize = (): void => {
      write('\x1b[m\x1b[2J');
      stage.draw(true);
    };
    const leave = whenOver(() => {
      stage.end();
      stdin.setRawMode?.(false);
      write(LEAVE_TUI);
    });
    const end = (): void => {
      stdin.off('data', onData);
      stdin.off('end', end);
      stdin.pause();
      stdout.off('resize', onResize);
      leave();
      resolve();
    };
    stdin.setRawMode?.(true);
    stdin.on('data', onData);
    stdin.on('end', end);
    stdin.resume();
    stdout.on('resize', onResize);
    stage.draw();
  });
  return chosen;
}
