/**
 * The adapter of Claude Code: how orchd starts it, recognizes its input line and dialogs, types into it, and reads what
 * it says.
 */
import {
  type Adapter,
  AGENT_INPUT,
  GENERIC,
  GENERIC_SCREEN,
  type LaunchRequest,
  type Reading,
  TAB_TO_BLANKS,
  type TranscriptAbout,
  type TranscriptItem,
} from './adapter.js';
import { claudeBatch } from './batch/claude.js';
import { type ComposerTraits, readComposer } from './dialogs/composers.js';
import { type DialogTraits, readDialog } from './dialogs/dialog-reader.js';
import { claudeHooks } from './hooks/claude.js';
import {
  asUuid,
  type CommandWords,
  hasOption,
  optionValue,
  startKind,
  withArguments,
  wordsIn,
} from './launch/command-line.js';
import {
  asGiven,
  askCommand,
  claudeTools,
  feedOf,
  PATIENCE_S,
  TOOLS_FILE,
  TOOLS_NAME,
  tellCommand,
} from './launch/launch.js';
import { type KeptOptions, resumedCommand } from './launch/resumed.js';
import {
  asObject,
  asText,
  IDLE,
  type Json,
  NOTHING,
  objectsIn,
  parseRecord,
  partTexts,
  prompt,
  RESTED,
  reading,
  text,
} from './record.js';
import { usage } from './usage.js';

const COMPOSER: ComposerTraits = {
  above: /^─{10}/,
  below: /^─{10}/,
  first: /^❯ ?/,
  next: /^ {0,2}/,
  rowsBelow: 12,
};
const DIALOG: DialogTraits = {
  pointer: '❯',
  border: /^[─▔]{10}/,
  isBoxed: false,
  top: /^[─▔]{10}/,
  noise: /^Tip: |^below$/,
  open: /^Type something\b|^Chat about this/,
};

const WORDS: CommandWords = {
  programs: ['claude'],
  subcommands: wordsIn(`
    agents attach auth auto-mode doctor gateway import install kill logs mcp plugin plugins purge respawn rm
    setup-token stop ultrareview update upgrade
  `),
  prints: /^(?:-h|--help|-v|--version|--bg|--background|--cloud|--desktop|--teleport)(?:=|$)/,
  batch: /^(?:--print|-[a-z]*p[a-z]*)$/,
};
const KEEPS: KeptOptions = {
  switches: wordsIn(`
    --dangerously-skip-permissions --allow-dangerously-skip-permissions --strict-mcp-config --verbose --ide --chrome
    --no-chrome --disable-slash-commands --bare
  `),
  values: wordsIn(`
    --model --fallback-model --effort --agent --agents --permission-mode --settings --setting-sources --system-prompt
    --system-prompt-file --append-system-prompt --append-system-prompt-file --permission-prompt-tool --plugin-dir
  `),
  lists: wordsIn(`
    --add-dir --mcp-config --allowedTools --allowed-tools --disallowedTools --disallowed-tools --tools --betas
  `),
};
/** Invisible characters. Claude Code removes them, except within emoji. */
const HIDDEN =
  /(?<!\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u{fe0f}|[\u{e0020}-\u{e007f}])(?!\u{fe0f}\u{20e3})\p{Default_Ignorable_Code_Point}/gu;
/** Claude Code changes what is typed to Unicode's composed form (NFC): `e` and U+0301 to `é`. */
const COMPOSED = [/[\s\S]+/, (text: string) => text.normalize('NFC')] as const;
const OLD = /^(?:-r|--resume|-c|--continue|--from-pr)$/;

/**
 * The settings with the hooks that report, and the one that asks, which runs while the dialog is open. The path of the
 * feed is not in a variable, so the agent's tools cannot find it there.
 */
function settings({ dir, hook }: LaunchRequest, hasTools: boolean): string {
  const tell = [{ hooks: [{ type: 'command', command: tellCommand(dir) }] }];
  const ask = [{ hooks: [{ type: 'command', command: askCommand(hook), timeout: PATIENCE_S }] }];
  const hooks = { SessionStart: tell, Notification: tell, Stop: tell, StopFailure: tell, PermissionRequest: ask };
  // Allows orchd's tools. Otherwise the agent would ask the person for permission each time it wants to ask a question.
  return JSON.stringify({ hooks, ...(hasTools && { permissions: { allow: [`mcp__${TOOLS_NAME}`] } }) });
}

/** The folder of its conversations. */
const projects = ({ env }: Pick<TranscriptAbout, 'env'>): string =>
  `${env['CLAUDE_CONFIG_DIR'] || `${env['HOME']}/.claude`}/projects`;

/**
 * Claude Code: shows no fences; the info string of a fence stays as a row of its own. Its own words begin with `●`, the
 * output of a tool with `⎿`.
 */
export const claude: Adapter = {
  ...GENERIC,
  name: 'claude',
  label: 'Claude Code',
  programs: ['claude'],
  screen: { ...GENERIC_SCREEN, title: /^(?:[✳◐◑◒◓⠂⠐] )Claude Code$/u },
  signals: {
    ready: /^\s*(?:[⏵⏸]|\? for shortcuts)/u,
    readyQuietMs: 300,
    readyLimitMs: 30_000,
    busy: { title: /^[◐◑◒◓⠂⠐] /u, row: /^\s*[⏵⏸].* · esc to interrupt/u },
    composer: (view) => readComposer(view, COMPOSER),
    dialog: (view) => readDialog(view, DIALOG),
  },
  input: {
    ...AGENT_INPUT,
    actions: ['exit', 'quit', ':q', ':q!', ':wq', ':wq!'],
    changes: [TAB_TO_BLANKS, [HIDDEN, ''], [/[\u2028\u2029]/g, '\n'], COMPOSED],
  },
  start: {
    model: '--model',
    triedVersion: '2.1.328',
    flags: ['--settings', '--session-id', '--append-system-prompt', '--mcp-config'],
    launch,
    resume: (argv, agentSessionId) => resumedCommand(argv, WORDS, KEEPS, ['--resume', agentSessionId]),
    notes: [
      'orchd adds --session-id, which sets the id of the conversation',
      'orchd adds --settings FILE with the hooks SessionStart, Notification and Stop; yours still apply',
      'the hooks append to a file of the session',
      'the hook PermissionRequest runs `orchd hook`, which waits for an answer in the inbox',
      'Claude’s own dialog stays open, and the first answer counts; without a daemon `orchd hook` prints nothing',
      '--mcp-config=FILE offers the tools (--tools; with --teach unless sessions.tools is false) beside your servers',
      '--settings allows these tools; orchd does not add them if you give --strict-mcp-config',
      'orchd adds none of these flags if you give them yourself, or for --print and subcommands',
      'no process keeps running after Claude Code ends',
    ],
  },
  transcript: {
    env: ['HOME', 'CLAUDE_CONFIG_DIR'],
    home: projects,
    sources({ argv, env, cwd, dir, agentSessionId }) {
      if (startKind(argv, WORDS) !== 'conversation') return [];
      const file = `${projects({ env })}/${cwd.replace(/[^a-zA-Z0-9]/g, '-')}/${agentSessionId}.jsonl`;
      return [
        { kind: 'file', path: feedOf(dir) },
        ...(agentSessionId === null ? [] : [{ kind: 'file' as const, path: file }]),
      ];
    },
    read,
  },
  hooks: claudeHooks,
  batch: claudeBatch,
};

function launch(request: LaunchRequest) {
  const { argv, uuid, teach, tools, dir, hasFlag } = request;
  const kind = startKind(argv, WORDS);
  if (kind === 'other') return asGiven(request);
  const hasTools = tools !== undefined && hasFlag('--mcp-config') && !hasOption(argv, /^--strict-mcp-config$/);
  const isTalk = kind === 'conversation';
  const given = optionValue(argv, /^--session-id$/) ?? optionValue(argv, /^(?:-r|--resume)$/);
  const isPinned = isTalk && given === null && hasFlag('--session-id') && !hasOption(argv, OLD);
  const isHooked = isTalk && hasFlag('--settings') && !hasOption(argv, /^--settings$/);
  const canTeach = hasFlag('--append-system-prompt') && !hasOption(argv, /^--(?:append-)?system-prompt(?:-file)?$/);
  const added = [
    ...(hasTools ? [`--mcp-config=${dir}/${TOOLS_FILE}`] : []), // with `=`: otherwise it takes all words that follow
    ...(isHooked ? ['--settings', `${dir}/settings.json`] : []),
    ...(isPinned ? ['--session-id', uuid] : []),
    ...(teach !== null && canTeach ? ['--append-system-prompt', teach] : []),
  ];
  const isFork = hasOption(argv, /^--fork-session$/);
  return {
    argv: withArguments(argv, added, WORDS),
    env: {},
    files: {
      ...(isHooked && { 'settings.json': settings(request, hasTools) }),
      ...(hasTools && { [TOOLS_FILE]: claudeTools(tools) }),
    },
    agentSessionId: isPinned ? uuid : isTalk && !isFork ? asUuid(given) : null,
    isTaught: teach === null || canTeach,
    ...(hasTools && { hasTools }),
  };
}

/** Matches records that are not the conversation: whole requests, often megabytes. */
const BULK = /^\{"type":"(?:api-request|file-history)/;
/** Texts that Claude Code adds to the conversation as if the person had typed them. */
const NOT_TYPED = /^<(?:command-|local-command-|bash-|task-notification|system-reminder)/;
const INTERRUPTED = /^\[Request interrupted by user/;

function read(line: string, isFeed: boolean): Reading {
  if (BULK.test(line)) return NOTHING;
  const record = parseRecord(line);
  if (record === null) return NOTHING;
  // The words of a sub-agent are not the agent's, but its tokens are paid as well.
  if (record['isSidechain'] === true) return isFeed ? NOTHING : reading(record['timestamp'], usageOf(record));
  return reading(record['timestamp'], isFeed ? hookItems(record) : [...itemsOf(record), ...usageOf(record)]);
}

/** Each part of a reply is a record, and each repeats the usage of the whole reply. */
function usageOf(record: Json): TranscriptItem[] {
  const message = record['type'] === 'assistant' ? asObject(record['message']) : null;
  const told = asObject(message?.['usage']);
  if (message === null || told === null || message['model'] === '<synthetic>') return [];
  const cached = told['cache_read_input_tokens'];
  return usage(message['id'], {
    input: [told['input_tokens'], cached, told['cache_creation_input_tokens']],
    output: [told['output_tokens']],
    cached: [cached],
    cost: [record['costUSD']],
  });
}

function itemsOf(record: Json): TranscriptItem[] {
  switch (record['type']) {
    case 'assistant': {
      const message = asObject(record['message']);
      if (message?.['model'] === '<synthetic>') return [];
      return partTexts(message?.['content'], 'text').flatMap(text);
    }
    case 'user':
      return record['isMeta'] === true || record['isCompactSummary'] === true ? [] : userItems(record);
    case 'attachment': {
      // Input that the person typed while the agent worked, and that it accepted before its turn ended.
      const attachment = asObject(record['attachment']);
      if (attachment?.['type'] !== 'queued_command' || attachment['commandMode'] === 'task-notification') return [];
      return partTexts(attachment['prompt'], 'text').flatMap(prompt);
    }
    case 'system':
      return record['subtype'] === 'turn_duration' ? [IDLE] : [];
    default:
      return [];
  }
}

function userItems(record: Json): TranscriptItem[] {
  const content = asObject(record['message'])?.['content'];
  const words = partTexts(content, 'text').join('\n');
  if (INTERRUPTED.test(words)) return [IDLE];
  const origin = asObject(record['origin'])?.['kind'];
  if (words.startsWith('<bash-input>')) return [{ kind: 'local' }];
  const isTyped = (origin === undefined || origin === 'human') && !NOT_TYPED.test(words);
  return isTyped && !objectsIn(content).some(({ type }) => type === 'tool_result') ? prompt(words) : [];
}

function hookItems(record: Json): TranscriptItem[] {
  if (record['hook_event_name'] === 'SessionStart') {
    const agentSessionId = asText(record['session_id']);
    const isOld = record['source'] === 'resume';
    return agentSessionId === null
      ? []
      : [{ kind: 'session', agentSessionId, path: asText(record['transcript_path']), isOld }];
  }
  if (/^Stop(?:Failure)?$/.test(asText(record['hook_event_name']) ?? '')) return [RESTED];
  const message = asText(record['message']);
  const isAsking =
    record['hook_event_name'] === 'Notification' &&
    !/^(?:idle_prompt|auth_success)$/.test(asText(record['notification_type']) ?? '');
  return isAsking && message !== null && !/waiting for your input/.test(message)
    ? [{ kind: 'attention', text: message }]
    : [];
}
