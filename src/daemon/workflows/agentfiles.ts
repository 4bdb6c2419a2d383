/**
 * Finds the Agentfiles of a project: files named `Agentfile` or `*.agentfile`.
 *
 * Walks the directories of the project, without hidden ones and `node_modules`, and follows no link to a directory. The
 * walk ends at MAX_FOLDERS directories, MAX_DEPTH levels or MAX_FILES Agentfiles; the output then says that there may
 * be more. Files that cannot be run are listed with their problem.
 */
import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, normalize } from 'node:path';
import { type InputOf, OrchdError, type OutputOf } from '../../protocol/index.js';
import { type ProjectText, readProjectText } from '../projects/index.js';
import { MAX_AGENTFILE_CHARS } from './source.js';

const MAX_FILES = 200;
const MAX_FOLDERS = 2_000;
const MAX_DEPTH = 8;
/** Number of characters that are searched for the name of a workflow. */
const HEAD_CHARS = 4_096;

type Found = OutputOf<'workflow.files'>;

/**
 * Returns the Agentfiles of a project, or one of them with its text.
 *
 * @throws {OrchdError} ORCHD_FILE if the project is not a directory, or the file is not there or cannot be read.
 */
export async function listAgentfiles({ project, file }: InputOf<'workflow.files'>): Promise<Found> {
  const isFolder = await stat(project).then(
    (about) => about.isDirectory(),
    () => false,
  );
  if (!isFolder)
    throw new OrchdError('ORCHD_FILE', `${project} is not a directory of the daemon's machine`, { project });
  const root = await realpath(project);
  if (file !== undefined) return { project, more: false, files: [await oneFile(root, file)] };
  const { paths, more } = await walk(root);
  const files: Found['files'][number][] = [];
  for (const path of paths) {
    const read = await readOne(root, path);
    if (read) files.push(about(path, read));
  }
  return { project, files, more };
}

const isAgentfile = (name: string): boolean => name === 'Agentfile' || /^[^.].*\.agentfile$/.test(name);

const readOne = (root: string, path: string): Promise<ProjectText | null> =>
  readProjectText(root, join(root, path), MAX_AGENTFILE_CHARS);

async function oneFile(root: string, file: string): Promise<Found['files'][number]> {
  const path = normalize(file);
  const refuse = (why: string): OrchdError => new OrchdError('ORCHD_FILE', `${join(root, path)}: ${why}`, { file });
  if (isAbsolute(path) || path.startsWith('..')) throw refuse('it is outside of the project');
  if (!isAgentfile(basename(path))) throw refuse('an Agentfile is named Agentfile or *.agentfile');
  const read = await readOne(root, path);
  if (!read) throw refuse('there is no such file');
  if (read.problem !== undefined) throw new OrchdError('ORCHD_FILE', read.problem, { file });
  return { ...about(path, read), agentfile: read.text };
}

function about(path: string, { text, at, bytes, problem }: ProjectText): Found['files'][number] {
  const named = /^[ \t]*NAME[ \t]+(\S{1,200})/m.exec(text.slice(0, HEAD_CHARS))?.[1];
  const fallback = basename(path) === 'Agentfile' ? basename(dirname(path)) : basename(path, '.agentfile');
  return {
    file: path,
    name: named ?? (fallback === '.' ? null : fallback),
    bytes,
    updated_at: at.toISOString(),
    problem: problem ?? null,
  };
}

async function walk(root: string): Promise<{ readonly paths: readonly string[]; readonly more: boolean }> {
  const paths: string[] = [];
  const folders: { readonly path: string; readonly depth: number }[] = [{ path: '', depth: 0 }];
  let more = false;
  // Breadth first: the Agentfiles of the project itself come before those of its parts.
  for (let at = 0; at < folders.length && paths.length < MAX_FILES; at++) {
    const { path, depth } = folders[at] ?? { path: '', depth: 0 };
    const entries: Dirent[] = await readdir(join(root, path), { withFileTypes: true }).catch(() => []);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const inner = join(path, entry.name);
      if (isAgentfile(entry.name) && !entry.isDirectory()) paths.push(inner);
      if (!entry.isDirectory() || entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      if (depth < MAX_DEPTH && folders.length < MAX_FOLDERS) folders.push({ path: inner, depth: depth + 1 });
      else more = true;
    }
    more ||= paths.length >= MAX_FILES && at + 1 < folders.length;
  }
  return { paths: paths.slice(0, MAX_FILES), more: more || paths.length > MAX_FILES };
}
