/** Splits a unified diff into files and lines. Pure. */

type PatchTone = 'added' | 'removed' | 'place' | '';

export interface PatchFile {
  /** The path after the change, or before it for a deleted file. */
  readonly path: string;
  readonly lines: readonly { readonly text: string; readonly tone: PatchTone }[];
  readonly added: number;
  readonly removed: number;
}

export function patchFiles(patch: string): PatchFile[] {
  return patch
    .split(/^(?=diff --git )/m)
    .filter((part) => part.startsWith('diff --git '))
    .map(fileOf);
}

function fileOf(part: string): PatchFile {
  const all = part.replace(/\n$/, '').split('\n');
  const begin = all.findIndex((line) => line.startsWith('@@'));
  const head = begin < 0 ? all : all.slice(0, begin);
  const lines = (begin < 0 ? head.slice(1) : all.slice(begin)).map((text) => ({ text, tone: toneOf(text, begin) }));
  const count = (tone: PatchTone): number => lines.filter((line) => line.tone === tone).length;
  return { path: pathOf(head), lines, added: count('added'), removed: count('removed') };
}

function toneOf(line: string, begin: number): PatchTone {
  if (begin < 0) return ''; // a file without hunks, such as a picture
  if (line.startsWith('@@')) return 'place';
  return line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : '';
}

function pathOf(head: readonly string[]): string {
  const named = (mark: string): string | undefined =>
    head.find((line) => line.startsWith(mark) && !line.startsWith(`${mark}/dev/null`))?.slice(mark.length + 2);
  const path = named('+++ ') ?? named('--- ') ?? head[0]?.replace(/^diff --git a\/.* b\//, '') ?? '';
  return path.replace(/\t$/, '');
}
