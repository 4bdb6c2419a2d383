/** Recovers the sessions after a restart of the daemon, from the stored state and from what the host still runs. */
import { type HostSession, PASSED_OVER } from '../../host/index.js';
import { asId } from '../../protocol/index.js';
import type { StoredState } from '../../store/index.js';
import type { Answers } from '../answers/index.js';
import { repositoryOf } from '../git/index.js';
import { passOverDue } from '../guard/index.js';
import { type Registry, readBeginning, SessionEntry, type SessionRecord } from '../registry/index.js';
import type { ToolMessages } from '../tools/index.js';
import { admitAgain, admitSession, cursorAt } from './admit.js';
import type { CatchingUp } from './catching-up.js';
import type { StoredCursor } from './followed-session.js';
import type { Following, FollowingPorts } from './following.js';
import { endOrphans, outlivesHost, STRAY_GRACE_MS } from './orphans.js';

export interface RecoveryPorts extends FollowingPorts {
  readonly answers: Answers;
  readonly catchingUp: CatchingUp;
  /** The tool calls, which continue for each session once its journal is read. */
  readonly messages: Pick<ToolMessages, 'resume'>;
}

interface Recovery {
  readonly state: StoredState;
  /** The sessions that the host runs. */
  readonly hosted: readonly HostSession[];
  /** How long to wait until all journals are read. The remaining ones are read in the background. */
  readonly waitMs: number;
}

/**
 * Recovers all sessions: living ones, those that ended while no daemon ran, those that the log does not know yet, and
 * lost ones.
 */
export async function recoverSessions(
  ports: RecoveryPorts,
  following: Following,
  { state, hosted, waitMs }: Recovery,
): Promise<void> {
  const { registry, entryPorts, log } = ports;
  const cursors = new Map(state.cursors.map((cursor) => [cursor.sessionId, cursor]));
  // The store returns rows as orchd wrote them.
  for (const { value } of state.sessions) {
    const entry = new SessionEntry(withProject(value as SessionRecord), entryPorts);
    registry.add(entry);
    const { id: sessionId, view } = entry;
    // The stored state has no cursor for a session whose cursor was damaged.
    if (!cursors.has(sessionId))
      cursors.set(sessionId, { sessionId, position: view.journal_position, checkpoint: null });
  }
  for (const { value } of state.items) {
    const item = value as Parameters<Registry['setItem']>[0]; // only orchd writes rows
    registry.setItem(item, registry.session(item.session_id));
  }
  const holds = new Map(hosted.map((session) => [session.sessionId, session]));
  await passOverDue(ports, hosted, (id, { from, to }) => {
    const entry = registry.get(id);
    // Ranges before the cursor are announced here; later ones are announced when reading reaches them.
    const isRead = to <= (cursors.get(id)?.position ?? 0);
    if (entry && isRead) void following.noteDamage(entry, from, to, PASSED_OVER);
  });
  const hearing = new Map<SessionEntry, Promise<void>>();
  const orphans = [...registry.entries].filter((entry) => outlivesHost(entry) && !holds.has(entry.id));
  await endOrphans(ports, ports.host(), orphans);
  for (const entry of [...registry.entries]) {
    if (entry.hasEnded) continue;
    const known = holds.get(entry.id);
    try {
      const reader = await following.follow(entry, cursors.get(entry.id));
      entry.isGone = known?.exited ?? true;
      if (known) reader.grew(known.position);
      else hearing.set(entry, following.lose(entry, reader, 'the host that held it is gone'));
    } catch (error) {
      // An error in one session must not prevent the recovery of the others.
      log.error('a session cannot be followed', error, { session_id: entry.id });
    }
  }
  for (const session of hosted) {
    const entry = registry.get(session.sessionId);
    if (!entry) await adopt(ports, following, session);
    else if (entry.hasEnded) await takeBack(ports, following, { entry, session, cursor: cursors.get(entry.id) });
  }
  for (const entry of registry.entries) {
    if (entry.reader && !hearing.has(entry)) hearing.set(entry, entry.reader.caughtUp());
  }
  const { answers, messages, transcripts, catchingUp, guard } = ports;
  guard.started(new Set([...hearing.keys()].map(({ id }) => id)));
  for (const [entry, read] of hearing) void read.finally(() => guard.finished(entry.id)).catch(() => {});
  // If the disk is full, the rest is read when there is space. Until then, clients get an error.
  await catchingUp.hear(hearing, waitMs, ports.outbox.whenFull(), (entry) => {
    answers.resume(entry);
    messages.resume(entry);
    if (entry.reader && !entry.hasEnded) void transcripts.follow(entry);
  });
  log.info('recovered', {
    sessions: state.sessions.length,
    living: hosted.length,
    behind: catchingUp.behind.sessions,
  });
}

/** Adds the project to the record of a session that an orchd of before 2026-11-27 has started. */
function withProject(record: SessionRecord): SessionRecord {
  const { session } = record.book;
  // The directory of an imported session may be that of another machine.
  if (session.project !== undefined || session.imported === true) return record;
  const project = repositoryOf(session.cwd);
  return project === null ? record : { ...record, book: { ...record.book, session: { ...session, project } } };
}

/** Adopts a session that a previous daemon started but did not store before it died. */
async function adopt(ports: RecoveryPorts, following: Following, { sessionId, position }: HostSession): Promise<void> {
  const beginning = readBeginning(ports.paths.journalsDir, sessionId);
  if (!beginning) {
    ports.log.error('a session of the host has no beginning in its journal; it is ended', undefined, {
      session_id: sessionId,
    });
    await ports.host().call('kill', { sessionId, graceMs: STRAY_GRACE_MS });
    return;
  }
  const { note, start } = beginning;
  const { command, cwd, pid, cols, rows, time } = start;
  const id = asId('session', sessionId);
  const entry = await admitSession(ports, { id, note, command, cwd, pid, size: { cols, rows }, time });
  (await following.follow(entry, undefined)).grew(position);
}

/**
 * Handles a session that the host still has although the log says that it ended. A previous daemon may have revived
 * it and died before storing that.
 */
async function takeBack(
  ports: RecoveryPorts,
  following: Following,
  { entry, session, cursor }: { entry: SessionEntry; session: HostSession; cursor: StoredCursor | undefined },
): Promise<void> {
  const { position } = session;
  const again = readBeginning(ports.paths.journalsDir, entry.id, cursor?.position);
  if (!again?.note.how || again.start.position <= entry.start.position) {
    return following.releaseLate(entry, cursor, position);
  }
  const { note, start } = again;
  const { pid, cols, rows, time, position: from, command } = start;
  await admitAgain(
    entry,
    { note, pid, from, time },
    { how: again.note.how, argv: note.agent?.argv ?? command },
    { cols, rows },
  );
  (await following.follow(entry, cursorAt(entry))).grew(position);
}
