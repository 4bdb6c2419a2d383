import { describe, expect, test } from 'vitest';
import { type AgentSight, BUSY_LIMIT_MS, composerStanding, sinceDialog, whatToWaitFor } from './input-readiness.js';

const READY: AgentSight = {
  readyAt: 1_000,
  activity: 'idle',
  composer: '',
  dialog: null,
  readyQuietMs: 500,
  readyLimitMs: 60_000,
};
const NOW = 10_000;
const wait = (sight: Partial<AgentSight>, now = NOW, waitedMs = 0): string | null =>
  whatToWaitFor({ ...READY, ...sight }, now, waitedMs, 0)?.reason ?? null;

describe('whether text can be typed', () => {
  test('yes if the composer is drawn, empty and uncovered', () => expect(wait({})).toBeNull());
  test('no before the composer is drawn', () => expect(wait({ readyAt: null })).toBe('not_ready'));
  test('no while something covers the composer, without a time limit', () => {
    expect(wait({ composer: null }, NOW, 10 * BUSY_LIMIT_MS)).toBe('composer_busy');
  });
  test('no until readyQuietMs after the composer is drawn', () => {
    expect(whatToWaitFor(READY, 1_200, 0, 0)).toEqual({ reason: 'not_ready', forMs: 300 });
  });
  test('no until half of the time that a slow agent took to draw its composer, up to 10 s', () => {
    const forMs = (readyAt: number) => whatToWaitFor({ ...READY, readyAt }, readyAt + 200, 0, 0)?.forMs;
    expect([800, 2_000, 16_000, 90_000].map(forMs)).toEqual([300, 800, 7_800, 9_800]);
  });
  test('yes after readyLimitMs if the program never shows a composer', () => {
    expect(wait({ readyAt: null }, 60_000)).toBeNull();
  });
  test('after the same times if the clock was set back', () => {
    const early = -3_600_000;
    expect(wait({}, early, 499)).toBe('not_ready');
    expect(wait({}, early, 500)).toBeNull();
    expect(wait({ readyAt: null }, early, 59_999)).toBe('not_ready');
    expect(wait({ readyAt: null }, early, 60_000)).toBeNull();
  });
  test('not before readyLimitMs has passed after a dialog that was open for longer', () => {
    const answeredAt = { startedAt: 100_000, monotonic: 100_000 };
    const open = sinceDialog({ startedAt: 0, monotonic: 0 }, { dialog: { text: 'Trust?' } }, answeredAt);
    const since = sinceDialog(open, { dialog: null }, { startedAt: 101_000, monotonic: 101_000 });
    expect(since).toEqual(answeredAt);
    const waitAt = (now: number) =>
      whatToWaitFor({ ...READY, readyAt: null }, now, now - since.monotonic, since.startedAt);
    expect(waitAt(101_000)?.reason).toBe('not_ready');
    expect(waitAt(160_000)).toBeNull();
  });
  test('no while the composer holds a draft of the user', () =>
    expect(wait({ composer: 'rm ' })).toBe('composer_busy'));
  test('yes if only an emoji is left in the composer', () => expect(wait({ composer: '👦 ' })).toBeNull());
  test('no while a dialog is open', () => expect(wait({ dialog: { text: 'Allow?' } })).toBe('composer_busy'));
  test('no while the agent is busy, up to BUSY_LIMIT_MS', () => {
    expect(wait({ activity: 'busy' })).toBe('agent_busy');
    expect(wait({ activity: 'busy' }, NOW, BUSY_LIMIT_MS)).toBeNull();
  });
});

describe('after Enter', () => {
  const standing = (sight: Partial<AgentSight>, text = 'JWT, please.\nKeep it short.'): string =>
    composerStanding({ ...READY, ...sight }, text);
  test('the text stands in the composer if it, its beginning or a paste placeholder is there', () => {
    expect(standing({ composer: 'JWT, please.' })).toBe('stands');
    expect(standing({ composer: 'JWT, please. Keep it short.' })).toBe('stands');
    expect(standing({ composer: '[Pasted text #1 +12 lines]' })).toBe('stands');
    expect(standing({ composer: 'JWT, please.', activity: 'busy' })).toBe('stands');
  });
  test('the text has left if the composer is empty', () => {
    expect(standing({ composer: '' })).toBe('left');
    expect(standing({ composer: ' 👦' })).toBe('left');
  });
  test('the text is changed if a completion replaced it, and has left if other words are there', () => {
    expect(standing({ composer: 'look at README.md' }, 'look at @README')).toBe('changed');
    expect(standing({ composer: 'what the person writes now', activity: 'busy' })).toBe('left');
  });
  test('nothing is known if the composer is covered', () => {
    expect(standing({ composer: null })).toBe('unknown');
    expect(standing({ composer: 'JWT, please.', dialog: { text: 'Allow?' } })).toBe('unknown');
  });
});
