import { describe, expect, it, test } from 'vitest';
import { anItem, around, aSession, aSnapshot, at, events, press } from '../../../test/tui/data.js';
import { EMPTY_MODEL, type Model, reduce } from '../model/model.js';
import { handleKey, settle } from './key-handler.js';
import { ENDED_GROUP, sessionRows } from './session-rows.js';
import type { UiState } from './ui-state.js';

const minutes = (count: number): string => new Date(at(60 * count)).toISOString();
const living = ['a', 'b', 'c'].map((letter, i) =>
  aSession({
    id: `ses_${letter}`,
    name: letter,
    created_at: minutes(i),
    state: 'working',
    cwd: letter === 'b' ? '/home/user/web' : '/home/user/api',
  }),
);
const ended = Array.from({ length: 6 }, (_, i) =>
  aSession({ id: `ses_e${i}`, name: `e${i}`, state: 'exited', ended_at: minutes(20 + i) }),
);

const modelOf = (sessions = [...living, ...ended], items: ReturnType<typeof anItem>[] = []): Model =>
  reduce(EMPTY_MODEL, { kind: 'snapshot', snapshot: aSnapshot({ sessions, items }), at: at(0) });
const rowsOf = (model: Model, ui: UiState): string[] =>
  sessionRows(model, ui).map((row) => (row.kind === 'session' ? row.session.name : `[${row.title} ${row.hidden}]`));
/** The UI state with the sessions in focus and the first row selected. */
const inSessions = (model: Model): UiState => press(model, 'h l home').ui;

describe('the list of sessions', () => {
  it('shows waiting sessions first, then the last changed, and folds all but the newest ended ones', () => {
    const model = modelOf(undefined, [anItem({ session_id: 'ses_a' })]);
    expect(rowsOf(model, inSessions(model))).toEqual(['a', 'c', 'b', 'e5', 'e4', 'e3', '[more ended 3]']);
    const updated = reduce(model, { kind: 'event', event: events.state('ses_b', 'working') });
    const changed = { ...updated, changed: new Map([['ses_b', minutes(99)]]) };
    expect(rowsOf(changed, inSessions(changed)).slice(0, 3)).toEqual(['a', 'b', 'c']);
  });

  it('is sorted by age or by name', () => {
    const model = modelOf(living.toReversed());
    expect(rowsOf(model, press(model, 's', inSessions(model)).ui)).toEqual(['a', 'b', 'c']);
    const renamed = modelOf([aSession({ id: 'ses_z', name: 'z', created_at: minutes(-1) }), ...living]);
    expect(rowsOf(renamed, press(renamed, 's', inSessions(renamed)).ui)[0]).toBe('z');
    expect(rowsOf(renamed, press(renamed, 's s', inSessions(renamed)).ui).at(-1)).toBe('z');
  });

  it('is grouped by project or program, and its groups can be folded', () => {
    const model = modelOf();
    const { ui } = press(model, 's v', inSessions(model));
    const all = rowsOf(model, ui);
    expect(all.slice(0, 5)).toEqual(['[api 0]', 'a', 'c', '[web 0]', 'b']);
    const folded = press(model, 'home enter', ui).ui;
    expect(rowsOf(model, folded).slice(0, 3)).toEqual(['[api 2]', '[web 0]', 'b']);
    expect(rowsOf(model, press(model, 'enter', folded).ui)).toEqual(all);
    expect(rowsOf(model, press(model, 'v', ui).ui)[0]).toBe('[shell 0]');
  });

  it('has the sessions of a worktree under their project, and names projects that end alike by two parts', () => {
    const [a, b, c] = living;
    if (!a || !b || !c) throw new Error('three sessions live');
    const model = modelOf([
      { ...a, cwd: '/code/api/src', project: '/code/api' },
      { ...b, cwd: '/code/api-fix', project: '/code/api' },
      { ...c, cwd: '/old/api', project: '/old/api' },
    ]);
    const { ui } = press(model, 's v', inSessions(model));
    expect(rowsOf(model, ui).slice(0, 5)).toEqual(['[code/api 0]', 'a', 'b', '[old/api 0]', 'c']);
  });

  it('keeps the keys if the inbox is empty, and l and h go on to the events', () => {
    const model = modelOf();
    const { ui } = press(model, 'l', inSessions(model));
    expect(ui).toMatchObject({ focus: 'sessions', notice: { text: 'the inbox is empty' } });
    expect(press(model, 'f h l l', ui).ui.focus).toBe('sessions');
    expect(press(model, '/ z z enter h', ui).ui.focus).toBe('inbox');
  });

  it('is grouped and filtered by tag', () => {
    const [a, b, c] = living;
    if (!a || !b || !c) throw new Error('three sessions live');
    const model = modelOf([{ ...a, tags: ['web'] }, b, { ...c, tags: ['api', 'web'] }]);
    const { ui } = press(model, 's v v v', inSessions(model));
    expect(rowsOf(model, ui)).toEqual(['[web 0]', 'a', '[without a tag 0]', 'b', '[api 0]', 'c']);
    expect(rowsOf(model, press(model, '/ # w e b', inSessions(model)).ui).sort()).toEqual(['a', 'c']);
  });

  it('edits tags on a line, and adds and removes only the differences', () => {
    const [a, b, c] = living;
    if (!a || !b || !c) throw new Error('three sessions live');
    const model = modelOf([{ ...a, tags: ['old', 'web'] }, { ...b, tags: ['web'] }, c]);
    const byName = press(model, 's s', inSessions(model)).ui;
    const one = press(model, 'home T C-u w e b space n e w enter', byName);
    expect(one.effects).toEqual([{ kind: 'tag', sessionIds: ['ses_a'], add: ['new'], remove: ['old'] }]);
    const two = press(model, 'home space space T C-u x enter', byName);
    expect(two.effects).toEqual([{ kind: 'tag', sessionIds: ['ses_a', 'ses_b'], add: ['x'], remove: ['web'] }]);
    expect(two.ui.marked.size).toBe(0);
    expect(press(model, 'home T enter', byName).effects).toEqual([]);
    expect(press(model, 'u', byName).effects).toEqual([{ kind: 'restore' }]);
  });

  it('opens the marked or waiting sessions in a grid, or all if there are fewer than two', () => {
    const model = modelOf(undefined, [anItem({ session_id: 'ses_b' })]);
    const byName = press(model, 'l s s').ui;
    const all = [{ kind: 'grid', sessionIds: ['ses_a', 'ses_b', 'ses_c'] }];
    expect(press(model, 'G', byName).effects).toEqual(all);
    const marked = press(model, 'home space G', byName);
    expect(marked.effects).toEqual([{ kind: 'grid', sessionIds: ['ses_a', 'ses_b'] }]);
    expect(marked.ui.marked.size).toBe(0);
  });

  it('unfolds ended sessions with Enter on their header, and a filter shows all matches', () => {
    const model = modelOf();
    const at = press(model, 'end', inSessions(model)).ui;
    expect(at.sessionId).toBe(ENDED_GROUP);
    expect(rowsOf(model, press(model, 'enter', at).ui)).toHaveLength(living.length + ended.length + 1);
    expect(rowsOf(model, press(model, '/ e 0', at).ui)).toEqual(['e0']);
  });

  it('shows the selected session even in a folded group', () => {
    const model = modelOf();
    expect(rowsOf(model, { ...inSessions(model), sessionId: 'ses_e0' })).toContain('e0');
  });
});

describe('marked sessions', () => {
  it('are marked with the header of their group, whether it is folded or not', () => {
    const model = modelOf();
    const { ui } = press(model, 's v', inSessions(model));
    const web = press(model, 'home down down down space', ui).ui;
    expect([...web.marked]).toEqual(['ses_b']);
    const folded = press(model, 'home enter', ui).ui;
    expect([...press(model, 'space', folded).ui.marked]).toEqual(['ses_a', 'ses_c']);
    const allEnded = press(model, 'end space', ui).ui;
    expect([...allEnded.marked].toSorted()).toEqual(ended.map(({ id }) => id));
    expect(press(model, 'space', allEnded).ui.marked.size).toBe(0);
  });

  it('are the target of an action, if the action applies to them', () => {
    const model = modelOf();
    const { ui } = press(model, 's home space space', inSessions(model));
    expect([...ui.marked]).toEqual(['ses_a', 'ses_b']);
    expect(press(model, 'end K y', ui).effects).toEqual([
      { kind: 'sessions', act: 'kill', sessionIds: ['ses_a', 'ses_b'] },
    ]);
    const mixed = { ...ui, marked: new Set(['ses_a', 'ses_e5', 'ses_e4']) };
    expect(press(model, 'X y', mixed).effects).toEqual([
      { kind: 'sessions', act: 'remove', sessionIds: ['ses_e5', 'ses_e4'] },
    ]);
    expect(press(model, 'E', mixed)).toMatchObject({
      effects: [{ act: 'export' }],
      ui: { marked: new Set(), notice: { text: 'exporting …' } },
    });
  });

  it('get a line that is typed once, if they take input', () => {
    const model = modelOf();
    const { ui } = press(model, 's home space space', inSessions(model));
    const sent = press(model, 'S g o enter', ui);
    expect(sent.effects).toEqual([{ kind: 'send', sessionIds: ['ses_a', 'ses_b'], text: 'go' }]);
    expect(sent.ui).toMatchObject({ marked: new Set(), mode: { kind: 'browse' } });
    expect(press(model, 'S g o escape', ui).effects).toEqual([]);
    const mixed = { ...ui, marked: new Set(['ses_a', 'ses_e5']) };
    expect(press(model, 'S enter', mixed).effects).toEqual([{ kind: 'send', sessionIds: ['ses_a'], text: '' }]);
    const allEnded = { ...ui, marked: new Set(['ses_e4', 'ses_e5']) };
    expect(press(model, 'S', allEnded).ui.notice?.text).toBe('each of the 2 takes no input');
    const typed = press(model, 'S n o enter', allEnded);
    expect(typed).toMatchObject({ effects: [], ui: { mode: { kind: 'browse' }, view: 'lists' } });
  });

  it('are started again, and are renamed only if it is one', () => {
    const model = modelOf();
    const { ui } = press(model, 's home space space', inSessions(model));
    expect(press(model, 'end R y', ui).effects).toEqual([
      { kind: 'sessions', act: 'restart', sessionIds: ['ses_a', 'ses_b'] },
    ]);
    expect(press(model, 'r', ui).ui).toMatchObject({
      mode: { kind: 'browse' },
      marked: ui.marked,
      notice: { text: '2 sessions are marked, and a name is for one: Esc removes the marks' },
    });
    const one = press(model, 'home space', press(model, 's', inSessions(model)).ui).ui;
    expect(press(model, 'r', one).ui.mode).toMatchObject({ kind: 'renaming', sessionId: 'ses_a' });
  });

  it('are unmarked by the same key or Escape, and forgotten when they are removed', () => {
    const model = modelOf();
    const { ui } = press(model, 's v home space', inSessions(model));
    expect([...ui.marked]).toEqual(['ses_a', 'ses_c']);
    expect(press(model, 'home space', ui).ui.marked.size).toBe(0);
    expect(press(model, 'escape', ui).ui).toMatchObject({ marked: new Set(), grouping: 'project' });
    const gone = reduce(model, {
      kind: 'event',
      event: { ...events.state('ses_c', 'exited'), event_type: 'session_removed' } as never,
    });
    expect([...settle(ui, gone, at(200)).marked]).toEqual(['ses_a']);
  });
});

test.each([
  ['R', [{ kind: 'sessions', act: 'restart', sessionIds: ['ses_e5'] }]],
  ['X y', [{ kind: 'sessions', act: 'remove', sessionIds: ['ses_e5'] }]],
  ['X n', []],
  ['K y', []],
  ['enter', [{ kind: 'look_back', sessionId: 'ses_e5' }]],
  ['[', [{ kind: 'look_back', sessionId: 'ses_e5' }]],
  ['z pageup', [{ kind: 'look_back', sessionId: 'ses_e5' }]],
  ['d R', [{ kind: 'sessions', act: 'restart', sessionIds: ['ses_e5'] }]],
] as const)('on an ended session, the keys %s have the effects %j', (keys, effects) => {
  const model = modelOf(ended);
  expect(press(model, keys, inSessions(model)).effects).toEqual(effects);
});

test.each(['r', 'T', 'S', 'K', 'R', 'E', 'D', '['])('on a group, the key %s says why it does nothing', (key) => {
  const model = modelOf();
  const { ui } = press(model, 's v home', inSessions(model));
  const pressed = press(model, key, ui);
  expect(pressed.effects).toEqual([]);
  expect(pressed.ui.notice?.text).toContain('this is a group');
});

test('a key that has no meaning here names the place where it has one', () => {
  const model = modelOf(undefined, [anItem({ session_id: 'ses_a' })]);
  const inInbox = press(model, 'home').ui;
  expect(press(model, 'T', inInbox).ui.notice?.text).toBe(
    'T (tag) works in the list of sessions, the details of a session',
  );
  expect(press(model, 'Q', inInbox).ui.notice?.text).toBe('Q has no meaning here; ? lists the keys');
});

test('K says that an ended session has ended, and asks nothing', () => {
  const model = modelOf(ended);
  const { ui, effects } = press(model, 'K', inSessions(model));
  expect(effects).toEqual([]);
  expect(ui.notice?.text).toMatch(/ended/);
});

test('restarts a running session only after y, and does not remove it', () => {
  const model = modelOf(living);
  const ui = press(model, 's home', inSessions(model)).ui;
  expect(press(model, 'R', ui).effects).toEqual([]);
  expect(press(model, 'R y', ui).effects).toEqual([{ kind: 'sessions', act: 'restart', sessionIds: ['ses_a'] }]);
  expect(press(model, 'X', ui).ui.notice?.text).toBe('a is running; K ends it first');
});

test('the wheel on the screen opens the scrollback of the session shown there', () => {
  const model = modelOf(living);
  const context = { ...around(model, at(9)), targetAt: () => ({ kind: 'screen', sessionId: 'ses_b' }) as const };
  const wheel = { kind: 'mouse', x: 0, y: 0 } as const;
  const ui = inSessions(model);
  expect(handleKey(ui, { ...wheel, what: 'wheelup' }, context).effect).toEqual({
    kind: 'look_back',
    sessionId: 'ses_b',
  });
  expect(handleKey(ui, { ...wheel, what: 'wheeldown' }, context).effect).toBeNull();
});
