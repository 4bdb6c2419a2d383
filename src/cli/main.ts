/**
 * The CLI: `orchd COMMAND …`. Most commands have bundles of their own (build/quick-bundles.ts), which run the same
 * program with one command.
 */
import { COMMANDS } from './commands/index.js';
import { start } from './commands/start.js';
import { addCompletion } from './program/completion.js';
import { runProgram } from './program/program.js';

const given = process.argv.slice(2);
/** Without words, `orchd` opens the TUI if it runs in a terminal. `orchd --plain` is `orchd start --plain`. */
const isOpening = given.length === 0 && process.stdin.isTTY && process.stdout.isTTY;
const isOfStart = start.options?.some(([flags]) => flags.split(' ')[0] === given[0]?.split('=')[0]);
const words = isOpening || isOfStart ? ['start', ...given] : given;
const name = words.find((word) => !word.startsWith('-')) ?? '';
const named = COMMANDS.filter((spec) => spec.name === name || spec.aliases?.includes(name));
// If the words name no command, all commands are loaded for the help.
await runProgram(named.length > 0 ? named : COMMANDS, words, addCompletion);
