/** The React component of the whole TUI: it draws the regions that regions.ts lists, each with its screen. */
import { Box } from 'ink';
import { memo, useSyncExternalStore } from 'react';
import { choicesFor } from './acts/palette.js';
import { sessionRows } from './acts/session-rows.js';
import { entryOf, shownFeed, shownItems, shownWorkflows } from './acts/shown.js';
import { stepOf, workflowIndex, workflowOf } from './acts/workflow-acts.js';
import { isAlive, openCounts, openItems } from './model/model.js';
import type { Area } from './paint/layout.js';
import { layoutOf, SMALLEST } from './paint/layout.js';
import { centred } from './paint/rows.js';
import { Rows } from './paint/rows-view.js';
import { aboutItem } from './rows/item-view.js';
import * as screens from './screens/index.js';
import { WorkDetails } from './screens/work-views/work-details.js';
import { WorkFormView } from './screens/work-views/work-form-view.js';
import { WorkLists } from './screens/work-views/work-list.js';
import { type Region, regionsOf } from './view/regions.js';
import { shownSession } from './view/shown-session.js';
import type { State, Store } from './view/store.js';

const Inbox = memo(screens.Inbox);
const Sessions = memo(screens.Sessions);
const ScreenPane = memo(screens.ScreenPane);
const Feed = memo(screens.Feed);
const StatusLine = memo(screens.StatusLine);
const Workflows = memo(screens.Workflows);
const Workflow = memo(screens.Workflow);
const Step = memo(screens.Step);

interface AppProps {
  readonly store: Store;
}

export function App({ store }: AppProps) {
  const state = useSyncExternalStore(store.subscribe, store.get);
  return <Picture state={state} />;
}

/** Renders a state. Pure: equal states render equally. */
export function Picture({ state }: { readonly state: State }) {
  const { paint, size, model, version } = state;
  const columns = regionsOf(state);
  if (columns.length === 0) return <Tiny state={state} />;
  return (
    <Box flexDirection="column" width={size.cols} height={size.rows}>
      <StatusLine
        paint={paint}
        columns={size.cols}
        model={model}
        version={version}
        segments={state.segments}
        left={leftOut(state)}
        startKey={state.keymap.keyOf('start_daemon')}
      />
      <Box height={size.rows - 1 - screens.keyLineRows(state)} overflowY="hidden">
        {columns.map((regions) => (
          <Box key={regions.map(({ kind }) => kind).join()} flexDirection="column" flexShrink={0}>
            {regions.map((region) => (
              <Box key={region.kind} flexShrink={0}>
                {draw(state, region)}
              </Box>
            ))}
          </Box>
        ))}
      </Box>
      <screens.KeyLine state={state} />
    </Box>
  );
}

/** The modes in which keys act on the list with the focus. */
const LIST_MODES: ReadonlySet<State['ui']['mode']['kind']> = new Set([
  'browse',
  'filtering',
  'tagging',
  'confirming',
  'cancelling',
  'cancelling_work',
  'resuming',
]);

function draw(state: State, { kind, area }: Region) {
  const { paint, model, ui, now } = state;
  const isLoaded = model.connection.kind !== 'connecting';
  const isFocused = LIST_MODES.has(ui.mode.kind) && kind === (ui.view === 'lists' ? ui.focus : ui.view);
  const pane = { paint, area, isFocused };
  const list = { ...pane, now, isLoaded };
  switch (kind) {
    case 'inbox':
      return (
        <Inbox
          {...list}
          items={shownItems(model, ui)}
          all={model.items.length}
          filter={ui.filters.inbox}
          selected={ui.itemIndex}
        />
      );
    case 'sessions':
      return (
        <Sessions
          {...list}
          rows={sessionRows(model, ui)}
          sessions={model.sessions}
          marked={ui.marked}
          all={model.sessions.length}
          open={openCounts(model.items)}
          filter={ui.filters.sessions}
          selected={ui.sessionIndex}
          newKey={state.keymap.keyOf('new_session')}
          demoKey={state.keymap.keyOf('demo')}
          journals={model.journals}
          changes={model.changes}
        />
      );
    case 'screen':
      return <ScreenPane paint={paint} area={area} session={shownSession(state)} view={state.view} />;
    case 'feed':
      return (
        <Feed
          {...pane}
          lines={shownFeed(model, ui)}
          all={model.feed.length}
          seq={ui.feedSeq}
          filter={ui.filters.feed}
        />
      );
    case 'workflows':
      return (
        <Workflows
          {...pane}
          now={now}
          workflows={shownWorkflows(model, ui)}
          all={model.workflows.length}
          filter={ui.filters.workflows}
          selected={workflowIndex(ui, model)}
        />
      );
    case 'workflow':
      return <Workflow {...pane} now={now} items={model.items} run={workflowOf(ui, model)} step={stepOf(ui, model)} />;
    case 'step':
      return <Step {...pane} now={now} step={stepOf(ui, model)} scroll={ui.stepScroll} />;
    case 'tasks':
    case 'runs':
    case 'blueprints':
      return <WorkLists state={state} area={area} isFocused={isFocused} list={kind} />;
    case 'task':
    case 'run':
    case 'blueprint':
    case 'session':
      return <WorkDetails state={state} area={area} isFocused={isFocused} />;
    case 'work_form':
      return ui.mode.kind === 'filling' ? <WorkFormView paint={paint} area={area} form={ui.mode.form} /> : null;
    case 'item':
      return itemIn(state, area);
    case 'form':
      return ui.mode.kind === 'starting' ? <screens.SessionForm paint={paint} area={area} form={ui.mode.form} /> : null;
    case 'palette':
      return paletteIn(state, area);
    case 'help':
      return ui.mode.kind === 'help' ? <screens.Help about={state} area={area} scroll={ui.mode.scroll} /> : null;
  }
}

function itemIn(state: State, area: Area) {
  const entry = entryOf(state);
  if (entry === null) return null;
  const isSending = state.ui.sending.includes(entry.item.id);
  return (
    <screens.ItemDetails
      paint={state.paint}
      area={area}
      entry={entry}
      isSending={isSending}
      {...aboutItem(state.model, state.ui, entry, state.now)}
    />
  );
}

function paletteIn({ paint, ui, keymap }: State, area: Area) {
  const { mode } = ui;
  if (mode.kind !== 'palette') return null;
  const { line, selected } = mode;
  return (
    <screens.Palette
      paint={paint}
      area={area}
      keymap={keymap}
      line={line}
      selected={selected}
      choices={choicesFor(ui, mode)}
    />
  );
}

/** Returns the hint for what a small terminal hides, '' if it hides nothing. */
function leftOut({ size, keymap, ui }: State): string {
  const layout = layoutOf(size);
  if (ui.isZoomed || ui.view !== 'lists') return '';
  if (layout.kind === 'lists') return `${keymap.keyOf('zoom')}: the screen`;
  if (layout.kind === 'single') return `${keymap.keyOf('next_list')}: more`;
  return '';
}

function Tiny({ state }: { readonly state: State }) {
  const { paint, size, model, keymap } = state;
  const open = openItems(model).length;
  const living = model.sessions.filter(isAlive).length;
  const words = [
    `${open} open, ${living} sessions`,
    `${size.cols}x${size.rows} is too small:`,
    `orchd needs ${SMALLEST.cols}x${SMALLEST.rows}`,
    `${keymap.keyOf('quit') || 'Ctrl-C'} quits`,
  ];
  return <Rows rows={centred(paint, words, Math.max(1, size.cols), size.rows)} />;
}
