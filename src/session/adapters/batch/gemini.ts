/**
 * Gemini CLI: `gemini -o stream-json`. It prints its words in fragments only, so `read` returns none of them, and
 * `outcome` returns the joined messages.
 */
import type { BatchCommand, BatchOutput, BatchRequest, BatchTraits, Reading, ToolsServer } from '../adapter.js';
import { geminiDefaults } from '../launch/gemini-defaults.js';
import { asToml, shellCall } from '../launch/launch.js';
import { asText, IDLE, type Json, NOTHING, parseRecord, prompt, reading } from '../record.js';
import { type BatchForm, batchArgv, option, spoken } from './command.js';
import { field, outcomeOf, recordsOf, sum } from './outcome.js';

const FORM: BatchForm = {
  model: ['-m', '--model'],
  programs: ['gemini'],
  drops: { switches: [], values: ['-o', '--output-format', '-p', '--prompt', '-r', '--resume', '--session-id'] },
};
/** The program's text for a failed request, in the result or in place of the agent's words. */
const FAILED = /^\[API Error: [\s\S]*\]/;
const POLICY_FILE = 'policy/tools.toml';

export const geminiBatch: BatchTraits = {
  command(request) {
    const { argv, system, model, resume, uuid, tools, dir, hasFlag } = request;
    const canPin = resume === null && hasFlag('--session-id');
    const isTaught = system === null || hasFlag('--include-directories');
    const defaults = geminiDefaults(request, false);
    const mayCall = tools && !defaults.hasTools ? leave(request, tools) : { args: [], files: {} };
    const added = [
      ...mayCall.args,
      '-o',
      'stream-json',
      ...(canPin ? ['--session-id', uuid] : option('--resume', resume)),
      ...(system !== null && isTaught ? [`--include-directories=${dir}/teach`] : []),
    ];
    return {
      argv: batchArgv(argv, FORM, model, added),
      stdin: spoken(request, isTaught),
      env: defaults.env,
      files: { ...defaults.files, ...mayCall.files, ...(system !== null && isTaught && { 'teach/GEMINI.md': system }) },
      agentSessionId: canPin ? uuid : resume,
      isTaught,
      ...(defaults.hasTools && { hasTools: true as const }),
    };
  },
  read,
  outcome,
};

/**
 * Allows the `orchd tool` command in the agent's shell, if MCP servers cannot be added for this process only.
 *
 * --allowed-tools would replace the person's own `tools.allowed`, and forbid every other shell command. --policy would
 * replace their policies. --admin-policy applies in addition to all of them. It is ignored only if the machine has
 * policies of its own (/etc/gemini-cli/policies).
 */
function leave({ dir, hasFlag }: BatchRequest, tools: ToolsServer): Pick<BatchCommand, 'files'> & { args: string[] } {
  const call = shellCall(tools);
  if (hasFlag('--admin-policy')) {
    const rule = { toolName: 'run_shell_command', commandPrefix: call, decision: 'allow', priority: 0 };
    const lines = Object.entries(rule).map(([name, value]) => `${name} = ${asToml(value)}\n`);
    return { args: [`--admin-policy=${dir}/${POLICY_FILE}`], files: { [POLICY_FILE]: `[[rule]]\n${lines.join('')}` } };
  }
  return { args: hasFlag('--allowed-tools') ? [`--allowed-tools=run_shell_command(${call})`] : [], files: {} };
}

function read(line: string): Reading {
  const record = parseRecord(line);
  if (record === null) return NOTHING;
  const agentSessionId = asText(record['session_id']);
  if (record['type'] === 'init' && agentSessionId !== null) {
    return reading(record['timestamp'], [{ kind: 'session', agentSessionId, path: null, isOld: false }]);
  }
  const isPrompt = record['type'] === 'message' && record['role'] === 'user';
  if (isPrompt) return reading(record['timestamp'], prompt(asText(record['content']) ?? ''));
  return record['type'] === 'result' ? reading(record['timestamp'], [IDLE]) : NOTHING;
}

function outcome(output: BatchOutput) {
  const one = parseRecord(output.stdout); // `-o json` prints one object
  if (one !== null && 'response' in one) return outcomeOf(output, ofObject(one));
  const records = recordsOf(output.stdout);
  const result = records.findLast(({ type }) => type === 'result');
  const stats = result?.['stats'];
  const messages = messagesOf(records);
  return outcomeOf(output, {
    text: messages.findLast((words) => words !== '' && !FAILED.test(words)) ?? null,
    agentSessionId: records.flatMap(({ session_id }) => asText(session_id) ?? []).at(-1) ?? null,
    usage: result
      ? {
          input_tokens: sum(field(stats, 'input_tokens')),
          output_tokens: sum(field(stats, 'output_tokens')),
          cached_input_tokens: sum(field(stats, 'cached')),
          cost_usd: null,
          turns: null,
        }
      : null,
    error:
      result === undefined || result['status'] === 'success'
        ? errorOf(records)
        : (asText(field(result, 'error', 'message')) ?? ''),
    hasEnded: result !== undefined,
  });
}

const errorOf = (records: readonly Json[]): string | null =>
  records
    .flatMap(({ type, severity, message }) => (type === 'error' && severity === 'error' ? (asText(message) ?? []) : []))
    .at(-1) ?? null;

/** Joins the fragments to messages. The use of a tool ends a message. */
function messagesOf(records: readonly Json[]): string[] {
  const messages = [''];
  for (const { type, role, content } of records) {
    if (type === 'message' && role === 'assistant') messages.push(`${messages.pop() ?? ''}${asText(content) ?? ''}`);
    else if (type === 'tool_use' || type === 'tool_result') messages.push('');
  }
  return messages;
}

function ofObject({ session_id, response, error }: Json) {
  return {
    text: asText(response) || null,
    agentSessionId: asText(session_id),
    usage: null,
    error: asText(field(error, 'message')),
    hasEnded: true,
  };
}
