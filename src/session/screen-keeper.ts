/**
 * Keeps a session's screen along its journal, and lets it be found again after a restart.
 *
 * In:   journal records in order, from `position` on.
 * Out:  the screen; replies to terminal queries, each with a position of its own in the output that asked.
 * Every REBASE_BYTES of output the screen is written to a file as a snapshot with its journal position, and goes on from the restored
 * snapshot, so that a living screen and one rebuilt after a crash are the same machine.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalRecord } from '../host/index.js';
import { createRestWatch, createScreen, type Screen } from '../terminal/index.js';

export interface ScreenKeeperOptions {
  /** Where the snapshot file lies: the session's journal folder. */
  readonly dir: string;
  readonly cols: number;
  readonly rows: number;
  readonly scrollbackLines: number;
  /** `query` is a journal position in the record that asked: of its first byte for its first query, one more for each further one. */
  readonly onReply?: (query: number, text: string) => void;
  /** Instead of REBASE_BYTES, for tests. */
  readonly rebaseBytes?: number;
}

export interface ScreenKeeper {
  /** Records before this are in the screen already. */
  readonly position: number;
  /** What may be looked at. Another one after a rebase: ask for it each time. */
  readonly screen: Screen;
  /** Takes a record; bytes are copied. Records before `position` are passed over. */
  take(record: JournalRecord): void;
  /** Bytes taken that are not on the screen yet. */
  readonly pendingBytes: number;
  /** Calls when everything taken before is on the screen, and nothing taken after. */
  afterwards(callback: () => void): void;
  /** Resolves when everything taken before is on the screen. */
  settled(): Promise<void>;
  /** Writes the snapshot file, for a session that ends or a daemon that stops. */
  save(): Promise<void>;
  dispose(): void;
}

/** Replaying this much takes some 200 ms; writing a snapshot some 30 ms. */
const REBASE_BYTES = 16 * 1024 * 1024;
const FILE = 'screen.json';
const NOTHING = new Uint8Array(0);
const RESET = new TextEncoder().encode('\x1bc');

interface Saved {
  readonly position: number;
  readonly cols: number;
  readonly rows: number;
  readonly snapshot: string;
}

export function createScreenKeeper(options: ScreenKeeperOptions): ScreenKeeper {
  const { rebaseBytes = REBASE_BYTES } = options;
  const saved = readSaved(options.dir);
  const isAtRest = createRestWatch();
  let position = saved?.position ?? 0;
  let asking = position; // what the next reply is numbered with
  let pendingBytes = 0;
  let pendingCalls = 0;
  let sinceSnapshot = 0;
  /** Whether what has been taken ends between two sequences, as far as it was output. */
  let rests = true;
  /** The one that is fed, and the one that is shown: they differ while a restored screen has not parsed its snapshot. */
  let fed = open(saved ?? { cols: options.cols, rows: options.rows });
  let shown = fed;

  function open(size: { cols: number; rows: number; snapshot?: string }): Screen {
    return createScreen({
      ...size,
      scrollbackLines: options.scrollbackLines,
      onReply: (text) => options.onReply?.(asking++, text),
    });
  }

  function afterwards(callback: () => void): void {
    pendingCalls++;
    fed.feed(NOTHING, () => {
      pendingCalls--;
      callback();
      rebaseIfDue();
    });
  }
  const settled = (): Promise<void> => new Promise(afterwards);

  /** @param position  What the screen has taken. */
  function takeSnapshot(position: number): Saved {
    return { position, cols: fed.cols, rows: fed.rows, snapshot: fed.snapshot(options.scrollbackLines) };
  }

  /** Only when nothing is queued, and not in the middle of a sequence: what follows must reach the restored screen. */
  function rebaseIfDue(): void {
    if (sinceSnapshot < rebaseBytes || pendingBytes > 0 || pendingCalls > 0 || !rests) return;
    sinceSnapshot = 0;
    const snapshot = takeSnapshot(position);
    writeSaved(options.dir, snapshot);
    const [before, after] = [fed, open(snapshot)];
    fed = after;
    after.feed(NOTHING, () => {
      shown = after;
      before.dispose();
    });
  }

  return {
    get position() {
      return position;
    },
    get screen() {
      return shown;
    },
    get pendingBytes() {
      return pendingBytes;
    },
    take(record) {
      if (record.position < position) return;
      position = record.end;
      // Another start of a program has a terminal of its own: everything of the one before is reset.
      const startsAgain = record.kind === 'start' && record.position > 0;
      if (startsAgain) fed.feed(RESET, () => {});
      if (record.kind === 'resize' || startsAgain) {
        fed.resize(record.cols, record.rows);
        afterwards(() => {}); // queued like output: a rebase waits for it
      }
      if (record.kind !== 'out') return;
      const bytes = Uint8Array.from(record.bytes); // `slice` of a Buffer would not be a copy
      const { bytesPosition } = record;
      pendingBytes += bytes.length;
      sinceSnapshot += bytes.length;
      rests = isAtRest(bytes);
      fed.feed(NOTHING, () => {
        asking = bytesPosition;
      });
      fed.feed(bytes, () => {
        pendingBytes -= bytes.length;
        rebaseIfDue();
      });
    },
    afterwards,
    settled,
    save: () =>
      new Promise((resolve) => {
        const at = position;
        afterwards(() => {
          writeSaved(options.dir, takeSnapshot(at));
          resolve();
        });
      }),
    dispose() {
      fed.dispose();
      shown.dispose();
    },
  };
}

/** A snapshot that cannot be read is none: the screen is then rebuilt from the journal's beginning. */
function readSaved(dir: string): Saved | null {
  try {
    const value = JSON.parse(readFileSync(join(dir, FILE), 'utf8')) as Partial<Saved>; // our own file; checked below
    const { position, cols, rows, snapshot } = value;
    if (typeof position !== 'number' || typeof cols !== 'number' || typeof rows !== 'number') return null;
    return typeof snapshot === 'string' ? { position, cols, rows, snapshot } : null;
  } catch {
    return null;
  }
}

function writeSaved(dir: string, saved: Saved): void {
  const path = join(dir, FILE);
  try {
    writeFileSync(`${path}.new`, JSON.stringify(saved), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  } catch {
    // A full disk costs time at the next start, nothing else.
  }
}
