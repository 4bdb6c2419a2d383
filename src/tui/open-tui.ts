/**
 * Opens the TUI on the person's terminal, and carries out what keys ask for: answering, starting, attaching, leaving.
 */
import { setImmediate } from 'node:timers/promises';
import type { Client } from '../client/index.js';
import { commandName, type Segments, type TuiSegment } from '../protocol/index.js';
import { createKeymap } from './acts/keymap.js';
import type { Effect } from './acts/ui-state.js';
import type { AttachPreferences } from './attach/attach-options.js';
import { machineTransport, ownTransport } from './attach/attach-transport.js';
import { lookBack } from './attach/look-back.js';
import { isInside } from './attach/reachable-sessions.js';
import { answerItem } from './effects/answer-item.js';
import { createDraftFiles, draftsOfStore, keepDrafts } from './effects/drafts.js';
import { doSessionEffect, type SessionPorts } from './effects/session-effects.js';
import { foldersLike, startSession } from './effects/start-session.js';
import { openTerminalNotifier } from './effects/terminal-notifier.js';
import { createWork, doWork, workProblem } from './effects/work-effects.js';
import { followShown } from './follow-shown.js';
import { attachScreens } from './grid/attach-screens.js';
import { showGrid } from './grid/show-grid.js';
import { editInEditor } from './input/external-editor.js';
import { attachKeys } from './keys/index.js';
import { isAlive, type Model, type ModelInput, openItems } from './model/model.js';
import { TICK_MS } from './model/timing.js';
import { watchMachines } from './model/watch-machines.js';
import { createPaint } from './paint/paint.js';
import { plainLine, wordsOf } from './paint/text.js';
import type { ThemeName } from './paint/themes.js';
import { showDiff } from './show-diff.js';
import { type OpenNotifier, openSurface, sizeNow } from './surface.js';
import { createStore, type Store } from './view/store.js';

export interface OpenTuiOptions {
  readonly client: Client;
  readonly env: NodeJS.ProcessEnv;
  readonly directory: string;
  /** The project whose blueprints are listed; null for the person's own blueprints alone. */
  readonly project: string | null;
  readonly attach: AttachPreferences;
  readonly theme: ThemeName;
  readonly hasMouse: boolean;
  /** Configured keys by action. */
  readonly keys: Readonly<Record<string, string>>;
  /** Returns the names of the adapters. Called when a session is started. */
  readonly adapters: () => Promise<readonly string[]>;
  readonly exportSession: SessionPorts['exportSession'];
  /** Starts a daemon if none runs. */
  readonly startDaemon: () => Promise<void>;
  /** True if the demo was started for this TUI. */
  readonly isDemo: boolean;
  /** Starts the agents of the demo. */
  readonly startDemo: () => Promise<unknown>;
  readonly version: string;
  /** The first line of the TUI. */
  readonly segments: Segments<TuiSegment>;
  /** The folder for answers that were begun but not sent. */
  readonly draftsDir: string;
}

/** Milliseconds to wait for an event that should already be on its way. */
const CATCH_UP_MS = 2_000;
/** @param detach  The keys that leave an attached terminal. */
const demoWords = (detach: string): string =>
  `Demo: 1 twice answers, g Enter attaches, ${detach} leaves. Your own agent: n`;
/** The text shown in place of the session that this TUI runs in. */
const MIRROR = 'This TUI runs in this session: not shown in itself.';

/** @returns  The text to print after the TUI has closed. */
export async function openTui(options: OpenTuiOptions): Promise<string> {
  const { client, env, directory, project, version, hasMouse } = options;
  const { prefix, pressedFor } = attachKeys(options.attach.prefix, options.attach.keys);
  const end = new AbortController();
  const draftFiles = createDraftFiles(options.draftsDir);
  const store = createStore({
    drafts: draftFiles.load(),
    prefix,
    version,
    directory,
    size: sizeNow(),
    now: Date.now,
    paint: createPaint(env, options.theme),
    keymap: createKeymap(options.keys),
    segments: options.segments,
  });
  const stopKeeping = keepDrafts(store, draftFiles);
  const attach: AttachPreferences = { ...options.attach, drafts: draftsOfStore(store) };
  const isAround = (id: string): boolean => isInside(store.get().model, env['ORCHD_SESSION_ID'], id);
  const coverOf = (id: string): string | null => (isAround(id) ? MIRROR : null);
  const following = followShown({ client, store, project, adapters: options.adapters, coverOf, signal: end.signal });
  const ticking = setInterval(() => store.tick(), TICK_MS);
  // One turn sends the request. The daemon answers it while the first frame is drawn.
  await setImmediate();
  const openNotifier: OpenNotifier = (streams) =>
    openTerminalNotifier({ client, env, setting: attach.notify, session: () => null, ...streams });
  let surface = openSurface(store, hasMouse, openNotifier);
  if (options.isDemo) store.say(demoWords(pressedFor('detach')));
  const tell = (words: string): void => store.say(words, true);
  const take = (input: ModelInput): void => store.take(input);
  const watchingMachines = watchMachines({ client, take, tell, now: Date.now, signal: end.signal });
  /** Releases the terminal while `what` uses it. */
  const away = async (what: () => Promise<void>): Promise<void> => {
    await surface.close();
    following.hideScreen();
    await what();
    surface = openSurface(store, hasMouse, openNotifier);
    store.tick();
  };
  try {
    for (;;) {
      const effect = await surface.nextEffect();
      if (effect.kind === 'quit') return farewell(store.get().model, commandName(env));
      if (effect.kind === 'redraw') surface.redraw();
      else if (effect.kind === 'attach' && isAround(effect.sessionId)) store.say(MIRROR, true);
      else if (effect.kind === 'attach') await away(() => attachTo(client, store, effect, attach));
      else if (effect.kind === 'edit') await away(() => edit(client, store, env, effect));
      else if (effect.kind === 'look_back') await away(() => look(client, store, effect.sessionId, hasMouse));
      else if (effect.kind === 'diff') await away(() => diff(client, store, effect.sessionId, { env, hasMouse }));
      else if (effect.kind === 'grid') {
        const ids = effect.sessionIds.filter((id) => !isAround(id));
        if (ids.length === 0) store.say(MIRROR, true);
        else await away(() => grid({ client, store, env, attach }, ids));
      } else if (effect.kind === 'start_daemon') void say(store, options.startDaemon(), () => 'the daemon runs again');
      else if (effect.kind === 'demo') void say(store, options.startDemo(), () => demoWords(pressedFor('detach')));
      else void carryOut(client, store, { env, project, exportSession: options.exportSession }, effect);
    }
  } finally {
    await surface.close();
    clearInterval(ticking);
    const followed = following.close();
    stopKeeping();
    store.close();
    end.abort();
    await Promise.all([followed, watchingMachines]);
  }
}

// ── effects ─────────────────────────────────────────────────────────────────────────────────────────────────────────

type Quiet = Exclude<
  Effect,
  { readonly kind: 'quit' | 'redraw' | 'attach' | 'edit' | 'look_back' | 'grid' | 'diff' | 'start_daemon' | 'demo' }
>;

/** Carries out an effect that keeps the TUI open. Never rejects. */
async function carryOut(
  client: Client,
  store: Store,
  { env, project, exportSession }: Omit<SessionPorts, 'client'> & { readonly project: string | null },
  effect: Quiet,
): Promise<void> {
  switch (effect.kind) {
    case 'answer':
      return answerItem(client, store, effect.itemId, { item: effect.itemId, ...effect.request });
    case 'complete':
      return store.completed(effect.path, await foldersLike(effect.path));
    case 'start':
      try {
        store.started(await startSession(client, env, effect.request), null);
      } catch (error) {
        store.started(null, wordsOf(error));
      }
      return;
    case 'rename':
      return say(store, client.call('session.rename', effect.request), ({ name }) => `renamed to ${plainLine(name)}`);
    case 'tag':
    case 'send':
    case 'restore':
    case 'sessions': {
      const { words, isError } = await doSessionEffect({ client, env, exportSession }, effect);
      return store.say(words, isError);
    }
    case 'take_back': {
      const taking = client.call('inbox.take_back', { item: effect.itemId });
      return say(store, taking, ({ session_name }) => `the answer to ${plainLine(session_name)} is taken back`);
    }
    case 'cancel_workflow': {
      const cancelling = client.call('workflow.cancel', { workflow: effect.workflowId });
      return say(store, cancelling, ({ name }) => `${plainLine(name)} is cancelled`);
    }
    case 'resume_workflow': {
      const { workflowId: workflow, from } = effect;
      const resuming = client.call('workflow.resume', { workflow, ...(from !== null && { from }) });
      return say(store, resuming, ({ name }) => `${plainLine(name)} goes on`);
    }
    case 'task':
    case 'run':
      return made(store, doWork({ client, env, project }, effect));
    case 'create_work':
      return made(store, createWork({ client, env, project }, effect.request));
  }
}

async function say<T>(store: Store, done: Promise<T>, words: (result: T) => string): Promise<void> {
  try {
    store.say(words(await done));
  } catch (error) {
    store.say(wordsOf(error), true);
  }
}

async function made(store: Store, doing: ReturnType<typeof doWork>): Promise<void> {
  store.made(await doing.catch(workProblem));
}

/**
 * Opens the answer in the editor. Afterwards, typing continues with the new text. If the item was answered in the
 * meantime, the text stays in its file.
 */
async function edit(
  client: Client,
  store: Store,
  env: NodeJS.ProcessEnv,
  effect: Extract<Effect, { kind: 'edit' }>,
): Promise<void> {
  try {
    const { text, problem, file, discard } = await editInEditor(env, effect.text);
    await caughtUp(client, store);
    if (store.edited(effect.itemId, text)) discard();
    else store.say(`the item is closed; what you wrote is in ${file}`, true);
    if (problem !== null) store.say(problem, true);
  } catch (error) {
    store.say(`no editor was opened: ${wordsOf(error)}`, true);
  }
}

/** Resolves when the store has every event that the daemon has now, when the daemon is away, or after CATCH_UP_MS. */
async function caughtUp(client: Client, store: Store): Promise<void> {
  const status = await client.call('daemon.status', {}).catch(() => null);
  if (status === null) return;
  const isBehind = (): boolean => {
    const { connection, lastSeq } = store.get().model;
    return connection.kind === 'connected' && lastSeq < status.last_seq;
  };
  await new Promise<void>((resolve) => {
    const leave = (): void => {
      clearTimeout(timer);
      unsubscribe();
      resolve();
    };
    const timer = setTimeout(leave, CATCH_UP_MS);
    const unsubscribe = store.subscribe(() => isBehind() || leave());
    if (!isBehind()) leave();
  });
}

async function attachTo(
  client: Client,
  store: Store,
  { sessionId, machine }: Extract<Effect, { readonly kind: 'attach' }>,
  preferences: AttachPreferences,
): Promise<void> {
  try {
    const transport = machine === undefined ? ownTransport(client) : machineTransport(client, machine);
    const session = await transport.call('session.show', { session: sessionId });
    const end = await attachScreens({ client, transport, session, ...preferences, isReadOnly: false });
    if (end.kind === 'detached') return;
    const how = end.signal ?? (end.exitCode === null ? null : `exit code ${end.exitCode}`);
    store.say(`the session has ended: ${end.state}${how === null ? '' : `, ${how}`}`);
  } catch (error) {
    store.say(wordsOf(error), true);
  }
}

async function look(client: Client, store: Store, sessionId: string, hasMouse: boolean): Promise<void> {
  const { model, paint } = store.get();
  const session = model.sessions.find(({ id }) => id === sessionId);
  if (!session) return;
  await lookBack({ client, session, paint, hasMouse }).catch((error: unknown) => store.say(wordsOf(error), true));
}

async function diff(
  client: Client,
  store: Store,
  session: string,
  { env, hasMouse }: { readonly env: NodeJS.ProcessEnv; readonly hasMouse: boolean },
): Promise<void> {
  try {
    const words = await showDiff({ client, paint: store.get().paint, env, hasMouse }, session);
    if (words === null) return;
    store.say(words);
    const { changes } = await client.call('daemon.status', {});
    store.take({ kind: 'changes', changes });
  } catch (error) {
    store.say(wordsOf(error), true);
  }
}

interface GridPorts {
  readonly client: Client;
  readonly store: Store;
  readonly env: NodeJS.ProcessEnv;
  readonly attach: AttachPreferences;
}

async function grid({ client, store, env, attach }: GridPorts, ids: readonly string[]): Promise<void> {
  const { model, paint } = store.get();
  const sessions = ids.flatMap((id) => model.sessions.filter((session) => session.id === id));
  await showGrid({ client, sessions, paint, attach, env }).catch((error: unknown) => store.say(wordsOf(error), true));
}

/**
 * Returns the text to print after the TUI has closed: what goes on, and how to return.
 * @param orchd  The command, as the person's shell finds it.
 */
export function farewell(model: Model, orchd: string): string {
  const living = model.sessions.filter(isAlive).length;
  const open = openItems(model).length;
  const go = living === 1 ? 'goes on' : 'go on';
  const sessions = living === 0 ? 'The daemon goes on' : `${living} session${living === 1 ? '' : 's'} ${go}`;
  const waiting = open === 0 ? '' : ` (${open} open)`;
  return `${sessions}${waiting}; \`${orchd} start\` returns, \`${orchd} stop\` ends all.`;
}
