/** The whole TUI as a picture of its state: which screens stand where. */
import { Box } from 'ink';
import { memo, useSyncExternalStore } from 'react';
import { areasOf, viewItemIn } from './item-view.js';
import { type Area, layoutOf, SMALLEST } from './layout.js';
import { type ItemEntry, isAlive, openCounts, openItems } from './model.js';
import { centred } from './rows.js';
import { Rows } from './rows-view.js';
import * as screens from './screens/index.js';
import { entryOf, isFeedAlone, type State, type Store, shownSession } from './store.js';

const Inbox = memo(screens.Inbox);
const Sessions = memo(screens.Sessions);
const ScreenPane = memo(screens.ScreenPane);
const Feed = memo(screens.Feed);
const ItemDetails = memo(screens.ItemDetails);
const Help = memo(screens.Help);
const KeyLine = memo(screens.KeyLine);

export interface AppProps {
  readonly store: Store;
}

export function App({ store }: AppProps) {
  const state = useSyncExternalStore(store.subscribe, store.get);
  return <Picture state={state} />;
}

/** Pure: the same state is the same picture. */
export function Picture({ state }: { readonly state: State }) {
  const { paint, size, model, place, version } = state;
  const layout = layoutOf(size);
  if (layout.kind === 'tiny') return <Tiny state={state} />;
  const entry = entryOf(state);
  const optionCount = entry === null ? 0 : optionsInSight(state);
  return (
    <Box flexDirection="column" width={size.cols} height={size.rows}>
      <screens.StatusLine paint={paint} columns={size.cols} model={model} version={version} left={leftOut(state)} />
      <Body state={state} />
      <KeyLine
        paint={paint}
        columns={size.cols}
        place={place}
        entry={entry ?? model.items.find(({ item }) => item.id === place.itemId) ?? null}
        hasOpen={openItems(model).length > 0}
        isFeedAlone={isFeedAlone(state)}
        optionCount={optionCount}
        prefix={state.prefix}
      />
    </Box>
  );
}

function Body({ state }: { readonly state: State }) {
  const { paint, size, place, prefix } = state;
  const layout = layoutOf(size);
  const isHelp = place.mode.kind === 'help';
  const entry = entryOf(state);
  if (isHelp) return <Help paint={paint} area={{ width: size.cols, height: size.rows - 2 }} prefix={prefix} />;
  switch (layout.kind) {
    case 'columns': {
      const [upper, lower] = place.pane === 'screen' ? [screenIn, feedIn] : [feedIn, screenIn];
      return (
        <Box>
          <Box flexDirection="column">
            {inboxIn(state, layout.inbox)}
            {sessionsIn(state, layout.sessions)}
          </Box>
          {entry ? (
            itemIn(state, entry)
          ) : (
            <Box flexDirection="column">
              {upper(state, layout.upper)}
              {lower(state, layout.lower)}
            </Box>
          )}
        </Box>
      );
    }
    case 'stacked':
      return (
        <Box flexDirection="column">
          {inboxIn(state, layout.inbox)}
          {entry ? (
            itemIn(state, entry)
          ) : (
            <>
              {sessionsIn(state, layout.sessions)}
              {place.pane === 'screen' ? screenIn(state, layout.pane) : feedIn(state, layout.pane)}
            </>
          )}
        </Box>
      );
    case 'lists':
      if (entry) return itemIn(state, entry);
      return (
        <Box flexDirection="column">
          {inboxIn(state, layout.inbox)}
          {place.pane === 'screen' ? sessionsIn(state, layout.sessions) : feedIn(state, layout.sessions)}
        </Box>
      );
    case 'single':
      if (entry) return itemIn(state, entry);
      if (place.pane === 'feed') return feedIn(state, layout.item);
      return place.focus === 'inbox' ? inboxIn(state, layout.item) : sessionsIn(state, layout.item);
    case 'tiny':
      return null;
  }
}

const isLoaded = ({ model }: State): boolean => model.connection.kind !== 'connecting';

function inboxIn(state: State, area: Area) {
  const { paint, model, place, now } = state;
  const isFocused = place.focus === 'inbox' && place.mode.kind === 'browse';
  return (
    <Inbox
      {...{ paint, area, isFocused, now }}
      items={model.items}
      selected={place.itemIndex}
      isLoaded={isLoaded(state)}
    />
  );
}

function sessionsIn(state: State, area: Area) {
  const { paint, model, place, now } = state;
  const open = openCounts(model.items);
  const isFocused = place.focus === 'sessions' && place.mode.kind === 'browse';
  return (
    <Sessions
      {...{ paint, area, isFocused, now, open }}
      sessions={model.sessions}
      selected={place.sessionIndex}
      isLoaded={isLoaded(state)}
    />
  );
}

const screenIn = (state: State, area: Area) => (
  <ScreenPane paint={state.paint} area={area} session={shownSession(state)} view={state.view} />
);

const feedIn = ({ paint, model }: State, area: Area) => (
  <Feed paint={paint} area={area} feed={model.feed} sessions={model.sessions} />
);

/** The item, and its session's screen below it where there is room. */
function itemIn(state: State, entry: ItemEntry) {
  const { paint, place, now, size } = state;
  const { item, screen } = areasOf(paint, layoutOf(size), entry);
  const isSending = place.sending.includes(entry.item.id);
  return (
    <Box flexDirection="column">
      <ItemDetails {...{ paint, entry, isSending, now }} area={item} mode={place.mode} />
      {screen && screenIn(state, screen)}
    </Box>
  );
}

const optionsInSight = ({ paint, size, place, model, now }: State): number =>
  viewItemIn(paint, layoutOf(size), place, model.items, now)?.visibleOptions ?? 0;

/** What a small terminal hides. */
function leftOut({ size }: State): string {
  const layout = layoutOf(size);
  if (layout.kind === 'lists') return 'no room for the screen';
  if (layout.kind === 'single') return 'small: Tab shows more';
  return '';
}

function Tiny({ state }: { readonly state: State }) {
  const { paint, size, model } = state;
  const open = model.items.filter(({ item }) => item.state === 'open').length;
  const living = model.sessions.filter(isAlive).length;
  const words = [
    `${open} open, ${living} sessions`,
    `${size.cols}x${size.rows} is too small:`,
    `orchd needs ${SMALLEST.cols}x${SMALLEST.rows}`,
    'q quits',
  ];
  return <Rows rows={centred(paint, words, Math.max(1, size.cols), size.rows)} />;
}
