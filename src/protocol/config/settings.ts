/** The options in force, each with the origin of its value. Pure. */

import type { Setting } from '../generated/types.js';
import { type ConfigSource, mergeConfig, OPTIONS } from './config.js';

/** Options whose values may contain passwords or tokens. Their values are not told. */
const SECRET: ReadonlySet<string> = new Set(['notify.command']);

/**
 * @param sources The sources in order of increasing precedence, as for `mergeConfig`.
 * @throws {OrchdError} ORCHD_CONFIG
 */
export function settingsOf(sources: readonly ConfigSource[]): Setting[] {
  const config = mergeConfig(sources);
  const [values, defaults] = [flat(config), flat(mergeConfig([]))];
  return Object.entries(OPTIONS).flatMap(([section, options]) =>
    Object.entries(options).map(([option, { doc }]): Setting => {
      const name = `${section}.${option}`;
      const source = sources.findLast((one) => one.values[section]?.[option] !== undefined);
      const isSecret = SECRET.has(name) && values.get(name) !== defaults.get(name);
      return {
        name,
        value: isSecret ? null : (values.get(name) ?? null),
        default: defaults.get(name) ?? null,
        doc,
        origin: source?.name ?? 'default',
        line: source?.lineOf?.(section, option) ?? null,
        ...(isSecret && { secret: true as const }),
      };
    }),
  );
}

type Value = string | number | boolean;

const flat = (config: object): ReadonlyMap<string, Value> =>
  new Map(
    Object.entries(config).flatMap(([section, options]) =>
      Object.entries(options as Readonly<Record<string, Value>>).map(
        ([option, value]) => [`${section}.${option}`, value] as const,
      ),
    ),
  );
