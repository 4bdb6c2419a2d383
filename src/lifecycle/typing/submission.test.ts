/**
 * Tests if a typed text has left the input line, for several styles of input lines. The pictures are scripted; the code
 * is not tuned to any of them.
 */
import { describe, expect, it } from 'vitest';
import { findTyped, findUnsent, isBeginning, type Picture, partLeft, showsEnd, standsIn } from './submission.js';
import { SubmissionEvidence } from './submission-evidence.js';

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
const halfBlocks = (...lines: string[]): string[] => [
  '▄'.repeat(34),
  ...lines.map((line) => ` ${line}`),
  '▀'.repeat(34),
];
const QUESTION_ROWS = ['● Which database?', '  1. postgres', '  2. redis', ''];

const BUTTONS = ['│               │', '│               │', '│   <   OK  >   │', '└───────────────┘'];

interface Style {
  readonly before: Picture;
  readonly typed: Picture;
  /** Pictures in which the text is still there and other parts have changed. */
  readonly unsent: readonly Picture[];
  readonly sent: readonly Picture[];
  /** Pictures that prove neither. */
  readonly unsure?: readonly Picture[];
}

const STYLES: Readonly<Record<string, Style>> = {
  'a box, with the terminal’s cursor': {
    before: picture(...QUESTION_ROWS, ...boxed('12:00:01', '> █')),
    typed: picture(...QUESTION_ROWS, ...boxed('12:00:01', '> postgres█')),
    unsent: [
      picture(...QUESTION_ROWS, ...boxed('12:00:09', '> postgres█')),
      picture('● Which database?', ...QUESTION_ROWS, ...boxed('12:00:09', '> postgres█')),
      picture(...QUESTION_ROWS, ...boxed('12:00:09', '> postgres', '  █')),
      picture(...QUESTION_ROWS, ...boxed('12:00:09', '> postgres', '', '  █')),
    ],
    sent: [
      picture(...QUESTION_ROWS, '> postgres', '', ...boxed('12:00:02', '> █')),
      picture(...QUESTION_ROWS, ...boxed('', '> postgres').slice(0, 3), '⠋ Thinking…', ...boxed('12:00:02', '> █')),
      picture(...QUESTION_ROWS, 'You: postgres', '', '⠋ Thinking…'),
    ],
  },
  'a box, with a cursor of its own': {
    before: picture(...QUESTION_ROWS, ...boxed('12:00:01', '● Ask anything')),
    typed: picture(...QUESTION_ROWS, ...boxed('12:00:02', '● postgres')),
    unsent: [
      picture(...QUESTION_ROWS, ...boxed('12:00:09', '● postgres')),
      picture(...QUESTION_ROWS, ...boxed('12:00:09', '● postgres', '')),
    ],
    sent: [
      picture(
        ...QUESTION_ROWS,
        '● postgres',
        '',
        ' ⣿⣿⣿ ( 0s • esc to interrupt )',
        ...boxed('12:00:02', '● Ask anything'),
      ),
      picture(...QUESTION_ROWS, '> postgres', '', ...boxed('12:00:02', '● Ask anything')),
    ],
  },
  'a field of a form, where Enter moves the cursor to a button': {
    before: picture('┌───| Input |───┐', '│ Your answer   │', '│               │', '│ █             │', ...BUTTONS),
    typed: picture('┌───| Input |───┐', '│ Your answer   │', '│               │', '│ postgres█     │', ...BUTTONS),
    unsent: [
      picture(
        ...['┌───| Input |───┐', '│ Your answer   │', '│               │', '│ postgres      │', '│               │'],
        ...['│           █   │', '│   <   OK  >   │', '└───────────────┘'],
      ),
      picture(
        ...['┌───| Input |───┐', '│ Your answer   │', '│               │', '│ postgres      │', '│               │'],
        ...['│               │', '│   < █ OK  >   │', '└───────────────┘'],
      ),
    ],
    sent: [picture('setting up postgres …', '', 'done', '$ █')],
  },
  'a box like those of the conversation': {
    before: picture(...QUESTION_ROWS, ...boxed('12:00:01', '')),
    typed: picture(...QUESTION_ROWS, ...boxed('12:00:01', 'postgres')),
    unsent: [
      picture(...QUESTION_ROWS, ...boxed('12:00:09', 'postgres')),
      picture(...boxed('', 'postgres').slice(0, 3), ...QUESTION_ROWS, ...boxed('12:00:09', 'postgres')),
    ],
    sent: [
      picture(...QUESTION_ROWS, ...boxed('', 'postgres').slice(0, 3), ...boxed('12:00:02', '')),
      picture(...QUESTION_ROWS, ...boxed('', 'postgres', '').slice(0, 4), ...boxed('12:00:02', '')),
      picture(...QUESTION_ROWS, ...boxed('', 'postgres').slice(0, 3), ...boxed('12:00:02', '👦')),
    ],
  },
  'a box above another box': {
    before: picture(...QUESTION_ROWS, ...boxed('', '').slice(0, 3), ...boxed('12:00:01', 'ready')),
    typed: picture(...QUESTION_ROWS, ...boxed('', 'postgres').slice(0, 3), ...boxed('12:00:01', 'ready')),
    unsent: [picture(...QUESTION_ROWS, ...boxed('', 'postgres').slice(0, 3), ...boxed('12:00:09', 'offline'))],
    sent: [picture(...QUESTION_ROWS, 'You: postgres', ...boxed('', '').slice(0, 3), ...boxed('12:00:09', 'ready'))],
  },
  'a box with a prompt in every line': {
    before: picture(...QUESTION_ROWS, ...boxed('12:00:01', '> █')),
    typed: picture(...QUESTION_ROWS, ...boxed('12:00:01', '> postgres█')),
    unsent: [
      picture(...QUESTION_ROWS, ...boxed('12:00:09', '> postgres', '> █')),
      picture(...QUESTION_ROWS, ...boxed('12:00:09', '> postgres', '>', '> █')),
      picture(...QUESTION_ROWS, ...boxed('12:00:09', '> postgres', '>')),
    ],
    sent: [
      picture(...QUESTION_ROWS, '> postgres', ...boxed('12:00:09', '> █')),
      picture(...QUESTION_ROWS, ...boxed('', '> postgres').slice(0, 3), ...boxed('12:00:02', '> █')),
      picture(...boxed('12:00:09', '● Which database?', '> postgres', '> █')),
    ],
  },
  'a box of half blocks, which has a second line for the text': {
    before: picture(...QUESTION_ROWS, ...halfBlocks('> Type your message'), ' 12:00:01'),
    typed: picture(...QUESTION_ROWS, ...halfBlocks('> postgres', ''), ' 12:00:02'),
    unsent: [picture('', ...halfBlocks('> redis', ''), ...halfBlocks('> postgres', ''), ' 12:00:09')],
    sent: [
      picture(...halfBlocks('> postgres', ''), '✦ Which size?', ...halfBlocks('> Type your message'), ' 12:00:09'),
      picture(...halfBlocks('> redis'), ...halfBlocks('> postgres', ''), ...halfBlocks('> Type your message')),
    ],
  },
  'the bottom line': {
    before: picture(...QUESTION_ROWS, '', '', '> █'),
    typed: picture(...QUESTION_ROWS, '', '', '> postgres█'),
    unsent: [picture(...QUESTION_ROWS, '', '⠙ 12:00:04', '> postgres█')],
    sent: [picture(...QUESTION_ROWS, '', '> postgres', '> █'), picture(...QUESTION_ROWS, 'me: postgres', '', '> █')],
  },
  'a line between rules, with no prompt': {
    before: picture(...QUESTION_ROWS, '────────────', '█', '────────────', ' ready'),
    typed: picture(...QUESTION_ROWS, '────────────', 'postgres█', '────────────', ' ready'),
    unsent: [
      picture(...QUESTION_ROWS, '────────────', 'postgres█', '────────────', ' ready ⠙ 3s'),
      picture(...QUESTION_ROWS, '────────────', 'postgres', '█', '────────────', ' ready'),
    ],
    sent: [
      picture(...QUESTION_ROWS, 'postgres', '────────────', '█', '────────────', ' busy'),
      picture(...QUESTION_ROWS, '## postgres', '…', '────────────', '█', '────────────', ' busy'),
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

/** Texts that begin or end with characters that terminals show in different ways. */
const TEXTS = ['postgres', '👨‍👩‍👧‍👦 postgres', '❤️ postgres 👍', '🇩🇪postgres🇯🇵'];

/** Returns a picture with another text in place of `postgres`. */
function withText(text: string, { rows, cursor }: Picture): Picture {
  const row = rows[cursor.y]?.slice(0, cursor.x) ?? '';
  const x = row === '' ? cursor.x : row.replace('postgres', text).length;
  return { rows: rows.map((each) => each.replace('postgres', text)), cursor: { ...cursor, x } };
}

const STYLED = Object.entries(STYLES).flatMap(([name, style]) =>
  name === 'a shell' ? [[name, 'sleep 5', style] as const] : TEXTS.map((text) => [name, text, style] as const),
);

describe.each(STYLED)('an input line in the style of %s, with “%s”', (_, text, style) => {
  const [before, typed] = [withText(text, style.before), withText(text, style.typed)];
  const cases = (pictures: readonly Picture[] = []) => pictures.map((now) => [withText(text, now)] as const);
  const place = findTyped(text, before, typed);
  const standing = (now: Picture): string | null => place && standsIn(place, now).standing;

  it('shows the typed text in a new place', () => expect(place?.shown).toContain(text));
  it('holds the text after it was typed', () => expect(standing(typed)).toBe('stands'));
  it.each(cases(style.unsent))('still holds the text (%#)', (now) => expect(standing(now)).toBe('stands'));
  it.each(cases(style.sent))('no longer holds the text (%#)', (now) => expect(standing(now)).toBe('left'));
  it.each(cases(style.sent))('holds no part of the text either (%#)', (now) =>
    expect(place && partLeft(place, before, now)).toBeNull(),
  );
  it.each(cases(style.sent))('shows that the program took the text (%#)', (now) =>
    expect(new SubmissionEvidence(text, before).look(now)).toBe(true),
  );
  it.each(cases(style.unsure))('may have lost the text (%#)', (now) => expect(standing(now)).toBe('unknown'));
});

describe('findTyped', () => {
  const box = (...lines: string[]) => picture(...QUESTION_ROWS, ...boxed('12:00:04', ...lines));
  const find = (text: string, ...lines: string[]) => findTyped(text, box('> █'), box(...lines));

  it('finds the text across wrapped rows, and without its emoji', () => {
    expect(
      find(
        'use 👨‍👩‍👧‍👦 postgres and then redis for the cache',
        '> use 👨 postgres and then',
        '  redis for the cache█',
      ),
    ).not.toBeNull();
  });
  it('finds the text by its end or beginning if the rest is hidden', () => {
    const text = `begin ${'and so on '.repeat(20)} until the end`;
    expect(find(text, '> so on and so on until the end█')).not.toBeNull();
    expect(find(text, '> begin and so on and so on an…█')).not.toBeNull();
  });
  it('finds the placeholder of a paste', () => {
    expect(find('one\ntwo\nthree', '> [Pasted text #1 +3 lines]█')).not.toBeNull();
  });
  it('ignores rows from before, a clock, and a part of another word', () => {
    expect(find('postgres', '> █')).toBeNull();
    expect(findTyped('4', box('> █'), picture(...QUESTION_ROWS, ...boxed('12:00:14', '> █')))).toBeNull();
    expect(find('no', '> nothing█')).toBeNull();
  });
  it('does not find a text by a part that occurs in it twice, as in a text of equal characters', () => {
    expect(find('x'.repeat(400), `> ${'x'.repeat(60)}█`)).toBeNull();
    const [before, now] = [box('> █'), box(`> ${'x'.repeat(60)}█`)];
    expect(showsEnd('x'.repeat(400), before, now)).toBe(false);
    expect(find(`${'x'.repeat(400)} and no more`, `> ${'x'.repeat(60)} and no more█`)).not.toBeNull();
  });
  it('does not find a text that the screen cannot show', () => expect(find('👍', '> 👍█')).toBeNull());
});

describe('a part of a submitted text', () => {
  const box = (said: readonly string[], line: string) => picture(...QUESTION_ROWS, ...said, ...boxed('12:00:04', line));
  const before = box([], '> █');
  const place = findTyped('grün – oder rot, 11.', before, box([], '> grün – oder rot, 11.█'));
  const left = (said: string, line: string): string | null => place && partLeft(place, before, box([said], line));

  it.each([
    ['> – oder rot, 11.', '> grün█'],
    ['> grün –', '> oder rot, 11.█'],
  ])('is seen in the input line while the conversation has %s', (said, line) =>
    expect(left(said, line)).toContain(line.slice(2, -1)),
  );

  it('is not seen in another text, or in words that stood there before', () => {
    expect(left('> grün – oder rot, 11.', '> blau█')).toBeNull();
    const hint = (text: string) => picture(...QUESTION_ROWS, ...boxed('12:00:04', text));
    const asked = hint('● Ask anything');
    const typed = findTyped('Ask me', asked, hint('● Ask me'));
    expect(typed && partLeft(typed, asked, asked)).toBeNull();
  });
});

/** The same rows as a narrower terminal shows them. */
const narrow = ({ rows, cursor }: Picture): Picture => ({
  rows: rows.map((row) => row.replace('────', '').replace(/ {4}│$/, '│')),
  cursor,
});

describe('a text in a frame', () => {
  const frames = Object.entries(STYLES).filter(([name]) => /box|rules/.test(name) && !name.includes('another box'));

  it.each(frames)('is still in the frame after a resize (%s)', (_, { before, typed, unsent }) => {
    const place = findTyped('postgres', before, typed);
    for (const now of unsent) expect(place && standsIn(place, narrow(now)).standing).toBe('stands');
    const early = findTyped('postgres', narrow(before), narrow(typed));
    for (const now of unsent) expect(early && standsIn(early, now).standing).toBe('stands');
  });
  it.each(frames)('has left the frame if it is in another frame above (%s)', (_, { before, typed, sent }) => {
    const early = findTyped('postgres', narrow(before), narrow(typed));
    for (const now of sent) expect(early && standsIn(early, now).standing).not.toBe('stands');
  });
  it.each(frames)(
    'is found by findUnsent after Enter, even if it was not seen before (%s)',
    (_, { before, unsent, sent }) => {
      for (const now of unsent) {
        const place = findUnsent('postgres', before, now);
        expect(place && standsIn(place, now).standing).toBe('stands');
        expect(findUnsent('postgres', narrow(before), now)).not.toBeNull();
      }
      for (const now of sent) expect(findUnsent('postgres', before, now)).toBeNull();
    },
  );
  it('is not found in a box of the conversation, whose prompt is another one', () => {
    const said = (text: string) => boxed('', `» ${text}`).slice(0, 3);
    const before = picture(...said('begin'), ...QUESTION_ROWS, ...boxed('', '›'));
    const now = picture(...said('begin'), ...QUESTION_ROWS, ...said('postgres'), ...boxed('', '›'));
    expect(findUnsent('postgres', before, now)).toBeNull();
    const unsent = picture(...said('begin'), ...QUESTION_ROWS, ...boxed('', '› postgres'));
    expect(findUnsent('postgres', before, unsent)).not.toBeNull();
  });
  it('is not found without a frame around its line', () => {
    const { before, unsent } = STYLES['the bottom line'] as Style;
    for (const now of unsent) expect(findUnsent('postgres', before, now)).toBeNull();
  });
});

it('a long text is known only by its beginning until its end is seen', () => {
  const box = (...lines: string[]) => picture(...QUESTION_ROWS, ...boxed('', ...lines));
  const text = `begin ${'and so on '.repeat(40)} until the end`;
  const [before, early] = [box('> █'), box(`> ${text.slice(0, 60)}█`)];
  const place = findTyped(text, before, early);
  expect(place && isBeginning(place, text)).toBe(true);
  expect(showsEnd(text, before, early)).toBe(false);
  const late = box(`> ${text.slice(-60)}█`);
  expect(showsEnd(text, before, late)).toBe(true);
  const lastPlace = findTyped(text, before, late);
  expect(lastPlace && isBeginning(lastPlace, text)).toBe(false);
});

it('shows the empty line only if it is painted with the cursor', () => {
  const box = (line: string) => picture(...QUESTION_ROWS, ...boxed('', line));
  const place = findTyped('postgres', box('> █'), box('> postgres█'));
  const look = (now: Picture) => place && standsIn(place, now);
  expect(look(box('> █'))).toMatchObject({ standing: 'left', isLineSeen: true });
  for (const erased of [picture(...QUESTION_ROWS, '', '█'), picture('█'), picture(''), box('>')])
    expect(look(erased)).toMatchObject({ standing: 'left', isLineSeen: false });
});

describe('a text that a completion may have changed', () => {
  const SHOWN = [...QUESTION_ROWS, ...boxed('12:00:01', '> █')];
  const typed = picture(...QUESTION_ROWS, ...boxed('12:00:01', '> see @READ█'));
  const place = findTyped('see @READ', picture(...SHOWN), typed);
  const look = (line: string, ...rows: string[]) =>
    place && standsIn(place, picture(...QUESTION_ROWS, ...boxed('', line), ...rows));

  it('is changed if other words follow it or replace its end', () => {
    expect(look('> see @READ README.md█')).toMatchObject({ standing: 'stands', isChanged: true });
    expect(look('> see @README.md█')).toMatchObject({ isChanged: true });
    expect(look('> see @README.md█')?.shown).toContain('README.md');
  });
  it('has left if the program suggests it again behind the cursor', () => {
    expect(look('> see @READ█')?.standing).toBe('stands');
    expect(look('> █see @READ')?.standing).toBe('left');
  });
  it('is found beside a prompt that equals it', () => {
    const typed = picture(...boxed('', '> >█'));
    const place = findTyped('>', picture(...boxed('', '> █')), { ...typed, cursor: { x: 0, y: 0, visible: false } });
    expect(place?.prefix).toBe('│ >');
  });
  it('is not changed by words further right or by a cursor', () => {
    for (const line of ['> see @READ█', '> see @READ         12:01', '> see @READ▌'])
      expect(look(line), line).toMatchObject({ standing: 'stands', isChanged: false });
  });
});

describe('after a text has left its input line', () => {
  const rows = (notice: string, clock = '12:00:01') => [...QUESTION_ROWS, ...boxed(clock, '> █'), notice];
  const newEvidence = () => new SubmissionEvidence('postgres', picture(...rows('ready')));

  it('a notice, a clock or an empty line does not show that the program took it', () => {
    const evidence = newEvidence();
    for (const notice of ['ready', 'Not sent: you are offline', 'Not sent: you are offline', 'ready', ''])
      expect(evidence.look(picture(...rows(notice, '12:00:07'))), notice).toBe(false);
  });
  it('a row that keeps changing shows that the program took it', () => {
    const evidence = newEvidence();
    const results = ['⠋ Working… 1', '⠙ Working… 2', '⠹ Working… 3'].map((row) => evidence.look(picture(...rows(row))));
    expect(results).toEqual([false, false, true]);
  });
  const reply = (...said: string[]) => picture(...QUESTION_ROWS, ...said, ...boxed('', '> █'));

  it('a reply or another screen shows that the program took it', () => {
    const evidence = newEvidence();
    evidence.note(reply('Good.'), 0);
    evidence.note(reply('Good.', 'I take it.', 'It is done.'), 500);
    expect(evidence.look(reply('Good.', 'I take it.', 'It is done.'), 500)).toBe(true);
    expect(newEvidence().look(picture('Step 2 of 3', ''))).toBe(true);
  });
  it('a notice of several rows does not show that the program took it', () => {
    const evidence = newEvidence();
    const notice = reply('Not connected.', 'The message was not sent.', 'Check the network.', 'Then try again.');
    for (const now of [0, 100, 1_000, 20_000]) {
      evidence.note(notice, now);
      expect(evidence.look(notice, now), `${now}`).toBe(false);
    }
  });
  it('a part of a short text that was never seen whole does not show that the program took the text', () => {
    const [before, typed] = [picture(...boxed('', '> █')), picture(...boxed('', '> ests first, then the code█'))];
    const look = (said: string, shown = typed) => {
      const text = 'tests first, then the code';
      const evidence = new SubmissionEvidence(text, before);
      const place = findTyped(text, before, shown);
      if (place) evidence.lookBeforeEnter(shown, place);
      return evidence.look(picture(said, ...boxed('', '> █')));
    };
    expect(look('you: ests first, then the code')).toBe(false);
    expect(look('you: tests first, then the code')).toBe(true); // the input line has shown only the end
    expect(look('you: tests first, th', picture(...boxed('', '> tests first, then the code█')))).toBe(true);
  });
  it('rows of a program that prints by itself do not show that it took the text, but the text in a new row does', () => {
    const steps = (count: number, line: string) =>
      picture(...Array.from({ length: count }, (_, at) => `step: module ${'abcdefgh'[at]}`), ...boxed('', line));
    const typed = steps(2, '> postgres█');
    const place = findTyped('postgres', steps(1, '> █'), typed);
    const evidence = new SubmissionEvidence('postgres', steps(1, '> █'));
    if (place) evidence.lookBeforeEnter(typed, place);
    for (const count of [3, 5, 8]) expect(evidence.look(steps(count, '> █')), `${count}`).toBe(false);
    expect(evidence.look(picture('you: postgres', ...steps(8, '> █').rows))).toBe(true);
  });
  it('rows that come in the rhythm of the program do not show that it took the text', () => {
    const steps = (count: number) => picture(...['one', 'two', 'three', 'four'].slice(0, count), ...boxed('', '> █'));
    const evidence = new SubmissionEvidence('postgres', steps(0), false, 0);
    const results = [1, 4, 7, 10].map((second, at) => {
      evidence.note(steps(at + 1), second * 1_000);
      return evidence.look(steps(at + 1), second * 1_000);
    });
    expect(results).toEqual([false, false, false, false]);
    expect(evidence.look(steps(4), 18_000)).toBe(true); // it rests for longer than before
    expect(evidence.look(picture('you: postgres', ...steps(1).rows), 0)).toBe(true);
  });
  it('a row that the program shows only while a text is typed does not matter', () => {
    const typed = picture(...boxed('', '> postgres█'), 'Enter sends it');
    const before = picture(...boxed('', '> █'));
    const place = findTyped('postgres', before, typed);
    const evidence = new SubmissionEvidence('postgres', before);
    if (place) evidence.lookBeforeEnter(typed, place);
    evidence.note(picture('Good.', ...boxed('', '> █')), 0);
    const replied = picture('Good.', 'I take it.', 'It is done.', ...boxed('', '> █'));
    evidence.note(replied, 500);
    expect(evidence.look(replied, 500)).toBe(true);
  });
});
