/** A table of a session's signs, and whether the turn of its interactive run is over. */
import { describe, expect, test } from 'vitest';
import type { Item } from '../protocol/index.js';
import { isHeldUp, isTurnOver, type TurnSigns, WORDLESS_REST_MS, WORDS_REST_MS } from './run-turn.js';

const HEARD = {
  isTyped: true,
  isTaken: true,
  text: 'Done.',
  isOver: true,
  hasTranscript: true,
  isSeen: true,
  restMs: 0,
};
const never = Number.MAX_SAFE_INTEGER;

describe('a turn is over', () => {
  test.each<[string, Partial<TurnSigns>, number]>([
    ['at once where its agent has written down words and the end', {}, 0],
    ['after a while where it has written down words alone', { isOver: false }, WORDS_REST_MS],
    ['after a while where it has written down the end alone', { text: null }, WORDS_REST_MS],
    ['after long where it has written down nothing', { text: null, isOver: false }, WORDLESS_REST_MS],
    ['never before the prompt is typed', { isTyped: false }, never],
    ['not by what stood there before it took the prompt', { isTaken: false }, WORDLESS_REST_MS],
    ['never without an end and a screen', { isSeen: false, isOver: false }, never],
    ['by a screen alone after a longer while', { hasTranscript: false, text: null, isOver: false }, 2 * WORDS_REST_MS],
    ['by what a plain program said, after a while', { hasTranscript: false, isSeen: false, text: null }, WORDS_REST_MS],
  ])('%s', (_, about, wanted) => {
    const at = [0, WORDS_REST_MS, 2 * WORDS_REST_MS, WORDLESS_REST_MS, 1_000_000].find((restMs) =>
      isTurnOver({ ...HEARD, ...about, restMs }),
    );
    expect(at ?? never).toBe(wanted);
  });
});

describe('a turn is held up', () => {
  const item = (fields: object) => ({
    items: [{ item: fields as Item, openedTurn: 1, writeId: null, answeredTurn: null }],
  });
  test.each<[string, object, boolean]>([
    ['by a question that is open', { type: 'QUESTION', state: 'open' }, true],
    ['by a dialog that is open', { type: 'attention', state: 'open', data: { source: 'dialog' } }, true],
    ['not by a bell', { type: 'attention', state: 'open', data: { source: 'bell' } }, false],
    [
      'by an answer that is still to be typed',
      { type: 'QUESTION', state: 'answered', answer: { delivery: 'accepted' } },
      true,
    ],
    ['not by one that was', { type: 'QUESTION', state: 'answered', answer: { delivery: 'written' } }, false],
  ])('%s', (_, fields, wanted) => expect(isHeldUp(item(fields))).toBe(wanted));

  test('not by nothing', () => expect(isHeldUp({ items: [] })).toBe(false));
});
