/** Admits sessions whose programs have started: the first time, and again when an ended one is revived. */
import { timestamp } from '../../lifecycle/index.js';
import { newSession, type Session } from '../../protocol/index.js';
import { repositoryOf } from '../git/index.js';
import type { ProgramStarted } from '../program/index.js';
import { type EntryPorts, newRecord, type Registry, SessionEntry, type SessionNote } from '../registry/index.js';
import type { StoredCursor } from './followed-session.js';
import { type RevivalPlan, revivalOf } from './revive.js';

interface AdmitPorts {
  readonly registry: Registry;
  readonly entryPorts: EntryPorts;
}

interface Admission {
  readonly id: Session['id'];
  readonly note: SessionNote;
  readonly command: readonly string[];
  readonly cwd: string;
  readonly pid: number;
  readonly size: { cols: number; rows: number };
  readonly time: number;
}

type Started = Pick<ProgramStarted, 'note' | 'pid' | 'from'> & { readonly time: number };

/** Registers a session whose program runs, and announces it. */
export async function admitSession(
  { registry, entryPorts }: AdmitPorts,
  { id, note, command, cwd, pid, size, time }: Admission,
): Promise<SessionEntry> {
  const project = repositoryOf(cwd);
  const session: Session = {
    ...newSession({
      id,
      cwd,
      pid,
      size,
      name: note.name,
      adapter: note.adapter,
      command: [...(note.command ?? command)],
      key_required: note.keyRequired,
      parent_session_id: note.parent,
      created_at: timestamp(time),
      mode: note.mode ?? 'pty',
    }),
    ...(note.agent && { agent_session_id: note.agent.sessionId, transcript: 'waiting' }),
    ...(note.runId !== undefined && { run_id: note.runId }),
    ...(project !== null && { project }),
    ...(note.tags && { tags: [...note.tags] }),
  };
  const entry = new SessionEntry(newRecord(session, note.tokenHash, note.scrollbackLines), entryPorts);
  registry.add(entry);
  const { name, adapter, mode, key_required, parent_session_id, command: given } = session;
  await entry.announce(
    {
      event_type: 'session_started',
      timestamp: session.created_at,
      session_id: id,
      name,
      adapter,
      mode,
      command: given,
      cwd,
      pid,
      size,
      key_required,
      parent_session_id,
      ...(project !== null && { project }),
      ...(session.tags && { tags: session.tags }),
    },
    { sessionId: id, position: 0, checkpoint: null },
  );
  return entry;
}

/** Stores a start that is not the session's first. */
export function admitAgain(
  entry: SessionEntry,
  { note, pid, from, time }: Started,
  plan: Pick<RevivalPlan, 'how' | 'argv'>,
  size: Session['size'],
): Promise<void> {
  const known = entry.aggregate.session.agent_session_id;
  return entry.revive(
    { position: from, time },
    note.tokenHash,
    revivalOf({ ...plan, known }, note, { pid, size, from }),
  );
}

/** Returns the cursor at its newest start. */
export const cursorAt = ({ id, start }: SessionEntry): StoredCursor => ({
  sessionId: id,
  position: start.position,
  checkpoint: null,
});
