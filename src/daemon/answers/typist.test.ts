/** Tests the typist with an agent whose composer is a script, and with a clock that only the typist's pauses move. */
import { afterEach, expect, it } from 'vitest';
import type { HostClient } from '../../host/index.js';
import type { SessionEntry } from '../registry/index.js';
import { Typist } from './typist.js';
import { VERIFY_MS } from './verify.js';
import { PATIENCE_MS } from './wait-to-type.js';

const START = Date.UTC(2026, 0, 1);
/** Longer than each wait here. */
const END_MS = 240_000;
const READY_LIMIT_MS = 30_000;

let typist: Typist | undefined;
afterEach(() => typist?.close());

/**
 * Types `Go on` into an agent.
 * @param composerAt  What the composer shows at a time, after so many writes of the daemon.
 * @param program  Parts of another session, as of a program that reads lines.
 * @param startMs  When the agent takes its terminal out of line mode, when it has drawn its composer, and how long it
 *   paints before that.
 */
async function typeInto(
  composerAt: (ms: number, writes: number) => string,
  program: object = {},
  { lineModeMs = Number.POSITIVE_INFINITY, drawnMs = 0, paintsMs = 0 } = {},
) {
  let ms = 0;
  const writes: { readonly at: number; readonly text: string }[] = [];
  const waits: { readonly at: number; readonly reason: string; readonly seen?: string }[] = [];
  const call = async (kind: string, { steps }: { readonly steps: readonly { readonly text?: string }[] }) => {
    if (kind === 'terminal') return { canonical: ms < lineModeMs };
    writes.push({ at: ms, text: steps.map(({ text = '' }) => text).join('') });
    return null;
  };
  const entry = {
    id: 'ses_1',
    get hasEnded() {
      return ms >= END_MS;
    },
    hearing: {
      hasBegun: () => false,
      signal: () => ({
        readyAt: ms >= drawnMs ? START + drawnMs : null,
        readyQuietMs: 0,
        readyLimitMs: READY_LIMIT_MS,
        activity: 'idle',
        dialog: null,
        composer: ms >= drawnMs ? composerAt(ms, writes.length) : null,
      }),
    },
    view: { adapter: 'claude', pid: 1 },
    get aggregate() {
      const session = { turn: 0, journal_position: Math.min(ms, paintsMs) };
      return { items: [], session, standing: { state: 'waiting' } };
    },
    draft: { text: '', removed: null, isSent: false, isOnAlternate: false, at: 0, editedAt: 0 },
    keeper: null,
    start: { time: START },
    openItems: () => [],
    endOf: () => (writes.length > 0 ? 'written' : null),
    pressed: () => {},
    ...program,
    monotonicNow: () => performance.now(),
  } as unknown as SessionEntry;
  typist = new Typist({
    host: () => ({ call, welcome: { contract: 0 } }) as unknown as HostClient,
    log: { info: () => {}, error: () => {} },
    repaint: () => Promise.resolve(),
    screensAround: () => Promise.resolve(null),
    now: () => START + ms,
    monotonicNow: () => ms,
    pause: async (_entry, withinMs) => {
      ms += withinMs;
      await new Promise(setImmediate);
    },
  });
  const onWait = (reason: string, seen?: string) => void waits.push({ at: ms, reason, ...(seen && { seen }) });
  await typist.type(entry, { writeId: 'wri_1', text: 'Go on', onWait });
  return { writes, waits };
}

it('types into an empty composer, and presses no second Enter once the text has left it', async () => {
  const { writes, waits } = await typeInto((ms, count) => (count === 1 && ms < VERIFY_MS / 2 ? 'Go on' : ''));
  expect(writes).toEqual([{ at: 0, text: 'Go on\r' }]);
  expect(waits).toEqual([]);
});

it('presses Enter once more after VERIFY_MS if the text is still there, and reports if that did not help', async () => {
  const helped = await typeInto((_ms, count) => (count === 1 ? 'Go on' : ''));
  expect(helped.writes).toEqual([
    { at: 0, text: 'Go on\r' },
    { at: VERIFY_MS, text: '\r' },
  ]);
  expect(helped.waits).toEqual([]);
  const { writes, waits } = await typeInto((_ms, count) => (count === 0 ? '' : 'Go on'));
  expect(writes.map(({ text }) => text)).toEqual(['Go on\r', '\r']);
  expect(waits).toEqual([{ at: 2 * VERIFY_MS, reason: 'not_submitted', seen: 'Go on' }]);
});

it('waits while a person has words in the composer, and reports them after PATIENCE_MS', async () => {
  const { writes, waits } = await typeInto((ms) => (ms < 3_000 ? 'My own words' : ''));
  expect(waits).toEqual([{ at: PATIENCE_MS.composer_busy, reason: 'composer_busy', seen: 'My own words' }]);
  expect(writes).toEqual([{ at: 3_000, text: 'Go on\r' }]);
});

it('types nothing while an agent has its terminal in line mode, and then waits for its composer', async () => {
  const slow = await typeInto(() => '', {}, { lineModeMs: 70_000, drawnMs: 95_000 });
  expect(slow.writes.map(({ at }) => at)).toEqual([105_000]);
  expect(slow.waits).toEqual([{ at: PATIENCE_MS.not_ready, reason: 'not_ready' }]);
  const unknown = await typeInto(() => '', {}, { lineModeMs: 0, drawnMs: Number.POSITIVE_INFINITY });
  expect(unknown.writes.map(({ at }) => at)).toEqual([READY_LIMIT_MS]);
});

it('types nothing while an agent paints before it draws its composer, for three minutes at most', async () => {
  const start = { lineModeMs: 0, drawnMs: 41_000, paintsMs: 41_000 };
  expect((await typeInto(() => '', {}, start)).writes.map(({ at }) => at)).toEqual([51_000]);
  const unknown = { lineModeMs: 0, drawnMs: Number.POSITIVE_INFINITY };
  const stopped = await typeInto(() => '', {}, { ...unknown, paintsMs: 50_000 });
  expect(stopped.writes.map(({ at }) => at)).toEqual([53_000]);
  const painting = await typeInto(() => '', {}, { ...unknown, paintsMs: Number.POSITIVE_INFINITY });
  expect(painting.writes.map(({ at }) => at)).toEqual([180_000]);
});

it('types nothing into an agent that has painted for a while and has not drawn its composer', async () => {
  const program = { start: { time: START - 40_000 } };
  const drawn = await typeInto(() => '', program, { lineModeMs: 0, drawnMs: 10_000, paintsMs: 10_000 });
  expect(drawn.writes.every(({ at }) => at > 10_000)).toBe(true);
  const unknown = await typeInto(() => '', program, { lineModeMs: 0, drawnMs: Number.POSITIVE_INFINITY });
  expect(unknown.writes.map(({ at }) => at)).toEqual([3_000]);
});

it('types into an agent that never takes its terminal out of line mode, after three minutes', async () => {
  const { writes } = await typeInto(() => '', {}, { drawnMs: Number.POSITIVE_INFINITY });
  expect(writes.map(({ at }) => at)).toEqual([180_000]);
});

it('types no answer behind a key that a person presses while a note about the answer is stored', async () => {
  let notes = 0;
  let looks = 0;
  const draft = {
    get text() {
      return notes === 1 && ++looks < 5 ? 'x' : '';
    },
  };
  const item = { id: 'itm_1', data: {}, opened_at: new Date(START).toISOString() };
  const { writes } = await typeInto(() => '', {
    view: { adapter: 'shell', pid: 0 },
    hearing: { hasBegun: () => false, signal: () => null },
    aggregate: { items: [{ writeId: 'wri_1', item }], session: { turn: 0 }, standing: { state: 'waiting' } },
    picture: () => null,
    apply: async () => {
      notes++;
    },
    draft,
  });
  expect(writes.map(({ text }) => text)).toEqual(['Go on\r']);
  expect(notes).toBe(2);
});
