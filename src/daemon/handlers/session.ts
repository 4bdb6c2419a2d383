import { randomBytes } from 'node:crypto';
import type { HostClient, WriteStep } from '../../host/index.js';
import { knownGaps } from '../../host/index.js';
import { type StallReason, typeable } from '../../lifecycle/index.js';
import {
  type Event,
  type InputOf,
  makeId,
  needFewCells,
  OrchdError,
  type Paths,
  type Session,
  type State,
} from '../../protocol/index.js';
import type { ScreenKeeper } from '../../session/index.js';
import { parseLine } from '../../store/index.js';
import { keyBytes } from '../../terminal/index.js';
import type { Caller } from '../access/index.js';
import { type Answers, sentWords, type Typist } from '../answers/index.js';
import { withDeadline } from '../concurrency/index.js';
import type { Prune } from '../disk/index.js';
import type { EventHub, Outbox } from '../events/index.js';
import type { Registry, SessionEntry } from '../registry/index.js';
import type { Runs } from '../runs/index.js';
import type { Sessions } from '../sessions/index.js';
import type { Terminals } from '../terminals/index.js';
import type { Handlers } from './handler.js';

/** How long an agent's start may take on a busy machine. */
const SEND_WAIT_MS = 60_000;

export interface SessionPorts {
  readonly paths: Paths;
  readonly registry: Registry;
  readonly sessions: Sessions;
  readonly runs: Runs;
  readonly terminals: Terminals;
  readonly answers: Answers;
  readonly typist: Typist;
  readonly host: () => HostClient;
  readonly hub: EventHub;
  readonly outbox: Outbox;
  readonly prune: Prune;
  /** Returns a session's screen with all output read so far. */
  readonly screenOf: (entry: SessionEntry) => Promise<ScreenKeeper>;
  /** Milliseconds between TERM and KILL. Callers may override it. */
  readonly killGraceMs: number;
}

export const sessionHandlers = (ports: SessionPorts) => {
  const { registry, sessions, runs, terminals, answers, typist, host, outbox, prune, screenOf, paths, killGraceMs } =
    ports;
  return {
    'session.start': async (input, caller) => sessions.start(input, caller.session),
    'session.list': async ({ all = true }) => registry.sessions().filter((session) => all || session.ended_at === null),
    'session.show': async ({ session }) => registry.session(session).shown,
    'session.last': async () => lastSession(ports),
    'session.kill': async ({ session, grace_ms = killGraceMs }, caller) => {
      const entry = registry.session(session);
      if (!entry.hasEnded) await sessions.kill(entry, grace_ms, nameOf(caller));
      runs.cancelChildren(entry.id);
      return entry.view;
    },
    'session.revive': async ({ session, ...input }) => sessions.revive(session, input),
    'session.restart': async ({ session, grace_ms = killGraceMs, ...input }, caller) =>
      sessions.restart(session, input, grace_ms, nameOf(caller)),
    'session.remove': async ({ session }) => prune.remove(registry.session(session)),
    'session.rename': async ({ session, name }) => {
      const entry = registry.session(session);
      if (name !== entry.view.name) {
        await entry.apply({ kind: 'renamed', name: registry.freeName(name, ''), time: Date.now() });
      }
      return entry.view;
    },
    'session.resize': async ({ session, size }) => {
      const entry = registry.session(session);
      await terminals.resize(entry, needFewCells(size));
      await outbox.drain();
      return entry.view;
    },
    'session.send': async ({ session, text, enter = true, wait_ms = SEND_WAIT_MS }, caller) => {
      const entry = typedTo(registry, session);
      const clean = typeable(text);
      await answers.checkLines(entry, clean);
      const type = async () => {
        if (!enter) return press(host, entry, [{ text: clean }], true);
        const line = sentWords(ports, entry, clean);
        if (wait_ms === 0) return press(host, entry, await typist.steps(entry, line));
        return typeLine(typist, entry, line, wait_ms, caller);
      };
      return { ...(await type()), removed: text.replaceAll('\r\n', '\n').length - clean.length };
    },
    'session.keys': async ({ session, keys }) => {
      const entry = typedTo(registry, session);
      const { hasApplicationCursor } = entry.keeper ?? (await screenOf(entry)).screen;
      const text = keys.map((key) => keyBytes(key, hasApplicationCursor)).join('');
      return press(host, entry, [{ text }]);
    },
    'session.capture': async ({ session, ansi = false, scrollback = 0 }) => {
      const entry = registry.session(session);
      const { screen } = await screenOf(entry);
      const rows = screen.look({ from: -scrollback, ansi });
      const missing = knownGaps(paths.journalsDir, entry.id);
      return {
        text: rows.map((row) => `${row}\n`).join(''),
        size: { cols: screen.cols, rows: screen.rows },
        cursor: { ...screen.cursor },
        title: screen.title,
        alternate: screen.isAlternate,
        ...(missing.length > 0 && { missing: [...missing] }),
      };
    },
    'session.wait': async (input, caller) => waitFor(ports, input, caller),
  } satisfies Partial<Handlers>;
};

/** Returns the name of the client that ends a session: the calling session, or the kind of client. */
const nameOf = ({ session, client }: Caller): string => session?.id ?? client;

/** @throws {OrchdError} ORCHD_SESSION_UNKNOWN, ORCHD_AMBIGUOUS */
function lastSession({ registry, terminals }: SessionPorts): Session {
  const last = terminals.lastAttached === null ? undefined : registry.get(terminals.lastAttached);
  if (last && !last.hasEnded) return last.view;
  const living = [...registry.entries].filter((entry) => !entry.hasEnded).map((entry) => entry.view);
  const [only] = living;
  if (!only) throw new OrchdError('ORCHD_SESSION_UNKNOWN', 'no session is running');
  if (living.length === 1) return only;
  const candidates = living.slice(0, MAX_CANDIDATES).map(({ id, name }) => `${id} (${name})`);
  throw new OrchdError(
    'ORCHD_AMBIGUOUS',
    `none was attached to since the daemon started, and ${living.length} sessions run: ${candidates.join(', ')}`,
    { candidates },
  );
}

const MAX_CANDIDATES = 10;

/** @throws {OrchdError} ORCHD_SESSION_ENDED, ORCHD_NO_TERMINAL */
function typedTo(registry: Registry, selector: string): SessionEntry {
  const entry = registry.session(selector);
  if (entry.hasEnded) throw new OrchdError('ORCHD_SESSION_ENDED', `session '${entry.view.name}' has ended`);
  entry.needTerminal();
  return entry;
}

/** Types immediately, whatever the input line contains. Text that stays there without Enter is a draft. */
async function press(host: () => HostClient, entry: SessionEntry, steps: readonly WriteStep[], isSent = false) {
  const writeId = makeId('write', randomBytes(10));
  const text = steps.map((step) => ('text' in step ? step.text : '')).join('');
  const takeBack = entry.pressed(text, isSent);
  try {
    await host().call('write', { sessionId: entry.id, writeId, steps });
  } catch (error) {
    takeBack();
    throw error;
  }
  return { write_id: writeId, bytes: Buffer.byteLength(text) };
}

/**
 * Types a text and Enter. For an agent, it waits until the composer is drawn, empty and uncovered. It also waits for
 * the end of a person's draft.
 *
 * @throws {OrchdError} ORCHD_NOT_READY if that does not happen in time; nothing is typed then.
 */
async function typeLine(typist: Typist, entry: SessionEntry, text: string, waitMs: number, caller: Caller) {
  const writeId = makeId('write', randomBytes(10));
  const signal = withDeadline(caller.signal, waitMs);
  let reason: StallReason | null = null;
  let unsent: string | undefined;
  const onWait = (held: StallReason, seen?: string): void => {
    reason = held;
    if (held === 'not_submitted') unsent = seen ?? text;
  };
  const isTyped = await typist.type(entry, { writeId, text, onWait, signal });
  if (isTyped) return { write_id: writeId, bytes: Buffer.byteLength(text), ...(unsent !== undefined && { unsent }) };
  if (entry.hasEnded) throw new OrchdError('ORCHD_SESSION_ENDED', `session '${entry.view.name}' has ended`);
  const why = (WAIT_WORDS[reason ?? 'not_ready'] ?? '').replaceAll('NAME', entry.view.name);
  throw new OrchdError('ORCHD_NOT_READY', `nothing was typed: '${entry.view.name}' ${why}`, { reason });
}

const WAIT_WORDS: Readonly<Partial<Record<StallReason, string>>> = {
  not_ready: 'has not drawn its composer yet',
  agent_busy: 'still works on its turn',
  composer_busy:
    'has something else in its input line, or a dialog over it: submit it or delete it (`orchd keys NAME Enter`, ' +
    '`orchd keys NAME C-u`), or send with --now',
};

/** @throws {OrchdError} ORCHD_TIMEOUT; ORCHD_SESSION_ENDED if the state cannot be reached any more. */
async function waitFor(
  { registry, hub }: SessionPorts,
  input: InputOf<'session.wait'>,
  caller: Caller,
): Promise<Session> {
  const entry = registry.session(input.session);
  const until = input.until;
  const signal = input.timeout_ms === undefined ? caller.signal : withDeadline(caller.signal, input.timeout_ms);
  const reader = hub.reader({ since: undefined, sessionId: entry.id }, signal);
  for (;;) {
    const { view } = entry;
    if (view.state === until || (until === 'exited' && view.ended_at !== null)) return view;
    if (view.ended_at !== null) {
      throw new OrchdError(
        'ORCHD_SESSION_ENDED',
        `session '${view.name}' ended as '${view.state}' and will not be '${until}'`,
      );
    }
    const lines = await reader.read(true);
    if (lines === null) {
      throw new OrchdError('ORCHD_TIMEOUT', `session '${view.name}' was still '${view.state}' and not '${until}'`);
    }
    // A short state may have been missed between two checks; the log contains it.
    if (lines.some((line) => reached(parseLine(line) as unknown as Event, until)))
      return { ...entry.view, state: until };
  }
}

const reached = (event: Event, until: State): boolean =>
  event.event_type === 'session_state_changed' && event.state === until;
