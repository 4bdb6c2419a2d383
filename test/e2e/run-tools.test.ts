/** Tests the tools of a run: an agent gets them over MCP or as commands, and only those that its definition names. */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Run } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { type Ask, askHttp } from '../harness/http.js';
import { installScriptedAgent, type ScriptedAgent } from '../harness/scripted-agent.js';

const ORCHD = join(import.meta.dirname, '../../bin/orchd.js');

let daemon: TestDaemon;
let agent: ScriptedAgent;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.close());
beforeEach(() => {
  agent = installScriptedAgent();
});
afterEach(() => agent.close());

const ask = (method: string, path: string, how?: Ask) => askHttp(daemon.paths.socket, method, path, how);
const start = async (fields: object): Promise<Run> => {
  const body = { adapter: 'shell', prompt: 'Ask.', cwd: agent.home, env: agent.env, ...fields };
  return (await ask('POST', '/runs', { body })).body;
};
const ended = async ({ id }: Pick<Run, 'id'>): Promise<Run> => (await ask('GET', `/runs/${id}/wait`)).body;

/** Creates a program that runs this shell command. */
function program(line: string): string {
  const file = join(agent.home, 'program.sh');
  writeFileSync(file, `#!/bin/sh\norchd() { ${process.execPath} ${ORCHD} "$@"; }\n${line}\n`, { mode: 0o755 });
  return file;
}

test('a run whose agent asks with a tool continues with the answer', async () => {
  const asks = `answer=$(orchd tool ask --input question='Which colour?') && echo "It is $answer."`;
  const run = await start({ args: [program(asks)] });
  const { item_id, session_id } = await daemon.event('item_opened', ({ data }) => data['question'] === 'Which colour?');
  await daemon.client.call('inbox.answer', { item: item_id, text: 'blue' });
  expect(await ended(run)).toMatchObject({ state: 'completed', result_text: 'It is blue.', session_id });
});

test('an agent with MCP gets a server with the tools of its blueprint only, allowed in advance', async () => {
  const claude = installScriptedAgent('claude');
  claude.replies({ text: 'Done.', hold: true });
  const definition = { name: 'asker', adapter: 'claude', prompt: 'Ask.', tools: ['ask', 'task_complete'] };
  expect((await ask('POST', '/agents', { body: definition })).status).toBe(201);
  const run = await start({ adapter: undefined, prompt: undefined, blueprint: 'asker', env: claude.env });
  await expect.poll(() => claude.calls().length).toBe(1);
  const [call] = claude.calls();
  const named = call?.args.find((word) => word.startsWith('--mcp-config='))?.slice('--mcp-config='.length) ?? '';
  expect(call?.args).toContain('--allowedTools=mcp__orchd');
  const { command, args, env } = JSON.parse(readFileSync(named, 'utf8')).mcpServers.orchd;

  const server = spawn(command, args, { env: { ...claude.env, ...env }, stdio: ['pipe', 'pipe', 'inherit'] });
  const replies = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const request = async (method: string, params: object = {}) => {
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`);
    return JSON.parse((await replies.next()).value).result;
  };
  const namesIn = ({ tools }: { tools: { name: string }[] }) => tools.map(({ name }) => name);
  const hello = await request('initialize', { protocolVersion: '2025-06-18' });
  expect(hello.instructions).toContain('`ask`');
  expect(hello.instructions, 'it is advised to call nothing that it has not').not.toContain('report_status');
  expect(namesIn(await request('tools/list'))).toEqual(definition.tools);
  const asked = request('tools/call', { name: 'ask', arguments: { question: 'Left or right?' } });
  const { item_id } = await daemon.event('item_opened', ({ data }) => data['question'] === 'Left or right?');
  await daemon.client.call('inbox.answer', { item: item_id, text: 'left' });
  expect((await asked).content).toEqual([{ type: 'text', text: 'left' }]);
  server.kill('SIGKILL');

  const token = env.ORCHD_SESSION_TOKEN;
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  expect(namesIn((await ask('POST', '/mcp', { body, token })).body.result)).toEqual(definition.tools);
  const refused = await ask('POST', `/api/sessions/${call?.env['ORCHD_SESSION_ID']}/tools`, {
    token,
    body: { tool: 'report_status', currentStep: 'Testing' },
  });
  expect([refused.status, refused.body.code]).toEqual([403, 'ORCHD_TOOL_NOT_OFFERED']);
  claude.release();
  expect(await ended(run)).toMatchObject({ state: 'completed', result_text: 'Done.' });
  claude.close();
});

test('an agent without MCP is told the commands and may call only its own tools', async () => {
  const line = `cat > ${agent.home}/told
    orchd tool report_status --input currentStep=Testing 2> ${agent.home}/refused
    $(sed -n 's/^    \\(.* tool\\) NAME .*/\\1/p' ${agent.home}/told) task_complete --input '{"summary": "All of it"}'`;
  const run = await ended(await start({ args: [program(line)], instructions: 'Be brief.', tools: ['task_complete'] }));
  expect(run).toMatchObject({ state: 'completed' });
  const told = readFileSync(join(agent.home, 'told'), 'utf8');
  expect(told).toMatch(
    /^Be brief\.\n\n## Tools\n[\s\S]*- task_complete: .*summary \(string, required\)[\s\S]*\n\nAsk\.$/,
  );
  expect(told).not.toContain('report_status');
  expect(readFileSync(join(agent.home, 'refused'), 'utf8')).toContain(
    'may not call report_status; it has task_complete',
  );
  const { message } = await daemon.event('message', ({ session_id }) => session_id === run.session_id);
  expect(message).toMatchObject({ type: 'TASK_COMPLETE', data: { summary: 'All of it' } });
});
