/** Finds bytes after the last readable record of a journal: an incomplete record whose host is gone. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const SEGMENT = /^(\d{16})\.journal$/;
/** A segment's header, which is not part of positions; protocol/journal.md. */
const HEADER_BYTES = 32;

/**
 * @param position  The end of the readable records.
 * @returns The end of the journal's files if they have bytes after `position`; null otherwise.
 */
export function tornTailEnd(journalsDir: string, sessionId: string, position: number): number | null {
  const dir = join(journalsDir, sessionId);
  try {
    const last = readdirSync(dir)
      .filter((name) => SEGMENT.test(name))
      .sort()
      .at(-1);
    if (last === undefined) return null;
    const end = Number(SEGMENT.exec(last)?.[1]) + Math.max(0, statSync(join(dir, last)).size - HEADER_BYTES);
    return end > position ? end : null;
  } catch {
    return null; // The session has no journal.
  }
}
