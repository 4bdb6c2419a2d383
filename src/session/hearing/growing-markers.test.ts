/**
 * Tests programs that print a text while it grows: they go up to its first row, and print it again with more words. A
 * marker in such a text must not be heard before its last word.
 */
import { describe, expect, it } from 'vitest';
import { heardProgram } from '../../../test/harness/heard-program.js';

const HIDE = '\x1b[?25l';
const SHOW = '\x1b[?25h';
const QUESTION = 'Which of the two databases shall I use?';
const MARKER = `:ORCHESTRATOR: QUESTION - ${QUESTION}`;

/** Goes up from below a number of rows to the first of them, and erases them. */
const erase = (rows: number): string => `\r\x1b[2K${'\x1b[1A\x1b[2K'.repeat(rows)}`;

function play(isRestored: boolean) {
  return heardProgram({
    cols: 120,
    stepMs: 50,
    checkpoint: (hearing) => (isRestored ? (hearing.state() ?? hearing.rebase()) : null),
  });
}

describe.each([false, true])('a marker in a text that grows (restored: %s)', (isRestored) => {
  it.each([
    ['alone', []],
    ['below a blank row', ['']],
    ['below another row', ['I need to know something.']],
  ])('is heard once, when it is complete: %s', (_, above) => {
    const program = play(isRestored);
    program.send('please begin');
    program.print(HIDE);
    let rows = 0;
    for (let length = 30; length < MARKER.length + 6; length += 6) {
      const text = [...above, MARKER.slice(0, length)];
      program.print(`${erase(rows)}${text.join('\r\n')}\r\n`);
      rows = text.length;
    }
    program.print(`${SHOW}> `);
    program.rest();
    expect(program.heard()).toEqual([QUESTION]);
  });

  it('is heard without the prompt of a program below it, although it fills the row', () => {
    const question = `${QUESTION} The old one is slow, and the new one is not ready.`;
    const program = play(isRestored);
    program.send('please begin');
    program.print(`${HIDE}I need\r\n:ORCHESTRATOR: QUESTION - Which\r\n`);
    program.print(`${erase(2)}I need to know.\r\n:ORCHESTRATOR: QUESTION - ${question}\r\n${SHOW}> `);
    program.rest();
    expect(program.heard()).toEqual([question]);
  });

  it('is heard after a silence if nothing is painted over it', () => {
    const program = play(isRestored);
    program.send('please begin');
    program.print(`${HIDE}${MARKER}\r\n`);
    program.rest();
    expect(program.heard()).toEqual([]);
    program.rest([1500]);
    expect(program.heard()).toEqual([QUESTION]);
  });

  it('is heard soon once the program shows the cursor again', () => {
    const program = play(isRestored);
    program.send('please begin');
    program.print(`${HIDE}${MARKER}\r\n`);
    program.print(`${SHOW}> `);
    program.rest();
    expect(program.heard()).toEqual([QUESTION]);
  });

  it('is heard while rows follow that are not painted over it', () => {
    const program = play(isRestored);
    program.send('please begin');
    program.print(`${HIDE}${MARKER}\r\n`);
    for (let step = 0; step < 40; step++) program.print(`step ${step}\r\n`);
    expect(program.heard()).toEqual([QUESTION]);
  });

  it('is heard below a spinner that goes on', () => {
    const program = play(isRestored);
    program.send('please begin');
    program.print(`${HIDE}${MARKER}\r\n`);
    for (let step = 0; step < 60; step++) program.print(`${step > 0 ? erase(1) : ''}working ${step}\r\n`);
    expect(program.heard()).toEqual([QUESTION]);
  });

  it('is heard when a line is typed', () => {
    const program = play(isRestored);
    program.send('please begin');
    program.print(`${HIDE}${MARKER}\r\n`);
    program.send('the first');
    expect(program.heard()).toEqual([QUESTION]);
  });
});

it('a marker of a program that shows the cursor is heard at once', () => {
  const program = play(false);
  program.send('please begin');
  program.print(`${MARKER}\r\n`);
  expect(program.heard()).toEqual([QUESTION]);
});
