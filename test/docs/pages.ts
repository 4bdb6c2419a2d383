/** The pages of the documentation: every markdown file that belongs to the repository, except fixtures. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';

export const ROOT = join(import.meta.dirname, '../..');

/** Folders without pages. Folders whose name begins with a dot have none either. */
const WITHOUT = ['node_modules', 'fixtures', 'dist', 'src'];

/** The paths of all pages, from the root. */
export const PAGES: readonly string[] = list('');

function list(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isFile()) return entry.name.endsWith('.md') ? [path] : [];
    return entry.isDirectory() && !entry.name.startsWith('.') && !WITHOUT.includes(entry.name) ? list(path) : [];
  });
}

export const readPage = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const parsed = new Map<string, Root>();

/** Parses a page once. */
export function parsePage(path: string): Root {
  const known = parsed.get(path);
  if (known !== undefined) return known;
  const tree = fromMarkdown(readPage(path));
  parsed.set(path, tree);
  return tree;
}

/** All nodes of a tree, each before its children. */
export function* nodes(tree: Nodes): Generator<Nodes> {
  yield tree;
  if ('children' in tree) for (const child of tree.children) yield* nodes(child);
}

/** The text of a node without its marks. */
export const textOf = (node: Nodes): string =>
  [...nodes(node)].map((part) => (part.type === 'text' || part.type === 'inlineCode' ? part.value : '')).join('');
