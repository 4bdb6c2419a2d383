/**
 * The person's terminal while the TUI uses it: alternate screen, raw mode, keys, frames.
 *
 * The terminal is always restored. `close` releases it, and another surface can be opened later.
 */
import { type Instance, render } from 'ink';
import type { Size } from '../protocol/index.js';
import type { Effect } from './acts/ui-state.js';
import { App } from './app.js';
import type { TerminalNotifier } from './effects/terminal-notifier.js';
import { createKeyReader, type Key } from './input/key-reader.js';
import { ESCAPE_MS } from './model/timing.js';
import { FrameWriter } from './paint/frame-writer.js';
import { RowMarks } from './paint/row-marks.js';
import { RowMarksContext } from './paint/rows-view.js';
import { ENTER_TUI, LEAVE_TUI, MOUSE, whenOver } from './paint/terminal-reset.js';
import { screenRows } from './rows/screen-rows.js';
import { keyLineRows } from './screens/index.js';
import { screenPlace } from './view/regions.js';
import { shownSession } from './view/shown-session.js';
import type { Store } from './view/store.js';

interface Surface {
  nextEffect(): Promise<Effect>;
  /** Draws a frame now and writes all of its rows. */
  redraw(): void;
  close(): Promise<void>;
}

/**
 * Enables the kitty keyboard protocol, which distinguishes Shift-Enter from Enter. The setting applies to the alternate
 * screen.
 */
const EXACT_KEYS = { on: '\x1b[>1u', off: '\x1b[<u' } as const;
/** Effects that release the terminal. Input typed after them was not meant for the TUI. */
const LEAVING: ReadonlySet<Effect['kind']> = new Set(['attach', 'look_back', 'grid', 'diff', 'edit', 'quit']);

/** A function that creates the notifier for this terminal. */
export type OpenNotifier = (streams: Pick<NodeJS.Process, 'stdin' | 'stdout'>) => TerminalNotifier;

export function sizeNow(): Size {
  return { cols: process.stdout.columns || 80, rows: process.stdout.rows || 24 };
}

export function openSurface(store: Store, hasMouse: boolean, openNotifier: OpenNotifier): Surface {
  const { stdin, stdout } = process;
  const effects = new EffectQueue();
  const marks = new RowMarks(() => sizeNow().cols);
  const writer = new FrameWriter(stdout, marks);
  const redraw = (): void => {
    writer.repaint();
    store.resize(sizeNow());
  };
  const stopViews = store.onView(() => drawView(store, writer));

  stdout.write(`${ENTER_TUI}${EXACT_KEYS.on}${hasMouse ? MOUSE.on : ''}`);
  const leave = whenOver(() => {
    writer.close();
    stdin.setRawMode?.(false);
    stdout.write(`${hasMouse ? MOUSE.off : ''}${EXACT_KEYS.off}${LEAVE_TUI}`);
  });
  stdin.setRawMode?.(true);
  const stopKeys = readKeys(store, effects);
  const notifier = openNotifier({ stdin, stdout });
  stdin.resume();
  stdout.on('resize', redraw);
  store.resize(sizeNow());
  const ink = renderApp(store, writer, marks);

  return {
    nextEffect: () => effects.next(),
    redraw() {
      stdout.write('\x1b[2J');
      redraw();
    },
    close() {
      stopViews();
      stopKeys();
      stdin.pause();
      stdout.off('resize', redraw);
      leave();
      ink.unmount();
      ink.cleanup();
      return notifier.close();
    },
  };
}

/** The effects of keys, in the order in which they are carried out. */
class EffectQueue {
  readonly #effects: Effect[] = [];
  #wake: () => void = () => {};

  put(effect: Effect): void {
    this.#effects.push(effect);
    this.#wake();
  }

  /** Resolves with the next effect, once there is one. */
  async next(): Promise<Effect> {
    for (;;) {
      const effect = this.#effects.shift();
      if (effect) return effect;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/** Reads keys from stdin. Returns a function that ends it. */
function readKeys(store: Store, effects: EffectQueue): () => void {
  const { stdin } = process;
  const reader = createKeyReader();
  let escaping: NodeJS.Timeout | undefined;
  const press = (keys: readonly Key[]): void => {
    for (const key of keys) {
      const effect = store.press(key);
      if (!effect) continue;
      effects.put(effect);
      if (LEAVING.has(effect.kind)) return;
    }
  };
  const onData = (chunk: Buffer): void => {
    clearTimeout(escaping);
    press(reader.push(chunk));
    if (reader.isWaiting) escaping = setTimeout(() => press(reader.flush()), ESCAPE_MS);
  };
  const onHangup = (): void => effects.put({ kind: 'quit' });
  stdin.on('data', onData);
  stdin.on('end', onHangup);
  return () => {
    clearTimeout(escaping);
    stdin.off('data', onData);
    stdin.off('end', onHangup);
  };
}

/**
 * Draws the screen of the shown session without Ink, which would render everything: a busy session changes its screen
 * many times a second.
 */
function drawView(store: Store, writer: FrameWriter): void {
  const state = store.get();
  const place = screenPlace(state);
  if (!place) return;
  const rows = screenRows(state.paint, place.area, shownSession(state), state.view);
  // A long notice covers the lowest rows.
  writer.patch(place.x, place.y, rows.slice(0, Math.max(0, state.size.rows - keyLineRows(state) - place.y)));
}

const renderApp = (store: Store, writer: FrameWriter, marks: RowMarks): Instance =>
  render(
    <RowMarksContext value={marks}>
      <App store={store} />
    </RowMarksContext>,
    {
      stdout: writer.stream as unknown as NodeJS.WriteStream, // it has everything that Ink uses
      stdin: process.stdin,
      // Ink writes every frame completely in one write. The frame writer finds the changes, and the store limits the
      // rate.
      debug: true,
      onRender: () => store.drawn(),
      patchConsole: false,
      exitOnCtrlC: false,
    },
  );
