/** Where a session's transcripts were left: as the last note in its journal says. */
import { type JournalReader, openJournal } from '../../host/index.js';
import { TRANSCRIPT_NOTE, type TranscriptNote, type TranscriptPlace } from './transcript-note.js';

/** One turn of the event loop reads no more of it. */
const GULP_BYTES = 1024 * 1024;

/** @returns Null if there is no such note yet. */
export async function lastPlaces(journals: string, sessionId: string): Promise<readonly TranscriptPlace[] | null> {
  const reader = openJournal(journals, sessionId);
  let places: readonly TranscriptPlace[] | null = null;
  try {
    for (let before = -1; reader.position > before; await new Promise(setImmediate)) {
      before = reader.position;
      places = readGulp(reader) ?? places;
    }
    return places;
  } finally {
    reader.close();
  }
}

function readGulp(reader: JournalReader): readonly TranscriptPlace[] | null {
  const end = reader.position + GULP_BYTES;
  let places: readonly TranscriptPlace[] | null = null;
  reader.read(Number.POSITIVE_INFINITY, (record) => {
    if (record.kind === 'note' && record.name === TRANSCRIPT_NOTE) places = (record.data as TranscriptNote).places; // written by a follower
    return record.end < end;
  });
  return places;
}
