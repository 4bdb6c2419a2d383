/**
 * Drives one agent of one size through an interview: question → inbox → answer → the model server received it → next …, → TASK_COMPLETE.
 *
 * In:   a daemon, the agent's installation, the questions and how each is answered.
 * Out:  what was heard and received, how soon, and every problem in words with the screen it was seen on. Nothing throws but an abort.
 * A question that is not heard is answered by typing, so that the others are still tried.
 */

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../../src/client/index.js';
import {
  type Event,
  type InputOf,
  type OperationName,
  OrchdError,
  type OutputOf,
  type Session,
  type Size,
} from '../../src/protocol/index.js';
import type { Agent, Place } from './agents.js';
import type { EventLog } from './event-log.js';
import { interview, PROMPT, type Round, wordsOf } from './interview.js';
import { type Heard, judge } from './judge.js';
import { type ModelServer, startModelServer } from './model-server.js';

export interface Trial {
  readonly agent: Agent;
  readonly modules: string;
  readonly size: Size;
  readonly asked: readonly Round[];
  /** A folder of its own, empty. */
  readonly home: string;
}

export interface Result {
  readonly heard: readonly Heard[];
  /** Answers that the model server received exactly. */
  readonly received: number;
  readonly problems: readonly Problem[];
  readonly seconds: number;
}

export interface Problem {
  readonly what: string;
  /** The session's screen when it was noticed; '' where that says nothing. */
  readonly screen: string;
}

const READY_MS = 90_000;
/** From the request of the model to the event, and from the answer to the request. */
const HEAR_MS = 30_000;
const RECEIVE_MS = 30_000;
/** A person reads before answering. */
const READING_MS = 300;
/** For what should not come. */
const AFTERMATH_MS = 1_500;

export async function drive(client: Client, log: EventLog, trial: Trial, signal: AbortSignal): Promise<Result> {
  const began = Date.now();
  const { asked } = trial;
  const server = await startModelServer({ script: interview(asked) });
  const problems: Problem[] = [];
  let session: Session | null = null;
  const call = <N extends OperationName>(name: N, input: InputOf<N>): Promise<OutputOf<N>> =>
    persist(client, name, input, signal);
  const screen = async (): Promise<string> =>
    session === null ? '' : (await call('session.capture', { session: session.id })).text.trimEnd();
  const problem = async (what: string): Promise<void> => {
    signal.throwIfAborted();
    problems.push({ what, screen: await screen() });
  };

  try {
    session = await start(trial, server, call);
    const { id } = session;
    if (!(await isReady(trial.agent, screen, signal))) await problem(`not ready after ${READY_MS / 1000} s`);
    await call('session.send', { session: id, text: PROMPT });
    const conversation = { id, server, log, asked, call, problem, signal };
    await converse(conversation);
    await pause(AFTERMATH_MS, undefined, { signal });
    const { heard, wrong } = judge(id, log.told, server.exchanges, asked);
    problems.push(...wrong.map((what) => ({ what, screen: '' })));
    return { heard, received: receivedBy(server, asked), problems, seconds: (Date.now() - began) / 1000 };
  } finally {
    if (session) {
      const { id } = session;
      await persist(client, 'session.kill', { session: id }, AbortSignal.timeout(HEAR_MS)).catch(() => null);
      for (const left of processesOf(id)) problems.push({ what: `left running: ${left}`, screen: '' });
    }
    await server.close();
  }
}

type Call = <N extends OperationName>(name: N, input: InputOf<N>) => Promise<OutputOf<N>>;

async function start({ agent, modules, size, home }: Trial, server: ModelServer, call: Call): Promise<Session> {
  const place: Place = { modules, home, cwd: join(home, 'proj'), url: server.url };
  mkdirSync(place.cwd, { recursive: true });
  writeFileSync(join(place.cwd, 'README.md'), '# A project\n');
  spawnSync('git', ['init', '-q', place.cwd]);
  for (const [path, content] of Object.entries(agent.files(place))) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  const path = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
  return call('session.start', {
    command: [...agent.command(place)],
    name: `${agent.name}-${size.cols}x${size.rows}`,
    adapter: agent.name,
    cwd: place.cwd,
    env: { HOME: home, PATH: path, LANG: 'C.UTF-8', COLORTERM: 'truecolor', ...agent.env(place) },
    size,
  });
}

/** Until its screen has shown, for long enough, that it takes input. */
async function isReady(agent: Agent, screen: () => Promise<string>, signal: AbortSignal): Promise<boolean> {
  let since: number | null = null;
  for (const until = Date.now() + READY_MS; Date.now() < until; await pause(100, undefined, { signal })) {
    since = agent.ready.test(await screen()) ? (since ?? Date.now()) : null;
    if (since !== null && Date.now() - since >= agent.readyQuietMs) return true;
  }
  return false;
}

interface Conversation {
  readonly id: string;
  readonly server: ModelServer;
  readonly log: EventLog;
  readonly asked: readonly Round[];
  readonly call: Call;
  readonly problem: (what: string) => Promise<void>;
  readonly signal: AbortSignal;
}

async function converse({ id, server, log, asked, call, problem, signal }: Conversation): Promise<void> {
  const within = (ms: number): AbortSignal => AbortSignal.any([signal, AbortSignal.timeout(ms)]);
  const isOurs = (event: Event): boolean => 'session_id' in event && event.session_id === id;
  const asksAfter = (answers: number) =>
    server.exchange(({ turns }) => wordsOf(turns).length === answers + 1, within(RECEIVE_MS)).catch(() => null);
  let place = log.told.length;
  for (const [index, { answer, expected }] of asked.entries()) {
    const exchange = await asksAfter(index);
    if (!exchange) return problem(index === 0 ? 'the first prompt did not arrive' : `answer ${index} did not arrive`);
    const opened = await log.next(
      (event) => isOurs(event) && event.event_type === 'item_opened',
      place,
      within(HEAR_MS),
    );
    while (exchange.endedAt === null) await pause(20, undefined, { signal });
    await pause(READING_MS, undefined, { signal });
    place = log.told.length;
    if (opened?.event.event_type !== 'item_opened') {
      await problem(`question ${index + 1} was not heard`);
      await call('session.send', { session: id, text: expected });
      continue;
    }
    const { state } = await call('session.show', { session: id });
    if (state !== 'waiting') await problem(`state ${state} while question ${index + 1} waits`);
    await call('inbox.answer', { item: opened.event.item_id, ...answer });
  }
  if (!(await asksAfter(asked.length))) return problem(`answer ${asked.length} did not arrive`);
  const done = (event: Event) =>
    isOurs(event) && event.event_type === 'session_state_changed' && event.state === 'done';
  if (!(await log.next(done, place, within(HEAR_MS)))) await problem('the state is not done at the end');
}

function receivedBy(server: ModelServer, asked: readonly Round[]): number {
  const longest = server.exchanges
    .map(({ turns }) => wordsOf(turns))
    .reduce((most, words) => (words.length > most.length ? words : most), []);
  return asked.filter(({ expected }, index) => longest[index + 1] === expected).length;
}

/** Tries again while the daemon is away; an answer that was taken before the daemon died is taken. */
async function persist<N extends OperationName>(
  client: Client,
  name: N,
  input: InputOf<N>,
  signal: AbortSignal,
): Promise<OutputOf<N>> {
  for (let tries = 0; ; tries++) {
    try {
      return await client.call(name, input, { signal });
    } catch (error) {
      if (!(error instanceof OrchdError) || signal.aborted) throw error;
      if (tries > 0 && name === 'inbox.answer' && error.code === 'ORCHD_ITEM_CLOSED') {
        return error.details?.['item'] as OutputOf<N>; // the item, which is what `inbox.answer` gives
      }
      if (error.code !== 'ORCHD_DAEMON_UNREACHABLE' && error.code !== 'ORCHD_DAEMON_SILENT') throw error;
      await pause(50, undefined, { signal });
    }
  }
}

/** Command lines of processes that belong to a session, wherever they hang; Linux tells. */
function processesOf(sessionId: string): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const isOurs = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`ORCHD_SESSION_ID=${sessionId}`);
      return isOurs ? [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()}`] : [];
    } catch {
      return []; // it has ended, or is another user's
    }
  });
}
