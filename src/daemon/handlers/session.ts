/**
 * Handlers of the operations on sessions and on the trash, such as start, kill, send, resize and capture. They find the
 * session by its selector, check what was typed, and pass the request to the parts of the daemon.
 */
import { createHash, randomBytes } from 'node:crypto';
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
  SEND_WAIT_MS,
  type Session,
  type State,
  type WriteId,
} from '../../protocol/index.js';
import type { ScreenKeeper } from '../../session/index.js';
import { parseLine } from '../../store/index.js';
import { keyBytes } from '../../terminal/index.js';
import { type Caller, nameOf, repeatableId } from '../access/index.js';
import { type Answers, sentWords, type Typist } from '../answers/index.js';
import { inSlices, withDeadline } from '../concurrency/index.js';
import type { Prune, Trash } from '../disk/index.js';
import type { EventBus, Outbox } from '../events/index.js';
import { changesIn, commitIn, discardIn, mergeFrom, type WorktreeSizes } from '../git/index.js';
import { environmentFor, loginEnvironment } from '../program/index.js';
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
  readonly answers: Answers;
  readonly typist: Typist;
  readonly host: () => HostClient;
  readonly bus: EventBus;
  readonly outbox: Outbox;
  readonly now: () => number;
  readonly prune: Prune;
  readonly trash: Trash;
  readonly worktrees: Pick<WorktreeSizes, 'forget'>;
  /** Returns a session's screen with all output read so far. */
  readonly screenOf: (entry: SessionEntry) => Promise<ScreenKeeper>;
  /** Milliseconds between TERM and KILL. Callers may override it. */
  readonly killGraceMs: number;
}

export const sessionHandlers = (ports: SessionPorts) => {
  const {
    now,
    registry,
    sessions,
    runs,
    terminals,
    answers,
    typist,
    host,
    outbox,
    prune,
    trash,
    worktrees,
    screenOf,
    paths,
    killGraceMs,
  } = ports;
  /** An act that failed may have changed something, too. */
  const changing = <T>(act: Promise<T>): Promise<T> => act.finally(() => worktrees.forget());
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
    'trash.list': async () => trash.list(),
    'trash.restore': async ({ removed }) => trash.restore(removed),
    'trash.delete': async ({ removed }) => trash.erase(removed),
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
    'session.send': async ({ session, text, enter = true, wait_ms = SEND_WAIT_MS }, caller) => {
      const entry = typedTo(registry, session);
      const clean = typeable(text);
      await answers.checkLines(entry, clean);
      const type = async () => {
        const writeId = writeIdOf(caller);
        if (!enter) return press(host, entry, writeId, [{ text: clean }], true);
        const line = sentWords(ports, entry, clean);
        if (wait_ms === 0) return press(host, entry, writeId, await typist.steps(entry, line), true);
        return typeLine(typist, entry, writeId, line, wait_ms, caller);
      };
      return { ...(await type()), removed: text.replaceAll('\r\n', '\n').length - clean.length };
    },
    'session.keys': async ({ session, keys }, caller) => {
      const entry = typedTo(registry, session);
      const { hasApplicationCursor } = entry.keeper ?? (await screenOf(entry)).screen;
      const text = keys.map((key) => keyBytes(key, hasApplicationCursor)).join('');
      return press(host, entry, writeIdOf(caller), [{ text }]);
    },
    'session.capture': async ({ session, ansi = false, scrollback = 0 }) => {
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
    },
    'session.changes': async ({ session, patch = false }) => changesIn(registry.session(session).view.cwd, patch),
    'session.commit': async ({ session, message, no_hooks = false, env = loginEnvironment() }) =>
      changing(commitIn(registry.session(session).view.cwd, { message, env, noHooks: no_hooks })),
    'session.merge': async ({ session }) => changing(mergeFrom(registry.session(session).view.cwd)),
    'session.discard': async ({ session }) => {
      const { view } = registry.session(session);
      const inUse = [...registry.entries].filter((entry) => !entry.hasEnded).map((entry) => entry.view.cwd);
      return changing(discardIn(view.cwd, view.name, inUse, new Date(now())));
    },
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
    `none was attached to since the daemon started, and ${living.length} sessions run: ${candidates.join(', ')}`,
    { candidates },
  );
}

const MAX_CANDIDATES = 10;
const MAX_TAGS = 16;

/** @throws {OrchdError} ORCHD_SESSION_ENDED, ORCHD_NO_TERMINAL */
function typedTo(registry: Registry, selector: string): SessionEntry {
  const entry = registry.session(selector);
  if (entry.hasEnded) throw new OrchdError('ORCHD_SESSION_ENDED', `session '${entry.view.name}' has ended`);
  entry.needTerminal();
  return entry;
}

/** Returns the same id for a repetition of a request. The host types a write only once. */
const writeIdOf = ({ requestKey }: Caller): WriteId =>
  makeId('write', requestKey === null ? randomBytes(10) : createHash('sha256').update(requestKey).digest());

/** Types immediately, even if the input line already contains text. Text that is left without Enter becomes a draft. */
async function press(
  host: () => HostClient,
  entry: SessionEntry,
  writeId: WriteId,
  steps: readonly WriteStep[],
  isSent = false,
) {
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
async function typeLine(
  typist: Typist,
  entry: SessionEntry,
  writeId: WriteId,
  text: string,
  waitMs: number,
  caller: Caller,
) {
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
  queued: 'gets another text first',
  part_left:
    'shows a part of the last text in its input line: delete it (`orchd keys NAME C-u`), press Enter if the program ' +
    'only shows it, or send with --now',
  composer_busy:
    'has something else in its input line, or a dialog over it: submit it or delete it (`orchd keys NAME Enter`, ' +
    '`orchd keys NAME C-u`), or send with --now',
};

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
