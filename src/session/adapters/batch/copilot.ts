/**
 * Copilot CLI: `copilot --output-format json`. It skips every action that needs a permission. orchd never adds
 * `--allow-all-tools`: only the person may.
 */
import type { BatchOutput, BatchTraits, Reading } from '../adapter.js';
import { hasOption } from '../launch/command-line.js';
import { copilotTools, TOOLS_FILE, TOOLS_NAME } from '../launch/launch.js';
import { asObject, asText, IDLE, type Json, NOTHING, parseRecord, prompt, reading, text } from '../record.js';
import { type BatchForm, batchArgv, spoken } from './command.js';
import { field, outcomeOf, recordsOf } from './outcome.js';

const FORM: BatchForm = {
  model: ['--model'],
  programs: ['copilot'],
  drops: {
    switches: ['-s', '--silent', '--continue'],
    values: ['--output-format', '-p', '--prompt', '-i', '--interactive', '-r', '--resume', '--session-id'],
  },
};
const INSTRUCTIONS = 'COPILOT_CUSTOM_INSTRUCTIONS_DIRS';
const FILE = '.github/instructions/orchd.instructions.md';
/** Matches fragments of messages; the complete message follows. */
const PIECE = /^\{"type":"(?:assistant\.\w+_delta|tool\.|session\.(?:skills|tools))/;

export const copilotBatch: BatchTraits = {
  command(request) {
    const { argv, env, system, model, resume, uuid, tools, dir, hasFlag } = request;
    const canPin = resume === null && hasFlag('--session-id');
    const isTaught = system === null || !hasOption(argv, /^--no-custom-instructions$/);
    const isTeaching = system !== null && isTaught;
    const hasTools = tools !== undefined && hasFlag('--additional-mcp-config') && hasFlag('--allow-tool');
    const added = [
      '--output-format',
      'json',
      ...(canPin ? ['--session-id', uuid] : resume === null ? [] : [`--resume=${resume}`]),
      ...(hasTools ? ['--additional-mcp-config', `@${dir}/${TOOLS_FILE}`, `--allow-tool=${TOOLS_NAME}`] : []),
    ];
    return {
      argv: batchArgv(argv, FORM, model, added),
      stdin: spoken(request, isTaught),
      env: isTeaching ? { [INSTRUCTIONS]: [...(env[INSTRUCTIONS] ? [env[INSTRUCTIONS]] : []), dir].join(',') } : {},
      files: {
        ...(isTeaching && { [FILE]: `---\napplyTo: "**"\n---\n${system}` }),
        ...(hasTools && { [TOOLS_FILE]: copilotTools(tools) }),
      },
      agentSessionId: canPin ? uuid : resume,
      isTaught,
      ...(hasTools && { hasTools }),
    };
  },
  read,
  outcome,
};

function read(line: string): Reading {
  const record = PIECE.test(line) ? null : parseRecord(line);
  if (record === null) return NOTHING;
  if (record['type'] === 'user.message') {
    return reading(record['timestamp'], prompt(asText(field(record['data'], 'content')) ?? ''));
  }
  const agentSessionId = asText(record['sessionId']);
  if (record['type'] !== 'result' || agentSessionId === null) {
    return reading(record['timestamp'], wordsOf(record).flatMap(text));
  }
  return reading(record['timestamp'], [{ kind: 'session', agentSessionId, path: null, isOld: false }, IDLE]);
}

/** Words of a sub-agent have its id and are left out. */
function wordsOf(record: Json): string[] {
  const data = asObject(record['data']);
  const isOwn = typeof data?.['parentToolCallId'] !== 'string' && !('agentId' in record);
  return record['type'] === 'assistant.message' && isOwn ? [asText(data?.['content']) ?? ''] : [];
}

function outcome(output: BatchOutput) {
  const records = recordsOf(output.stdout, PIECE);
  const result = records.findLast(({ type }) => type === 'result');
  const failed = records.findLast(({ type }) => type === 'session.error')?.['data'];
  const turns = records.filter((record) => record['type'] === 'assistant.turn_end' && !('agentId' in record)).length;
  const isWrong = failed !== undefined && (result === undefined || result['exitCode'] !== 0);
  return outcomeOf(output, {
    text: records.flatMap(wordsOf).findLast((words) => words !== '') ?? null,
    agentSessionId: asText(result?.['sessionId']),
    // Its output does not contain the number of tokens.
    usage: result
      ? {
          input_tokens: null,
          output_tokens: null,
          cached_input_tokens: null,
          cost_usd: null,
          turns,
        }
      : null,
    error: isWrong ? (asText(field(failed, 'message')) ?? '') : null,
    evidence: isWrong ? JSON.stringify(failed) : '',
    hasEnded: result !== undefined,
  });
}
