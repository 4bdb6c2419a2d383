/**
 * Runs of a real agent through the daemon: from a prompt and an output schema to a checked result. Every second first
 * reply does not match the schema.
 *
 * In:   a daemon, an agent's installation, the number of runs.
 * Out:  how many runs returned the model's own result, how many were asked again, and every problem. The model server's
 *       record is the reference: each prompt must have been sent once, and each retry in the conversation it belongs
 *       to.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../../src/client/index.js';
import type { Run } from '../../src/protocol/index.js';
import { median } from '../bench/bench.js';
import { type Problem, processesOf, settle, type Trial } from './host-agent.js';
import type { Ask, Reply, Turn } from './model/conversation.js';
import { type Exchange, startModelServer } from './model-server.js';

export interface RunsResult {
  readonly runs: number;
  /** Number of runs whose result is exactly the model's. */
  readonly valid: number;
  /** Number of replies that did not match and were corrected in their own conversation. */
  readonly retried: number;
  /** Number of repeated requests at the model server. */
  readonly doubled: number;
  /** Median time of a run, from its program's start to its result. */
  readonly medianSeconds: number;
  readonly problems: readonly Problem[];
  readonly seconds: number;
}

const SCHEMA = {
  type: 'object',
  required: ['number', 'files'],
  properties: { number: { type: 'integer' }, files: { type: 'array', items: { type: 'string' }, minItems: 1 } },
  additionalProperties: false,
};
const NUMBER = /This is run number (\d+)\./;
const CORRECTION = 'does not match the required output schema';
const MAX_RUN_SECONDS = 280;

const promptOf = (number: number): string => `This is run number ${number}. Which files belong to it?`;
const resultOf = (number: number): object => ({ number, files: [`${number}.ts`, 'naïve "\\ 日本 🚀.md'] });
const isWrongAtFirst = (number: number): boolean => number % 2 === 1;

/** Formats the result in the different ways in which agents wrap it. */
function rightText(number: number): string {
  const json = JSON.stringify(resultOf(number), null, number % 3 === 0 ? 2 : undefined);
  const dressed = [json, `\`\`\`json\n${json}\n\`\`\``, `Here it is:\n\n${json}\n\nAnything else?`];
  return dressed[number % dressed.length] ?? json;
}

function wrongText(number: number): string {
  const wrong = [
    'They are two files.',
    `{"number": "${number}", "files": []}`,
    `\`\`\`json\n{"number": ${number}}\n\`\`\``,
    `{"number": ${number}, "files": ["${number}.ts"`,
  ];
  return wrong[(number >> 1) % wrong.length] ?? '';
}

export const promptsIn = (turns: readonly Turn[]): string[] =>
  turns.flatMap(({ role, text }) => (role === 'user' ? text : []));
const numberOf = (turns: readonly Turn[]): number =>
  Number(promptsIn(turns).flatMap((text) => NUMBER.exec(text)?.[1] ?? [])[0] ?? 0);
const isCorrected = (turns: readonly Turn[]): boolean => promptsIn(turns).some((text) => text.includes(CORRECTION));

function script({ turns }: Ask): Reply {
  const number = numberOf(turns);
  return { text: isWrongAtFirst(number) && !isCorrected(turns) ? wrongText(number) : rightText(number) };
}

export async function driveRuns(
  client: Client,
  trial: Omit<Trial, 'script' | 'size'>,
  { times, isInteractive }: { readonly times: number; readonly isInteractive: boolean },
  signal: AbortSignal,
): Promise<RunsResult> {
  const began = Date.now();
  const server = await startModelServer({ script, pace: { chars: 20, pauseMs: 1 } });
  const numbers = Array.from({ length: times }, (_, index) => index + 1);
  try {
    const { place, env } = settle({ ...trial, tools: 'permit' }, server.url);
    const bin = putOnPath(trial, place);
    const runs = await Promise.all(
      numbers.map(async (number) => {
        const { id } = await client.call(
          'run.start',
          {
            adapter: trial.agent.adapter,
            args: [...trial.agent.permit],
            prompt: promptOf(number),
            cwd: place.cwd,
            output_schema: SCHEMA,
            interactive: isInteractive,
            limits: { timeout: MAX_RUN_SECONDS },
            env: { ...env, PATH: `${bin}:${env['PATH']}` },
          },
          { signal },
        );
        const run = await client.call('run.wait', { run: id }, { signal });
        // The session is already being ended. This call resolves when it has ended.
        if (isInteractive && run.session_id) await client.call('session.kill', { session: run.session_id }, { signal });
        return run;
      }),
    );
    const wrong = runs.map((run, index) => [...wrongIn(run, index + 1), ...wrongAt(server.exchanges, index + 1)]);
    const left = runs.flatMap(({ attempts }) => attempts.flatMap(({ session_id }) => processesOf(session_id)));
    return {
      runs: times,
      valid: runs.filter((run, index) => isDeepStrictEqual(run.result_data, resultOf(index + 1))).length,
      retried: runs.filter(({ attempts }) => attempts.some(({ reason }) => reason === 'retry')).length,
      doubled: server.exchanges.length - new Set(server.exchanges.map(({ turns }) => JSON.stringify(turns))).size,
      medianSeconds: median(runs.map(secondsOf)),
      problems: [
        ...wrong.flatMap((all, index) => all.map((what) => `run ${index + 1}: ${what}`)),
        ...left.map((what) => `left running: ${what}`),
        ...server.unknown.map((what) => `the model server does not know ${what}`),
      ].map((what) => ({ what, screen: '' })),
      seconds: (Date.now() - began) / 1000,
    };
  } finally {
    await server.close();
  }
}

/**
 * Puts the agent on the PATH, because a run calls it by its name.
 * @param env Environment of this program only.
 */
export function putOnPath(
  { agent, home }: Pick<Trial, 'agent' | 'home'>,
  place: Parameters<typeof agent.command>[0],
  env: Readonly<Record<string, string>> = {},
): string {
  const file = join(home, 'bin', agent.adapter);
  mkdirSync(dirname(file), { recursive: true });
  const pairs = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const words = ['env', ...pairs, ...agent.command(place)].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  writeFileSync(file, `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`, { mode: 0o755 });
  return dirname(file);
}

const secondsOf = ({ started_at, ended_at }: Run): number =>
  (Date.parse(ended_at ?? '') - Date.parse(started_at ?? '')) / 1000;

/** Returns the errors in the daemon's record of the run. */
function wrongIn(run: Run, number: number): string[] {
  const { state, error, result_text, result_data, attempts } = run;
  if (state !== 'completed') return [`${run.id} ${state}: ${JSON.stringify(error)}`];
  const texts = isWrongAtFirst(number) ? [wrongText(number), rightText(number)] : [rightText(number)];
  const told = attempts.map(({ text }) => text);
  return [
    ...(result_text === null && isDeepStrictEqual(result_data, resultOf(number))
      ? []
      : [`its result is ${JSON.stringify(result_data ?? result_text)}`]),
    ...(isDeepStrictEqual(told, texts) ? [] : [`its attempts say ${JSON.stringify(told)}`]),
  ];
}

/** Returns the errors in the model server's requests. */
function wrongAt(exchanges: readonly Exchange[], number: number): string[] {
  const asked = exchanges.filter(({ turns }) => numberOf(turns) === number).map(({ turns }) => turns);
  const wanted = isWrongAtFirst(number) ? 2 : 1;
  const prompts = asked.map((turns) => promptsIn(turns).filter((text) => NUMBER.test(text)).length);
  const again = asked.filter(isCorrected);
  const saysBefore = again.every((turns) =>
    turns.some(({ role, text }) => role === 'assistant' && text.trim() === wrongText(number)),
  );
  return [
    ...(asked.length === wanted ? [] : [`the model was asked ${asked.length} times instead of ${wanted}`]),
    ...(prompts.every((count) => count === 1)
      ? []
      : [`its prompt stands ${prompts.join(', ')} times in a conversation`]),
    ...(again.length === wanted - 1 ? [] : [`it was told ${again.length} times that its reply does not fit`]),
    ...(saysBefore ? [] : ['it was told so in another conversation']),
  ];
}
