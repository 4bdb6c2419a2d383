/**
 * Tests programs without an adapter that ask the same question in several turns: each is heard once, also if the program
 * paints an old one again.
 */
import { describe, expect, it } from 'vitest';
import { heardProgram } from '../../../test/harness/heard-program.js';

const COLS = 80;
const ROWS = 24;
/** The rows of the conversation that fit the screen. */
const SHOWN = 20;
const asks = (text: string): string[] => [
  ...JSON.stringify({ type: 'QUESTION', data: { question: text } }, null, 2).split('\n'),
  '',
];
const proseOf = (turn: number, rows: number): string[] => [
  ...Array.from(
    { length: rows },
    (_, row) => `Row ${row} of the words in turn ${turn}, which differ (${turn * 31 + row}).`,
  ),
  '',
];

interface Program {
  /** Paints the whole screen and then prints nothing for a while. */
  readonly paint: (rows: readonly string[]) => void;
  readonly send: (text: string) => void;
  readonly heard: () => readonly string[];
}

/** @param isRestored  True if hearing starts again from a checkpoint after each record. */
function run(isRestored: boolean): Program {
  const program = heardProgram({
    cols: COLS,
    rows: ROWS,
    checkpoint: (hearing) => (isRestored ? hearing.rebase() : null),
  });
  program.print('\x1b[?1049h');
  return {
    paint(rows) {
      const all = [...rows, ...new Array<string>(ROWS - 1).fill('')].slice(0, ROWS - 1);
      const text = [...all, '> '].map((row, y) => `\x1b[${y + 1};1H\x1b[K${row}`).join('');
      program.print(`\x1b[?2026h${text}\x1b[?2026l`, 100);
      program.rest();
    },
    send: program.send,
    heard: program.heard,
  };
}

/** Plays turns with the same question. A paragraph is painted after the other, by `layout`. */
function playTurns(
  program: Program,
  answers: readonly string[],
  label: string,
  rows: number,
  layout: (paragraphs: readonly (readonly string[])[]) => readonly string[],
): void {
  const paragraphs: string[][] = [['Welcome', '']];
  const show = (paragraph: string[]): void => {
    paragraphs.push(paragraph);
    program.paint(layout(paragraphs));
  };
  program.paint(layout(paragraphs));
  for (const [turn, answer] of answers.entries()) {
    program.send(answer);
    show([`${label}${answer}`, '']);
    show(proseOf(turn, rows));
    show(asks('Which?'));
    // The program paints all of it once more.
    program.paint([]);
    program.paint(layout(paragraphs));
  }
}

const oldestFirst = (paragraphs: readonly (readonly string[])[]): readonly string[] => paragraphs.flat().slice(-SHOWN);
const newestFirst = (paragraphs: readonly (readonly string[])[]): readonly string[] =>
  [...paragraphs].reverse().flat().slice(0, SHOWN);

describe.each([false, true])('the same question after each answer (restored: %s)', (isRestored) => {
  it.each(['> ', 'you: ', 'You > ', '[user] ', 'Me: '])('is heard each time behind the label %j', (label) => {
    const program = run(isRestored);
    playTurns(program, ['1', '2', '3'], label, 9, oldestFirst);
    expect(program.heard()).toEqual(['Which?', 'Which?', 'Which?']);
  });

  it.each(['alice: ', '✨ '])('is heard behind the label %j once it has stood before two submitted texts', (label) => {
    const program = run(isRestored);
    playTurns(program, ['first of all', 'and then', '1', '2'], label, 9, oldestFirst);
    expect(program.heard()).toEqual(['Which?', 'Which?', 'Which?', 'Which?']);
  });

  it.each([0, 3, 8])('is heard each time if the newest text is shown first, with %i rows in front of it', (rows) => {
    const program = run(isRestored);
    playTurns(program, ['please begin with it', 'let us go on', 'and once more'], '> ', rows, newestFirst);
    expect(program.heard()).toEqual(['Which?', 'Which?', 'Which?']);
  });
});

describe('a question of an earlier turn that is painted again', () => {
  it('is not heard if the newest text is shown first', () => {
    const program = run(false);
    playTurns(program, ['please begin with it', 'let us go on'], '> ', 3, newestFirst);
    program.send('and only this');
    const rows = [...asks('Which?'), ...proseOf(1, 3), '> let us go on', '', ...asks('Which?')];
    for (let above = 0; above < 6; above++) {
      program.paint([...proseOf(7, above), '> and only this', '', ...rows].slice(0, SHOWN));
      program.paint(rows.slice(0, SHOWN));
    }
    expect(program.heard()).toEqual(['Which?', 'Which?']);
  });

  it('is not heard behind a label that the agent uses once', () => {
    const program = run(false);
    playTurns(program, ['please begin with it'], '> ', 3, oldestFirst);
    program.send('1');
    program.paint(['Choice: 1', '', ...asks('Which?')]);
    expect(program.heard()).toEqual(['Which?']);
  });
});
