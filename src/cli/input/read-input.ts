/** Reads a file, or all of standard input for `-`, as bytes or as text. */
import { isUtf8 } from 'node:buffer';
// `node:fs/promises` takes longer to load than the whole command takes.
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { errorMessage, OrchdError } from '../../protocol/index.js';

/** Maximum number of bytes that are read from a device or a pipe. */
const MAX_INPUT_BYTES = 256 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;

/**
 * @throws {OrchdError} ORCHD_FILE if the file cannot be read, or if it is a device or pipe with more than
 *   MAX_INPUT_BYTES.
 */
export async function readAll(file: string): Promise<Buffer> {
  if (file === '-') {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of process.stdin) {
      bytes += chunk.length;
      if (bytes > MAX_INPUT_BYTES) throw endless('standard input');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }
  try {
    return statSync(file).isFile() ? readFileSync(file) : readToLimit(file);
  } catch (error) {
    if (error instanceof OrchdError) throw error;
    throw new OrchdError('ORCHD_FILE', `${file} cannot be read: ${errorMessage(error)}`);
  }
}

/** Reads a device or a pipe, which may never end. */
function readToLimit(file: string): Buffer {
  const fd = openSync(file, 'r');
  try {
    const chunks: Buffer[] = [];
    for (let total = 0; ; ) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const bytes = readSync(fd, chunk);
      if (bytes === 0) return Buffer.concat(chunks);
      total += bytes;
      if (total > MAX_INPUT_BYTES) throw endless(file);
      chunks.push(chunk.subarray(0, bytes));
    }
  } finally {
    closeSync(fd);
  }
}

const endless = (what: string): OrchdError =>
  new OrchdError('ORCHD_FILE', `${what} gives more than ${MAX_INPUT_BYTES / 1024 / 1024} MiB, and may never end`);

/**
 * @throws {OrchdError} ORCHD_FILE if the file cannot be read or is not valid UTF-8. Invalid bytes are never replaced.
 */
export async function readText(file: string): Promise<string> {
  const bytes = await readAll(file);
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new OrchdError('ORCHD_FILE', `${file === '-' ? 'standard input' : file} is not text in UTF-8`);
}
