import { displayLine, mergeConfig } from '../../protocol/index.js';
import { type CommandSpec, flag } from '../program/command.js';
import { ignoredInProject, readConfig } from '../program/context.js';

export const config: CommandSpec = {
  name: 'config',
  group: 'Daemon',
  summary: 'Print the configuration in force, as TOML.',
  options: [['--default', 'every option with its default and its meaning']],
  examples: ['orchd config', 'orchd config --default > ~/.config/orchd/config.toml'],
  async run(context, _args, options) {
    const { configText } = await import('../../protocol/config-file.js');
    const { attachKeys, createKeymap, gridKeys, keysText } = await import('../../tui/index.js');
    const values = flag(options, 'default') ? mergeConfig([]) : await readConfig(context);
    createKeymap(values.keys);
    attachKeys(values.tui.prefix, values.keys);
    gridKeys(values.keys);
    const text = () => `# ${context.paths.configFile}\n\n${configText(values)}\n${keysText(values.keys)}`;
    await context.print(values, text);
    const ignored = flag(options, 'default') ? null : await ignoredInProject(context);
    if (ignored) context.note(`${displayLine(ignored.file)}: only your own file may set ${ignored.names.join(', ')}`);
    return undefined;
  },
};
