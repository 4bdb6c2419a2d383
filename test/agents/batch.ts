/**
 * The agents' batch modes: a prompt in, a text out, without a terminal and without a daemon.
 *
 * Each agent runs as its adapter defines: a first turn with instructions, the same conversation again, a turn with a
 * tool call, prompts that look like options and commands, one that is too long for an argument, and a conversation that
 * does not exist.
 * Out:  every problem. The model server records the requests, so that a result is compared with the model's reply
 *       itself.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import {
  adapterNamed,
  type BatchOutcome,
  type BatchRequest,
  flagsOf,
  MACHINE,
  type TranscriptItem,
} from '../../src/session/index.js';
import { type Problem, processesOf, settle, type Trial } from './host-agent.js';
import type { Ask, Reply } from './model/conversation.js';
import { shellCall } from './model/tools.js';
import { type Exchange, type ModelServer, startModelServer } from './model-server.js';

interface Turn {
  readonly outcome: BatchOutcome;
  readonly items: readonly TranscriptItem[];
  /** The last request to the model in this turn; undefined if there was none. */
  readonly asked: Exchange | undefined;
  readonly bodies: string;
  readonly isTaught: boolean;
}

export interface BatchResult {
  /** Number of results that are exactly the model's reply. */
  readonly received: number;
  readonly problems: readonly Problem[];
  readonly seconds: number;
}

const SYSTEM = 'Always mind the word KUMQUAT.';
const WITH_TOOL = 'Look with your shell first.';
const LONG = `Read this: ${'0123456789 abcdefghij '.repeat(10_000)}end`;
const MAX_TURN_MS = 120_000;

/**
 * Replies with the beginning of the prompt and the number of prompts, which shows that the earlier conversation was
 * sent again.
 */
function script({ turns, tools }: Ask): Reply {
  const prompts = turns.filter(({ role }) => role === 'user').map(({ text }) => text);
  const last = prompts.at(-1) ?? '';
  const call = last.includes(WITH_TOOL) && turns.at(-1)?.role === 'user' ? shellCall(tools, 'echo seen') : null;
  return call ? { text: 'I look first.', call } : { text: `Heard ${prompts.length}: ${last.slice(0, 60)} 🚀 "\\n"` };
}

export async function driveBatch(trial: Omit<Trial, 'script' | 'size'>, signal: AbortSignal): Promise<BatchResult> {
  const began = Date.now();
  const problems: Problem[] = [];
  const wrong = (what: string) => problems.push({ what, screen: '' });
  const bodies: string[] = [];
  const server = await startModelServer({
    script,
    pace: { chars: 20, pauseMs: 1 },
    onRequest: (_path, body) => bodies.push(JSON.stringify(body)),
  });
  let received = 0;
  const say = async (name: string, about: Partial<BatchRequest> & { prompt: string }): Promise<Turn> => {
    bodies.length = 0;
    const turn = await runTurn({ ...trial, tools: 'permit' }, server, about, bodies, signal);
    const reply = turn.asked?.reply.text;
    if (about.resume !== NO_ID && turn.outcome.text !== reply) {
      wrong(`${name}: ${JSON.stringify(turn.outcome.text)} instead of ${JSON.stringify(reply)}`);
    } else if (reply !== undefined) received += 1;
    if (about.resume !== NO_ID && turn.outcome.error !== null) wrong(`${name}: ${turn.outcome.error}`);
    return turn;
  };
  try {
    const first = await say('first', { prompt: 'Begin.', system: SYSTEM });
    const id = first.outcome.agentSessionId;
    if (!first.isTaught || !first.bodies.includes('KUMQUAT')) wrong('the instructions did not reach the model');
    for (const what of wrongItems(trial.agent.adapter, first)) wrong(what);
    const second = await say('resumed', { prompt: WITH_TOOL, system: SYSTEM, resume: id });
    if (id === null || second.outcome.agentSessionId !== id)
      wrong(`another conversation: ${second.outcome.agentSessionId}`);
    if (!second.outcome.text?.startsWith('Heard 2: ')) wrong(`it does not go on: ${second.outcome.text}`);
    if (!second.bodies.includes('KUMQUAT')) wrong('the instructions are gone in the second turn');
    for (const prompt of ['--help -p "x"', '-', '/help me', LONG]) {
      const name = `prompt ${JSON.stringify(prompt.slice(0, 12))}`;
      const heard = (await say(name, { prompt })).asked?.turns.findLast(({ role }) => role === 'user')?.text;
      if (heard?.trim() !== prompt) wrong(`${name}: the model received ${JSON.stringify(heard?.slice(0, 80))}`);
    }
    const { outcome, asked } = await say('lost', { prompt: 'Go on.', resume: NO_ID });
    if (!outcome.isForgotten || outcome.error === null || asked) wrong(`no conversation: ${JSON.stringify(outcome)}`);
    for (const left of processesOf(MARK)) wrong(`left running: ${left}`);
  } finally {
    await server.close();
  }
  return { received, problems, seconds: (Date.now() - began) / 1000 };
}

const NO_ID = '11111111-2222-4333-8444-555555555559';
const MARK = `batch-${randomUUID()}`;

function wrongItems(name: string, { items, outcome }: Turn): string[] {
  const ids = items.flatMap((item) => (item.kind === 'session' ? [item.agentSessionId] : []));
  const said = items.flatMap((item) => (item.kind === 'text' ? [item.text] : []));
  return [
    ...(ids.at(-1) === outcome.agentSessionId ? [] : [`its lines name ${ids.join(', ') || 'no conversation'}`]),
    ...(items.at(-1)?.kind === 'idle' ? [] : ['its lines do not end with the turn’s end']),
    // Gemini's text arrives in pieces, so only the outcome contains all of it.
    ...(name === 'gemini' || said.at(-1) === outcome.text ? [] : [`its lines say ${JSON.stringify(said)}`]),
  ];
}

async function runTurn(
  trial: Omit<Trial, 'script' | 'size'>,
  server: ModelServer,
  about: Partial<BatchRequest> & { prompt: string },
  bodies: readonly string[],
  signal: AbortSignal,
): Promise<Turn> {
  const { agent, home } = trial;
  const batch = adapterNamed(agent.adapter)?.batch;
  if (!batch) throw new Error(`${agent.name} has no batch mode`);
  const { place, env } = settle(trial, server.url);
  const dir = join(home, 'orchd');
  mkdirSync(dir, { recursive: true });
  const argv = [...agent.command(place), ...agent.permit];
  const [file = ''] = argv;
  const known = await flagsOf(file, argv, { env, cwd: place.cwd, cacheFile: join(home, 'flags.json') });
  const command = batch.command({
    argv,
    env,
    system: null,
    model: null,
    maxTurns: null,
    resume: null,
    uuid: randomUUID(),
    dir,
    hasFlag: (flag) => known.flags.has(flag),
    machine: MACHINE,
    ...about,
  });
  for (const [name, text] of Object.entries(command.files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
  const before = server.exchanges.length;
  const output = await run(
    command.argv,
    command.stdin,
    { ...env, ...command.env, ORCHD_SESSION_ID: MARK },
    place.cwd,
    signal,
  );
  return {
    outcome: batch.outcome(output),
    items: output.stdout.split('\n').flatMap((line) => [...batch.read(line).items]),
    asked: server.exchanges.slice(before).at(-1),
    bodies: bodies.join('\n'),
    isTaught: command.isTaught,
  };
}

async function run(
  [file = '', ...args]: readonly string[],
  stdin: string | null,
  env: Record<string, string>,
  cwd: string,
  signal: AbortSignal,
) {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(MAX_TURN_MS)]);
  const child = spawn(file, args, { cwd, env, signal: limit, killSignal: 'SIGKILL' });
  child.stdin.on('error', () => {}); // it has ended without reading its input
  child.stdin.end(stdin ?? '');
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  });
  const [stdout, stderr, exitCode] = await Promise.all([readText(child.stdout), readText(child.stderr), ended]);
  signal.throwIfAborted();
  return { stdout, stderr, exitCode, now: Date.now() };
}
