/** The events: what has happened, as it happens; and an explanation of each. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { decoded } from '../browser/decoded.js';
import { saveFile } from '../browser/save-file.js';
import { stepKeys, useKeys } from '../browser/use-keys.js';
import { useNarrow } from '../browser/use-narrow.js';
import { useSearchState } from '../browser/use-search-state.js';
import { useOperation } from '../live/live.js';
import { Empty } from '../parts/empty.js';
import { ErrorNote } from '../parts/error-note.js';
import { Icon } from '../parts/icon.js';
import { RowLink } from '../parts/row-link.js';
import { SearchField } from '../parts/search-field.js';
import { toneOf } from '../parts/state-pill.js';
import { Tabs } from '../parts/tabs.js';
import { line } from '../text/label-text.js';
import { KINDS, type Kind, type ListedEvent, shownEvents, styleOf } from './event-filter.js';
import { useEventLog } from './event-log.js';
import { ExplainPage } from './explain-page.js';
import '../styles/events.css';

export default function EventsPage({ rest }: { readonly rest: string }) {
  return rest === '' ? <Events /> : <ExplainPage key={rest} what={decoded(rest)} />;
}

const KIND_WORDS: Readonly<Record<Kind, string>> = {
  all: 'All',
  messages: 'Messages',
  inbox: 'Inbox',
  sessions: 'Sessions',
  work: 'Work',
  daemon: 'Daemon',
};
const ROW_PX = 30;
const NARROW_ROW_PX = 48;
const OVERSCAN = 8;
/** If the end of the list is at most this far away, the list follows new events. */
const AT_END_PX = 40;

function Events() {
  const [kindName, setKind] = useSearchState('kind', 'all');
  const kind = KINDS.find((one) => one === kindName) ?? 'all';
  const [filter, setFilter] = useSearchState('q');
  const [session, setSession] = useSearchState('session');
  const [isPaused, setPaused] = useState(false);
  const sessions = useOperation(['sessions'], 'session.list', {}).data;
  const { events, isLoading, error, behind } = useEventLog(isPaused);
  const names = useMemo(() => new Map(sessions?.map(({ id, name }) => [id, line(name, 60)])), [sessions]);
  const listed = useMemo(
    () => shownEvents(events, { kind, filter, session }, names),
    [events, kind, filter, session, names],
  );
  const search = useRef<HTMLInputElement>(null);
  const save = (): void => {
    const parts = listed.map(({ event }) => `${JSON.stringify(event)}\n`);
    saveFile('orchd-events.ndjson', 'application/x-ndjson', parts);
  };
  useKeys({
    '/': () => search.current?.focus(),
    ' ': () => setPaused(!isPaused),
    e: save,
  });
  return (
    <div className="events">
      <header className="page-head wraps">
        <h1>Events</h1>
        <Tabs
          label="Which events"
          tabs={KINDS.map((id) => ({ id, words: KIND_WORDS[id] }))}
          chosen={kind}
          onChoose={setKind}
        />
        <SearchField label="Search events" placeholder="Search" field={search} value={filter} onChange={setFilter} />
        {session !== '' && (
          <button type="button" className="pill pill-button" onClick={() => setSession('')}>
            {names.get(session) ?? line(session, 40)} <Icon name="close" />
            <span className="hidden-visually">: show all sessions</span>
          </button>
        )}
        <button
          type="button"
          className="button"
          aria-pressed={isPaused}
          title="Pause (Space)"
          onClick={() => setPaused(!isPaused)}
        >
          <Icon name={isPaused ? 'play' : 'pause'} />
          {isPaused ? (behind > 0 ? `Go on (${behind} new)` : 'Go on') : 'Pause'}
        </button>
        <button
          type="button"
          className="button"
          title="Export what is shown (e)"
          disabled={listed.length === 0}
          onClick={save}
        >
          Export
        </button>
      </header>
      {error && <ErrorNote error={error} />}
      {listed.length === 0 && !isLoading ? (
        <NoEvents hasFilter={filter !== '' || session !== '' || kind !== 'all'} />
      ) : (
        <EventList listed={listed} isLoading={isLoading} />
      )}
    </div>
  );
}

function NoEvents({ hasFilter }: { readonly hasFilter: boolean }) {
  if (hasFilter) {
    return (
      <Empty title="No event fits">
        The newest 10,000 events are searched. <Link href="/events">Show all of them</Link>
      </Empty>
    );
  }
  return (
    <Empty title="Nothing has happened yet" command="orchd run -- claude">
      Everything that sessions say, ask and do becomes an event, on disk before anybody is told.
    </Empty>
  );
}

function EventList({ listed, isLoading }: { readonly listed: readonly ListedEvent[]; readonly isLoading: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const [selected, setSelected] = useState<number | null>(null);
  const [, go] = useLocation();
  const rowPx = useNarrow() ? NARROW_ROW_PX : ROW_PX;
  const virtual = useVirtualizer({
    count: listed.length,
    getScrollElement: () => place.current,
    estimateSize: () => rowPx,
    overscan: OVERSCAN,
  });
  const total = virtual.getTotalSize();
  /** The event at the top of the window, and how much of its row is above it. */
  const top = useRef<{ readonly seq: number; readonly px: number } | null>(null);
  // Follows the newest event at the end of the list. Elsewhere what is read stays where it is: older events may come
  // or go above it.
  useLayoutEffect(() => {
    if (!place.current || total === 0) return;
    if (isAtEnd.current) place.current.scrollTop = place.current.scrollHeight;
    else if (top.current) {
      const { seq, px } = top.current;
      const at = listed.findIndex(({ event }) => (event.seq ?? 0) >= seq);
      const wanted = at * rowPx + px;
      if (at >= 0 && Math.abs(place.current.scrollTop - wanted) >= 1) place.current.scrollTop = wanted;
    }
  }, [total, listed, rowPx]);
  const select = (by: number): void => {
    const at = selected === null ? listed.length : listed.findIndex(({ event }) => event.seq === selected);
    const next = Math.min(Math.max(at + by, 0), listed.length - 1);
    setSelected(listed[next]?.event.seq ?? null);
    virtual.scrollToIndex(next);
  };
  useKeys({
    ...stepKeys(select),
    enter: () => selected !== null && go(`/events/${selected}`),
    end: () => {
      if (place.current) place.current.scrollTop = place.current.scrollHeight;
    },
  });
  return (
    <section
      className="page-body"
      ref={place}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and so must be reachable by the keyboard
      tabIndex={0}
      aria-label="Event log"
      aria-busy={isLoading}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < AT_END_PX;
        const seq = listed[Math.floor(scrollTop / rowPx)]?.event.seq;
        top.current = seq === undefined ? null : { seq, px: scrollTop % rowPx };
      }}
    >
      <ol className="event-rows" style={{ height: total }}>
        {virtual.getVirtualItems().map(({ index, start, size }) => {
          const one = listed[index];
          if (!one) return null;
          return (
            <li
              key={one.event.seq}
              style={{ transform: `translateY(${start}px)`, height: size }}
              aria-setsize={listed.length}
              aria-posinset={index + 1}
            >
              <EventRow listed={one} isSelected={one.event.seq === selected} />
            </li>
          );
        })}
      </ol>
    </section>
  );
}

interface EventRowProps {
  readonly listed: ListedEvent;
  readonly isSelected: boolean;
}

const EventRow = memo(function EventRow({ listed: { event, who, line: text }, isSelected }: EventRowProps) {
  const { seq, event_type, timestamp } = event;
  const at = new Date(timestamp);
  const style = styleOf(event);
  return (
    <RowLink href={`/events/${seq}`} className="event-row" data-selected={isSelected}>
      <time className="event-time muted" dateTime={timestamp} title={at.toString()}>
        {clockOf(at)}
      </time>
      <span className={`event-type cut ${style === undefined ? '' : toneOf({ style })}`}>{typeWords(event_type)}</span>
      <span className="event-who cut">{who}</span>
      <span className="event-line cut soft">{text}</span>
    </RowLink>
  );
});

const typeNames = new Map<string, string>();

/** Returns the words of an event type, which are cached. */
function typeWords(type: string): string {
  const known = typeNames.get(type);
  if (known !== undefined) return known;
  const words = line(type, 40).replaceAll('_', ' ');
  typeNames.set(type, words);
  return words;
}

/** Formats the time without the browser's formatter, which takes longer than the rest of a row. */
function clockOf(at: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const ms = String(at.getMilliseconds()).padStart(3, '0');
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${ms}`;
}
