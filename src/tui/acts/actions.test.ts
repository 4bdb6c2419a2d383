import { describe, expect, it } from 'vitest';
import { anItem, around, aSession, aSnapshot, at, events, press, toKey } from '../../../test/tui/data.js';
import { textOf } from '../input/line-editor.js';
import { EMPTY_MODEL, type Model, reduce } from '../model/model.js';
import { handleKey, settle } from './key-handler.js';
import { choicesFor } from './palette.js';
import { shownFeed, shownItems, shownSessions } from './shown.js';
import { START, type UiState } from './ui-state.js';

const [first, second, third] = [
  anItem({ id: 'itm_1', data: { question: 'Deploy where?' } }),
  anItem({ id: 'itm_2', session_id: 'ses_b', session_name: 'docs', data: { question: 'Which FAQ?' }, at: 1 }),
  anItem({ id: 'itm_3', type: 'BLOCKED', data: { reason: 'No access' }, at: 2 }),
];

function modelOf(...told: Parameters<typeof tell>[1][]): Model {
  const sessions = [aSession(), aSession({ id: 'ses_b', name: 'docs', adapter: 'claude' })];
  const snapshot = aSnapshot({ sessions, items: [first, second, third] });
  return told.reduce(tell, reduce(EMPTY_MODEL, { kind: 'snapshot', snapshot, at: at(0) }));
}
const tell = (model: Model, event: Parameters<typeof reduce>[1] & { kind: 'event' }): Model => reduce(model, event);
const told = (event: ReturnType<typeof events.state>) => ({ kind: 'event', event }) as const;
const modeOf = (ui: UiState) => ui.mode.kind;

describe('the next waiting item', () => {
  it('cycles through the open items in both directions, and skips answered ones', () => {
    const model = modelOf(told(events.answered('itm_2', 'ses_b', 'x', 'cli')));
    const ids = ['tab', 'tab tab', 'backtab', 'backtab backtab'].map((keys) => press(model, keys).ui.itemId);
    expect(ids).toEqual(['itm_3', 'itm_1', 'itm_3', 'itm_1']);
  });

  it('stays in the details, and goes from the sessions to the first item', () => {
    expect(press(modelOf(), 'enter tab').ui.mode).toMatchObject({ kind: 'item', itemId: 'itm_2' });
    expect(press(modelOf(), 'l tab').ui).toMatchObject({ focus: 'inbox', itemId: 'itm_1' });
  });

  it('is one of the same session after an answered one', () => {
    const model = modelOf(told(events.answered('itm_1', 'ses_a', 'x', 'tui')));
    const beside = model.items.map((entry) =>
      entry.item.id === 'itm_3' ? { ...entry, item: { ...entry.item, session_id: 'ses_a' } } : entry,
    );
    const open = press(modelOf(), 'enter').ui;
    expect(press({ ...model, items: beside }, 'enter', open).ui.itemId).toBe('itm_3');
    const apart = model.items.map((entry) => ({ ...entry, item: { ...entry.item, session_id: entry.item.id } }));
    expect(press({ ...model, items: apart }, 'enter', open).ui.itemId).toBe('itm_2');
  });

  it('reports if nothing waits, and clears a filter that hides waiting items', () => {
    const none = { ...modelOf(), items: [] };
    expect(press(none, 'tab').ui.notice?.text).toBe('nothing waits for you');
    expect(press(modelOf(), '/ F A Q enter tab').ui).toMatchObject({ itemId: 'itm_3', filters: { inbox: '' } });
  });
});

describe('a filter', () => {
  it('applies to every key, matches words in any order, and selects a match', () => {
    const model = modelOf();
    const { ui } = press(model, '/ f a q space w h i');
    expect(shownItems(model, ui).map(({ item }) => item.id)).toEqual(['itm_2']);
    expect(ui).toMatchObject({ itemId: 'itm_2', itemIndex: 0 });
    expect(shownItems(model, press(model, 'backspace', ui).ui)).toHaveLength(1);
  });

  it('stays after Enter, and is cleared by Escape at once or later', () => {
    const model = modelOf();
    const kept = press(model, 'l / c l a u d e enter').ui;
    expect(shownSessions(model, kept).map(({ name }) => name)).toEqual(['docs']);
    expect(shownSessions(model, press(model, 'escape', kept).ui)).toHaveLength(2);
    expect(shownSessions(model, press(model, 'l / z escape').ui)).toHaveLength(2);
  });

  it('restricts the movement to matching items', () => {
    const model = modelOf();
    expect(press(model, '/ a u t h enter j').ui.itemId).toBe('itm_3');
  });
});

describe('the feed', () => {
  const model = modelOf(
    ...['working', 'waiting', 'blocked'].map((state) => told(events.state('ses_a', state as never))),
  );

  it('opens with f, scrolls, and returns to the previous focus', () => {
    const there = press(model, 'l f').ui;
    expect(there).toMatchObject({ focus: 'feed', pane: 'feed', feedSeq: null });
    const up = press(model, 'k k', there).ui;
    expect(up.feedSeq).toBe(shownFeed(model, up).at(-3)?.event.seq);
    expect(press(model, 'j j j', up).ui.feedSeq).toBeNull();
    expect(press(model, 'f', up).ui).toMatchObject({ focus: 'sessions', pane: 'screen', feedSeq: null });
  });

  it('can be filtered', () => {
    const { ui } = press(model, 'f / b l o c k e d enter');
    expect(shownFeed(model, ui).map(({ text }) => text)).toEqual(['starting → blocked']);
  });
});

describe('sessions', () => {
  it('are renamed on a line that starts with their name', () => {
    const { ui } = press(modelOf(), 'l r');
    expect(ui.mode.kind === 'renaming' && textOf(ui.mode.line)).toBe('auth');
    const named = press(modelOf(), 'C-u n e w enter', ui);
    expect(named.effects).toEqual([{ kind: 'rename', request: { session: 'ses_a', name: 'new' } }]);
    expect(press(modelOf(), 'l r x escape').effects).toEqual([]);
    expect(press(modelOf(), 'C-u enter', ui)).toMatchObject({ effects: [], ui: { mode: { kind: 'renaming' } } });
  });

  it('are killed only after y', () => {
    expect(press(modelOf(), 'l j K y').effects).toEqual([{ kind: 'sessions', act: 'kill', sessionIds: ['ses_b'] }]);
    for (const key of ['n', 'enter', 'escape', 'Y', 'K']) expect(press(modelOf(), `l K ${key}`).effects).toEqual([]);
  });

  it('that end before the confirmation close it, and y has no effect', () => {
    const { ui } = press(modelOf(), 'l K');
    const model = modelOf(told(events.exited('ses_a', 'exited', 0)));
    const settled = settle(ui, model, at(103));
    expect(settled).toMatchObject({ mode: { kind: 'browse' }, notice: { text: 'the session has ended' } });
    expect(press(model, 'y', settled, 100).effects).toEqual([]);
  });

  it('are shown alone with z', () => {
    const { ui } = press(modelOf(), 'l z');
    expect(ui).toMatchObject({ isZoomed: true, pane: 'screen' });
    expect(press(modelOf(), 'j', ui).ui).toMatchObject({ isZoomed: true, sessionId: 'ses_b' });
    expect(press(modelOf(), 'escape', ui).ui.isZoomed).toBe(false);
  });
});

describe('the demo', () => {
  it('is started by its key if no session runs, and not among sessions', () => {
    expect(press(reduce(EMPTY_MODEL, { kind: 'snapshot', snapshot: aSnapshot({}), at: at(0) }), 'e').effects).toEqual([
      { kind: 'demo' },
    ]);
    const { ui, effects } = press(modelOf(), 'e');
    expect(effects).toEqual([]);
    expect(ui.notice?.text).toContain('sessions run already');
  });
});

describe('a new session', () => {
  const start = (keys: string) => press(modelOf(), keys);

  it('starts with the values of its fields', () => {
    const { effects, ui } = start('n c space x tab m e down down w i p down right right down space enter');
    expect(effects).toEqual([
      {
        kind: 'start',
        request: {
          command: ['c', 'x'],
          name: 'me',
          directory: '/home/user/proj',
          branch: 'wip',
          adapter: 'claude',
          isTaught: true,
        },
      },
    ]);
    expect(ui.mode).toMatchObject({ kind: 'starting', form: { isSent: true } });
    expect(press(modelOf(), 'enter', ui).effects).toEqual([]);
  });

  it('needs a command, and is cancelled with Escape', () => {
    expect(start('n enter')).toMatchObject({ effects: [], ui: { notice: { isError: true } } });
    expect(modeOf(start('n c escape').ui)).toBe('browse');
  });

  it('completes its directory with Tab before it moves to the next field', () => {
    const { ui, effects } = start('n down down tab');
    expect(effects).toEqual([{ kind: 'complete', path: '/home/user/proj' }]);
    expect(ui.mode).toMatchObject({ kind: 'starting', form: { at: 'directory' } });
  });
});

describe('the palette', () => {
  const names = (keys: string): string[] => {
    const { ui } = press(modelOf(), keys);
    return ui.mode.kind === 'palette' ? choicesFor(ui, ui.mode).map(({ action }) => action.name) : [];
  };

  it('lists every action, those of the current place first, and finds them by parts of the name', () => {
    expect(names(':')).toHaveLength(names('C-p').length);
    expect(names('l :')).toEqual(expect.arrayContaining(['kill', 'send', 'decline', 'zoom']));
    expect(names(': n s e s')[0]).toBe('new_session');
    expect(names(': z o o m')).toEqual(['zoom', 'back']); // `back` leaves the zoom
    expect(names(': x x x x')).toEqual([]);
  });

  it('runs the chosen action where the palette was opened', () => {
    expect(press(modelOf(), 'l : k i l l enter y').effects).toEqual([
      { kind: 'sessions', act: 'kill', sessionIds: ['ses_a'] },
    ]);
    expect(press(modelOf(), 'enter : a n s w e r enter').ui.mode).toMatchObject({ kind: 'typing', itemId: 'itm_1' });
    expect(press(modelOf(), ': q u i t enter').effects).toEqual([{ kind: 'quit' }]);
  });

  it('names the place where an action works if it does not work here', () => {
    const { ui, effects } = press(modelOf(), ': k i l l enter');
    expect(effects).toEqual([]);
    expect(ui.notice?.text).toBe('kill works in the list of sessions, the details of a session');
  });
});

describe('an answer', () => {
  it('may have several lines, and is kept as a draft until it is sent', () => {
    expect(press(modelOf(), 'a o n e alt-enter t w o escape').effects).toEqual([]);
    expect(press(modelOf(), 'a o n e alt-enter t w o escape a C-j 3 enter').effects).toEqual([
      { kind: 'answer', itemId: 'itm_1', request: { text: 'one\ntwo\n3' } },
    ]);
  });

  it('opens in the editor with its current text, also from the details', () => {
    const edit = { kind: 'edit', itemId: 'itm_1', option: null };
    expect(press(modelOf(), 'a o k C-e').effects).toEqual([{ ...edit, text: 'ok' }]);
    expect(press(modelOf(), 'enter C-e').effects).toEqual([{ ...edit, text: '' }]);
  });

  it('is kept as a draft if another client answers the item', () => {
    const { ui } = press(modelOf(), 'a o k');
    const settled = settle(ui, modelOf(told(events.answered('itm_1', 'ses_a', 'x', 'cli'))), at(101));
    expect(settled.drafts.get('itm_1')).toBe('ok');
  });
});

describe('the mouse', () => {
  const click = { kind: 'mouse', what: 'click', x: 0, y: 0 } as const;
  const point = (
    ui: UiState,
    key: Parameters<typeof handleKey>[1],
    index: number | null,
    list: UiState['focus'] = 'inbox',
  ) => handleKey(ui, key, around(modelOf(), at(200), { targetAt: () => ({ kind: 'list', list, index }) }));
  const here = settle(START, modelOf(), at(0));

  it('selects with one click, and opens with another', () => {
    const selected = point(here, click, 1).ui;
    expect(selected).toMatchObject({ itemId: 'itm_2', mode: { kind: 'browse' } });
    expect(point(selected, click, 1).ui.mode).toMatchObject({ kind: 'item', itemId: 'itm_2' });
    expect(point(selected, click, 1, 'sessions').ui).toMatchObject({ focus: 'sessions', sessionId: 'ses_b' });
  });

  it('moves the selection with the wheel, and ignores clicks beside the lists', () => {
    expect(point(here, { ...click, what: 'wheeldown' }, null).ui.itemId).toBe('itm_2');
    expect(handleKey(here, click, around(modelOf(), at(200))).ui.itemId).toBe('itm_1');
  });

  it('sends nothing on a click in the details or while typing', () => {
    for (const keys of ['enter', 'a o', 'enter x', 'n', ':']) {
      const { ui } = press(modelOf(), keys);
      const after = handleKey(ui, click, around(modelOf(), at(300), { targetAt: () => ({ kind: 'item' }) }));
      expect(after.effect).toBeNull();
    }
  });
});

it('a configured key replaces the default key of its action', () => {
  const keys = { kill: 'D' };
  const { ui } = press(modelOf(), 'l');
  expect(handleKey(ui, toKey('K'), around(modelOf(), at(200), {}, keys)).ui.mode.kind).toBe('browse');
  expect(handleKey(ui, toKey('D'), around(modelOf(), at(200), {}, keys)).ui.mode.kind).toBe('confirming');
});

describe('the options of an item', () => {
  const many = anItem({
    id: 'itm_1',
    data: { question: 'Which?', options: Array.from({ length: 12 }, (_, i) => `option ${i + 1}`) },
  });
  const model = reduce(EMPTY_MODEL, {
    kind: 'snapshot',
    snapshot: aSnapshot({ sessions: [aSession()], items: [many, second] }),
    at: at(0),
  });

  it('are selected by the arrows and sent by Enter, while j and k move to other items', () => {
    expect(press(model, 'enter down down enter').effects).toEqual([
      { kind: 'answer', itemId: 'itm_1', request: { option: 2 } },
    ]);
    expect(press(model, 'enter up').ui.mode).toMatchObject({ kind: 'item', option: 12 });
    expect(press(model, 'enter down up up').ui.mode).toMatchObject({ option: 1 });
    expect(press(model, 'enter down j').ui.mode).toMatchObject({ itemId: 'itm_2' });
  });

  it('beyond the ninth are chosen by letters, but only if they are visible', () => {
    const sight = { view: () => ({ maxScroll: 0, visibleOptions: 9, hiddenOptions: 3 }) };
    const { ui } = press(model, 'enter');
    expect(handleKey(ui, toKey('C'), around(model, at(300), sight)).effect).toEqual({
      kind: 'answer',
      itemId: 'itm_1',
      request: { option: 12 },
    });
    expect(handleKey(ui, toKey('3'), around(model, at(300), sight)).ui.notice?.text).toContain('not in sight');
    expect(handleKey(ui, toKey('D'), around(model, at(300), sight)).ui.notice?.text).toContain('options 1 to 12');
  });
});
