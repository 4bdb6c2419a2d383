/** The inbox: the questions of all sessions, and their answers. */
import { useRef, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import type { Item } from '../../protocol/index.js';
import { stepKeys, stepped, useKeys } from '../browser/use-keys.js';
import { useReading, useSteadyOrder } from '../browser/use-reading.js';
import { useOperation } from '../live/live.js';
import { type OtherItem, useMachines } from '../live/machines.js';
import { Empty } from '../parts/empty.js';
import { ErrorNote } from '../parts/error-note.js';
import { TabLinks } from '../parts/tabs.js';
import { ItemDetail } from './item-detail.js';
import { ItemList, type ListedItem } from './item-list.js';
import { NotifyButton } from './notify.js';
import { useInbox } from './open-items.js';
import { OtherItemDetail } from './other-item.js';

/** Maximum number of closed items that stay in the list of open ones while the page is open. */
const MAX_RECENT = 10;
/** Maximum number of closed items in the list of answered ones, newest first. */
const MAX_CLOSED = 200;

export function InboxPage({ rest }: { readonly rest: string }) {
  const isAnswered = new URLSearchParams(useSearch()).get('show') === 'answered';
  const [, go] = useLocation();
  const others = useMachines().items;
  const search = isAnswered ? '?show=answered' : '';
  const to = (id: string): string => `/inbox${id === '' ? '' : `/${id}`}${search}`;
  const { listed, query } = useListed(isAnswered, others, to);
  const [isReading, place] = useReading();
  const rows = useSteadyOrder(listed, ({ id }) => id, isReading, String(isAnswered));
  const ids = rows.map(({ id }) => id);
  // A wide page shows the first item beside the list. A phone shows the list until one is chosen.
  const shownFirst = useShownFirst(ids);
  const shownId = rest !== '' ? rest : isWide() ? shownFirst : '';
  const step = (by: number): void => {
    const at = ids.indexOf(shownId);
    const next = stepped(ids, at, by);
    if (next !== undefined) go(to(next), { replace: rest !== '' });
  };
  useKeys({
    ...stepKeys(step),
    escape: () => go(to('')),
  });
  return (
    <div className={`inbox ${rest === '' ? 'at-list' : 'at-item'}`}>
      <section className="inbox-list" aria-label="Questions" ref={place}>
        <header className="page-head">
          <h1>Inbox</h1>
          <TabLinks
            label="Which questions"
            tabs={[
              { title: 'Open', href: '/inbox', isChosen: !isAnswered },
              { title: 'Closed', href: '/inbox?show=answered', isChosen: isAnswered },
            ]}
          />
          <span className="grow" />
          <NotifyButton />
        </header>
        <ItemList rows={rows} shownId={shownId}>
          {query.error && <ErrorNote error={query.error} onRetry={() => void query.refetch()} />}
          {query.data && ids.length === 0 && <NothingHere isAnswered={isAnswered} />}
        </ItemList>
      </section>
      <section className="inbox-item" aria-label="Question">
        {shownId.includes('/') ? (
          <OtherItemDetail
            key={shownId}
            id={shownId}
            entry={others.find(({ machine, item }) => `${machine}/${item.id}` === shownId)}
            listHref={to('')}
          />
        ) : (
          shownId !== '' && <ItemDetail key={shownId} id={shownId} listHref={to('')} />
        )}
      </section>
    </div>
  );
}

/** Returns the items of the list of open or of closed questions, and the query that loads them. */
function useListed(isAnswered: boolean, others: readonly OtherItem[], to: (id: string) => string) {
  const open = useInbox();
  const all = useOperation(['inbox'], 'inbox.list', { all: true }, isAnswered);
  const recent = useRecent(open.data);
  const own = (item: Item): ListedItem => ({ id: item.id, href: to(item.id), item, ...HERE });
  if (isAnswered) {
    const closed = (all.data ?? []).filter(({ state }) => state !== 'open').reverse();
    return { query: all, listed: closed.slice(0, MAX_CLOSED).map(own) };
  }
  const elsewhere = others.map(({ machine, item, away, onItsWay }): ListedItem => {
    const id = `${machine}/${item.id}`; // the id of an item of another machine
    return { id, href: to(id), item, away, onItsWay, isRecent: false };
  });
  const listed = [...(open.data ?? []).map(own), ...elsewhere].sort(others.length > 0 ? byAge : () => 0);
  return { query: open, listed: [...listed, ...recent.map((item) => ({ ...own(item), isRecent: true }))] };
}

/** An item of this machine, or one that has closed. */
const HERE = { away: '', onItsWay: '', isRecent: false };

const byAge = (a: ListedItem, b: ListedItem): number => a.item.opened_at.localeCompare(b.item.opened_at);

/**
 * Returns the first item of the list, and goes on to return it while it is listed. While a person writes an answer,
 * the question above it must not change because another one was answered elsewhere.
 */
function useShownFirst(ids: readonly string[]): string {
  const shown = useRef('');
  if (!ids.includes(shown.current)) shown.current = ids[0] ?? '';
  return shown.current;
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

interface Followed {
  /** The open items as they were when this was computed. */
  readonly open: readonly Item[] | undefined;
  readonly recent: readonly Item[];
}

/**
 * Returns the items that have closed since the page was opened, as they were while they were open, newest first. An
 * item is among them in the same render in which it leaves the open ones.
 */
function useRecent(open: readonly Item[] | undefined): readonly Item[] {
  const [followed, setFollowed] = useState<Followed>({ open: undefined, recent: [] });
  if (!open || open === followed.open) return followed.recent;
  const ids = new Set(open.map(({ id }) => id));
  const closed = (followed.open ?? []).filter(({ id }) => !ids.has(id));
  const kept = followed.recent.filter(({ id }) => !ids.has(id));
  const recent = [...closed.reverse(), ...kept].slice(0, MAX_RECENT);
  setFollowed({ open, recent });
  return recent;
}
