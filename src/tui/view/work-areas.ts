/** The layout and the rows of the details of a task, a run, a blueprint or a session. Pure. */

import type { Session } from '../../protocol/index.js';
import { chosenBlueprint, runOf, taskOf, workSession } from '../acts/work-acts.js';
import { isAlive, openCounts } from '../model/model.js';
import { runAgent } from '../model/work-words.js';
import type { Area } from '../paint/layout.js';
import { layoutOf } from '../paint/layout.js';
import { plainLine } from '../paint/text.js';
import { blueprintDetails, runDetails, taskDetails } from '../rows/detail-rows.js';
import { sessionDetails } from '../rows/session-details.js';
import type { State } from './store.js';
import { viewArea } from './workflow-areas.js';

interface Details {
  readonly title: string;
  readonly note: string;
  readonly rows: readonly string[];
}

type Shown = Pick<State, 'model' | 'ui' | 'paint' | 'now'>;

/**
 * Returns the rows of the open task, run, blueprint or session, each at most `columns` wide; null until the daemon has
 * sent it.
 */
export function detailsOf(state: Shown, columns: number): Details | null {
  const { model, ui, now } = state;
  const subject = SUBJECTS[state.ui.view]?.(state) ?? null;
  if (subject === null) return null;
  const isLive = subject.isLive && now - subject.since < SECONDS_MATTER_MS;
  const key = `${columns} ${state.paint.theme} ${ui.view} ${isLive ? Math.floor(now / 1_000) : Math.floor(now / 60_000)}`;
  const known = kept.get(subject.value);
  const { feed, items, journals } = model;
  const { changes, why } = model.work;
  const isSame = known?.feed === feed && known.items === items && known.journals === journals;
  if (known?.key === key && isSame && known.changes === changes && known.why === why) return known.details;
  const details = { title: subject.title, note: subject.note, rows: subject.rows(columns) };
  kept.set(subject.value, { key, feed, items, journals, changes, why, details });
  return details;
}

/** For a run that takes longer than this, the duration is shown in minutes. */
const SECONDS_MATTER_MS = 3_600_000;

/** Caches the rows, because long texts and markdown must not be laid out for every frame. */
const kept = new WeakMap<object, Pick<Shown['model'], 'feed' | 'items' | 'journals'> & Kept>();

interface Kept {
  readonly key: string;
  readonly changes: Shown['model']['work']['changes'];
  readonly why: Shown['model']['work']['why'];
  readonly details: Details;
}

interface Subject {
  readonly value: object;
  readonly title: string;
  readonly note: string;
  readonly isLive: boolean;
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly rows: (columns: number) => string[];
}

/** The subjects by the view that shows them. A view without a subject has lists. */
const SUBJECTS: { readonly [V in Shown['ui']['view']]?: (shown: Shown) => Subject | null } = {
  task({ model, ui, paint, now }) {
    const task = taskOf(ui, model);
    const { history } = model.work;
    return (
      task && {
        value: task,
        title: 'Task',
        note: task.id,
        isLive: task.ended_at === null,
        since: Date.parse(task.created_at),
        rows: (columns) => taskDetails({ paint, columns }, { task, history, now }),
      }
    );
  },
  run({ model, ui, paint, now }) {
    const run = runOf(ui, model);
    return (
      run && {
        value: run,
        title: `Run of ${runAgent(run)}`,
        note: run.id,
        isLive: run.ended_at === null,
        since: Date.parse(run.created_at),
        rows: (columns) => runDetails({ paint, columns }, run, now),
      }
    );
  },
  blueprint({ model, ui, paint }) {
    const one = chosenBlueprint(ui, model);
    return (
      one && {
        value: one,
        title: `Blueprint ${plainLine(one.name)}`,
        note: '',
        isLive: false,
        since: 0,
        rows: (columns) => blueprintDetails({ paint, columns }, one),
      }
    );
  },
  session({ model, ui, paint }) {
    const session = model.sessions.find(({ id }) => id === ui.sessionId);
    if (!session) return null;
    return {
      value: session,
      title: `Session ${plainLine(session.name)}`,
      note: session.id,
      isLive: false,
      since: 0,
      rows: (columns) => sessionDetails({ paint, columns }, session, aboutSession(model, session)),
    };
  },
};

function aboutSession({ feed, items, journals, sessions, work }: Shown['model'], session: Session) {
  const { changes, why } = work;
  return {
    feed,
    open: openCounts(items).get(session.id) ?? 0,
    journal: journals.get(session.id) ?? null,
    changes: changes?.session === session.id ? changes.changes : null,
    why: why?.session === session.id ? why.sentences : [],
    parent: sessions.find(({ id }) => id === session.parent_session_id)?.name ?? null,
  };
}

/** Minimum number of rows to show a session's screen below the details. */
const ROOMY_ROWS = 18;
const MIN_SCREEN = 8;

/** Returns the area of the details, and below it the area of the running session's screen if there is room for both. */
export function workAreas(state: Shown, area: Area): { readonly details: Area; readonly screen: Area | null } {
  const { model, ui } = state;
  const { width, height } = area;
  const session = ui.view === 'session' ? null : workSession(ui, model);
  const isRunning = model.sessions.some((one) => one.id === session && isAlive(one));
  const details = detailsOf(state, width - 4);
  if (!isRunning || !details || height < ROOMY_ROWS) return { details: area, screen: null };
  const own = Math.min(details.rows.length + 2, height - MIN_SCREEN, Math.floor(height * 0.6));
  return { details: { width, height: own }, screen: { width, height: height - own } };
}

/** Returns how far the details can be scrolled. */
export function maxWorkScroll(state: State): number {
  const area = viewArea(layoutOf(state.size));
  const details = detailsOf(state, area.width - 4);
  if (!details) return 0;
  return Math.max(0, details.rows.length - (workAreas(state, area).details.height - 2));
}
