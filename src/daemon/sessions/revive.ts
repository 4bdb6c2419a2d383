/**
 * Revivals: determines how an ended session would be started again, or why it cannot be.
 *
 * A program without conversations is started as it was the first time. An agent is started so that it resumes its
 * conversation; it never starts a new one unless a person asks for that. Its command, directory, name, key and
 * instructions are those of its first start, from its journal. The environment was not stored, because it contains
 * secrets; the caller's environment is used.
 */

import type { Revival } from '../../lifecycle/index.js';
import { OrchdError, type Paths, type RevivalHow, revivable, type Session } from '../../protocol/index.js';
import type { Adapter } from '../../session/index.js';
import { readBeginning, type SessionEntry, type SessionNote, type StartOptions } from '../registry/index.js';

export interface RevivalPlan {
  readonly how: RevivalHow;
  readonly adapter: Adapter;
  readonly argv: readonly string[];
  readonly wish: StartOptions;
  readonly key: string | undefined;
}

/**
 * @param isFresh True if an agent begins a new conversation.
 * @throws {OrchdError} ORCHD_NOT_REVIVABLE
 */
export async function planRevival(
  { journalsDir }: Pick<Paths, 'journalsDir'>,
  entry: SessionEntry,
  isFresh: boolean,
): Promise<RevivalPlan> {
  const { requireAdapter } = await import('../../session/index.js');
  const { session } = entry.aggregate;
  if (session.imported) throw refusal(session, 'it is a recording');
  if (session.workflow_id !== undefined) throw refusal(session, 'it never had a program: a workflow asks in it');
  if (session.mode === 'batch') throw refusal(session, 'it ran in batch mode, with an input that was given once');
  const adapter = requireAdapter(session.adapter);
  const beginning = readBeginning(journalsDir, entry.id, entry.start.position);
  if (!beginning) throw refusal(session, 'its journal is gone');
  const { note, key, start } = beginning;
  if (start.pid === RECORDED) throw refusal(session, 'it is a recording, and never ran here');
  const rest = { adapter, key, wish: note.wish ?? { isNamed: false, teach: false } };
  const how = revivable(session);
  if (how === 'program') return { ...rest, how, argv: session.command };
  if (isFresh) return { ...rest, how: 'fresh', argv: session.command };
  const { agent_session_id: conversation } = session;
  if (conversation === null || !canBeResumed(conversation) || !adapter.start) {
    throw refusal(session, `its conversation is not known, so ${adapter.label} cannot go on with it`);
  }
  return { ...rest, how: 'conversation', argv: adapter.start.resume(session.command, conversation) };
}

/** False for an id that the agent would parse as an option. The id comes from the agent's own files. */
export const canBeResumed = (conversation: string): boolean => /^[A-Za-z0-9][\w.:-]{0,127}$/.test(conversation);
/** The pid of an imported recording. */
const RECORDED = 0;

/** Returns the description of a start for the log. */
export function revivalOf(
  { how, argv, known }: Pick<RevivalPlan, 'how' | 'argv'> & { readonly known: string | null },
  { agent }: SessionNote,
  started: Pick<Revival, 'pid' | 'size' | 'from'>,
): Revival {
  return {
    ...started,
    how,
    command: argv,
    agentSessionId: how === 'conversation' ? known : (agent?.sessionId ?? null),
    transcript: agent ? 'waiting' : 'none',
  };
}

const refusal = ({ name }: Session, why: string): OrchdError =>
  new OrchdError('ORCHD_NOT_REVIVABLE', `session '${name}' cannot be revived: ${why}`);
