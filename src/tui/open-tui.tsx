/**
 * Opens the TUI on the person's terminal and carries out what keys ask for: answering, attaching, leaving.
 *
 * The alternate screen, raw mode and the rest are taken back however it ends; while a session is attached they are given away.
 */
import { type Instance, render } from 'ink';
import type { Client } from '../client/index.js';
import { OrchdError, type Size } from '../protocol/index.js';
import { App } from './app.js';
import { type AttachPreferences, attachTerminal } from './attach-terminal.js';
import { followDaemon } from './follow-daemon.js';
import { createFrameWriter, type FrameWriter } from './frame-writer.js';
import { createKeyReader, type Key } from './key-reader.js';
import { isAlive, openItems } from './model.js';
import { createPaint } from './paint.js';
import type { Deed } from './steering.js';
import { createStore, isScreenShown, type Store, shownSession } from './store.js';
import { openTerminalNotifier, type TerminalNotifier } from './terminal-notifier.js';
import { ENTER_TUI, LEAVE_TUI, whenOver } from './terminal-reset.js';
import { plainLine } from './text.js';
import { watchSession } from './watch-session.js';

export interface OpenTuiOptions {
  readonly client: Client;
  readonly env: NodeJS.ProcessEnv;
  readonly attach: AttachPreferences;
  readonly version: string;
}

const TICK_MS = 1_000;
/** An Escape that nothing follows within this is the key. */
const ESCAPE_MS = 30;

/** @returns What to say when it is over. */
export async function openTui({ client, env, attach, version }: OpenTuiOptions): Promise<string> {
  const end = new AbortController();
  const store = createStore({
    size: sizeNow(),
    paint: createPaint(env),
    prefix: attach.prefix,
    version,
    now: Date.now,
  });
  const watch = watchSession(client, (view) => store.show(view));
  const stopWatching = store.subscribe(() => {
    const state = store.get();
    watch.show(isScreenShown(state) ? (shownSession(state)?.id ?? null) : null);
  });
  const ticking = setInterval(() => store.tick(), TICK_MS);
  // A frame before anything is known.
  const tell: Tell = (streams) =>
    openTerminalNotifier({ client, env, setting: attach.notify, session: () => null, ...streams });
  let surface = openSurface(store, tell);
  const following = followDaemon({
    client,
    take: (input) => store.take(input),
    lastSeq: () => store.get().model.lastSeq,
    now: Date.now,
    signal: end.signal,
  });
  try {
    for (;;) {
      const deed = await surface.nextDeed();
      if (deed.kind === 'quit') return farewell(store);
      if (deed.kind === 'answer') void answer(client, store, deed);
      else {
        await surface.close();
        watch.show(null);
        const words = await sitAt(client, deed.sessionId, attach);
        surface = openSurface(store, tell);
        if (words !== null) store.say(words);
        store.tick();
      }
    }
  } finally {
    await surface.close();
    clearInterval(ticking);
    stopWatching();
    store.close();
    watch.close();
    end.abort();
    await following;
  }
}

function sizeNow(): Size {
  return { cols: process.stdout.columns || 80, rows: process.stdout.rows || 24 };
}

// ── the terminal, while it is ours ───────────────────────────────────────────────────────────────────────────────────────────

interface Surface {
  nextDeed(): Promise<Deed>;
  close(): Promise<void>;
}

type Tell = (streams: Pick<NodeJS.Process, 'stdin' | 'stdout'>) => TerminalNotifier;

function openSurface(store: Store, tell: Tell): Surface {
  const { stdin, stdout } = process;
  const reader = createKeyReader();
  const deeds: Deed[] = [];
  let wake: (() => void) | null = null;
  let escaping: NodeJS.Timeout | undefined;

  const press = (keys: readonly Key[]): void => {
    for (const key of keys) {
      const deed = store.press(key);
      if (!deed) continue;
      deeds.push(deed);
      wake?.();
      if (deed.kind !== 'answer') return; // what follows was not typed here
    }
  };
  const onData = (chunk: Buffer): void => {
    clearTimeout(escaping);
    press(reader.push(chunk));
    if (reader.isWaiting) escaping = setTimeout(() => press(reader.flush()), ESCAPE_MS);
  };
  const onHangup = (): void => {
    deeds.push({ kind: 'quit' });
    wake?.();
  };
  const writer: FrameWriter = createFrameWriter(stdout);
  const onResize = (): void => {
    writer.repaint();
    store.resize(sizeNow());
  };

  stdout.write(ENTER_TUI);
  const leave = whenOver(() => {
    writer.close();
    stdin.setRawMode?.(false);
    stdout.write(LEAVE_TUI);
  });
  stdin.setRawMode?.(true);
  stdin.on('data', onData);
  stdin.on('end', onHangup);
  const notifier = tell({ stdin, stdout });
  stdin.resume();
  stdout.on('resize', onResize);
  store.resize(sizeNow());
  const ink: Instance = render(<App store={store} />, {
    stdout: writer.stream as unknown as NodeJS.WriteStream, // what Ink uses of it is there
    stdin,
    // Every frame whole, on one write: the frame writer finds what changed. The store holds the pace.
    debug: true,
    onRender: () => store.drawn(),
    patchConsole: false,
    exitOnCtrlC: false,
  });

  return {
    async nextDeed() {
      for (;;) {
        const deed = deeds.shift();
        if (deed) return deed;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    close() {
      clearTimeout(escaping);
      stdin.off('data', onData);
      stdin.off('end', onHangup);
      stdin.pause();
      stdout.off('resize', onResize);
      leave();
      ink.unmount();
      ink.cleanup();
      return notifier.close();
    },
  };
}

// ── deeds ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

async function answer(
  client: Client,
  store: Store,
  { itemId, request }: Extract<Deed, { kind: 'answer' }>,
): Promise<void> {
  try {
    await client.call('inbox.answer', { item: itemId, ...request });
    store.answered(itemId, null);
  } catch (error) {
    store.answered(itemId, problemWords(error));
  }
}

/** What went wrong with an answer; of one that came too late, the one that was first. */
function problemWords(error: unknown): string {
  if (!(error instanceof OrchdError)) return `not answered: ${String(error)}`;
  if (error.code !== 'ORCHD_ITEM_CLOSED') return `not answered: ${plainLine(error.message)}`;
  const first = error.details?.['answer'];
  if (typeof first !== 'object' || first === null) return 'not answered: the item was withdrawn';
  const { by, text } = first as { readonly by?: unknown; readonly text?: unknown }; // the daemon's own item
  return `already answered by ${plainLine(String(by))}: “${plainLine(String(text ?? ''))}”`;
}

/** @returns What to say of it afterwards. */
async function sitAt(client: Client, session: string, preferences: AttachPreferences): Promise<string | null> {
  try {
    const end = await attachTerminal({ client, session, ...preferences, isReadOnly: false });
    if (end.kind === 'detached') return null;
    const how = end.signal ?? (end.exitCode === null ? null : `exit code ${end.exitCode}`);
    return `the session has ended: ${end.state}${how === null ? '' : `, ${how}`}`;
  } catch (error) {
    return error instanceof Error ? plainLine(error.message) : String(error);
  }
}

function farewell(store: Store): string {
  const { model } = store.get();
  const living = model.sessions.filter(isAlive).length;
  const open = openItems(model).length;
  const go = living === 1 ? 'goes on' : 'go on';
  const sessions = living === 0 ? 'The daemon goes on' : `${living} session${living === 1 ? '' : 's'} ${go}`;
  const waiting = open === 0 ? '' : ` (${open} open)`;
  return `${sessions}${waiting}; \`orchd start\` returns, \`orchd stop\` ends all.`;
}
