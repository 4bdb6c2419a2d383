/**
 * How a session's terminal takes input now: in lines (canonical) or as it is typed, with echo or without.
 * Asks `stty`, because Node can set a terminal's modes but not read them. The PATH of the host may lack its folder.
 */
import { execFile } from 'node:child_process';
import { delimiter } from 'node:path';
import { OrchdError } from '../../protocol/errors.js';

/** The longest line that a program can read from a terminal in canonical mode. The kernel drops the rest. */
const MAX_LINE_BYTES = process.platform === 'darwin' ? 1023 : 4095;
const STTY_MS = 5000;

export interface TerminalMode {
  canonical: boolean;
  echo: boolean;
  maxLineBytes: number | null;
}

/** @throws {OrchdError} ORCHD_INTERNAL when stty does not answer. */
export async function readTerminalMode(path: string): Promise<TerminalMode> {
  const option = process.platform === 'linux' ? '-F' : '-f';
  const text = await new Promise<string>((resolve, reject) => {
    const options = {
      timeout: STTY_MS,
      env: { PATH: [process.env['PATH'], '/usr/bin', '/bin'].filter(Boolean).join(delimiter), LC_ALL: 'C' },
    };
    execFile('stty', [option, path, '-a'], options, (cause, stdout) => {
      if (cause) reject(new OrchdError('ORCHD_INTERNAL', `stty gave no answer for ${path}`, undefined, cause));
      else resolve(stdout);
    });
  });
  const words = new Set(text.split(/[\s;]+/));
  const canonical = words.has('icanon');
  return { canonical, echo: words.has('echo'), maxLineBytes: canonical ? MAX_LINE_BYTES : null };
}
