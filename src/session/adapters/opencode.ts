import { type Adapter, GENERIC, GENERIC_SCREEN, type Launch, type LaunchRequest } from './adapter.js';
import { type CommandWords, startKind } from './command-line.js';
import { asGiven, FEED_VARIABLE, feedOf } from './launch.js';
import { OPENCODE_PLUGIN, readFeed } from './plugins.js';
import { type Json, parseRecord } from './record.js';

const WORDS: CommandWords = {
  programs: ['opencode'],
  subcommands: [
    ...[
      'completion',
      'acp',
      'mcp',
      'attach',
      'debug',
      'providers',
      'auth',
      'agent',
      'upgrade',
      'uninstall',
      'serve',
      'web',
      'models',
    ],
    ...['stats', 'export', 'import', 'github', 'pr', 'session', 'plugin', 'plug', 'db'],
  ],
  prints: /^(?:-h|--help|-v|--version)$/,
  batch: /^run$/,
};
const CONFIG = 'OPENCODE_CONFIG_CONTENT';
const PLUGIN_FILE = 'orchd-feed.js';
const TEACH_FILE = 'instructions.md';

/** OpenCode and its fork Kilo: fences swallowed, blank padding, a side panel on wide screens. */
export const opencode: Adapter = {
  ...GENERIC,
  name: 'opencode',
  label: 'OpenCode',
  programs: ['opencode', 'kilo'],
  screen: { ...GENERIC_SCREEN, title: /^(?:OC|KC) \| / },
  start: {
    triedVersion: '1.18.33',
    flags: [],
    pinsId: false,
    launch,
    resume: (agentSessionId) => ['--session', agentSessionId],
    notes: [
      `${CONFIG} adds a plugin that appends what it says to a file of the session; it is merged with your own configuration`,
      '--pure leaves plugins out, and ours as well; Kilo is heard by its screen',
      'nothing keeps running after it ends',
    ],
  },
  transcript: {
    env: [],
    sources: ({ argv, dir }) =>
      startKind(argv, WORDS) === 'conversation' && !argv.includes('--pure')
        ? [{ kind: 'file', path: feedOf(dir) }]
        : [],
    read: readFeed,
  },
};

function launch(request: LaunchRequest): Launch {
  const { argv, env, teach, dir } = request;
  const kind = startKind(argv, WORDS);
  const given = env[CONFIG] ? parseRecord(env[CONFIG]) : {};
  if (kind === 'other' || given === null) return asGiven(request); // a configuration with comments stays as it is
  const isHeard = kind === 'conversation';
  if (!isHeard && teach === null) return asGiven(request);
  const config: Json = {
    ...given,
    ...(isHeard && { plugin: [...listIn(given, 'plugin'), `file://${encodeURI(dir)}/${PLUGIN_FILE}`] }),
    ...(teach !== null && { instructions: [...listIn(given, 'instructions'), `${dir}/${TEACH_FILE}`] }),
  };
  return {
    argv,
    env: { [CONFIG]: JSON.stringify(config), ...(isHeard && { [FEED_VARIABLE]: feedOf(dir) }) },
    files: { ...(isHeard && { [PLUGIN_FILE]: OPENCODE_PLUGIN }), ...(teach !== null && { [TEACH_FILE]: teach }) },
    agentSessionId: null,
    isTaught: true,
  };
}

const listIn = (config: Json, name: string): readonly unknown[] => {
  const list = config[name];
  return Array.isArray(list) ? list : [];
};
