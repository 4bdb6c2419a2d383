/**
 * Keeps a session's screen along its journal, and lets it be found again after a restart.
 *
 * In:   journal records in order, from `position` on.
 * Out:  the screen; replies to terminal queries, each with the position of the output that asked.
 * Every REBASE_BYTES of output the screen is written to a file as a snapshot with its journal position, and goes on from the restored
 * snapshot, so that a living screen and one rebuilt after a crash are the same machine.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalRecord } from '../host/index.js';
import { createScreen, endsAtRest, type Screen } from '../terminal/index.js';

export interface ScreenKeeperOptions {
  /** Where the snapshot file lies: the session's journal folder. */
  readonly dir: string;
  readonly cols: number;
  readonly rows: number;
  readonly scrollbackLines: number;
  /** `query` is the journal position of the record that asked. */
  readonly onReply?: (query: number, text: string) => void;
}

export interface ScreenKeeper {
  /** Records before this are in the screen already. */
  readonly position: number;
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

interface Saved {
  readonly position: number;
  readonly cols: number;
  readonly rows: number;
  readonly snapshot: string;
}

export function createScreenKeeper(options: ScreenKeeperOptions): ScreenKeeper {
  const saved = readSaved(options.dir);
  let position = saved?.position ?? 0;
  let asking = position; // position of the record that is being emulated
  let pendingBytes = 0;
  let pendingCalls = 0;
  let sinceSnapshot = 0;
  let screen = open(saved ?? { cols: options.cols, rows: options.rows });

  function open(size: { cols: number; rows: number; snapshot?: string }): Screen {
    return createScreen({
      ...size,
      scrollbackLines: options.scrollbackLines,
      onReply: (text) => options.onReply?.(asking, text),
    });
  }

  function afterwards(callback: () => void): void {
    pendingCalls++;
    screen.feed(NOTHING, () => {
      pendingCalls--;
      callback();
    });
  }
  const settled = (): Promise<void> => new Promise(afterwards);

  function takeSnapshot(at: number): Saved {
    return { position: at, cols: screen.cols, rows: screen.rows, snapshot: screen.snapshot(options.scrollbackLines) };
  }

  function rebase(at: number): void {
    const next = takeSnapshot(at);
    writeSaved(options.dir, next);
    screen.dispose();
    screen = open(next);
    sinceSnapshot = 0;
  }

  return {
    get position() {
      return position;
    },
    get screen() {
      return screen;
    },
    get pendingBytes() {
      return pendingBytes;
    },
    take(record) {
      if (record.position < position) return;
      position = record.end;
      if (record.kind === 'resize') screen.resize(record.cols, record.rows);
      if (record.kind !== 'out') return;
      const bytes = record.bytes.slice();
      pendingBytes += bytes.length;
      sinceSnapshot += bytes.length;
      const { position: at } = record;
      screen.feed(NOTHING, () => {
        asking = at;
      });
      screen.feed(bytes, () => {
        pendingBytes -= bytes.length;
        // Only when nothing is queued behind, and not in the middle of a sequence: what follows must reach the restored screen.
        const isAlone = pendingBytes === 0 && pendingCalls === 0;
        if (sinceSnapshot >= REBASE_BYTES && isAlone && endsAtRest(bytes)) rebase(position);
      });
    },
    afterwards,
    settled,
    async save() {
      await settled();
      writeSaved(options.dir, takeSnapshot(position));
    },
    dispose: () => screen.dispose(),
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
