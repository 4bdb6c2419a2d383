/** Configuration files in TOML: parsing them, and printing the table of options as such a file. */
import { parse, stringify, TomlDate, type TomlPrimitive } from 'smol-toml';
import { type Config, type ConfigSource, OPTIONS, type Values } from './config.js';
import { OrchdError } from './errors.js';

/** @throws {OrchdError} ORCHD_CONFIG with the line of the syntax error. */
export function parseConfig(source: string, text: string): ConfigSource {
  let table: Record<string, TomlPrimitive>;
  try {
    table = parse(text);
  } catch (error) {
    throw new OrchdError('ORCHD_CONFIG', `${source}: ${error instanceof Error ? error.message.split('\n')[0] : error}`);
  }
  const { default_adapter: adapter, ...sections } = table;
  if (typeof adapter === 'string') table = { ...sections, runs: { adapter, ...(sections['runs'] as object) } };
  for (const [section, options] of Object.entries(table)) {
    if (typeof options !== 'object' || Array.isArray(options) || options instanceof TomlDate) {
      throw new OrchdError('ORCHD_CONFIG', `${source}: '${section}' stands outside of a section such as [daemon]`);
    }
  }
  return { name: source, values: table as unknown as Values }; // mergeConfig checks each value
}

/** Formats a configuration as TOML, each option with its description above it. */
export function configText(config: Config): string {
  const sections = Object.entries(OPTIONS).map(([section, options]) => {
    const lines = Object.entries(options).map(([name, { doc }]) => {
      const value = (config as unknown as Values)[section]?.[name];
      return `# ${doc}\n${stringify({ [name]: value ?? '' }).trim()}`;
    });
    return `[${section}]\n${lines.join('\n\n')}\n`;
  });
  const profiles = Object.keys(config.profiles).length > 0 ? [stringify({ profiles: config.profiles })] : [];
  return [...sections, ...profiles].join('\n');
}
