import { describe, expect, it } from 'vitest';
import { anItem, aSession, aSnapshot, at, events } from '../../../test/tui/data.js';
import { EVENT_TYPES, type Event, listsOf } from '../../protocol/index.js';
import { RULES } from './event-rules.js';
import { EMPTY_MODEL, type Model, openItems, reduce } from './model.js';

const take = (model: Model, ...all: Event[]): Model =>
  all.reduce((now, event) => reduce(now, { kind: 'event', event }), model);
const loaded = (snapshot = aSnapshot()): Model => reduce(EMPTY_MODEL, { kind: 'snapshot', snapshot, at: at(0) });

describe('the model', () => {
  it('shows the items of the snapshot, the longest waiting first', () => {
    const model = loaded(
      aSnapshot({
        sessions: [aSession({ id: 'ses_a' })],
        items: [anItem({ id: 'itm_late', at: 9 }), anItem({ id: 'itm_early', at: 1 })],
      }),
    );
    expect(model.connection.kind).toBe('connected');
    expect(model.items.map(({ item }) => item.id)).toEqual(['itm_early', 'itm_late']);
  });

  it('takes history at once, without opening an item that was answered in it', () => {
    const history = [events.opened('itm_old', 'ses_a'), events.answered('itm_old', 'ses_a', 'yes', 'cli')];
    const before = loaded(aSnapshot({ sessions: [aSession({ id: 'ses_a' })] }));
    const late = reduce({ ...before, startedAt: at(1_000) }, { kind: 'history', events: history });
    expect([late.items, late.feed.length, late.lastSeq]).toEqual([[], 2, history[1]?.seq]);
  });

  it('follows a session from its start to its end', () => {
    const model = take(
      loaded(),
      events.started('ses_a', 'build'),
      events.state('ses_a', 'working'),
      events.message('ses_a', 'STATUS_UPDATE', { progress: 40, currentStep: 'Compiling' }),
      events.message('ses_a', 'ERROR', { message: 'a test failed', severity: 'warning' }),
    );
    expect(model.sessions[0]).toMatchObject({
      name: 'build',
      state: 'working',
      progress: 40,
      current_step: 'Compiling',
      last_error: { message: 'a test failed', severity: 'warning' },
    });
    const ended = take(model, events.exited('ses_a', 'failed', 2));
    expect(ended.sessions[0]).toMatchObject({ state: 'failed', exit_code: 2 });
    expect(ended.sessions[0]?.ended_at).not.toBeNull();
  });

  it('opens an item, and shows the delivery of its answer', () => {
    const opened = take(loaded(), events.started('ses_a', 'build'), events.opened('itm_1', 'ses_a'));
    expect(openItems(opened)).toMatchObject([{ id: 'itm_1', session_name: 'build', state: 'open' }]);
    const answered = take(opened, events.answered('itm_1', 'ses_a', 'JWT', 'cli'), events.written('itm_1', 'ses_a'));
    expect(openItems(answered)).toEqual([]);
    expect(answered.items[0]?.item.answer).toMatchObject({ text: 'JWT', by: 'cli', delivery: 'written' });
  });

  it('does not show items that were closed before the TUI started', () => {
    const model = reduce(EMPTY_MODEL, { kind: 'snapshot', snapshot: aSnapshot(), at: at(1_000_000) });
    const history = [events.opened('itm_1', 'ses_a'), events.answered('itm_1', 'ses_a', 'yes', 'cli')];
    expect(take(model, ...history).items).toEqual([]);
    expect(take(model, ...history, events.written('itm_1', 'ses_a')).feed).toHaveLength(3);
  });

  it('removes a closed item after a while, unless it is shown', () => {
    const closed = take(loaded(), events.opened('itm_1', 'ses_a'), events.withdrawn('itm_1', 'ses_a'));
    expect(closed.items).toHaveLength(1);
    const later = Date.parse(closed.feed.at(-1)?.timestamp ?? '') + 3_600_000;
    expect(reduce(closed, { kind: 'tick', at: later, shownId: 'itm_1' }).items).toHaveLength(1);
    expect(reduce(closed, { kind: 'tick', at: later, shownId: null }).items).toHaveLength(0);
  });

  it('is unchanged when events of the snapshot arrive again', () => {
    const all = [
      events.started('ses_a', 'build'),
      events.opened('itm_1', 'ses_a'),
      events.state('ses_a', 'waiting'),
      events.answered('itm_1', 'ses_a', 'yes', 'tui'),
      events.state('ses_a', 'working'),
      events.opened('itm_2', 'ses_a'),
      events.state('ses_a', 'waiting'),
    ];
    const live = take(loaded(), ...all);
    const snapshot = aSnapshot({ sessions: live.sessions, items: openItems(live) });
    const replayed = take(loaded(snapshot), ...all);
    expect(replayed.sessions.map(({ state }) => state)).toEqual(live.sessions.map(({ state }) => state));
    expect(openItems(replayed).map(({ id }) => id)).toEqual(openItems(live).map(({ id }) => id));
    expect(replayed.feed).toHaveLength(all.length);
  });

  it('lists an event once in the feed', () => {
    const event = events.started('ses_a', 'build');
    const model = take(loaded(), event);
    expect(take(model, event).feed).toHaveLength(1);
  });

  it('takes a new snapshot after a lost connection, and marks items that were closed meanwhile', () => {
    const before = take(loaded(), events.started('ses_a', 'build'), events.opened('itm_1', 'ses_a'));
    const away = reduce(before, { kind: 'away', why: 'gone' });
    expect(away.connection.kind).toBe('away');
    expect(openItems(away)).toHaveLength(1);
    const snapshot = aSnapshot({ sessions: [aSession({ id: 'ses_b', name: 'other' })], items: [] });
    const back = reduce(away, { kind: 'snapshot', snapshot, at: at(100) });
    expect(back.connection.kind).toBe('connected');
    expect(openItems(back)).toEqual([]);
    expect(back.items[0]).toMatchObject({ withdrawn: 'unseen', changedAt: at(100) });
    expect(back.sessions.map(({ name }) => name)).toEqual(['other']);
  });

  it('lists running sessions before ended ones', () => {
    const model = take(
      loaded(),
      events.started('ses_a', 'one'),
      events.started('ses_b', 'two'),
      events.exited('ses_a', 'exited', 0),
    );
    expect(model.sessions.map(({ name }) => name)).toEqual(['two', 'one']);
  });
});

/** These change nothing that the model has: it is loaded anew, or the fields are those of other surfaces. */
const FEED_ONLY = ['daemon_started', 'message_rejected', 'session_paused', 'session_resumed'];

it('has a rule for each event that changes sessions or items', () => {
  const changing = EVENT_TYPES.filter((type) => {
    const lists = listsOf({ event_type: type } as Event);
    return lists === 'all' || lists.includes('sessions') || lists.includes('inbox');
  });
  expect(changing.filter((type) => !(type in RULES)).sort()).toEqual(FEED_ONLY);
});

it('shows what a session has cost, and a hint, as soon as the daemon knows', () => {
  const usage = { model: 'm', input_tokens: 10, output_tokens: 2, cost_usd: 0.5 };
  const hint = { hint: 'marker_shape', seen: '**:ORCHESTRATOR:**', message: 'it is in bold' };
  const model = take(
    loaded(),
    events.started('ses_a', 'build'),
    { ...events.state('ses_a', 'working'), event_type: 'session_usage_changed', usage } as unknown as Event,
    { ...events.state('ses_a', 'working'), event_type: 'message_hint', ...hint } as unknown as Event,
  );
  expect(model.sessions[0]).toMatchObject({ usage, hints: [hint] });
});
