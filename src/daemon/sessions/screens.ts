/** Screens of sessions: the live screen of a living session, and rebuilt screens of ended sessions. */
import { join } from 'node:path';
import { openJournal, readInPieces, readRecords, snapshotAt } from '../../host/index.js';
import type { Picture } from '../../lifecycle/index.js';
import type { Paths } from '../../protocol/index.js';
import type { ScreenKeeper } from '../../session/index.js';
import type { SessionEntry } from '../registry/index.js';

/** How long the rebuilt screen of an ended session is kept after its last use. */
const KEPT_MS = 30_000;
/** Bytes read before other work gets a turn. */
const PIECE_BYTES = 1024 * 1024;

/** The screens around the typing of a text. */
export interface TypedScreens {
  /** The screen before the text was typed. */
  readonly before: Picture;
  /** The screen when Enter was typed; if that has not happened yet, the newest one. */
  readonly after: Picture;
  /** The position in the journal at which the typing began. */
  readonly from: number;
}

/**
 * Restores a screen from its snapshot, or from the journal's beginning if there is no snapshot.
 *
 * @param isNew True if no part of the journal was read yet, so that the screen has its initial size.
 */
export async function openScreen(
  { journalsDir }: Pick<Paths, 'journalsDir'>,
  entry: SessionEntry,
  onReply?: (query: number, text: string) => void,
  isNew = false,
): Promise<ScreenKeeper> {
  const { createScreenKeeper } = await import('../../session/index.js');
  return createScreenKeeper({
    dir: join(journalsDir, entry.id),
    ...(isNew ? entry.view.size : startSize(journalsDir, entry)),
    scrollbackLines: entry.scrollbackLines,
    ...(onReply && { onReply }),
  });
}

/**
 * Returns the screens around a text that an earlier daemon has typed, from the journal. Null if the newest snapshot of
 * the screen was taken after the typing began.
 */
export async function screensAround(
  { journalsDir }: Pick<Paths, 'journalsDir'>,
  entry: SessionEntry,
  writeId: string,
): Promise<TypedScreens | null> {
  const { createScreenKeeper } = await import('../../session/index.js');
  const keeper = createScreenKeeper({
    dir: join(journalsDir, entry.id),
    ...startSize(journalsDir, entry),
    scrollbackLines: 0,
    rebaseBytes: Number.POSITIVE_INFINITY, // the session's own keeper writes the snapshots
  });
  const reader = openJournal(journalsDir, entry.id, { from: keeper.position });
  const picture = (): Picture => ({ rows: keeper.screen.look({}), cursor: keeper.screen.cursor });
  const afterPiece = (): Promise<void> | undefined => (keeper.isBehind ? keeper.settled() : undefined);
  const readTo = async (phase: 'begin' | 'end'): Promise<number | null> => {
    let found: number | null = null;
    await readInPieces(reader, { pieceBytes: PIECE_BYTES, goesOn: () => found === null, afterPiece }, (record) => {
      keeper.take(record);
      if (record.kind === 'input' && record.writeId === writeId && record.phase === phase) found = record.position;
      return found === null && !keeper.isBehind;
    });
    await keeper.settled();
    return found;
  };
  try {
    const from = await readTo('begin');
    if (from === null) return null;
    const before = picture();
    await readTo('end');
    return { before, after: picture(), from };
  } finally {
    reader.close();
    keeper.dispose();
  }
}

/**
 * Returns a function that gives a session's screen with all output read so far. The screen of an ended session is
 * rebuilt once for all concurrent callers.
 */
export function createScreenFinder(paths: Pick<Paths, 'journalsDir'>): (entry: SessionEntry) => Promise<ScreenKeeper> {
  const rebuilding = new Map<string, Promise<ScreenKeeper>>();

  async function rebuild(entry: SessionEntry): Promise<ScreenKeeper> {
    const keeper = await openScreen(paths, entry);
    const reader = openJournal(paths.journalsDir, entry.id, { from: keeper.position });
    const settle = (): Promise<void> | undefined => (keeper.isBehind ? keeper.settled() : undefined);
    await readInPieces(reader, { pieceBytes: PIECE_BYTES, afterPiece: settle }, (record) => {
      keeper.take(record);
      return !keeper.isBehind;
    });
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

/** Returns the size at the journal's beginning, which a screen built from its first byte must have. */
function startSize(journals: string, entry: SessionEntry): { cols: number; rows: number } {
  let size = entry.view.size;
  const cutAt = snapshotAt(join(journals, entry.id)) ?? 0;
  readRecords(journals, entry.id, 0, (record) => {
    if (record.kind === 'start') size = { cols: record.cols, rows: record.rows };
    if (record.kind === 'snapshot') size = { cols: record.screen.cols, rows: record.screen.rows };
    return record.kind === 'out' && record.end < cutAt; // A cut journal kept this record from before the cut.
  });
  return size;
}
