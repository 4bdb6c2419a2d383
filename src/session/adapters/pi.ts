/** The adapter of pi: how orchd starts it, recognizes its input line, types into it, and reads what it says. */
import type { Voices } from '../../ears/index.js';
import { type Adapter, AGENT_INPUT, GENERIC, GENERIC_SCREEN, type LaunchRequest, TAB_TO_BLANKS } from './adapter.js';
import { piBatch } from './batch/pi.js';
import { type ComposerTraits, readComposer } from './dialogs/composers.js';
import { type CommandWords, hasOption, startKind, withArguments, wordsIn } from './launch/command-line.js';
import { asGiven, feedOf } from './launch/launch.js';
import { piExtension, readFeed } from './launch/plugins.js';
import { type KeptOptions, resumedCommand } from './launch/resumed.js';

/**
 * Words of the person and output of tools have their own background colour. The output of a person's command (`!ls`)
 * stands between two rules, below ` $ ls`.
 */
const VOICES: Voices = { own: null, other: null, isShaded: true, command: /^ \$ \S/ };
const COMPOSER: ComposerTraits = {
  above: /^─{10}/,
  below: /^─{10}/,
  first: /^/,
  next: /^/,
  rowsBelow: 12,
};

const WORDS: CommandWords = {
  programs: ['pi'],
  subcommands: ['install', 'remove', 'uninstall', 'update', 'list', 'config', 'auth'],
  prints: /^(?:-h|--help|-v|--version|--export|--list-models)(?:=|$)/,
  batch: /^(?:-p|--print|--mode)(?:=|$)/,
};
const KEEPS: KeptOptions = {
  switches: wordsIn(`
    --no-tools -nt --no-builtin-tools -nbt --no-extensions -ne --no-skills -ns --no-prompt-templates -np --no-themes
    --no-context-files -nc --verbose --offline --approve -a --no-approve -na
  `),
  values: wordsIn(`
    --provider --model --api-key --system-prompt --append-system-prompt --session-dir --models --tools -t --thinking
    --extension -e --skill --prompt-template --theme --exclude-tools -xt --use-theme --tui-mode
  `),
};
const EXTENSION_FILE = 'orchd-feed.js';

/**
 * pi, from either of its npm packages: @earendil-works/pi-coding-agent (now) and @mariozechner/pi-coding-agent
 * (before). Both install the command `pi`, by which it is known.
 *
 * pi shows the fences of all code blocks, also of messages to orchd, and indents the code. An outer fence of four
 * backticks is shown with three.
 */
export const pi: Adapter = {
  ...GENERIC,
  name: 'pi',
  label: 'pi',
  programs: ['pi'],
  screen: { ...GENERIC_SCREEN, title: /^π - /u, fences: 'printed', voices: VOICES },
  signals: {
    ready: /%\/\d+(?:\.\d+)?[kM]/,
    readyQuietMs: 500,
    readyLimitMs: 30_000,
    busy: { title: null, row: /^ [\u2800-\u28ff] \S/u, isSpinner: true },
    composer: (view) => readComposer(view, COMPOSER),
    // pi itself has no dialogs; only its extensions do.
    dialog: () => null,
  },
  input: { ...AGENT_INPUT, changes: [TAB_TO_BLANKS] },
  start: {
    model: '--model',
    triedVersion: '0.87.1',
    flags: ['--extension', '--append-system-prompt'],
    launch,
    resume: (argv, agentSessionId) => resumedCommand(argv, WORDS, KEEPS, ['--session', agentSessionId]),
    notes: [
      'orchd adds -e FILE, an extension that appends messages to a file of the session; yours stay loaded',
      'pi has no MCP, so orchd does not offer the tools; the agent can call `orchd tool` in its shell',
      'orchd adds nothing for --print, --mode and subcommands',
      'no process keeps running after pi ends',
    ],
  },
  transcript: {
    env: [],
    home: () => null,
    sources: ({ argv, dir }) =>
      startKind(argv, WORDS) === 'conversation' ? [{ kind: 'file', path: feedOf(dir) }] : [],
    read: readFeed,
  },
  batch: piBatch,
};

function launch(request: LaunchRequest) {
  const { argv, teach, dir, hasFlag } = request;
  const kind = startKind(argv, WORDS);
  if (kind === 'other' || hasOption(argv, /^--mode$/)) return asGiven(request);
  const isHeard = kind === 'conversation' && hasFlag('--extension');
  const canTeach = hasFlag('--append-system-prompt');
  const added = [
    ...(isHeard ? ['--extension', `${dir}/${EXTENSION_FILE}`] : []),
    ...(teach !== null && canTeach ? ['--append-system-prompt', teach] : []),
  ];
  return {
    argv: withArguments(argv, added, WORDS),
    env: {},
    files: isHeard ? { [EXTENSION_FILE]: piExtension(feedOf(dir)) } : {},
    agentSessionId: null,
    isTaught: teach === null || canTeach,
  };
}
