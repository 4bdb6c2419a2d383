/** Configuration files in TOML: parsing them, and printing the table of options as such a file. */
import { parse, stringify, TomlDate, TomlError, type TomlPrimitive } from 'smol-toml';
import { type Config, type ConfigSource, OPTIONS, type Values } from './config/index.js';
import { errorMessage, OrchdError } from './errors.js';

/** @throws {OrchdError} ORCHD_CONFIG with the line of the syntax error. */
export function parseConfig(source: string, text: string): ConfigSource {
  let table: Record<string, TomlPrimitive>;
  try {
    table = parse(text);
  } catch (error) {
    throw new OrchdError('ORCHD_CONFIG', syntaxWords(source, error));
  }
  const { default_adapter: adapter, ...sections } = table;
  if (typeof adapter === 'string') table = { ...sections, runs: { adapter, ...(sections['runs'] as object) } };
  for (const [section, options] of Object.entries(table)) {
    if (typeof options !== 'object' || Array.isArray(options) || options instanceof TomlDate) {
      throw new OrchdError('ORCHD_CONFIG', `${source}: '${section}' stands outside of a section such as [daemon]`);
    }
  }
  // mergeConfig checks each value.
  return { name: source, values: table as unknown as Values, lineOf: (section, name) => lineOf(text, section, name) };
}

/** Returns the message of the parser with the place, and the line itself with a caret below the column. */
function syntaxWords(source: string, error: unknown): string {
  if (!(error instanceof TomlError)) return `${source}: ${errorMessage(error)}`;
  const [what = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
  return `${source}, line ${error.line}, column ${error.column}: ${what}\n${error.codeblock.trimEnd()}`;
}

/**
 * Returns the line (from 1) on which an option is set, null if it is not found. Reads `name = …` below `[section]`, and
 * `section.name = …` above the first section; other ways to write it have no line.
 */
function lineOf(text: string, section: string, name: string): number | null {
  const lines = text.split('\n');
  let here = '';
  for (const [at, line] of lines.entries()) {
    const header = /^\s*\[\s*([\w.-]+)\s*\]/.exec(line)?.[1];
    if (header !== undefined) {
      here = header;
      if (header === section && name === '') return at + 1;
    }
    const key = /^\s*([\w.-]+)\s*=/.exec(line)?.[1];
    if (key !== undefined && (here === '' ? key : `${here}.${key}`) === `${section}.${name}`) return at + 1;
  }
  return null;
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
