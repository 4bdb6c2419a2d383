/** Tests keys that are typed while another session is being opened. */
import { expect, it } from 'vitest';
import { createHeldKeys } from './attach-held.js';

function heldKeys() {
  const delivered: string[] = [];
  const held = createHeldKeys((bytes) => delivered.push(bytes.toString()));
  return { delivered, held, type: (text: string) => held.take(Buffer.from(text)) };
}

it('delivers the keys when the last work is done', async () => {
  const { held, delivered, type } = heldKeys();
  expect(type('before')).toBe(false);
  const release: (() => void)[] = [];
  const work = () => new Promise<void>((resolve) => release.push(resolve));
  const works = [held.during(work), held.during(work)];
  expect([type('a'), type('b')]).toEqual([true, true]);
  release[0]?.();
  await works[0];
  expect(delivered).toEqual([]);
  release[1]?.();
  await works[1];
  expect(delivered).toEqual(['ab']);
  expect(type('after')).toBe(false);
});

it('drops them if the work has failed', async () => {
  const { held, delivered, type } = heldKeys();
  await held.during(async () => {
    type('for a session that could not be opened');
    held.drop();
  });
  expect(delivered).toEqual([]);
});
