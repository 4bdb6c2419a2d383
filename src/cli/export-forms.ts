/**
 * What can be exported, each form as text that comes in parts: nothing long is held in memory.
 *
 *     cast      an asciicast of version 2                 text     scrollback and screen, as they stand
 *     events    the session's events, one a line          journal  its records, one a line, output in base64
 *     all       sessions, items, answers and events of everything, one a line: see protocol/export.md
 */
import type { Client } from '../client/index.js';
import type { Item, Session } from '../protocol/index.js';
import { VERSION } from '../protocol/version.js';
import { journalPages, toRecord } from './journal-pages.js';

export const FORMS = ['cast', 'text', 'events', 'journal'] as const;
export type Form = (typeof FORMS)[number];

/** What `session.capture` takes at most. */
const MAX_SCROLLBACK = 100_000;
export const EXPORT_VERSION = 1;

type Source = (client: Client, session: Session) => AsyncGenerator<string>;

export const SOURCES: { readonly [F in Form]: Source } = {
  async *cast(client, { id, name, command, size }) {
    const { CastWriter } = await import('../session/index.js');
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

/** The state first and the events behind it: whatever the state holds, an event says why. */
export async function* everything(client: Client): AsyncGenerator<string> {
  const { home } = await client.call('daemon.status', {});
  yield line({ kind: 'orchd_export', version: EXPORT_VERSION, orchd: VERSION, home, at: new Date().toISOString() });
  const sessions = await client.call('session.list', { all: true });
  const items = await client.call('inbox.list', { all: true });
  for (const session of sessions) yield line({ kind: 'session', session });
  for (const item of items) yield itemLines(item);
  let last = 0;
  let events = 0;
  for await (const event of client.events({ since: 0 })) {
    last = event.event_type === 'gap' ? event.to : (event.seq ?? last);
    events++;
    yield line({ kind: 'event', event });
  }
  yield line({ kind: 'end', sessions: sessions.length, items: items.length, events, last_seq: last });
}

function itemLines(item: Item): string {
  const { id: item_id, session_id, answer } = item;
  return line({ kind: 'item', item }) + (answer ? line({ kind: 'answer', item_id, session_id, answer }) : '');
}

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
