/** Reads a file, or all of standard input for `-`, as bytes or as text. */
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs'; // `node:fs/promises` takes longer to load than the whole command takes
import { OrchdError } from '../protocol/index.js';

/** @throws {OrchdError} ORCHD_FILE if the file cannot be read. */
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

/**
 * @throws {OrchdError} ORCHD_FILE if the file cannot be read or is not valid UTF-8. Invalid bytes are never replaced.
 */
export async function readText(file: string): Promise<string> {
  const bytes = await readAll(file);
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new OrchdError('ORCHD_FILE', `${file === '-' ? 'standard input' : file} is no text in UTF-8`);
}
