/**
 * The adapter of Gemini CLI: how orchd starts it, recognizes its input line and dialogs, types into it, and reads what
 * it says.
 */
import { literally } from '../../protocol/index.js';
import {
  type Adapter,
  AGENT_INPUT,
  GENERIC,
  GENERIC_SCREEN,
  type LaunchRequest,
  type Reading,
  type TranscriptAbout,
  type TranscriptItem,
} from './adapter.js';
import { geminiBatch } from './batch/gemini.js';
import { type ComposerTraits, readComposer } from './dialogs/composers.js';
import { type DialogTraits, readDialog } from './dialogs/dialog-reader.js';
import { asUuid, type CommandWords, hasOption, optionValue, startKind, withArguments } from './launch/command-line.js';
import { DEFAULTS_VARIABLE, geminiDefaults, geminiHome, hasOwnServer, isHookedBy } from './launch/gemini-defaults.js';
import { asGiven, feedOf } from './launch/launch.js';
import { type KeptOptions, resumedCommand } from './launch/resumed.js';
import {
  asObject,
  asText,
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

/** The person's earlier inputs are in similar boxes, higher up. */
const COMPOSER: ComposerTraits = {
  above: /^▄{10}/,
  below: /^▀{10}/,
  first: /^ [>!*] {1,3}/,
  next: /^ {1,3}/,
  placeholder: /^Type your message or @path/,
  rowsBelow: 6,
};
const DIALOG: DialogTraits = {
  pointer: '●',
  border: /^\s?╭/,
  isBoxed: true,
  top: /^\s?╭/,
  open: /^Enter a custom value|^Modify with external editor/,
};

const WORDS: CommandWords = {
  programs: ['gemini'],
  subcommands: ['mcp', 'extensions', 'extension', 'skills', 'skill', 'hooks', 'hook', 'gemma'],
  prints: /^(?:-h|--help|-v|--version|-l|--list-extensions|--list-sessions|--delete-session)(?:=|$)/,
  batch: /^(?:-p|--prompt|--acp|--experimental-acp|-o|--output-format)(?:=|$)/,
};
const KEEPS: KeptOptions = {
  switches: ['-d', '--debug', '--skip-trust', '-s', '--sandbox', '-y', '--yolo', '--screen-reader', '--raw-output'],
  values: ['-m', '--model', '--approval-mode', '--policy', '--admin-policy', '--include-directories'],
  lists: ['--allowed-mcp-server-names', '--allowed-tools', '-e', '--extensions'],
};

/** The folder of its conversations. */
const conversations = ({ env }: Pick<TranscriptAbout, 'env'>): string => `${geminiHome(env)}/tmp`;

/** Characters without a width that Gemini CLI removes: the zero-width space, and marks for the direction of text. */
const HIDDEN = /[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Gemini CLI: shows no fences, adds line numbers, and repaints the whole screen for every few characters. */
export const gemini: Adapter = {
  ...GENERIC,
  name: 'gemini',
  label: 'Gemini CLI',
  programs: ['gemini'],
  screen: { ...GENERIC_SCREEN, title: /^[◇✦✋] {2}.*\(.*\)$/u, dropsMarks: true },
  signals: {
    ready: /^ [>!*] /,
    readyQuietMs: 1000,
    readyLimitMs: 30_000,
    busy: { title: /^✦ /u, row: /^\s?[\u2800-\u28ff] .*esc to cancel/u },
    composer: (view) => readComposer(view, COMPOSER),
    dialog: (view) => readDialog(view, DIALOG),
  },
  input: { ...AGENT_INPUT, changes: [[HIDDEN, '']] },
  start: {
    model: '--model',
    triedVersion: '0.61.0',
    flags: ['--session-id', '--include-directories'],
    launch,
    resume: (argv, agentSessionId) => resumedCommand(argv, WORDS, KEEPS, ['--resume', agentSessionId]),
    notes: [
      'orchd adds --session-id, which sets the id of the conversation and so tells which file in ~/.gemini/tmp to read',
      'after /clear Gemini writes another file; a hook tells orchd its name',
      'without hooks, orchd finds that file by the first prompt that it types, and until then reads only the screen',
      '--teach adds --include-directories DIR, a folder with a GEMINI.md, which the agent can read and write',
      'GEMINI_CLI_SYSTEM_DEFAULTS_PATH names a settings file of the session; your own settings override it',
      'the file offers the tools (--tools; with --teach unless sessions.tools is false) beside your own servers',
      'it also adds the hooks SessionStart, BeforeAgent, Notification and AfterAgent; your own hooks run as well',
      'Gemini accepts this file only if root alone can write to it, so orchd must run as root in folders of root',
      'otherwise, or if your machine or environment already sets such a file, there are no hooks',
      'the agent then calls tools only with `orchd tool` in its shell',
      'if your ~/.gemini/settings.json has a server `orchd` (docs/guide/tools.md), that one offers all tools instead',
      'no tools are offered if --allowed-mcp-server-names, mcp.allowed or mcp.excluded keeps out the server `orchd`',
      'its hook Notification cannot decide a permission: orchd reads and answers its dialogs on the screen',
      'orchd adds none of these if you give them yourself, or for --prompt and subcommands',
      'no process keeps running after Gemini CLI ends',
    ],
  },
  transcript: {
    env: ['HOME', 'GEMINI_CLI_HOME', DEFAULTS_VARIABLE],
    home: conversations,
    sources({ argv, env, dir, agentSessionId }) {
      if (startKind(argv, WORDS) !== 'conversation') return [];
      const feed = isHookedBy(env, dir) ? [{ kind: 'file' as const, path: feedOf(dir) }] : [];
      if (agentSessionId === null) return feed;
      const place = { dir: conversations({ env }), depth: 2 };
      const name = new RegExp(`^session-.*-${literally(agentSessionId.slice(0, 8))}\\.jsonl$`);
      const isOurs = (firstLine: string) => parseRecord(firstLine)?.['sessionId'] === agentSessionId;
      return [
        ...feed,
        { kind: 'newest', ...place, isByDate: false, name, isOurs },
        { kind: 'next', ...place, name: /^session-.*\.jsonl$/ },
      ];
    },
    read,
  },
  batch: geminiBatch,
};

function launch(request: LaunchRequest) {
  const { argv, uuid, teach, dir, hasFlag } = request;
  const kind = startKind(argv, WORDS);
  if (kind === 'other') return asGiven(request);
  const given = optionValue(argv, /^(?:--session-id|-r|--resume)$/);
  const isGiven = hasOption(argv, /^(?:--session-id|-r|--resume|--session-file)$/);
  const isPinned = kind === 'conversation' && !isGiven && hasFlag('--session-id');
  const canTeach = hasFlag('--include-directories');
  const isTeaching = teach !== null && canTeach;
  const added = [
    ...(isPinned ? ['--session-id', uuid] : []),
    ...(isTeaching ? [`--include-directories=${dir}/teach`] : []),
  ];
  const { env, files, ...offered } = geminiDefaults(request, kind === 'conversation');
  const hasTools = offered.hasTools || hasOwnServer(request);
  return {
    argv: withArguments(argv, added, WORDS),
    env,
    files: { ...files, ...(isTeaching && { 'teach/GEMINI.md': teach }) },
    agentSessionId: isPinned ? uuid : asUuid(given),
    isTaught: teach === null || canTeach,
    ...(hasTools && { hasTools }),
  };
}

function read(line: string, isFeed: boolean): Reading {
  const record = parseRecord(line);
  if (record === null) return NOTHING;
  return reading(record['timestamp'] ?? record['startTime'], isFeed ? hookItems(record) : itemsOf(record));
}

function hookItems(record: Json): TranscriptItem[] {
  switch (record['hook_event_name']) {
    case 'SessionStart':
    case 'BeforeAgent': {
      const agentSessionId = asText(record['session_id']);
      if (agentSessionId === null) return [];
      // At the start of a resumed conversation its file is not known yet, and the record names another file.
      const path = 'source' in record ? null : asText(record['transcript_path']) || null;
      return [{ kind: 'session', agentSessionId, path, isOld: false }];
    }
    case 'Notification': {
      if (record['notification_type'] !== 'ToolPermission') return [];
      const details = asObject(record['details']);
      // The record's own message is the same for every command.
      const parts = [asText(details?.['title']) ?? asText(record['message']), asText(details?.['command'])];
      const words = parts.filter((part) => part !== null).join(': ');
      return words === '' ? [] : [{ kind: 'attention', text: words }];
    }
    case 'AfterAgent':
      return [RESTED];
    default:
      return [];
  }
}

function itemsOf(record: Json): TranscriptItem[] {
  const agentSessionId = asText(record['sessionId']);
  if (record['kind'] === 'main' && agentSessionId !== null) {
    return [{ kind: 'session', agentSessionId, path: null, isOld: false }];
  }
  const content = record['content'];
  if (record['type'] === 'gemini') {
    // The program writes the same message again, together with the results of its tool calls.
    return ['toolCalls' in record ? [] : text(words(content).join('')), usageOf(record)].flat();
  }
  if (record['type'] !== 'user' || objectsIn(content).some((part) => 'functionResponse' in part)) return [];
  return prompt(words(content).join('\n'));
}

function usageOf({ id, tokens }: Json): TranscriptItem[] {
  const told = asObject(tokens);
  if (told === null) return [];
  // `tool` counts the prompts of the tools that Google runs itself, such as its search.
  const [input, output] = [
    [told['input'], told['tool']],
    [told['output'], told['thoughts']],
  ];
  return usage(id, { input, output, cached: [told['cached']] });
}

/** Joins the words. Parts with a `text` are words, except thoughts; parts have no type. */
function words(content: unknown): string[] {
  if (typeof content === 'string') return partTexts(content, 'text');
  return objectsIn(content).flatMap((part) => (part['thought'] === true ? [] : (asText(part['text']) ?? [])));
}
