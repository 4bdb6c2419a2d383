/** Reads a session's journal over the API: its records in order, with one page in memory at a time. */
import type { Client } from '../../client/index.js';
import type { JournalRecord } from '../../host/index.js';
import type { OutputOf } from '../../protocol/index.js';

type PageRecord = OutputOf<'session.journal'>['records'][number];

/** @yields Pages. For a living session, they end at the end of the journal at the time of the last request. */
export async function* journalPages(client: Client, session: string): AsyncGenerator<OutputOf<'session.journal'>> {
  for (let from: number | null = 0; from !== null; ) {
    const page: OutputOf<'session.journal'> = await client.call('session.journal', { session, from });
    yield page;
    from = page.next;
  }
}

/** Converts a record to the type that the journal's own reader returns. */
export function toRecord(record: PageRecord): JournalRecord {
  if (record.kind !== 'out') return record as unknown as JournalRecord; // the daemon sends these records unchanged
  const bytes = Buffer.from(record.bytes ?? '', 'base64');
  return { ...record, kind: 'out', bytes, bytesPosition: record.end - bytes.length };
}
