/**
 * Renders one task, run or blueprint: its prompt, error, plan, attempts, result and history. Pure.
 *
 * In:   the thing, and the width of a row in columns.
 * Out:  painted rows, cached until the thing changes.
 */
import {
  type Blueprint,
  messageWords,
  type Run,
  type RunAttempt,
  type Said,
  type SchemaError,
  shownError,
  shownRun,
  shownTask,
  type Task,
  type TaskAttempt,
  type TaskHistoryEntry,
  valueText,
} from '../../protocol/index.js';
import { sectionsOf } from '../model/items/item-words.js';
import { blueprintPlace, markedState, nextStep, runAgent, taskAgent } from '../model/work-words.js';
import { clock, dateAndClock, elapsed, shortTime } from '../paint/ages.js';
import { markdownRows } from '../paint/markdown.js';
import type { Paint, Style } from '../paint/paint.js';
import { cut, plainLine, plainText, wrap } from '../paint/text.js';
import { titled } from './item-view.js';

/** A longer text is cut: `orchd runs show` prints all of it. */
const MAX_CHARS = 20_000;
/** Enough for `deliverables`, the longest title of an envelope. */
export const TITLE_COLUMNS = 13;

interface Sheet {
  readonly paint: Paint;
  readonly columns: number;
}

/** Renders a text with its title beside it. Without a title, the text has the whole width. */
function put({ paint, columns }: Sheet, title: string, text: string, style: Style | readonly Style[] = []): string[] {
  if (text.trim() === '') return [];
  const short = text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}\n… ${text.length - MAX_CHARS} more` : text;
  const rows = (room: number): string[] => wrap(plainText(short).trimEnd(), room).map((row) => paint(style, row));
  return titled(paint, title === '' ? null : title, rows, columns, TITLE_COLUMNS);
}

const bullets = (lines: readonly string[] = []): string => lines.map((line) => `- ${plainLine(line)}`).join('\n');
const numbered = (lines: readonly string[] = []): string =>
  lines.map((line, at) => `${at + 1}. ${plainLine(line)}`).join('\n');

/** A heading between parts, with a blank row above. */
const heading = ({ paint, columns }: Sheet, text: string): string[] => ['', paint('bold', cut(text, columns))];

// ── a task ──────────────────────────────────────────────────────────────────────────────────────────────────────────

interface TaskSheet {
  readonly task: Task;
  readonly history: readonly TaskHistoryEntry[];
  readonly now: number;
}

export function taskDetails(sheet: Sheet, { task, history, now }: TaskSheet): string[] {
  const { plan, report, questions, attempts, prompt, cwd } = task;
  const error = shownError(task);
  const state = markedState(shownTask(task));
  const open = questions.filter(({ answer, declined }) => answer === null && !declined);
  const answered = questions.filter((one) => !open.includes(one));
  return [
    ...open.flatMap(({ question }) =>
      put(sheet, task.state === 'awaiting_input' ? 'asks' : 'asked', question, 'yellow'),
    ),
    ...(error === null ? [] : put(sheet, 'error', error.message, 'red')),
    ...put(sheet, 'state', [state.text, nextStep(task)].filter(Boolean).join(' · '), state.style),
    ...put(sheet, 'task', prompt, 'bold'),
    ...put(sheet, 'agent', taskAgent(task) || 'the default agent program'),
    ...put(sheet, 'in', cwd),
    ...(report === null ? [] : reportRows(sheet, report)),
    ...(plan === null ? [] : planRows(sheet, plan)),
    ...answered.flatMap(({ question, answer, declined }) =>
      put(sheet, 'answered', `${question}\n→ ${answer ?? (declined ? 'declined: the planner decides' : '')}`),
    ),
    ...(attempts.length === 0 ? [] : heading(sheet, 'Attempts')),
    ...attempts.flatMap((attempt) => attemptRow(sheet, attempt, now)),
    ...(history.length === 0 ? [] : heading(sheet, 'History')),
    ...history.flatMap((entry) => historyRows(sheet, entry, now)),
  ];
}

function planRows(sheet: Sheet, plan: NonNullable<Task['plan']>): string[] {
  const { summary, requirements, acceptanceCriteria, plan: steps, assignedAgent: _shown, ...rest } = plan;
  return [
    ...heading(sheet, 'Plan'),
    ...put(sheet, '', summary),
    ...put(sheet, 'needs', bullets(requirements)),
    ...put(sheet, 'steps', numbered(steps)),
    ...put(sheet, 'done when', bullets(acceptanceCriteria)),
    ...Object.entries(rest).flatMap(([name, value]) => put(sheet, plainLine(name), valueText(value))),
  ];
}

/** The report has the shape of a TASK_COMPLETE message. */
function reportRows(sheet: Sheet, report: NonNullable<Task['report']>): string[] {
  const said: Said = { type: 'TASK_COMPLETE', data: report };
  return [...heading(sheet, 'Report'), ...put(sheet, '', messageWords(said).subject), ...saidRows(sheet, said)];
}

function attemptRow(sheet: Sheet, { number, kind, agent, run_id, started_at, ended_at }: TaskAttempt, now: number) {
  const how = `${kind} by ${plainLine(agent ?? 'the default agent')} · ${elapsed(started_at, ended_at, now)}`;
  return put(sheet, String(number), `${how}${ended_at === null ? ' · under way' : ''} · ${run_id}`);
}

const historyRows = (sheet: Sheet, { timestamp, event, text }: TaskHistoryEntry, now: number): string[] =>
  put(sheet, shortTime(timestamp, now), `${event}${text === '' ? '' : ` · ${plainLine(text)}`}`);

/** Renders every part of a message except its subject. */
export function saidRows(sheet: Sheet, said: Said): string[] {
  const { paint, columns } = sheet;
  return sectionsOf(said).flatMap(({ title, text, isMarkdown }) => {
    if (!isMarkdown) return put(sheet, (title ?? '').toLowerCase(), text);
    const rows = (room: number): string[] => markdownRows(paint, text, room);
    return ['', ...titled(paint, title?.toLowerCase() ?? null, rows, columns, TITLE_COLUMNS)];
  });
}

// ── a run ───────────────────────────────────────────────────────────────────────────────────────────────────────────

export function runDetails(sheet: Sheet, run: Run, now: number): string[] {
  const { attempts, prompt, cwd, model, asking = [], resumes_at, retry_of, task_id, workflow_id } = run;
  const error = shownError(run);
  const state = markedState(shownRun(run));
  const lasted = run.started_at === null ? '' : elapsed(run.started_at, run.ended_at, now);
  // The prompt of a task's run fills a screen. The result is what a person looks for.
  const result = resultRows(sheet, run);
  return [
    ...(asking.length === 0 ? [] : put(sheet, 'asks', `${asking.length} waiting: Enter answers`, 'yellow')),
    ...(error === null ? [] : errorRows(sheet, error)),
    ...put(sheet, 'state', [state.text, lasted].filter(Boolean).join(' · '), state.style),
    ...(resumes_at === null ? [] : put(sheet, 'goes on', `at ${clock(resumes_at)}`)),
    ...put(sheet, 'agent', [runAgent(run), ...(model === null ? [] : [plainLine(model)])].join(', ')),
    ...put(sheet, 'in', cwd),
    ...(retry_of === null ? [] : put(sheet, 'repeats', retry_of)),
    ...(task_id === undefined ? [] : put(sheet, 'task', task_id)),
    ...(workflow_id === undefined ? [] : put(sheet, 'workflow', workflow_id)),
    ...result,
    ...(result.length === 0 ? [] : ['']),
    ...put(sheet, 'prompt', prompt, 'bold'),
    ...attempts.flatMap((attempt) => runAttemptRows(sheet, run, attempt, now)),
  ];
}

function errorRows(sheet: Sheet, { message, errors = [], resolution }: NonNullable<Run['error']>): string[] {
  return [
    ...put(sheet, 'error', [message, ...errors.map(problemText)].join('\n'), 'red'),
    ...put(sheet, 'resolution', resolution ?? ''),
  ];
}

const problemText = ({ path, message }: SchemaError): string => `${plainLine(path)}: ${plainLine(message)}`;

function resultRows(sheet: Sheet, { state, result_text, result_data, result_human }: Run): string[] {
  if (state !== 'completed') return [];
  if (result_human !== null)
    return [...heading(sheet, 'Result'), ...envelopeRows(sheet, { data: result_data as object, human: result_human })];
  const text = result_text ?? JSON.stringify(result_data, null, 2);
  return [...heading(sheet, 'Result'), ...put(sheet, '', text)];
}

function envelopeRows(sheet: Sheet, envelope: { readonly data: object; readonly human: string }): string[] {
  const said: Said = { type: 'OUTPUT', data: { ...envelope.data }, human: envelope.human };
  return [...put(sheet, '', messageWords(said).subject, 'bold'), ...saidRows(sheet, said)];
}

const REASONS: Readonly<Record<RunAttempt['reason'], string>> = {
  start: 'the first',
  retry: 'its result before did not fit',
  reminder: 'reminded of the tool call that it owes',
  answer: 'with the answer',
  limit_over: 'the account may be used again',
};

/** Renders the outcome of an attempt. The text of the attempt that gave the result is not repeated. */
function runAttemptRows(sheet: Sheet, run: Run, attempt: RunAttempt, now: number): string[] {
  const { number, reason, started_at, ended_at, verdict, error, text, envelope, session_id } = attempt;
  const time = elapsed(started_at, ended_at, now);
  const isResult = run.state === 'completed' && number === run.attempts.length;
  const problems = (verdict?.errors ?? []).map(problemText).join('\n');
  return [
    ...heading(sheet, `Attempt ${number} of ${run.attempts.length} · ${REASONS[reason]} · ${time}`),
    ...(ended_at === null ? put(sheet, '', 'under way', 'cyan') : []),
    ...put(sheet, 'error', error ?? '', 'red'),
    ...put(sheet, 'misfits', problems, 'red'),
    ...(envelope ? envelopeRows(sheet, envelope) : isResult ? [] : put(sheet, 'said', text ?? '')),
    ...put(sheet, 'session', session_id, 'dim'),
  ];
}

// ── a blueprint ─────────────────────────────────────────────────────────────────────────────────────────────────────

export function blueprintDetails(sheet: Sheet, blueprint: Blueprint): string[] {
  const { name: _name, description, problem, source: _source, project, file, ...rest } = blueprint;
  const { created_at: _created, updated_at, shadows, type: _type, instructions, prompt, ...definition } = rest;
  return [
    ...(problem ? put(sheet, 'problem', [problem.message, ...problem.errors.map(problemText)].join('\n'), 'red') : []),
    ...put(sheet, 'for', description),
    ...put(sheet, 'where', [blueprintPlace(blueprint), file ?? project ?? ''].filter(Boolean).join(' · ')),
    ...(shadows ? put(sheet, '', 'another one of its name does not count because of it', 'dim') : []),
    ...(updated_at === null ? [] : put(sheet, 'saved', dateAndClock(updated_at), 'dim')),
    ...Object.entries(definition).flatMap(([name, value]) =>
      put(sheet, name.replaceAll('_', ' '), fieldText(name, value)),
    ),
    ...put(sheet, 'prompt', prompt ?? ''),
    ...(instructions === undefined ? [] : [...heading(sheet, 'Instructions'), ...put(sheet, '', instructions)]),
  ];
}

/** Schemas are shown as JSON. */
const fieldText = (name: string, value: unknown): string =>
  name.endsWith('_schema') ? JSON.stringify(value, null, 2) : valueText(value);
