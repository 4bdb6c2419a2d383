/** The terminal of a session, live while it runs, with a line that says where keys go. */
import { lazy, Suspense, useState } from 'react';
import { isAlive, type Session } from '../../../protocol/index.js';
import { Empty } from '../../parts/empty.js';
import { line } from '../../text/label-text.js';

const LiveTerminal = lazy(() => import('../../terminal/live-terminal.js'));

interface TerminalPaneProps {
  readonly session: Session;
  readonly isInControl: boolean;
  readonly onLeave: () => void;
}

export function TerminalPane({ session, isInControl, onLeave }: TerminalPaneProps) {
  const { id, name } = session;
  /** The reason why the stream was closed. */
  const [closed, setClosed] = useState<string | null>(null);
  const isLiving = isAlive(session);
  if (session.workflow_id !== undefined) {
    return <Empty title="It has no terminal">It asks the questions of a workflow.</Empty>;
  }
  return (
    <>
      {closed !== null && closed !== '' && <p className="notice warn">{line(closed, 300)}</p>}
      <Suspense fallback={<div className="live-terminal" aria-busy="true" />}>
        <LiveTerminal
          // A program that is started again has a new stream.
          key={`${id}-${isLiving}`}
          session={id}
          label={line(name, 60)}
          isInControl={isInControl}
          isReadable
          onLeave={onLeave}
          onClosed={setClosed}
        />
      </Suspense>
      <p className="terminal-note muted">
        {isInControl ? (
          <>
            Your keys go to the program. <kbd>Ctrl</kbd> <kbd>Shift</kbd> <kbd>L</kbd> gives control back.
          </>
        ) : isLiving ? (
          `Read-only, in the session's own size of ${session.size.cols}×${session.size.rows}.`
        ) : (
          'The last screen. The recording has all of it.'
        )}
      </p>
    </>
  );
}
