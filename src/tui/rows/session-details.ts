/** Renders a session: its state, its progress, and its messages with the rejected ones, the newest first. Pure. */
import {
  changeWords,
  type Event,
  extraOf,
  type JournalSize,
  journalWords,
  messageHeading,
  messageLine,
  messageWords,
  type OutputOf,
  type Session,
  shownState,
  stepsOfSession,
  usageWords,
} from '../../protocol/index.js';
import { clock, dateAndClock } from '../paint/ages.js';
import type { Paint, Style } from '../paint/paint.js';
import { cut, plainLine, plainText, wrap } from '../paint/text.js';
import { saidRows, TITLE_COLUMNS } from './detail-rows.js';
import { titled } from './item-view.js';

/** Maximum number of messages; `orchd events` prints older ones. */
const MAX_MESSAGES = 50;

interface AboutSession {
  readonly feed: readonly Event[];
  /** Number of the session's open items. */
  readonly open: number;
  /** The journal's size and rate; null if the daemon did not report them. */
  readonly journal: JournalSize | null;
  /** Its changes in its repository; null if they are not known, or there is no repository. */
  readonly changes: OutputOf<'session.changes'> | null;
  /** Sentences that explain the session's state. */
  readonly why: readonly string[];
  /** The name of the session that started it; null for none. */
  readonly parent: string | null;
}

interface Sheet {
  readonly paint: Paint;
  readonly columns: number;
}

/** Returns how to act on the changes. Only a worktree of the session's own can be merged and discarded. */
function actsOn({ name }: Session, { is_worktree, file_count }: OutputOf<'session.changes'>): string {
  if (is_worktree) return `orchd git commit, merge or discard ${name}`;
  return file_count === 0 ? '' : `orchd git commit ${name}`;
}

export function sessionDetails(sheet: Sheet, session: Session, about: AboutSession): string[] {
  const { paint, columns } = sheet;
  const { id } = session;
  const messages = about.feed
    .filter(
      (event) => (event.event_type === 'message' || event.event_type === 'message_rejected') && event.session_id === id,
    )
    .toReversed();
  return [
    ...factRows(sheet, session, about),
    '',
    paint(
      'bold',
      cut(messages.length === 0 ? 'It has sent no messages lately.' : 'Messages, the newest first', columns),
    ),
    ...messages.slice(0, MAX_MESSAGES).flatMap((event) => messageRows(sheet, event)),
    ...(messages.length > MAX_MESSAGES
      ? ['', paint('dim', cut(`… ${messages.length - MAX_MESSAGES} more: orchd events --session ${id}`, columns))]
      : []),
  ];
}

/** Returns a row for each fact of the session that is known. */
function factRows(
  { paint, columns }: Sheet,
  session: Session,
  { open, journal, changes, why, parent }: AboutSession,
): string[] {
  const put = (title: string, text: string, style: Style | readonly Style[] = []): string[] =>
    text === ''
      ? []
      : titled(
          paint,
          title,
          (room) => wrap(plainText(text), room).map((row) => paint(style, row)),
          columns,
          TITLE_COLUMNS,
        );
  const { command, cwd, adapter, progress, current_step, completed_steps = [], last_error, id } = session;
  const { last_completion, exit_code, signal, pid, ended_at, created_at, size, mode, key_required } = session;
  const { transcript, agent_session_id, hints = [], workflow_id } = session;
  const { mark, style, words } = shownState(session);
  const status = messageLine({
    type: 'STATUS_UPDATE',
    data: { ...(progress !== null && { progress }), currentStep: current_step ?? '', ...stepsOfSession(session) },
  });
  const error = last_error && messageLine({ type: 'ERROR', data: last_error });
  const how = signal ?? (exit_code === null ? '' : `exit code ${exit_code}`);
  return [
    ...put('state', [`${mark} ${words}`, how].filter(Boolean).join(' · '), style),
    ...put('why', why.map(plainLine).join('\n')),
    ...put('progress', status.text),
    ...put('steps done', completed_steps.map(plainLine).join('\n')),
    ...(error ? put('error', `${error.label}: ${error.text}`, error.style) : []),
    ...put('complete', last_completion?.summary ?? '', 'green'),
    ...put('files', (last_completion?.filesChanged ?? []).map(plainLine).join('\n')),
    ...put('commit', last_completion?.commitHash ?? ''),
    ...put('open', open === 0 ? '' : `${open} item${open === 1 ? '' : 's'}: i opens the oldest`),
    ...put('tags', (session.tags ?? []).map((tag) => `#${tag}`).join(' ')),
    ...put('command', command.join(' ')),
    ...put('in', cwd),
    ...(changes ? [...put('changes', changeWords(changes)), ...put('git', actsOn(session, changes), 'dim')] : []),
    ...put('usage', usageWords(session.usage ?? null)),
    ...put('adapter', adapter),
    ...put('process', ended_at === null ? String(pid) : `${pid}, ended at ${clock(ended_at)}`),
    ...put('started', `${dateAndClock(created_at)}${parent === null ? '' : ` by ${plainLine(parent)}`}`),
    ...put('size', `${size.cols}x${size.rows}${mode === 'batch' ? ', batch: on pipes' : ''}`),
    ...put('journal', journal === null ? '' : journalWords(journal)),
    ...put('transcript', transcript === 'none' ? '' : transcript.replace('_', ' ')),
    ...put('agent', agent_session_id === null ? '' : `its own session is ${agent_session_id}`),
    ...put('key', key_required ? 'messages need the key' : ''),
    ...put('hints', hints.map(({ seen, message }) => plainLine(`${seen} — ${message}`)).join('\n'), 'yellow'),
    ...put('workflow', workflow_id ?? ''),
    ...put('session', id),
  ];
}

function messageRows(sheet: Sheet, event: Event): string[] {
  const { paint, columns } = sheet;
  if (event.event_type === 'message_rejected') {
    const words = event.errors.map(({ path, message }) => `${path}: ${message}`).join('\n');
    return [
      '',
      `${paint('dim', clock(event.timestamp))}  ` +
        paint(['bold', 'red'], cut(`not a message (${event.reason})`, columns - 10)),
      ...wrap(plainText(words), columns),
    ];
  }
  if (event.event_type !== 'message') return [];
  const { message, timestamp } = event;
  const { style } = messageLine(message);
  const subject = plainText(messageWords(message).subject);
  return [
    '',
    `${paint('dim', clock(timestamp))}  ` +
      `${paint(style === undefined ? 'bold' : ['bold', style], cut(messageHeading(message), columns - 10))}`,
    ...(subject === '' ? [] : wrap(subject, columns)),
    ...saidRows(sheet, { ...message, ...extraOf(message) }),
    ...optionRows(sheet, message.data['options']),
  ];
}

/** Renders the options of a question, which is answered in the inbox. */
function optionRows(
  { paint, columns }: { readonly paint: Paint; readonly columns: number },
  options: unknown,
): string[] {
  if (!Array.isArray(options)) return [];
  const text = options.map((option, at) => `${at + 1} ${plainLine(String(option))}`).join('\n');
  return titled(paint, 'options', (room) => wrap(text, room), columns, TITLE_COLUMNS);
}
