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
  /** The smallest output that shows it, and what differs then. */
  readonly example: string;
  readonly differs: Differences;
}

interface File {
  /** The versions of tmux that these are the differences from. */
  readonly tmux: readonly string[];
  /** Of the terminal that the examples are for. */
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
