/** The page of a session: its terminal, its questions and messages beside it, and what can be done with it. */
import { type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { costWords, isAlive, type Session, shownState, usageWords } from '../../../protocol/index.js';
import { useKeys } from '../../browser/use-keys.js';
import { useSearchState } from '../../browser/use-search-state.js';
import { useLive, useOperation } from '../../live/live.js';
import { Age } from '../../parts/age.js';
import { ErrorNote, NotThere, Refusal } from '../../parts/error-note.js';
import { BackLink } from '../../parts/split.js';
import { StatePill } from '../../parts/state-pill.js';
import { line } from '../../text/label-text.js';
import { EditDialog, type Edited } from '../edit-dialog.js';
import { type Act, ActDialog, useSessionActs } from '../session-acts.js';
import { SessionButtons } from './session-buttons.js';
import { SidePanel, TABS } from './side-panel.js';
import { TerminalPane } from './terminal-pane.js';

export function SessionPage({ id }: { readonly id: string }) {
  const { data: session, error, refetch } = useOperation(['session', id], 'session.show', { session: id });
  const back = <BackLink href="/sessions" isAlways label="Back to the sessions" />;
  if (!session) {
    return (
      <>
        <header className="page-head">
          {back}
          <h1>Session</h1>
        </header>
        {error ? (
          <NotThere title="This session is not there" error={error} onRetry={() => void refetch()} />
        ) : (
          <div className="session-body" aria-busy="true">
            <div className="session-terminal" />
            <aside className="session-side" aria-label="About the session" data-settling="true" />
          </div>
        )}
      </>
    );
  }
  return <ShownSession session={session} back={back} />;
}

function ShownSession({ session, back }: { readonly session: Session; readonly back: ReactNode }) {
  const { device } = useLive();
  const [isInControl, setControl] = useState(false);
  const [edited, setEdited] = useState<Edited | null>(null);
  const [tabName, setTab] = useSearchState('tab', 'messages');
  const tab = TABS.find((one) => one === tabName) ?? 'messages';
  const [, go] = useLocation();
  const acts = useSessionActs((act) => {
    if (act === 'remove') go('/sessions');
  });
  const canAct = device.role === 'all';
  const canControl = canAct && isAlive(session) && session.workflow_id === undefined && session.mode !== 'batch';
  useEffect(() => {
    if (!canControl) setControl(false);
  }, [canControl]);
  const edit = (what: Edited) => () => setEdited(what);
  const act = (name: Act) => () => acts.start(name, [session]);
  const toggleChanges = (): void => setTab(tab === 'changes' ? 'messages' : 'changes');
  useKeys({
    escape: () => go('/sessions'),
    ...(canControl && { enter: () => setControl(true) }),
    ...(canAct && {
      r: edit('name'),
      T: edit('tags'),
      R: act('restart'),
      K: act('kill'),
      X: act('remove'),
    }),
    d: () => setTab(tab === 'details' ? 'messages' : 'details'),
    D: toggleChanges,
  });
  const state = shownState(session);
  return (
    <div className="session">
      <header className="page-head wraps">
        {back}
        <h1 className="cut session-title">{line(session.name, 80)}</h1>
        <StatePill badge={state} word={state.words} />
        <Age since={session.ended_at ?? session.created_at} />
        {session.usage && (
          <span className="muted" title={usageWords(session.usage)}>
            {costWords(session.usage)}
          </span>
        )}
        <span className="grow" />
        <SessionButtons
          session={session}
          acts={acts}
          canAct={canAct}
          canControl={canControl}
          isInControl={isInControl}
          onControl={setControl}
          onEdit={setEdited}
        />
      </header>
      {acts.error && <ErrorNote error={acts.error} />}
      <Refusal words={acts.refusal} />
      <div className="session-body">
        <div className="session-terminal">
          <TerminalPane session={session} isInControl={isInControl} onLeave={() => setControl(false)} />
        </div>
        <SidePanel session={session} tab={tab} onTab={setTab} />
      </div>
      <ActDialog acts={acts} />
      {edited && <EditDialog session={session} edited={edited} onClose={() => setEdited(null)} />}
    </div>
  );
}
