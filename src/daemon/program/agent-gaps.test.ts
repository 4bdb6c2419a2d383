/** Tests which agents are named in the daemon's status because their messages may not be heard. */
import { expect, test } from 'vitest';
import type { Item, Session } from '../../protocol/index.js';
import { agentGaps } from './agent-gaps.js';

const AGENT = {
  id: 'ses_1',
  name: 'auth',
  adapter: 'claude',
  transcript: 'healthy',
  key_required: false,
  progress: null,
  current_step: null,
  ended_at: null,
};
const session = (change: object): Session => ({ ...AGENT, ...change }) as unknown as Session; // the parts that are read
const item = (type: string): Item => ({ type, session_id: 'ses_1' }) as unknown as Item;
const gapsOf = async (change: object, items: Item[] = []): Promise<string[]> =>
  (await agentGaps([session(change)], items)).map(({ gap }) => gap);

test.each([
  ['a known agent without instructions', {}, ['not_taught']],
  ['one that was taught', { key_required: true }, []],
  ['one that has reported progress', { progress: 10 }, []],
  ['one whose transcript has stopped', { transcript: 'lost' }, ['no_transcript', 'not_taught']],
  ['one that was taught, without a transcript', { key_required: true, transcript: 'none' }, ['no_transcript']],
  ['an agent that is known by its screen alone', { adapter: 'kilo', transcript: 'none', key_required: true }, []],
  ['any other program', { adapter: 'shell', transcript: 'none' }, []],
  ['an ended agent', { ended_at: '2026-03-01T10:00:00.000Z' }, []],
  ['the agent of a run', { run_id: 'run_1' }, []],
  ['an agent on pipes', { mode: 'batch' }, []],
  ['a recording', { imported: true }, []],
])('%s', async (_, change, expected) => {
  expect(await gapsOf(change)).toEqual(expected);
});

test('an agent that has asked needs no instructions; its own dialogs do not count', async () => {
  expect(await gapsOf({}, [item('QUESTION')])).toEqual([]);
  expect(await gapsOf({}, [item('attention')])).toEqual(['not_taught']);
});
