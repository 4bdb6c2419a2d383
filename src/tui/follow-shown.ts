/**
 * Keeps what the TUI shows current: subscribes to the daemon's events, and requests what the open view needs.
 *
 * In:   the state of the store, each time it changes.
 * Out:  the daemon's replies and events, in the store.
 */
import type { Client } from '../client/index.js';
import type { UiState } from './acts/ui-state.js';
import { isAmongWork } from './acts/work-acts.js';
import { askHowClosed } from './closed-elsewhere.js';
import { followDaemon } from './model/follow-daemon.js';
import type { ModelInput } from './model/model.js';
import { SessionWatch } from './model/watch-session.js';
import { type OpenWork, watchWork } from './model/watch-work.js';
import { type OpenWorkflow, watchWorkflows } from './model/watch-workflows.js';
import { wordsOf } from './paint/text.js';
import { isScreenShown } from './view/regions.js';
import { shownSession } from './view/shown-session.js';
import type { Store } from './view/store.js';

interface FollowedStore {
  readonly client: Client;
  readonly store: Store;
  /** The project whose blueprints are listed; null for the person's own blueprints alone. */
  readonly project: string | null;
  /** Returns the names of the adapters. Called when they are first needed. */
  readonly adapters: () => Promise<readonly string[]>;
  /** Returns the text to show in place of a session's screen; null to show the screen. */
  readonly coverOf: (sessionId: string) => string | null;
  readonly signal: AbortSignal;
}

interface Following {
  /** Requests no screen of a session until the store changes. */
  hideScreen(): void;
  /** Ends the requests at once. Resolves when the events have ended, after `signal` has aborted. */
  close(): Promise<void>;
}

export function followShown({ client, store, project, adapters, coverOf, signal }: FollowedStore): Following {
  let areAsked = false;
  const askAdapters = (): void => {
    if (areAsked) return;
    areAsked = true;
    void adapters().then((names) => store.know(names));
  };
  const take = (input: ModelInput): void => store.take(input);
  const fail = (error: unknown): void => store.say(wordsOf(error), true);
  const watch = new SessionWatch({ client, take: store.show, refusal: coverOf });
  const workflows = watchWorkflows(client, take, fail);
  const work = watchWork({ client, project, take, fail });
  const askOutcome = askHowClosed({ client, take, now: Date.now });
  const stopWatching = store.subscribe(() => {
    const state = store.get();
    askOutcome(state);
    watch.show(isScreenShown(state) ? (shownSession(state)?.id ?? null) : null);
    // The forms list the adapters. The form for tasks and runs can be opened from their lists, so it needs them soon.
    if (state.ui.mode.kind === 'starting' || isAmongWork(state.ui)) askAdapters();
    workflows.show(openWorkflowOf(state.ui));
    work.show(openWork(state.ui));
  });
  const following = followDaemon({
    client,
    take: (input) => {
      take(input);
      workflows.follow(input);
      work.follow(input);
    },
    lastSeq: () => store.get().model.lastSeq,
    now: Date.now,
    signal,
  });
  return {
    hideScreen: () => watch.show(null),
    close() {
      stopWatching();
      watch.close();
      workflows.close();
      work.close();
      return following;
    },
  };
}

const openWorkflowOf = ({ view, workflowId }: UiState): OpenWorkflow =>
  view !== 'workflows' && view !== 'workflow' && view !== 'step'
    ? null
    : view === 'workflows' || workflowId === null
      ? { kind: 'list' }
      : { kind: 'run', id: workflowId };

/** Tasks are always listed, because the line of keys shows their count. Forms need the blueprints. */
function openWork({ view, mode, taskId, runId, runBack, sessionId }: UiState): OpenWork {
  const isRunOfTask = view === 'run' && runBack === 'task';
  const blueprints = view === 'blueprints' || view === 'blueprint' || mode.kind === 'filling';
  return {
    lists: [
      'tasks',
      ...(view === 'runs' || view === 'run' ? (['runs'] as const) : []),
      ...(blueprints ? (['blueprints'] as const) : []),
    ],
    task: view === 'task' || isRunOfTask ? taskId : null,
    run: view === 'run' ? runId : null,
    session: view === 'session' ? sessionId : null,
  };
}
