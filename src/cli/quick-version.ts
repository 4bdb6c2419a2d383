/**
 * The fast path of `orchd version` and `orchd --version` (compare quick.ts), without the code that talks to a daemon.
 *
 * In:   the command line.
 * Out:  true if this path handled it, which requires that `--json` and `--quiet` are the only options.
 */
import { version, versionText } from './commands/version.js';
import { writeOutput } from './output.js';
import { readWords } from './read-words.js';

export function takeCommand(): boolean {
  const [word, ...rest] = process.argv.slice(2);
  const words = readWords(version, rest);
  if (!words) return false;
  void writeOutput(versionText(word === version.name ? 'sentence' : 'number', words.options['json'] === true));
  return true;
}
