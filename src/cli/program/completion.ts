/** The hidden command that the completion scripts of shells call at each Tab. */
import type { Command } from 'commander';
import { COMMANDS } from '../commands/index.js';
import { complete } from './complete.js';
import { createContext } from './context.js';
import { endSignal } from './end-command.js';

export function addCompletion(program: Command): void {
  program
    .command('__complete [words...]', { hidden: true })
    .allowUnknownOption()
    .helpOption(false)
    .passThroughOptions()
    .action(completeWords);
}

async function completeWords(words: string[]): Promise<void> {
  const context = createContext({ isJson: false, isQuiet: true }, endSignal);
  const found = await complete(context, COMMANDS, words).catch(() => []);
  process.stdout.write(found.map((word) => `${word}\n`).join(''));
  context.close();
}
