/**
 * Reads Agentfiles and their prompt files from disk.
 *
 * In:   a path from the person: a file, a directory that contains an `Agentfile`, or `-` for standard input.
 * Out:  its text, its name, and a function that reads the files named by FROM, relative to it. A prompt file must be a
 *       complete regular file in UTF-8.
 */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { isDirectory } from '../../host/index.js';
import { MAX_BODY_BYTES, OrchdError, systemCode } from '../../protocol/index.js';
import type { ReadFile } from '../../workflow/index.js';
import { readAll } from '../input/read-input.js';

export interface AgentfileText {
  /** The path as shown to the person. */
  readonly file: string;
  readonly text: string;
  /** The workflow's name if the file does not set one: the name of its directory. */
  readonly directoryName: string;
  readonly readFile: ReadFile;
}

/** @throws {OrchdError} ORCHD_FILE */
export async function readAgentfile(given: string, cwd: string, allowOutside = false): Promise<AgentfileText> {
  const file = given !== '-' && isDirectory(given) ? join(given, 'Agentfile') : given;
  const text = decode(await readAll(file));
  if (text === null) throw new OrchdError('ORCHD_FILE', `${file} is not text in UTF-8 of at most 4 MiB`);
  const directory = file === '-' ? cwd : dirname(resolve(cwd, file));
  return { file, text, directoryName: basename(directory), readFile: createReader(directory, allowOutside) };
}

function createReader(directory: string, allowOutside: boolean): ReadFile {
  return (path) => {
    try {
      const real = realpathSync(resolve(directory, path));
      const isOutside = !withEnd(real).startsWith(withEnd(realpathSync(directory)));
      if (isOutside && !allowOutside) return { problem: `it is ${real}`, isOutside };
      const stat = statSync(real);
      if (stat.isDirectory()) return { problem: 'it is a directory' };
      if (!stat.isFile()) return { problem: 'it is not a regular file' };
      const text = stat.size > MAX_BODY_BYTES ? null : decode(readFileSync(real));
      if (text === null) return { problem: 'it is not text in UTF-8 of at most 4 MiB' };
      return { text };
    } catch (error) {
      const code = systemCode(error);
      return { problem: code === 'ENOENT' ? 'there is no such file' : String(code ?? error) };
    }
  };
}

const withEnd = (directory: string): string => (directory.endsWith(sep) ? directory : directory + sep);

function decode(bytes: Buffer): string | null {
  if (bytes.length > MAX_BODY_BYTES) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
