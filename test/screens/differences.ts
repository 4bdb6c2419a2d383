/**
 * The differences between orchd's screens and tmux's that are known, each with its reason:
 * fixtures/conformance/differences.json.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Differences } from './compare.js';
import type { Known } from './explain.js';

export interface Difference extends Known {
  /** The program that follows xterm and the standards. */
  readonly right: 'orchd' | 'tmux' | 'both' | 'neither';
  readonly why: string;
  /** The smallest output that shows the difference, and the parts that differ then. */
  readonly example: string;
  readonly differs: Differences;
}

interface File {
  /** The versions of tmux that have these differences. */
  readonly tmux: readonly string[];
  /** The size of the terminal for the examples. */
  readonly size: { readonly cols: number; readonly rows: number; readonly scrollbackLines: number };
  readonly differences: readonly (Omit<Difference, 'pattern'> & { readonly pattern: string })[];
}

const PATH = join(import.meta.dirname, '../../fixtures/conformance/differences.json');
const FILE: File = JSON.parse(readFileSync(PATH, 'utf8'));

export const TMUX_VERSIONS = FILE.tmux;
export const SIZE = FILE.size;
export const DIFFERENCES: readonly Difference[] = FILE.differences.map((difference) => ({
  ...difference,
  pattern: new RegExp(difference.pattern, 'su'),
}));
