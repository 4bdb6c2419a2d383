/**
 * Tests programs that print lines, and clear the normal screen to print their whole conversation again. They set no
 * terminal mode that would tell them from programs that print lines only.
 */
import { describe, expect, it } from 'vitest';
import { heardProgram } from '../../../test/harness/heard-program.js';

const block = (question: string): string[] => [
  '```orchestrator-message',
  JSON.stringify({ type: 'QUESTION', data: { question } }),
  '```',
  '',
];
const proseOf = (turn: number): string[] =>
  Array.from({ length: 60 }, (_, row) => `Row ${row} of turn ${turn} with words (${row * 7 + turn}).`);

/** @param isRestored  True if hearing starts again from a checkpoint after each record. */
function run(isRestored = false) {
  const program = heardProgram({
    stepMs: 50,
    checkpoint: (hearing) => (isRestored ? (hearing.state() ?? hearing.rebase()) : null),
  });
  return {
    /** Prints rows in pieces, and then nothing for a while. */
    print(begin: string, rows: readonly string[]): void {
      program.print(begin);
      for (let at = 0; at < rows.length; at += 7) program.print(`${rows.slice(at, at + 7).join('\r\n')}\r\n`);
      program.print('> ');
      program.rest();
    },
    send: program.send,
    said: () =>
      program.found.flatMap((finding) =>
        finding.kind === 'message'
          ? [String(finding.message.data['question'])]
          : finding.kind === 'rejected'
            ? ['rejected']
            : [],
      ),
  };
}

describe.each([
  ['ESC[2J and home', '\x1b[2J\x1b[H'],
  ['home, ESC[2J and ESC[3J', '\x1b[H\x1b[2J\x1b[3J'],
  ['home and ESC[J', '\x1b[H\x1b[J'],
  ['a reset', '\x1bc'],
])('a program that clears the screen by %s and prints its conversation again', (_, clear) => {
  it.each([false, true])('has each message heard once, and an equal one that it adds (restored: %s)', (isRestored) => {
    const program = run(isRestored);
    const rows = ['Agent', ...proseOf(0)];
    program.print(clear, rows);
    for (const turn of [1, 2, 3]) {
      program.send(`answer number ${turn}`);
      rows.push(`> answer number ${turn}`, ...proseOf(turn));
      program.print(clear, rows);
      rows.push(...block('Which?'));
      program.print(clear, rows);
      program.print(clear, rows);
    }
    expect(program.said()).toEqual(['Which?', 'Which?', 'Which?']);
  });

  it('has a rejected block told once', () => {
    const program = run();
    const rows = ['Agent', ...proseOf(0), '```orchestrator-message', '{"type": "QUESTION"}', '```', ''];
    for (const turn of [1, 2, 3]) {
      program.print(clear, rows);
      program.send(`answer number ${turn}`);
      rows.push(`> answer number ${turn}`, ...proseOf(turn));
    }
    program.print(clear, rows);
    expect(program.said()).toEqual(['rejected']);
  });
});

describe('printed lines', () => {
  it('are each their own message after an input, also if the screen was cleared before it', () => {
    const program = run();
    program.print('\x1b[2J\x1b[H', [...proseOf(0), ...block('Which?')]);
    for (const turn of [1, 2]) {
      program.send(`answer number ${turn}`);
      program.print('', [...proseOf(turn), ...block('Which?')]);
    }
    expect(program.said()).toEqual(['Which?', 'Which?', 'Which?']);
  });

  it('are each their own message if the person has the screen cleared before them', () => {
    const program = run();
    for (const turn of [1, 2]) {
      program.send('clear; ./agent');
      program.print('\x1b[H\x1b[2J\x1b[3J', [...proseOf(turn), ...block('Which?')]);
    }
    expect(program.said()).toEqual(['Which?', 'Which?']);
  });
});
