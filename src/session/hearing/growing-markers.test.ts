/**
 * Tests programs that print a text while it grows: they go up to its first row, and print it again with more words. A
 * marker in such a text must not be heard before its last word. Such programs also print a spinner, and a marker above
 * it or over it.
 */
import { describe, expect, it } from 'vitest';
import { type HeardProgram, heardProgram } from '../../../test/harness/heard-program.js';

const HIDE = '\x1b[?25l';
const SHOW = '\x1b[?25h';
const QUESTION = 'Which of the two databases shall I use?';
const MARKER = `:ORCHESTRATOR: QUESTION - ${QUESTION}`;

/** Goes up from below a number of rows to the first of them, and erases them. */
const erase = (rows: number): string => `\r\x1b[2K${'\x1b[1A\x1b[2K'.repeat(rows)}`;

function play(isRestored: boolean): HeardProgram {
  const program = heardProgram({
    cols: 120,
    stepMs: 50,
    checkpoint: (hearing) => (isRestored ? (hearing.state() ?? hearing.rebase()) : null),
  });
  program.send('please begin');
  return program;
}

/** A text with the marker that is printed again each time the marker has more letters, and then a prompt. */
function grow(program: HeardProgram, rowsOf: (marker: string) => readonly string[]): void {
  program.print(HIDE);
  let rows = 0;
  for (let length = 30; length < MARKER.length + 6; length += 6) {
    const text = rowsOf(MARKER.slice(0, length));
    program.print(`${erase(rows)}${text.join('\r\n')}\r\n`);
    rows = text.length;
  }
  program.print(`${SHOW}> `);
  program.rest();
}

describe.each([false, true])('a marker in a text that grows (restored: %s)', (isRestored) => {
  it.each([
    ['alone', []],
    ['below a blank row', ['']],
    ['below another row', ['I need to know something.']],
  ])('is heard once, when it is complete: %s', (_, above) => {
    const program = play(isRestored);
    grow(program, (marker) => [...above, marker]);
    expect(program.heard()).toEqual([QUESTION]);
  });

  it('is heard once, when it is complete, above other rows of the program', () => {
    const program = play(isRestored);
    grow(program, (marker) => [marker, '', '', '---', 'working']);
    expect(program.heard()).toEqual([QUESTION]);
  });

  it('is heard without the prompt of a program below it, although it fills the row', () => {
    const question = `${QUESTION} The old one is slow, and the new one is not ready.`;
    const program = play(isRestored);
    program.print(`${HIDE}I need\r\n:ORCHESTRATOR: QUESTION - Which\r\n`);
    program.print(`${erase(2)}I need to know.\r\n:ORCHESTRATOR: QUESTION - ${question}\r\n${SHOW}> `);
    program.rest();
    expect(program.heard()).toEqual([question]);
  });

  it('is heard after a silence if nothing is painted over it', () => {
    const program = play(isRestored);
    program.print(`${HIDE}${MARKER}\r\n`);
    program.rest();
    expect(program.heard()).toEqual([]);
    program.rest([1500]);
    expect(program.heard()).toEqual([QUESTION]);
  });

  it('is heard soon once the program shows the cursor again', () => {
    const program = play(isRestored);
    program.print(`${HIDE}${MARKER}\r\n`);
    program.print(`${SHOW}> `);
    program.rest();
    expect(program.heard()).toEqual([QUESTION]);
  });

  it('is heard while rows follow that are not painted over it', () => {
    const program = play(isRestored);
    program.print(`${HIDE}${MARKER}\r\n`);
    for (let step = 0; step < 40; step++) program.print(`step ${step}\r\n`);
    expect(program.heard()).toEqual([QUESTION]);
  });

  it('is heard below a spinner that goes on', () => {
    const program = play(isRestored);
    program.print(`${HIDE}${MARKER}\r\n`);
    for (let step = 0; step < 60; step++) program.print(`${step > 0 ? erase(1) : ''}working ${step}\r\n`);
    expect(program.heard()).toEqual([QUESTION]);
  });

  it('is heard when a line is typed', () => {
    const program = play(isRestored);
    program.print(`${HIDE}${MARKER}\r\n`);
    program.send('the first');
    expect(program.heard()).toEqual([QUESTION]);
  });
});

/** A spinner of some rows that makes steps. */
function spin(program: HeardProgram, rows: number, steps: number): void {
  for (let step = 0; step < steps; step++)
    program.print(`${step > 0 ? erase(rows) : ''}${`working ${step}\r\n`.repeat(rows)}`);
}

describe.each([
  [false, HIDE],
  [true, HIDE],
  [false, ''],
  [true, ''],
])('a marker beside a spinner (restored: %s, before: %j)', (isRestored, before) => {
  it.each([
    ['a few rows', 'row\r\n'.repeat(3)],
    ['more rows than the screen has', 'row\r\n'.repeat(40)],
    ['long rows', `${'x'.repeat(400)}\r\n`.repeat(18)],
  ])('is heard if %s stand between it and a spinner of two rows', (_, between) => {
    const program = play(isRestored);
    program.print(`${before}${MARKER}\r\n`);
    program.print(between);
    spin(program, 2, 10);
    program.print(`${SHOW}> `);
    program.rest();
    expect(program.heard()).toEqual([QUESTION]);
  });

  it.each([
    ['for good', ''],
    ['above the spinner', 'working\r\n'],
  ])('is heard if it is printed over a spinner of one row, %s', (_, below) => {
    const program = play(isRestored);
    program.print(before);
    spin(program, 1, 5);
    program.print(`${erase(1)}${MARKER}\r\n${below}`);
    if (below !== '') for (let step = 0; step < 3; step++) program.print(`${erase(1)}working ${step}\r\n`);
    program.print(SHOW);
    program.rest();
    expect(program.heard()).toEqual([QUESTION]);
  });

  it('is heard once if it grows over a spinner of one row', () => {
    const program = play(isRestored);
    program.print(before);
    spin(program, 1, 5);
    for (let length = 30; length < MARKER.length + 6; length += 6)
      program.print(`${erase(1)}${MARKER.slice(0, length)}\r\n`);
    program.print(`${SHOW}> `);
    program.rest();
    expect(program.heard()).toEqual([QUESTION]);
  });

  it('is heard after a block that was printed over a spinner of one row', () => {
    const program = play(isRestored);
    program.print(before);
    spin(program, 1, 5);
    program.print(`${erase(1)}\`\`\`orchestrator-message\r\n{"type": "QUESTION"}\r\n\`\`\`\r\n`);
    program.print(`${SHOW}Then this.\r\n${MARKER}\r\n`);
    program.rest([40, 400, 1500]);
    expect(program.heard()).toEqual([QUESTION]);
  });
});

describe.each([HIDE, ''])('after a marker (before: %j)', (before) => {
  it('a program that printed more lines has not waited for the input', () => {
    const program = play(false);
    program.print(`${before}${MARKER}\r\n`);
    program.print('step 1\r\n');
    program.rest([1500]);
    program.send('the first');
    program.print('step 2\r\n');
    const waits = program.found.flatMap((finding) => (finding.kind === 'busy' ? [finding.hadWaited] : []));
    expect(waits).toEqual([false, false]);
  });

  it('a bell is reported after the question for which it rang', () => {
    const program = play(false);
    program.print(`${before}${MARKER}\r\n\x07`);
    const kinds = program.found.map(({ kind }) => kind);
    expect(kinds.slice(-2)).toEqual(['message', 'attention']);
  });
});

it('a marker of a program that shows the cursor is heard at once', () => {
  const program = play(false);
  program.print(`${MARKER}\r\n`);
  expect(program.heard()).toEqual([QUESTION]);
});
