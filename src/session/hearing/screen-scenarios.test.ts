/**
 * Tests a message on the screen while people and programs change the screen: it is found as often as the agent sent it.
 */
import { describe, expect, it } from 'vitest';
import { Painter, type Step, type Style, toCast } from '../../../test/harness/scripted-screen.js';
import type { Finding } from '../../ears/index.js';
import { parseCast } from '../recordings/cast.js';
import { CastPlayer } from '../recordings/cast-player.js';
import { createRecorder, type Happening } from '../recordings/made-journal.js';
import { hearCast } from '../recordings/parse.js';
import { createHearing } from './session-hearing.js';

const QUESTION = `I looked at the files and need a decision.

{
  "type": "QUESTION",
  "data": {
    "question": "Which database should it be?",
    "options": ["PostgreSQL", "SQLite"]
  }
}

I will wait for your answer.`;
const OTHER = QUESTION.replace('Which database should it be?', 'And which port?');
const PROSE = Array.from({ length: 40 }, (_, index) => `Line ${index} of a longer text about nothing much.`).join('\n');
const SIZE = { cols: 80, rows: 24 };

/** A program that has printed its greeting, and a prompt that a user has sent. */
function begin(style: Style): Painter {
  const painter = new Painter(style);
  painter.say('Agent v1.0\nType something.', 2);
  painter.paint();
  painter.paint();
  painter.submit('Please choose a database.');
  return painter;
}

type Scenario = (painter: Painter) => void;
/** Each scenario: its name, the expected number of messages, the styles, and the steps. */
const SCENARIOS: readonly (readonly [string, number, readonly Style[], Scenario])[] = [
  ['a question', 1, ['synced', 'bare', 'inline'], (p) => p.say(QUESTION)],
  ['a question at once', 1, ['synced', 'bare', 'inline'], (p) => p.say(QUESTION, 100)],
  ['behind a long text', 1, ['synced', 'bare', 'inline'], (p) => p.say(`${PROSE}\n${QUESTION}`, 3)],
  ['before a long text', 1, ['synced', 'bare', 'inline'], (p) => p.say(`${QUESTION}\n${PROSE}`, 3)],
  ['two questions in one turn', 2, ['synced', 'bare', 'inline'], (p) => p.say(`${QUESTION}\n\n${OTHER}`, 2)],
  [
    'the same question twice in one turn',
    2,
    ['synced', 'bare', 'inline'],
    (p) => p.say(`${QUESTION}\n\n${QUESTION}`, 2),
  ],
  [
    'the same question in two turns',
    2,
    ['synced', 'bare', 'inline'],
    (p) => {
      p.say(QUESTION, 2);
      p.submit('Use SQLite.');
      p.say(QUESTION, 2);
    },
  ],
  [
    'the same question in two turns, after the same answer',
    3,
    ['synced', 'bare', 'inline'],
    (p) => {
      for (let turn = 0; turn < 3; turn++) {
        p.say(QUESTION, 2);
        p.submit('yes');
      }
    },
  ],
  [
    'scrolled back and forth',
    1,
    ['synced', 'bare'],
    (p) => {
      p.say(`${PROSE}\n${QUESTION}\n${PROSE}`, 3);
      for (let at = 0; at < 24; at++) p.scroll(3);
      for (let at = 0; at < 24; at++) p.scroll(-3);
      for (let at = 0; at < 50; at++) p.scroll(1);
      for (let at = 0; at < 50; at++) p.scroll(-1);
    },
  ],
  [
    'paged up and down',
    1,
    ['synced', 'bare'],
    (p) => {
      p.say(`${PROSE}\n${QUESTION}\n${PROSE}`, 3);
      for (let at = 0; at < 4; at++) p.scroll(20);
      for (let at = 0; at < 4; at++) p.scroll(-20);
    },
  ],
  [
    'scrolled to the top and back at once',
    1,
    ['synced', 'bare'],
    (p) => {
      p.say(`${QUESTION}\n${PROSE}\n${PROSE}`, 3);
      p.scroll(1000);
      p.scroll(-1000);
      p.scroll(1000);
      p.scroll(-1000);
    },
  ],
  [
    'scrolled back while the agent goes on',
    2,
    ['synced', 'bare'],
    (p) => {
      p.say(`${PROSE}\n${QUESTION}`, 3);
      p.scroll(6);
      p.say(PROSE, 50);
      p.scroll(-100);
      p.say(OTHER, 3);
    },
  ],
  [
    'resized',
    1,
    ['synced', 'bare'],
    (p) => {
      p.say(QUESTION);
      p.resize(60, 20);
      p.resize(120, 40);
      p.resize(80, 24);
    },
  ],
  [
    'resized, and the same question again',
    2,
    ['synced', 'bare'],
    (p) => {
      p.say(QUESTION);
      p.resize(100, 30);
      p.submit('Use SQLite.');
      p.say(QUESTION);
    },
  ],
  [
    'a dialog over it',
    1,
    ['synced', 'bare', 'inline'],
    (p) => {
      p.say(QUESTION);
      p.dialog = [
        '╭──────────────────╮',
        '│ Allow this?      │',
        '│ ❯ 1. Yes         │',
        '│   2. No          │',
        '╰──────────────────╯',
        '',
        '',
        '',
      ];
      p.paint();
      p.submit('');
      p.dialog = [];
      p.paint();
    },
  ],
  [
    'painted again below, scrollback kept',
    1,
    ['inline'],
    (p) => {
      p.say(QUESTION);
      p.forget();
      p.steps.push({ kind: 'o', data: '\r\n' });
      p.paint();
    },
  ],
  [
    'scrollback erased and all painted again, then a genuine repeat',
    2,
    ['inline'],
    (p) => {
      p.say(QUESTION);
      p.clear(true);
      p.paint();
      p.submit('Use SQLite.');
      p.say(QUESTION);
    },
  ],
  [
    'painted again in a later turn, cut off in the middle, and again',
    1,
    ['inline'],
    (p) => {
      p.say(QUESTION, 2);
      p.submit('Use SQLite.');
      p.say('Fine, I will use it.');
      p.clear(true);
      p.paint();
      const [erased, painted] = p.steps.splice(-2);
      const picture = painted?.kind === 'o' ? painted.data : '';
      const [early, late] = [picture.indexOf('"type"') + 8, picture.indexOf('"question"') + 20];
      const parts = [picture.slice(0, early), picture.slice(0, late), picture.slice(late)];
      const steps = parts.map((data): Step => ({ kind: 'o', data }));
      for (const step of [erased, steps[0], erased, steps[1], steps[2]]) if (step) p.steps.push(step);
    },
  ],
  [
    'trimmed, painted again, then a genuine repeat',
    2,
    ['inline', 'synced', 'bare'],
    (p) => {
      p.say(QUESTION);
      p.submit('Use SQLite.');
      p.lines = ['… earlier messages are hidden', ...p.lines.slice(-2)];
      if (p.style === 'inline') p.clear(true);
      p.paint();
      p.say(QUESTION);
    },
  ],
  [
    '/clear',
    1,
    ['inline', 'synced', 'bare'],
    (p) => {
      p.say(QUESTION);
      p.submit('/clear');
      p.lines = ['  Agent v1.0', '  Type something.'];
      if (p.style === 'inline') p.clear(true);
      p.paint();
    },
  ],
  [
    '/clear and the same again',
    2,
    ['inline', 'synced', 'bare'],
    (p) => {
      p.say(QUESTION);
      p.submit('/clear');
      p.lines = ['  Agent v1.0', '  Type something.'];
      if (p.style === 'inline') p.clear(true);
      p.paint();
      p.submit('Please choose a database.');
      p.say(QUESTION);
    },
  ],
  [
    'a long conversation painted again after an erasure, some of its rows for the first time',
    6,
    ['inline'],
    (p) => {
      for (let step = 1; step <= 6; step++) {
        p.submit(`Step ${step}, please.`);
        p.say(QUESTION.replace('Which database', `Of step ${step}: which database`), 2);
      }
      p.lines = p.lines.flatMap((line) => (line.includes('Step') ? ['  This row was never painted.', line] : [line]));
      p.clear(true);
      p.paint();
      p.clear(true);
      p.paint();
    },
  ],
  [
    'a small screen, then one with more above than is known',
    1,
    ['synced', 'bare'],
    (p) => {
      p.lines.unshift(...PROSE.split('\n').map((line) => `  ${line}`));
      p.say(QUESTION);
      p.resize(80, 8);
      p.resize(120, 50);
    },
  ],
  [
    'the same question to another prompt, in one picture that shows no more than that',
    2,
    ['inline', 'synced', 'bare'],
    (p) => {
      p.say(QUESTION, 100);
      p.steps.push({ kind: 'i', data: 'Ask me again, please.' }, { kind: 'i', data: '\r' });
      if (p.style === 'inline') p.clear(true);
      p.lines = ['  Agent v1.0', '', '❯ Ask me again, please.', ''];
      p.say(QUESTION, 100);
    },
  ],
  [
    '/new and the same again, at once',
    2,
    ['inline', 'synced', 'bare'],
    (p) => {
      p.say(QUESTION, 100);
      p.submit('/new');
      p.lines = ['  Agent v1.0', '  Type something.'];
      if (p.style === 'inline') p.clear(true);
      p.paint();
      p.submit('Please choose a database.');
      p.say(QUESTION, 100);
      p.resize(70, 22);
    },
  ],
  [
    'an old conversation brought back',
    0,
    ['inline', 'synced', 'bare'],
    (p) => {
      p.submit('/resume');
      p.say('Choose one:\n1. yesterday', 2);
      p.submit('');
      p.lines = ['  Agent v1.0', '', '❯ Please choose.', ''];
      p.say(QUESTION, 100);
    },
  ],
  [
    'a marker below which other words stand in the next turn',
    1,
    ['synced', 'bare', 'inline'],
    (p) => {
      p.say('Hello.\n\n:ORCHESTRATOR: QUESTION - Which food, number 1?', 3);
      p.submit('');
      p.say('(queued)');
      p.say('\nThank you.');
      p.submit('Go on.');
    },
  ],
  [
    'a marker at the same place in the next turn, with more words',
    2,
    ['synced', 'bare'],
    (p) => {
      p.say('Hello.\n\n:ORCHESTRATOR: QUESTION - Go on?', 3);
      p.submit('');
      p.lines[p.lines.length - 1] = '  :ORCHESTRATOR: QUESTION - Go on? Also with the tests?';
      p.paint();
      p.say('\nI wait.');
    },
  ],
  [
    "a tool's output",
    0,
    ['inline', 'synced', 'bare'],
    (p) => p.say(`Let me read it.\n\n● Bash(cat block.md)\n  ⎿  ${QUESTION.split('\n').slice(2).join('\n     ')}`),
  ],
  [
    'a quotation in a fence',
    0,
    ['inline', 'synced', 'bare'],
    (p) =>
      p.say(
        `An example:\n\n\`\`\`orchestrator-message\n${QUESTION.split('\n').slice(2, 9).join('\n')}\n\`\`\`\n\nThat is all.`,
      ),
  ],
  [
    'a question below a barred prompt that opens a fence',
    1,
    ['inline', 'synced', 'bare'],
    (p) => {
      p.lines.push('┃ Use this:', '┃ ```json', '┃ { "a": 1 }', '┃ … 3 more lines', '');
      p.say(QUESTION, 3);
    },
  ],
  [
    'a question below a boxed prompt of which the beginning is not shown',
    1,
    ['inline', 'synced', 'bare'],
    (p) => {
      p.lines.push('│ { "a": 1 }', '│ ```', '│ Is that enough?', '╰────────────────────', '');
      p.say(QUESTION, 3);
    },
  ],
  [
    'a quotation in a fence, with a barred row in it',
    0,
    ['inline', 'synced', 'bare'],
    (p) => p.say(`An example:\n\n\`\`\`\n│ a note\n│ \`\`\`\n${QUESTION.split('\n').slice(2, 9).join('\n')}\n\`\`\``),
  ],
  [
    'a prompt that quotes one',
    0,
    ['inline', 'synced', 'bare'],
    (p) => {
      p.submit(`Print this: {"type": "QUESTION", "data": {"question": "Is it so?"}}`);
      p.lines.push('❯ Print this:', '{"type": "QUESTION", "data": {"question": "Is it', '  so?"}}', '');
      p.paint();
    },
  ],
];

describe.each(['synced', 'bare', 'inline'] as const)('a program that paints in the style %s', (style) => {
  it.each(SCENARIOS.filter(([, , styles]) => styles.includes(style)))('%s: %i', (_name, count, _styles, play) => {
    const painter = begin(style);
    play(painter);
    for (const stepMs of [0, 60, 500]) {
      const parsing = hearCast(toCast(painter, SIZE, stepMs));
      const heard = parsing.ok ? parsing.events.map((event) => event.event_type) : [];
      // Without a pause, a message that does not stay on the screen was never seen whole. Then fewer are heard.
      const wanted = stepMs === 0 ? Math.min(heard.length, count) : count;
      expect(heard, `${stepMs} ms between the steps`).toEqual(new Array(wanted).fill('message'));
    }
  });
});

it.each(['synced', 'bare', 'inline'] as const)(
  'a question that is asked again is found while a clock is painted in the style %s',
  (style) => {
    const STEP_MS = 120;
    const painter = begin(style);
    painter.say(`${QUESTION}\n\n\n`);
    painter.submit('yes');
    painter.say(`${QUESTION}\n\n\n`);
    const asked = painter.steps.length;
    for (let second = 0; second < 40; second++) {
      painter.dialog = [`${second} s`];
      painter.paint();
    }
    const reading = parseCast(toCast(painter, SIZE, STEP_MS));
    if (!reading.ok) throw new Error(reading.message);
    const hearing = createHearing();
    const record = createRecorder();
    const messages: Finding[] = [];
    const play = (happening: Happening): void => {
      messages.push(...hearing.push(record(happening)).filter(({ kind }) => kind === 'message'));
    };
    play({ kind: 'start', sessionId: '', command: [], cwd: '', pid: 0, ...SIZE });
    const player = new CastPlayer({ hearing, play, startedAt: 0 });
    const counts = reading.cast.events.map((event) => {
      player.take(event);
      return messages.length;
    });
    // The clock is painted all the time, so that the screen never rests.
    expect([counts[asked + 20], counts.at(-1)]).toEqual([2, 2]);
  },
);
