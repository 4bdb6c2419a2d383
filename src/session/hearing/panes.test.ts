/**
 * Tests programs that divide their screen by lines or backgrounds: boxes, side panels, scrollbars. Their messages are
 * found in the widest part, without the text of the others. A box that a tool's output is shown in is no such part.
 */
import { describe, expect, it } from 'vitest';
import { heardProgram } from '../../../test/harness/heard-program.js';
import { hearPainter } from '../../../test/harness/painter-score.js';
import { randomConversation } from '../../../test/harness/random-painter.js';

const COLS = 80;
const ROWS = 24;
const QUESTION = JSON.stringify({ type: 'QUESTION', data: { question: 'Which?' } }, null, 2).split('\n');
const OTHER = QUESTION.map((row) => row.replace('Which?', 'And where?'));
const ENVELOPE = [
  '{"status": "success", "summary": "s",',
  '"deliverables": [], "next_steps": [],',
  '"metadata": {"agent": "a",',
  '"task_id": "t", "duration_seconds": 1}}',
];
const GROUND = '\x1b[48;5;236m';
const FILES = Array.from({ length: 20 }, (_, y) => `file-${y}.ts`);

/** @returns The rows in a box of this height. */
function box(rows: readonly string[], width: number, height: number): string[] {
  const inside = Array.from({ length: height - 2 }, (_, y) => `│ ${(rows[y] ?? '').padEnd(width - 4)} │`);
  return [`┌${'─'.repeat(width - 2)}┐`, ...inside, `└${'─'.repeat(width - 2)}┘`];
}

const LAYOUTS = {
  'a box': (rows: readonly string[]) => box(rows, COLS, 20),
  'nested boxes': (rows: readonly string[]) => box(box(rows, COLS - 4, 18), COLS, 20),
  'a panel at the left': (rows: readonly string[]) => {
    const words = box(rows, COLS - 20, 20);
    return box(FILES, 20, 20).map((row, y) => row + (words[y] ?? ''));
  },
  'a panel at the right': (rows: readonly string[]) => {
    const files = box(FILES, 20, 20);
    return box(rows, COLS - 20, 20).map((row, y) => row + (files[y] ?? ''));
  },
  'front of a panel that has only a background': (rows: readonly string[]) =>
    FILES.map((file, y) => `${(rows[y] ?? '').padEnd(50)}${GROUND}  ${file.padEnd(28)}\x1b[m`),
  'a panel at the right of one that has only a background': (rows: readonly string[]) =>
    FILES.map((file, y) => `${GROUND}  ${file.padEnd(18)}\x1b[m${(rows[y] ?? '').padEnd(50)}`),
  'a line between two parts': (rows: readonly string[]) =>
    FILES.map((file, y) => `${(rows[y] ?? '').padEnd(50)}│ ${file}`),
} as const;

function run() {
  const program = heardProgram({ cols: COLS, rows: ROWS, checkpoint: (hearing) => hearing.rebase() });
  program.print('\x1b[?1049h');
  return {
    /** Paints the whole screen and then prints nothing for a while. */
    paint(rows: readonly string[]): void {
      const all = [...rows, ...new Array<string>(ROWS - 1).fill('')].slice(0, ROWS - 1);
      const text = [...all, '> '].map((row, y) => `\x1b[${y + 1};1H\x1b[K${row}`).join('');
      program.print(`\x1b[?2026h${text}\x1b[?2026l`, 100);
      program.rest();
    },
    send: program.send,
    said: () => JSON.stringify(program.found.filter(({ kind }) => kind === 'message' || kind === 'rejected')),
    heard: program.heard,
  };
}

describe.each(Object.entries(LAYOUTS))('a program that shows its conversation in %s', (_, layout) => {
  it('has its messages found once, also after its rows have scrolled', () => {
    const program = run();
    program.paint(layout(['Welcome']));
    program.send('please begin');
    program.paint(layout(['Welcome', '> please begin', '', ...QUESTION]));
    program.send('the first');
    const rows = ['Welcome', '> please begin', '', ...QUESTION, '> the first', '', 'Fine.', '', ...OTHER, ''];
    for (let shown = 8; shown <= rows.length; shown += 3) program.paint(layout(rows.slice(0, shown).slice(-16)));
    program.paint(layout(rows.slice(-16)));
    expect(program.heard()).toEqual(['Which?', 'And where?']);
  });

  it('has no message found in a box within the conversation', () => {
    const program = run();
    program.paint(layout(['Welcome']));
    program.send('please begin');
    program.paint(layout(['Welcome', '> please begin', ...box(QUESTION, 40, 9)]));
    expect(program.heard()).toEqual([]);
  });
});

describe('a part of the screen without words', () => {
  const texts = Array.from({ length: 13 }, (_, y) => `line ${y} of my text`);

  it('is no pane beside a box around a long text, although the screen has a scrollbar', () => {
    const program = run();
    const paint = (rows: readonly string[]): void =>
      program.paint(Array.from({ length: ROWS - 1 }, (_, y) => `${(rows[y] ?? '').padEnd(COLS - 1)}█`));
    paint(['Welcome']);
    program.send(texts.join('\n'));
    paint([...box(texts, 28, 15), ...QUESTION]);
    expect(program.heard()).toEqual(['Which?']);
  });

  it('is no pane beside a conversation that is nearly as wide', () => {
    const program = run();
    const paint = (rows: readonly string[], preview: readonly string[]): void => {
      const right = box(preview, 45, 22);
      program.paint(box(rows, 35, 22).map((row, y) => row + right[y]));
    };
    paint(['Welcome', 'Ask me'], []);
    program.send('please begin');
    paint(['Welcome', '> please begin', '', ...QUESTION], []);
    expect(program.heard()).toEqual(['Which?']);
  });

  it('is still the pane of the conversation if the other part shows a file', () => {
    const program = run();
    const paint = (file: readonly string[], rows: readonly string[]): void => {
      const right = box(rows, 45, 22);
      program.paint(box(file, 35, 22).map((row, y) => row + right[y]));
    };
    paint(['a.ts', 'b.ts'], []);
    program.send('please show a.ts');
    paint(['a.ts', '', ...OTHER], ['> please show a.ts']);
    paint(['a.ts', '', ...OTHER], ['> please show a.ts', '', ...QUESTION]);
    expect(program.heard()).toEqual(['Which?']);
  });
});

describe('a program without a pane', () => {
  it('has no message found in a tall box, which is filled and stays when an input is submitted', () => {
    const program = run();
    program.paint(['Welcome']);
    program.send('please show the notes');
    const tall = box([...QUESTION, ...FILES].slice(0, 19), COLS, 20);
    program.paint(['> please show the notes', ...tall]);
    program.send('and now');
    program.paint(['> please show the notes', ...tall, '> and now']);
    program.paint([...tall.slice(2), '> and now', '', 'Fine.']);
    program.paint([...tall.slice(8), '> and now', '', 'Fine.', ...box(OTHER, COLS, 9)]);
    expect(program.heard()).toEqual([]);
  });

  it('has no words of a side panel found in a message that it wraps', () => {
    const program = run();
    program.paint(['Welcome']);
    program.send('please begin');
    const rows = ['{"type":"QUESTION","data":', '{"question":"Which of the two', 'databases?"}}'];
    program.paint(rows.map((row, y) => `${row.padEnd(40)}│ file-${y}.ts`));
    expect(program.heard()).toEqual([]);
  });

  it.each([
    ['of an object', 1, ['{"type":"QUESTION","data":', '{"question":"Which of the two', 'databases?"}}']],
    ['of a marker', 1, ['', ':ORCHESTRATOR: BLOCKED - no key']],
    ['of a marker that is wrapped', 2, ['', ':ORCHESTRATOR: BLOCKED - there is no', 'key-for-the-database']],
    ['of an envelope', 5, ['<output>', ...ENVELOPE, 'done', '</output>']],
  ])('has no words of a panel with another background found: %s', (_, first, rows) => {
    const program = run();
    program.paint(['Welcome']);
    program.send('please begin');
    const paint = (text: (y: number) => string): void =>
      program.paint(rows.map((row, y) => `${row.padEnd(42)}${GROUND}  ${text(y).padEnd(20)}\x1b[m`));
    paint((y) => (y === first ? `file-${y}.ts` : ''));
    paint((y) => `file-${y}.ts`);
    expect(program.said()).not.toContain('file-');
  });

  it('has a message found whose words have a background of their own', () => {
    const program = run();
    program.paint(['Welcome']);
    program.send('please begin');
    const words = ['{"type":"QUESTION","data":', '{"question":"Which of the two', 'databases?"}}'];
    program.paint(words.map((row) => `  ${GROUND}  ${row.padEnd(60)}\x1b[m`));
    expect(program.heard()).toEqual(['Which of the two databases?']);
  });
});

describe('random programs', () => {
  it.each([3000, 3001, 3002, 3003, 3004, 3005, 3006, 3007])('are heard without a wrong word (%i)', (seed) => {
    const style = { isNewestFirst: false, leavesScreen: false };
    expect(hearPainter(randomConversation(seed, { style })).wrong).toEqual([]);
  });

  it.each([20001, 20004, 20008, 20014, 20042])('are heard if only a background divides them (%i)', (seed) => {
    const score = hearPainter(randomConversation(seed, { style: { frame: 'shaded' } }));
    expect(score.wrong).toEqual([]);
    expect(score.heard).toBeGreaterThan(0);
  });

  it('are not heard with the words of a side panel after a resize, and with characters of unsure width', () => {
    expect(hearPainter(randomConversation(20111, { resizes: true })).wrong).toEqual([]);
  });

  it.each([20012, 20042])('have no marker heard that is painted only in part, or holds braces (%i)', (seed) => {
    expect(hearPainter(randomConversation(seed)).wrong).toEqual([]);
  });

  it.each([
    20047, 20068, 20073, 20077, 20093, 20196, 70044, 70080, 70199, 130072, 130078, 130194, 522111, 740059, 740146,
    1000070,
  ])('are not heard twice or in part if they show the newest text at the top (%i)', (seed) => {
    const score = hearPainter(randomConversation(seed, { style: { isNewestFirst: true } }));
    expect(score.wrong).toEqual([]);
    expect(score.heard).toBeGreaterThan(0);
  });

  it('have no marker heard without a row before which a border is left over', () => {
    expect(hearPainter(randomConversation(740149, { style: { isNewestFirst: true } })).wrong).toEqual([]);
  });

  it.each(['words', 'terminal'] as const)('are not heard with a row of their header (wrapped by %s)', (wrap) => {
    expect(hearPainter(randomConversation(91196, { style: { wrap } })).wrong).toEqual([]);
  });

  it('are not heard with a clock of their header in place of a row', () => {
    expect(hearPainter(randomConversation(910016)).wrong).toEqual([]);
  });

  it.each([20013, 20146, 70002, 70049, 91067, 91147, 130042, 130049, 130087, 310107, 523122, 900011, 900215])(
    'are not heard with old or quoted text that a resize shows again (%i)',
    (seed) => {
      expect(hearPainter(randomConversation(seed, { resizes: true })).wrong).toEqual([]);
    },
  );

  it.each([20066, 91108, 91145, 130069, 210031, 310174])('are not heard with what they show in fences (%i)', (seed) => {
    expect(hearPainter(randomConversation(seed, { style: { showsFences: true } })).wrong).toEqual([]);
  });

  it.each([1002, 1003, 1008, 1020, 1028])('are heard once if they leave their screen and come back (%i)', (seed) => {
    const style = { isNewestFirst: false, leavesScreen: true, screen: 'alternate' } as const;
    expect(hearPainter(randomConversation(seed, { style })).wrong).toEqual([]);
  });
});
