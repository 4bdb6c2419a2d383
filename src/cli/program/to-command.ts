/** Converts a command's spec to a commander command: options, help, examples. */
import { Command } from 'commander';
import type { CommandSpec, Options } from './command.js';

type RunCommand = (spec: CommandSpec, args: readonly string[], options: Options) => Promise<void>;

export function toCommand(spec: CommandSpec, run: RunCommand): Command {
  const command = new Command(spec.name)
    .description(spec.summary)
    .summary(spec.summary.replace(/\s*[;:(.].*$/s, ''))
    .helpGroup(`${spec.group}:`)
    .helpOption('-h, --help', 'how it is used')
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .showSuggestionAfterError()
    .addHelpText('after', `\nExamples:\n${spec.examples.map((line) => `  ${line}`).join('\n')}`);
  for (const alias of spec.aliases ?? []) command.alias(alias);
  if (spec.args) command.arguments(spec.args);
  if (spec.passesThrough) command.passThroughOptions();
  for (const [flags, description] of spec.options ?? []) {
    if (description.endsWith('…'))
      command.option(flags, description.slice(0, -1), (value: string, all: string[]) => [...all, value], []);
    else command.option(flags, description);
  }
  if (!spec.options?.some(([flags]) => flags.includes('--json'))) command.option('--json', 'print JSON');
  command.option('-q, --quiet', spec.quiet ?? 'print no remarks');
  return command.action(async (...given: unknown[]) => {
    const options = (given.at(-1) as Command).optsWithGlobals() as Options; // commander passes the command last
    const args = given
      .slice(0, -2)
      .flat()
      .filter((value): value is string => typeof value === 'string');
    await run(spec, args, options);
  });
}
