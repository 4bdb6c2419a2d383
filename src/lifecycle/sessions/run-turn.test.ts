/** Tests when the turn of an interactive run is over, for many states of its session. */
import { describe, expect, test } from 'vitest';
import type { Item } from '../../protocol/index.js';
import { isHeldUp, isTurnOver, type TurnSigns, WORDLESS_REST_MS, WORDS_REST_MS } from './run-turn.js';

const HEARD = {
  phase: 'over',
  text: 'Done.',
  hasTranscript: true,
  isSeen: true,
  restMs: 0,
} satisfies TurnSigns;
const never = Number.MAX_SAFE_INTEGER;

describe('a turn is over', () => {
  test.each<[string, Partial<TurnSigns>, number]>([
    ['at once if the transcript has text and an end', {}, 0],
    ['after WORDS_REST_MS if the transcript has only text', { phase: 'accepted' }, WORDS_REST_MS],
    ['after WORDS_REST_MS if the transcript has only an end', { text: null }, WORDS_REST_MS],
    ['after WORDLESS_REST_MS if the transcript has neither', { phase: 'accepted', text: null }, WORDLESS_REST_MS],
    ['never before the prompt is typed', { phase: 'untyped' }, never],
    ['after WORDLESS_REST_MS if the agent has not taken the prompt', { phase: 'typed' }, WORDLESS_REST_MS],
    ['never without an end and a screen', { isSeen: false, phase: 'accepted' }, never],
    [
      'after twice WORDS_REST_MS if only the screen is known',
      { hasTranscript: false, phase: 'typed', text: null },
      2 * WORDS_REST_MS,
    ],
    ['after WORDS_REST_MS for a plain program', { hasTranscript: false, isSeen: false, text: null }, WORDS_REST_MS],
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
      'by an answer that is not typed yet',
      { type: 'QUESTION', state: 'answered', answer: { delivery: 'accepted' } },
      true,
    ],
    [
      'not by an answer that was typed',
      { type: 'QUESTION', state: 'answered', answer: { delivery: 'written' } },
      false,
    ],
  ])('%s', (_, fields, wanted) => expect(isHeldUp(item(fields))).toBe(wanted));

  test('not without items', () => expect(isHeldUp({ items: [] })).toBe(false));
});
