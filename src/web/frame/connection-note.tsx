/** Shows whether the page is connected, and what its browser may do. */
import { useLive } from '../live/live.js';

const CONNECTION_WORDS = { connecting: 'Connecting…', live: 'Live', away: 'Daemon away' } as const;
const ROLE_WORDS = { read: 'may read', answer: 'may answer', all: '' } as const;

export function ConnectionNote() {
  const { connection, device } = useLive();
  const role = ROLE_WORDS[device.role];
  return (
    <div className="connection">
      <span className={`dot ${connection}`} aria-hidden="true" />
      <span>{CONNECTION_WORDS[connection]}</span>
      {role !== '' && <span className="muted">· {role}</span>}
    </div>
  );
}
