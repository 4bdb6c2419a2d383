/**
 * Operations on journals: reading one in pages, so that no long journal is held in memory, and importing a recording.
 */
import { type JournalRecord, openJournal } from '../../host/index.js';
import type { OutputOf, Paths } from '../../protocol/index.js';
import type { Registry } from '../registry/index.js';
import type { Imports } from '../sessions/index.js';
import type { Handlers } from './handler.js';

/** Size of a page, unless a single record is longer. */
const PAGE_BYTES = 256 * 1024;

type PageRecord = OutputOf<'session.journal'>['records'][number];

export interface JournalPorts {
  readonly paths: Paths;
  readonly registry: Registry;
  readonly imports: Imports;
}

export const journalHandlers = ({ imports, paths, registry }: JournalPorts) =>
  ({
    'session.journal': async ({ session, from = 0 }) => {
      const entry = registry.session(session);
      const reader = openJournal(paths.journalsDir, entry.id, { from });
      const records: PageRecord[] = [];
      let bytes = 0;
      try {
        const { position, damaged } = reader.read(Number.POSITIVE_INFINITY, (record) => {
          records.push(toPage(record));
          bytes += record.end - record.position;
          return bytes < PAGE_BYTES;
        });
        return { records, next: bytes < PAGE_BYTES ? null : position, damaged: [...damaged] };
      } finally {
        reader.close();
      }
    },
    'session.import': async (input, { signal }) => imports.import(input, signal),
  }) satisfies Partial<Handlers>;

function toPage(record: JournalRecord): PageRecord {
  if (record.kind !== 'out') return { ...record };
  const { position, end, time, kind, bytes } = record;
  return { position, end, time, kind, bytes: Buffer.from(bytes).toString('base64') };
}
