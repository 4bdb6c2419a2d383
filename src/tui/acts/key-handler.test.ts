import { describe, expect, it } from 'vitest';
import { anItem, around, aSession, aSnapshot, at, events, press, toKey } from '../../../test/tui/data.js';
import type { Item } from '../../protocol/index.js';
import type { Key } from '../input/key-reader.js';
import { EMPTY_MODEL, type Model, reduce } from '../model/model.js';
import { handleKey, settle } from './key-handler.js';
import { START } from './ui-state.js';

const modelOf = (...items: Item[]): Model =>
  reduce(EMPTY_MODEL, {
    kind: 'snapshot',
    snapshot: aSnapshot({ sessions: [aSession(), aSession({ id: 'ses_b', name: 'docs' })], items }),
    at: at(0),
  });

/** Returns the model after the first item was answered. */
const answered = (...items: Item[]): Model =>
  reduce(modelOf(...items), { kind: 'event', event: events.answered('itm_1', 'ses_a', 'JWT', 'cli') });

const question = anItem({ data: { question: 'Which?', options: ['JWT', 'OAuth2'] } });
const review = anItem({ id: 'itm_2', type: 'REQUEST_REVIEW', data: { description: 'Look' }, at: 5 });

describe('keys', () => {
  it('a digit answers in the details, but not in the list', () => {
    expect(press(modelOf(question), '1').effects).toEqual([]);
    expect(press(modelOf(question), 'enter 2').effects).toEqual([
      { kind: 'answer', itemId: 'itm_1', request: { option: 2 } },
    ]);
  });

  it('a digit in the list opens the item with a hint, and the same digit again sends the option', () => {
    const model = modelOf(question);
    const { ui, effects } = press(model, '2');
    expect(effects).toEqual([]);
    expect(ui.mode).toMatchObject({ kind: 'item', itemId: 'itm_1' });
    expect(ui.notice?.text).toBe('press 2 again or Enter to send “OAuth2”');
    expect(press(model, '2 2').effects).toEqual([{ kind: 'answer', itemId: 'itm_1', request: { option: 2 } }]);
    expect(press(model, '2 enter').effects).toEqual([{ kind: 'answer', itemId: 'itm_1', request: { option: 2 } }]);
    expect(press(model, '2 enter', undefined, 50).effects).toEqual([]);
    expect(press(modelOf(review), '2 enter n o enter').effects).toEqual([
      { kind: 'answer', itemId: 'itm_2', request: { option: 2, text: 'no' } },
    ]);
    const hasty = press(model, '2 2 2', undefined, 50);
    expect(hasty.effects).toEqual([]);
    expect(hasty.ui.notice?.text).toBe('press 2 again or Enter to send “OAuth2”');
  });

  it('a digit in the list that is not an option shows a hint', () => {
    expect(press(modelOf(question), '3').ui).toMatchObject({
      mode: { kind: 'browse' },
      notice: { text: 'this item has options 1 to 2' },
    });
    expect(press(modelOf(anItem()), '1').ui.notice?.text).toBe('this item has no options: a types an answer');
    expect(press(answered(question), '1').ui.notice?.text).toBe('already answered by cli: “JWT”');
  });

  it.each(['a', 'enter a'])('text for an item that is already answered runs no commands: %s', (keys) => {
    const model = answered(question, review);
    const from = press(model, keys).ui;
    expect(from.notice?.text).toBe('already answered by cli: “JWT”');
    const { ui, effects } = press(model, 'o f q backspace ? 1 enter', from, 200);
    expect(effects).toEqual([]);
    expect(ui).toMatchObject({
      pane: 'screen',
      itemId: 'itm_1',
      mode: from.mode,
      notice: from.notice && { text: from.notice.text },
    });
    expect(press(model, 'f', press(model, 'g', ui).ui).ui.pane).toBe('feed');
  });

  it('text in several lines for an item that is already answered runs no commands', () => {
    const model = answered(question, review);
    const { ui, effects } = press(model, 'a o C-j n q alt-enter q enter', undefined, 200);
    expect(effects).toEqual([]);
    expect(ui.mode).toEqual({ kind: 'browse' });
  });

  it('keys are commands again after a pause or after a key that is not text', () => {
    const model = answered(question, review);
    expect(press(model, 'a q').effects).toEqual([]);
    expect(press(model, 'a q', undefined, 3_000).effects).toEqual([{ kind: 'quit' }]);
    expect(press(model, 'a C-c').effects).toEqual([{ kind: 'quit' }]);
    expect(press(model, 'a down').ui).toMatchObject({ itemId: 'itm_2', muted: null });
    expect(press(model, 'a enter').ui.mode).toMatchObject({ kind: 'item', itemId: 'itm_1' });
  });

  it('a shows a hint if nothing waits or the answer is being sent', () => {
    expect(press({ ...modelOf(), sessions: [] }, 'a q')).toMatchObject({
      effects: [],
      ui: { notice: { text: 'nothing waits for an answer' } },
    });
    expect(press(modelOf(question), 'enter 1 a').ui.notice?.text).toBe('its answer is on its way');
  });

  it('keys typed ahead or pasted answer nothing', () => {
    expect(press(modelOf(question), 'enter 1 1 y', undefined, 1).effects).toEqual([]);
    const { ui } = press(modelOf(question), 'enter');
    const paste: Key = { kind: 'paste', text: '1\r' };
    expect(handleKey(ui, paste, around(modelOf(question), at(200))).effect).toBeNull();
  });

  it('a second digit sends no second answer', () => {
    expect(press(modelOf(question), 'enter 1 2').effects).toHaveLength(1);
  });

  it('a text is begun at once, so that its letters are no commands', () => {
    const { ui, effects } = press(modelOf(question), 'enter a n o', undefined, 1);
    expect(ui.mode.kind).toBe('typing');
    expect(effects).toEqual([]);
  });

  it('an option that is not visible cannot be chosen', () => {
    const { ui } = press(modelOf(question), 'enter');
    const view = () => ({ maxScroll: 0, visibleOptions: 1 });
    const { effect, ui: after } = handleKey(ui, toKey('2'), around(modelOf(question), at(200), { view }));
    expect(effect).toBeNull();
    expect(after.notice?.text).toContain('not in sight');
  });

  it('a review is approved at once, but requesting changes needs a text', () => {
    const model = modelOf(review);
    expect(press(model, 'enter 1').effects).toEqual([{ kind: 'answer', itemId: 'itm_2', request: { option: 1 } }]);
    expect(press(model, 'enter 2 n o enter').effects).toEqual([
      { kind: 'answer', itemId: 'itm_2', request: { option: 2, text: 'no' } },
    ]);
  });

  it('an answer is typed, sent with Enter, left with Escape, and never empty', () => {
    const model = modelOf(question);
    expect(press(model, 'enter enter o k enter').effects).toEqual([
      { kind: 'answer', itemId: 'itm_1', request: { text: 'ok' } },
    ]);
    expect(press(model, 'a o k escape').effects).toEqual([]);
    expect(press(model, 'a enter').effects).toEqual([]);
    expect(press(model, 'a q').ui.mode.kind).toBe('typing');
  });

  it('on a dialog, Enter attaches, digits choose, and text is refused', () => {
    const dialog = anItem({ type: 'attention', data: { text: 'Run it?', options: ['Yes', 'No'], source: 'dialog' } });
    expect(press(modelOf(dialog), 'enter enter').effects).toEqual([{ kind: 'attach', sessionId: 'ses_a' }]);
    expect(press(modelOf(dialog), 'enter 2').effects).toEqual([
      { kind: 'answer', itemId: 'itm_1', request: { option: 2 } },
    ]);
    const { ui, effects } = press(modelOf(dialog), 'a');
    expect(effects).toEqual([]);
    expect(ui.mode.kind).toBe('item');
    expect(ui.notice?.text).toContain('attach');
  });

  it('declining needs a confirmation', () => {
    const model = modelOf(question);
    expect(press(model, 'enter x n').effects).toEqual([]);
    expect(press(model, 'enter x y').effects).toEqual([
      { kind: 'answer', itemId: 'itm_1', request: { decline: true } },
    ]);
  });

  it('g goes from an item to its session, and i back', () => {
    const { ui } = press(modelOf(question), 'enter g');
    expect(ui).toMatchObject({ focus: 'sessions', sessionId: 'ses_a', mode: { kind: 'browse' } });
    expect(press(modelOf(question), 'i', ui).ui.mode).toMatchObject({ kind: 'item', itemId: 'itm_1' });
  });

  it('Enter attaches to a running session', () => {
    expect(press(modelOf(), 'down enter').effects).toEqual([{ kind: 'attach', sessionId: 'ses_b' }]);
  });

  it('q quits, but not while typing, and Ctrl-C first leaves a text field', () => {
    expect(press(modelOf(), 'q').effects).toEqual([{ kind: 'quit' }]);
    expect(press(modelOf(question), 'enter C-c').effects).toEqual([{ kind: 'quit' }]);
    // The first Ctrl-C leaves the text field and keeps the draft. The next one quits.
    const left = press(modelOf(question), 'a h i C-c');
    expect(left).toMatchObject({ effects: [], ui: { mode: { kind: 'item' } } });
    expect(left.ui.drafts.get(question.id)).toBe('hi');
    expect(press(modelOf(question), 'l K C-c').ui.mode.kind).toBe('browse');
    expect(press(modelOf(question), 'n C-c').effects).toEqual([]);
    expect(press(modelOf(question), 'a q').effects).toEqual([]);
  });

  it('typing ends if another client answers the item, and further text runs no commands', () => {
    const { ui } = press(modelOf(question), 'a o k');
    const answerEvent = events.answered('itm_1', 'ses_a', 'JWT', 'cli');
    const settled = settle(ui, reduce(modelOf(question), { kind: 'event', event: answerEvent }), at(100));
    expect(settled.mode.kind).toBe('item');
    expect(settled.notice?.text).toBe('already answered by cli: “JWT”');
    const model = answered(question, review);
    const { ui: after, effects } = press(model, 'q q enter', settled, 100);
    expect(effects).toEqual([]);
    expect(after.mode).toEqual(settled.mode);
  });

  it('help returns to the previous view', () => {
    expect(press(modelOf(question), 'enter ? x').ui.mode.kind).toBe('item');
  });
});

describe('the selection', () => {
  it('moves to the inbox when an item opens, unless the user has moved', () => {
    const empty = settle(START, modelOf(), at(0));
    expect(empty.focus).toBe('sessions');
    expect(settle(empty, modelOf(question), at(0)).focus).toBe('inbox');
    const { ui } = press(modelOf(), 'down', empty);
    expect(settle(ui, modelOf(question), at(0)).focus).toBe('sessions');
  });

  it('stays on its item when others come and go, and moves to the next when its item is gone', () => {
    const other = anItem({ id: 'itm_0', at: -5 });
    const start = settle(START, modelOf(question, review), at(0));
    expect(start.itemId).toBe('itm_1');
    const moved = settle(start, modelOf(other, question, review), at(0));
    expect(moved).toMatchObject({ itemId: 'itm_1', itemIndex: 1 });
    expect(settle(moved, modelOf(other, review), at(0))).toMatchObject({ itemId: 'itm_2', itemIndex: 1 });
    expect(settle(moved, modelOf(), at(0)).itemId).toBeNull();
  });
});

it('Escape and a letter that arrive together have both effects', () => {
  const model = reduce(EMPTY_MODEL, {
    kind: 'snapshot',
    snapshot: aSnapshot({ sessions: [aSession()], items: [anItem()] }),
    at: at(0),
  });
  const { ui } = press(model, 'enter');
  expect(ui.mode.kind).toBe('item');
  const next = handleKey(ui, { kind: 'alt', text: 'q' }, around(model, at(200)));
  const { ui: help } = press(model, '?');
  const closed = handleKey(help, { kind: 'alt', text: ':' }, around(model, at(200)));
  expect([help.mode.kind, closed.ui.mode.kind]).toEqual(['help', 'palette']);
  expect(next).toMatchObject({ effect: { kind: 'quit' }, ui: { mode: { kind: 'browse' } } });
  const typing = press(model, 'enter a').ui;
  expect(handleKey(typing, { kind: 'alt', text: 'q' }, around(model, at(200))).ui.mode.kind).toBe('typing');
});
