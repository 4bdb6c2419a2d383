/** Codex: `codex exec --json`. It never asks for permission, starts no server, and exits at the end of the turn. */
import type { BatchOutput, BatchRequest, BatchTraits, Reading } from '../adapter.js';
import { asToml, codexTools } from '../launch/launch.js';
import { asObject, asText, IDLE, type Json, NOTHING, parseRecord, reading, text } from '../record.js';
import { type BatchForm, batchArgv, fitsArgument, spoken } from './command.js';
import { field, outcomeOf, recordsOf, sum } from './outcome.js';

const FORM: BatchForm = {
  model: ['-m', '--model'],
  programs: ['codex'],
  verbs: ['exec', 'e'],
  drops: { switches: ['--json', '--experimental-json', '--last', '--ephemeral'], values: [] },
};

export const codexBatch: BatchTraits = {
  command(request) {
    const { argv, system, model, resume, tools } = request;
    const isTaught = canTeach(request);
    const added = [
      '--json',
      ...(system !== null && isTaught ? ['-c', `developer_instructions=${asToml(system)}`] : []),
      ...(tools ? codexTools(tools) : []),
    ];
    return {
      // `-`: the prompt is its standard input.
      argv: batchArgv(argv, FORM, model, added, [...(resume === null ? [] : ['resume', resume]), '-']),
      stdin: spoken(request, isTaught),
      env: {},
      files: {},
      agentSessionId: resume,
      isTaught,
      ...(tools && { hasTools: true }),
    };
  },
  read,
  outcome,
  countsConversation: true,
};

const canTeach = ({ argv, system }: BatchRequest): boolean =>
  system === null ||
  (fitsArgument(asToml(system)) && !argv.some((word) => /(?:^|=)developer_instructions=/.test(word)));

function read(line: string): Reading {
  const record = parseRecord(line);
  switch (record?.['type']) {
    case 'thread.started': {
      const agentSessionId = asText(record['thread_id']);
      return agentSessionId === null
        ? NOTHING
        : reading(null, [{ kind: 'session', agentSessionId, path: null, isOld: false }]);
    }
    case 'turn.completed':
    case 'turn.failed':
      return reading(null, [IDLE]);
    default:
      return record === null ? NOTHING : reading(null, wordsOf(record).flatMap(text));
  }
}

function wordsOf({ type, item }: Json): string[] {
  const isWords = type === 'item.completed' && field(item, 'type') === 'agent_message';
  return isWords ? [asText(asObject(item)?.['text']) ?? ''] : [];
}

function outcome(output: BatchOutput) {
  const records = recordsOf(output.stdout);
  const last = records.findLast(({ type }) => type === 'turn.completed' || type === 'turn.failed' || type === 'error');
  const usage = asObject(last?.['usage']);
  // A single `error` may be a lost connection that the program restores.
  const message = asText(field(last, 'error', 'message')) ?? asText(last?.['message']);
  const isDone = last?.['type'] === 'turn.completed';
  return outcomeOf(output, {
    text: records.flatMap(wordsOf).findLast((words) => words !== '') ?? null,
    agentSessionId: records.flatMap(({ thread_id }) => asText(thread_id) ?? []).at(-1) ?? null,
    usage: usage && {
      input_tokens: sum(usage['input_tokens']),
      output_tokens: sum(usage['output_tokens']),
      cached_input_tokens: sum(usage['cached_input_tokens']),
      cost_usd: null,
      turns: null,
    },
    error: isDone || last === undefined ? null : (message ?? ''),
    hasEnded: isDone || last?.['type'] === 'turn.failed',
  });
}
