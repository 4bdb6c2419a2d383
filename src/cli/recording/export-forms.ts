/**
 * The forms of an export. Each is a stream of text, so that no long text is held in memory.
 *
 *     cast      an asciicast of version 2                 text     scrollback and screen as text
 *     events    the session's events, one per line        journal  its records, one per line, output in base64
 *     all       sessions, items, answers, blueprints, runs, tasks, workflow runs and events, one per line: see
 *               protocol/export.md
 */
import type { Client } from '../../client/index.js';
import type { Item, Session } from '../../protocol/index.js';
import { VERSION } from '../../protocol/version.js';
import { journalPages, toRecord } from './journal-pages.js';

export const FORMS = ['cast', 'text', 'events', 'journal'] as const;
export type Form = (typeof FORMS)[number];

/** The maximum that `session.capture` accepts. */
const MAX_SCROLLBACK = 100_000;
/** The maximum that list operations accept. */
const MAX_LISTED = 10_000;
const EXPORT_VERSION = 1;

type Source = (client: Client, session: Session) => AsyncGenerator<string>;

export const SOURCES: { readonly [F in Form]: Source } = {
  async *cast(client, { id, name, command, size }) {
    const { CastWriter } = await import('../../session/index.js');
    const writer = new CastWriter({ title: name, command, size });
    for await (const { records } of journalPages(client, id)) {
      yield records.map((record) => writer.add(toRecord(record))).join('');
    }
    yield writer.end();
  },
  async *text(client, { id }) {
    const { text } = await client.call('session.capture', { session: id, scrollback: MAX_SCROLLBACK });
    yield text.replace(/\n{2,}$/, '\n');
  },
  async *events(client, { id }) {
    for await (const event of client.events({ session: id, since: 0 })) yield line(event);
  },
  async *journal(client, { id }) {
    for await (const { records, damaged } of journalPages(client, id)) {
      yield [...damaged.map((damage) => line({ kind: 'damaged', ...damage })), ...records.map(line)].join('');
    }
  },
};

/** Exports the state first and the events after it, so that every fact in the state has its event in the export. */
export async function* everything(client: Client): AsyncGenerator<string> {
  const { home } = await client.call('daemon.status', {});
  yield line({ kind: 'orchd_export', version: EXPORT_VERSION, orchd: VERSION, home, at: new Date().toISOString() });
  const sessions = await client.call('session.list', { all: true });
  const items = await client.call('inbox.list', { all: true });
  for (const session of sessions) yield line({ kind: 'session', session });
  for (const item of items) yield itemLines(item);
  const counts = { sessions: sessions.length, items: items.length, blueprints: 0, runs: 0, tasks: 0, workflows: 0 };
  for await (const { kind, lines } of work(client)) {
    counts[kind]++;
    yield lines;
  }
  let last = 0;
  let events = 0;
  for await (const event of client.events({ since: 0 })) {
    last = event.event_type === 'gap' ? event.to : (event.seq ?? last);
    events++;
    yield line({ kind: 'event', event });
  }
  yield line({ kind: 'end', ...counts, events, last_seq: last });
}

/** Yields one record at a time, because each may contain results of megabytes. */
async function* work(
  client: Client,
): AsyncGenerator<{ readonly kind: 'blueprints' | 'runs' | 'tasks' | 'workflows'; readonly lines: string }> {
  const limit = MAX_LISTED;
  // Other blueprints are in the projects' files or built into orchd.
  for (const blueprint of await client.call('blueprint.list', {})) {
    if (blueprint.source !== 'built-in') yield { kind: 'blueprints', lines: line({ kind: 'blueprint', blueprint }) };
  }
  for (const { id } of await client.call('run.list', { limit }))
    yield { kind: 'runs', lines: line({ kind: 'run', run: await client.call('run.show', { run: id }) }) };
  for (const { id } of await client.call('task.list', { limit })) {
    const [task, history] = [
      await client.call('task.show', { task: id }),
      await client.call('task.history', { task: id }),
    ];
    yield { kind: 'tasks', lines: line({ kind: 'task', task, history }) };
  }
  for (const { id } of await client.call('workflow.list', { limit })) {
    const workflow = await client.call('workflow.show', { workflow: id });
    yield { kind: 'workflows', lines: line({ kind: 'workflow', workflow }) };
  }
}

function itemLines(item: Item): string {
  const { id: item_id, session_id, answer } = item;
  return line({ kind: 'item', item }) + (answer ? line({ kind: 'answer', item_id, session_id, answer }) : '');
}

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
