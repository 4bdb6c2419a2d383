import { expect, test } from 'vitest';
import { joinReplies } from './join-replies.js';

test('joins the replies of one turn into one text with the number of the last query', async () => {
  const sent: [number, string][] = [];
  const reply = joinReplies((query, text) => sent.push([query, text]));
  for (const query of [3, 4, 9]) reply(query, `<${query}>`);
  expect(sent).toEqual([]);
  await Promise.resolve();
  expect(sent).toEqual([[9, '<3><4><9>']]);
  reply(12, 'later');
  await Promise.resolve();
  expect(sent.slice(1)).toEqual([[12, 'later']]);
});

test('splits long replies into several texts in order', async () => {
  const sent: [number, string][] = [];
  const reply = joinReplies((query, text) => sent.push([query, text]));
  const texts = Array.from({ length: 100 }, (_, n) => String(n).padStart(1000));
  for (const [query, text] of texts.entries()) reply(query, text);
  await Promise.resolve();
  expect(sent.length).toBeGreaterThan(1);
  expect(sent.map(([, text]) => text).join('')).toBe(texts.join(''));
  expect(sent.at(-1)?.[0]).toBe(99);
});
