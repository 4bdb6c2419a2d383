import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Event } from '../../protocol/index.js';
import { createReloader, reload } from './reload-changed.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const at = '2026-01-01T00:00:00.000Z';
const event = (event_type: string, more: object = {}): Event =>
  ({ seq: 1, event_type, timestamp: at, session_id: 'ses_a', ...more }) as Event; // the fields that the freshener reads

/** @param loadMs  Duration of each load. */
function open(loadMs: number) {
  let loaded: string[] = [];
  const freshen = createReloader((key) => {
    loaded.push(JSON.stringify(key));
    return new Promise((resolve) => setTimeout(resolve, loadMs));
  });
  const take = (): string[] => {
    const taken = loaded;
    loaded = [];
    return taken;
  };
  return { freshen, take };
}

test('loads once for the events of one message', async () => {
  const { freshen, take } = open(5);
  freshen(event('message'));
  freshen(event('item_opened', { item_id: 'itm_1' }));
  freshen(event('session_state_changed'));
  await vi.advanceTimersByTimeAsync(4);
  expect(take()).toEqual(['["sessions"]', '["session","ses_a"]', '["inbox"]', '["item","itm_1"]']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(take()).toEqual([]);
});

test('loads nothing when the person is notified: the next question would wait for that', async () => {
  const { freshen, take } = open(5);
  freshen(event('item_notified', { item_id: 'itm_1' }));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(take()).toEqual([]);
});

test('loads a question that follows an answer without a rest', async () => {
  const { freshen, take } = open(100);
  freshen(event('item_answered', { item_id: 'itm_1' }));
  await vi.advanceTimersByTimeAsync(20);
  freshen(event('item_opened', { item_id: 'itm_2' }));
  await vi.advanceTimersByTimeAsync(90);
  expect(take().filter((key) => key === '["inbox"]')).toHaveLength(2);
});

test.each([
  [5, 30],
  [200, 3],
  [5_000, 1],
])(
  'during two seconds of events, limits loads of %i ms to %i per key, and loads the last change',
  async (loadMs, most) => {
    const { freshen, take } = open(loadMs);
    for (let count = 0; count < 200; count++) {
      freshen(event('message'));
      await vi.advanceTimersByTimeAsync(10);
    }
    const during = take().filter((key) => key === '["sessions"]').length;
    expect(during).toBeGreaterThan(0);
    expect(during * loadMs).toBeLessThanOrEqual(Math.max(2_000, loadMs));
    expect(during).toBeLessThanOrEqual(most * 2);
    freshen(event('message'));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(take()).toContain('["sessions"]');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(take()).toEqual([]);
  },
);

test.each([['a first load'], ['a later load']])('loads again if the event arrives during %s', async (which) => {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const replies: ((value: string) => void)[] = [];
  const observer = new QueryObserver(queries, {
    queryKey: ['tasks', 'tsk_a'],
    queryFn: () => new Promise<string>((resolve) => replies.push(resolve)),
  });
  const stop = observer.subscribe(() => {});
  const reply = async (words: string): Promise<void> => {
    replies.shift()?.(words);
    await vi.advanceTimersByTimeAsync(10);
  };
  if (which === 'a later load') {
    await reply('older');
    void observer.refetch();
  }
  void reload(queries, ['tasks']);
  await reply('old');
  await reply('new');
  expect(observer.getCurrentResult().data).toBe('new');
  stop();
  queries.clear();
});
