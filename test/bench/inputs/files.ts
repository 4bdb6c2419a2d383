/**
 * Files of generated output. A kind, a seed and a size give the same bytes each time; lines and frames do not repeat.
 */
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { paint } from './paintings.js';
import { plainLine, sgrLine, utf8Line } from './texts.js';
import { createVocabulary, type Vocabulary } from './vocabulary.js';

export const KINDS = ['plain', 'sgr', 'utf8', 'tui'] as const;
export type Kind = (typeof KINDS)[number];

/** The size of the sessions that print the files. The file `tui` is painted for this size. */
export const SIZE = { cols: 120, rows: 40 };

const LINES: Record<Exclude<Kind, 'tui'>, (v: Vocabulary) => string> = {
  plain: plainLine,
  sgr: sgrLine,
  utf8: utf8Line,
};
/** Bytes that are written at once. */
const BATCH = 1 << 20;

/** Lines or frames of a kind, without end. */
export function* generate(kind: Kind, seed: number): Generator<string> {
  const v = createVocabulary(seed);
  if (kind === 'tui') yield* paint({ v, ...SIZE });
  else for (;;) yield LINES[kind](v);
}

/** Yields texts until they have `bytes` bytes or more. */
export function* upTo(bytes: number, texts: Iterable<string>): Generator<Buffer> {
  let left = bytes;
  let batch = '';
  for (const text of texts) {
    batch += text;
    if (batch.length < Math.min(BATCH, left)) continue;
    const taken = Buffer.from(batch);
    batch = '';
    left -= taken.length;
    yield taken;
    if (left <= 0) return;
  }
  if (batch !== '') yield Buffer.from(batch);
}

export interface Folder {
  readonly path: string;
  /**
   * Writes about that many megabytes of texts.
   * @returns The file's path and its bytes.
   */
  write(name: string, megabytes: number, texts: Iterable<string>): { readonly path: string; readonly bytes: number };
  remove(): void;
}

/** A temporary folder for a bench. Call `remove` when the bench has ended. */
export function createFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), 'orchd-bench-'));
  return {
    path,
    write(name, megabytes, texts) {
      const file = join(path, name);
      const descriptor = openSync(file, 'w');
      let bytes = 0;
      for (const batch of upTo(megabytes * 1e6, texts)) bytes += writeSync(descriptor, batch);
      closeSync(descriptor);
      return { path: file, bytes };
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
