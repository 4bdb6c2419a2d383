import { describe, expect, test } from 'vitest';
import { type Item, minutesOfQuiet, parseQuietHours } from '../protocol/index.js';
import { decideNotify, type NotifyInput, notifySummary, notifyWords } from './notify.js';

const NOON = 12 * 3_600_000;
const START = Date.UTC(2026, 0, 1, 12);
const item = (id: string, more: Partial<Item> = {}): Item => ({
  id,
  session_id: `ses_${id}`,
  session_name: `agent-${id}`,
  type: 'QUESTION',
  data: { question: 'Which?' },
  state: 'open',
  opened_at: new Date(START).toISOString(),
  answer: null,
  message_id: null,
  origin: { ear: 'lines', from: 0, to: 1 },
  ...more,
});
const decided = (more: Partial<NotifyInput>) => {
  const input = { items: [item('a')], presences: [], now: START, timeOfDayMs: NOON };
  const { tell, lookAgainAt } = decideNotify({ ...input, rules: { afterMs: 1000, quiet: null }, ...more });
  return { tell: tell.map(({ id }) => id), lookAgainAt };
};

describe('a notification', () => {
  test('is due once the item has been open for afterMs', () => {
    expect(decided({ now: START + 999 })).toEqual({ tell: [], lookAgainAt: START + 1000 });
    expect(decided({ now: START + 1000 })).toEqual({ tell: ['a'], lookAgainAt: null });
  });

  test('waits while a user has its session or the inbox in sight', () => {
    const until = START + 60_000;
    for (const sessionId of ['ses_a', null]) {
      const presences = [{ sessionId, until }];
      expect(decided({ presences, now: START + 5000 })).toEqual({ tell: [], lookAgainAt: until });
      expect(decided({ presences: [], now: START + 5000 }).tell).toEqual(['a']);
    }
  });

  test('is due if the user looks at another session', () => {
    const presences = [{ sessionId: 'ses_b', until: START + 60_000 }];
    expect(decided({ presences, now: START + 1000 }).tell).toEqual(['a']);
  });

  test('covers all items that are due, and the next item has its own time', () => {
    const later = item('c', { opened_at: new Date(START + 500).toISOString() });
    const items = [item('a'), item('b'), later];
    expect(decided({ items, now: START + 1000 })).toEqual({ tell: ['a', 'b'], lookAgainAt: START + 1500 });
  });

  test('needs no timer if no item is open', () => {
    expect(decided({ items: [] })).toEqual({ tell: [], lookAgainAt: null });
  });
});

describe('quiet hours', () => {
  const night = parseQuietHours('22:00-07:00');
  const at = (hours: number, minutes: number, seconds = 0) => ((hours * 60 + minutes) * 60 + seconds) * 1000;
  const decidedAt = (timeOfDayMs: number) =>
    decided({ items: [item('a'), item('b')], now: START + 10_000, timeOfDayMs, rules: { afterMs: 0, quiet: night } });

  test('delay all notifications until they end, also across midnight', () => {
    expect(decidedAt(at(21, 59, 59)).tell).toEqual(['a', 'b']);
    expect(decidedAt(at(22, 0))).toEqual({ tell: [], lookAgainAt: START + 10_000 + at(9, 0) });
    expect(decidedAt(at(6, 59, 30))).toEqual({ tell: [], lookAgainAt: START + 10_000 + 30_000 });
    expect(decidedAt(at(7, 0)).tell).toEqual(['a', 'b']);
  });

  test('may lie within one day, and end with the first minute outside', () => {
    const hours = parseQuietHours('12:30-13:00');
    expect(hours).toEqual({ from: 750, to: 780 });
    const left = (minute: number) => hours && minutesOfQuiet(hours, minute);
    expect([749, 750, 779, 780].map(left)).toEqual([0, 30, 1, 0]);
  });

  test('are off if the text is not two different times of day', () => {
    for (const text of ['', '22-7', '24:00-07:00', '22:60-07:00', '09:00-09:00', '22:00-07:00 ', '22:00–07:00'])
      expect(parseQuietHours(text), text).toBeNull();
  });
});

describe('the text of a notification', () => {
  test('names the session and its request on one line each, without control characters', () => {
    const data = { question: `Delete\nall?\x1b]0;gone\x07\u202e ${'x'.repeat(500)}` };
    const { title, text } = notifyWords(item('a', { session_name: 'bu\x07ild', data }));
    expect(title).toBe('bu‹U+0007›ild asks');
    expect(text).toMatch(/^Delete all\?‹U\+001B›\]0;gone‹U\+0007›‹U\+[0-9A-F]+› x+…$/);
    expect(Array.from(text)).toHaveLength(240);
  });

  test('is not cut within a character', () => {
    const { text } = notifyWords(item('a', { data: { question: '👩'.repeat(300) } }));
    expect(text).toBe(`${'👩'.repeat(239)}…`);
  });

  test('names the first five of several items, and counts the rest', () => {
    const words = [1, 2, 3, 4, 5, 6, 7].map((n) => notifyWords(item(String(n), { type: 'BLOCKED' })));
    expect(notifySummary(words)).toEqual({
      title: '7 items wait for you',
      text:
        'agent-1 is blocked, agent-2 is blocked, agent-3 is blocked, agent-4 is blocked, agent-5 is blocked, 2 ' +
        'more',
    });
    expect(notifySummary(words.slice(0, 1))).toEqual(words[0]);
  });
});
