/** All that is known of a session, as names and values. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import {
  bytesText,
  displayText,
  type Session,
  stepsOfSession,
  stepsWords,
  usageWords,
} from '../../../protocol/index.js';
import { useOperation } from '../../live/live.js';

/** A longer value is cut. */
const MAX_CHARS = 4_000;

export function SessionFacts({ session }: { readonly session: Session }) {
  const status = useOperation(['status'], 'daemon.status', {}).data;
  const journal = status?.journals?.find(({ session_id }) => session_id === session.id);
  const { last_error, last_completion, hints = [], progress } = session;
  const steps = stepsWords(stepsOfSession(session));
  const link = (to: string, id: string | null | undefined): ReactNode => id && <Link href={`/${to}/${id}`}>{id}</Link>;
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Progress', progress === null ? null : `${Math.round(progress)} %`],
    ['Step', session.current_step],
    ['Steps', steps === '' ? null : steps],
    ['Steps done', session.completed_steps?.length ? session.completed_steps.join('\n') : null],
    ['Error', last_error && `${last_error.severity}: ${last_error.message}`],
    ['Complete', last_completion?.summary],
    ['Files', last_completion?.filesChanged?.join('\n')],
    ['Commit', last_completion?.commitHash],
    ['Tags', session.tags?.join(' ')],
    ['Command', session.command.join(' ')],
    ['Folder', session.cwd],
    ['Adapter', session.adapter],
    ['Process', session.ended_at === null ? String(session.pid) : `${session.pid}, ended`],
    ['Exit', session.signal ?? (session.exit_code === null ? null : `code ${session.exit_code}`)],
    ['Started', new Date(session.created_at).toLocaleString()],
    ['Ended', session.ended_at && new Date(session.ended_at).toLocaleString()],
    ['Size', `${session.size.cols}×${session.size.rows}${session.mode === 'batch' ? ', on pipes' : ''}`],
    ['Usage', session.usage ? usageWords(session.usage) : null],
    ['Recording', journal ? bytesText(journal.bytes) : null],
    ['Transcript', session.transcript === 'none' ? null : session.transcript.replace('_', ' ')],
    ['Conversation', session.agent_session_id],
    ['Key', session.key_required ? 'messages need the key' : null],
    ['Hints', hints.length === 0 ? null : hints.map(({ seen, message }) => `${seen}: ${message}`).join('\n')],
    ['Started by', link('sessions', session.parent_session_id)],
    ['Run', link('runs', session.run_id)],
    ['Workflow', link('workflows', session.workflow_id)],
    ['Session', session.id],
  ];
  return (
    <dl className="facts session-facts">
      {facts.map(
        ([name, value]) =>
          value != null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="mono">{typeof value === 'string' ? displayText(value.slice(0, MAX_CHARS)) : value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
