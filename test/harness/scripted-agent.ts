/**
 * An agent program for tests of runs: what it answers is data, and what it was asked is kept.
 *
 * Installed under any name; as `claude` it speaks as Claude Code does without a terminal, else it prints its text. Its calls are numbered
 * from 1 in the order of their starts; call N answers with reply N, or with the last one.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What it does in one call. */
export interface Reply {
  /** Its words; none where it is not there. */
  readonly text?: string;
  readonly stderr?: string;
  /** Default 0. */
  readonly exit?: number;
  /** Waits until `release` is called. */
  readonly hold?: boolean;
  /** Of `claude`: it says that this went wrong. */
  readonly error?: string;
}

export interface Call {
  readonly args: readonly string[];
  readonly stdin: string;
  readonly env: Readonly<Record<string, string>>;
  readonly pid: number;
}

export interface ScriptedAgent {
  readonly home: string;
  /** The program, absolute. */
  readonly file: string;
  /** For its runs: it is found before any other. */
  readonly env: Readonly<Record<string, string>>;
  replies(...replies: readonly Reply[]): void;
  /** In order. */
  calls(): Call[];
  /** Lets those go on that hold, and all that come. */
  release(): void;
  close(): void;
}

const PROGRAM = `#!${process.execPath}
const { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, watch, writeFileSync } = require('node:fs');
const { basename, join } = require('node:path');
const { randomUUID } = require('node:crypto');
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
const reply = replies[Math.min(call, replies.length) - 1] ?? {};
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
if (reply.hold) {
  const go = () => existsSync(join(home, 'go'));
  const watcher = watch(home, () => go() && (watcher.close(), end()));
  if (go()) { watcher.close(); end(); }
} else end();
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
      return [JSON.parse(readFileSync(join(home, 'calls', number, 'call.json'), 'utf8'))];
    } catch {
      return []; // it has only just begun
    }
  };
  const agent: ScriptedAgent = {
    ...{ home, file },
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
