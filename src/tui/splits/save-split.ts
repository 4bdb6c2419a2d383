/**
 * Writes a split into the layout file of a project, and leaves everything else in the file as it is: comments, order
 * and blank lines. Sessions that the layout does not have are added at its end.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, relative, sep } from 'node:path';
import { stringify } from 'smol-toml';
import { errorMessage, OrchdError, type Session } from '../../protocol/index.js';
import { lineOf, parseLayout, readLayoutText } from './layout-file.js';
import { splitText } from './split-text.js';
import { leavesOf, type SplitNode } from './split-tree.js';
import type { LayoutTrust } from './trust.js';

type Shown = Pick<Session, 'name' | 'command' | 'cwd' | 'tags'>;

interface Saved {
  readonly file: string;
  /** The names of the sessions that were added to the file. */
  readonly added: readonly string[];
}

/**
 * @param sessions  The sessions of the split, with their names.
 * @throws {OrchdError} ORCHD_LAYOUT if the file is wrong, or cannot be changed without touching the rest; ORCHD_FILE
 */
export function saveSplit(file: string, split: SplitNode, sessions: readonly Shown[], trust: LayoutTrust): Saved {
  const before = existsSync(file) ? readLayoutText(file) : null;
  const known = before === null ? [] : parseLayout(file, before).sessions.map(({ name }) => name);
  const missing = leavesOf(split).filter((name) => !known.includes(name));
  const added = sessions.filter(({ name }) => missing.includes(name));
  const project = dirname(dirname(file));
  const text = withSplit(before ?? HEADER, splitText(split)) + added.map((one) => entryOf(one, project)).join('');
  const layout = parseLayout(file, text);
  if (splitText(layout.split ?? { kind: 'leaf', name: '' }) !== splitText(split)) {
    throw new OrchdError('ORCHD_LAYOUT', `${file}: its split is written in a way that orchd cannot change`);
  }
  try {
    mkdirSync(dirname(file), { recursive: true });
    // A person may keep the file elsewhere and link to it.
    const target = before === null ? file : realpathSync(file);
    // The name is random, because a cloned repository may contain a symbolic link under a name that it can predict.
    const beside = `${target}.${randomUUID()}`;
    writeFileSync(beside, text, { flag: 'wx' });
    renameSync(beside, target);
  } catch (error) {
    throw new OrchdError('ORCHD_FILE', `${file}: ${errorMessage(error)}`);
  }
  // The person sees these programs run, and has asked to keep them.
  const names = added.map(({ name }) => name);
  const agreed = layout.sessions.filter(({ name }) => names.includes(name));
  if (agreed.length > 0) trust.trust(file, agreed, layout.sessions);
  return { file, added: names };
}

const HEADER = '# What `orchd up` starts in this project, and how it is shown.\n';

/** Replaces the line of `split`, or adds one above the first table and the comments that belong to it. */
function withSplit(text: string, split: string): string {
  const lines = text.split('\n');
  const line = `split = ${JSON.stringify(split)}`;
  const at = lineOf(lines, null, 'split');
  if (at !== null) return lines.with(at - 1, line).join('\n');
  const table = lines.findIndex((one) => /^\s*\[/.test(one));
  if (table < 0) return `${text.trimEnd()}\n${line}\n`;
  let place = table;
  while (place > 0 && /^\s*#/.test(lines[place - 1] ?? '')) place--;
  return lines.toSpliced(place, 0, line, '').join('\n');
}

function entryOf({ name, command, cwd, tags = [] }: Shown, project: string): string {
  const inside = relative(project, cwd);
  const isInside = inside !== '..' && !inside.startsWith(`..${sep}`);
  const place = isInside ? inside : cwd;
  const entry = { name, command, ...(place !== '' && { cwd: place }), ...(tags.length > 0 && { tags }) };
  return `\n[[session]]\n${stringify(entry)}`;
}
