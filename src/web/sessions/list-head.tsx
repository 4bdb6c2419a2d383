/** The head of the list of sessions: which of them are shown, how they are grouped, and in which view. */
import type { RefObject } from 'react';
import { useSearchState } from '../browser/use-search-state.js';
import { SearchField } from '../parts/search-field.js';
import { Tabs } from '../parts/tabs.js';
import { GROUPINGS, type Grouping, SHOWN, type Shown } from './session-rows.js';

const VIEWS = ['table', 'cards', 'terminals'] as const;
export type View = (typeof VIEWS)[number];
const VIEW_WORDS: Readonly<Record<View, string>> = { table: 'Table', cards: 'Cards', terminals: 'Terminals' };
const SHOWN_WORDS: Readonly<Record<Shown, string>> = { running: 'Running', ended: 'Ended', all: 'All' };
const GROUPING_WORDS: Readonly<Record<Grouping, string>> = {
  none: 'No groups',
  project: 'By folder',
  program: 'By program',
  state: 'By state',
  machine: 'By machine',
};

interface ListChoice {
  readonly view: View;
  readonly shown: Shown;
  readonly grouping: Grouping;
  readonly filter: string;
  readonly groupings: readonly Grouping[];
  readonly setShown: (shown: Shown) => void;
  readonly setGrouping: (grouping: string) => void;
  readonly setView: (view: View) => void;
  readonly setFilter: (filter: string) => void;
  readonly nextGrouping: () => void;
  readonly nextView: () => void;
}

/** Returns what the person has chosen in the head of the list. The choices are in the address of the page. */
export function useListChoice(hasMachines: boolean): ListChoice {
  const [viewName, setView] = useSearchState('view', 'table');
  const [shownName, setShown] = useSearchState('show', 'running');
  const [groupingName, setGrouping] = useSearchState('group', 'none');
  const [filter, setFilter] = useSearchState('q');
  const view = oneOf(VIEWS, viewName);
  const shown = oneOf(SHOWN, shownName);
  const grouping = oneOf(GROUPINGS, groupingName);
  const groupings = GROUPINGS.filter((one) => one !== 'machine' || hasMachines || grouping === one);
  return {
    view,
    shown,
    grouping,
    filter,
    groupings,
    setShown,
    setGrouping,
    setView,
    setFilter,
    nextGrouping: () => setGrouping(after(groupings, grouping)),
    nextView: () => setView(after(VIEWS, view)),
  };
}

/** Returns a value from the address; the first of all choices if it is not one of them. */
const oneOf = <T extends string>(all: readonly [T, ...T[]], value: string): T =>
  all.find((one) => one === value) ?? all[0];

const after = <T extends string>(values: readonly T[], value: T): T =>
  values[(values.indexOf(value) + 1) % values.length] ?? value;

interface ListHeadProps {
  readonly choice: ListChoice;
  readonly counts: Readonly<Record<Shown, number>>;
  readonly search: RefObject<HTMLInputElement | null>;
  /** Absent if this browser may start nothing. */
  readonly onNew?: () => void;
}

export function ListHead({ choice, counts, search, onNew }: ListHeadProps) {
  const { view, shown, grouping, groupings, filter } = choice;
  return (
    <header className="page-head wraps">
      <h1>Sessions</h1>
      <Tabs
        label="Which sessions"
        tabs={SHOWN.map((id) => ({ id, words: <CountedWord word={SHOWN_WORDS[id]} count={counts[id]} /> }))}
        chosen={shown}
        onChoose={choice.setShown}
      />
      <SearchField
        label="Filter sessions"
        placeholder="Filter"
        field={search}
        value={filter}
        onChange={choice.setFilter}
      />
      <select
        className="field select"
        aria-label="Groups"
        value={grouping}
        onChange={(event) => choice.setGrouping(event.target.value)}
      >
        {groupings.map((one) => (
          <option key={one} value={one}>
            {GROUPING_WORDS[one]}
          </option>
        ))}
      </select>
      <fieldset className="tabs" aria-label="View">
        {VIEWS.map((one) => (
          <button key={one} type="button" aria-pressed={one === view} onClick={() => choice.setView(one)}>
            {VIEW_WORDS[one]}
          </button>
        ))}
      </fieldset>
      {onNew && (
        <button type="button" className="button primary" title="New session (n)" onClick={onNew}>
          New
        </button>
      )}
    </header>
  );
}

const CountedWord = ({ word, count }: { readonly word: string; readonly count: number }) => (
  <>
    {word} <span className="muted">{count}</span>
  </>
);
