import { expect, test } from 'vitest';
import { healthOf } from './health.js';

const OWN = { version: '0.2.0', commit: 'aaaaaaaaaaaa' };
const started_at = '2026-03-01T10:00:00.000Z';
const status = {
  daemon: { pid: 1, started_at, ...OWN },
  host: { pid: 2, started_at, contract: 6, outdated: false, ...OWN },
};
const disk = { state: 'full', path: '/d', free_bytes: 0, floor_bytes: 1, paused: 0 } as const;
const wordsOf = (change: Partial<Parameters<typeof healthOf>[0]>): string[] =>
  healthOf({ ...status, ...change }, OWN).map(({ words }) => words);

test('reports nothing for a daemon of the same build, or if a commit is unknown', () => {
  expect(wordsOf({})).toEqual([]);
  expect(wordsOf({ daemon: { ...status.daemon, commit: null } })).toEqual([]);
});

test('reports a clock that has jumped, and how to say that it is right', () => {
  const clock = { jumped_from: '2026-03-01T10:00:00.000Z', jumped_to: '2027-03-01T10:00:00.000Z' };
  expect(wordsOf({ clock })).toEqual([expect.stringMatching(/from 2026-03-01 to 2027-03-01.*--trust-clock/)]);
});

test('reports a full disk first, then another build, an older host and a missing TCP port', () => {
  expect(wordsOf({ daemon: { ...status.daemon, version: '0.1.0' } })).toEqual([
    'the daemon is version 0.1.0, and this orchd is version 0.2.0: `orchd restart` renews it',
  ]);
  expect(wordsOf({ daemon: { ...status.daemon, commit: 'bbbbbbbbbbbb' } })[0]).toContain('0.2.0 (bbbbbbbbbbbb)');
  const all = healthOf(
    {
      daemon: { ...status.daemon, version: '0.1.0' },
      host: { ...status.host, outdated: true },
      disk,
      tcp: { port: 1, by: 'flag', problem: 'it is taken' },
    },
    OWN,
  );
  expect(all.map(({ state, brief }) => `${state}: ${brief}`)).toEqual([
    'problem: the disk is full',
    'warning: another version runs: orchd restart',
    'warning: the host is older',
    'warning: no TCP',
  ]);
});

test('tells a client that was started before the daemon to start again', () => {
  const newer = { ...status, daemon: { ...status.daemon, version: '0.3.0' } };
  expect(healthOf(newer, { ...OWN, startedAt: '2026-03-01T09:59:59.999Z' })).toEqual([
    {
      state: 'warning',
      brief: 'orchd was renewed: leave and reopen',
      words:
        'the daemon is version 0.3.0, and this orchd is version 0.2.0, started before it: leave it and start it again',
    },
  ]);
  expect(healthOf(newer, { ...OWN, startedAt: '2026-03-01T10:00:00.001Z' })[0]?.words).toContain(
    '`orchd restart` renews it',
  );
  expect(healthOf(status, { ...OWN, startedAt: '2026-03-01T09:59:59.999Z' })).toEqual([]);
});

test('reports agents that are not taught, and agents without a transcript', () => {
  const gap = (name: string, gap: 'not_taught' | 'no_transcript') => ({ session_id: `ses_${name}`, name, gap });
  const one = healthOf({ ...status, agent_gaps: [gap('auth', 'not_taught'), gap('docs', 'no_transcript')] }, OWN);
  expect(one).toEqual([
    {
      state: 'warning',
      brief: 'docs: no transcript',
      words: 'docs is heard by the screen alone, without hooks or a transcript: see `orchd doctor`',
    },
    {
      state: 'warning',
      brief: 'auth not taught',
      words:
        'auth was started without --teach, so it sends messages only if its own instructions say how (`orchd prompt`)',
    },
  ]);
  const many = [...'abcde'].map((name) => gap(name, 'not_taught'));
  expect(healthOf({ ...status, agent_gaps: many }, OWN)[0]).toMatchObject({
    brief: '5 agents not taught',
    words: expect.stringMatching(/^a, b, c and 2 more were started without --teach, so they send/),
  });
});
