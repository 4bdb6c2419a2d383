/** The inbox: the questions of all sessions, and their answers. */
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { type Item, subjectOf } from '../../protocol/index.js';
import { useOperation } from '../live/live.js';
import { Age } from '../parts/age.js';
import { Empty } from '../parts/empty.js';
import { ErrorNote } from '../parts/error-note.js';
import { useKeys } from '../parts/use-keys.js';
import { line } from '../parts/words.js';
import { answerLine } from './answer-words.js';
import { ItemDetail } from './item-detail.js';
import { ItemMark } from './item-mark.js';
import { NotifyButton } from './notify.js';

/** Maximum number of closed items that stay in the list of open ones while the page is open. */
const MOST_RECENT = 10;
/** Maximum number of closed items in the list of answered ones, newest first. */
const MOST_CLOSED = 200;

export function InboxPage({ rest }: { readonly rest: string }) {
  const isAnswered = new URLSearchParams(useSearch()).get('show') === 'answered';
  const [, go] = useLocation();
  const open = useOperation(['inbox'], 'inbox.list', { stalled: true });
  const all = useOperation(['inbox'], 'inbox.list', { all: true }, isAnswered);
  const recent = useRecent(open.data);
  const waiting = open.data ?? [];
  const closed = (all.data ?? [])
    .filter(({ state }) => state !== 'open')
    .reverse()
    .slice(0, MOST_CLOSED);
  const ids = isAnswered ? closed.map(({ id }) => id) : [...waiting.map(({ id }) => id), ...recent];
  const search = isAnswered ? '?show=answered' : '';
  const to = (id: string): string => `/inbox${id === '' ? '' : `/${id}`}${search}`;
  // A wide page shows the first item beside the list. A phone shows the list until one is chosen.
  const shownId = rest !== '' ? rest : isWide() ? (ids[0] ?? '') : '';
  const step = (by: number): void => {
    const at = ids.indexOf(shownId);
    const next = ids[at < 0 ? 0 : Math.min(Math.max(at + by, 0), ids.length - 1)];
    if (next !== undefined) go(to(next), { replace: rest !== '' });
  };
  useKeys({
    ...{ j: () => step(1), arrowdown: () => step(1) },
    ...{ k: () => step(-1), arrowup: () => step(-1) },
    escape: () => go(to('')),
  });
  const query = isAnswered ? all : open;

  return (
    <div className={`inbox ${rest === '' ? 'at-list' : 'at-item'}`}>
      <section className="inbox-list" aria-label="Questions">
        <header className="page-head">
          <h1>Inbox</h1>
          <div className="tabs" role="tablist" aria-label="Which questions">
            <Link role="tab" aria-selected={!isAnswered} href="/inbox">
              Open
            </Link>
            <Link role="tab" aria-selected={isAnswered} href="/inbox?show=answered">
              Closed
            </Link>
          </div>
          <span className="grow" />
          <NotifyButton />
        </header>
        <div className="page-body">
          {query.error && <ErrorNote error={query.error} onRetry={() => void query.refetch()} />}
          {query.data && ids.length === 0 && <NothingHere isAnswered={isAnswered} />}
          <ul className="items">
            {(isAnswered ? closed : waiting).map((item) => (
              <ItemRow key={item.id} item={item} href={to(item.id)} isShown={item.id === shownId} />
            ))}
            {!isAnswered && recent.map((id) => <RecentRow key={id} id={id} href={to(id)} isShown={id === shownId} />)}
          </ul>
        </div>
      </section>
      <section className="inbox-item" aria-label="Question">
        {shownId !== '' && <ItemDetail key={shownId} id={shownId} listHref={to('')} />}
      </section>
    </div>
  );
}

const isWide = (): boolean => matchMedia('(min-width: 960px)').matches;

function NothingHere({ isAnswered }: { readonly isAnswered: boolean }) {
  if (isAnswered)
    return <Empty title="Nothing was answered yet">Answered and withdrawn questions are kept here.</Empty>;
  return (
    <Empty title="No agent waits for you" command={'orchd run -- claude\norchd demo'}>
      When an agent asks a question, is blocked, or wants a review, it appears here at once. Start an agent, or watch
      the demo ask:
    </Empty>
  );
}

/** Returns the ids of the items that have closed since the page was opened, newest first. */
function useRecent(open: readonly Item[] | undefined): readonly string[] {
  const seen = useRef(new Set<string>());
  const [recent, setRecent] = useState<readonly string[]>([]);
  useEffect(() => {
    if (!open) return;
    const ids = new Set(open.map(({ id }) => id));
    const closed = [...seen.current].filter((id) => !ids.has(id));
    for (const id of closed) seen.current.delete(id);
    for (const id of ids) seen.current.add(id);
    setRecent((before) => {
      const kept = before.filter((id) => !ids.has(id));
      if (closed.length === 0 && kept.length === before.length) return before;
      return [...closed.reverse(), ...kept].slice(0, MOST_RECENT);
    });
  }, [open]);
  return recent;
}

interface RowProps {
  readonly href: string;
  readonly isShown: boolean;
}

/** The row of an item that has closed, with the delivery of its answer. */
function RecentRow({ id, ...row }: RowProps & { readonly id: string }) {
  const { data } = useOperation(['item', id], 'inbox.show', { item: id });
  return data ? <ItemRow item={data} {...row} /> : null;
}

function ItemRow({ item, href, isShown }: RowProps & { readonly item: Item }) {
  return (
    <li>
      <Link href={href} className="item-row" aria-current={isShown ? 'true' : undefined} data-state={item.state}>
        <ItemMark item={item} />
        <span className="item-row-text">
          <span className="row">
            <span className="item-session cut grow">{line(item.session_name, 80)}</span>
            <Age since={item.opened_at} />
          </span>
          <span className="item-subject">{line(subjectOf(item), 200)}</span>
          {item.state !== 'open' && <span className="item-outcome muted cut">{answerLine(item)}</span>}
        </span>
      </Link>
    </li>
  );
}
