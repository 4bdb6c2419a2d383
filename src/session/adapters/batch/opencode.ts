/** OpenCode and its fork Kilo: `opencode run --format json`. Each part of a message is one complete event. */
import type { BatchOutput, BatchRequest, BatchTraits, Reading } from '../adapter.js';
import { opencodeTools } from '../launch/launch.js';
import { asText, type Json, NOTHING, parseRecord, reading, text } from '../record.js';
import { type BatchForm, batchArgv, option, spoken } from './command.js';
import { field, outcomeOf, recordsOf, sum } from './outcome.js';

const FORM: BatchForm = {
  model: ['--model', '-m'],
  programs: ['opencode', 'kilo'],
  verbs: ['run'],
  drops: {
    switches: ['-c', '--continue', '--fork', '-i', '--interactive'],
    values: ['--format', '-s', '--session', '--prompt'],
  },
};
const CONFIG = 'OPENCODE_CONFIG_CONTENT';
const TEACH_FILE = 'instructions.md';

export const opencodeBatch: BatchTraits = {
  command(request) {
    const { argv, model, resume, tools } = request;
    const configured = configuration(request);
    const added = ['--format', 'json', ...option('--session', resume)];
    return {
      argv: batchArgv(argv, FORM, model, added),
      stdin: spoken(request, configured !== null),
      env: configured?.env ?? {},
      files: configured?.files ?? {},
      agentSessionId: resume,
      isTaught: configured !== null,
      ...(tools && configured && { hasTools: true }),
    };
  },
  read,
  outcome,
};

/**
 * Builds the configuration as `launch` does for a session. Null if the person's configuration has comments, because it
 * cannot be parsed as JSON.
 */
function configuration({ env, system, tools, dir }: BatchRequest) {
  if (system === null && !tools) return { env: {}, files: {} };
  const given = env[CONFIG] ? parseRecord(env[CONFIG]) : {};
  if (given === null) return null;
  const instructions = Array.isArray(given['instructions']) ? given['instructions'] : [];
  const config = {
    ...given,
    ...(system !== null && { instructions: [...instructions, `${dir}/${TEACH_FILE}`] }),
    ...(tools && opencodeTools(given, tools)),
  };
  return { env: { [CONFIG]: JSON.stringify(config) }, files: system === null ? {} : { [TEACH_FILE]: system } };
}

function read(line: string): Reading {
  const record = parseRecord(line);
  const agentSessionId = asText(record?.['sessionID']);
  if (record === null || agentSessionId === null) return NOTHING;
  if (record['type'] === 'step_start') {
    return reading(record['timestamp'], [{ kind: 'session', agentSessionId, path: null, isOld: false }]);
  }
  if (record['type'] === 'text') return reading(record['timestamp'], text(asText(field(record['part'], 'text')) ?? ''));
  const isOver = record['type'] === 'step_finish' && field(record['part'], 'reason') !== 'tool-calls';
  return isOver ? reading(record['timestamp'], [{ kind: 'idle' }]) : NOTHING;
}

function outcome(output: BatchOutput) {
  const records = recordsOf(output.stdout);
  const steps = records.flatMap(({ type, part }) => (type === 'step_finish' ? [part] : []));
  const all = (...names: string[]) => steps.map((step) => field(step, ...names));
  const failed = records.findLast(({ type }) => type === 'error')?.['error'];
  const cached = sum(...all('tokens', 'cache', 'read'));
  return outcomeOf(output, {
    text: lastMessage(records),
    agentSessionId: records.flatMap(({ sessionID }) => asText(sessionID) ?? []).at(-1) ?? null,
    usage:
      steps.length === 0
        ? null
        : {
            input_tokens: sum(...all('tokens', 'input'), cached, ...all('tokens', 'cache', 'write')),
            output_tokens: sum(...all('tokens', 'output'), ...all('tokens', 'reasoning')),
            cached_input_tokens: cached,
            cost_usd: sum(...all('cost')),
            turns: steps.length,
          },
    error:
      failed === undefined ? null : (asText(field(failed, 'data', 'message')) ?? asText(field(failed, 'name')) ?? ''),
    evidence: failed === undefined ? '' : JSON.stringify(failed),
    hasEnded: failed !== undefined || (steps.length > 0 && field(steps.at(-1), 'reason') !== 'tool-calls'),
  });
}

function lastMessage(records: readonly Json[]): string | null {
  const parts = records.flatMap(({ type, part }) => (type === 'text' ? [part] : []));
  const id = field(parts.at(-1), 'messageID');
  const words = parts
    .filter((part) => field(part, 'messageID') === id)
    .map((part) => asText(field(part, 'text')) ?? '');
  return words.join('\n') || null;
}
