/** Tests how the words of a command line reach a subcommand. */
import { Command } from 'commander';
import { expect, test } from 'vitest';
import type { CommandSpec, Options } from './command.js';
import { toCommand } from './to-command.js';

const arg = ['--arg <argument>', 'an argument…'] as const;
const start = { name: 'start', summary: 'Start', args: '[prompt...]', options: [arg], run: async () => undefined };
const frob: CommandSpec = { name: 'frob', group: 'Agents', summary: 'Frob', actions: [start], examples: [] };

test('an option of a subcommand takes the next word, even if that is an option of every command', async () => {
  const heard: { args: readonly string[]; options: Options }[] = [];
  const program = new Command('orchd').enablePositionalOptions().exitOverride();
  program.addCommand(toCommand(frob, async (_, args, options) => void heard.push({ args, options })));
  const words = ['frob', 'start', '--arg', '-q', '--arg', '--json', 'Count.', '--json'];
  await program.parseAsync(words, { from: 'user' });
  expect(heard).toEqual([{ args: ['Count.'], options: { arg: ['-q', '--json'], json: true } }]);
});
