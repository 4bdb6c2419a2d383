/**
 * The short way: commands that people and programs call all day, in one file that loads nothing else. To begin with ES modules takes Node
 * a fifth of its own time, and so does commander.
 *
 * In:   the command line.
 * Out:  whether it was taken. It is only where it is right beyond doubt (read-words.ts); all others, and every mistake, are main.ts'.
 * The commands are the same ones, by the same specs: nothing is said differently here.
 */
import type { CommandSpec } from './command.js';
import { answer } from './commands/answer.js';
import { capture } from './commands/capture.js';
import { inbox } from './commands/inbox.js';
import { keys } from './commands/keys.js';
import { kill } from './commands/kill.js';
import { ls } from './commands/ls.js';
import { run } from './commands/run.js';
import { send } from './commands/send.js';
import { status } from './commands/status.js';
import { wait } from './commands/wait.js';
import { exitCodeNow, failWith, runLastly, watchEnd } from './end-command.js';
import { readWords } from './read-words.js';

const QUICK: readonly CommandSpec[] = [ls, capture, run, send, keys, kill, inbox, answer, status, wait];

export function takeCommand(): boolean {
  const [name = '', ...rest] = process.argv.slice(2);
  const spec = QUICK.find((one) => one.name === name || one.aliases?.includes(name));
  const words = spec ? readWords(spec, rest) : null;
  if (!spec || !words) return false;
  // Who attaches needs a terminal's worth of code more, and is no faster for this.
  if (spec === run && words.options['detach'] !== true) return false;
  watchEnd();
  const isOver = runLastly(spec, words.args, words.options).then(exitCodeNow, failWith);
  void isOver.then((code) => process.exit(code)); // what was written is out: terminals, files and pipes are written at once
  return true;
}
