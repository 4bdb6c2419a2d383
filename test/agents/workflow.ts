/**
 * A workflow of real agents: one agent begins, three work in parallel, their results are combined, and a pipeline
 * follows. The combined result does not match its schema at first and is corrected in its own conversation. With
 * several agents, each does a part.
 *
 * In:   a daemon, and the agents' installations.
 * Out:  the goals whose result equals the model's reply, and every problem. The model server's record is the reference:
 *       each prompt must have arrived once.
 */
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../../src/client/index.js';
import type { Run, WorkflowRun } from '../../src/protocol/index.js';
import { type Result, START_MS } from './drive.js';
import { processesOf, settle, type Trial } from './host-agent.js';
import type { Ask, Reply } from './model/conversation.js';
import { type Exchange, startModelServer } from './model-server.js';
import { promptsIn, putOnPath } from './runs.js';

const AGENTFILE = `NAME tea
INPUT topic
GOAL begin "Say hello to the reader" REQUIRES "p1"
AGENT researcher "Research $topic" -> findings: string[] REQUIRES "p2"
AGENT critic "Doubt what is said of $topic" REQUIRES "p3"
AGENT translator "Translate the word $topic" -> word REQUIRES "p4"
GOAL analyze "Analyze $topic" -> summary, score: number USING researcher, critic, translator REQUIRES "p5"
GOAL write "Write about this: $summary" -> text REQUIRES "p6"
GOAL end "Say goodbye to this: $text" REQUIRES "p7"`;
const PARTS = 7;

const SUMMARY = 'old "and" hot, 日本 🚀';
const FINDINGS = ['old', 'hot'];
const TEXT = 'Tea is hot.';
const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value)}\n\`\`\``;

/** The model's replies, by a text in the prompt. The first match is used. */
const REPLIES: readonly (readonly [asked: string, reply: string])[] = [
  ['Say goodbye to this: Tea is hot.', 'Goodbye.'],
  [`Write about this: ${SUMMARY}`, json({ text: TEXT })],
  ['does not match the required output schema', json({ summary: SUMMARY, score: 9 })],
  ['You have received outputs from multiple agents', json({ summary: SUMMARY, score: 'high' })],
  ['Translate the word tea', json({ word: '茶' })],
  ['Doubt what is said of tea', 'Is it?'],
  ['Say hello to the reader', 'Hello.'],
  ['Research tea', json({ findings: FINDINGS })],
];

const asksFor = (asked: string, turns: Ask['turns']): boolean => promptsIn(turns).some((text) => text.includes(asked));

function script({ turns }: Ask): Reply {
  const found = REPLIES.find(([asked]) => asksFor(asked, turns));
  return { text: found?.[1] ?? 'I was not asked this.' };
}

type Installed = Pick<Trial, 'agent' | 'modules'>;

/** @param home  An empty folder for this test. */
export async function driveWorkflow(
  client: Client,
  { agents, home }: { readonly agents: readonly Installed[]; readonly home: string },
  signal: AbortSignal,
): Promise<Result> {
  const began = Date.now();
  const server = await startModelServer({ script, pace: { chars: 20, pauseMs: 1 } });
  const cwd = join(home, 'proj');
  try {
    const bins = agents.map((one) => {
      const trial = { ...one, home: join(home, one.agent.name), tools: 'permit' as const };
      const { place, env } = settle(trial, server.url, cwd);
      return putOnPath(trial, place, env);
    });
    const adapters = Array.from({ length: PARTS }, (_, part) => agents[part % agents.length]?.agent.adapter ?? '');
    const { id } = await client.call(
      'workflow.run',
      {
        agentfile: AGENTFILE,
        input: { topic: 'tea' },
        cwd,
        profiles: Object.fromEntries(adapters.map((adapter, part) => [`p${part + 1}`, { adapter }])),
        env: { HOME: home, LANG: 'C.UTF-8', PATH: `${bins.join(':')}:/usr/local/bin:/usr/bin:/bin` },
      },
      { signal },
    );
    const over = await client.call('workflow.wait', { workflow: id, timeout_ms: 5 * START_MS }, { signal });
    const ids = over.steps.flatMap(({ runs }) => runs.map(({ run_id }) => run_id));
    const runs = await Promise.all(ids.map((run) => client.call('run.show', { run }, { signal })));
    const left = runs.flatMap(({ attempts }) => attempts.flatMap(({ session_id }) => processesOf(session_id)));
    const problems = [
      ...wrongIn(over, runs),
      ...wrongAt(server.exchanges),
      ...left.map((what) => `left running: ${what}`),
      ...server.unknown.map((what) => `the model server does not know ${what}`),
    ];
    return {
      heard: [],
      acknowledged: {},
      received: over.steps.filter(({ state }) => state === 'completed').length,
      problems: problems.map((what) => ({ what, screen: '' })),
      seconds: (Date.now() - began) / 1000,
    };
  } finally {
    await server.close();
  }
}

/** Returns the errors in the daemon's report. */
function wrongIn({ state, error, variables, steps }: WorkflowRun, runs: readonly Run[]): string[] {
  if (state !== 'completed') return [`it ${state}: ${JSON.stringify(error)}`];
  const values = Object.fromEntries(variables.map(({ name, value }) => [name, value]));
  const wanted = { topic: 'tea', summary: SUMMARY, score: 9, text: TEXT };
  const reasons = runs.map(({ attempts }) => attempts.map(({ reason }) => reason).join(', '));
  const wantedReasons = ['start', 'start', 'start', 'start', 'start, retry', 'start', 'start'];
  return [
    ...(isDeepStrictEqual(values, wanted) ? [] : [`its variables are ${JSON.stringify(values)}`]),
    ...(steps.at(-1)?.result === 'Goodbye.' ? [] : [`its last goal said ${JSON.stringify(steps.at(-1)?.result)}`]),
    ...(isDeepStrictEqual(reasons, wantedReasons) ? [] : [`its runs took ${reasons.join('; ')}`]),
  ];
}

/**
 * Returns the errors in the requests to the model: each must come once, and a correction after the reply that it
 * corrects.
 */
function wrongAt(exchanges: readonly Exchange[]): string[] {
  return REPLIES.flatMap(([asked]) => {
    const last = exchanges.filter(({ turns }) => promptsIn(turns).at(-1)?.includes(asked));
    return last.length === 1 ? [] : [`“${asked}” was asked ${last.length} times`];
  });
}
