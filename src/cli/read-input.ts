/** A file's bytes, or all of standard input for `-`. */
import { readFileSync } from 'node:fs'; // `node:fs/promises` takes Node longer to load than all of the command
import { OrchdError } from '../protocol/index.js';

/** @throws {OrchdError} ORCHD_FILE for a file that cannot be read. */
export async function readAll(file: string): Promise<Buffer> {
  if (file === '-') {
    const chunks: Buffer[] = [];
    for await (const chunk of process.stdin) chunks.push(chunk);
    return Buffer.concat(chunks);
  }
  try {
    return readFileSync(file);
  } catch (error) {
    throw new OrchdError('ORCHD_FILE', `${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}
