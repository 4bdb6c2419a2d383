/**
 * The adapter of Copilot CLI: how orchd starts it, recognizes its input line and dialogs, types into it, and reads what
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
  type TranscriptItem,
} from './adapter.js';
import { copilotBatch } from './batch/copilot.js';
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
import { asGiven, copilotTools, TOOLS_FILE, TOOLS_NAME } from './launch/launch.js';
import { type KeptOptions, resumedCommand } from './launch/resumed.js';
import { asObject, asText, IDLE, type Json, NOTHING, parseRecord, prompt, reading, text } from './record.js';
import { usage } from './usage.js';

const COMPOSER: ComposerTraits = {
  above: null, // The program and the emulator give emoji different widths, which damages the row above it.
  below: /^╹▀{10}/,
  first: /^┃ {0,2}/,
  next: /^┃ {0,2}/,
  rowsBelow: 12,
};
const DIALOG: DialogTraits = {
  pointer: '❯',
  border: /^╭/,
  isBoxed: true,
  top: /^╭/,
  open: /^Other\b|^Type /,
  escape: /\(Esc(?: to stop)?\)$/,
};

const WORDS: CommandWords = {
  programs: ['copilot'],
  subcommands: wordsIn(`
    app login help init config update version workflow sessions memories plugin mcp skill instruction lsp sandbox
    completion
  `),
  prints: /^(?:-h|--help|-v|--version|--acp|--server)$/,
  batch: /^(?:-p|--prompt)(?:=|$)/,
};
const KEEPS: KeptOptions = {
  switches: wordsIn(`
    --trust-folder --enable-memory --allow-all-tools --allow-all-paths --allow-all-urls --allow-all --yolo
    --disallow-temp-dir --banner --screen-reader --plain-diff --disable-builtin-mcps --enable-all-github-mcp-tools
    --allow-all-mcp-server-instructions --autopilot --experimental --assisted-approval --no-custom-instructions
    --no-auto-update --no-ask-user --no-color --no-experimental --no-bash-env --disable-client-telemetry
  `),
  values: wordsIn(`
    --model --reasoning-effort --context --auto-tier --agent -C --log-dir --log-level --stream --add-dir
    --disable-mcp-server --enable-mcp-server --add-github-mcp-toolset --add-github-mcp-tool --plugin-dir
    --additional-mcp-config --mcp-github-auth --mode --extension-sdk-path --max-autopilot-continues --max-ai-credits
  `),
  lists: wordsIn(`
    --allow-tool --deny-tool --available-tools --excluded-tools --secret-env-vars --allow-url --deny-url
  `),
};
const INSTRUCTIONS = 'COPILOT_CUSTOM_INSTRUCTIONS_DIRS';

/** Copilot CLI: shows no fences; has a scrollbar at the right edge. */
export const copilot: Adapter = {
  ...GENERIC,
  name: 'copilot',
  label: 'Copilot CLI',
  programs: ['copilot'],
  screen: { ...GENERIC_SCREEN, title: /GitHub Copilot$/ },
  signals: {
    ready: /^╹▀{10}/,
    readyQuietMs: 1000,
    readyLimitMs: 30_000,
    busy: { title: null, row: /^ ?[○◎◉●◌∙] \w+\b.* esc\b/u },
    composer: (view) => readComposer(view, COMPOSER),
    dialog: (view) => readDialog(view, DIALOG),
  },
  input: { ...AGENT_INPUT, actions: ['exit', 'quit', 'help'], changes: [TAB_TO_BLANKS] },
  start: {
    model: '--model',
    triedVersion: '1.0.102',
    flags: ['--session-id', '--additional-mcp-config', '--allow-tool'],
    launch,
    resume: (argv, agentSessionId) => resumedCommand(argv, WORDS, KEEPS, [`--resume=${agentSessionId}`]),
    notes: [
      'orchd adds --session-id, which sets the id of the conversation and so tells which events.jsonl to read',
      'after /clear Copilot writes another file; orchd finds it by the first prompt that it types',
      'until then, orchd reads messages only from the screen',
      `--teach adds a folder of the session to ${INSTRUCTIONS}; yours are read as well`,
      '--additional-mcp-config @FILE offers the tools (--tools; with --teach unless sessions.tools is false)',
      'your own servers stay; --allow-tool allows the tools',
      'orchd adds nothing if you give --session-id or resume a conversation, or for --prompt and subcommands',
      'no process keeps running after Copilot ends',
    ],
  },
  transcript: {
    env: ['HOME', 'COPILOT_HOME'],
    home: () => null,
    sources({ argv, env, agentSessionId }) {
      if (startKind(argv, WORDS) !== 'conversation' || agentSessionId === null) return [];
      const home = env['COPILOT_HOME'] || `${env['HOME']}/.copilot`;
      const dir = `${home}/session-state`;
      return [
        { kind: 'file', path: `${dir}/${agentSessionId}/events.jsonl` },
        { kind: 'next', dir, depth: 1, name: /^events\.jsonl$/ },
      ];
    },
    read,
  },
  batch: copilotBatch,
};

function launch(request: LaunchRequest) {
  const { argv, env, uuid, teach, tools, dir, hasFlag } = request;
  const kind = startKind(argv, WORDS);
  if (kind === 'other') return asGiven(request);
  const given = optionValue(argv, /^(?:--session-id|-r|--resume)$/);
  const isGiven = hasOption(argv, /^(?:--session-id|-r|--resume|--continue|--connect)$/);
  const isPinned = kind === 'conversation' && !isGiven && hasFlag('--session-id');
  const canTeach = !hasOption(argv, /^--no-custom-instructions$/);
  const isTeaching = teach !== null && canTeach;
  const folders = [...(env[INSTRUCTIONS] ? [env[INSTRUCTIONS]] : []), dir].join(',');
  const hasTools = tools !== undefined && hasFlag('--additional-mcp-config');
  const added = [
    ...(isPinned ? ['--session-id', uuid] : []),
    ...(hasTools ? ['--additional-mcp-config', `@${dir}/${TOOLS_FILE}`] : []),
    ...(hasTools && hasFlag('--allow-tool') ? [`--allow-tool=${TOOLS_NAME}`] : []),
  ];
  return {
    argv: withArguments(argv, added, WORDS),
    env: isTeaching ? { [INSTRUCTIONS]: folders } : {},
    files: {
      ...(isTeaching && { '.github/instructions/orchd.instructions.md': `---\napplyTo: "**"\n---\n${teach}` }),
      ...(hasTools && { [TOOLS_FILE]: copilotTools(tools) }),
    },
    agentSessionId: isPinned ? uuid : asUuid(given),
    isTaught: teach === null || canTeach,
    ...(hasTools && { hasTools }),
  };
}

function read(line: string): Reading {
  const record = parseRecord(line);
  const data = asObject(record?.['data']);
  if (data !== null && record?.['type'] === 'session.usage_record') {
    return reading(record['timestamp'], usageOf(asObject(data['usage'])));
  }
  // Words of a sub-agent have its id and are left out.
  if (record === null || data === null || typeof data['parentToolCallId'] === 'string' || 'agentId' in record)
    return NOTHING;
  return reading(record['timestamp'], itemsOf(record['type'], data));
}

/** The record's `cost` counts requests of the subscription, not dollars. Requests of sub-agents are included. */
function usageOf(told: Json | null): TranscriptItem[] {
  if (told === null) return [];
  const [input, output, cached] = [told['inputTokens'], told['outputTokens'], told['cacheReadTokens']];
  return usage(told['apiCallId'], { input: [input], output: [output], cached: [cached] });
}

function itemsOf(type: unknown, data: Json): TranscriptItem[] {
  switch (type) {
    case 'session.start':
    case 'session.resume': {
      const agentSessionId = asText(data['sessionId']);
      return agentSessionId === null ? [] : [{ kind: 'session', agentSessionId, path: null, isOld: false }];
    }
    case 'user.message':
      return typeof data['source'] === 'string' && data['source'] !== 'user'
        ? []
        : prompt(asText(data['content']) ?? '');
    case 'assistant.message': {
      const tools = data['toolRequests'];
      const isLast = Array.isArray(tools) && tools.length === 0;
      return [...text(asText(data['content']) ?? ''), ...(isLast ? [IDLE] : [])];
    }
    case 'abort':
      return [IDLE];
    default:
      return [];
  }
}
