/**
 * The adapter of Codex: how orchd starts it, recognizes its input line and dialogs, types into it, and reads what it
 * says.
 */
import { literally } from '../../protocol/index.js';
import {
  type Adapter,
  AGENT_INPUT,
  GENERIC,
  type LaunchRequest,
  type Reading,
  type ScreenView,
  type TranscriptAbout,
  type TranscriptItem,
} from './adapter.js';
import { codexBatch } from './batch/codex.js';
import { type DialogTraits, readDialog } from './dialogs/dialog-reader.js';
import { codexHome, codexNotify, NO_NOTIFY } from './launch/codex-notify.js';
import {
  asUuid,
  type CommandWords,
  hasOption,
  optionValue,
  startKind,
  withArguments,
  wordsIn,
} from './launch/command-line.js';
import { asGiven, asToml, codexTools, feedOf, TOOLS_NAME } from './launch/launch.js';
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

const DIALOG: DialogTraits = {
  pointer: '›>',
  border: /^(?:[•✔✗]|\s*>_ |\s*Welcome to Codex)/u,
  isBoxed: false,
  top: /^(?:[•›✔✗]|\s*>_ |\s*Welcome to Codex)/u,
  startHeader: /^\s*(?:>_ |Welcome to Codex)/u,
};

const PROMPT = /^›(?: |$)/;

/**
 *     › what is typed        bright; what was said before is dim
 *       on several rows
 *                            the last empty row
 *       gpt-5 · ~/proj
 */
function composer({ rows }: ScreenView): string | null {
  const begin = rows.findLastIndex((row) => PROMPT.test(row.text) && PROMPT.test(row.bright));
  const end = rows.findLastIndex(({ text }) => text === '');
  if (begin === -1 || end < begin) return null;
  const isList = [begin - 1, begin, begin + 1].filter((at) => /^[› ] \d\. /.test(rows[at]?.text ?? '')).length > 1;
  if (isList) return null; // a dialog points with the same glyph
  const words = rows.slice(begin, end).map(({ bright }) => bright.replace(/^(?:›| ) ?/, '').trimEnd());
  return words.join('\n').trim();
}

const WORDS: CommandWords = {
  programs: ['codex'],
  subcommands: wordsIn(`
    agents login logout mcp mcp-server plugin app-server remote-control completion update doctor sandbox debug apply a
    queue archive unarchive delete migrate-rollouts migrate-nfs-db cloud exec-server features help proto execpolicy
    responses-api-proxy stdio-to-uds
  `),
  prints: /^(?:-h|--help|-V|--version)$/,
  batch: /^(?:exec|e|review)$/,
};
const KEEPS: KeptOptions = {
  switches: wordsIn(`
    --oss --search --no-alt-screen --no-daemon --full-auto --yolo --strict-config --approve-for-me
    --dangerously-bypass-approvals-and-sandbox --dangerously-bypass-hook-trust
  `),
  values: wordsIn(`
    -c --config --enable --disable -m --model --local-provider -p --profile -s --sandbox -C --cd --add-dir -a
    --ask-for-approval --remote --remote-auth-token-env
  `),
};

/** Codex: shows neither fences nor info strings; its composer stays at the top. */
export const codex: Adapter = {
  ...GENERIC,
  name: 'codex',
  label: 'Codex',
  programs: ['codex'],
  signals: {
    ready: PROMPT,
    readyQuietMs: 800,
    readyLimitMs: 30_000,
    busy: { title: /^[\u2800-\u28ff] /u, row: /^[•◦] .*\([^()]*esc to interrupt\)/u },
    composer,
    dialog: (view) => readDialog(view, DIALOG),
  },
  input: AGENT_INPUT,
  start: {
    model: '--model',
    triedVersion: '0.169.0',
    flags: ['--no-daemon', '--config'],
    launch,
    resume: (argv, agentSessionId) => resumedCommand(argv, WORDS, KEEPS, ['resume', agentSessionId]),
    notes: [
      'orchd adds --no-daemon: otherwise a server of Codex keeps running in the background after the session is killed',
      '--teach adds --config developer_instructions=…; it replaces developer_instructions of your config.toml',
      '--config notify=[…] replaces your notify program: after each turn it appends to a file of the session',
      'it then runs your own notify program, from your config.toml, your --profile or the settings of this machine',
      'a notify program from the cloud settings of your organisation is not run',
      'orchd does not set notify if you set it yourself, or if it cannot read your setting',
      'it cannot read it, for example, if CODEX_HOME is not an absolute path',
      'orchd adds no hooks: Codex would ask you to review them at each start, or run all hooks without a review',
      'orchd reads its dialogs from the screen',
      'the tools (--tools; with --teach unless sessions.tools is false) are offered beside your own servers',
      `they are offered with --config mcp_servers.${TOOLS_NAME}.…`,
      'orchd adds nothing for subcommands',
    ],
  },
  transcript: {
    env: ['HOME', 'CODEX_HOME'],
    home: () => null,
    sources(about) {
      if (startKind(about.argv, WORDS) !== 'conversation') return [];
      const dir = `${codexHome(about.env)}/sessions`;
      const id = about.agentSessionId;
      const name = id === null ? /^rollout-.*\.jsonl$/ : new RegExp(`^rollout-.*-${literally(id)}\\.jsonl$`);
      return [
        { kind: 'file', path: feedOf(about.dir) },
        { kind: 'newest', dir, depth: 3, isByDate: true, name, isOurs: ownRollouts(about) },
      ];
    },
    read,
  },
  batch: codexBatch,
};

function launch(request: LaunchRequest) {
  const { argv, teach, tools, hasFlag } = request;
  const kind = startKind(argv, WORDS);
  if (kind === 'other') return asGiven(request);
  const isGiven = hasOption(argv, /^--(?:no-daemon|remote)$/);
  const canTeach = hasFlag('--config') && !argv.some((word) => /(?:^|=)developer_instructions=/.test(word));
  const hasTools = tools !== undefined && hasFlag('--config');
  const notify = kind === 'conversation' && hasFlag('--config') ? codexNotify(request) : NO_NOTIFY;
  const added = [
    ...(kind === 'conversation' && hasFlag('--no-daemon') && !isGiven ? ['--no-daemon'] : []),
    ...(teach !== null && canTeach ? ['--config', `developer_instructions=${asToml(teach)}`] : []),
    ...(hasTools ? codexTools(tools) : []),
    ...notify.args,
  ];
  return {
    argv: withArguments(argv, added, WORDS),
    env: {},
    files: notify.files,
    agentSessionId: resumedId(argv),
    isTaught: teach === null || canTeach,
    ...(hasTools && { hasTools }),
  };
}

/** Returns the id in `codex resume ID`; null for a fork, which gets an id of its own. */
const resumedId = (argv: readonly string[]): string | null => {
  const at = argv.indexOf('resume');
  return at < 0 ? null : asUuid(argv[at + 1] ?? null);
};

/**
 * Returns a check for the session's own rollout file. Sub-agents write rollouts as well, and the process holds all of
 * them open.
 */
function ownRollouts({ argv, cwd }: TranscriptAbout): (firstLine: string, isOpen: boolean | null) => boolean {
  const isOld = argv.some((word) => word === 'resume' || word === 'fork');
  const given = optionValue(argv, /^(?:-C|--cd)$/);
  const folder = given === null ? cwd : given.startsWith('/') ? given : `${cwd}/${given}`;
  return (firstLine, isOpen) => {
    const record = parseRecord(firstLine);
    const meta = asObject(record?.['payload']);
    if (record?.['type'] !== 'session_meta' || !meta || typeof meta['source'] !== 'string') return false;
    if ((meta['thread_source'] ?? 'user') !== 'user') return false;
    if (isOpen === true || resumedId(argv) !== null) return true;
    return isOpen === null && !isOld && meta['cwd'] === folder;
  };
}

function read(line: string, isFeed: boolean): Reading {
  const record = parseRecord(line);
  if (isFeed) return record === null ? NOTHING : reading(null, notified(record));
  const payload = asObject(record?.['payload']);
  if (record === null || payload === null) return NOTHING;
  return reading(record['timestamp'], itemsOf(record['type'], payload));
}

/**
 * Reads a turn that Codex reports. It also reports the turns of its sub-agents, and of one that makes a title, which
 * ends before its parent turn. The last words are in the rollout as well, so they are not read from this report.
 */
function notified({ type, ...record }: Json): TranscriptItem[] {
  const inputs = record['input-messages'];
  const last = type === 'agent-turn-complete' && Array.isArray(inputs) ? asText(inputs.at(-1)) : null;
  return last === null ? [] : [{ ...RESTED, after: last }];
}

function itemsOf(type: unknown, payload: Json): TranscriptItem[] {
  if (type === 'session_meta') {
    const agentSessionId = asText(payload['id']);
    return agentSessionId === null ? [] : [{ kind: 'session', agentSessionId, path: null, isOld: false }];
  }
  if (type === 'response_item') {
    const isWords = payload['type'] === 'message' && payload['role'] === 'assistant';
    return isWords ? partTexts(payload['content'], 'output_text').flatMap(text) : [];
  }
  if (type !== 'event_msg') return [];
  switch (payload['type']) {
    case 'user_message':
      return prompt(asText(payload['message']) ?? '');
    case 'item_completed': {
      const item = asObject(payload['item']);
      if (item?.['type'] !== 'UserMessage') return [];
      return prompt(
        objectsIn(item['content'])
          .flatMap((part) => asText(part['text']) ?? [])
          .join('\n'),
      );
    }
    case 'token_count': {
      // Written again without a request when the limits of the account change: the total is then the same.
      const info = asObject(payload['info']);
      const [last, total] = [asObject(info?.['last_token_usage']), asObject(info?.['total_token_usage'])];
      if (last === null || total === null) return [];
      const cached = last['cached_input_tokens'];
      const id = `total ${String(total['total_tokens'])}`;
      return usage(id, { input: [last['input_tokens']], output: [last['output_tokens']], cached: [cached] });
    }
    case 'task_complete':
    case 'turn_aborted':
      return [IDLE];
    default:
      return [];
  }
}
