/** A session's journal over the API: its records in order, a page in memory at a time. */
import type { Client } from '../client/index.js';
import type { JournalRecord } from '../host/index.js';
import type { OutputOf } from '../protocol/index.js';

export type PageRecord = OutputOf<'session.journal'>['records'][number];
export type PageDamage = OutputOf<'session.journal'>['damaged'][number];

/** @yields Pages; the records of a session that lives end where they ended when the last one was asked for. */
export async function* journalPages(client: Client, session: string): AsyncGenerator<OutputOf<'session.journal'>> {
  for (let from: number | null = 0; from !== null; ) {
    const page: OutputOf<'session.journal'> = await client.call('session.journal', { session, from });
    yield page;
    from = page.next;
  }
}

/** As the journal's own reader would give it. */
export function toRecord(record: PageRecord): JournalRecord {
  if (record.kind !== 'out') return record as unknown as JournalRecord; // the daemon sends them as they are
  const bytes = Buffer.from(record.bytes ?? '', 'base64');
  return { ...record, kind: 'out', bytes, bytesPosition: record.end - bytes.length };
}
