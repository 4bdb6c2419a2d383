/**
 * Recordings in a folder: `NAME.cast`, or `NAME.cast.gz` where it is long.
 *
 * In:  a folder. Out: the casts in it by name, which never ends in `.gz`, and the text of each.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

export interface Recording {
  /** `claude-doc-80x24.cast`, also where the file is gzipped. */
  readonly name: string;
  /** Reads it: the text of an asciicast. */
  readonly text: () => string;
}

export function recordingsIn(folder: string): Recording[] {
  const files = readdirSync(folder).filter((file) => /\.cast(?:\.gz)?$/.test(file));
  return files.map((file) => ({ name: file.replace(/\.gz$/, ''), text: () => read(join(folder, file)) }));
}

function read(path: string): string {
  const bytes = readFileSync(path);
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}
