/**
 * Follows one session's transcript and submits its items, in order.
 *
 * In:   the adapter's sources, the positions in their files (`places`), and `nudge` whenever the agent prints.
 * Out:  notes, one after the other: the next when the previous one is in the journal. No item is submitted twice or
 *       skipped: the places of a note are the positions up to which everything was submitted.
 * Entries from before the session's start are ignored, and so are repeated ones (returned-lines.ts). Files are only
 * read. An unreadable file is tried again at the next change. Files that the agent names are read only in its own
 * folder.
 */
import { statSync } from 'node:fs';
import type {
  TranscriptAbout,
  TranscriptItem,
  TranscriptOffset,
  TranscriptSource,
  TranscriptTraits,
} from '../../session/index.js';
import type { Log } from '../log.js';
import { FileTail, type TailLine, type TailRead } from './file-tail.js';
import { findFiles, findNext, isBelow } from './find-file.js';
import type { FolderWatches } from './folder-watches.js';
import { ReturnedLines } from './returned-lines.js';
import { packLines, type ReadLine, type TranscriptNote } from './transcript-note.js';

export interface FollowerPorts {
  readonly traits: TranscriptTraits;
  readonly about: TranscriptAbout;
  /** The file to which orchd's hooks and plugins append. */
  readonly feed: string;
  /** The session's program. */
  readonly pid: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** The files and their positions at which reading stopped, or their ends when the session began. */
  readonly places: readonly TranscriptOffset[];
  readonly watches: FolderWatches;
  readonly now: () => number;
  readonly monotonicNow: () => number;
  /** Files that sessions follow. Each file belongs to one session. */
  readonly claimed: Set<string>;
  /** Returns true if the transcript is lost and should contain this prompt. */
  readonly lacks?: (prompt: string) => boolean;
  /** Resolves when the note is in the journal. */
  readonly submit: (note: TranscriptNote) => Promise<void>;
  readonly log: Log;
}

interface Followed {
  readonly tail: FileTail;
  readonly unwatch: () => void;
  readonly given: ReturnedLines;
  /** Messages about this transcript that were logged, so that each is logged once. */
  readonly logged: Set<string>;
  /** Offset up to which the file's lines are in the journal. */
  submitted: number;
}

/** Interval for searching the transcript file. One search takes a millisecond. */
const LOOK_EVERY_MS = 250;

export class Follower {
  readonly #ports: FollowerPorts;
  readonly #sources: readonly TranscriptSource[];
  readonly #files = new Map<string, Followed>();
  readonly #unwatch: (() => void)[] = [];
  #running: Promise<void> | null = null;
  #isWoken = false;
  #isClosed = false;
  #lookTimer: NodeJS.Timeout | null = null;
  #lookedAt = 0;

  constructor(ports: FollowerPorts) {
    this.#ports = ports;
    this.#sources = ports.traits.sources(ports.about);
    for (const { path, offset } of ports.places) this.#follow(path, offset);
    for (const source of this.#sources) {
      if (source.kind === 'file') this.#follow(source.path, 0);
      else if (source.kind === 'newest') this.#unwatch.push(ports.watches.watch(source.dir, () => this.nudge()));
    }
    this.nudge();
    this.#wake();
  }

  /** Called when the agent is active: it may have created a file that is searched. */
  nudge(): void {
    if (this.#isClosed || this.#lookTimer || !this.#sources.some(isNewest)) return;
    const inMs = Math.max(0, this.#lookedAt + LOOK_EVERY_MS - this.#ports.monotonicNow());
    this.#lookTimer = setTimeout(() => {
      this.#lookTimer = null;
      this.#look();
    }, inMs);
    this.#lookTimer.unref();
  }

  /** Called when the transcript is lost: searches another file that contains the missing prompt. */
  lookForNext(): void {
    const { startedAt, claimed, traits, lacks } = this.#ports;
    if (this.#isClosed || !lacks) return;
    const holds = (text: string): boolean =>
      text
        .split('\n')
        .some((line) => traits.read(line, false).items.some((item) => item.kind === 'prompt' && lacks(item.text)));
    for (const source of this.#sources) {
      if (source.kind !== 'next') continue;
      const path = findNext(
        source,
        startedAt,
        (one) => claimed.has(one),
        (_path, text) => holds(text),
      );
      if (path === null) continue;
      this.#follow(path, 0);
      this.#wake();
    }
  }

  /** Called when the program has ended: reads the rest. Resolves when it is in the journal. */
  async finish(): Promise<void> {
    if (this.#isClosed) return;
    this.#look();
    this.#wake();
    while (this.#running) await this.#running;
    for (const [path, file] of this.#files) await this.#submitLines(path, file, file.tail.rest());
    this.close();
  }

  close(): void {
    this.#isClosed = true;
    if (this.#lookTimer) clearTimeout(this.#lookTimer);
    for (const [path, { unwatch }] of this.#files) {
      unwatch();
      this.#ports.claimed.delete(path);
    }
    for (const unwatch of this.#unwatch) unwatch();
    this.#files.clear();
  }

  #follow(path: string, offset: number): void {
    const { claimed, watches, now } = this.#ports;
    if (this.#files.has(path) || claimed.has(path)) return;
    claimed.add(path);
    const unwatch = watches.watch(path, () => this.#wake());
    const given = new ReturnedLines(offset > 0 ? now() : null, now);
    this.#files.set(path, { tail: new FileTail(path, offset), unwatch, given, logged: new Set(), submitted: offset });
  }

  #look(): void {
    const { pid, startedAt, claimed } = this.#ports;
    this.#lookedAt = this.#ports.monotonicNow();
    for (const source of this.#sources.filter(isNewest)) {
      const hasFirst = [...this.#files.keys()].some((path) => path.startsWith(`${source.dir}/`));
      for (const path of findFiles(source, pid, startedAt, (one) => claimed.has(one), hasFirst)) {
        this.#follow(path, 0);
        this.#wake();
      }
    }
  }

  #wake(): void {
    this.#isWoken = true;
    if (this.#running || this.#isClosed) return;
    this.#running = this.#run()
      .catch((error: unknown) => {
        if (!this.#isClosed) this.#ports.log.error('a transcript cannot be followed any more', error);
        this.close();
      })
      .finally(() => {
        this.#running = null;
        if (this.#isWoken) this.#wake(); // after its last read
      });
  }

  async #run(): Promise<void> {
    while (this.#isWoken && !this.#isClosed) {
      this.#isWoken = false;
      for (const [path, file] of [...this.#files]) {
        for (let isMore = true; isMore && !this.#isClosed; ) {
          const look = this.#read(path, file);
          await this.#submitLines(path, file, look.lines);
          isMore = look.isMore;
          if (isMore) await new Promise(setImmediate);
        }
      }
    }
  }

  #read(path: string, file: Followed): Pick<TailRead, 'lines' | 'isMore'> {
    try {
      const look = file.tail.read();
      if (look.isAnew) {
        this.#logOnce(file, 'a transcript is written anew; what it has said is passed over', undefined, { path });
        file.given.beginAgain();
      }
      return look;
    } catch (error) {
      this.#logOnce(file, 'a transcript cannot be read now', error, { path });
      return { lines: [], isMore: false };
    }
  }

  #logOnce(file: Followed, message: string, error: unknown, details: Record<string, unknown>): void {
    if (file.logged.has(message)) return;
    file.logged.add(message);
    this.#ports.log.error(message, error, details);
  }

  async #submitLines(path: string, file: Followed, lines: readonly TailLine[]): Promise<void> {
    const { submit, log } = this.#ports;
    const read = lines.map((line): ReadLine => ({ items: this.#newsIn(path, file, line.text), end: line.end }));
    const refused = (chars: number) =>
      log.error('a text in a transcript is too long for a message', undefined, { path, chars });
    for (const { items, end } of packLines(read, refused)) {
      for (const item of items) if (item.kind === 'session') this.#goOnIn(item);
      file.submitted = end;
      await submit({ items, places: this.#places() });
    }
  }

  #newsIn(path: string, file: Followed, line: string): readonly TranscriptItem[] {
    if (line === '') return [];
    const { traits, feed, startedAt } = this.#ports;
    const { at, items } = traits.read(line, path === feed);
    if (items.length === 0 || !file.given.isNew(line, at)) return [];
    const isOld = at !== null && at < startedAt;
    return isOld ? items.filter(({ kind }) => kind === 'session') : items;
  }

  /** Continues in the conversation's file. A file that existed before is read from its current end. */
  #goOnIn({ path, isOld }: Extract<TranscriptItem, { kind: 'session' }>): void {
    if (path === null) return;
    const { traits, about, log } = this.#ports;
    const home = traits.home(about);
    if (home === null || !isBelow(path, home, about.cwd)) {
      log.error('an agent names a transcript that is not among its conversations; it is not read', undefined, { path });
      return;
    }
    this.#follow(path, isOld ? sizeOf(path) : 0);
    this.#isWoken = true;
  }

  #places(): TranscriptOffset[] {
    return [...this.#files].map(([path, { submitted }]) => ({ path, offset: submitted }));
  }
}

const isNewest = (source: TranscriptSource): source is Extract<TranscriptSource, { kind: 'newest' }> =>
  source.kind === 'newest';

/** Returns the current lengths of the files that a session will follow, before it begins. */
export function placesBefore(traits: TranscriptTraits, about: TranscriptAbout): TranscriptOffset[] {
  return traits.sources(about).flatMap((source) => {
    const stat = source.kind === 'file' ? statSync(source.path, { throwIfNoEntry: false }) : undefined;
    return source.kind === 'file' && stat ? [{ path: source.path, offset: stat.size }] : [];
  });
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0; // missing (so far), or not readable
  }
}
