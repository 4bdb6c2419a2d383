/**
 * Tests programs that paint old rows again in all known ways. Each message is found once, in order. A repetition in a
 * later turn is found again.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Conversation,
  conversation,
  heardIn,
  MIN_PARTIAL_ROWS,
  MIN_RESIZED_ROWS,
  MIN_ROWS,
  SCROLLED_PAST,
  saidIn,
} from '../../../test/harness/repaint-cases.js';
import { PARTIAL_WAYS, WHOLE_WAYS } from '../../../test/harness/repainter.js';
import { tries } from '../../../test/harness/tries.js';

function expectHeard(said: Conversation): void {
  // A text that is said once more may be missing: its screen may not prove that it is new.
  const [heard, all] = [heardIn(said), saidIn(said)];
  const isRepeat = (text: unknown, at: number): boolean => all.indexOf(text as never) < at;
  let next = 0;
  const found = all.filter((text, at) => {
    if (JSON.stringify(heard[next]) === JSON.stringify(text)) return ++next > 0;
    return !isRepeat(text, at);
  });
  expect(heard).toEqual(found);
}

describe('a program that paints old rows again', () => {
  it('has each message reported once if it paints the whole conversation', () => {
    fc.assert(fc.property(conversation(WHOLE_WAYS, MIN_ROWS, false), expectHeard), tries(40));
  });

  it('has each message reported once if it paints the part that fits the screen', () => {
    const examples = SCROLLED_PAST.map((said): [Conversation] => [said]);
    fc.assert(fc.property(conversation(PARTIAL_WAYS, MIN_PARTIAL_ROWS, false), expectHeard), {
      ...tries(40),
      examples,
    });
  });

  it('has each message reported once if the conversation is emptied between two turns', () => {
    const ways = [...WHOLE_WAYS, ...PARTIAL_WAYS];
    fc.assert(fc.property(conversation(ways, MIN_PARTIAL_ROWS, false, true), expectHeard), tries(40));
  });

  it('has each message reported once if a resize wraps all rows again', () => {
    const ways = [...WHOLE_WAYS, ...PARTIAL_WAYS];
    fc.assert(
      fc.property(conversation(ways, MIN_RESIZED_ROWS, true), ({ turns, ...program }) => {
        expectHeard({ ...program, turns: turns.map((turn, question) => ({ ...turn, question })) });
      }),
      tries(40),
    );
  });

  it('has each message reported once if the screen is resized while it is painted', () => {
    const ways = [...WHOLE_WAYS, ...PARTIAL_WAYS];
    fc.assert(
      fc.property(conversation(ways, MIN_RESIZED_ROWS, 'meanwhile'), ({ turns, ...program }) => {
        expectHeard({ ...program, turns: turns.map((turn, question) => ({ ...turn, question })) });
      }),
      tries(40),
    );
  });
});
