/**
 * The destination of an export: standard output, or a file that is either complete or absent.
 *
 * A file is written beside its target under another name, with mode 0600 because terminals may show secrets, and is
 * renamed when complete. A pipe or a device is written directly. `discard` removes the unfinished file.
 */
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { errorMessage, OrchdError } from '../../protocol/index.js';
import type { Context } from '../program/context.js';

interface Sink {
  write(text: string): Promise<void>;
  /** @returns The number of bytes written. */
  finish(): Promise<number>;
  discard(): Promise<void>;
}

/**
 * @param path `-` or undefined for standard output.
 * @throws {OrchdError} ORCHD_FILE if the file cannot be written.
 */
export async function openSink(context: Context, path: string | undefined): Promise<Sink> {
  let bytes = 0;
  if (path === undefined || path === '-') {
    return {
      write: (text) => {
        bytes += Buffer.byteLength(text);
        return context.write(text);
      },
      finish: async () => bytes,
      discard: async () => {},
    };
  }
  const { handle, temporary, target } = await openFile(path).catch((error: unknown) => refuse(path, error));
  const discard = async (): Promise<void> => {
    await handle.close().catch(() => {});
    if (temporary !== null) await rm(temporary, { force: true });
  };
  return {
    async write(text) {
      bytes += Buffer.byteLength(text);
      await handle.writeFile(text).catch((error: unknown) => refuse(path, error));
    },
    async finish() {
      try {
        if (temporary !== null) await handle.sync();
        await handle.close();
        if (temporary !== null) await rename(temporary, target);
      } catch (error) {
        await discard();
        return refuse(path, error);
      }
      return bytes;
    },
    discard,
  };
}

async function openFile(path: string): Promise<{ handle: FileHandle; temporary: string | null; target: string }> {
  const known = await stat(path).catch(() => null);
  if (known?.isDirectory()) throw new Error('it is a directory');
  if (known && !known.isFile()) return { handle: await open(path, 'w'), temporary: null, target: path };
  const target = known ? await realpath(path) : path; // the target of a link, so that the link stays a link
  const temporary = `${target}.${process.pid}.part`;
  return { handle: await open(temporary, 'wx', 0o600), temporary, target };
}

function refuse(path: string, error: unknown): never {
  const reason = errorMessage(error);
  throw new OrchdError('ORCHD_FILE', `${path} cannot be written: ${reason}`);
}
