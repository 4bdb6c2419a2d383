/** Claude Code: `claude -p --output-format stream-json`. One `result` at the end says everything. */
import type { BatchOutput, BatchRequest, BatchTraits, BatchUsage, Reading } from '../adapter.js';
import { hasOption } from '../command-line.js';
import {
  asObject,
  asText,
  IDLE,
  type Json,
  NOTHING,
  objectsIn,
  parseRecord,
  partTexts,
  reading,
  text,
} from '../record.js';
import { type BatchForm, batchArgv, fitsArgument, option, spoken } from './command.js';
import { field, outcomeOf, recordsOf, sum } from './outcome.js';

const FORM: BatchForm = {
  model: ['--model'],
  programs: ['claude'],
  drops: {
    switches: ['-p', '--print', '--verbose', '-c', '--continue', '--include-partial-messages'],
    values: ['--output-format', '--input-format', '-r', '--resume', '--session-id', '--max-turns'],
  },
};
/** The most that a line says of partial messages. */
const STREAM = /^\{"type":"stream_event"/;

export const claudeBatch: BatchTraits = {
  command(request) {
    const { argv, model, maxTurns, resume, uuid, hasFlag } = request;
    const canPin = resume === null && hasFlag('--session-id');
    const isTaught = canTeach(request);
    const added = [
      ...['-p', '--output-format', 'stream-json', '--verbose'],
      ...(canPin ? ['--session-id', uuid] : option('--resume', resume)),
      ...option('--append-system-prompt', isTaught ? request.system : null),
      ...option('--max-turns', maxTurns), // its help does not name it
    ];
    return {
      argv: batchArgv(argv, FORM, model, added),
      stdin: spoken(request, isTaught),
      env: {},
      files: {},
      agentSessionId: canPin ? uuid : resume,
      isTaught,
    };
  },
  read,
  outcome,
  countsConversation: true,
};

const canTeach = ({ argv, system, hasFlag }: BatchRequest): boolean =>
  system === null ||
  (hasFlag('--append-system-prompt') &&
    !hasOption(argv, /^--(?:append-)?system-prompt(?:-file)?$/) &&
    fitsArgument(system));

function read(line: string): Reading {
  const record = STREAM.test(line) ? null : parseRecord(line);
  if (record === null) return NOTHING;
  if (record['type'] === 'result') return reading(record['timestamp'], [IDLE]);
  const agentSessionId = asText(record['session_id']);
  if (record['type'] === 'system' && record['subtype'] === 'init' && agentSessionId !== null) {
    return reading(record['timestamp'], [{ kind: 'session', agentSessionId, path: null, isOld: false }]);
  }
  return reading(record['timestamp'], wordsOf(record).flatMap(text));
}

/** The agent's own: no sub-agent's, and none that the program puts into its mouth. */
function wordsOf(record: Json): string[] {
  const message = asObject(record['message']);
  const isOwn = record['type'] === 'assistant' && typeof record['parent_tool_use_id'] !== 'string';
  return isOwn && message?.['model'] !== '<synthetic>' ? partTexts(message?.['content'], 'text') : [];
}

function outcome(output: BatchOutput) {
  // With `json` it prints one object, with `json --verbose` a list of them.
  const whole = output.stdout.startsWith('[') ? (parseRecord(`{"all":${output.stdout}}`)?.['all'] ?? null) : null;
  const records = whole === null ? recordsOf(output.stdout, STREAM) : objectsIn(whole);
  const result = records.findLast(({ type }) => type === 'result');
  const isError = result !== undefined && (result['is_error'] === true || result['subtype'] !== 'success');
  const errors = Array.isArray(result?.['errors']) ? result['errors'].filter((one) => typeof one === 'string') : [];
  const error = isError ? (asText(result['result']) ?? errors.join('\n')) : null;
  const said = records.flatMap(wordsOf).findLast((words) => words !== '') ?? null;
  const limits = records.flatMap(({ type, rate_limit_info }) => (type === 'rate_limit_event' ? [rate_limit_info] : []));
  const rejected = limits.findLast((info) => field(info, 'status') === 'rejected');
  return outcomeOf(output, {
    text: (isError ? null : asText(result?.['result']) || null) ?? said,
    agentSessionId: records.flatMap(({ session_id }) => asText(session_id) ?? []).at(-1) ?? null,
    usage: result ? usageOf(result) : null,
    error,
    evidence: `${rejected ? JSON.stringify(rejected) : ''} ${asText(result?.['api_error_type']) ?? ''}`,
    hasEnded: result !== undefined,
  });
}

/** `modelUsage` and the cost count a conversation from its beginning, sub-agents as well. */
function usageOf(result: Json): BatchUsage {
  const models = Object.values(asObject(result['modelUsage']) ?? {});
  const all = (name: string): unknown[] => models.map((model) => field(model, name));
  return {
    input_tokens: sum(...all('inputTokens'), ...all('cacheReadInputTokens'), ...all('cacheCreationInputTokens')),
    output_tokens: sum(...all('outputTokens')),
    cached_input_tokens: sum(...all('cacheReadInputTokens')),
    cost_usd: sum(result['total_cost_usd']),
    turns: sum(result['num_turns']),
  };
}
