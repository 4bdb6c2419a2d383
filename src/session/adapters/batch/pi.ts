/**
 * pi: `pi --mode json`. Its exit code is always 0. For every fragment it repeats everything said before; those lines
 * are not parsed.
 */
import type { BatchOutput, BatchTraits, Reading } from '../adapter.js';
import {
  asObject,
  asText,
  IDLE,
  type Json,
  NOTHING,
  parseRecord,
  partTexts,
  prompt,
  reading,
  text,
} from '../record.js';
import { type BatchForm, batchArgv, option, spoken } from './command.js';
import { field, outcomeOf, recordsOf, sum } from './outcome.js';

const FORM: BatchForm = {
  model: ['--model'],
  programs: ['pi'],
  drops: {
    switches: ['-p', '--print', '-c', '--continue', '-r', '--resume', '--no-session'],
    values: ['--mode', '--session', '--session-id', '--fork'],
  },
};
const SYSTEM_FILE = 'system.md';
const REPEATED = /^\{"type":"(?:message_update|message_start|tool_execution_\w+|turn_end|agent_end)"/;

const ENDED = /^\{"type":"agent_end"/m;

export const piBatch: BatchTraits = {
  command(request) {
    const { argv, system, model, resume, dir, hasFlag } = request;
    const isTaught = system === null || hasFlag('--append-system-prompt');
    const isTeaching = system !== null && isTaught;
    const added = [
      '--mode',
      'json',
      ...option('--session', resume),
      // The program reads the text from a file if a file has this name.
      ...(isTeaching ? ['--append-system-prompt', `${dir}/${SYSTEM_FILE}`] : []),
    ];
    return {
      argv: batchArgv(argv, FORM, model, added),
      stdin: spoken(request, isTaught),
      env: {},
      files: isTeaching ? { [SYSTEM_FILE]: system } : {},
      agentSessionId: resume,
      isTaught,
    };
  },
  read,
  outcome,
};

function read(line: string): Reading {
  if (/^\{"type":"agent_end"/.test(line)) return reading(null, [IDLE]);
  const record = REPEATED.test(line) ? null : parseRecord(line);
  const agentSessionId = asText(record?.['id']);
  if (record?.['type'] === 'session' && agentSessionId !== null) {
    return reading(record['timestamp'], [{ kind: 'session', agentSessionId, path: null, isOld: false }]);
  }
  const message = record && messageOf(record);
  const words = partTexts(message?.['content'], 'text');
  if (message?.['role'] === 'assistant') return reading(message['timestamp'], words.flatMap(text));
  return message?.['role'] === 'user' ? reading(message['timestamp'], prompt(words.join('\n'))) : NOTHING;
}

const messageOf = (record: Json): Json | null =>
  record['type'] === 'message_end' ? asObject(record['message']) : null;

function outcome(output: BatchOutput) {
  const records = recordsOf(output.stdout, REPEATED);
  const messages = records
    .map(messageOf)
    .filter((message) => message !== null)
    .filter(({ role }) => role === 'assistant');
  const last = messages.at(-1);
  const isWrong = last?.['stopReason'] === 'error' || last?.['stopReason'] === 'aborted';
  const all = (...names: string[]) => messages.map(({ usage }) => field(usage, ...names));
  const spokenLast = messages.map(({ content }) => partTexts(content, 'text').join('\n'));
  return outcomeOf(output, {
    text: spokenLast.findLast((words) => words !== '') ?? null,
    agentSessionId: asText(records.find(({ type }) => type === 'session')?.['id']),
    usage:
      messages.length === 0
        ? null
        : {
            input_tokens: sum(...all('input'), ...all('cacheRead'), ...all('cacheWrite')),
            output_tokens: sum(...all('output')),
            cached_input_tokens: sum(...all('cacheRead')),
            cost_usd: sum(...all('cost', 'total')),
            turns: messages.length,
          },
    error: isWrong ? (asText(last['errorMessage']) ?? '') : null,
    hasEnded: ENDED.test(output.stdout),
  });
}
