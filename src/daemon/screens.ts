/**
 * Screens of sessions: the one that a living session keeps along its journal, and those of ended ones, found again when somebody looks.
 */
import { join } from 'node:path';
import { openJournal, snapshotAt } from '../host/index.js';
import type { Paths } from '../protocol/index.js';
import type { ScreenKeeper } from '../session/index.js';
import type { SessionEntry } from './session-entry.js';

/** The screen of an ended session is kept so long after a look. */
const KEPT_MS = 30_000;
/** Read between two turns of others. */
const GULP_BYTES = 1024 * 1024;

/**
 * From its snapshot, if there is one; at the journal's beginning otherwise.
 *
 * @param isNew  Nothing of its journal was read before: it has the size with which that begins.
 */
export async function openScreen(
  { journalsDir }: Pick<Paths, 'journalsDir'>,
  entry: SessionEntry,
  onReply?: (query: number, text: string) => void,
  isNew = false,
): Promise<ScreenKeeper> {
  const { createScreenKeeper } = await import('../session/index.js');
  return createScreenKeeper({
    dir: join(journalsDir, entry.id),
    ...(isNew ? entry.view.size : startSize(journalsDir, entry)),
    scrollbackLines: entry.scrollbackLines,
    ...(onReply && { onReply }),
  });
}

/** Gives a session's screen with everything heard so far. Of an ended one it is rebuilt, once for all who ask. */
export function createScreenFinder(paths: Pick<Paths, 'journalsDir'>): (entry: SessionEntry) => Promise<ScreenKeeper> {
  const rebuilding = new Map<string, Promise<ScreenKeeper>>();

  async function rebuild(entry: SessionEntry): Promise<ScreenKeeper> {
    const keeper = await openScreen(paths, entry);
    const reader = openJournal(paths.journalsDir, entry.id, { from: keeper.position });
    for (let before = -1; before < reader.position; ) {
      before = reader.position;
      let bytes = 0;
      reader.read(Number.POSITIVE_INFINITY, (record) => {
        keeper.take(record);
        bytes += record.end - record.position;
        return bytes < GULP_BYTES;
      });
      await new Promise(setImmediate);
    }
    reader.close();
    await keeper.settled();
    entry.keeper = keeper;
    const drop = () => {
      if (entry.keeper === keeper) entry.keeper = null;
      keeper.dispose();
    };
    setTimeout(drop, KEPT_MS).unref();
    return keeper;
  }

  return async (entry) => {
    const { keeper } = entry;
    if (keeper) {
      await keeper.settled();
      return keeper;
    }
    let made = rebuilding.get(entry.id);
    if (!made) {
      made = rebuild(entry).finally(() => rebuilding.delete(entry.id));
      rebuilding.set(entry.id, made);
    }
    return made;
  };
}

/** The size the journal begins with: a screen built from its first byte must have it. */
function startSize(journals: string, entry: SessionEntry): { cols: number; rows: number } {
  let size = entry.view.size;
  const reader = openJournal(journals, entry.id);
  const cutAt = snapshotAt(join(journals, entry.id)) ?? 0;
  reader.read(Number.POSITIVE_INFINITY, (record) => {
    if (record.kind === 'start') size = { cols: record.cols, rows: record.rows };
    if (record.kind === 'snapshot') size = { cols: record.screen.cols, rows: record.screen.rows };
    return record.kind === 'out' && reader.position < cutAt; // what a journal that was cut has kept
  });
  reader.close();
  return size;
}
