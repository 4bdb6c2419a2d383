/**
 * Reports changes of a file, also if it or its folders do not exist yet.
 *
 * The system limits the number of watches. Therefore each folder is watched only once for all callers, without its
 * sub-folders. All callers are also called periodically, because the system may refuse a watch (its table is full) or
 * miss a change.
 */
import { type FSWatcher, statSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Interval of the periodic calls if the system provides watches. */
const SLOW_MS = 2000;
/** Interval of the periodic calls without watches. */
const FAST_MS = 250;

interface Asker {
  readonly path: string;
  readonly onChange: () => void;
  /** The nearest existing folder above `path`. */
  folder: string | null;
}
interface Watch {
  readonly watcher: FSWatcher;
  readonly askers: Set<Asker>;
}

export class FolderWatches {
  readonly #watches = new Map<string, Watch>();
  readonly #askers = new Set<Asker>();
  #timer: NodeJS.Timeout | null = null;

  /**
   * @param path A file, or a folder in which a file may appear.
   * @param onChange Called when it may have changed; never before this returns.
   * @returns A function that ends the watch.
   */
  watch(path: string, onChange: () => void): () => void {
    const asker: Asker = { path, onChange, folder: null };
    this.#askers.add(asker);
    this.#arm(asker);
    this.#setTimer();
    return () => {
      this.#askers.delete(asker);
      this.#disarm(asker);
      this.#setTimer();
    };
  }

  close(): void {
    this.#askers.clear();
    for (const { watcher } of this.#watches.values()) watcher.close();
    this.#watches.clear();
    this.#setTimer();
  }

  /** Watches the nearest existing folder, which may change when a folder is created. */
  #arm(asker: Asker): void {
    for (;;) {
      const folder = nearestFolder(asker.path);
      if (folder === asker.folder) return;
      this.#disarm(asker);
      if (folder === null || !this.#join(folder, asker)) return;
      // The folder was created while its parent was being watched. The next iteration or the watch finds it.
    }
  }

  #join(folder: string, asker: Asker): boolean {
    let entry = this.#watches.get(folder);
    if (!entry) {
      const watcher = this.#open(folder);
      if (!watcher) return false;
      entry = { watcher, askers: new Set() };
      this.#watches.set(folder, entry);
    }
    entry.askers.add(asker);
    asker.folder = folder;
    return true;
  }

  #open(folder: string): FSWatcher | null {
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => this.#onEvent(folder, name));
      watcher.on('error', () => this.#drop(folder));
      return watcher;
    } catch {
      return null;
    }
  }

  #onEvent(folder: string, name: string | null): void {
    for (const asker of [...(this.#watches.get(folder)?.askers ?? [])]) {
      const isItself = asker.path === folder || dirname(asker.path) === folder;
      if (isItself && name !== null && asker.path !== folder && name !== basename(asker.path)) continue;
      if (!isItself || name === basename(folder)) this.#arm(asker);
      asker.onChange();
    }
  }

  #drop(folder: string): void {
    const entry = this.#watches.get(folder);
    if (!entry) return;
    this.#watches.delete(folder);
    entry.watcher.close();
    for (const asker of entry.askers) asker.folder = null;
    this.#setTimer();
  }

  #disarm(asker: Asker): void {
    const entry = asker.folder === null ? undefined : this.#watches.get(asker.folder);
    entry?.askers.delete(asker);
    if (entry && asker.folder !== null && entry.askers.size === 0) {
      this.#watches.delete(asker.folder);
      entry.watcher.close();
    }
    asker.folder = null;
  }

  #setTimer(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#askers.size === 0) return;
    const isBlind = [...this.#askers].some(({ folder }) => folder === null);
    this.#timer = setTimeout(() => this.#onTimer(), isBlind ? FAST_MS : SLOW_MS);
    this.#timer.unref();
  }

  #onTimer(): void {
    for (const asker of [...this.#askers]) {
      this.#arm(asker);
      asker.onChange();
    }
    this.#setTimer();
  }
}

/** Returns the nearest existing folder that contains `path` or is it. */
function nearestFolder(path: string): string | null {
  for (let folder = path; ; folder = dirname(folder)) {
    if (isFolder(folder)) return folder;
    if (folder === dirname(folder)) return null;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // missing, unreadable, or not a valid path
  }
}
