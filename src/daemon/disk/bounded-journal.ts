/**
 * Keeps the journal of a running session below `retention.session_bytes`: drops its oldest part and begins it with a
 * snapshot. Every STEP_SHARE of the limit, the state of the ears and the screen is saved in `<position>.snapshot`
 * beside the segments. If the journal is too long, it is cut at the oldest of these positions that leaves room for the
 * next step. Output from which open items were read is kept. The journal is cut only up to a position whose events are
 * in the log, so restarts never need the dropped part. See protocol/journal.md.
 */
import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clearNew, cutJournal, type JournalEntry, type Range, readOwnFile } from '../../host/index.js';
import { isDeliveryPending } from '../../lifecycle/index.js';
import type { Hearing, ScreenKeeper } from '../../session/index.js';
import type { Log } from '../log.js';
import { readBeginning, type SessionEntry } from '../registry/index.js';

interface BoundedJournalPorts {
  /** The directory of all journals. */
  readonly journals: string;
  readonly entry: SessionEntry;
  readonly hearing: Hearing;
  readonly keeper: ScreenKeeper;
  /** Setting `retention.session_bytes`; 0: no limit. */
  readonly maxBytes: number;
  readonly log: Log;
  readonly onCut?: () => void;
}

type Snapshot = Extract<JournalEntry, { kind: 'snapshot' }>;
interface Kept {
  readonly time: number;
  readonly snapshot: Snapshot;
}

const SUFFIX = '.snapshot';
const STEP_SHARE = 1 / 8;
/** `orchd prune` creates this file to allow the cutting of a journal from an earlier version. */
const MAY_CUT_FILE = 'may-cut';

/** Limits the size of the journal of one running session. */
export class BoundedJournal {
  readonly #ports: BoundedJournalPorts;
  readonly #dir: string;
  readonly #step: number;
  /** Position of the newest snapshot, or the position from which the next one is counted. */
  #last: number;
  #isOurs: boolean | null = null;

  /** @param from  Position up to which the journal was read before. */
  constructor(ports: BoundedJournalPorts, from: number) {
    this.#ports = ports;
    this.#dir = join(ports.journals, ports.entry.id);
    this.#step = Math.floor(ports.maxBytes * STEP_SHARE);
    this.#last = this.#snapshots().at(-1) ?? from;
  }

  /**
   * Takes a snapshot if one is due.
   * @param position  Everything before it was read and is part of the screen.
   * @param time      Time of the last record before it, in milliseconds.
   * @returns         A function to call once all events up to the position are in the log; null if no snapshot is due.
   */
  make(position: number, time: number): (() => void) | null {
    const { maxBytes, hearing, keeper } = this.#ports;
    if (maxBytes === 0 || position - this.#last < this.#step || !this.#mayCut()) return null;
    if (keeper.position !== position || !keeper.prepare()) return null;
    const state = hearing.state() ?? hearing.rebase();
    const screen = state === null ? null : keeper.checkpoint();
    if (state === null || screen === null) return null; // The screen is inside a frame. Retried at the next output.
    this.#last = position;
    const { start = null, notes = [] } = this.#beginning() ?? {};
    const snapshot: Snapshot = { kind: 'snapshot', version: 1, start, notes, hearing: state, screen };
    // Serialized immediately, because hearing continues to change the state.
    const text = JSON.stringify({ time, snapshot } satisfies Kept);
    return () => {
      try {
        this.#write(position, text);
        this.#cut(position);
      } catch (error) {
        this.#ports.log.error('a journal could not be cut', error, { session_id: this.#ports.entry.id });
      }
    };
  }

  /** Called when the journal no longer grows. */
  remove(): void {
    for (const position of this.#snapshots()) rmSync(this.#path(position), { force: true });
  }

  #cut(position: number): void {
    const { journals, entry, maxBytes, log } = this.#ports;
    clearNew(this.#dir);
    if (journalBytes(this.#dir) <= maxBytes - this.#step) return;
    const snapshots = this.#snapshots();
    const room = maxBytes - 2 * this.#step;
    const fitting = snapshots.filter((at) => position - at <= room);
    for (const kept of [neededRanges(entry), []]) {
      for (const at of fitting) {
        const { time, snapshot } = JSON.parse(readOwnFile(this.#path(at))) as Kept; // orchd wrote this file
        const dropped = cutJournal({ journals, sessionId: entry.id, at, time, snapshot, kept });
        if (dropped === 0) continue;
        for (const old of snapshots) if (old <= at) rmSync(this.#path(old), { force: true });
        this.#ports.onCut?.();
        log.info('the oldest part of a journal was dropped', { session_id: entry.id, before: at, bytes: dropped });
        return;
      }
    }
  }

  /** True if the journal may be cut. Journals from before the limit existed are cut only after `orchd prune`. */
  #mayCut(): boolean {
    const { journals, entry } = this.#ports;
    this.#isOurs ??= entry.view.run_id === undefined && readBeginning(journals, entry.id)?.note.bounded === true;
    return this.#isOurs || statSync(join(this.#dir, MAY_CUT_FILE), { throwIfNoEntry: false }) !== undefined;
  }

  #beginning() {
    const { journals, entry } = this.#ports;
    const from = entry.start.position;
    const found = readBeginning(journals, entry.id, from) ?? readBeginning(journals, entry.id);
    if (!found) return null;
    const { start, note, key } = found;
    return {
      start,
      note,
      notes: [{ name: 'session', data: note }, ...(key === undefined ? [] : [{ name: 'key', data: { key } }])],
    };
  }

  #write(position: number, text: string): void {
    const path = this.#path(position);
    try {
      writeFileSync(`${path}.new`, text, { mode: 0o600 });
      renameSync(`${path}.new`, path);
    } catch (error) {
      rmSync(`${path}.new`, { force: true });
      throw error;
    }
  }

  #path(position: number): string {
    return join(this.#dir, `${position}${SUFFIX}`);
  }

  #snapshots(): number[] {
    return namesIn(this.#dir)
      .filter((name) => name.endsWith(SUFFIX))
      .map((name) => Number(name.slice(0, -SUFFIX.length)))
      .sort((a, b) => a - b);
  }
}

/** Returns the ranges of the messages that still need an answer, or whose answer is not typed yet. */
function neededRanges({ aggregate }: SessionEntry): Range[] {
  return aggregate.items
    .filter(({ item }) => item.state === 'open' || isDeliveryPending(item.answer))
    .flatMap(({ item: { origin } }) => (origin && origin.to > origin.from ? [origin] : []));
}

/** Number of bytes of a session's segments. */
export function journalBytes(dir: string): number {
  const sizes = namesIn(dir)
    .filter((name) => name.endsWith('.journal'))
    .map((name) => statSync(join(dir, name), { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0);
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return []; // The journal was removed.
  }
}

/** Allows the cutting of a journal from before the limit existed. */
export function allowCut(journals: string, sessionId: string): void {
  writeFileSync(join(journals, sessionId, MAY_CUT_FILE), '', { mode: 0o600 });
}
