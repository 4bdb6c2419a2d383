/**
 * Programs that paint old rows again, in every way we know: each message is heard once, in order, and a repetition in a later turn is heard
 * again.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../../test/harness/tries.js';
import { hearCast } from './parse.js';
import { PARTIAL_WAYS, Repainter, type Way, WHOLE_WAYS } from './repainter.js';

interface Turn {
  readonly prose: number;
  readonly question: number;
  readonly after: number;
  readonly linesAtOnce: number;
  readonly isPretty: boolean;
  readonly repaints: number;
  readonly resizeTo: Size | null;
  /** `/clear` is submitted after it. */
  readonly isEmptied: boolean;
}

type Size = readonly [cols: number, rows: number];

interface Conversation {
  readonly way: Way;
  readonly size: Size;
  readonly isSynced: boolean;
  readonly pieceChars: number;
  readonly stepMs: number;
  readonly turns: readonly Turn[];
}

/** One for each turn: a program that is asked the same twice looks like a program that paints one turn twice. */
const PROMPTS = [
  'Please begin the review of the parser now.',
  'go on',
  'Use the second one, please.',
  'yes',
  'Fine, and now the rest of it.',
];
const QUESTIONS = [
  'Which database should it be?',
  'And which port?',
  'May I remove the old files?',
  'Is the name of the branch right?',
  'Who reads the log?',
];
const WORDS = 'the parser reads each row once and keeps what it has found in a small table of rows and places'.split(
  ' ',
);
/** Questions that are likely to be repeated. */
const FEW = 2;
const MIN_ROWS = 12;
/** On fewer rows, beside a composer, two pictures have too little in common. */
const MIN_PARTIAL_ROWS = 18;
/** After all rows were wrapped anew, still fewer are alike. */
const MIN_RESIZED_ROWS = 26;

const sizeOf = (minRows: number): fc.Arbitrary<Size> =>
  fc.tuple(fc.integer({ min: 40, max: 200 }), fc.integer({ min: minRows, max: 50 }));

function conversation(
  ways: readonly Way[],
  minRows: number,
  resizes: boolean,
  empties = false,
): fc.Arbitrary<Conversation> {
  const turn = fc.record({
    prose: fc.nat(40),
    question: fc.nat(FEW),
    after: fc.nat(3),
    linesAtOnce: fc.integer({ min: 1, max: 60 }),
    isPretty: fc.boolean(),
    repaints: fc.nat(3),
    resizeTo: resizes ? fc.option(sizeOf(minRows), { freq: 3 }) : fc.constant(null),
    isEmptied: empties ? fc.boolean() : fc.constant(false),
  });
  return fc.record({
    way: fc.constantFrom(...ways),
    size: sizeOf(minRows),
    isSynced: fc.boolean(),
    pieceChars: fc.constantFrom(100_000, 4095, 700, 97),
    stepMs: fc.constantFrom(0, 7, 30, 450),
    turns: fc.array(turn, { minLength: 1, maxLength: PROMPTS.length }),
  });
}

/** Equal sentences again and again, or numbered ones: on one screen equal ones do not show how far it has scrolled. */
function prose(lines: number, seed: number, isNumbered: boolean): string {
  return Array.from({ length: lines }, (_, line) => {
    const from = (seed + line * 5) % WORDS.length;
    return `${[...WORDS, ...WORDS].slice(from, from + 6).join(' ')}${isNumbered ? ` ${seed * 100 + line}` : ''}.`;
  }).join('\n');
}

function block(question: number, isPretty: boolean): string {
  const value = { type: 'QUESTION', data: { question: QUESTIONS[question], options: ['yes', 'no'] } };
  return isPretty ? JSON.stringify(value, null, 2) : JSON.stringify(value);
}

function toCast(steps: Repainter['steps'], [cols, rows]: Size, stepMs: number): string {
  const lines: unknown[] = [{ version: 2, width: cols, height: rows }];
  let time = 0;
  for (const step of steps) {
    // A person types when the agent is idle.
    time += step.kind === 'i' ? 1000 : step.isWithinFrame ? 3 : stepMs;
    lines.push([time / 1000, step.kind, step.kind === 'r' ? `${step.cols}x${step.rows}` : step.data]);
  }
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
}

/** Without blanks: where a row ends, one may be lost. */
function heardIn({ way, size, isSynced, pieceChars, stepMs, turns }: Conversation): unknown[] {
  const program = new Repainter({ way, cols: size[0], rows: size[1], isSynced, pieceChars });
  const isNumbered = PARTIAL_WAYS.some((partial) => partial === way) || turns.some(({ resizeTo }) => resizeTo !== null);
  for (const [index, turn] of turns.entries()) {
    program.submit(PROMPTS[index] ?? '');
    const after = turn.after > 0 ? ['', prose(turn.after, 30 + index, isNumbered)] : [];
    program.say(
      [prose(turn.prose, index, isNumbered), '', block(turn.question, turn.isPretty), ...after].join('\n'),
      turn.linesAtOnce,
    );
    for (let count = 0; count < turn.repaints; count++) program.again();
    if (turn.resizeTo) program.resize(...turn.resizeTo);
    if (turn.isEmptied) program.empty();
  }
  const parsing = hearCast(toCast(program.steps, size, stepMs));
  if (!parsing.ok) throw new Error(parsing.message);
  return parsing.events.map((event) => {
    const question =
      event.event_type === 'message' ? (event.message.data as { question?: string }).question : undefined;
    return question?.replaceAll(' ', '') ?? event;
  });
}

const saidIn = ({ turns }: Conversation): unknown[] =>
  turns.map(({ question }) => (QUESTIONS[question] ?? '').replaceAll(' ', ''));

function expectHeard(said: Conversation): void {
  expect(heardIn(said)).toEqual(saidIn(said));
}

describe('a program that paints old rows again', () => {
  it('is heard once for each message, if it paints the whole conversation', () => {
    fc.assert(fc.property(conversation(WHOLE_WAYS, MIN_ROWS, false), expectHeard), tries(40));
  });

  it('is heard once for each message, if it paints what fits the screen', () => {
    fc.assert(fc.property(conversation(PARTIAL_WAYS, MIN_PARTIAL_ROWS, false), expectHeard), tries(40));
  });

  it('is heard once for each message, if the conversation is emptied between two turns', () => {
    const ways = [...WHOLE_WAYS, ...PARTIAL_WAYS];
    fc.assert(fc.property(conversation(ways, MIN_PARTIAL_ROWS, false, true), expectHeard), tries(40));
  });

  it('is heard once for each message, if the screen changes its size and all rows are wrapped anew', () => {
    const ways = [...WHOLE_WAYS, ...PARTIAL_WAYS];
    fc.assert(
      fc.property(conversation(ways, MIN_RESIZED_ROWS, true), ({ turns, ...program }) => {
        expectHeard({ ...program, turns: turns.map((turn, question) => ({ ...turn, question })) });
      }),
      tries(40),
    );
  });
});
