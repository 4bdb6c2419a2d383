import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Item, Session } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';

const ASK = `
printf '%s\\n' '\`\`\`orchestrator-message' '{"type":"QUESTION","data":{"question":"Which?","options":["JWT","Session-based"]}}' '\`\`\`'
read answer
echo "I was told: $answer"
echo ':ORCHESTRATOR: TASK COMPLETE'`;

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.close());

test('a shell script asks a question, gets exactly the answer, and continues', async () => {
  const session = await daemon.sh(ASK);
  const item = await daemon.openItem(session);
  expect(item).toMatchObject({ type: 'QUESTION', state: 'open', data: { options: ['JWT', 'Session-based'] } });
  const answered = await daemon.json<Item>('answer', item.id.slice(0, 9), '--option', '2');
  expect(answered).toMatchObject({ state: 'answered', answer: { text: 'Session-based', option: 2, by: 'cli' } });
  const ended = await daemon.json<Session>('wait', session.id, '--until', 'done');
  expect(ended).toMatchObject({ open_items: 0, progress: 100 });
  await daemon.orchd('wait', session.id);
  const { stdout } = await daemon.orchd('capture', session.id);
  expect(stdout).toContain('I was told: Session-based\n');
  const delivery = await daemon.client.call('inbox.show', { item: item.id });
  expect(delivery.answer?.delivery).toBe('acknowledged');
});

test('one of a hundred simultaneous answers wins, and the others get the winning text', async () => {
  const session = await daemon.sh(ASK);
  const item = await daemon.openItem(session);
  const tries = Array.from({ length: 100 }, (_, i) =>
    daemon.client.call('inbox.answer', { item: item.id, text: `answer ${i}` }),
  );
  const results = await Promise.allSettled(tries);
  const winners = results.filter((result) => result.status === 'fulfilled');
  expect(winners).toHaveLength(1);
  const won = winners[0]?.value.answer?.text;
  for (const result of results) {
    if (result.status === 'fulfilled') continue;
    expect(result.reason).toMatchObject({ code: 'ORCHD_ITEM_CLOSED', details: { answer: { text: won } } });
  }
  await daemon.orchd('wait', session.id);
  const { stdout } = await daemon.orchd('capture', session.id);
  expect(stdout).toContain(`I was told: ${won}\n`);
});

test('an answer that the user types into the terminal closes the item', async () => {
  const session = await daemon.sh(ASK);
  const item = await daemon.openItem(session);
  await daemon.orchd('keys', session.id, 'h', 'i', 'Enter');
  await daemon.event('item_answered', (event) => event.item_id === item.id);
  const closed = await daemon.client.call('inbox.show', { item: item.id });
  expect(closed).toMatchObject({ state: 'answered', answer: { by: 'terminal' } });
});

test('an item is withdrawn when its program ends', async () => {
  const session = await daemon.sh("echo ':ORCHESTRATOR: BLOCKED - no network'; read never");
  const item = await daemon.openItem(session);
  await daemon.orchd('kill', session.id);
  expect((await daemon.client.call('inbox.show', { item: item.id })).state).toBe('withdrawn');
  const late = await daemon.orchd('answer', item.id, 'too late');
  expect(late.code).toBe(4);
});
