/**
 * Tests if a typed text has left the input line, for several styles of input lines. The pictures are scripted; the code
 * is not tuned to any of them.
 */
import { describe, expect, it } from 'vitest';
import { findTyped, findUnsent, type Picture, standsIn } from './submission.js';

/** Builds a picture. `█` is the cursor. Without it the cursor is hidden below the last row, as Ink leaves it. */
function picture(...rows: string[]): Picture {
  const y = rows.findIndex((row) => row.includes('█'));
  const texts = rows.map((row) => row.replace('█', ''));
  return y < 0
    ? { rows: [...texts, ''], cursor: { x: 0, y: rows.length, visible: false } }
    : { rows: texts, cursor: { x: rows[y]?.indexOf('█') ?? 0, y, visible: true } };
}

const boxed = (clock: string, ...lines: string[]): string[] => [
  '╭────────────────────────────────╮',
  ...lines.map((line) => `│ ${line.padEnd(30)} │`),
  '╰────────────────────────────────╯',
  `  ${clock}  12% context`,
];
const SAID = ['● Which database?', '  1. postgres', '  2. redis', ''];

interface Style {
  readonly before: Picture;
  readonly typed: Picture;
  /** The text is still there, and other things have changed. */
  readonly unsent: readonly Picture[];
  readonly sent: readonly Picture[];
  /** Pictures that prove neither. */
  readonly unsure?: readonly Picture[];
}

const STYLES: Readonly<Record<string, Style>> = {
  'a box, with the terminal’s cursor': {
    before: picture(...SAID, ...boxed('12:00:01', '> █')),
    typed: picture(...SAID, ...boxed('12:00:01', '> postgres█')),
    unsent: [
      picture(...SAID, ...boxed('12:00:09', '> postgres█')),
      picture('● Which database?', ...SAID, ...boxed('12:00:09', '> postgres█')),
      picture(...SAID, ...boxed('12:00:09', '> postgres', '  █')),
      picture(...SAID, ...boxed('12:00:09', '> postgres', '', '  █')),
    ],
    sent: [
      picture(...SAID, '> postgres', '', ...boxed('12:00:02', '> █')),
      picture(...SAID, ...boxed('', '> postgres').slice(0, 3), '⠋ Thinking…', ...boxed('12:00:02', '> █')),
      picture(...SAID, 'You: postgres', '', '⠋ Thinking…'),
    ],
  },
  'a box, with a cursor of its own': {
    before: picture(...SAID, ...boxed('12:00:01', '● Ask anything')),
    typed: picture(...SAID, ...boxed('12:00:02', '● postgres')),
    unsent: [
      picture(...SAID, ...boxed('12:00:09', '● postgres')),
      picture(...SAID, ...boxed('12:00:09', '● postgres', '')),
    ],
    sent: [
      picture(...SAID, '● postgres', '', ' ⣿⣿⣿ ( 0s • esc to interrupt )', ...boxed('12:00:02', '● Ask anything')),
      picture(...SAID, '> postgres', '', ...boxed('12:00:02', '● Ask anything')),
    ],
  },
  'a box with a prompt in every line': {
    before: picture(...SAID, ...boxed('12:00:01', '> █')),
    typed: picture(...SAID, ...boxed('12:00:01', '> postgres█')),
    unsent: [
      picture(...SAID, ...boxed('12:00:09', '> postgres', '> █')),
      picture(...SAID, ...boxed('12:00:09', '> postgres', '>', '> █')),
      picture(...SAID, ...boxed('12:00:09', '> postgres', '>')),
    ],
    sent: [
      picture(...SAID, '> postgres', ...boxed('12:00:09', '> █')),
      picture(...SAID, ...boxed('', '> postgres').slice(0, 3), ...boxed('12:00:02', '> █')),
      picture(...boxed('12:00:09', '● Which database?', '> postgres', '> █')),
    ],
  },
  'the bottom line': {
    before: picture(...SAID, '', '', '> █'),
    typed: picture(...SAID, '', '', '> postgres█'),
    unsent: [picture(...SAID, '', '⠙ 12:00:04', '> postgres█')],
    sent: [picture(...SAID, '', '> postgres', '> █'), picture(...SAID, 'me: postgres', '', '> █')],
  },
  'a line between rules, with no prompt': {
    before: picture(...SAID, '────────────', '█', '────────────', ' ready'),
    typed: picture(...SAID, '────────────', 'postgres█', '────────────', ' ready'),
    unsent: [
      picture(...SAID, '────────────', 'postgres█', '────────────', ' ready ⠙ 3s'),
      picture(...SAID, '────────────', 'postgres', '█', '────────────', ' ready'),
    ],
    sent: [
      picture(...SAID, 'postgres', '────────────', '█', '────────────', ' busy'),
      picture(...SAID, '## postgres', '…', '────────────', '█', '────────────', ' busy'),
    ],
  },
  'a shell': {
    before: picture('$ ls', 'a  b', '$ █'),
    typed: picture('$ ls', 'a  b', '$ sleep 5█'),
    unsent: [],
    unsure: [picture('$ ls', 'a  b', '$ sleep 5', '█')],
    sent: [picture('$ ls', 'a  b', '$ sleep 5', '$ █')],
  },
};

describe.each(Object.entries(STYLES))('%s', (_, { before, typed, unsent, sent, unsure = [] }) => {
  const text = typed.rows.some((row) => row.includes('sleep')) ? 'sleep 5' : 'postgres';
  const place = findTyped(text, before, typed);
  const standing = (now: Picture): string | null => place && standsIn(place, now);

  it('shows the typed text in a new place', () => expect(place?.shown).toContain(text));
  it('holds it when it was just typed', () => expect(standing(typed)).toBe('stands'));
  it.each(unsent.map((now) => [now]))('holds it still (%#)', (now) => expect(standing(now)).toBe('stands'));
  it.each(sent.map((now) => [now]))('has let it go (%#)', (now) => expect(standing(now)).toBe('left'));
  it.each(unsure.map((now) => [now]))('may have let it go (%#)', (now) => expect(standing(now)).toBe('unknown'));
});

describe('the typed text', () => {
  const box = (...lines: string[]) => picture(...SAID, ...boxed('12:00:04', ...lines));
  const find = (text: string, ...lines: string[]) => findTyped(text, box('> █'), box(...lines));

  it('is found across wrapped rows, and without its emoji', () => {
    expect(
      find(
        'use 👨‍👩‍👧‍👦 postgres and then redis for the cache',
        '> use 👨 postgres and then',
        '  redis for the cache█',
      ),
    ).not.toBeNull();
  });
  it('is found by its end, or its beginning, where no more is shown', () => {
    const text = `begin ${'and so on '.repeat(20)} until the end`;
    expect(find(text, '> so on and so on until the end█')).not.toBeNull();
    expect(find(text, '> begin and so on and so on an…█')).not.toBeNull();
  });
  it('is found by what stands for a paste', () => {
    expect(find('one\ntwo\nthree', '> [Pasted text #1 +3 lines]█')).not.toBeNull();
  });
  it('is not found in what stood there before, in a clock, or in another word', () => {
    expect(find('postgres', '> █')).toBeNull();
    expect(findTyped('4', box('> █'), picture(...SAID, ...boxed('12:00:14', '> █')))).toBeNull();
    expect(find('no', '> nothing█')).toBeNull();
  });
  it('is not found if a screen cannot show it', () => expect(find('👍', '> 👍█')).toBeNull());
});

/** The same rows as a narrower terminal shows them. */
const narrow = ({ rows, cursor }: Picture): Picture => ({
  rows: rows.map((row) => row.replace('────', '').replace(/ {4}│$/, '│')),
  cursor,
});

describe('a text in a frame', () => {
  const frames = Object.entries(STYLES).filter(([name]) => /box|rules/.test(name));

  it.each(frames)('stands in it with another width (%s)', (_, { before, typed, unsent }) => {
    const place = findTyped('postgres', before, typed);
    for (const now of unsent) expect(place && standsIn(place, narrow(now))).toBe('stands');
    const early = findTyped('postgres', narrow(before), narrow(typed));
    for (const now of unsent) expect(early && standsIn(early, now)).toBe('stands');
  });
  it.each(frames)('has left it if it stands in another one above (%s)', (_, { before, typed, sent }) => {
    const early = findTyped('postgres', narrow(before), narrow(typed));
    for (const now of sent) expect(early && standsIn(early, now)).not.toBe('stands');
  });
  it.each(frames)('is found there after Enter if it was not seen before (%s)', (_, { before, unsent, sent }) => {
    for (const now of unsent) {
      const place = findUnsent('postgres', before, now);
      expect(place && standsIn(place, now)).toBe('stands');
      expect(findUnsent('postgres', narrow(before), now)).not.toBeNull();
    }
    for (const now of sent) expect(findUnsent('postgres', before, now)).toBeNull();
  });
  it('is not found where no frame shows which line it is in', () => {
    const { before, unsent } = STYLES['the bottom line'] as Style;
    for (const now of unsent) expect(findUnsent('postgres', before, now)).toBeNull();
  });
});
