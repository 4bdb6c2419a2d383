/**
 * Tests how answers are delivered to unknown programs, and the events about it: input lines of several styles, and
 * programs that lose an Enter. The program itself prints what it received.
 */
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Event, Item, Session } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';

/** How long a screen may take to show a text, on a busy machine. */
const PATIENCE = { timeout: 30_000, interval: 20 };
const PROGRAM = join(import.meta.dirname, '../harness/composer-program.mjs');

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.close());

/** Starts a program that asks its first question after it has received `begin`. */
async function start(...words: string[]): Promise<Session> {
  const session = await daemon.client.call('session.start', { command: [process.execPath, PROGRAM, ...words] });
  await shows(session, 'Welcome');
  expect(await daemon.client.call('session.send', { session: session.id, text: 'begin' })).not.toHaveProperty('unsent');
  return session;
}
const answer = ({ id: item }: Item, text: string): Promise<Item> => daemon.client.call('inbox.answer', { item, text });
const end = ({ id: session }: Session): Promise<Session> =>
  daemon.client.call('session.kill', { session, grace_ms: 0 });
/** Returns the first event of the answer's delivery after `written`. */
const outcome = async (item: Item): Promise<Event> =>
  Promise.race([
    daemon.event('answer_acknowledged', ({ item_id }) => item_id === item.id),
    daemon.event('answer_stalled', ({ item_id }) => item_id === item.id),
  ]);
const acknowledged = (item: Item) => daemon.event('answer_acknowledged', ({ item_id }) => item_id === item.id);
const stalled = (item: Item, reason: string) =>
  daemon.event('answer_stalled', (event) => event.item_id === item.id && event.reason === reason);
const shows = (session: Session, text: string): Promise<void> =>
  vi.waitFor(async () => expect(await daemon.screenOf(session)).toContain(text), PATIENCE);

test.concurrent.each(['boxed', 'inline'])(
  'an answer in a box like the input line does not hold the next one back (%s)',
  async (style) => {
    const session = await start(style, 'framed');
    for (const text of ['家 👨‍👩‍👧‍👦 🇩🇪 yes, use it', 'postgres']) {
      const item = await daemon.openItem(session);
      await answer(item, text);
      expect(await outcome(item), text).toMatchObject({ event_type: 'answer_acknowledged' });
    }
    await end(session);
  },
);

test.concurrent('a tab in an answer is typed as blanks, and the item says so', async () => {
  const session = await start('boxed');
  const item = await daemon.openItem(session);
  expect((await answer(item, 'one\ttwo')).answer).toMatchObject({ text: 'one\ttwo', typed: 'one    two' });
  expect(await outcome(item)).toMatchObject({ event_type: 'answer_acknowledged' });
  await shows(session, 'RECEIVED "one    two"');
  await end(session);
});

describe.concurrent.each(['boxed', 'rules', 'bottom', 'inline'])('an input line of the style %s', (style) => {
  const long =
    'a longer answer, of several words, that goes on for more than one row of the terminal in which it is shown';
  test.each([
    ['clock', '4'],
    ['pastes', long],
    ['swallows', 'postgres'],
    ['slow pastes', 'sqlite'],
  ])('receives an answer completely, and the answer is acknowledged (%s)', async (habits, text) => {
    const session = await start(style, ...habits.split(' '));
    const item = await daemon.openItem(session);
    await answer(item, text);
    expect(await outcome(item)).toMatchObject({ event_type: 'answer_acknowledged' });
    await shows(session, `RECEIVED "${text.slice(0, 40)}`);
    await end(session);
  });

  test('makes the answer stall if it never submits, and the event has the visible text', async () => {
    const session = await start(style, 'never', 'clock');
    const item = await daemon.openItem(session);
    await answer(item, 'use postgres');
    expect(await outcome(item)).toMatchObject({
      reason: 'not_submitted',
      seen: expect.stringContaining('use postgres'),
    });
    const { answer: kept } = await daemon.client.call('inbox.show', { item: item.id });
    const seen = expect.stringContaining('use postgres');
    expect(kept).toMatchObject({ delivery: 'stalled', stalled_reason: 'not_submitted', seen });
    await end(session);
  });

  test('gets no second Enter if the first one completed a word of the answer', async () => {
    const session = await start(style, 'completes');
    const item = await daemon.openItem(session);
    await answer(item, 'use postgres');
    const seen = expect.stringContaining('use postgres README.md');
    expect(await outcome(item)).toMatchObject({ reason: 'not_submitted', seen });
    await daemon.orchd('keys', session.id, 'Enter');
    await acknowledged(item);
    await end(session);
  });

  test.each([['drops'], ['refuses'], ['explains']])(
    'is no evidence of delivery if it just becomes empty (%s)',
    async (habit) => {
      const session = await start(style, habit);
      const item = await daemon.openItem(session);
      await answer(item, 'use postgres');
      await daemon.event('answer_written', ({ item_id }) => item_id === item.id);
      const sent = await daemon.client.call('session.send', { session: session.id, text: 'anything' });
      expect(sent.unsent).toBeUndefined();
      const { answer: kept } = await daemon.client.call('inbox.show', { item: item.id });
      expect(kept?.delivery).toBe('written');
      await end(session);
    },
  );

  test('is no evidence of delivery if it never held the whole text', async () => {
    const session = await start(style, 'keyed');
    const item = await daemon.openItem(session);
    await answer(item, 'use postgres for now');
    await shows(session, 'RECEIVED "se postgres for now"');
    await daemon.event('item_opened', ({ item_id }) => item_id !== item.id);
    const sent = await daemon.client.call('session.send', { session: session.id, text: 'anything' });
    expect(sent.unsent).toBeUndefined();
    const { answer: kept } = await daemon.client.call('inbox.show', { item: item.id });
    expect(kept?.delivery).toBe('written');
    await end(session);
  });

  test('holds the answer back while it contains text of the user, even unpainted text', async () => {
    const session = await start(style, 'slow');
    const item = await daemon.openItem(session);
    await daemon.orchd('send', session.id, 'half a thought', '--no-enter');
    await answer(item, 'postgres');
    await stalled(item, 'composer_busy');
    await daemon.orchd('keys', session.id, 'C-u');
    await acknowledged(item);
    await shows(session, 'RECEIVED "postgres"');
    await end(session);
  });

  test('gets the answer only when the program has worked off what the user sent', async () => {
    const session = await start(style, 'deaf');
    const item = await daemon.openItem(session);
    const keys = (...keys: string[]) => daemon.client.call('session.keys', { session: session.id, keys });
    await keys(...'half');
    await answer(item, 'postgres');
    await stalled(item, 'composer_busy');
    await keys('Enter');
    await acknowledged(item);
    await shows(session, 'RECEIVED "postgres"');
    await end(session);
  });

  test.for(['single', 'half'])(
    'holds the answer back while it still shows deleted text: %s',
    async (habit, { expect }) => {
      const session = await start(style, habit);
      const item = await daemon.openItem(session);
      const keys = (...keys: string[]) => daemon.client.call('session.keys', { session: session.id, keys });
      const shown = () => daemon.screenOf(session);
      await keys(...'~#~#~');
      await shows(session, '~#~#~');
      await keys(...Array(5).fill('BSpace'));
      await answer(item, 'postgres');
      await stalled(item, 'composer_busy');
      let left = habit === 'half' ? '~#~#x' : '~#~#~x';
      await keys('x');
      await shows(session, left);
      // Deletes one character at a time, as a user would.
      for (; left !== ''; left = left.slice(0, -1)) {
        await keys('BSpace');
        await expect.poll(shown).not.toContain(left);
      }
      await acknowledged(item);
      await shows(session, 'RECEIVED "postgres"');
      await end(session);
    },
  );
});

describe.concurrent.each(['boxed', 'inline'])('an answer that appears long after Enter (%s)', (style) => {
  test('is submitted by a second Enter', async () => {
    const session = await start(style, 'late', 'pastes');
    const item = await daemon.openItem(session);
    await answer(item, 'use postgres');
    expect(await outcome(item)).toMatchObject({ event_type: 'answer_acknowledged' });
    await shows(session, 'RECEIVED "use postgres');
    await end(session);
  });

  test('stalls if the second Enter is lost, until the user presses Enter', async () => {
    const session = await start(style, 'late', 'pastes', 'swallows');
    const item = await daemon.openItem(session);
    await answer(item, 'use postgres');
    const seen = expect.stringContaining('use postgres');
    expect(await outcome(item)).toMatchObject({ reason: 'not_submitted', seen });
    await daemon.orchd('keys', session.id, 'Enter');
    await acknowledged(item);
    await shows(session, 'RECEIVED "use postgres');
    await end(session);
  });
});

test.concurrent("an unsubmitted answer is acknowledged after the user's Enter, and other texts wait", async () => {
  const session = await start('boxed', 'stubborn');
  const item = await daemon.openItem(session);
  await answer(item, 'use postgres');
  await stalled(item, 'not_submitted');
  expect((await daemon.orchd('inbox')).stdout).toContain(`orchd keys ${session.id} Enter`);
  expect((await daemon.orchd('show', session.id)).stdout).toContain(
    '(not_submitted, the input line shows “│ > use postgres',
  );
  const held = await daemon.orchd('send', session.id, 'something else', '--timeout', '1');
  expect(held.stderr).toContain('has something else in its input line');
  await daemon.orchd('keys', session.id, 'Enter');
  await daemon.orchd('keys', session.id, 'Enter');
  await acknowledged(item);
  await shows(session, 'RECEIVED "use postgres"');
});

test.concurrent('a program that shows each input late gets no second Enter', async () => {
  const session = await start('boxed', 'tardy');
  const first = await daemon.openItem(session);
  await answer(first, 'use postgres');
  await acknowledged(first);
  // A second Enter would have been an empty input, after which the program asks for the third time.
  const second = await daemon.openItem(session);
  expect(second.data['question']).toBe('Which database for step 2?');
  await shows(session, 'RECEIVED "use postgres"');
  expect((await daemon.orchd('capture', session.id)).stdout).not.toContain('RECEIVED ""');
  await end(session);
});

// A program that pauses between erasing and painting shows no text for a moment. That is not a submission.
test.concurrent.each(['inline never', 'inline never torn', 'boxed never torn'])(
  'an answer that the user deletes from the input line is not acknowledged (%s)',
  async (words) => {
    const session = await start(...words.split(' '));
    const item = await daemon.openItem(session);
    await answer(item, 'use postgres');
    await stalled(item, 'not_submitted');
    await daemon.orchd('keys', session.id, 'C-u');
    // Other texts wait until the input line is empty.
    const sent = await daemon.client.call('session.send', { session: session.id, text: 'other words' });
    expect(sent.unsent).toContain('other words');
    const { answer: kept } = await daemon.client.call('inbox.show', { item: item.id });
    expect(kept).toMatchObject({ delivery: 'stalled', stalled_reason: 'left_line' });
  },
);

test.concurrent('an answer with several lines needs bracketed paste', async () => {
  const [paste, plain] = await Promise.all([start('rules'), start('boxed')]);
  const item = await daemon.openItem(paste);
  await answer(item, 'one\ntwo\nthree');
  await acknowledged(item);
  await shows(paste, 'RECEIVED "one\\ntwo\\nthree"');
  const refused = await daemon.orchd('answer', (await daemon.openItem(plain)).id, 'one\ntwo');
  expect(refused.stderr).toContain('would read only the first of the');
});

test.concurrent('an answer waits while the terminal holds an unfinished line', async () => {
  const session = await daemon.sh(`
printf '%s\\n' '\`\`\`orchestrator-message' '{"type":"QUESTION","data":{"question":"Which?"}}' '\`\`\`'
while read -r line; do echo "GOT <$line>"; done`);
  const item = await daemon.openItem(session);
  await daemon.orchd('send', session.id, 'half', '--no-enter');
  await answer(item, 'whole');
  await stalled(item, 'composer_busy');
  await daemon.orchd('keys', session.id, 'BSpace', 'BSpace', 'BSpace', 'BSpace');
  await acknowledged(item);
  await shows(session, 'GOT <whole>');
});

test
  .skipIf(process.platform !== 'linux')
  .concurrent('a line editor around another program refuses several lines', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'orchd-rlwrap-'));
    symlinkSync(process.execPath, join(folder, 'rlwrap'));
    const session = await daemon.sh(`
printf '%s\\n' ':ORCHESTRATOR: QUESTION - Which?'
exec '${join(folder, 'rlwrap')}' -e '
process.stdin.setRawMode(true).on("data", (keys) => process.stdout.write("KEYS " + keys));
process.stdout.write("\\x1b[?2004hname> ")'`);
    const item = await daemon.openItem(session);
    await shows(session, 'name>');
    expect((await daemon.orchd('answer', item.id, 'one\ntwo')).stderr).toContain('would read only the first of the');
    await end(session);
    rmSync(folder, { recursive: true });
  });

// Processes are read from /proc.
test
  .skipIf(process.platform !== 'linux')
  .concurrent('an answer waits until a pager that opened after the question closes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'orchd-pager-'));
    const pager = join(folder, 'less');
    symlinkSync(process.execPath, pager);
    // The parent keeps the pager in its own process group, like a script.
    const session = await daemon.sh(`
printf '%s\\n' '\`\`\`orchestrator-message' '{"type":"QUESTION","data":{"question":"Which?"}}' '\`\`\`'
'${pager}' -e 'process.stdin.setRawMode(true).on("data", (keys) => {
  process.stdout.write(String(keys) === "q" ? "\\x1b[?1049l" : "KEYS " + keys);
  if (String(keys) === "q") process.exit();
});
process.stdout.write("\\x1b[?1049h\\x1b[HPAGER")'
while read -r line; do echo "GOT <$line>"; done`);
    const item = await daemon.openItem(session);
    await shows(session, 'PAGER');
    await answer(item, 'delete it');
    await stalled(item, 'composer_busy');
    expect((await daemon.orchd('capture', session.id)).stdout).not.toContain('KEYS');
    await daemon.orchd('keys', session.id, 'q');
    await acknowledged(item);
    await shows(session, 'GOT <delete it>');
    rmSync(folder, { recursive: true });
  });
