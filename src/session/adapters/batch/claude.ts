/** Claude Code: `claude -p --output-format stream-json`. One `result` record at the end contains the whole outcome. */
import type { BatchOutput, BatchRequest, BatchTraits, BatchUsage } from '../adapter.js';
import { hasOption } from '../launch/command-line.js';
import { claudeTools, TOOLS_FILE, TOOLS_NAME } from '../launch/launch.js';
import { asObject, asText, type Json, partTexts } from '../record.js';
import { type BatchForm, batchArgv, fitsArgument, option, spoken } from './command.js';
import { field, outcomeOf, sum } from './outcome.js';
import { finalText, isOwnMessage, readStreamLine, sessionIdIn, streamRecords } from './stream-json.js';

const FORM: BatchForm = {
  model: ['--model'],
  programs: ['claude'],
  drops: {
    switches: ['-p', '--print', '--verbose', '-c', '--continue', '--include-partial-messages'],
    values: ['--output-format', '--input-format', '-r', '--resume', '--session-id', '--max-turns'],
  },
};

export const claudeBatch: BatchTraits = {
  command(request) {
    const { argv, model, maxTurns, resume, uuid, tools, dir, hasFlag } = request;
    const canPin = resume === null && hasFlag('--session-id');
    const isTaught = canTeach(request);
    const hasTools = tools !== undefined && hasFlag('--mcp-config') && !hasOption(argv, /^--strict-mcp-config$/);
    const added = [
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      ...(canPin ? ['--session-id', uuid] : option('--resume', resume)),
      ...option('--append-system-prompt', isTaught ? request.system : null),
      ...option('--max-turns', maxTurns), // its help does not name it
      // Each option and its value are one argument. As separate arguments, the options would also take the arguments
      // that follow.
      ...(hasTools ? [`--mcp-config=${dir}/${TOOLS_FILE}`, `--allowedTools=mcp__${TOOLS_NAME}`] : []),
    ];
    return {
      argv: batchArgv(argv, FORM, model, added),
      stdin: spoken(request, isTaught),
      env: {},
      files: hasTools ? { [TOOLS_FILE]: claudeTools(tools) } : {},
      agentSessionId: canPin ? uuid : resume,
      isTaught,
      ...(hasTools && { hasTools }),
    };
  },
  read: (line) => readStreamLine(line, wordsOf, ({ timestamp }) => timestamp),
  outcome,
  countsConversation: true,
};

const canTeach = ({ argv, system, hasFlag }: BatchRequest): boolean =>
  system === null ||
  (hasFlag('--append-system-prompt') &&
    !hasOption(argv, /^--(?:append-)?system-prompt(?:-file)?$/) &&
    fitsArgument(system));

function wordsOf(record: Json): string[] {
  const message = asObject(record['message']);
  return isOwnMessage(record) && message?.['model'] !== '<synthetic>' ? partTexts(message?.['content'], 'text') : [];
}

function outcome(output: BatchOutput) {
  const records = streamRecords(output.stdout);
  const result = records.findLast(({ type }) => type === 'result');
  const isError = result !== undefined && (result['is_error'] === true || result['subtype'] !== 'success');
  const errors = Array.isArray(result?.['errors']) ? result['errors'].filter((one) => typeof one === 'string') : [];
  const error = isError ? (asText(result['result']) ?? errors.join('\n')) : null;
  const limits = records.flatMap(({ type, rate_limit_info }) => (type === 'rate_limit_event' ? [rate_limit_info] : []));
  const rejected = limits.findLast((info) => field(info, 'status') === 'rejected');
  return outcomeOf(output, {
    text: finalText(records, isError ? null : (result ?? null), wordsOf),
    agentSessionId: sessionIdIn(records),
    usage: result ? usageOf(result) : null,
    error,
    evidence: `${rejected ? JSON.stringify(rejected) : ''} ${asText(result?.['api_error_type']) ?? ''}`,
    hasEnded: result !== undefined,
  });
}

/** `modelUsage` and the cost are those of the whole conversation, including sub-agents. */
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
