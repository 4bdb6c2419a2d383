import { describe, expect, it } from 'vitest';
import { anItem, aSession, aSnapshot, at, press } from '../../../test/tui/data.js';
import { attach } from '../acts/list-acts.js';
import { sessionRows } from '../acts/session-rows.js';
import { shownItems } from '../acts/shown.js';
import { START } from '../acts/ui-state.js';
import { answerWords, elsewhereWords, outcomeOf } from './items/item-words.js';
import { EMPTY_MODEL, type Model, openItems, reduce } from './model.js';
import type { OnHub } from './other-machines.js';

const here = aSnapshot({ sessions: [aSession({ id: 'ses_a', name: 'web' })], items: [anItem({ id: 'itm_1', at: 5 })] });
const loaded = (): Model => reduce(EMPTY_MODEL, { kind: 'snapshot', snapshot: here, at: at(0) });

/** The hub with this machine, `laptop`, and `build` with one session that asks. */
function hub({
  age_ms = 0,
  ...of
}: {
  age_ms?: number;
  on_its_way?: NonNullable<OnHub['items'][number]['on_its_way']>;
} = {}): OnHub {
  const build = { machine: 'build', away: age_ms > 0, age_ms };
  const laptop = { machine: 'laptop', away: false, age_ms: 0 };
  return {
    own: 'laptop',
    items: [
      { ...laptop, item: anItem({ id: 'itm_1', at: 5 }) },
      { ...build, item: { ...anItem({ id: 'itm_2', at: 1 }), session_id: 'ses_b', session_name: 'api' }, ...of },
    ],
    sessions: [{ ...build, session: aSession({ id: 'ses_b', name: 'api' }) }],
  };
}
const withHub = (model: Model, on: OnHub | null): Model => reduce(model, { kind: 'machines', hub: on, at: at(10) });

describe('other machines', () => {
  it('have their open items in the inbox, by age, each once and with its machine', () => {
    const model = withHub(withHub(loaded(), hub()), hub());
    expect(model.items.map(({ item }) => [item.id, item.session_name])).toEqual([
      ['itm_2', 'build/api'],
      ['itm_1', anItem().session_name],
    ]);
    expect(shownItems(model, { filters: { ...START.filters, inbox: 'build' } })).toHaveLength(1);
  });

  it('show their age while they are away, and an answer that is on its way', () => {
    const sent = { text: 'blue', by: 'ann@laptop', at: '2026-01-01T00:00:00Z' };
    const [entry] = withHub(loaded(), hub({ age_ms: 300_000, on_its_way: sent })).items;
    expect(elsewhereWords(entry ?? {})).toBe('away 5m · on its way: “blue” (ann@laptop) · ');
    const rows = sessionRows(withHub(loaded(), hub({ age_ms: 300_000 })), START);
    expect(rows.map((row) => (row.kind === 'group' ? row.title : row.session.name))).toEqual([
      'web',
      'on build, away 5m',
      'api',
    ]);
  });

  it('are attached to while they are here', () => {
    const attachTo = (on: OnHub) => attach(START, 'ses_b', { model: withHub(loaded(), on), at: at(10) });
    expect(attachTo(hub()).effect).toEqual({ kind: 'attach', sessionId: 'ses_b', machine: 'build' });
    const { ui, effect } = attachTo(hub({ age_ms: 300_000 }));
    expect([effect, ui.notice?.text]).toEqual([null, 'build is away 5m: its sessions cannot be shown']);
  });

  it('are acted on by a command, which the TUI names', () => {
    const ui = { ...START, focus: 'sessions', list: 'sessions', sessionId: 'ses_b' } as const;
    const told = (key: string) => press(withHub(loaded(), hub()), key, ui).ui.notice?.text;
    const words = (does: string) => `build/api is on another machine: \`orchd ${does}\` does it`;
    expect(['K', 'X', 'r', 'T', 'S', 'd'].map(told)).toEqual([
      ...['kill build/api', 'rm build/api', 'rename build/api NAME', 'tag build/api TAG', 'send build/api TEXT'].map(
        words,
      ),
      words('show build/api'),
    ]);
    expect(told('R')).toBe('build/api is on another machine, and this works on its own machine only');
  });

  it('keep their items when this daemon is connected again, and lose them without a hub', () => {
    const model = reduce(withHub(loaded(), hub()), { kind: 'snapshot', snapshot: here, at: at(11) });
    expect(openItems(model).map(({ id }) => id)).toEqual(['itm_2', 'itm_1']);
    const alone = withHub(model, null);
    expect(openItems(alone).map(({ id }) => id)).toEqual(['itm_1']);
    expect([alone.others, outcomeOf(alone.items[0] ?? { item: anItem(), withdrawn: null })]).toEqual([
      [],
      'closed on its machine',
    ]);
  });

  it('show the answer that was given from here, also before the hub has it', () => {
    const answer = { text: 'blue', by: 'ann@laptop', at: '2026-01-01T00:00:00Z' };
    const item = { ...anItem({ id: 'itm_2', at: 1 }), session_name: 'api', state: 'answered' as const, answer };
    const model = reduce(withHub(loaded(), hub()), { kind: 'answered_there', item, at: at(10) });
    for (const now of [model, withHub(model, hub())]) {
      expect(openItems(now).map(({ id }) => id)).toEqual(['itm_1']);
      expect(now.items[0]?.item.session_name).toBe('build/api');
      expect(answerWords(now.items[0]?.item.answer ?? answer)).toContain('blue');
    }
  });
});
