/**
 * The fast path for frequent commands. Each is in a bundle of its own (`dist/quick-<name>.cjs`) that contains only what
 * it needs. Loading ES modules would add a fifth to Node's own start time, and so would commander; every kilobyte of
 * code counts.
 *
 * In:   the command's spec, and the command line.
 * Out:  true if this path handled it. It handles only command lines that are certainly valid (read-words.ts). All
 *       others, and all usage errors, go to main.ts.
 * The commands are the same, with the same specs, so their output does not differ. build/quick-bundles.ts lists them.
 */
import type { CommandSpec } from './command.js';
import { exitCodeNow, failWith, runLastly, watchEnd, watchStream } from './end-command.js';
import { written } from './output.js';
import { readWords, type Words } from './read-words.js';

export function takeCommand(spec: CommandSpec): boolean {
  const words = readWords(spec, process.argv.slice(3));
  if (!words) return false;
  watchEnd();
  if (attaches(spec, words)) watchStream(); // attaching writes to this stream
  const isOver = runLastly(spec, words.args, words.options).then(exitCodeNow, fail);
  void isOver.then((code) => process.exit(code)); // writeOutput has already waited for the output
  return true;
}

/** A full pipe accepts the error text later, so wait for it. */
async function fail(error: unknown): Promise<number> {
  const code = failWith(error);
  await written(process.stderr);
  return code;
}

const attaches = ({ name }: CommandSpec, { options }: Words): boolean =>
  name === 'attach' || (name === 'run' && options['detach'] !== true);
