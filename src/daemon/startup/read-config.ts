/**
 * The daemon's configuration, from the user's file and the environment, read once at its start.
 *
 * A daemon started only to end everything (`--to-stop`) also works with an invalid configuration, because that must not
 * keep programs running.
 */
import { isThere, readRegularFile } from '../../host/index.js';
import { parseConfig } from '../../protocol/config-file.js';
import {
  type Config,
  type ConfigSource,
  configFromEnvironment,
  MAX_CONFIG_BYTES,
  mergeConfig,
  OrchdError,
  type Paths,
} from '../../protocol/index.js';
import type { Log } from '../log.js';

/**
 * Returns the file's values and those of the environment, in order of increasing precedence.
 * @throws {OrchdError} ORCHD_CONFIG, ORCHD_FILE
 */
export function readSources({ configFile }: Pick<Paths, 'configFile'>, env: NodeJS.ProcessEnv): ConfigSource[] {
  const sources = isThere(configFile) ? [parseConfig(configFile, readRegularFile(configFile, MAX_CONFIG_BYTES))] : [];
  return [...sources, configFromEnvironment(env)];
}

/**
 * Returns the configuration of a daemon that only ends programs: it starts no waiting run, and uses defaults if the
 * file cannot be read.
 */
export function readConfigToStop(paths: Pick<Paths, 'configFile'>, env: NodeJS.ProcessEnv, log: Log): Config {
  const config = readOrDefault(paths, env, log);
  return { ...config, runs: { ...config.runs, parallel: 0 } };
}

function readOrDefault(paths: Pick<Paths, 'configFile'>, env: NodeJS.ProcessEnv, log: Log): Config {
  try {
    return mergeConfig(readSources(paths, env));
  } catch (error) {
    const isKnown = error instanceof OrchdError;
    log.info('everything is ended without the configuration', { problem: isKnown ? error.message : String(error) });
    return mergeConfig([]);
  }
}

/** The options of `orchd start` that take the place of configured ones. */
export const flagSource = (flags: { readonly port?: string; readonly 'no-tcp'?: boolean }): ConfigSource => ({
  name: 'command line',
  values: {
    daemon: {
      ...(flags.port !== undefined && { port: Number(flags.port) }),
      ...(flags['no-tcp'] === true && { tcp: false }),
    },
  },
});
