/** One session: its terminal, its questions and messages beside it, and what can be done with it. */
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import {
  costWords,
  displayText,
  isAlive,
  messageWords,
  type Session,
  shownState,
  stepsOfSession,
  stepsWords,
  usageWords,
} from '../../protocol/index.js';
import { useKeys } from '../browser/use-keys.js';
import { useNarrow } from '../browser/use-narrow.js';
import { useSearchState } from '../browser/use-search-state.js';
import { AnswerForm } from '../inbox/answer-form.js';
import { ItemMark } from '../inbox/item-mark.js';
import { useLive, useOperation } from '../live/live.js';
import { Age } from '../parts/age.js';
import { Empty } from '../parts/empty.js';
import { ErrorNote } from '../parts/error-note.js';
import { Icon } from '../parts/icon.js';
import { Refusal } from '../parts/refusal.js';
import { toneOf } from '../parts/tone.js';
import { line } from '../text/label-text.js';
import { Markdown } from '../text/markdown.js';
import { ControlButton } from './control-button.js';
import { EditDialog, type Edited } from './edit-dialog.js';
import { type Act, ActDialog, restartWord, type SessionActs, useSessionActs } from './session-acts.js';
import { SessionChanges } from './session-changes.js';
import { SessionMessages } from './session-messages.js';

const LiveTerminal = lazy(() => import('../terminal/live-terminal.js'));

export function SessionPage({ id }: { readonly id: string }) {
  const { data: session, error, refetch } = useOperation(['session', id], 'session.show', { session: id });
  const back = (
    <Link href="/sessions" className="button quiet icon-button" aria-label="Back to the sessions">
      <Icon name="back" />
    </Link>
  );
  if (!session) {
    return (
      <>
        <header className="page-head">
          {back}
          <h1>Session</h1>
        </header>
        {error && (
          <Empty title="This session is not there">
            <ErrorNote error={error} onRetry={() => void refetch()} />
          </Empty>
        )}
      </>
    );
  }
  return <ShownSession session={session} back={back} />;
}

const TABS = ['messages', 'changes', 'details'] as const;
const TAB_WORDS = { messages: 'Messages', changes: 'Changes', details: 'Details' } as const;

function ShownSession({ session, back }: { readonly session: Session; readonly back: ReactNode }) {
  const { device } = useLive();
  const { id, name } = session;
  const [isInControl, setControl] = useState(false);
  const [closed, setClosed] = useState<string | null>(null);
  const [edited, setEdited] = useState<Edited | null>(null);
  const [tabName, setTab] = useSearchState('tab', 'messages');
  const tab = TABS.find((one) => one === tabName) ?? 'messages';
  const [, go] = useLocation();
  const acts = useSessionActs((act) => {
    if (act === 'remove') go('/sessions');
  });
  const isLiving = isAlive(session);
  const hasTerminal = session.workflow_id === undefined;
  const canAct = device.role === 'all';
  const canControl = canAct && isLiving && hasTerminal && session.mode !== 'batch';
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
        <h1 className="cut session-title">{line(name, 80)}</h1>
        <span className={`pill ${toneOf(state)}`}>
          <span aria-hidden="true">{state.mark}</span> {state.words}
        </span>
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
          {hasTerminal ? (
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
                  onLeave={() => setControl(false)}
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
          ) : (
            <Empty title="It has no terminal">It asks the questions of a workflow.</Empty>
          )}
        </div>
        <aside className="session-side" aria-label="About the session">
          <OpenItems session={id} count={session.open_items} />
          <div className="tabs session-tabs" role="tablist" aria-label="About the session">
            {TABS.map((one) => (
              <button key={one} type="button" role="tab" aria-selected={one === tab} onClick={() => setTab(one)}>
                {TAB_WORDS[one]}
              </button>
            ))}
          </div>
          {tab === 'messages' && <SessionMessages session={id} />}
          {tab === 'changes' && <SessionChanges session={id} />}
          {tab === 'details' && <Details session={session} />}
        </aside>
      </div>
      <ActDialog acts={acts} />
      {edited && <EditDialog session={session} edited={edited} onClose={() => setEdited(null)} />}
    </div>
  );
}

interface ButtonsProps {
  readonly session: Session;
  readonly acts: SessionActs;
  readonly canAct: boolean;
  readonly canControl: boolean;
  readonly isInControl: boolean;
  readonly onControl: (isInControl: boolean) => void;
  readonly onEdit: (edited: Edited) => void;
}

function SessionButtons({ session, acts, canAct, canControl, isInControl, onControl, onEdit }: ButtonsProps) {
  const isLiving = isAlive(session);
  const isNarrow = useNarrow();
  const [isOpen, setOpen] = useState(false);
  const canRestart = session.mode !== 'batch' && session.imported !== true && session.workflow_id === undefined;
  return (
    <div className="row wraps">
      {canControl && <ControlButton isInControl={isInControl} onControl={onControl} />}
      <Link href={`/recordings/${session.id}`} className="button">
        <Icon name="play" /> Recording
      </Link>
      {canAct && isNarrow && (
        <button
          type="button"
          className="button quiet icon-button"
          aria-label="More actions"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="more" />
        </button>
      )}
      {canAct && (!isNarrow || isOpen) && (
        <>
          <button type="button" className="button quiet" title="Rename (r)" onClick={() => onEdit('name')}>
            Rename
          </button>
          <button type="button" className="button quiet" title="Tags (T)" onClick={() => onEdit('tags')}>
            Tags
          </button>
          {canRestart && (
            <button
              type="button"
              className="button quiet"
              title="Start again (R)"
              disabled={acts.isPending}
              onClick={() => acts.start('restart', [session])}
            >
              {restartWord(session)}
            </button>
          )}
          {isLiving ? (
            <button
              type="button"
              className="button quiet danger"
              title="End the program (K)"
              disabled={acts.isPending}
              onClick={() => acts.start('kill', [session])}
            >
              End
            </button>
          ) : (
            <button
              type="button"
              className="button quiet danger"
              title="Remove the session (X)"
              disabled={acts.isPending}
              onClick={() => acts.start('remove', [session])}
            >
              Remove
            </button>
          )}
        </>
      )}
    </div>
  );
}

/** The open questions of the session, answered in place. */
function OpenItems({ session, count }: { readonly session: string; readonly count: number }) {
  const { data: items } = useOperation(['inbox'], 'inbox.list', { session }, count > 0);
  if (count === 0 || !items) return null;
  return (
    <section className="open-items" aria-label="Open questions">
      {items.map((item, at) => (
        <article key={item.id} className="open-item">
          <div className="row">
            <ItemMark item={item} />
            <Link href={`/inbox/${item.id}`} className="grow">
              It waits for you
            </Link>
            <Age since={item.opened_at} />
          </div>
          <Markdown text={messageWords(item).subject} />
          {/* The keys of a form belong to one question. */}
          {at === 0 && <AnswerForm item={item} />}
        </article>
      ))}
    </section>
  );
}

function Details({ session }: { readonly session: Session }) {
  const status = useOperation(['status'], 'daemon.status', {}).data;
  const journal = status?.journals?.find(({ session_id }) => session_id === session.id);
  const { last_error, last_completion, hints = [], progress } = session;
  const steps = stepsWords(stepsOfSession(session));
  const facts: readonly (readonly [string, string | null | undefined])[] = [
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
    ['Recording', journal ? `${(journal.bytes / 1e6).toFixed(1)} MB` : null],
    ['Transcript', session.transcript === 'none' ? null : session.transcript.replace('_', ' ')],
    ['Conversation', session.agent_session_id],
    ['Key', session.key_required ? 'messages need the key' : null],
    ['Hints', hints.length === 0 ? null : hints.map(({ seen, message }) => `${seen}: ${message}`).join('\n')],
    ['Started by', session.parent_session_id],
    ['Run', session.run_id],
    ['Workflow', session.workflow_id],
    ['Session', session.id],
  ];
  return (
    <dl className="facts session-facts">
      {facts.map(
        ([name, value]) =>
          value != null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="mono">{displayText(value.slice(0, MOST_CHARS))}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

const MOST_CHARS = 4_000;
