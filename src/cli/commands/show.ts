import type { Client } from '../../client/index.js';
import {
  changeWords,
  cut,
  displayLine,
  type Event,
  extraOf,
  INEXACT_MARK,
  journalWords,
  messageLine,
  type OutputOf,
  type Said,
  type Session,
  seenWords,
  shownState,
  stepsOfSession,
  subjectOf,
  typedOfAnswer,
  usageWords,
} from '../../protocol/index.js';
import { clientOn, ONE_MACHINE, onMachine, type RemoteTarget, targetOf } from '../hub/remote-target.js';
import { localTime } from '../printing/local-time.js';
import { messageRows, wrapped } from '../printing/message-text.js';
import { columns } from '../printing/output.js';
import type { CommandSpec } from '../program/command.js';
import type { Context } from '../program/context.js';

export const show: CommandSpec = {
  name: 'show',
  group: 'Sessions',
  summary: 'Show one session, with its open items.',
  args: '<session>',
  options: [ONE_MACHINE],
  quiet: 'print ids only',
  examples: ['orchd show build', 'orchd show ses_7k3 --json', 'orchd show build-7/web'],
  async run(context, [selector = ''], options) {
    const target = targetOf(selector, options);
    const shown = await load(context, target);
    const { session, items, changes, output, rejected } = shown;
    await context.print(
      {
        ...onMachine(session, target.machine),
        items,
        ...(changes && { changes }),
        ...(output && { output }),
        ...(rejected && { rejected }),
      },
      () => (context.isQuiet ? `${session.id}\n` : describe(context, shown)),
    );
    return undefined;
  },
};

type Shown = Awaited<ReturnType<typeof load>>;

/** Asks the daemon for everything that the command shows. */
async function load(context: Context, { machine, selector }: RemoteTarget) {
  const client = clientOn(context, machine);
  const session = await client.call('session.show', { session: selector });
  const known = await client.call('inbox.list', { session: session.id, stalled: true });
  const { journals = [] } =
    session.ended_at === null && machine === undefined ? await context.client().call('daemon.status', {}) : {};
  const output = SAID_STATES.has(session.state) ? await lastOutput(client, session.id) : null;
  const { count: rejectedCount, last: rejected } = await eventsOf(client, session.id, 'message_rejected');
  return {
    machine,
    session,
    items: known.filter(({ state }) => state === 'open'),
    stalled: known.flatMap(({ id, answer }) => (answer?.delivery === 'stalled' ? [{ id, answer }] : [])),
    journal: journals.find(({ session_id }) => session_id === session.id),
    output,
    rejected,
    rejectedCount,
    resume: session.ended_at === null ? null : await resumeWords(session),
    changes: machine === undefined ? await changesOf(context.client(), session) : null,
  };
}

function describe(context: Context, shown: Shown): string {
  const { items, stalled, output } = shown;
  const fields = fieldsOf(context, shown);
  const width = Math.max(...fields.map(([title]) => title.length));
  const room = { columns: columns() - width - 2 };
  const lines = fields.flatMap(([title, value]) =>
    wrapped(value, room).map((line, y) => `${context.paint('dim', (y === 0 ? title : '').padEnd(width))}  ${line}`),
  );
  const open = items.map((item) => {
    const mark = item.exact === false ? ` ${INEXACT_MARK}` : '';
    return cut(`  ${item.id}  ${item.type}${mark}  ${displayLine(subjectOf(item))}`, columns());
  });
  const held = stalled.map(({ id, answer }) => {
    const seen = answer.seen === undefined ? '' : `, ${seenWords(answer.stalled_reason, displayLine(answer.seen))}`;
    const typed = typedOfAnswer(answer);
    const words = `${displayLine(answer.text)}${typed === null ? '' : ` (typed: ${typed})`}`;
    return cut(`  ${id}  ${words}  (${answer.stalled_reason}${seen})`, columns());
  });
  const parts = [
    ...lines,
    ...(output
      ? ['', 'output', ...messageRows(output, { paint: context.paint, columns: columns(), isBarred: true })]
      : []),
    ...(open.length > 0 ? ['', 'open items', ...open] : []),
    ...(held.length > 0 ? ['', 'stalled answers', ...held] : []),
  ];
  return `${parts.join('\n')}\n`;
}

/** Returns the titles and values of the session's rows. */
function fieldsOf({ paint }: Context, shown: Shown): [title: string, value: string][] {
  const { machine, session, changes, journal, resume, rejected, rejectedCount } = shown;
  const { mark, style, words } = shownState(session);
  const fields: [string, string | null | undefined][] = [
    ['id', session.id],
    ['machine', machine],
    ['name', session.name],
    ['state', stateWords(session, paint(style, `${mark} ${words}`))],
    ['tags', session.tags?.join(' ')],
    ['command', displayLine(session.command.join(' '))],
    ['directory', displayLine(session.cwd)],
    ['changes', changes && changeWords(changes)],
    ['adapter', session.adapter],
    ['mode', session.mode === 'batch' ? 'batch (on pipes; nothing can be typed)' : null],
    ['transcript', session.transcript === 'none' ? null : transcriptWords(session)],
    [
      'process',
      session.ended_at === null ? String(session.pid) : `${session.pid} (ended ${localTime(session.ended_at)})`,
    ],
    ['size', sizeWords(session)],
    ['journal', journal && journalWords(journal)],
    ['usage', session.usage && usageWords(session.usage)],
    ['turn', String(session.turn)],
    ['key', session.key_required ? 'required' : 'not required'],
    ['resume', resume],
    ['started', localTime(session.created_at)],
    ['imported', session.imported ? 'from a recording' : null],
    ...saidFields(session),
    ...listed(
      'hint',
      (session.hints ?? []).map(({ seen, message }) => `${seen} — ${message}`),
    ),
    ['rejected', rejected && rejectedWords(session, rejected, rejectedCount)],
    ['exit code', session.exit_code === null ? null : String(session.exit_code)],
    ['signal', session.signal],
  ];
  return fields.flatMap(([title, value]) => (value === null || value === undefined ? [] : [[title, value]]));
}

/** Returns what a session in a worktree of its own has changed; null for any other session. */
async function changesOf(client: Client, { id, cwd }: Session): Promise<OutputOf<'session.changes'> | null> {
  const { linkedWorktree } = await import('../../client/worktree.js');
  if ((await linkedWorktree(cwd)) === null) return null;
  return client.call('session.changes', { session: id }).catch(() => null); // git failed; `orchd diff` says why
}

type Caller = Pick<Client, 'call'>;
type Rejected = Extract<Event, { event_type: 'message_rejected' }>;

/** States in which a session may be after an OUTPUT. */
const SAID_STATES: ReadonlySet<Session['state']> = new Set(['done', 'failed', 'exited', 'lost']);
/** The pages are small, because the reply of another machine has a size limit. */
const PAGE = 100;

/** Returns the session's last message if it is an OUTPUT: the agent's report in full. */
async function lastOutput(client: Caller, session: string): Promise<Said | null> {
  const { last } = await eventsOf(client, session, 'message');
  return last?.message.type === 'OUTPUT' ? { ...last.message, ...extraOf(last.message) } : null;
}

/** Returns the number of the session's events of a type, and the last one. */
async function eventsOf<T extends Event['event_type']>(
  client: Caller,
  session: string,
  type: T,
): Promise<{ readonly count: number; readonly last: Extract<Event, { event_type: T }> | null }> {
  let last: Extract<Event, { event_type: T }> | null = null;
  for (let since = 0, count = 0; ; ) {
    const events = await client.call('event.list', { session, type: [type], since, limit: PAGE });
    count += events.length;
    const end = events.at(-1);
    if (end) last = end as Extract<Event, { event_type: T }>; // only this type was asked for
    if (events.length < PAGE || end === undefined) return { count, last };
    since = end.seq;
  }
}

/** Full-screen programs with an input line of several rows show few rows of text in a terminal of fewer rows. */
const FEW_ROWS = 16;

/** Returns the size. Rows that a program never writes to a small terminal cannot be read. */
function sizeWords(session: Session): string {
  const { cols, rows } = session.size;
  const isSmall = shownState(session).word === 'running' && rows < FEW_ROWS;
  const hint = ' (few rows for this program: a message may pass unread, so make its window larger)';
  return `${cols}x${rows}${isSmall ? hint : ''}`;
}

/** Returns why the newest message that does not fit was rejected, and how many were. */
function rejectedWords({ name }: Session, { reason, errors }: Rejected, count: number): string {
  const places = errors.map(({ path, message }) => `${path} ${message}`).join('; ');
  const rest = count === 1 ? '' : ` (the newest of ${count})`;
  return `${displayLine(`${reason}: ${places}`)}${rest} — \`orchd events --session ${name} --type message_rejected\``;
}

/** Returns `? waiting (by screen)`. If the shown words are more precise than the state, the state is added. */
function stateWords(session: Session, shown: string): string {
  const { state, state_source } = session;
  const isFiner = shownState(session).words !== state;
  return `${shown} (${isFiner ? `${state}, ` : ''}by ${state_source})`;
}

/** Returns the agent's last messages about its progress, errors and completion. */
function saidFields(session: Session): [string, string][] {
  const { progress, current_step, completed_steps = [], last_error, last_completion } = session;
  const status = messageLine({
    type: 'STATUS_UPDATE',
    data: { ...(progress !== null && { progress }), currentStep: current_step ?? '', ...stepsOfSession(session) },
  });
  const error = last_error && messageLine({ type: 'ERROR', data: last_error });
  return [
    ...(status.text === '' ? [] : [['progress', status.text] satisfies [string, string]]),
    ...listed('steps done', completed_steps),
    ...(error ? [['error', `${error.label}: ${error.text}`] satisfies [string, string]] : []),
    ...(last_completion ? [['complete', displayLine(last_completion.summary)] satisfies [string, string]] : []),
    ...listed('files', last_completion?.filesChanged ?? []),
    ...listed('commit', last_completion?.commitHash === undefined ? [] : [last_completion.commitHash]),
  ];
}

/** Returns one row per value. Only the first row has the title. */
const listed = (title: string, values: readonly string[]): [string, string][] =>
  values.map((value, at) => [at === 0 ? title : '', displayLine(value)]);

/** Returns whether the agent's transcript is read, and the agent's id of the conversation. */
function transcriptWords({ transcript, agent_session_id: id }: Session): string {
  return id === null ? transcript : `${transcript} (${displayLine(id)})`;
}

/** Returns the command with which the agent itself resumes the conversation; null if it is not known. */
async function resumeWords({ adapter, agent_session_id: id, command }: Session): Promise<string | null> {
  if (id === null) return null;
  const { adapterNamed } = await import('../../session/adapters/index.js');
  const start = adapterNamed(adapter)?.start;
  return start ? displayLine(start.resume(command, id).join(' ')) : null;
}
