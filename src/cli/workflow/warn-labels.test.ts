import { expect, test } from 'vitest';
import { labelWarnings } from './warn-labels.js';

type Status = Parameters<typeof labelWarnings>[1];
type Machine = Status['machines'][number];

const machine = (name: string, labels: string[], away = false): Machine => ({
  name,
  away,
  labels,
  age_ms: 0,
  version: '1.0.0',
  share: 'inbox',
  last_seq: 0,
  published_seq: 0,
  sessions: 0,
  open_items: 0,
});
const hub = (...machines: Machine[]): Status => ({ state: 'connected', machines });

test('a label that no machine has, or only machines that are away, is warned of', () => {
  const status = hub(machine('one', ['gpu']), machine('two', ['disk'], true));
  expect(labelWarnings(['gpu', 'disk', 'gpus'], status)).toEqual([
    "away: two, with 'disk'; goals ON label:disk wait up to 7 days for one (`orchd hub status` lists the labels)",
    "no machine of the hub has the label 'gpus'; goals ON label:gpus wait up to 7 days for one " +
      '(`orchd hub status` lists the labels)',
  ]);
});

test('nothing is warned of while the machines are not known', () => {
  expect(labelWarnings(['gpu'], { state: 'connecting', machines: [] })).toEqual([]);
  expect(labelWarnings(['gpu'], { ...hub(), unreadable: 'the key may only publish' })).toEqual([]);
});
