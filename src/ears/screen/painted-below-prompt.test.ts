/** Tests messages of a conversation that is printed once more below the prompt that was submitted last. */
import { describe, expect, it } from 'vitest';
import type { Utterance } from '../grammar/grammar.js';
import { ScreenEar } from './screen-ear.js';

const SIZE = 8;
const COLS = 80;

const asks = (question: string): string[] => [
  '  {',
  '    "type": "QUESTION",',
  `    "data": { "question": "${question}" }`,
  '  }',
  '',
];

/** A program that prints below what it has printed, so that the screen scrolls. */
class Program {
  readonly #ear = new ScreenEar(
    { fences: 'swallowed', isBoxed: false, voices: null, isKnown: false },
    { turn: 0, isHistory: false, prompt: '' },
  );
  readonly #heard: Utterance[] = [];
  #printed: string[] = Array(SIZE).fill('');
  #turn = 0;
  #at = 0;

  submit(prompt: string): void {
    this.#heard.push(...this.#ear.beginTurn({ turn: ++this.#turn, isHistory: false, isEmptied: false, prompt }));
  }

  print(...rows: readonly string[]): void {
    const shown = [...this.#printed.slice(-SIZE), ...rows];
    this.#printed = shown.slice(-SIZE);
    const since = this.#at++;
    this.#heard.push(
      ...this.#ear.look({
        at: this.#at,
        since,
        cols: COLS,
        size: SIZE,
        isContinued: true,
        isFramed: true,
        changed: null,
        rows: shown.map((text) => ({ text, isSoft: false })),
        cursor: { x: 0, y: SIZE - 1 },
      }),
    );
  }

  questions(): string[] {
    this.#heard.push(...this.#ear.settle());
    return this.#heard.map(({ text }) => /"question": "([^"]*)"/.exec(text)?.[1] ?? text);
  }
}

function begun(): Program {
  const program = new Program();
  program.submit('Please begin the interview.');
  program.print('> Please begin the interview.', '', ...asks('One?'));
  program.submit('red, as always');
  program.print('> red, as always', '', ...asks('Two?'));
  program.submit('the answer to the second question');
  program.print('> the answer to the second question', '');
  return program;
}

describe('a conversation that is printed again below the last prompt', () => {
  it('has each message reported once, also if its first prompt is missing', () => {
    const program = begun();
    const again = [...asks('One?'), '> red, as always', '', ...asks('Two?'), '> the answer to the second question', ''];
    program.print(...again, ...asks('Three?'), ...Array(SIZE).fill('status'));
    expect(program.questions()).toEqual(['One?', 'Two?', 'Three?']);
  });

  it('has a question reported that is asked once more', () => {
    const program = begun();
    program.print(...asks('One?'), ...Array(SIZE).fill('status'));
    expect(program.questions()).toEqual(['One?', 'Two?', 'One?']);
  });
});
