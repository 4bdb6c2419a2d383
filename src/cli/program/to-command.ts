/** Converts a command's spec to a commander command: options, help, examples, subcommands. */
import { Command } from 'commander';
import { OrchdError } from '../../protocol/errors.js';
import type { ActionSpec, CommandSpec, OptionSpec, Options } from './command.js';

type RunCommand = (spec: ActionSpec, args: readonly string[], options: Options) => Promise<void>;

export function toCommand(spec: CommandSpec, run: RunCommand): Command {
  const { run: own, actions = [], aliases = [], examples, group } = spec;
  const command = createCommand(spec, examples).helpGroup(`${group}:`);
  for (const alias of aliases) command.alias(alias);
  for (const action of actions) {
    const ofAction = examples.filter((line) => line.includes(`orchd ${spec.name} ${action.name}`));
    command.addCommand(withAction(createCommand(action, ofAction), action, run));
  }
  // Otherwise the command would take `-q` from `start --arg -q`.
  if (actions.length > 0)
    command.helpCommand('help [subcommand]', 'how a subcommand is used').enablePositionalOptions();
  if (!own) return command;
  if (actions.length > 0) command.allowExcessArguments();
  return withAction(command, { ...spec, run: own }, (single, args, options) => {
    const [excess] = actions.length > 0 ? command.args : [];
    if (excess === undefined) return run(single, args, options);
    const known = actions.map((action) => `\`orchd ${spec.name} ${action.name}\``).join(', ');
    throw new OrchdError('ORCHD_USAGE', `there is no \`orchd ${spec.name} ${excess}\`; there is ${known}`);
  });
}

function createCommand(
  { name, summary, options = [], quiet }: Pick<ActionSpec, 'name' | 'summary' | 'options' | 'quiet'>,
  examples: readonly string[],
): Command {
  const command = new Command(name)
    .description(summary)
    .summary(summary.replace(/\s*[;:(.].*$/s, ''))
    .helpOption('-h, --help', 'how it is used')
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .showSuggestionAfterError();
  if (examples.length > 0)
    command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}`);
  for (const option of options) addOption(command, option);
  if (!options.some(([flags]) => flags.includes('--json'))) command.option('--json', 'print JSON');
  return command.option('-q, --quiet', quiet ?? 'print no remarks');
}

function addOption(command: Command, [flags, description]: OptionSpec): void {
  if (description.endsWith('…'))
    command.option(flags, `${description.slice(0, -1)} (may be repeated)`, (value: string, all: string[] = []) => [
      ...all,
      value,
    ]);
  else command.option(flags, description);
}

function withAction(command: Command, spec: ActionSpec, run: RunCommand): Command {
  if (spec.args) command.arguments(spec.args);
  if (spec.passesThrough) command.passThroughOptions();
  return command.action(async (...given: unknown[]) => {
    const options = (given.at(-1) as Command).optsWithGlobals() as Options; // commander passes the command last
    const args = given
      .slice(0, -2)
      .flat()
      .filter((value): value is string => typeof value === 'string');
    await run(spec, args, options);
  });
}
