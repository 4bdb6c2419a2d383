/**
 * Operations on the life of sessions, their labels and their screens, and `session.wait`. Those that type are in
 * session-typing.ts, and those on the working directory in session-changes.ts.
 */
import { knownGaps } from '../../host/index.js';
import {
  type Event,
  type InputOf,
  needFewCells,
  OrchdError,
  type OutputOf,
  type Paths,
  type Session,
  type State,
} from '../../protocol/index.js';
import type { ScreenKeeper } from '../../session/index.js';
import { parseLine } from '../../store/index.js';
import { type Caller, nameOf, repeatableId } from '../access/index.js';
import { inSlices, withDeadline } from '../concurrency/index.js';
import type { Prune } from '../disk/index.js';
import type { EventBus, Outbox } from '../events/index.js';
import { environmentFor } from '../program/index.js';
import type { Registry, SessionEntry } from '../registry/index.js';
import type { Runs } from '../runs/index.js';
import type { Sessions } from '../sessions/index.js';
import type { Terminals } from '../terminals/index.js';
import type { Handlers } from './handler.js';

export interface SessionPorts {
  readonly paths: Paths;
  readonly registry: Registry;
  readonly sessions: Sessions;
  readonly runs: Runs;
  readonly terminals: Terminals;
  readonly bus: EventBus;
  readonly outbox: Outbox;
  readonly now: () => number;
  readonly prune: Prune;
  /** Returns a session's screen with all output read so far. */
  readonly screenOf: (entry: SessionEntry) => Promise<ScreenKeeper>;
  /** Milliseconds between TERM and KILL. Callers may override it. */
  readonly killGraceMs: number;
}

export const sessionHandlers = (ports: SessionPorts) => {
  const { now, registry, sessions, runs, terminals, outbox, prune, killGraceMs } = ports;
  return {
    'session.start': async (input, caller) => {
      const id = repeatableId('session', caller);
      const made = id === undefined ? undefined : registry.get(id);
      if (made) return made.view;
      const env = await environmentFor(caller);
      return sessions.start({ ...input, ...env }, caller.session, id === undefined ? {} : { id });
    },
    'session.list': async ({ all = true, tag }) =>
      registry
        .sessions()
        .filter(({ ended_at }) => all || ended_at === null)
        .filter(({ tags }) => tag === undefined || tags?.includes(tag)),
    'session.show': async ({ session }) => registry.session(session).shown,
    'session.last': async () => lastSession(ports),
    'session.kill': async ({ session, grace_ms = killGraceMs }, caller) => {
      const entry = registry.session(session);
      if (entry.hasEnded) await sessions.endRest(entry);
      else await sessions.kill(entry, grace_ms, nameOf(caller));
      runs.cancelChildren(entry.id);
      return entry.shown;
    },
    'session.revive': async ({ session, ...input }) => sessions.revive(session, input),
    'session.restart': async ({ session, grace_ms = killGraceMs, ...input }, caller) =>
      sessions.restart(session, input, grace_ms, nameOf(caller)),
    'session.remove': async ({ session, forever = false }) => {
      const entry = registry.session(session);
      if (forever) await sessions.dropUnheard(entry);
      return prune.remove(entry, forever);
    },
    'session.rename': async ({ session, name }) => {
      const entry = registry.session(session);
      if (name !== entry.view.name) {
        await entry.apply({ kind: 'renamed', name: registry.freeName(name, ''), time: now() });
      }
      return entry.view;
    },
    'session.tag': async ({ session, add = [], remove = [] }) => {
      const entry = registry.session(session);
      const { tags: before = [] } = entry.aggregate.session;
      const tags = [...new Set([...before, ...add])].filter((tag) => !remove.includes(tag));
      if (tags.length > MAX_TAGS)
        throw new OrchdError('ORCHD_INVALID', `a session has at most ${MAX_TAGS} tags, not ${tags.length}`);
      await entry.apply({ kind: 'tagged', tags, time: now() });
      return entry.view;
    },
    'session.resize': async ({ session, size }) => {
      const entry = registry.session(session);
      await terminals.resize(entry, needFewCells(size));
      await outbox.drain();
      return entry.view;
    },
    'session.capture': async (input) => capture(ports, input),
    'session.wait': async (input, caller) => waitFor(ports, input, caller),
  } satisfies Partial<Handlers>;
};

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
    `say which session: ${living.length} run, and none was attached since the daemon started: ${candidates.join(', ')}`,
    { candidates },
  );
}

const MAX_CANDIDATES = 10;
const MAX_TAGS = 16;

async function capture(
  { registry, paths, screenOf }: SessionPorts,
  { session, ansi = false, scrollback = 0 }: InputOf<'session.capture'>,
): Promise<OutputOf<'session.capture'>> {
  const entry = registry.session(session);
  const { screen } = await screenOf(entry);
  const { cols, rows, cursor, title, isAlternate } = screen;
  const missing = knownGaps(paths.journalsDir, entry.id);
  const look = screen.startLook({ from: -scrollback, ansi });
  await inSlices((isOver) => look.goOn(isOver));
  return {
    text: look.rows.map((row) => `${row}\n`).join(''),
    size: { cols, rows },
    cursor,
    title,
    alternate: isAlternate,
    ...(missing.length > 0 && { missing: [...missing] }),
  };
}

/** @throws {OrchdError} ORCHD_TIMEOUT; ORCHD_SESSION_ENDED if the state cannot be reached any more. */
async function waitFor(
  { registry, bus }: SessionPorts,
  input: InputOf<'session.wait'>,
  caller: Caller,
): Promise<Session> {
  const entry = registry.session(input.session);
  const until = input.until;
  const signal = input.timeout_ms === undefined ? caller.signal : withDeadline(caller.signal, input.timeout_ms);
  const reader = bus.reader({ since: undefined, sessionId: entry.id }, signal);
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
    // A state that lasted only a moment may have been missed between two checks. The log contains it.
    if (lines.some((line) => reached(parseLine(line) as unknown as Event, until)))
      return { ...entry.view, state: until };
  }
}

const reached = (event: Event, until: State): boolean =>
  event.event_type === 'session_state_changed' && event.state === until;
