/**
 * Conversations for tests with a program that paints old rows again, with the messages that orchd must find in them.
 */
import fc from 'fast-check';
import { hearCast } from '../../src/session/recordings/parse.js';
import { Repainter, type Way } from './repainter.js';

export interface Turn {
  readonly prose: number;
  readonly question: number;
  readonly after: number;
  readonly linesAtOnce: number;
  readonly isPretty: boolean;
  readonly repaints: number;
  readonly resizeTo: Size | null;
  /** Sizes that the terminal gets during the painting. */
  readonly meanwhile: readonly Size[];
  /** True if `/clear` is submitted afterwards; `ignored` if the program does not know it. */
  readonly isEmptied: boolean | 'ignored';
}

type Size = readonly [cols: number, rows: number];

export interface Conversation {
  readonly way: Way;
  readonly size: Size;
  readonly isSynced: boolean;
  readonly parksCursor: boolean;
  readonly pieceChars: number;
  readonly stepMs: number;
  readonly erasesFirst: boolean;
  readonly turns: readonly Turn[];
}

/**
 * One prompt for each turn, all different: a program that is asked the same thing twice looks like one that paints one
 * turn twice.
 */
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
export const MIN_ROWS = 12;
/** With fewer rows beside a composer, two frames have too little in common. */
export const MIN_PARTIAL_ROWS = 18;
/** After all rows were wrapped anew, still fewer are alike. */
export const MIN_RESIZED_ROWS = 26;

const sizeOf = (minRows: number): fc.Arbitrary<Size> =>
  fc.tuple(fc.integer({ min: 40, max: 200 }), fc.integer({ min: minRows, max: 50 }));

export function conversation(
  ways: readonly Way[],
  minRows: number,
  resizes: boolean | 'meanwhile',
  empties = false,
): fc.Arbitrary<Conversation> {
  const turn = fc.record({
    prose: fc.nat(40),
    question: fc.nat(FEW),
    after: fc.nat(3),
    linesAtOnce: fc.integer({ min: 1, max: 60 }),
    isPretty: fc.boolean(),
    repaints: fc.nat(3),
    meanwhile: resizes === 'meanwhile' ? fc.array(sizeOf(minRows), { maxLength: 6 }) : fc.constant([]),
    resizeTo: resizes === true ? fc.option(sizeOf(minRows), { freq: 3 }) : fc.constant(null),
    isEmptied: empties ? fc.constantFrom(false, true, 'ignored' as const) : fc.constant(false),
  });
  const program = fc.record({
    way: fc.constantFrom(...ways),
    size: sizeOf(minRows),
    isSynced: fc.boolean(),
    parksCursor: fc.boolean(),
    pieceChars: fc.constantFrom(100_000, 4095, 700, 97),
    stepMs: fc.constantFrom(0, 7, 30, 450),
    erasesFirst: resizes === 'meanwhile' ? fc.boolean() : fc.constant(true),
    turns: fc.array(turn, { minLength: 1, maxLength: PROMPTS.length }),
  });
  return program.map((said) => (isUnordered(said) ? { ...said, stepMs: Math.max(QUIET_STEP_MS, said.stepMs) } : said));
}

/**
 * Pause between frames. A program that paints its rows in any order, without a sign that a frame is complete, needs it:
 * only the silence shows where a frame ends.
 */
const QUIET_STEP_MS = 60;

const isUnordered = ({ way, isSynced, parksCursor }: Omit<Conversation, 'turns'>): boolean =>
  (way === 'upwards' || way === 'shuffled') && !isSynced && !parksCursor;

/** Returns the same sentences again and again. On one screen, they do not show how far it has scrolled. */
function prose(lines: number, seed: number): string {
  return Array.from({ length: lines }, (_, line) => {
    const from = (seed + line * 5) % WORDS.length;
    return `${[...WORDS, ...WORDS].slice(from, from + 6).join(' ')}.`;
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

/** Returns the heard texts without blanks, because a blank at the end of a row may be lost. */
export function heardIn({
  way,
  size,
  isSynced,
  parksCursor,
  pieceChars,
  stepMs,
  erasesFirst,
  turns,
}: Conversation): unknown[] {
  const [cols, rows] = size;
  const program = new Repainter({ way, cols, rows, isSynced, parksCursor, pieceChars, erasesFirst });
  for (const [index, turn] of turns.entries()) {
    program.submit(PROMPTS[index] ?? '');
    const after = turn.after > 0 ? ['', prose(turn.after, 30 + index)] : [];
    program.say(
      [prose(turn.prose, index), '', block(turn.question, turn.isPretty), ...after].join('\n'),
      turn.linesAtOnce,
      turn.meanwhile,
    );
    for (let count = 0; count < turn.repaints; count++) program.again();
    if (turn.resizeTo) program.resize(...turn.resizeTo);
    if (turn.isEmptied === 'ignored') program.ignoreClear();
    else if (turn.isEmptied) program.empty();
  }
  const parsing = hearCast(toCast(program.steps, size, stepMs));
  if (!parsing.ok) throw new Error(parsing.message);
  return parsing.events.map((event) => {
    const question =
      event.event_type === 'message' ? (event.message.data as { question?: string }).question : undefined;
    return question?.replaceAll(' ', '') ?? event;
  });
}

export const saidIn = ({ turns }: Conversation): unknown[] =>
  turns.map(({ question }) => (QUESTIONS[question] ?? '').replaceAll(' ', ''));

const SPARSE = { repaints: 0, meanwhile: [], resizeTo: null, isEmptied: false } as const;
const SYNCED = { isSynced: true, parksCursor: true, stepMs: 30, erasesFirst: true } as const;

/**
 * The same question in two turns, on few rows. The prompt between them scrolls away before the ear reads the screen.
 */
export const SCROLLED_PAST: readonly Conversation[] = [
  {
    ...SYNCED,
    way: 'upwards',
    size: [131, 20],
    pieceChars: 100_000,
    turns: [
      { ...SPARSE, prose: 0, question: 2, after: 1, linesAtOnce: 53, isPretty: false, repaints: 1 },
      { ...SPARSE, prose: 5, question: 2, after: 0, linesAtOnce: 15, isPretty: false, repaints: 2 },
      { ...SPARSE, prose: 39, question: 2, after: 0, linesAtOnce: 59, isPretty: false },
    ],
  },
  {
    ...SYNCED,
    way: 'shuffled',
    size: [119, 22],
    pieceChars: 97,
    stepMs: 0,
    turns: [
      { ...SPARSE, prose: 33, question: 2, after: 0, linesAtOnce: 56, isPretty: false, repaints: 1 },
      { ...SPARSE, prose: 26, question: 1, after: 1, linesAtOnce: 30, isPretty: true, repaints: 3 },
      { ...SPARSE, prose: 24, question: 1, after: 0, linesAtOnce: 37, isPretty: true, repaints: 2 },
      { ...SPARSE, prose: 9, question: 2, after: 2, linesAtOnce: 58, isPretty: false },
      { ...SPARSE, prose: 28, question: 0, after: 0, linesAtOnce: 47, isPretty: false, repaints: 3 },
    ],
  },
];
