/** The sessions: all of them as a table, as cards or as live terminals, or one of them. */
import { useQuery } from '@tanstack/react-query';
import { type Dispatch, type SetStateAction, useCallback, useMemo, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { type ChangeSize, isAlive, MAX_SCREENS, type Session } from '../../protocol/index.js';
import { stepKeys, stepped, useKeys } from '../browser/use-keys.js';
import { useHeldOrder, useReading } from '../browser/use-reading.js';
import { useSearchState } from '../browser/use-search-state.js';
import { useLive, useOperation } from '../live/live.js';
import { type OtherSession, useMachines } from '../live/machines.js';
import { Empty } from '../parts/empty.js';
import { ErrorNote, Refusal } from '../parts/error-note.js';
import { line } from '../text/label-text.js';
import { EditDialog, type Edited } from './edit-dialog.js';
import { ListHead, useListChoice, type View } from './list-head.js';
import { OtherSessionPage } from './session/other-session-page.js';
import { SessionPage } from './session/session-page.js';
import { type Act, ActDialog, fitting, useSessionActs } from './session-acts.js';
import { SessionGrid } from './session-grid.js';
import { SessionCards, SessionTable } from './session-list.js';
import { machineOf, type Shown, sessionRows, sessionsShown } from './session-rows.js';
import { StartDialog } from './start-dialog.js';
import { TrashBar } from './trash-bar.js';
import '../styles/sessions.css';
import '../styles/session.css';

export default function SessionsPage({ rest }: { readonly rest: string }) {
  if (rest === '') return <SessionsList />;
  return rest.includes('/') ? <OtherSessionPage key={rest} id={rest} /> : <SessionPage key={rest} id={rest} />;
}

function SessionsList() {
  const { device } = useLive();
  const changes = useChanges();
  const others = useMachines().sessions;
  const choice = useListChoice(others.length > 0);
  const { view, shown, filter } = choice;
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const [newName, setNew] = useSearchState('new');
  const search = useRef<HTMLInputElement>(null);
  const [, go] = useLocation();
  const acts = useSessionActs(() => setMarked(new Set()));
  const { list, all, rows, listed, grid, place } = useListed(choice, others, marked);
  const { data: sessions, error, refetch } = list;
  const away = useMemo(() => new Map(others.map((one) => [one.session.id, one.away])), [others]);
  const ended = all.filter((session) => !isAlive(session)).length;
  const count = all.length + others.length;
  const counts: Readonly<Record<Shown, number>> = { running: count - ended, ended, all: count };
  const canAct = device.role === 'all';
  const selection = useSelection({ all, listed, others, marked, setMarked });
  const { selected, targets, refusal, onTargets, mark, step } = selection;
  const [editing, setEditing] = useState<{ readonly session: Session; readonly edited: Edited } | null>(null);
  const edit = (edited: Edited) => onTargets(([session]) => session && setEditing({ session, edited }));
  const act = (name: Act) => () => acts.start(name, targets);
  useKeys({
    ...stepKeys(step),
    enter: () => selected !== null && go(`/sessions/${selected}`),
    escape: () => setMarked(new Set()),
    '/': () => search.current?.focus(),
    v: choice.nextGrouping,
    c: choice.nextView,
    ...(canAct && {
      n: () => setNew('session'),
      ' ': selection.markSelected,
      r: edit('name'),
      T: edit('tags'),
      R: onTargets(act('restart')),
      K: onTargets(act('kill')),
      X: onTargets(act('remove')),
    }),
  });

  return (
    <div className="sessions" ref={place}>
      <ListHead choice={choice} counts={counts} search={search} {...(canAct && { onNew: () => setNew('session') })} />
      {marked.size > 0 && <MarkedBar targets={targets} onAct={act} onClear={() => setMarked(new Set())} />}
      {canAct && <TrashBar />}
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {acts.error && <ErrorNote error={acts.error} />}
      <Refusal words={refusal || acts.refusal} />
      {sessions && listed.length === 0 && view !== 'terminals' && <Nothing filter={filter} shown={shown} />}
      {view === 'terminals' ? (
        <SessionGrid sessions={grid} />
      ) : (
        listed.length > 0 && (
          <List
            view={view}
            rows={rows}
            selected={selected}
            marked={marked}
            onMark={mark}
            canMark={canAct}
            changes={changes}
            away={away}
          />
        )
      )}
      <ActDialog acts={acts} />
      <StartDialog
        isOpen={canAct && newName !== ''}
        onClose={() => setNew('')}
        onStarted={({ id }) => go(`/sessions/${id}`)}
      />
      {editing && <EditDialog {...editing} onClose={() => setEditing(null)} />}
    </div>
  );
}

interface SelectionOptions {
  /** The sessions of this machine. */
  readonly all: readonly Session[];
  /** The sessions that the list shows, in its order. */
  readonly listed: readonly Session[];
  readonly others: readonly OtherSession[];
  readonly marked: ReadonlySet<string>;
  readonly setMarked: Dispatch<SetStateAction<ReadonlySet<string>>>;
}

/** The session that the keys j and k have chosen, the marked sessions, and the effect of keys on them. */
function useSelection({ all, listed, others, marked, setMarked }: SelectionOptions) {
  const [selected, setSelected] = useState<string | null>(null);
  /** The reason why the last key had no effect; empty if it had one. */
  const [refusal, setRefusal] = useState('');
  const isTarget = ({ id }: Session): boolean => (marked.size > 0 ? marked.has(id) : id === selected);
  const targets = all.filter(isTarget); // none of another machine
  const elsewhere = marked.size > 0 ? undefined : others.find(({ session }) => session.id === selected);
  /** Wraps the effect of a key on the chosen sessions of this machine. */
  const onTargets = (run: (targets: readonly Session[]) => void) => (): void => {
    setRefusal(
      targets.length > 0 ? '' : elsewhere ? elsewhereWords(elsewhere) : 'Choose a session first, with j and k.',
    );
    if (targets.length > 0) run(targets);
  };
  const mark = useCallback(
    (id: string): void =>
      setMarked((before) => {
        const next = new Set(before);
        if (!next.delete(id)) next.add(id);
        return next;
      }),
    [setMarked],
  );
  const step = (by: number): void => {
    const at = listed.findIndex(({ id }) => id === selected);
    setRefusal('');
    setSelected(stepped(listed, at, by)?.id ?? null);
  };
  const markSelected = (): void => {
    if (all.some(({ id }) => id === selected)) mark(selected ?? '');
    step(1);
    if (selected !== null && machineOf({ id: selected }) !== null)
      setRefusal('Only sessions of this machine can be marked.');
  };
  return { selected, targets, refusal, onTargets, mark, markSelected, step };
}

/** Returns the sessions of this machine, and what of all sessions the chosen view shows, in its order. */
function useListed(
  { view, shown, grouping, filter }: ReturnType<typeof useListChoice>,
  others: readonly OtherSession[],
  marked: ReadonlySet<string>,
) {
  const list = useOperation(['sessions'], 'session.list', {});
  const all = list.data ?? NO_SESSIONS;
  const [isReading, place] = useReading();
  const { held, keep } = useHeldOrder(isReading, `${view} ${shown} ${grouping} ${filter}`);
  const rows = useMemo(() => {
    const found = [...all, ...others.map((one) => one.session)];
    return sessionRows(found, { shown, grouping, filter, held });
  }, [all, others, shown, grouping, filter, held]);
  const listed = useMemo(() => rows.flatMap((row) => (row.kind === 'session' ? [row.session] : [])), [rows]);
  const grid = view === 'terminals' ? gridOf(all, marked, filter, held) : NO_SESSIONS;
  keep((view === 'terminals' ? grid : listed).map(({ id }) => id));
  return { list, all, rows, listed, grid, place };
}

const NO_SESSIONS: readonly Session[] = [];

/** No event tells that files have changed. The daemon looks every few seconds. */
const BEAT_MS = 10_000;

/** Returns the changes of the sessions in worktrees of their own, by id. */
function useChanges(): ReadonlyMap<string, ChangeSize> {
  const { api } = useLive();
  const { data } = useQuery({
    queryKey: ['status', 'changes'],
    queryFn: async ({ signal }) => (await api.call('daemon.status', {}, signal)).changes ?? [],
    refetchInterval: BEAT_MS,
  });
  return useMemo(() => new Map(data?.map((change) => [change.session_id, change])), [data]);
}

function elsewhereWords({ machine, session }: OtherSession): string {
  const [there, name] = [line(machine, 60), line(session.name, 80)];
  return `${name} runs on ${there}. Here you can open it, read it and answer it; change it in orchd on ${there}.`;
}

const List = ({ view, ...list }: { readonly view: View } & Parameters<typeof SessionTable>[0]) =>
  view === 'cards' ? <SessionCards {...list} /> : <SessionTable {...list} />;

/** Returns the marked sessions; without marks, the waiting ones come first. */
function gridOf(
  sessions: readonly Session[],
  marked: ReadonlySet<string>,
  filter: string,
  held: readonly string[],
): readonly Session[] {
  const chosen = marked.size > 0 ? sessions.filter(({ id }) => marked.has(id)) : sessions;
  return sessionsShown(chosen, { shown: 'running', filter, held: marked.size > 0 ? [] : held })
    .filter(({ workflow_id }) => workflow_id === undefined)
    .slice(0, MAX_SCREENS);
}

interface MarkedBarProps {
  readonly targets: readonly Session[];
  readonly onAct: (act: Act) => () => void;
  readonly onClear: () => void;
}

function MarkedBar({ targets, onAct, onClear }: MarkedBarProps) {
  const acts = [
    ['restart', 'Start again'],
    ['kill', 'End'],
    ['remove', 'Remove'],
  ] as const;
  return (
    <div className="marked-bar" role="toolbar" aria-label="Marked sessions">
      <strong>{targets.length} marked</strong>
      {acts.map(([act, word]) => {
        const count = fitting(act, targets).length;
        return (
          <button key={act} type="button" className="button" disabled={count === 0} onClick={onAct(act)}>
            {word} {count > 0 && count < targets.length ? `(${count})` : ''}
          </button>
        );
      })}
      <span className="grow" />
      <button type="button" className="button quiet" onClick={onClear}>
        Clear
      </button>
    </div>
  );
}

function Nothing({ filter, shown }: { readonly filter: string; readonly shown: Shown }) {
  if (filter !== '') {
    return (
      <Empty title="No session fits the filter">
        It looks in names, programs, folders, states and steps. <Link href="/sessions?show=all">Show all sessions</Link>
      </Empty>
    );
  }
  if (shown === 'ended')
    return <Empty title="No session has ended yet">Ended sessions keep their recordings here.</Empty>;
  return (
    <Empty title="Nothing runs" command={'orchd run -- claude\norchd demo'}>
      A session is a program in a terminal that orchd keeps: an agent, a shell, a build. Press n to start one here, or
      use a terminal:
    </Empty>
  );
}
