/** A session of another machine of the hub: what it is, its open items, and its screen as that machine sends it. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { costWords, displayText, isAlive, type OutputOf, subjectOf } from '../../protocol/index.js';
import { useLive } from '../live/live.js';
import { type OtherSession, useMachines } from '../live/machines.js';
import { Age } from '../parts/age.js';
import { Empty } from '../parts/empty.js';
import { ErrorNote } from '../parts/error-note.js';
import { Facts } from '../parts/facts.js';
import { ScrollRegion } from '../parts/scroll-region.js';
import { BackLink } from '../parts/split.js';
import { line } from '../parts/words.js';
import { StateMark } from './session-list.js';

const BEAT_MS = 3_000;

/** @param id  `build/ses_…` */
export function OtherSessionPage({ id }: { readonly id: string }) {
  const { device } = useLive();
  const { sessions, items } = useMachines();
  const other = sessions.find(({ session }) => session.id === id);
  const head = (
    <>
      <BackLink href="/sessions" isAlways />
      <h1 className="cut">{other ? line(other.session.name, 80) : 'Session'}</h1>
    </>
  );
  if (!other) {
    return (
      <>
        <header className="page-head">{head}</header>
        <Empty title="This session does not run" command={`orchd show ${line(id, 120)}`}>
          It has ended, or its machine is on the hub no more. Its machine keeps its recording.
        </Empty>
      </>
    );
  }
  const { machine, away, session } = other;
  const open = items.filter(({ item }) => `${machine}/${item.session_id}` === id);
  return (
    <>
      <header className="page-head">
        {head}
        <StateMark session={session} />
        {away !== '' && <span className="pill tone-warn">{away}</span>}
        <span className="grow" />
        <Age since={session.created_at} />
      </header>
      <div className="page-body">
        <div className="sheet">
          {open.map(({ item }) => (
            <p key={item.id} className="notice warn">
              <Link href={`/inbox/${machine}/${item.id}`}>{line(subjectOf(item), 200)}</Link>
            </p>
          ))}
          {device.role !== 'read' && isAlive(session) && away === '' && <Screen other={other} />}
          <Facts
            facts={[
              ['Machine', line(machine, 80)],
              ['Folder', line(session.cwd, 400)],
              ['Program', line(session.command.join(' '), 200)],
              ['Step', session.current_step && line(session.current_step, 200)],
              ['Cost', costWords(session.usage)],
              ['In a terminal', `orchd capture ${line(session.name, 120)}`],
            ]}
          />
        </div>
      </div>
    </>
  );
}

/** The screen of the session, while its machine shares screens. */
function Screen({ other: { machine, session } }: { readonly other: OtherSession }) {
  const { api } = useLive();
  const { data, error } = useQuery({
    queryKey: ['other-screen', session.id],
    queryFn: async ({ signal }) => {
      const input = { session: session.id.slice(machine.length + 1) };
      const { output } = await api.call('hub.call', { machine, operation: 'session.capture', input }, signal);
      return output as OutputOf<'session.capture'> | undefined; // the operation determines its shape
    },
    refetchInterval: ({ state }) => (state.error ? false : BEAT_MS),
    retry: false,
  });
  if (data) {
    return (
      <ScrollRegion className="block" label={`Screen of ${line(session.name, 60)}`}>
        <pre>{displayText(data.text)}</pre>
      </ScrollRegion>
    );
  }
  return error ? <ErrorNote error={error} /> : <p className="muted">Loading the screen…</p>;
}
