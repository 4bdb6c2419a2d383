/**
 * A daemon with one of each kind of thing that the dashboard shows, and the paths of all its pages. The texts are long,
 * without blanks, and of several scripts.
 */

import type { TestDaemon } from './daemon.js';
import { installScriptedAgent } from './scripted-agent.js';

const LONG = 'a-name-without-any-blank-that-is-longer-than-a-phone-is-wide';
const WORDS = `${LONG} 家族と一緒に行きますか、それとも一人で行きますか 👨‍👩‍👧‍👦 مرحبا بالعالم ${'and so on '.repeat(30)}`;
const SCHEMA = { type: 'object', required: ['summary'], properties: { summary: { type: 'string' } } };
const AGENTFILE = `NAME ${LONG}
INPUT topic
GOAL research "Collect facts about $topic" -> facts: string[], score: number
ASK go "${LONG} **$topic**?" -> go: "yes" | "no"
`;
const ENVELOPE = {
  status: 'success',
  summary: WORDS,
  deliverables: [`src/${LONG}/${LONG}.ts`],
  next_steps: [WORDS],
  metadata: { agent: LONG.slice(0, 40), task_id: 't', duration_seconds: 1 },
};
const PLAN = {
  tool: 'planner-output',
  type: 'plan',
  summary: WORDS,
  requirements: [WORDS],
  acceptanceCriteria: [`npm test -- ${LONG}`],
  plan: [WORDS, WORDS],
};

/** Paths below /ui/. */
export interface Pages {
  readonly lists: readonly string[];
  /** Of things that do not exist, each with what its page says. */
  readonly missing: readonly (readonly [path: string, words: string])[];
  /** Of one thing each. */
  readonly details: readonly string[];
  close(): void;
}

const LISTS = [
  'inbox',
  'inbox?show=answered',
  'sessions',
  'sessions?view=cards',
  'sessions?view=terminals',
  'agents',
  'agents/+new',
  'runs',
  'tasks',
  'tasks/+new',
  'workflows',
  'workflows/+new',
  'workflows?show=files',
  'envelopes',
  'events',
  'recordings',
  'system',
];
/** Addresses without a thing, and what each of their pages says. */
const MISSING = [
  ['no-such-page', 'There is no such page'],
  ['%E0%A4%A', 'There is no such page'],
  ['sessions/%', 'This session is not there'],
  ['agents/%', 'This agent is not there'],
  ['events/%', 'It cannot be explained'],
  ['inbox/itm_none', 'This question is not there'],
  ['inbox/build/itm_none', 'This question is not open'],
  ['sessions/ses_none', 'This session is not there'],
  ['sessions/build/ses_none', 'This session does not run'],
  ['agents/none', 'This agent is not there'],
  ['runs/run_none', 'This run is not there'],
  ['tasks/tsk_none', 'This task is not there'],
  ['workflows/wfl_none', 'This workflow is not there'],
  ['envelopes/0', 'This envelope is not there'],
  ['events/7777777', 'It cannot be explained'],
  ['recordings/ses_none', 'This recording is not there'],
] as const;

/** Makes one of each kind of thing. The caller closes the result after the daemon. */
export async function fillDashboard({ client, sh, openItem }: TestDaemon): Promise<Pages> {
  const [agent, claude] = [installScriptedAgent(), installScriptedAgent('claude')];
  const args = ['/usr/bin/env', `SCRIPTED_HOME=${agent.home}`, agent.file];
  const program = { adapter: 'shell', args };
  const on = { ...program, cwd: agent.home };
  agent.replies(
    { when: 'fails', text: `{"${LONG}": 1}` },
    { when: 'envelope', text: `<output>\n${JSON.stringify(ENVELOPE)}\n---\n## ${LONG}\n\n${WORDS}\n</output>` },
    { tools: [PLAN], text: WORDS },
  );
  const facts = JSON.stringify({ facts: [WORDS, LONG], score: 7 });
  claude.replies({ text: `\`\`\`json\n${facts}\n\`\`\`` });
  const question = { question: WORDS, options: [WORDS.slice(0, 190), LONG, 'no'], context: WORDS };
  const says = JSON.stringify({ type: 'QUESTION', data: question });
  const asking = await sh(`cat <<'END'\n\`\`\`orchestrator-message\n${says}\n\`\`\`\nEND\ncat`, '--name', LONG);
  const item = await openItem(asking);
  await client.call('session.tag', { session: asking.id, add: [LONG.slice(0, 30)] });
  await client.call('blueprint.create', { name: 'task-validator', ...program });
  const name = LONG.slice(0, 40);
  await client.call('blueprint.create', { name, ...program, description: WORDS, output_schema: SCHEMA });
  const failed = await client.call('run.start', { ...on, prompt: `It fails ${WORDS}`, output_schema: SCHEMA });
  const enveloped = await client.call('run.start', { ...on, prompt: 'an envelope', output_format: 'envelope' });
  const task = await client.call('task.create', { prompt: WORDS, cwd: agent.home });
  const workflow = await client.call('workflow.run', {
    agentfile: AGENTFILE,
    input: { topic: WORDS },
    adapter: 'claude',
    cwd: claude.home,
    env: claude.env,
  });
  for (const { id } of [failed, enveloped]) await client.call('run.wait', { run: id });
  const events = await client.call('event.list', { type: ['result'] });
  const seqs = events.flatMap((event) => (event.event_type === 'result' && 'result_human' in event ? [event.seq] : []));
  return {
    lists: LISTS,
    missing: MISSING,
    details: [
      `inbox/${item.id}`,
      `sessions/${asking.id}`,
      `sessions/${asking.id}?tab=details`,
      `sessions/${asking.id}?tab=changes`,
      `recordings/${asking.id}`,
      `agents/${name}`,
      `runs/${failed.id}`,
      `runs/${enveloped.id}`,
      `tasks/${task.id}`,
      `workflows/${workflow.id}`,
      `workflows/${workflow.id}?tab=agentfile`,
      'events/1',
      ...seqs.map((seq) => `envelopes/${seq}`),
    ],
    close() {
      for (const one of [agent, claude]) one.close();
    },
  };
}
