/**
 * Screen origin: the journal position from which a screen can be rebuilt. It is kept beside the journal, in
 * `screen.json`.
 *
 * Without a readable file, the screen is rebuilt from the journal's beginning.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Origin {
  /** Journal position up to which everything is in it. */
  readonly position: number;
  readonly cols: number;
  readonly rows: number;
  /** Fed behind the snapshot: the states of a later place, where all that the snapshot shows is to be pushed out. */
  readonly before: string;
  /**
   * Of the screen that the snapshot is of (`Screen.joins`). Not there in files of older versions, and behind `before`.
   */
  readonly joins?: number;
  /** Lines push out what it shows (`Screen.isPlain`). */
  readonly isPlain: boolean;
  readonly hasBracketedPaste: boolean;
  readonly hasApplicationCursor: boolean;
}

/** A terminal that has seen nothing. */
export const FRESH = {
  position: 0,
  before: '',
  isPlain: true,
  hasBracketedPaste: false,
  hasApplicationCursor: false,
} as const;

const FILE = 'screen.json';
const FIELDS = {
  ...{ position: 'number', cols: 'number', rows: 'number', before: 'string', snapshot: 'string' },
  ...{ isPlain: 'boolean', hasBracketedPaste: 'boolean', hasApplicationCursor: 'boolean' },
} as const;

export function readOrigin(directory: string): (Origin & { readonly snapshot: string }) | null {
  try {
    const value = JSON.parse(readFileSync(join(directory, FILE), 'utf8')); // our own file; checked here
    const isWhole = Object.entries(FIELDS).every(([name, type]) => typeof value?.[name] === type);
    return isWhole ? value : null;
  } catch {
    return null;
  }
}

/** @returns True if it is there now; a full disk costs time at the next start, nothing else. */
export function writeOrigin(directory: string, origin: Origin, snapshot: string): boolean {
  const path = join(directory, FILE);
  try {
    writeFileSync(`${path}.new`, JSON.stringify({ ...origin, snapshot }), { mode: 0o600 });
    renameSync(`${path}.new`, path);
    return true;
  } catch {
    rmSync(`${path}.new`, { force: true, recursive: true });
    return false;
  }
}
