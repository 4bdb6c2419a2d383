import { describe, expect, test } from 'vitest';
import { type AgentSight, BUSY_LIMIT_MS, composerStanding, whatToWaitFor } from './typing.js';

const READY: AgentSight = {
  readyAt: 1_000,
  activity: 'idle',
  composer: '',
  dialog: null,
  readyQuietMs: 500,
  readyLimitMs: 60_000,
};
const NOW = 10_000;
const wait = (sight: Partial<AgentSight>, now = NOW, since = NOW): string | null =>
  whatToWaitFor({ ...READY, ...sight }, now, since, 0)?.reason ?? null;

describe('text is typed', () => {
  test('when the composer is drawn, empty, and nothing is open', () => expect(wait({})).toBeNull());
  test('not before the composer is drawn', () => expect(wait({ readyAt: null })).toBe('not_ready'));
  test('not while something covers the composer, however long', () => {
    expect(wait({ composer: null }, NOW + 10 * BUSY_LIMIT_MS, NOW)).toBe('composer_busy');
  });
  test('not at once when it is drawn', () => {
    expect(whatToWaitFor(READY, 1_200, 1_200, 0)).toEqual({ reason: 'not_ready', forMs: 300 });
  });
  test('into a program that never showed a composer, as into any other', () => {
    expect(wait({ readyAt: null }, 60_000, 60_000)).toBeNull();
  });
  test('not into what a person has begun to write', () => expect(wait({ composer: 'rm ' })).toBe('composer_busy'));
  test('into a composer in which an emoji was left behind', () => expect(wait({ composer: '👦 ' })).toBeNull());
  test('not into a dialog', () => expect(wait({ dialog: { text: 'Allow?' } })).toBe('composer_busy'));
  test('when the agent has finished its turn, but not later than its limit', () => {
    expect(wait({ activity: 'busy' })).toBe('agent_busy');
    expect(wait({ activity: 'busy' }, NOW + BUSY_LIMIT_MS)).toBeNull();
  });
});

describe('after Enter', () => {
  const standing = (sight: Partial<AgentSight>, text = 'JWT, please.\nKeep it short.'): string =>
    composerStanding({ ...READY, ...sight }, text);
  test('the text still stands in the composer', () => {
    expect(standing({ composer: 'JWT, please.' })).toBe('stands');
    expect(standing({ composer: 'JWT, please. Keep it short.' })).toBe('stands');
    expect(standing({ composer: '[Pasted text #1 +12 lines]' })).toBe('stands');
    expect(standing({ composer: 'JWT, please.', activity: 'busy' })).toBe('stands');
  });
  test('the composer is empty', () => {
    expect(standing({ composer: '' })).toBe('left');
    expect(standing({ composer: ' 👦' })).toBe('left');
  });
  test('other words stand there: a completion has changed the text', () => {
    expect(standing({ composer: 'look at README.md' }, 'look at @README')).toBe('changed');
    expect(standing({ composer: 'what the person writes now', activity: 'busy' })).toBe('left');
  });
  test('nothing is known where the composer is covered', () => {
    expect(standing({ composer: null })).toBe('unknown');
    expect(standing({ composer: 'JWT, please.', dialog: { text: 'Allow?' } })).toBe('unknown');
  });
});
