/**
 * Screen origin: the journal position from which a screen can be rebuilt. It is kept beside the journal, in
 * `screen.json`.
 *
 * Without a readable file, the screen is rebuilt from the journal's beginning.
 */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOwnFile } from '../../host/index.js';

export interface Origin {
  /** Journal position: everything before it is in the snapshot. */
  readonly position: number;
  readonly cols: number;
  readonly rows: number;
  /**
   * Text to feed after the snapshot. It is set for a place at which everything in the snapshot has left the screen, and
   * contains the terminal state of that place.
   */
  readonly before: string;
  /**
   * `Screen.joins` of the screen in the snapshot. Undefined in files of older versions, and if `before` is not empty.
   */
  readonly joins?: number;
  /**
   * The snapshot without the lines above the screen. It takes the place of the snapshot once all of that has left the
   * screen. Undefined in files of older versions.
   */
  readonly bare?: string;
  /** True if printed lines move everything in it off the screen (`Screen.isPlain`). */
  readonly isPlain: boolean;
  readonly hasBracketedPaste: boolean;
  readonly hasApplicationCursor: boolean;
}

/** The state of a new terminal. */
export const FRESH = {
  position: 0,
  before: '',
  isPlain: true,
  hasBracketedPaste: false,
  hasApplicationCursor: false,
} as const;

const FILE = 'screen.json';
const FIELDS = {
  position: 'number',
  cols: 'number',
  rows: 'number',
  before: 'string',
  snapshot: 'string',
  isPlain: 'boolean',
  hasBracketedPaste: 'boolean',
  hasApplicationCursor: 'boolean',
} as const;

export function readOrigin(directory: string): (Origin & { readonly snapshot: string }) | null {
  try {
    const value = JSON.parse(readOwnFile(join(directory, FILE))); // checked below
    const isWhole = Object.entries(FIELDS).every(([name, type]) => typeof value?.[name] === type);
    return isWhole ? value : null;
  } catch {
    return null;
  }
}

/** @returns True if it was written. If the disk is full, only the next start takes longer. */
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
