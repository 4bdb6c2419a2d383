/** The runs: their list by state, and one with its result and attempts. */
import { useRef } from 'react';
import { Link, useSearch } from 'wouter';
import { RUN_STATES, type RunState, type RunSummary, shownRun } from '../../protocol/index.js';
import { useListKeys } from '../browser/use-keys.js';
import { useReading, useSteadyOrder } from '../browser/use-reading.js';
import { useSearchState } from '../browser/use-search-state.js';
import { useOperation } from '../live/live.js';
import { Age } from '../parts/age.js';
import { Empty } from '../parts/empty.js';
import { ErrorNote } from '../parts/error-note.js';
import { SearchField } from '../parts/search-field.js';
import { BackLink, Split } from '../parts/split.js';
import { Mark } from '../parts/state-pill.js';
import { line } from '../text/label-text.js';
import { markdownLine } from '../text/markdown-line.js';
import { RunView } from './run-view.js';
import { runAgent } from './run-words.js';

/** The newest runs. `orchd runs list` has all. */
const MAX_RUNS = 500;

export default function RunsPage({ rest }: { readonly rest: string }) {
  const query = useSearch();
  const [stateName, setState] = useSearchState('state');
  const state = RUN_STATES.find((one) => one === stateName);
  const list = useOperation(['runs'], 'run.list', { limit: MAX_RUNS, ...(state && { state }) });
  const [words, setWords] = useSearchState('q');
  const field = useRef<HTMLInputElement>(null);
  const wanted = words.toLowerCase().trim();
  const [isReading, place] = useReading();
  const found = [...(list.data ?? [])]
    .reverse()
    .filter((run) => wanted === '' || `${run.id} ${runAgent(run)} ${run.prompt}`.toLowerCase().includes(wanted));
  const runs = useSteadyOrder(found, ({ id }) => id, isReading, `${state} ${wanted}`);
  const to = (id: string): string => `/runs${id === '' ? '' : `/${id}`}${query === '' ? '' : `?${query}`}`;
  useListKeys(
    runs.map(({ id }) => id),
    rest,
    to,
    { '/': () => field.current?.focus() },
  );
  return (
    <Split
      title="Runs"
      head={<StateChoice state={state} onChange={setState} />}
      place={place}
      list={
        <>
          <div className="list-filter">
            <SearchField
              label="Search runs"
              placeholder="Search by agent or prompt"
              field={field}
              value={words}
              onChange={setWords}
            />
          </div>
          {list.error && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
          {list.data && runs.length === 0 && <p className="muted list-note">{noneWords(state, wanted)}</p>}
          <ul className="rows">
            {runs.map((run) => (
              <RunRow key={run.id} run={run} href={to(run.id)} isShown={run.id === rest} />
            ))}
          </ul>
        </>
      }
      chosen={
        rest === '' ? null : (
          <>
            <header className="page-head">
              <BackLink href={to('')} />
              <span className="mono grow cut">{line(rest, 60)}</span>
            </header>
            <div className="page-body">
              <div className="sheet">
                <RunView key={rest} id={rest} />
              </div>
            </div>
          </>
        )
      }
      nothing={
        <Empty title="A run is one prompt, taken to a result" command={'orchd runs start "Summarize README.md"'}>
          Each run keeps every attempt of its agent: the prompt, the reply, and the verdict on it. Try an agent on the
          page Agents, or start a run in a terminal:
        </Empty>
      }
    />
  );
}

interface StateChoiceProps {
  readonly state: RunState | undefined;
  readonly onChange: (state: string) => void;
}

const StateChoice = ({ state, onChange }: StateChoiceProps) => (
  <>
    <span className="grow" />
    <select
      className="field head-select"
      aria-label="Which runs"
      value={state ?? ''}
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="">all states</option>
      {RUN_STATES.map((one) => (
        <option key={one} value={one}>
          {one.replace('_', ' ')}
        </option>
      ))}
    </select>
  </>
);

const noneWords = (state: RunState | undefined, wanted: string): string =>
  wanted !== ''
    ? 'No run has these words.'
    : state
      ? `No run is ${state.replace('_', ' ')}.`
      : 'There are no runs yet.';

interface RowProps {
  readonly run: RunSummary;
  readonly href: string;
  readonly isShown: boolean;
}

function RunRow({ run, href, isShown }: RowProps) {
  const { badge, word } = shownRun(run);
  const reason = run.state === 'failed' && run.error ? `${line(run.error.message, 120)} · ` : '';
  return (
    <li>
      <Link href={href} className="one-row" aria-current={isShown ? 'true' : undefined}>
        <Mark badge={badge} word={word} />
        <span className="one-row-text">
          <span className="row">
            <span className="one-row-title cut grow">{runAgent(run)}</span>
            {run.attempts > 1 && <span className="one-row-note">{run.attempts} attempts</span>}
            <Age since={run.ended_at ?? run.started_at ?? run.created_at} />
          </span>
          <span className="one-row-note cut">
            {reason !== '' && <span className="tone-bad">{reason}</span>}
            {markdownLine(run.prompt, 160)}
          </span>
        </span>
      </Link>
    </li>
  );
}
