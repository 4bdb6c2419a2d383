/**
 * An agent program for tests of runs: its replies are data, and its inputs are recorded.
 *
 * It can be installed under any name. As `claude` it prints like Claude Code without a terminal, otherwise it prints
 * its text. Its calls are numbered from 1 in the order of their starts. Call N uses reply N, or the last one, unless a
 * reply matches the input (`when`).
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The behaviour of the agent in one call. */
export interface Reply {
  /** Use this reply for calls whose input contains this text. */
  readonly when?: string;
  /** The agent's words; undefined if it says nothing. */
  readonly text?: string;
  readonly stderr?: string;
  /** Default 0. */
  readonly exit?: number;
  /** Waits until `release` is called. */
  readonly hold?: boolean;
  /**
   * Tools that it calls first, one after the other, for its task; without a task, for its session. The calls are
   * repeated if the daemon crashes.
   */
  readonly tools?: readonly { readonly tool: string; readonly [field: string]: unknown }[];
  /** For `claude`: the error that it reports. */
  readonly error?: string;
}

export interface Call {
  readonly args: readonly string[];
  readonly stdin: string;
  readonly env: Readonly<Record<string, string>>;
  readonly pid: number;
  /** The results of its tools. */
  readonly returned: readonly { readonly status: number; readonly body: Readonly<Record<string, unknown>> }[];
}

export interface ScriptedAgent {
  readonly home: string;
  /** The program, absolute. */
  readonly file: string;
  /** The environment for its runs: its folder is the first one in the PATH. */
  readonly env: Readonly<Record<string, string>>;
  replies(...replies: readonly Reply[]): void;
  /** Returns the calls, in order. */
  calls(): Call[];
  /** Releases the calls that hold, and all later ones. */
  release(): void;
  close(): void;
}

const PROGRAM = `#!${process.execPath}
const { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, watch, writeFileSync } = require('node:fs');
const { basename, join } = require('node:path');
const { randomUUID } = require('node:crypto');
const { request } = require('node:http');
const home = process.env.SCRIPTED_HOME;
const args = process.argv.slice(2);
if (args.includes('--help')) {
  console.log('--append-system-prompt --session-id --settings --model --max-turns --mcp-config');
  process.exit();
}
const stdin = readFileSync(0, 'utf8');
let call = 1;
for (;; call++) try { mkdirSync(join(home, 'calls', String(call))); break; } catch (error) { if (error.code !== 'EEXIST') throw error; }
const file = join(home, 'calls', String(call), 'call.json');
writeFileSync(file + '.new', JSON.stringify({ args, stdin, env: process.env, pid: process.pid }));
renameSync(file + '.new', file);
const replies = JSON.parse(readFileSync(join(home, 'replies.json'), 'utf8'));
const fitting = replies.find(({ when }) => when !== undefined && (stdin + args.join(' ')).includes(when));
const others = replies.filter(({ when }) => when === undefined);
const reply = fitting ?? others[Math.min(call, others.length) - 1] ?? {};
const after = (name) => { const at = args.indexOf(name); return at < 0 ? undefined : args[at + 1]; };
const session_id = after('--resume') ?? after('--session-id') ?? randomUUID();
const isClaude = basename(process.argv[1]) === 'claude';
const say = (value) => console.log(JSON.stringify({ session_id, ...value }));
if (isClaude) say({ type: 'system', subtype: 'init', cwd: process.cwd() });
const end = () => {
  if (reply.stderr) process.stderr.write(reply.stderr);
  if (!isClaude && reply.text !== undefined) console.log(reply.text);
  if (isClaude) {
    const usage = { input_tokens: 100, output_tokens: 10, cache_read_input_tokens: 0 };
    if (reply.text !== undefined) {
      say({ type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text: reply.text }], usage } });
    }
    const result = reply.error ?? reply.text ?? '';
    say({ type: 'result', subtype: 'success', is_error: reply.error !== undefined, result, usage, num_turns: 1, total_cost_usd: 0.01 });
  }
  process.exitCode = reply.exit ?? 0;
};
const { ORCHD_SOCKET: socketPath, ORCHD_TASK_ID: task, ORCHD_SESSION_ID: session, ORCHD_SESSION_TOKEN: token } = process.env;
const callTool = (body) => new Promise((resolve, reject) => {
  const path = task ? '/api/tasks/' + task + '/tools' : '/api/sessions/' + session + '/tools';
  const headers = { 'content-type': 'application/json', authorization: 'Bearer ' + token };
  request({ socketPath, path, method: 'POST', headers }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (part) => { text += part; });
    response.on('end', () => resolve({ status: response.statusCode, body: JSON.parse(text) })).on('error', reject);
  }).on('error', reject).end(JSON.stringify(body));
});
// Repeats the call with the same id until a daemon answers, like orchd's own clients.
const callLasting = (body) => callTool(body).catch((error) => {
  if (!['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE'].includes(error.code)) throw error;
  return new Promise((resolve) => setTimeout(resolve, 20)).then(() => callLasting(body));
});
const callTools = async () => {
  const returned = [];
  for (const body of reply.tools ?? []) {
    returned.push(await callLasting({ call_id: session + '-' + returned.length, ...body }));
    const file = join(home, 'calls', String(call), 'returned.json');
    writeFileSync(file + '.new', JSON.stringify(returned));
    renameSync(file + '.new', file);
  }
};
callTools().then(() => {
if (reply.hold) {
  const go = () => existsSync(join(home, 'go'));
  const watcher = watch(home, () => go() && (watcher.close(), end()));
  if (go()) { watcher.close(); end(); }
} else end();
});
`;

export function installScriptedAgent(name = 'agent'): ScriptedAgent {
  const home = mkdtempSync(join(tmpdir(), 'orchd-agent-'));
  const bin = join(home, 'bin');
  mkdirSync(bin);
  mkdirSync(join(home, 'calls'));
  const file = join(bin, name);
  writeFileSync(file, PROGRAM, { mode: 0o755 });
  const callOf = (number: string): Call[] => {
    try {
      const call = JSON.parse(readFileSync(join(home, 'calls', number, 'call.json'), 'utf8'));
      const returned = join(home, 'calls', number, 'returned.json');
      return [{ ...call, returned: existsSync(returned) ? JSON.parse(readFileSync(returned, 'utf8')) : [] }];
    } catch {
      return []; // The call has just begun.
    }
  };
  const agent: ScriptedAgent = {
    home,
    file,
    env: { HOME: home, SCRIPTED_HOME: home, PATH: `${bin}:${process.env['PATH']}` },
    replies: (...replies) => writeFileSync(join(home, 'replies.json'), JSON.stringify(replies)),
    calls: () =>
      readdirSync(join(home, 'calls'))
        .sort((a, b) => Number(a) - Number(b))
        .flatMap(callOf),
    release: () => writeFileSync(join(home, 'go'), ''),
    close: () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }),
  };
  agent.replies({ text: 'Done.' });
  return agent;
}
