/** The recordings: one of each session, running or ended. */
import { useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { stepKeys, stepped, useKeys } from '../browser/use-keys.js';
import { useHeldOrder, useReading } from '../browser/use-reading.js';
import { useSearchState } from '../browser/use-search-state.js';
import { useOperation } from '../live/live.js';
import { Empty } from '../parts/empty.js';
import { ErrorNote } from '../parts/error-note.js';
import { SearchField } from '../parts/search-field.js';
import { SessionTable, sessionRows } from '../sessions/index.js';
import { RecordingPage } from './recording-page.js';
import '../styles/sessions.css';
import '../styles/session.css';
import '../styles/recordings.css';

export default function RecordingsPage({ rest }: { readonly rest: string }) {
  return rest === '' ? <Recordings /> : <RecordingPage key={rest} id={rest} />;
}

const NONE: ReadonlySet<string> = new Set();

function Recordings() {
  const { data, error, refetch } = useOperation(['sessions'], 'session.list', {});
  const [filter, setFilter] = useSearchState('q');
  const [selected, setSelected] = useState<string | null>(null);
  const search = useRef<HTMLInputElement>(null);
  const [, go] = useLocation();
  const [isReading, place] = useReading();
  const { held, keep } = useHeldOrder(isReading, filter);
  const rows = useMemo(() => {
    const recorded = (data ?? []).filter(({ workflow_id }) => workflow_id === undefined);
    return sessionRows(recorded, { shown: 'all', grouping: 'none', filter, held });
  }, [data, filter, held]);
  keep(rows.flatMap((row) => (row.kind === 'session' ? [row.session.id] : [])));
  const step = (by: number): void => {
    const at = rows.findIndex((row) => row.kind === 'session' && row.session.id === selected);
    const next = stepped(rows, at, by);
    setSelected(next?.kind === 'session' ? next.session.id : null);
  };
  useKeys({
    '/': () => search.current?.focus(),
    ...stepKeys(step),
    enter: () => selected !== null && go(`/recordings/${selected}`),
  });
  return (
    <div className="sessions" ref={place}>
      <header className="page-head wraps">
        <h1>Recordings</h1>
        <SearchField
          label="Filter recordings"
          placeholder="Filter"
          field={search}
          value={filter}
          onChange={setFilter}
        />
      </header>
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {data && rows.length === 0 && (
        <Empty
          title={filter === '' ? 'Nothing is recorded yet' : 'No recording fits the filter'}
          command="orchd run -- claude"
        >
          orchd records all that a session prints. Play it here, jump to each message, and share it as a file.
        </Empty>
      )}
      {rows.length > 0 && (
        <SessionTable
          rows={rows}
          selected={selected}
          marked={NONE}
          canMark={false}
          onMark={() => {}}
          base="/recordings"
          label="List of recordings"
        />
      )}
    </div>
  );
}
