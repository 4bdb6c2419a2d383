/** Qwen Code: `qwen -o stream-json`, the format of Claude Code. */
import type { BatchOutput, BatchRequest, BatchTraits } from '../adapter.js';
import { hasOption } from '../launch/command-line.js';
import { qwenTools, TOOLS_FILE } from '../launch/launch.js';
import { asObject, asText, type Json, partTexts } from '../record.js';
import { type BatchForm, batchArgv, fitsArgument, option, spoken } from './command.js';
import { field, outcomeOf, sum } from './outcome.js';
import { finalText, isOwnMessage, readStreamLine, sessionIdIn, streamRecords } from './stream-json.js';

const FORM: BatchForm = {
  model: ['-m', '--model'],
  programs: ['qwen'],
  drops: {
    switches: ['-c', '--continue', '--include-partial-messages'],
    values: [
      '-o',
      '--output-format',
      '--input-format',
      '-p',
      '--prompt',
      '-r',
      '--resume',
      '--session-id',
      '--max-session-turns',
    ],
  },
};
/** Text that it prints instead of the agent's words if a request has failed. */
const FAILED = /^\[API Error: [\s\S]*\]/;

export const qwenBatch: BatchTraits = {
  command(request) {
    const { argv, system, model, maxTurns, resume, uuid, tools, dir, hasFlag } = request;
    const canPin = resume === null && hasFlag('--session-id');
    const isTaught = canTeach(request);
    const hasTools = tools !== undefined && hasFlag('--mcp-config') && !hasOption(argv, /^--mcp-config$/);
    const added = [
      '-o',
      'stream-json',
      ...(canPin ? ['--session-id', uuid] : option('--resume', resume)),
      ...option('--append-system-prompt', isTaught ? system : null),
      ...option('--max-session-turns', hasFlag('--max-session-turns') ? maxTurns : null),
      ...option('--mcp-config', hasTools ? `${dir}/${TOOLS_FILE}` : null),
    ];
    return {
      argv: batchArgv(argv, FORM, model, added),
      stdin: spoken(request, isTaught),
      env: {},
      files: hasTools ? { [TOOLS_FILE]: qwenTools(tools) } : {},
      agentSessionId: canPin ? uuid : resume,
      isTaught,
      ...(hasTools && { hasTools }),
    };
  },
  // Its records contain no times.
  read: (line) => readStreamLine(line, wordsOf, () => null),
  outcome,
  countsConversation: true,
};

const canTeach = ({ argv, system, hasFlag }: BatchRequest): boolean =>
  system === null ||
  (hasFlag('--append-system-prompt') && !hasOption(argv, /^--append-system-prompt$/) && fitsArgument(system));

function wordsOf(record: Json): string[] {
  if (!isOwnMessage(record)) return [];
  return partTexts(asObject(record['message'])?.['content'], 'text').filter((words) => !FAILED.test(words));
}

function outcome(output: BatchOutput) {
  const records = streamRecords(output.stdout);
  const result = records.findLast(({ type }) => type === 'result');
  const isError = result !== undefined && result['is_error'] === true;
  const usage = asObject(result?.['usage']);
  return outcomeOf(output, {
    text: finalText(records, isError ? null : (result ?? null), wordsOf),
    agentSessionId: sessionIdIn(records),
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
