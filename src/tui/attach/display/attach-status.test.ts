import { describe, expect, it } from 'vitest';
import { anItem, aSession, aSnapshot, at } from '../../../../test/tui/data.js';
import { ATTACH_SEGMENTS, mergeConfig, segmentsOf } from '../../../protocol/index.js';
import { EMPTY_MODEL, reduce } from '../../model/model.js';
import { widthOf } from '../../paint/text.js';
import { nextWaiting, sessionBeside } from '../reachable-sessions.js';
import { statusRow } from './attach-status.js';

const ids = ['ses_a', 'ses_b', 'ses_c'] as const;
const waiting = (id: string, session: string, seconds: number) =>
  anItem({ id, session_id: session as 'ses_a', at: seconds });
const snapshot = aSnapshot({
  sessions: ids.map((id, i) => aSession({ id, name: `名-${i}`, created_at: new Date(at(i)).toISOString() })),
  items: [waiting('itm_1', 'ses_c', 1), waiting('itm_2', 'ses_a', 2)],
});
const model = reduce(EMPTY_MODEL, { kind: 'snapshot', snapshot, at: at(9) });
const input = {
  name: '名-0',
  sessionId: 'ses_a',
  model,
  prefix: 'Ctrl-]',
  isReadOnly: false,
  foreignSize: null,
  guests: null,
  segments: segmentsOf(mergeConfig([]).status.attach, ATTACH_SEGMENTS),
  notice: null,
};

describe('the status row', () => {
  it('is exactly as wide as the terminal, whatever it contains', () => {
    for (let columns = 1; columns < 160; columns++) {
      for (const notice of [null, 'a notice 漢字 that is rather long, and goes on for longer than some']) {
        for (const foreignSize of [null, { cols: 200, rows: 50 }]) {
          expect(widthOf(statusRow({ ...input, notice, foreignSize, isReadOnly: true }, columns))).toBe(columns);
        }
      }
    }
  });

  it('names the state as the lists do', () => {
    const session = aSession({ id: 'ses_a', state: 'working', state_source: 'process', idle: true });
    const idle = reduce(EMPTY_MODEL, { kind: 'snapshot', snapshot: aSnapshot({ sessions: [session] }), at: at(9) });
    expect(statusRow({ ...input, model: idle }, 60)).toMatch(/ · idle /);
  });

  it('shows the session, its state, the waiting sessions and the keys', () => {
    expect(statusRow(input, 60)).toBe(' 名-0 · working             2 open · 1/3 · Ctrl-] a answers ');
    expect(statusRow({ ...input, sessionId: 'ses_b', isReadOnly: true }, 60)).toMatch(
      / · read-only .*2\/3 · Ctrl-\] \? helps $/,
    );
    expect(statusRow({ ...input, foreignSize: { cols: 80, rows: 23 } }, 80)).toContain('80x23 of another client');
    const away = reduce(model, { kind: 'away', why: 'gone' });
    expect(statusRow({ ...input, model: away }, 80)).toContain('the daemon is away');
  });
});

describe('the segments of the status row', () => {
  const shown = (text: string, more: Partial<typeof input> = {}) =>
    statusRow({ ...input, ...more, segments: segmentsOf(text, ATTACH_SEGMENTS) }, 60).trim();

  it('are in the configured order, and empty ones leave no gap', () => {
    expect(shown('state cost tags name')).toBe('working · 名-0');
    expect(shown('keys | name')).toMatch(/^Ctrl-\] a answers +名-0$/);
    expect(shown('')).toBe('');
  });

  it('show the branch, its changes, the cost, the tags and the folder', () => {
    const usage = { input_tokens: 5, output_tokens: 5, cached_input_tokens: null, cost_usd: 1.25, turns: 1 };
    const session = aSession({ id: 'ses_a', tags: ['web'], cwd: '/home/user/proj', usage });
    const changes = [{ session_id: 'ses_a', branch: 'fix', file_count: 1, added: 3, removed: 1 }];
    const status = { ...snapshot.status, changes };
    const known = reduce(EMPTY_MODEL, {
      kind: 'snapshot',
      snapshot: { ...snapshot, status, sessions: [session] },
      at: at(9),
    });
    expect(shown('branch changes cost tags folder', { model: known })).toBe('fix · +3 −1 · $1.25 · #web · proj');
  });
});

describe('going to another session', () => {
  it('sessionBeside cycles through the running sessions', () => {
    expect(ids.map((id) => sessionBeside(model, id, 1))).toEqual(['ses_b', 'ses_c', 'ses_a']);
    expect(ids.map((id) => sessionBeside(model, id, -1))).toEqual(['ses_c', 'ses_a', 'ses_b']);
    expect(sessionBeside(EMPTY_MODEL, 'ses_a', 1)).toBeNull();
  });

  it('nextWaiting picks the session that has waited longest, then the others in turn', () => {
    expect(ids.map((id) => nextWaiting(model, id))).toEqual(['ses_c', 'ses_c', 'ses_a']);
    expect(nextWaiting(EMPTY_MODEL, 'ses_a')).toBeNull();
  });
});
