import { expect, test } from 'vitest';
import { EndedJournals } from './ended-journals.js';

const ended = (number: number) => ({ id: `s${number}`, endedAt: new Date(number * 1000).toISOString() });

test('measures the journal of an ended session once, and those of the newest 200 only', () => {
  const measured: string[] = [];
  const journals = new EndedJournals((id) => {
    measured.push(id);
    return 10;
  });
  expect(journals.of([ended(1)])).toEqual([{ session_id: 's1', bytes: 10, bytes_per_second: 0 }]);
  const many = Array.from({ length: 300 }, (_, at) => ended(at));
  for (let times = 0; times < 2; times++) {
    const ids = journals.of(many).map(({ session_id }) => session_id);
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([200, 's299', 's100']);
  }
  expect(measured).toHaveLength(201);
});

test('measures again what ran in between', () => {
  let bytes = 10;
  const journals = new EndedJournals(() => bytes);
  journals.of([ended(1)]);
  journals.of([]); // it was revived
  bytes = 20;
  expect(journals.of([ended(1)])).toMatchObject([{ bytes: 20 }]);
});
