/**
 * The short way of `orchd version` and `orchd --version` (as quick.ts is of other commands), without what talks to a
 * daemon.
 *
 * In:   the command line. Out: whether it was taken: only where nothing but `--json` or `--quiet` is said besides.
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
