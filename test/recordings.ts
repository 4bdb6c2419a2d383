/**
 * Recordings in a folder: `NAME.cast`, or `NAME.cast.gz` for long ones.
 *
 * In:   a folder.
 * Out:  the casts in it by name, without `.gz`, and the text of each.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

export interface Recording {
  /** For example `claude-doc-80x24.cast`, even if the file is compressed. */
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
