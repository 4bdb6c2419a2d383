/**
 * The tools of a run: the blueprint names `ask`, the agent is started without a terminal and without permissions, its
 * model calls the tool, the person answers in the inbox, and the run's text contains the answer.
 *
 * An agent without MCP is told how to call the tool in its shell, and its model does so.
 */
import type { Client } from '../../src/client/index.js';
import type { Event } from '../../src/protocol/index.js';
import { callByAnyWay, isCalled } from './call-by-any-way.js';
import { type Result, START_MS } from './drive.js';
import type { EventLog } from './event-log.js';
import { processesOf, settle, type Trial } from './host-agent.js';
import type { Ask, Reply } from './model/conversation.js';
import { startModelServer } from './model-server.js';
import { putOnPath } from './runs.js';

const PROMPT = 'Ask me which one.';
const QUESTION = 'Which one shall it be?';
const ANSWER = 'the second, of course';
const LAST_WORDS = `So be it: ${ANSWER}.`;
const NOT_OFFERED = 'report_status';
export async function driveRunTools(
  client: Client,
  log: EventLog,
  trial: Omit<Trial, 'script' | 'size'>,
  signal: AbortSignal,
): Promise<Result> {
  const began = Date.now();
  const problems: { what: string; screen: string }[] = [];
  const problem = (what: string) => problems.push({ what, screen: '' });
  const way = callByAnyWay();
  let isWrongTool = false;
  const script = ({ turns, tools }: Ask): Reply => {
    isWrongTool ||= tools.some((tool) => isCalled(tool, NOT_OFFERED));
    if (turns.some(({ role, text }) => role === 'tool' && text.includes(ANSWER))) return { text: LAST_WORDS };
    if (turns.some(({ role }) => role === 'tool')) return { text: `No answer: ${turns.at(-1)?.text}` };
    const input = { question: QUESTION, options: ['the first', ANSWER] };
    const call = way.call(tools, 'ask', input);
    return call ? { text: 'I will ask.', call } : { text: 'There is no such tool.' };
  };
  const server = await startModelServer({
    script,
    pace: { chars: 20, pauseMs: 1 },
    onRequest: way.onRequest,
  });
  let received = 0;
  try {
    const { place, env } = settle(trial, server.url);
    const bin = putOnPath(trial, place);
    const from = log.told.length;
    const { id } = await client.call(
      'run.start',
      {
        adapter: trial.agent.adapter,
        prompt: PROMPT,
        cwd: place.cwd,
        tools: ['ask'],
        limits: { timeout: 2 * (START_MS / 1000) },
        env: { ...env, PATH: `${bin}:${env['PATH']}` },
      },
      { signal },
    );
    const over = client.call('run.wait', { run: id }, { signal });
    const isAsked = (event: Event): boolean =>
      event.event_type === 'item_opened' && event.data['question'] === QUESTION;
    const opened = await Promise.race([log.next(isAsked, from, signal), over.then(() => null)]);
    if (opened?.event.event_type !== 'item_opened') problem('nothing was asked');
    else await client.call('inbox.answer', { item: opened.event.item_id, option: 2 }, { signal });
    const run = await over;
    if (run.state === 'completed' && run.result_text === LAST_WORDS) received++;
    else problem(`${run.state}: ${JSON.stringify(run.result_text ?? run.error)}`);
    if (run.attempts.length !== 1) problem(`${run.attempts.length} attempts instead of one`);
    if (isWrongTool) problem(`it was offered ${NOT_OFFERED} as well`);
    for (const { session_id } of run.attempts)
      for (const left of processesOf(session_id)) problem(`left running: ${left}`);
    for (const what of server.unknown) problem(`the model server does not know ${what}`);
  } finally {
    await server.close();
  }
  return { heard: [], acknowledged: {}, received, problems, seconds: (Date.now() - began) / 1000 };
}
