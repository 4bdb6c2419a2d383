/**
 * Tools: the agent gets orchd's tools through its own MCP client, its model calls `ask`, and the person answers in the
 * inbox. The answer is the tool's result, and nothing is typed.
 */
import type { Client } from '../../src/client/index.js';
import type { Event } from '../../src/protocol/index.js';
import { type Result, START_MS } from './drive.js';
import type { EventLog } from './event-log.js';
import { type Hosted, hostAgent, type Trial } from './host-agent.js';
import type { Reply, Tool } from './model/conversation.js';
import type { Script } from './model-server.js';

const PROMPT = 'Ask me which one.';
const QUESTION = 'Which one shall it be?';
const ANSWER = 'the second, of course';
const LAST_WORDS = 'So be it.';
const TURN_MS = 30_000;

/** Matches the tool's name in each agent's naming scheme. */
const isAsk = ({ name }: Tool): boolean => /(?:^|orchd[^a-z]+)ask$/.test(name);

const script: Script = ({ turns, tools }): Reply => {
  const hasAnswer = turns.some(({ role, text }) => role === 'tool' && text.includes(ANSWER));
  const name = tools.find(isAsk)?.name;
  if (hasAnswer || name === undefined) return { text: LAST_WORDS };
  return { text: 'I will ask.', call: { name, input: { question: QUESTION, options: ['the first', ANSWER] } } };
};

export async function driveToolCall(
  client: Client,
  log: EventLog,
  trial: Omit<Trial, 'script'>,
  signal: AbortSignal,
): Promise<Result> {
  const began = Date.now();
  let received = 0;
  const play = async ({ id, server, call, problem, within }: Hosted): Promise<void> => {
    await call('session.send', { session: id, text: PROMPT, wait_ms: START_MS });
    await server.exchange(() => true, within(START_MS)).catch(() => problem('the model was not asked'));
    const isOf = (event: Event): boolean => 'session_id' in event && event.session_id === id;
    const isAsked = (event: Event): boolean => isOf(event) && event.event_type === 'item_opened';
    const opened = await log.next(isAsked, 0, within(TURN_MS));
    if (opened?.event.event_type !== 'item_opened') return problem('nothing was asked');
    const { item_id, data } = opened.event;
    if (data['question'] !== QUESTION) return problem(`asked instead: ${JSON.stringify(data)}`);
    const { awaited } = await call('inbox.show', { item: item_id });
    if (!awaited) await problem('the answer would be typed');
    await call('inbox.answer', { item: item_id, option: 2 });
    const isLast = server.exchange(({ reply }) => reply.text === LAST_WORDS, within(TURN_MS));
    if (!(await isLast.catch(() => null))) return problem('the model did not get the answer');
    received++;
    const isTaken = (event: Event): boolean => isOf(event) && event.event_type === 'answer_acknowledged';
    if (!(await log.next(isTaken, 0, within(TURN_MS)))) await problem('the answer was not acknowledged');
    const asked = log.told.filter(({ event }) => isAsked(event)).length;
    if (asked !== 1) await problem(`${asked} items instead of one`);
  };
  const start = { adapter: trial.agent.adapter, teach: true, tools: true };
  const problems = await hostAgent(client, log, { ...trial, script, start, isServed: true }, signal, play);
  return { heard: [], acknowledged: {}, received, problems, seconds: (Date.now() - began) / 1000 };
}
