/**
 * Permission: the agent's shell asks before it runs a command. The question is in the inbox with its choices. The
 * person chooses the first time in the inbox, the second time in the terminal. Both times the agent must go on and the
 * item must be closed. An agent whose hook can decide asks a third time. It is refused with a reason, which its model
 * must get. Each question is one item, whichever source reports it.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../../src/client/index.js';
import { type Event, type Item, optionsOf } from '../../src/protocol/index.js';
import { adapterNamed } from '../../src/session/adapters/index.js';
import { type Result, START_MS } from './drive.js';
import type { EventLog } from './event-log.js';
import { type Hosted, hostAgent, type Trial } from './host-agent.js';
import type { Reply } from './model/conversation.js';
import { askingShellCall } from './model/tools.js';
import type { Script } from './model-server.js';

const PROMPT = 'Please make the two files.';
/** Different programs, so that "always allow" for the first does not permit the second. */
const COMMANDS = ['touch first.txt', 'mkdir second.txt'];
const FILES = ['first.txt', 'second.txt'];
/** This command is refused through the hook of an agent that has one. */
const REFUSED = 'touch third.txt';
const REASON = 'two are enough';
const LAST_WORDS = 'Both are made.';
const TURN_MS = 30_000;
const AFTERMATH_MS = 1_500;

const script =
  (commands: readonly string[]): Script =>
  ({ turns, tools }): Reply => {
    const results = turns.filter(({ role }) => role === 'tool').length;
    const command = commands[results];
    const call = command === undefined ? null : askingShellCall(tools, command);
    return call ? { text: 'I will make one.', call } : { text: LAST_WORDS };
  };

export async function drivePermission(
  client: Client,
  log: EventLog,
  trial: Omit<Trial, 'script'>,
  signal: AbortSignal,
): Promise<Result> {
  const began = Date.now();
  let answered = 0;
  const hasHook = (adapterNamed(trial.agent.adapter)?.hooks ?? null) !== null;
  const play = async (hosted: Hosted): Promise<void> => {
    const { id, agent, cwd, server, call, problem, within } = hosted;
    await call('session.send', { session: id, text: PROMPT, wait_ms: START_MS });
    await server.exchange(() => true, within(START_MS)).catch(() => problem('the model was not asked'));
    const isLast = server.exchange(({ reply }) => reply.text === LAST_WORDS, within(TURN_MS * FILES.length));
    if (agent.ask === null) {
      await isLast.catch(() => problem('the last reply was not asked for'));
    } else {
      for (const [index, file] of FILES.entries()) {
        const item = await asked(hosted, index);
        if (!item) return problem(`file ${index + 1}: nothing is in the inbox`);
        const by = index === 0 ? await chooseInInbox(hosted, item, hasHook) : await chooseInTerminal(hosted, item);
        if (by !== null) return problem(by);
        answered++;
        const next = server.exchange(({ turns }) => turns.filter(isTool).length > index, within(TURN_MS));
        if (!(await next.catch(() => null))) return problem(`file ${index + 1}: the agent did not go on`);
        if (!existsSync(join(cwd, file))) await problem(`file ${index + 1} was not made`);
      }
    }
    if (hasHook) {
      const problem = await refuse(hosted);
      if (problem !== null) return hosted.problem(problem);
      answered++;
    }
    if (!(await isLast.catch(() => null))) return;
    await pause(AFTERMATH_MS, undefined, { signal });
    const { state } = await call('session.show', { session: id });
    if (state !== 'waiting') await problem(`the state is ${state} at the end`);
    const open = await call('inbox.list', { session: id });
    if (open.length > 0) await problem(`still open: ${JSON.stringify(open)}`);
    const due = agent.ask === null ? 0 : FILES.length + Number(hasHook);
    const opened = log.told.filter(({ event }) => isDialog(event, id) && (hasHook || isPainted(event))).length;
    if (opened !== due) await problem(`${opened} dialogs instead of ${due}`);
  };
  const commands = hasHook ? [...COMMANDS, REFUSED] : COMMANDS;
  const problems = await hostAgent(client, log, { ...trial, script: script(commands), tools: 'ask' }, signal, play);
  return { heard: [], acknowledged: {}, received: answered, problems, seconds: (Date.now() - began) / 1000 };
}

/** Returns the attention item for the Nth command, with text and choices. */
async function asked(hosted: Hosted, index: number, file = FILES[index] ?? ''): Promise<Item | null> {
  const { id, log, call, problem, within, signal } = hosted;
  const hasHook = (adapterNamed(hosted.agent.adapter)?.hooks ?? null) !== null;
  const isIt = (event: Event): boolean =>
    isDialog(event, id) && (hasHook || isPainted(event)) && JSON.stringify(event).includes(file);
  const opened = await log.next(isIt, 0, within(TURN_MS));
  if (opened?.event.event_type !== 'item_opened') return null;
  await pause(500, undefined, { signal });
  const item = await call('inbox.show', { item: opened.event.item_id });
  const options = item.data['options'];
  if (!Array.isArray(options) || options.length < 2) await problem(`no choices: ${JSON.stringify(item.data)}`);
  const { state } = await call('session.show', { session: id });
  if (state !== 'waiting') await problem(`state ${state} while it asks`);
  return item;
}

/** @returns A description of the problem; null if the choice in the inbox had its effect. */
async function chooseInInbox({ id, log, call, within }: Hosted, item: Item, hasHook: boolean): Promise<string | null> {
  await call('inbox.answer', { item: item.id, option: 1 });
  const isSeen = (event: Event): boolean =>
    isOf(event, id) && event.event_type === 'answer_acknowledged' && event.item_id === item.id;
  const seen = await log.next(isSeen, 0, within(TURN_MS));
  if (seen?.event.event_type !== 'answer_acknowledged') return 'the choice was not acknowledged';
  const { evidence } = seen.event;
  return hasHook && !evidence.includes('hook') ? `the hook did not decide: ${evidence}` : null;
}

/**
 * Refuses with a reason through the hook.
 * @returns A description of the problem; null if the model received the reason.
 */
async function refuse(hosted: Hosted): Promise<string | null> {
  const { server, call, within } = hosted;
  const item = await asked(hosted, FILES.length, 'third.txt');
  const option = item ? optionsOf(item).findIndex((label) => label.startsWith('No, because')) + 1 : 0;
  if (!item || option === 0) return `cannot be refused with a reason: ${JSON.stringify(item?.data)}`;
  await call('inbox.answer', { item: item.id, option, text: REASON });
  const isTold = ({ turns }: { turns: readonly { role: string; text: string }[] }) =>
    turns.some((turn) => isTool(turn) && turn.text.includes(REASON));
  return (await server.exchange(isTold, within(TURN_MS)).catch(() => null)) ? null : 'the model did not get the reason';
}

/** Presses the keys of the first choice, as a person at the terminal would. */
async function chooseInTerminal({ id, agent, log, call, within }: Hosted, item: Item): Promise<string | null> {
  // OpenCode shows buttons without digits; the first one is selected.
  await call('session.keys', { session: id, keys: [agent.name === 'opencode' ? 'Enter' : '1'] });
  const isSeen = (event: Event): boolean =>
    isOf(event, id) && event.event_type === 'item_answered' && event.item_id === item.id;
  const seen = await log.next(isSeen, 0, within(TURN_MS));
  if (seen?.event.event_type !== 'item_answered') return 'the dialog that was answered in the terminal stays open';
  const { by } = seen.event.answer;
  return by === 'terminal' ? null : `answered by ${by}, not in the terminal`;
}

const isTool = ({ role }: { role: string }): boolean => role === 'tool';

const isDialog = (event: Event, id: string): boolean =>
  isOf(event, id) && event.event_type === 'item_opened' && /^(?:dialog|hook)$/.test(String(event.data['source']));

/**
 * True for an item from the dialog on the screen. The item of a hook that cannot decide may come first and be replaced.
 */
const isPainted = (event: Event): boolean => event.event_type === 'item_opened' && event.data['source'] === 'dialog';

const isOf = (event: Event, id: string): boolean => 'session_id' in event && event.session_id === id;
