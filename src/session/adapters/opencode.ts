/**
 * The adapter of OpenCode: how orchd starts it, recognizes its input line and dialogs, types into it, and reads what it
 * says.
 */
import type { Voices } from '../../ears/index.js';
import {
  type Adapter,
  AGENT_INPUT,
  type Dialog,
  GENERIC,
  GENERIC_SCREEN,
  type Launch,
  type LaunchRequest,
  type ScreenView,
} from './adapter.js';
import { opencodeBatch } from './batch/opencode.js';
import { type ComposerTraits, readComposer } from './dialogs/composers.js';
import { type DialogTraits, dialogOf, inside, readDialog } from './dialogs/dialog-reader.js';
import { type CommandWords, startKind, wordsIn } from './launch/command-line.js';
import { asGiven, FEED_VARIABLE, feedOf, opencodeTools } from './launch/launch.js';
import { OPENCODE_PLUGIN, readFeed } from './launch/plugins.js';
import { type KeptOptions, resumedCommand } from './launch/resumed.js';
import { asObject, type Json, parseRecord } from './record.js';

/** Words of the person and output of tools have a vertical line at the left. */
const VOICES: Voices = { own: /^ {3,}[^\s┃]/u, other: /^ {2}┃/u, isShaded: false };
const COMPOSER: ComposerTraits = {
  above: null,
  below: /^\s*╹▀{10}/,
  first: /^\s*┃ {0,2}/,
  next: /^\s*┃ {0,2}/,
  placeholder: /^Ask anything(?:…|\.{3})/,
  footRows: 2,
  rowsBelow: 60, // before its first turn it stands in the middle, on a screen of any height
};
const DIALOG: DialogTraits = {
  pointer: '',
  border: null,
  isBoxed: false,
  top: /^(?!\s*┃)/,
  noise: /^↑↓ |^△ Permission required$/,
  open: /^Type your own answer/,
  bare: /^\s*┃/,
};
const RIGHT = '\x1b[C';
const LEFT = '\x1b[D';

/**
 *     ┃   Allow once   Allow always   Reject   ctrl+f fullscreen  ⇆ select  enter confirm
 *         the chosen one has a background of its own
 */
function readButtons({ rows }: ScreenView): Dialog | null {
  const at = rows.findLastIndex(({ text }) => /^\s*┃.* {2}(?:⇆|←→) select/u.test(text));
  const row = rows[at];
  if (!row) return null;
  const words = inside(row.text).replace(/ {2}(?:ctrl\+\w|⇆|←→) .*$/u, '');
  const buttons = [...words.matchAll(/\S+(?: \S+)*/g)];
  const panel = row.ground(row.text.indexOf('┃') + 1);
  const lit = buttons.flatMap(({ index }, at) => (row.ground(index) === panel ? [] : [at]));
  const [chosen = 0] = lit;
  const choices = buttons.map(([label], index) => {
    const moves = index < chosen ? LEFT.repeat(chosen - index) : RIGHT.repeat(index - chosen);
    return { label, keys: lit.length === 1 ? `${moves}\r` : null };
  });
  return choices.length < 2
    ? null
    : dialogOf(
        rows.map(({ text }) => text),
        at,
        choices,
        DIALOG,
      );
}

const WORDS: CommandWords = {
  programs: ['opencode'],
  subcommands: wordsIn(`
    completion acp mcp attach debug providers auth agent upgrade uninstall serve web models stats export import github
    pr session plugin plug db
  `),
  prints: /^(?:-h|--help|-v|--version)$/,
  batch: /^run$/,
};
/** The first argument is a folder, never a prompt. */
const KEEPS: KeptOptions = {
  switches: ['--print-logs', '--pure', '--mdns'],
  values: ['--log-level', '-m', '--model', '--agent', '--port', '--hostname', '--cors'],
  words: /^(?:\.{0,2}\/|\.{1,2}$)/,
};
const CONFIG = 'OPENCODE_CONFIG_CONTENT';
const PLUGIN_FILE = 'orchd-feed.js';
const TEACH_FILE = 'instructions.md';

/** OpenCode: shows no fences, pads rows with blanks, and has a side panel on wide screens. */
export const opencode: Adapter = {
  ...GENERIC,
  name: 'opencode',
  label: 'OpenCode',
  programs: ['opencode'],
  screen: { ...GENERIC_SCREEN, title: /^OC \| /, voices: VOICES },
  signals: {
    ready: /^\s*┃ {2}\S.* · \S/,
    readyQuietMs: 1500,
    readyLimitMs: 180_000, // without a network, on a busy machine, and until then input is lost
    busy: { title: null, row: /^ *[■⬝]{3,} +esc (?:again to )?interrupt/u },
    composer: (view) => readComposer(view, COMPOSER),
    dialog: (view) => readButtons(view) ?? readDialog(view, DIALOG),
  },
  input: { ...AGENT_INPUT, actions: ['exit', 'quit', ':q'] },
  start: {
    model: '--model',
    triedVersion: '1.18.33',
    flags: [],
    launch,
    resume: (argv, agentSessionId) => resumedCommand(argv, WORDS, KEEPS, ['--session', agentSessionId]),
    notes: [
      `${CONFIG} adds a plugin that appends its messages to a file of the session`,
      `${CONFIG} is merged with your own configuration, and shows pasted text in full instead of a summary`,
      `${CONFIG} also offers the tools (--tools; with --teach unless sessions.tools is false) beside your own servers`,
      'with --pure no plugins are loaded, so orchd’s plugin is missing as well',
      'no process keeps running after opencode ends',
    ],
  },
  transcript: {
    env: [],
    home: () => null,
    sources: ({ argv, dir }) =>
      startKind(argv, WORDS) === 'conversation' && !argv.includes('--pure')
        ? [{ kind: 'file', path: feedOf(dir) }]
        : [],
    read: readFeed,
  },
  batch: opencodeBatch,
};

function launch(request: LaunchRequest): Launch {
  const { argv, env, teach, tools, dir } = request;
  const kind = startKind(argv, WORDS);
  const given = env[CONFIG] ? parseRecord(env[CONFIG]) : {};
  if (kind === 'other' || given === null) return asGiven(request); // a configuration with comments stays as it is
  const isHeard = kind === 'conversation';
  if (!isHeard && teach === null && !tools) return asGiven(request);
  const config: Json = {
    ...given,
    ...(isHeard && { plugin: [...listIn(given, 'plugin'), `file://${encodeURI(dir)}/${PLUGIN_FILE}`] }),
    // Without this setting, a paste is shown as `[Pasted …]`, and the model receives it with an additional blank.
    ...(isHeard && { experimental: { disable_paste_summary: true, ...asObject(given['experimental']) } }),
    ...(tools && opencodeTools(given, tools)),
    ...(teach !== null && { instructions: [...listIn(given, 'instructions'), `${dir}/${TEACH_FILE}`] }),
  };
  return {
    argv,
    env: { [CONFIG]: JSON.stringify(config), ...(isHeard && { [FEED_VARIABLE]: feedOf(dir) }) },
    files: { ...(isHeard && { [PLUGIN_FILE]: OPENCODE_PLUGIN }), ...(teach !== null && { [TEACH_FILE]: teach }) },
    agentSessionId: null,
    isTaught: true,
    ...(tools && { hasTools: true }),
  };
}

const listIn = (config: Json, name: string): readonly unknown[] => {
  const list = config[name];
  return Array.isArray(list) ? list : [];
};
