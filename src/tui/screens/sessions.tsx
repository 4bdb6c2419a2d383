/** The list of sessions: state, progress, activity, open items and errors. */
import {
  branchWords,
  byWords,
  type ChangeSize,
  costWords,
  type JournalSize,
  journalWords,
  lineWords,
  type Session,
  shownState,
  stepsOfSession,
  stepsWords,
} from '../../protocol/index.js';
import { ENDED_GROUP, type SessionRow } from '../acts/session-rows.js';
import { isAlive } from '../model/model.js';
import { age } from '../paint/ages.js';
import type { Area } from '../paint/layout.js';
import type { Paint } from '../paint/paint.js';
import { box, type Cell, centred, hiddenWords, listRow, listTitle, windowOf } from '../paint/rows.js';
import { Rows } from '../paint/rows-view.js';
import { commandLine, plainLine, widthOf } from '../paint/text.js';

interface SessionsProps {
  readonly paint: Paint;
  readonly area: Area;
  readonly rows: readonly SessionRow[];
  /** All sessions, including those that the filter hides. */
  readonly sessions: readonly Session[];
  readonly marked: ReadonlySet<string>;
  /** Number of sessions without the filter. */
  readonly all: number;
  readonly filter: string;
  /** The key that starts a new session. */
  readonly newKey: string;
  /** The key that starts the demo. */
  readonly demoKey: string;
  /** Number of open items by session. */
  readonly open: ReadonlyMap<string, number>;
  readonly selected: number;
  readonly isFocused: boolean;
  readonly isLoaded: boolean;
  readonly now: number;
  /** Sizes and rates of journals, by session. */
  readonly journals: ReadonlyMap<string, JournalSize>;
  /** Changes of sessions in worktrees, by session. */
  readonly changes: ReadonlyMap<string, ChangeSize>;
}

const STATE_COLS = 10;
const NAME_COLS = { least: 6, most: 20 } as const;
const PERCENT_COLS = 4;
const MAX_TAG_COLS = 18;
/** Width of a text such as `256 MB, 8.0 MB/s`. */
const JOURNAL_COLS = 16;
const MAX_BRANCH_COLS = 28;
/** From this width on, there is room for a progress bar and for words in badges. */
const WIDE_COLS = 60;
const ROOMY_COLS = 90;

const wordsForNone = (all: number, newKey: string, demoKey: string): readonly string[] =>
  all > 0 ? ['No session has these words.'] : emptyWords(newKey, demoKey);

const emptyWords = (newKey: string, demoKey: string): readonly string[] => [
  'Nothing runs yet.',
  ...(newKey === '' ? [] : [`${newKey} starts a program in a session, as does`]),
  'orchd run -- CMD',
  demoKey === '' ? 'or three scripted agents:  orchd demo' : `${demoKey} starts three scripted agents: the demo`,
];

/** Shows the sessions that fit, in a box. */
export function Sessions(props: SessionsProps) {
  const { paint, area, sessions, rows: list, marked, all, filter, open, selected, isFocused, isLoaded, now } = props;
  const { newKey, demoKey, journals, changes } = props;
  const { width, height } = area;
  const inner = { columns: width - 2, rows: height - 2 };
  const living = sessions.filter(isAlive).length;
  const { from, to } = windowOf(list.length, selected, inner.rows);
  // The columns fit all rows of the list, also those above and below the window: they stay while the list is scrolled.
  const listed = list.flatMap((row) => (row.kind === 'session' ? [row.session] : []));
  const names = Math.max(...listed.map(({ name }) => widthOf(plainLine(name))), NAME_COLS.least);
  const nameCols = Math.min(names, NAME_COLS.most, Math.floor(inner.columns / 3));
  const tagCols = Math.min(MAX_TAG_COLS, Math.max(0, ...listed.map((session) => widthOf(tagWords(session)))));
  const hasProgress = listed.some(({ progress }) => progress !== null);
  const costCols = Math.max(0, ...listed.map(({ usage }) => costWords(usage).length));
  // A narrow column shows the numbers alone, because a session in a worktree mostly has the name of its branch.
  const branchOf = (id: string): string => {
    const size = changes.get(id);
    if (!size) return '';
    return inner.columns >= ROOMY_COLS ? branchWords(size, MAX_BRANCH_COLS) : lineWords(size);
  };
  const branchCols = Math.max(0, ...listed.map(({ id }) => widthOf(branchOf(id))));
  const badgeCols = Math.max(
    0,
    ...listed.map((session) => widthOf(badge(session, open.get(session.id) ?? 0, inner.columns).text)),
  );
  const rows =
    list.length === 0
      ? centred(paint, isLoaded ? wordsForNone(all, newKey, demoKey) : ['…'], inner.columns, inner.rows)
      : list.slice(from, to).map((row, i) => {
          const isSelected = from + i === selected;
          if (row.kind === 'group') {
            const rowStyle = isSelected ? (isFocused ? 'hot' : 'marked') : 'plain';
            return listRow(paint, groupCells(row), inner.columns, rowStyle);
          }
          const { session } = row;
          const rowStyle = isSelected ? (isFocused ? 'hot' : 'marked') : isAlive(session) ? 'plain' : 'faint';
          const shown = cells(
            session,
            open.get(session.id) ?? 0,
            { nameCols, tagCols, costCols, branchCols, badgeCols, hasProgress, columns: inner.columns },
            {
              now,
              branch: branchOf(session.id),
              journal: journals.size === 0 ? null : sizeOf(journals.get(session.id)),
            },
          );
          return listRow(paint, shown, inner.columns, rowStyle, marked.has(session.id));
        });
  const found = list.filter(({ kind }) => kind === 'session').length;
  const title = listTitle('Sessions', { count: living, shown: found, all, filter });
  const ended = sessions.length - living;
  const note = [marked.size > 0 ? `${marked.size} marked` : '', ended > 0 ? `${ended} ended` : ''].filter(Boolean);
  const foot = hiddenWords(from, list.length - to);
  return <Rows rows={box(paint, rows, { width, height, title, note: note.join(' · '), foot, isFocused })} />;
}

function groupCells({
  id,
  title,
  members,
  there,
  hidden,
  open,
  isFolded,
}: Extract<SessionRow, { kind: 'group' }>): Cell[] {
  const count =
    id === ENDED_GROUP && isFolded ? `${hidden} ${title}` : `${plainLine(title)} (${there ?? members.length})`;
  const words = `${isFolded ? '▸' : '▾'} ${count}`;
  return [
    { text: words, style: 'bold' },
    ...(open > 0 ? [{ text: `${open} open`, width: 9, align: 'right' as const, style: 'yellow' as const }] : []),
  ];
}

const tagWords = ({ tags = [] }: Session): string => tags.map((tag) => `#${tag}`).join(' ');

interface Columns {
  readonly nameCols: number;
  /** Width of the tags; 0 if no session has one. */
  readonly tagCols: number;
  /** Width of the costs; 0 if no session has one. */
  readonly costCols: number;
  /** Width of the branches with the sizes of their changes; 0 if no session has one. */
  readonly branchCols: number;
  readonly badgeCols: number;
  /** True if a session has reported its progress. */
  readonly hasProgress: boolean;
  readonly columns: number;
}

function cells(
  session: Session,
  open: number,
  { nameCols, tagCols, costCols, branchCols, badgeCols, hasProgress, columns }: Columns,
  { now, journal, branch }: { readonly now: number; readonly journal: string | null; readonly branch: string },
): Cell[] {
  const size =
    journal !== null && columns >= ROOMY_COLS ? [{ text: journal, width: JOURNAL_COLS, style: 'dim' as const }] : [];
  const { mark, style, word } = shownState(session);
  const { progress } = session;
  const barCols = columns >= ROOMY_COLS ? 10 : columns >= WIDE_COLS ? 8 : 0;
  const percent = progress === null ? '' : `${Math.round(progress)}%`;
  const bar =
    barCols === 0 || !hasProgress
      ? []
      : [{ text: progressBar(progress, barCols), width: barCols, style: 'blue' as const }];
  const alarm = badge(session, open, columns);
  return [
    { text: `${mark} ${word}`, width: STATE_COLS, style },
    { text: plainLine(session.name), width: nameCols, style: 'bold' },
    ...bar,
    ...(hasProgress ? [{ text: percent, width: PERCENT_COLS, align: 'right' as const }] : []),
    ...size,
    ...(tagCols > 0 && columns >= WIDE_COLS
      ? [{ text: tagWords(session), width: tagCols, style: 'cyan' as const }]
      : []),
    { text: doing(session, now) },
    ...(branchCols > 0 && columns >= WIDE_COLS
      ? [{ text: branch, width: branchCols, align: 'right' as const, style: 'magenta' as const }]
      : []),
    ...(costCols > 0 && columns >= WIDE_COLS
      ? [{ text: costWords(session.usage), width: costCols, align: 'right' as const, style: 'yellow' as const }]
      : []),
    // A session without a badge has more room for its current step.
    ...(alarm.text !== '' ? [{ text: alarm.text, width: badgeCols, align: 'right' as const, style: alarm.style }] : []),
  ];
}

const sizeOf = (size: JournalSize | undefined): string => (size ? journalWords(size) : '');

function progressBar(progress: number | null, columns: number): string {
  if (progress === null) return '';
  const full = Math.max(0, Math.min(columns, Math.round((progress / 100) * columns)));
  return '█'.repeat(full) + '░'.repeat(columns - full);
}

function doing(session: Session, now: number): string {
  if (!isAlive(session)) {
    const { ended_by, ended_by_name } = session;
    const how =
      ended_by !== undefined
        ? `${session.state === 'exited' ? '' : 'ended '}${byWords(ended_by, ended_by_name)}`
        : (session.signal ?? (session.exit_code === null ? '' : `exit code ${session.exit_code}`));
    const when = session.ended_at === null ? '' : `${age(session.ended_at, now)} ago`;
    return [how, when].filter(Boolean).join(', ');
  }
  const batch = session.mode === 'batch' ? 'batch: ' : '';
  const steps = stepsWords(stepsOfSession(session));
  const doing = session.current_step == null ? commandLine(session.command) : plainLine(session.current_step);
  return `${batch}${doing}${steps === '' ? '' : ` · ${steps}`}`;
}

/** Shows the number of open items and the last error. */
function badge({ last_error, ended_at }: Session, open: number, columns: number): Cell {
  const severity = last_error && ended_at === null && last_error.severity !== 'info' ? last_error.severity : null;
  const word = columns < ROOMY_COLS && severity === 'warning' ? 'warn' : plainLine(severity ?? '');
  const words = [word, open > 0 ? `${open} open` : ''].filter(Boolean);
  const isBad = severity === 'error' || severity === 'critical';
  return { text: words.join(' · '), style: isBad ? 'red' : 'yellow' };
}
