import { randomBytes } from 'node:crypto';
import type { WriteStep } from '../../host/index.js';
import { knownGaps } from '../../host/index.js';
import { type StallReason, typeable } from '../../lifecycle/index.js';
import { type Event, type InputOf, makeId, OrchdError, type Session, type State } from '../../protocol/index.js';
import { parseLine } from '../../store/index.js';
import { keyBytes } from '../../terminal/index.js';
import { sentWords } from '../answers/index.js';
import { withDeadline } from '../concurrency/index.js';
import type { SessionEntry } from '../registry/index.js';
import type { Caller, Handlers, House } from './context.js';

/** How long an agent's start may take on a busy machine. */
const SEND_WAIT_MS = 60_000;

export const sessionHandlers = {
  'session.start': async (house, input, caller) => house.sessions.start(input, caller.session),
  'session.list': async (house, { all = true }) =>
    house.registry.sessions().filter((session) => all || session.ended_at === null),
  'session.show': async (house, { session }) => house.registry.session(session).shown,
  'session.last': async (house) => lastSession(house),
  'session.kill': async (house, { session, grace_ms = house.killGraceMs }, caller) => {
    const entry = house.registry.session(session);
    if (!entry.hasEnded) await house.sessions.kill(entry, grace_ms, nameOf(caller));
    house.runs.cancelChildren(entry.id);
    return entry.view;
  },
  'session.revive': async (house, { session, ...input }) => house.sessions.revive(session, input),
  'session.restart': async (house, { session, grace_ms = house.killGraceMs, ...input }, caller) =>
    house.sessions.restart(session, input, grace_ms, nameOf(caller)),
  'session.remove': async (house, { session }) => house.prune.remove(house.registry.session(session)),
  'session.rename': async (house, { session, name }) => {
    const entry = house.registry.session(session);
    if (name !== entry.view.name) {
      await entry.apply({ kind: 'renamed', name: house.registry.freeName(name, ''), time: Date.now() });
    }
    return entry.view;
  },
  'session.resize': async (house, { session, size }) => {
    const entry = house.registry.session(session);
    await house.terminals.resize(entry, size);
    await house.outbox.drain();
    return entry.view;
  },
  'session.send': async (house, { session, text, enter = true, wait_ms = SEND_WAIT_MS }, caller) => {
    const entry = typedTo(house, session);
    const clean = typeable(text);
    await house.answers.checkLines(entry, clean);
    const type = async () => {
      if (!enter) return press(house, entry, [{ text: clean }], true);
      const line = sentWords(house, entry, clean);
      if (wait_ms === 0) return press(house, entry, await house.typist.steps(entry, line));
      return typeLine(house, entry, line, wait_ms, caller);
    };
    return { ...(await type()), removed: text.replaceAll('\r\n', '\n').length - clean.length };
  },
  'session.keys': async (house, { session, keys }) => {
    const entry = typedTo(house, session);
    const { hasApplicationCursor } = entry.keeper ?? (await house.screenOf(entry)).screen;
    const text = keys.map((key) => keyBytes(key, hasApplicationCursor)).join('');
    return press(house, entry, [{ text }]);
  },
  'session.capture': async (house, { session, ansi = false, scrollback = 0 }) => {
    const entry = house.registry.session(session);
    const { screen } = await house.screenOf(entry);
    const rows = screen.look({ from: -scrollback, ansi });
    const missing = knownGaps(house.paths.journalsDir, entry.id);
    return {
      text: rows.map((row) => `${row}\n`).join(''),
      size: { cols: screen.cols, rows: screen.rows },
      cursor: { ...screen.cursor },
      title: screen.title,
      alternate: screen.isAlternate,
      ...(missing.length > 0 && { missing: [...missing] }),
    };
  },
  'session.wait': waitFor,
} satisfies Partial<Handlers>;

/** Returns the name of the client that ends a session: the calling session, or the kind of client. */
const nameOf = ({ session, client }: Caller): string => session?.id ?? client;

/** @throws {OrchdError} ORCHD_SESSION_UNKNOWN, ORCHD_AMBIGUOUS */
function lastSession({ registry, terminals }: House): Session {
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
function typedTo(house: House, selector: string): SessionEntry {
  const entry = house.registry.session(selector);
  if (entry.hasEnded) throw new OrchdError('ORCHD_SESSION_ENDED', `session '${entry.view.name}' has ended`);
  entry.needTerminal();
  return entry;
}

/** Types immediately, whatever the input line contains. Text that stays there without Enter is a draft. */
async function press(house: House, entry: SessionEntry, steps: readonly WriteStep[], isSent = false) {
  const writeId = makeId('write', randomBytes(10));
  const text = steps.map((step) => ('text' in step ? step.text : '')).join('');
  const takeBack = entry.pressed(text, isSent);
  try {
    await house.host().call('write', { sessionId: entry.id, writeId, steps });
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
async function typeLine(house: House, entry: SessionEntry, text: string, waitMs: number, caller: Caller) {
  const writeId = makeId('write', randomBytes(10));
  const signal = withDeadline(caller.signal, waitMs);
  let reason: StallReason | null = null;
  let unsent: string | undefined;
  const onWait = (held: StallReason, seen?: string): void => {
    reason = held;
    if (held === 'not_submitted') unsent = seen ?? text;
  };
  const isTyped = await house.typist.type(entry, { writeId, text, onWait, signal });
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
async function waitFor(house: House, input: InputOf<'session.wait'>, caller: Caller): Promise<Session> {
  const entry = house.registry.session(input.session);
  const until = input.until;
  const signal = input.timeout_ms === undefined ? caller.signal : withDeadline(caller.signal, input.timeout_ms);
  const reader = house.hub.reader({ since: undefined, sessionId: entry.id }, signal);
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
