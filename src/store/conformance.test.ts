/**
 * Tests every backend, and the store in memory of the tests, against the promises in contract.ts. To add a backend, add
 * it to OPENING.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { EMPTY_STORE, memory } from '../../test/harness/memory-store.js';
import type { NewEvent, Store } from './index.js';
import { sqlite } from './sqlite-store.js';

const folder = mkdtempSync(join(tmpdir(), 'orchd-store-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const pathOf = (file: number): string => join(folder, `${file}`, 'orchd.db');
const OPENING = [sqlite, memory].map((backend) => ({
  name: backend.name,
  open: () => backend.open({ path: pathOf(files++) }),
  /** Opens what was open last. */
  reopen: backend.isDurable ? () => backend.open({ path: pathOf(files - 1) }) : undefined,
}));

const TIME = '2026-01-02T03:04:05.006Z';
const event = (type: string, fields: Record<string, unknown> = {}): NewEvent => ({
  event_type: type,
  timestamp: TIME,
  ...fields,
});
const numbered = (from: number, to: number): NewEvent[] =>
  Array.from({ length: to - from + 1 }, (_, index) => event('tick', { n: from + index }));
const HOSTILE = [
  '',
  ' ',
  "'; DROP TABLE event; --",
  '"quoted"',
  '"',
  'a\0b',
  'a\0c',
  '\ud800',
  '\udfff\ud800',
  '𝕏 é é 漢字 👩‍👩‍👧',
  '\u202e\u2028\n\r\t\x1b[31m',
  '%_*?[]',
  '__proto__',
  'constructor',
];

describe.each(OPENING)('$name store', ({ open, reopen }) => {
  let store: Store;
  const opened = async (): Promise<Store> => {
    store = await open();
    return store;
  };
  afterEach(() => store.close());

  test('an empty log starts at 1', async () => {
    await opened();
    expect(await store.load()).toEqual(EMPTY_STORE);
    expect(await store.firstSeq()).toBe(1);
    expect(await store.readEvents({ since: 0, limit: 10 })).toEqual([]);
  });

  test('returns events in order with gapless numbers', async () => {
    await opened();
    expect((await store.commit({ events: numbered(1, 3) })).firstSeq).toBe(1);
    expect((await store.commit({ events: numbered(4, 4) })).firstSeq).toBe(4);
    expect((await store.commit({ events: [] })).firstSeq).toBe(5);
    expect(await store.readEvents({ since: 0, limit: 100 })).toEqual(
      numbered(1, 4).map((it, index) => ({ seq: index + 1, ...it })),
    );
  });

  test('commit returns the lines that readLines returns', async () => {
    await opened();
    const { lines } = await store.commit({
      events: [event('a', { text: 'é\n' }), event('b', { deep: { list: [1] } })],
    });
    expect((await store.readLines({ since: 0, limit: 9 })).map(({ line }) => line)).toEqual(lines);
    expect(lines[0]).toBe(`{"seq":1,"event_type":"a","timestamp":"${TIME}","text":"é\\n"}`);
    expect(lines.join('')).not.toContain('\n');
  });

  test('gives a hundred concurrent committers gapless numbers, and keeps the order of each', async () => {
    await opened();
    const firsts = await Promise.all(
      Array.from({ length: 100 }, async (_, who) => {
        const mine: number[] = [];
        for (let n = 0; n < 5; n++) {
          const events = Array.from({ length: 1 + ((who + n) % 3) }, () => event('c', { who, n }));
          mine.push((await store.commit({ events })).firstSeq);
        }
        return mine;
      }),
    );
    const events = await store.readEvents({ since: 0, limit: 100_000 });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    firsts.forEach((mine, who) => {
      for (const [n, first] of mine.entries()) expect(events[first - 1]).toMatchObject({ who, n });
    });
  });

  test('keeps the order of commits that were not awaited', async () => {
    await opened();
    const commits = numbered(1, 500).map((it) => store.commit({ events: [it] }));
    const firsts = (await Promise.all(commits)).map(({ firstSeq }) => firstSeq);
    expect(firsts).toEqual(firsts.map((_, index) => index + 1));
    const events = await store.readEvents({ since: 0, limit: 1_000 });
    expect(events.map((it) => it['n'])).toEqual(firsts);
  });

  test('selects events by since, limit, types and session', async () => {
    await opened();
    const types = ['a', 'b', 'c'];
    const sessions = ['s1', 's2', undefined];
    const all = Array.from({ length: 300 }, (_, n) => {
      const session = sessions[Math.floor(n / 3) % 3];
      return event(types[n % 3] ?? '', { n, ...(session ? { session_id: session } : {}) });
    });
    await store.commit({ events: all });
    const expected = all.map((it, index) => ({ ...it, seq: index + 1 }));
    const chosen = [
      undefined,
      [],
      ['a'],
      ['c', 'a'],
      ['a', 'a'],
      ['none'],
      Array.from({ length: 600 }, (_, n) => `b${n || ''}`),
      [...'abcdefghijk'],
    ];
    for (const wanted of chosen) {
      for (const sessionId of [undefined, 's1', 'unknown']) {
        for (const [since, limit] of [
          [0, 1_000],
          [0, 7],
          [150, 1_000],
          [299, 2],
          [300, 5],
          [1_000, 5],
          [-5, 3],
          [0, 0],
        ] as const) {
          const query = { since, limit, ...(wanted ? { types: wanted } : {}), ...(sessionId ? { sessionId } : {}) };
          const right = expected
            .filter((it) => it.seq > since)
            .filter((it) => !wanted || wanted.includes(it.event_type))
            .filter((it) => !sessionId || it['session_id'] === sessionId)
            .slice(0, limit);
          expect(await store.readEvents(query), JSON.stringify(query)).toEqual(right);
        }
      }
    }
  });

  test('replaces a row by its id and keeps its position', async () => {
    await opened();
    await store.commit({
      events: [],
      sessions: [
        { id: 'z', value: 1 },
        { id: 'a', value: { b: [null] } },
      ],
      items: [{ id: 'z', value: 'item' }],
    });
    await store.commit({
      events: [],
      sessions: [
        { id: 'm', value: null },
        { id: 'z', value: 2 },
        { id: 'z', value: 3 },
      ],
    });
    const { sessions, items } = await store.load();
    expect(sessions).toEqual([
      { id: 'z', value: 3 },
      { id: 'a', value: { b: [null] } },
      { id: 'm', value: null },
    ]);
    expect(items).toEqual([{ id: 'z', value: 'item' }]);
  });

  test('moves a cursor, and keeps, replaces or drops its checkpoint', async () => {
    await opened();
    const cursor = async (): Promise<unknown> => (await store.load()).cursors[0];
    await store.commit({ events: [], cursors: [{ sessionId: 's', position: 10 }] });
    expect(await cursor()).toEqual({ sessionId: 's', position: 10, checkpoint: null });
    const checkpoint = { position: 8, state: { ear: ['é'] } };
    await store.commit({ events: [], cursors: [{ sessionId: 's', position: 20, checkpoint }] });
    await store.commit({
      events: [],
      cursors: [
        { sessionId: 's', position: 30 },
        { sessionId: 't', position: 1 },
      ],
    });
    expect(await cursor()).toEqual({ sessionId: 's', position: 30, checkpoint });
    await store.commit({ events: [], cursors: [{ sessionId: 's', position: 40, checkpoint: null }] });
    expect(await cursor()).toEqual({ sessionId: 's', position: 40, checkpoint: null });
    expect((await store.load()).cursors).toHaveLength(2);
    await store.commit({
      events: [],
      cursors: [{ sessionId: 's', position: Number.MAX_SAFE_INTEGER, checkpoint: { position: 0, state: null } }],
    });
    expect(await cursor()).toEqual({
      sessionId: 's',
      position: Number.MAX_SAFE_INTEGER,
      checkpoint: { position: 0, state: null },
    });
  });

  test('refuses a batch that is not JSON as a whole, and writes the batches around it', async () => {
    await opened();
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    // The types forbid these values.
    const bad = [event('x', { n: 1n }), event('x', { cycle }), { timestamp: TIME } as unknown as NewEvent];
    const results = await Promise.allSettled([
      store.commit({ events: numbered(1, 1) }),
      ...bad.map((it) => store.commit({ events: [event('good'), it], sessions: [{ id: 'bad', value: 1 }] })),
      store.commit({ events: [], cursors: [{ sessionId: 's', position: 1.5 }] }),
      store.commit({ events: numbered(2, 2) }),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    expect(results[1]).toMatchObject({ reason: { code: 'ORCHD_INTERNAL' } });
    expect(await store.load()).toEqual({ ...EMPTY_STORE, lastSeq: 2 });
  });

  test('ignores changes that the caller makes after commit', async () => {
    await opened();
    const fields = { list: [1] };
    const events = [event('a', fields)];
    const commit = store.commit({ events });
    fields.list.push(2);
    events.push(event('b'));
    await commit;
    expect(await store.readEvents({ since: 0, limit: 9 })).toEqual([{ seq: 1, ...event('a', { list: [1] }) }]);
  });

  test('treats seq, toString and __proto__ in an event as plain fields', async () => {
    await opened();
    const strange = JSON.parse('{"seq":99,"event_type":"x","timestamp":"t","__proto__":{"a":1},"toString":"b"}');
    await store.commit({ events: [strange] });
    const [line] = await store.readLines({ since: 0, limit: 1 });
    expect(line?.line).toBe('{"seq":1,"event_type":"x","timestamp":"t","__proto__":{"a":1},"toString":"b"}');
  });

  test('returns hostile strings unchanged, as values and as keys', async () => {
    await opened();
    for (const text of HOSTILE) {
      await store.commit({
        events: [event(text, { session_id: text, [text]: text })],
        sessions: [{ id: text, value: text }],
        items: [{ id: text, value: { [text]: text } }],
        cursors: [{ sessionId: text, position: 1, checkpoint: { position: 0, state: text } }],
      });
    }
    const state = await store.load();
    expect(state.sessions).toEqual(HOSTILE.map((text) => ({ id: text, value: text })));
    expect(state.items.map(({ id }) => id)).toEqual(HOSTILE);
    expect(state.cursors.map(({ sessionId }) => sessionId)).toEqual(HOSTILE);
    for (const [index, text] of HOSTILE.entries()) {
      const found = [{ seq: index + 1, event_type: text }];
      expect(await store.readEvents({ since: 0, limit: 99, types: [text] })).toMatchObject(found);
      expect(await store.readEvents({ since: 0, limit: 99, sessionId: text, types: [text, 'other'] })).toMatchObject(
        found,
      );
    }
  });

  test('returns many events of 1 MiB', async () => {
    await opened();
    const text = 'é"\\\n'.repeat(256 * 1024);
    const commits = Array.from({ length: 8 }, (_, n) => store.commit({ events: [event('big', { n, text })] }));
    await Promise.all(commits);
    const events = await store.readEvents({ since: 0, limit: 8 });
    expect(events.map((it) => it['n'])).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(events.every((it) => it['text'] === text)).toBe(true);
  });

  test('removes rows even if the same batch writes them, and the cursor of a removed session', async () => {
    await opened();
    const rows = (...ids: string[]) => ids.map((id) => ({ id, value: id }));
    const cursor = (sessionId: string) => ({ sessionId, position: 1 });
    await store.commit({
      events: [],
      sessions: rows('a', 'b', '"'),
      items: rows('i', 'j'),
      blueprints: rows('/m', '/p/n'),
      runs: rows('r', 'q'),
      tasks: rows('t', 'u'),
      workflows: rows('w', 'v'),
      workflowSteps: rows('w/0', 'v/0'),
      cursors: [cursor('a'), cursor('b')],
    });
    await store.commit({
      events: [],
      items: rows('i'),
      blueprints: rows('/m'),
      removes: {
        sessions: ['a', '"', 'none'],
        items: ['i'],
        blueprints: ['/m'],
        runs: ['r'],
        tasks: ['t'],
        workflows: ['w'],
        workflowSteps: ['w/0'],
      },
    });
    if (reopen) {
      await store.close();
      store = await reopen();
    }
    const state = await store.load();
    expect(state).toMatchObject({
      sessions: rows('b'),
      items: rows('j'),
      blueprints: rows('/p/n'),
      runs: rows('q'),
      tasks: rows('u'),
      workflows: rows('v'),
      workflowSteps: rows('v/0'),
      cursors: [cursor('b')],
    });
    await store.commit({ events: [], sessions: rows('c') });
    expect((await store.load()).sessions).toEqual(rows('b', 'c'));
  });

  test('seqAt returns the first event that is not older than a time', async () => {
    await opened();
    expect(await store.seqAt('2026')).toBe(1);
    const times = ['2026-01', '2026-02', '2026-02', '2026-04'];
    await store.commit({ events: times.map((timestamp) => ({ event_type: 'x', timestamp })) });
    const asked = ['2025', '2026-01', '2026-02', '2026-03', '2026-04', '2026-05'];
    expect(await Promise.all(asked.map((time) => store.seqAt(time)))).toEqual([1, 1, 2, 4, 4, 5]);
    await store.prune(3);
    expect(await Promise.all(asked.map((time) => store.seqAt(time)))).toEqual([3, 3, 3, 4, 4, 5]);
  });

  test('seqAt returns the first event that is not older, even if older ones follow', async () => {
    await opened();
    const times = ['2025-01', '2026-02', '2020-01', '2020-02', '2020-03', '2026-03'];
    await store.commit({ events: times.map((timestamp) => ({ event_type: 'x', timestamp })) });
    expect(await Promise.all(['2026', '2026-03'].map((time) => store.seqAt(time)))).toEqual([2, 6]);
  });

  test('continues the numbers after everything was pruned', async () => {
    await opened();
    await store.commit({ events: numbered(1, 10), sessions: [{ id: 's', value: 1 }] });
    expect(await store.prune(4)).toBe(3);
    expect(await store.firstSeq()).toBe(4);
    expect((await store.readEvents({ since: 0, limit: 2 })).map(({ seq }) => seq)).toEqual([4, 5]);
    expect(await store.prune(2)).toBe(0);
    expect(await store.prune(1_000)).toBe(7);
    if (reopen) {
      await store.close();
      store = await reopen();
    }
    expect(await store.firstSeq()).toBe(11);
    expect(await store.load()).toMatchObject({ lastSeq: 10, sessions: [{ id: 's', value: 1 }] });
    expect((await store.commit({ events: numbered(11, 11) })).firstSeq).toBe(11);
  });

  test('close writes all commits, and later calls fail', async () => {
    await opened();
    const commits = numbered(1, 50).map((it) => store.commit({ events: [it] }));
    await Promise.all([store.close(), store.close()]);
    expect(await Promise.all(commits)).toHaveLength(50);
    for (const late of [
      store.commit({ events: [] }),
      store.load(),
      store.firstSeq(),
      store.readLines({ since: 0, limit: 1 }),
    ]) {
      await expect(late).rejects.toMatchObject({ code: 'ORCHD_INTERNAL' });
    }
  });

  test.runIf(reopen)('keeps everything when it is opened again', async () => {
    await opened();
    await store.commit({
      events: numbered(1, 100),
      sessions: [{ id: 's', value: { a: 1 } }],
      items: [{ id: 'i', value: [1] }],
      blueprints: [{ id: '/b', value: { name: 'b' } }],
      cursors: [{ sessionId: 's', position: 5, checkpoint: { position: 3, state: 'x' } }],
    });
    const [state, lines] = [await store.load(), await store.readLines({ since: 0, limit: 1_000 })];
    await store.close();
    if (reopen) store = await reopen();
    expect(await store.load()).toEqual(state);
    expect(await store.readLines({ since: 0, limit: 1_000 })).toEqual(lines);
    expect((await store.commit({ events: numbered(101, 101) })).firstSeq).toBe(101);
  });
});
