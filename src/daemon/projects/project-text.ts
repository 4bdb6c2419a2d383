/**
 * Reads text files of a project, which may be a cloned repository of strangers.
 *
 * A symbolic link that leads out of the project is not followed, as with `FROM` in an Agentfile. Links within the
 * project work. Only regular files of a limited size are read: reading a FIFO could block forever.
 */

import { lstat, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import { errorMessage } from '../../protocol/index.js';

export interface ProjectText {
  readonly text: string;
  readonly at: Date;
  readonly bytes: number;
  /** The reason why the file was not read. The text is then empty. */
  readonly problem?: string;
}

const KIB = 1024;
const MIB = 1024 * 1024;
const sizeWords = (bytes: number): string => (bytes >= MIB ? `${bytes / MIB} MiB` : `${bytes / KIB} KiB`);

/** @returns Null if the file does not exist. */
export async function readProjectText(project: string, file: string, maxBytes: number): Promise<ProjectText | null> {
  try {
    const outside = await outsideOf(project, file);
    if (outside !== null) return { text: '', at: new Date(0), bytes: 0, problem: leadsOut(file, outside) };
    const about = await stat(file);
    const bad = (problem: string): ProjectText => ({
      text: '',
      at: about.mtime,
      bytes: about.size,
      problem: `${file} ${problem}`,
    });
    if (!about.isFile()) return bad('is not a file');
    if (about.size > maxBytes) return bad(`has more than ${sizeWords(maxBytes)}`);
    return { text: await readFile(file, 'utf8'), at: about.mtime, bytes: about.size };
  } catch (error) {
    if (isMissing(error)) return null;
    const reason = errorMessage(error);
    return { text: '', at: new Date(0), bytes: 0, problem: `${file} cannot be read: ${reason}` };
  }
}

/**
 * Returns the real path if it is outside the project, else null. For a path that does not exist yet, the parent is
 * checked.
 */
export async function outsideOf(project: string, path: string): Promise<string | null> {
  const root = await realpath(project);
  for (let at = path; at.length > project.length; at = dirname(at)) {
    const real = await realpath(at).catch(() => null);
    if (real !== null) return real.startsWith(root.endsWith(sep) ? root : root + sep) ? null : real;
    // A dangling link has no real path; creating its target would follow it.
    const link = await lstat(at).catch(() => null);
    if (link?.isSymbolicLink()) return `a link to nothing`;
  }
  return null;
}

/**
 * Returns the error text for a symbolic link that leads out of the project.
 *
 * @param real  The path to which the link leads.
 */
export const leadsOut = (file: string, real: string): string =>
  `${file} leads out of the project (${real}): put the file itself there instead of a link`;

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
