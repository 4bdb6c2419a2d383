/** A session of another machine of the hub: its terminal over the hub; its open items, messages and facts beside it. */
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { costWords, type Item, isAlive, shownState, subjectOf } from '../../../protocol/index.js';
import { useKeys } from '../../browser/use-keys.js';
import { useReading } from '../../browser/use-reading.js';
import { useSearchState } from '../../browser/use-search-state.js';
import { ItemMark } from '../../inbox/item-mark.js';
import { useLive } from '../../live/live.js';
import { type OtherSession, useMachines } from '../../live/machines.js';
import { Age } from '../../parts/age.js';
import { Empty } from '../../parts/empty.js';
import { Facts } from '../../parts/facts.js';
import { ScrollRegion } from '../../parts/scroll-region.js';
import { BackLink } from '../../parts/split.js';
import { StatePill } from '../../parts/state-pill.js';
import { Tabs } from '../../parts/tabs.js';
import { line } from '../../text/label-text.js';
import { NoOpenItems } from './open-items.js';
import { ControlButton } from './session-buttons.js';
import { OtherMessages } from './session-messages.js';

const TABS = ['messages', 'details'] as const;
const TAB_WORDS = { messages: 'Messages', details: 'Details' } as const;

const LiveTerminal = lazy(() => import('../../terminal/live-terminal.js'));

/** @param id  `build/ses_…` */
export function OtherSessionPage({ id }: { readonly id: string }) {
  const { sessions, items } = useMachines();
  const other = sessions.find(({ session }) => session.id === id);
  const back = <BackLink href="/sessions" isAlways />;
  if (!other) {
    return (
      <>
        <header className="page-head">
          {back}
          <h1 className="cut">Session</h1>
        </header>
        <Empty title="This session does not run" command={`orchd show ${line(id, 120)}`}>
          It has ended, or its machine is on the hub no more. Its machine keeps its recording.
        </Empty>
      </>
    );
  }
  const open = items.filter(({ machine, item }) => `${machine}/${item.session_id}` === id).map(({ item }) => item);
  return <ShownOther other={other} items={open} back={back} />;
}

interface ShownProps {
  readonly other: OtherSession;
  readonly items: readonly Item[];
  readonly back: ReactNode;
}

function ShownOther({ other, items, back }: ShownProps) {
  const { machine, away, session } = other;
  const { device } = useLive();
  const [, go] = useLocation();
  const [isInControl, setControl] = useState(false);
  const [tabName, setTab] = useSearchState('tab', 'messages');
  const tab = TABS.find((one) => one === tabName) ?? 'messages';
  const canControl = device.role === 'all' && isAlive(session) && session.mode !== 'batch';
  useEffect(() => {
    if (!canControl) setControl(false);
  }, [canControl]);
  const [isReading, place] = useReading();
  useKeys({
    escape: () => go('/sessions'),
    ...(canControl && { enter: () => setControl(true) }),
    d: () => setTab(tab === 'details' ? 'messages' : 'details'),
  });
  const state = shownState(session);
  return (
    <div className="session">
      <header className="page-head wraps">
        {back}
        <h1 className="cut session-title">{line(session.name, 80)}</h1>
        <StatePill badge={state} word={state.words} />
        {away !== '' && <span className="pill tone-warn">{away}</span>}
        <Age since={session.created_at} />
        <span className="grow" />
        {canControl && <ControlButton isInControl={isInControl} onControl={setControl} />}
      </header>
      <div className="session-body">
        <OtherTerminal other={other} isInControl={isInControl} onControl={setControl} />
        <aside className="session-side" aria-label="About the session">
          <Tabs
            label="About the session"
            className="session-tabs"
            tabs={TABS.map((id) => ({ id, words: TAB_WORDS[id] }))}
            chosen={tab}
            onChoose={setTab}
          />
          <ScrollRegion label={`${TAB_WORDS[tab]} of the session`} className="session-side-body" place={place}>
            {tab === 'messages' && (
              <OtherMessages machine={machine} session={session.id.slice(machine.length + 1)} isReading={isReading} />
            )}
            {tab === 'details' && (
              <Facts
                facts={[
                  ['Machine', line(machine, 80)],
                  ['Folder', line(session.cwd, 400)],
                  ['Program', line(session.command.join(' '), 200)],
                  ['Step', session.current_step && line(session.current_step, 200)],
                  ['Cost', costWords(session.usage)],
                  ['Command', `orchd attach ${line(session.name, 120)}`],
                ]}
              />
            )}
          </ScrollRegion>
          {items.length === 0 ? (
            <NoOpenItems session={session} />
          ) : (
            <section className="open-items" aria-label="Open questions">
              {items.map((item) => (
                <div key={item.id} className="open-line">
                  <ItemMark item={item} />
                  <Link href={`/inbox/${machine}/${item.id}`} className="cut grow">
                    {line(subjectOf(item), 200)}
                  </Link>
                  <Age since={item.opened_at} />
                </div>
              ))}
            </section>
          )}
        </aside>
      </div>
    </div>
  );
}

interface TerminalProps {
  readonly other: OtherSession;
  readonly isInControl: boolean;
  readonly onControl: (isInControl: boolean) => void;
}

/** The terminal, while its machine shares screens. */
function OtherTerminal({ other: { machine, session }, isInControl, onControl }: TerminalProps) {
  /** Why the machine shows no terminal. */
  const [refusal, setRefusal] = useState<string | null>(null);
  /** Why the machine does not let this page type. */
  const [noControl, setNoControl] = useState<string | null>(null);
  /** Why the machine cannot be reached now. */
  const [lost, setLost] = useState<string | null>(null);
  useEffect(() => {
    if (isInControl) setNoControl(null);
  }, [isInControl]);
  const onClosed = (reason: string, isLost: boolean): void => {
    if (isLost) setLost(reason);
    else if (!isInControl) setRefusal(reason);
    else {
      setNoControl(reason);
      onControl(false);
    }
  };
  if (refusal !== null) {
    return (
      <div className="session-terminal">
        <Empty title={`No terminal of ${line(machine, 60)}`}>{line(refusal, 600)}</Empty>
      </div>
    );
  }
  const { cols, rows } = session.size;
  return (
    <div className="session-terminal">
      {lost !== null && (
        <p className="notice warn" role="status">
          {line(machine, 60)} cannot be reached: {line(lost, 300)}. The page tries again.
        </p>
      )}
      {noControl !== null && <p className="notice warn">{line(noControl, 600)}</p>}
      <Suspense fallback={<div className="live-terminal" aria-busy="true" />}>
        <LiveTerminal
          session={session.id.slice(machine.length + 1)}
          machine={machine}
          label={line(session.name, 60)}
          isInControl={isInControl}
          isReadable
          onLeave={() => onControl(false)}
          onClosed={onClosed}
          onShown={() => setLost(null)}
        />
      </Suspense>
      <p className="terminal-note muted">
        {isInControl ? (
          <>
            Your keys go to the program on {line(machine, 60)}. <kbd>Ctrl</kbd> <kbd>Shift</kbd> <kbd>L</kbd> gives
            control back.
          </>
        ) : (
          `Read-only, over the hub, in the session's own size of ${cols}×${rows}.`
        )}
      </p>
    </div>
  );
}
