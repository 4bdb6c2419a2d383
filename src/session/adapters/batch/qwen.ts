/** Qwen Code: `qwen -o stream-json`, in the words of Claude Code. */
import type { BatchOutput, BatchRequest, BatchTraits, Reading } from '../adapter.js';
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
  model: ['-m', '--model'],
  programs: ['qwen'],
  drops: {
    switches: ['-c', '--continue', '--include-partial-messages'],
    values: [
      ...['-o', '--output-format', '--input-format', '-p', '--prompt', '-r', '--resume', '--session-id'],
      '--max-session-turns',
    ],
  },
};
const STREAM = /^\{"type":"stream_event"/;
/** What it says in the agent's place where a request has failed. */
const FAILED = /^\[API Error: [\s\S]*\]/;

export const qwenBatch: BatchTraits = {
  command(request) {
    const { argv, system, model, maxTurns, resume, uuid, hasFlag } = request;
    const canPin = resume === null && hasFlag('--session-id');
    const isTaught = canTeach(request);
    const added = [
      ...['-o', 'stream-json'],
      ...(canPin ? ['--session-id', uuid] : option('--resume', resume)),
      ...option('--append-system-prompt', isTaught ? system : null),
      ...option('--max-session-turns', hasFlag('--max-session-turns') ? maxTurns : null),
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
  (hasFlag('--append-system-prompt') && !hasOption(argv, /^--append-system-prompt$/) && fitsArgument(system));

function read(line: string): Reading {
  const record = STREAM.test(line) ? null : parseRecord(line);
  if (record === null) return NOTHING;
  if (record['type'] === 'result') return reading(null, [IDLE]);
  const agentSessionId = asText(record['session_id']);
  if (record['type'] === 'system' && record['subtype'] === 'init' && agentSessionId !== null) {
    return reading(null, [{ kind: 'session', agentSessionId, path: null, isOld: false }]);
  }
  return reading(null, wordsOf(record).flatMap(text));
}

function wordsOf(record: Json): string[] {
  if (record['type'] !== 'assistant' || typeof record['parent_tool_use_id'] === 'string') return [];
  return partTexts(asObject(record['message'])?.['content'], 'text').filter((words) => !FAILED.test(words));
}

function outcome(output: BatchOutput) {
  // With `json` it prints a list of the same objects.
  const whole = output.stdout.startsWith('[') ? (parseRecord(`{"all":${output.stdout}}`)?.['all'] ?? null) : null;
  const records = whole === null ? recordsOf(output.stdout, STREAM) : objectsIn(whole);
  const result = records.findLast(({ type }) => type === 'result');
  const isError = result !== undefined && result['is_error'] === true;
  const usage = asObject(result?.['usage']);
  return outcomeOf(output, {
    text:
      (isError ? null : asText(result?.['result']) || null) ??
      records.flatMap(wordsOf).findLast((words) => words !== '') ??
      null,
    agentSessionId: records.flatMap(({ session_id }) => asText(session_id) ?? []).at(-1) ?? null,
    usage: usage && {
      input_tokens: sum(usage['input_tokens']),
      output_tokens: sum(usage['output_tokens']),
      cached_input_tokens: sum(usage['cache_read_input_tokens']),
      cost_usd: null,
      turns: sum(result?.['num_turns']),
    },
    error: isError ? (asText(field(result, 'error', 'message')) ?? asText(result['result']) ?? '') : null,
    hasEnded: result !== undefined,
  });
}
