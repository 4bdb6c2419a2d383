/**
 * The adapter of Qwen Code: how orchd starts it, recognizes its input line and dialogs, types into it, and reads what
 * it says.
 */
import type { Voices } from '../../ears/index.js';
import {
  type Adapter,
  AGENT_INPUT,
  GENERIC,
  GENERIC_SCREEN,
  type LaunchRequest,
  type Reading,
  type TranscriptItem,
} from './adapter.js';
import { qwenBatch } from './batch/qwen.js';
import { type ComposerTraits, readComposer } from './dialogs/composers.js';
import { type DialogTraits, readDialog } from './dialogs/dialog-reader.js';
import {
  asUuid,
  type CommandWords,
  hasOption,
  optionValue,
  startKind,
  withArguments,
  wordsIn,
} from './launch/command-line.js';
import { asGiven, qwenTools, TOOLS_FILE } from './launch/launch.js';
import { type KeptOptions, resumedCommand } from './launch/resumed.js';
import {
  asObject,
  asText,
  type Json,
  NOTHING,
  objectsIn,
  parseRecord,
  partTexts,
  permissionText,
  prompt,
  reading,
  text,
} from './record.js';
import { usage } from './usage.js';

const VOICES: Voices = { own: /^ {0,3}[◆✦●•] /u, other: /^ {1,3}(?:[✓✗✕x?⊷o-] \S|> )/u, isShaded: false };
const COMPOSER: ComposerTraits = {
  above: /^─{10}/,
  below: /^─{10}/,
  first: /^[>*!] {0,3}/,
  next: /^ {0,3}/,
  placeholder: /^Type your message or @path/,
  rowsBelow: 12,
};
/** What Qwen Code takes for the name of a file: `@` without a backslash before it, up to a blank, comma or bracket. */
const MENTION =
  /(?<!\\)@(?:https?:\/\/[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]*|(?:\\[\s\S]|[^,\s;!?()[\]{}\\.]|\.(?!\s|$))*)/gi;
const ESCAPED = /\\([ \t()[\]{};|*?$`'"#&<>!~,])/g;
const DIALOG: DialogTraits = {
  pointer: '❯›●',
  border: /^\s*╭/,
  isBoxed: false,
  top: /^\s*(?:╭|> )/,
  open: /^Type something|^Modify with external editor/,
};

const WORDS: CommandWords = {
  programs: ['qwen'],
  subcommands: wordsIn(`
    auth board channel extensions hooks mcp review sandbox serve sessions update
  `),
  prints: /^(?:-h|--help|-v|--version|-l|--list-extensions)$/,
  batch: /^(?:-p|--prompt|--acp|--experimental-acp|--input-format|-o|--output-format|--json-schema)(?:=|$)/,
};
const KEEPS: KeptOptions = {
  switches: wordsIn(`
    -d --debug --bare --safe-mode --insecure -s --sandbox -y --yolo --screen-reader --experimental-lsp
    --chat-recording --no-chat-recording --openai-logging --telemetry
  `),
  values: wordsIn(`
    -m --model --fallback-model --proxy --system-prompt --append-system-prompt --output-style --sandbox-image
    --approval-mode --mcp-config --include-directories --add-dir --auth-type --openai-logging-dir --openai-api-key
    --openai-base-url --max-subagent-depth --json-file --disabled-slash-commands
  `),
  lists: ['--allowed-mcp-server-names', '--allowed-tools', '-e', '--extensions', '--core-tools', '--exclude-tools'],
};
const EVENTS_FILE = 'events.jsonl';

/** Qwen Code: shows no fences; adds line numbers of changing width. */
export const qwen: Adapter = {
  ...GENERIC,
  name: 'qwen',
  label: 'Qwen Code',
  programs: ['qwen'],
  screen: { ...GENERIC_SCREEN, title: /^(?:\S+ )?Qwen - /u, voices: VOICES },
  signals: {
    ready: /^[>*!](?: |$)/,
    readyQuietMs: 1000,
    readyLimitMs: 30_000,
    busy: { title: /^[◐◑◒◓]/u, row: /^\s*[\u2800-\u28ff] .*esc to cancel/u },
    composer: (view) => readComposer(view, COMPOSER),
    dialog: (view) => readDialog(view, DIALOG),
  },
  input: {
    ...AGENT_INPUT,
    actions: ['exit', 'quit', ':q', ':q!', ':wq', ':wq!'],
    changes: [[/[\s\S]+/, withSpacedMentions]],
  },
  start: {
    model: '--model',
    triedVersion: '0.24.4',
    flags: ['--json-file', '--session-id', '--append-system-prompt', '--mcp-config'],
    launch,
    resume: (argv, agentSessionId) => resumedCommand(argv, WORDS, KEEPS, ['--resume', agentSessionId]),
    notes: [
      'orchd adds --json-file FILE: Qwen writes its events to it, also when a tool waits for permission',
      'orchd adds --session-id, which sets the id of the conversation',
      '--mcp-config FILE offers the tools (--tools; with --teach unless sessions.tools is false) beside your servers',
      'orchd adds no hooks, because they report no more than the events do',
      'orchd reads its dialogs from the screen; while a PermissionRequest hook runs, the dialog is not shown',
      'orchd adds none of these flags if you give them yourself, or for --prompt and subcommands',
      'no process keeps running after Qwen Code ends',
    ],
  },
  transcript: {
    env: [],
    home: () => null,
    sources: ({ argv, dir }) => {
      const given = optionValue(argv, /^--json-file$/);
      if (startKind(argv, WORDS) !== 'conversation' || hasOption(argv, /^--json-fd$/)) return [];
      if (given !== null) return given.startsWith('/') ? [{ kind: 'file', path: given }] : [];
      return [{ kind: 'file', path: `${dir}/${EVENTS_FILE}` }];
    },
    read,
  },
  batch: qwenBatch,
};

/**
 * Returns a text as Qwen Code sends it to its model. If a word begins with `@`, Qwen Code puts a blank before every `@`
 * that has none. It drops line breaks between two names, and the backslashes within a name.
 */
function withSpacedMentions(text: string): string {
  if (!/(?:^|\s)@/.test(text)) return text;
  let sent = '';
  let from = 0;
  const add = (part: string): void => {
    if (part.trim() !== '') sent += part;
  };
  for (const { 0: name, index } of text.matchAll(MENTION)) {
    add(text.slice(from, index));
    if (sent !== '' && !sent.endsWith(' ')) sent += ' ';
    sent += name.replace(ESCAPED, '$1');
    from = index + name.length;
  }
  add(text.slice(from));
  // Qwen Code would change the result again, if a backslash before a comma or bracket is gone.
  return sent === text ? text : withSpacedMentions(sent);
}

function launch(request: LaunchRequest) {
  const { argv, uuid, teach, tools, dir, hasFlag } = request;
  const kind = startKind(argv, WORDS);
  if (kind === 'other') return asGiven(request);
  const isTalk = kind === 'conversation';
  const given = optionValue(argv, /^--session-id$/) ?? optionValue(argv, /^(?:-r|--resume)$/);
  const isOld = hasOption(argv, /^(?:-r|--resume|-c|--continue)$/);
  const isPinned = isTalk && given === null && !isOld && hasFlag('--session-id');
  const isHeard = isTalk && hasFlag('--json-file') && !hasOption(argv, /^--json-f(?:d|ile)$/);
  const canTeach = hasFlag('--append-system-prompt') && !hasOption(argv, /^--append-system-prompt$/);
  const hasTools = tools !== undefined && hasFlag('--mcp-config') && !hasOption(argv, /^--mcp-config$/);
  const added = [
    ...(isHeard ? ['--json-file', `${dir}/${EVENTS_FILE}`] : []),
    ...(isPinned ? ['--session-id', uuid] : []),
    ...(teach !== null && canTeach ? ['--append-system-prompt', teach] : []),
    ...(hasTools ? ['--mcp-config', `${dir}/${TOOLS_FILE}`] : []),
  ];
  return {
    argv: withArguments(argv, added, WORDS),
    env: {},
    files: hasTools ? { [TOOLS_FILE]: qwenTools(tools) } : {},
    agentSessionId: isPinned ? uuid : hasOption(argv, /^--fork-session$/) ? null : asUuid(given),
    isTaught: teach === null || canTeach,
    ...(hasTools && { hasTools }),
  };
}

/** Matches fragments of a message; the complete message follows them. */
const STREAM = /^\{"type":"stream_event"/;

function read(line: string): Reading {
  if (STREAM.test(line)) return NOTHING;
  const record = parseRecord(line);
  if (record === null) return NOTHING;
  // The words of a sub-agent are not the agent's, but its tokens are paid as well.
  if (typeof record['parent_tool_use_id'] === 'string') return reading(record['timestamp'], usageOf(record));
  return reading(record['timestamp'], [...itemsOf(record), ...usageOf(record)]);
}

function usageOf(record: Json): TranscriptItem[] {
  const message = record['type'] === 'assistant' ? asObject(record['message']) : null;
  const told = asObject(message?.['usage']);
  if (told === null) return [];
  const cached = told['cache_read_input_tokens'];
  return usage(message?.['id'], { input: [told['input_tokens']], output: [told['output_tokens']], cached: [cached] });
}

/**
 * Reads which tools wait for permission and which were decided. The file reports all tools of a turn at once, while the
 * dialog asks for one after the other. An error is the result of a decision that was made elsewhere.
 */
function control({ type, request_id, request, response }: Json): TranscriptItem[] {
  if (type === 'control_response') {
    const { subtype, request_id: decided } = asObject(response) ?? {};
    return subtype === 'error' ? [] : [{ kind: 'decided', ...named(decided) }];
  }
  const { subtype, tool_name, input } = asObject(request) ?? {};
  const tool = asText(tool_name);
  return subtype === 'can_use_tool' && tool !== null
    ? [{ kind: 'attention', text: permissionText(tool, asObject(input) ?? {}), ...named(request_id) }]
    : [];
}

const named = (id: unknown): { id?: string } => (typeof id === 'string' ? { id } : {});

function itemsOf(record: Json): TranscriptItem[] {
  if (/^control_re/.test(asText(record['type']) ?? '')) return control(record);
  const content = asObject(record['message'])?.['content'];
  if (record['type'] === 'assistant') return partTexts(content, 'text').flatMap(text);
  if (record['type'] === 'user') {
    const isResult = objectsIn(content).some(({ type }) => type === 'tool_result');
    return isResult ? [] : prompt(partTexts(content, 'text').join('\n'));
  }
  const agentSessionId = asText(record['session_id']);
  if (record['subtype'] !== 'session_start' || agentSessionId === null) return [];
  return [{ kind: 'session', agentSessionId, path: null, isOld: false }];
}
