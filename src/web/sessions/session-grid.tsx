/** Up to nine living terminals side by side, read-only. */
import { lazy, Suspense } from 'react';
import { Link } from 'wouter';
import { MAX_SCREENS, type Session } from '../../protocol/index.js';
import { Empty } from '../parts/empty.js';
import { line } from '../text/label-text.js';
import { StateMark } from './session-list.js';

const LiveTerminal = lazy(() => import('../terminal/live-terminal.js'));

/** Number of lines above each screen. The session's own page has more. */
const SCROLLBACK = 200;

export function SessionGrid({ sessions }: { readonly sessions: readonly Session[] }) {
  const shown = sessions.slice(0, MAX_SCREENS);
  if (shown.length === 0) {
    return (
      <Empty title="No terminal to show">
        The grid shows up to nine sessions that run, those that wait for you first. Mark sessions to choose them.
      </Empty>
    );
  }
  const columns = Math.ceil(Math.sqrt(shown.length));
  return (
    <ul className="terminal-grid" data-columns={columns}>
      {shown.map((session) => (
        <li key={session.id} className="terminal-cell" data-waits={session.open_items > 0}>
          <Link href={`/sessions/${session.id}`} className="terminal-cell-head">
            <StateMark session={session} />
            <span className="session-name cut grow">{line(session.name, 60)}</span>
            {session.open_items > 0 && <span className="count">{session.open_items}</span>}
          </Link>
          <Suspense fallback={<div className="live-terminal" aria-busy="true" />}>
            <LiveTerminal
              session={session.id}
              label={line(session.name, 60)}
              isInControl={false}
              scrollback={SCROLLBACK}
            />
          </Suspense>
        </li>
      ))}
    </ul>
  );
}
