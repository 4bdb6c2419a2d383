/**
 * The short way: commands that people and programs call all day, each in a bundle of its own (`dist/quick-<name>.cjs`)
 * that holds what it needs and nothing else. To begin with ES modules takes Node a fifth of its own time, so does
 * commander; and each kilobyte that is read counts.
 *
 * In:   the command's spec, and the command line.
 * Out:  whether it was taken. It is only where it is right beyond doubt (read-words.ts); all others, and every mistake,
 *       are main.ts'.
 * The commands are the same ones, by the same specs: nothing is said differently here. build/quick-bundles.ts names
 * them.
 */
import type { CommandSpec } from './command.js';
import { exitCodeNow, failWith, runLastly, watchEnd, watchStream } from './end-command.js';
import { written } from './output.js';
import { readWords, type Words } from './read-words.js';

export function takeCommand(spec: CommandSpec): boolean {
  const words = readWords(spec, process.argv.slice(3));
  if (!words) return false;
  watchEnd();
  if (sits(spec, words)) watchStream(); // who attaches writes to it
  const isOver = runLastly(spec, words.args, words.options).then(exitCodeNow, fail);
  void isOver.then((code) => process.exit(code)); // what was written is out: writeOutput waits for it
  return true;
}

/** A pipe that is full takes no more words at once. */
async function fail(error: unknown): Promise<number> {
  const code = failWith(error);
  await written(process.stderr);
  return code;
}

const sits = ({ name }: CommandSpec, { options }: Words): boolean =>
  name === 'attach' || (name === 'run' && options['detach'] !== true);
