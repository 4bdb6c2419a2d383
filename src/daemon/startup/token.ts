/** The token for TCP, in a file that only its owner can read. */
import { randomBytes } from 'node:crypto';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { readOwnFile } from '../../host/index.js';
import type { Paths } from '../../protocol/index.js';
import type { Log } from '../log.js';

/** Returns the token for TCP. A file that other users could read is replaced, because its token may be known. */
export function readToken(paths: Paths, log: Log): string {
  try {
    const token = readOwnFile(paths.tokenFile).trim();
    const isPrivate = (statSync(paths.tokenFile).mode & 0o077) === 0;
    if (token.length >= 32 && isPrivate) return token;
    if (!isPrivate)
      log.info('other users could read the token file: a new token replaces it', { file: paths.tokenFile });
    rmSync(paths.tokenFile);
  } catch {
    // The file does not exist yet.
  }
  const token = randomBytes(32).toString('hex');
  writeFileSync(paths.tokenFile, `${token}\n`, { mode: 0o600 });
  return token;
}
