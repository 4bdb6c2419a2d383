/** Tests when a text that was typed before holds the next one back, in a program without an adapter. */
import { expect, it } from 'vitest';
import type { HostClient } from '../../host/index.js';
import type { SessionEntry } from '../registry/index.js';
import { watchComposer, watchScreen } from './input-line.js';
import { Verification } from './verify.js';

const ANSWER = 'grün – oder rot, 11.';
const RULE = '────────────────────';

/**
 * A program whose input line shows a text between two rules. Its first two questions are open.
 *
 * @param isPrinting  True if it prints by itself.
 */
function program({ isPrinting = false } = {}) {
  let ms = 0;
  let rows: readonly string[] = [];
  let isOver = false;
  let isCursorShown = true;
  let isTaken = false;
  const items = ['wri_1', 'wri_2'].map((writeId) => ({ writeId, item: { id: `itm_${writeId}`, state: 'open' } }));
  const show = (said: string, line: string): void => {
    rows = ['● Which colour?', said, RULE, `> ${line}`, RULE, '  ? for help'];
  };
  const entry = {
    id: 'ses_1',
    get hasEnded() {
      return isOver;
    },
    picture: () => ({ rows, cursor: { x: (rows[3] ?? '').length, y: 3, visible: isCursorShown } }),
    aggregate: { items, session: { turn: 0 } },
    apply: async ({ kind }: { readonly kind: string }) => {
      isTaken ||= kind === 'taken';
    },
    draft: { text: '', enteredAt: Number.NEGATIVE_INFINITY },
    keeper: null,
    view: { pid: 0 },
    ownOutput: { isPrinting: () => isPrinting, printedAt: Number.NEGATIVE_INFINITY },
    monotonicNow: () => ms,
  } as unknown as SessionEntry;
  const verification = new Verification({
    host: () => ({ call: async () => {} }) as unknown as HostClient,
    log: { info: () => {}, error: () => {} },
    repaint: () => Promise.resolve(),
    screensAround: () => Promise.resolve(null),
    now: () => ms,
    monotonicNow: () => ms,
    isOver: () => isOver,
    pause: async (_entry, withinMs) => {
      ms += withinMs;
      await new Promise(setImmediate);
    },
  });
  show('', '');
  let isBusy = false;
  let activity = 'idle';
  const watch = watchScreen(entry, ANSWER, entry.picture(), null, () => !isBusy);
  const reasons: string[] = [];
  const request = { writeId: 'wri_1', text: ANSWER, onWait: (reason: string) => void reasons.push(reason) };
  const open = new Set(items.map(({ item }) => item.id));
  const verify = () => verification.verify(entry, request, 'keys', watch, open);
  /** As an agent whose composer its adapter reads: it shows what stands behind the prompt. */
  const verifyAsAgent = () => {
    const composer = (): string => (rows[3] ?? '').slice(2);
    const signal = () => ({ readyAt: 0, activity, composer: composer(), dialog: null });
    Object.assign(entry, { hearing: { signal } });
    const seen = watchComposer(entry, ANSWER, () => !isBusy);
    return verification.verify(entry, request, 'agent', seen, open);
  };
  const ask = (writeId: string) => items.push({ writeId, item: { id: `itm_${writeId}`, state: 'open' } });
  const pressEnter = (): void => {
    Object.assign(entry.draft, { enteredAt: ms + 1 });
    Object.assign(entry.aggregate.session, { turn: 1 });
  };
  const end = (): void => {
    isOver = true;
  };
  const hideCursor = (): void => {
    isCursorShown = false;
  };
  const work = (works: boolean): void => {
    isBusy = works;
  };
  /** The agent shows that it works on its turn. */
  const beginTurn = (): void => {
    activity = 'busy';
  };
  const taken = (): boolean => isTaken;
  /** Lets the time pass, at most until the watch ends. */
  const pass = async (forMs: number): Promise<void> => {
    let before = -1;
    for (const until = ms + forMs; ms < until && ms > before; ) {
      before = ms;
      await new Promise(setImmediate);
      await new Promise(setImmediate);
    }
  };
  const acts = { hideCursor, work, beginTurn, show, ask, pressEnter, end, pass };
  return { ...acts, taken, entry, verification, watch, verify, verifyAsAgent, reasons };
}

it('holds the next text back while the input line has a part of an answer that the program took', async () => {
  const { entry, verification, watch, show, verify, end } = program();
  show('', ANSWER);
  expect(watch.isShown()).toBe(true);
  show('> – oder rot, 11.', 'grün');
  await verify();
  expect(verification.partLeft(entry)).toBe('> grün');
  show('> – oder rot, 11.', '');
  expect(verification.partLeft(entry)).toBeNull();
  end();
});

it('tells the part, and types the next text if the program still shows it after a person has pressed Enter', async () => {
  const { entry, verification, watch, show, verify, pressEnter, end } = program();
  show('', ANSWER);
  expect(watch.isShown()).toBe(true);
  show('> – oder rot, 11.', 'grün');
  await verify();
  expect(verification.partLeft(entry)).toBe('> grün');
  pressEnter();
  expect(verification.partLeft(entry)).toBeNull();
  end();
});

it('holds an answer back that was asked for before, while the program may not have read the last one', async () => {
  const { entry, verification, verify, ask, end } = program();
  ask('wri_3'); // its question came with the answer's echo, before the answer was watched
  await verify();
  expect(['wri_2', 'wri_3'].map((writeId) => verification.isUnread(entry, writeId))).toEqual([true, false]);
  end();
});

it('reports an unsent text that has left the input line, and holds nothing back for it', async () => {
  const { entry, verification, watch, show, verify, pressEnter, reasons, end } = program();
  show('', ANSWER);
  expect(watch.isShown()).toBe(true);
  await verify();
  expect(verification.isUnsent(entry)).toBe(true);
  pressEnter();
  show('', ''); // as before the text was typed, so the program shows nothing of it
  await expect.poll(() => reasons).toEqual(['not_submitted', 'left_line']);
  expect(verification.isUnsent(entry)).toBe(false);
  end();
});

it('presses no second Enter and reports nothing while the program does not wait for its terminal', async () => {
  const { watch, show, verify, work, reasons, end } = program();
  show('', ANSWER);
  expect(watch.isShown()).toBe(true);
  work(true);
  await verify();
  expect(watch.look()).toMatchObject({ standing: 'unknown' });
  expect(reasons).toEqual([]);
  work(false);
  expect(watch.look()).toMatchObject({ standing: 'stands' });
  end();
});

it('does not call a text unsent that an agent shows which does not wait for its terminal', async () => {
  const { show, verifyAsAgent, work, beginTurn, taken, reasons, pass, end } = program();
  show('', ANSWER);
  work(true);
  await verifyAsAgent();
  await pass(60_000);
  expect(reasons).toEqual([]);
  show(`> ${ANSWER}`, '');
  beginTurn();
  await expect.poll(taken).toBe(true);
  expect(reasons).toEqual([]);
  end();
});

it('calls a text unsent that an agent still shows once it waits for its terminal again', async () => {
  const { show, verifyAsAgent, work, reasons, pass, end } = program();
  show('', ANSWER);
  work(true);
  await verifyAsAgent();
  await pass(60_000);
  work(false);
  await pass(10_000);
  expect(reasons).toEqual(['not_submitted']);
  end();
});

it('does not acknowledge a text that leaves the composer of an agent which does not go to work', async () => {
  const { show, verifyAsAgent, taken, reasons, pass, end } = program();
  show('', ANSWER);
  await verifyAsAgent();
  show('', '');
  await pass(40_000);
  expect(reasons).toEqual(['not_submitted', 'left_line']);
  expect(taken()).toBe(false);
  end();
});

it('takes a text that leaves the input line late, and that no person has deleted, for submitted', async () => {
  const { watch, show, verify, reasons, taken, end } = program();
  show('', ANSWER);
  expect(watch.isShown()).toBe(true);
  await verify();
  expect(reasons).toEqual(['not_submitted']);
  show(`> ${ANSWER}`, '');
  await expect.poll(taken).toBe(true);
  end();
});

it('does not report a text as unsent that a program without a cursor shows after its next question', async () => {
  const { hideCursor, watch, show, verify, ask, reasons, entry, verification, end } = program();
  hideCursor();
  show('', ANSWER);
  expect(watch.isShown()).toBe(true);
  ask('wri_3'); // not among the items that were open before
  await verify();
  expect(reasons).toEqual([]);
  expect(verification.isUnsent(entry)).toBe(true); // it may be input, so that nothing is typed behind it
  end();
});

it.each([true, false])(
  'takes new rows of a program for its reaction, unless it prints by itself (%s)',
  (isPrinting) => {
    const { watch, show, end } = program({ isPrinting });
    show('', ANSWER);
    expect(watch.isShown()).toBe(true);
    show('compiled the parser', '');
    expect(watch.look()).toMatchObject({ standing: 'left' });
    for (const said of ['linked the parser', 'tests of the store pass']) {
      watch.wentOn();
      show(said, '');
    }
    expect(watch.wentOn()).toBe(!isPrinting);
    end();
  },
);
