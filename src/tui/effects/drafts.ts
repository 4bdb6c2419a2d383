/**
 * Drafts of answers on disk: what a person has typed for an item and not sent outlives the TUI.
 *
 * One file for each item, named by its id, mode 0600; other TUIs keep theirs in the same folder. Only changes since
 * `load` are written. A file that cannot be read or written costs the draft and nothing else.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolvePaths } from '../../protocol/index.js';
import type { UiState } from '../acts/ui-state.js';
import { textOf } from '../input/line-editor.js';
import { openItems } from '../model/model.js';
import type { Store } from '../view/store.js';

type Drafts = ReadonlyMap<string, string>;

interface DraftFiles {
  load(): Drafts;
  /** Writes the drafts that have changed, and removes the files of those that are gone. */
  save(drafts: Drafts): void;
  /** Removes files older than MAX_AGE_MS of items that are not open. */
  forgetAllBut(openIds: ReadonlySet<string>): void;
}

/** The drafts as an attached terminal reads and changes them. */
export interface AttachDrafts {
  /** Returns the draft for an item; '' without one. */
  get(itemId: string): string;
  /** An empty text removes the draft. */
  set(itemId: string, text: string): void;
}

/** Returns the drafts of a TUI, which writes them itself. */
export const draftsOfStore = (store: Pick<Store, 'get' | 'draft'>): AttachDrafts => ({
  get: (itemId) => store.get().ui.drafts.get(itemId) ?? '',
  set: (itemId, text) => store.draft(itemId, text),
});

/** Returns the drafts of this person. */
export const ownDrafts = (env: NodeJS.ProcessEnv): AttachDrafts =>
  draftsIn(resolvePaths({ env, uid: process.getuid?.() ?? 0, tmpDir: tmpdir(), homeDir: homedir() }).draftsDir);

/** Returns the drafts in a folder. Each change is written at once: the terminal may be closed at any moment. */
export function draftsIn(folder: string): AttachDrafts {
  const files = createDraftFiles(folder);
  return {
    get: (itemId) => files.load().get(itemId) ?? '',
    set(itemId, text) {
      const drafts = new Map(files.load());
      if (text === '') drafts.delete(itemId);
      else drafts.set(itemId, text);
      files.save(drafts);
    },
  };
}

/** Returns the drafts, with the text that is being typed. */
function draftsOf({ drafts, mode }: Pick<UiState, 'drafts' | 'mode'>): Drafts {
  if (mode.kind !== 'typing') return drafts;
  const text = textOf(mode.line);
  if ((drafts.get(mode.itemId) ?? '') === text) return drafts;
  const all = new Map(drafts);
  if (text === '') all.delete(mode.itemId);
  else all.set(mode.itemId, text);
  return all;
}

/** Delay in milliseconds from a change to its write, so that many keys cause one write. */
const SAVE_MS = 300;

/**
 * Writes the drafts of a store as they change.
 * @returns A function that writes the remaining changes and stops.
 */
export function keepDrafts(store: Pick<Store, 'get' | 'subscribe'>, files: DraftFiles): () => void {
  let timer: NodeJS.Timeout | undefined;
  let kept = draftsOf(store.get().ui);
  let isTidied = false;
  const save = (): void => {
    timer = undefined;
    files.save(kept);
  };
  const stop = store.subscribe(() => {
    const { ui, model } = store.get();
    if (!isTidied && model.connection.kind === 'connected') {
      isTidied = true;
      files.forgetAllBut(new Set(openItems(model).map(({ id }) => id)));
    }
    const drafts = draftsOf(ui);
    if (drafts === kept) return;
    kept = drafts;
    timer ??= setTimeout(save, SAVE_MS);
  });
  return () => {
    stop();
    clearTimeout(timer);
    save();
  };
}

/** Matches ids of items. Other files in the folder are not touched. */
const ITEM_ID = /^itm_[\w-]+$/;
/** Longer than every draft that a person writes. A file of this name that something else wrote may have any size. */
const MAX_DRAFT_CHARS = 1024 * 1024;
/** Drafts of unknown items are deleted only after this time: they may belong to another daemon with the same folder. */
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;

export function createDraftFiles(folder: string, now: () => number = Date.now): DraftFiles {
  /** The drafts as this TUI last read or wrote them. */
  let known = new Map<string, string>();

  function names(): readonly string[] {
    try {
      return readdirSync(folder).filter((name) => ITEM_ID.test(name));
    } catch {
      return []; // there is no folder yet
    }
  }

  function read(name: string): string | null {
    const path = join(folder, name);
    try {
      return statSync(path).isFile() ? readFileSync(path, 'utf8').slice(0, MAX_DRAFT_CHARS) : null;
    } catch {
      return null; // another TUI has removed it
    }
  }

  function write(name: string, text: string): void {
    const path = join(folder, name);
    const fresh = `${path}.${process.pid}`;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(fresh, text, { mode: 0o600 });
    renameSync(fresh, path);
  }

  return {
    load() {
      known = new Map(
        names().flatMap((name): [string, string][] => {
          const text = read(name);
          return text === null || text === '' ? [] : [[name, text]];
        }),
      );
      return new Map(known);
    },
    save(drafts) {
      try {
        for (const [id, text] of drafts) if (ITEM_ID.test(id) && known.get(id) !== text) write(id, text);
        for (const id of known.keys()) if (!drafts.has(id)) rmSync(join(folder, id), { force: true });
        known = new Map(drafts);
      } catch {
        // The disk is full or read-only. The draft stays in memory, and the next change tries again.
      }
    },
    forgetAllBut(openIds) {
      for (const name of names()) {
        const changedAt = statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
        if (openIds.has(name) || now() - changedAt < MAX_AGE_MS) continue;
        rmSync(join(folder, name), { force: true });
        known.delete(name);
      }
    },
  };
}
