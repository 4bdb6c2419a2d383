import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tries } from '../../../../test/harness/tries.js';
import { type PlainRow, plainRow } from '../rows/rows.js';
import { CandidateReader, mayBeFenced } from './candidate-reader.js';
import { MAX_OBJECT_ROWS, OBJECT_ROW_CHARS, type ReadingRules } from './candidates.js';
import { ObjectMemo } from './object-memo.js';

/** Rows that change how other rows are read, and rows that are read as part of a candidate. */
const TEXTS = [
  '',
  'Let me see what is there.',
  '  "a": 1,',
  '  "question": "Which one of these',
  '   should it be?"',
  '  }',
  '}',
  '{',
  '  {',
  '{ "a": 1 }',
  '{"type": "QUESTION", "data": {"question": "Which?"}}',
  '  1 {',
  'orchestrator-message',
  '{"type": "QUESTION", "data": {',
  '<output>',
  '<output>{"status": "DONE"}',
  'words for people',
  '</output>',
  ':ORCHESTRATOR: QUESTION - Which one should it be of all that',
  '- **:ORCHESTRATOR: BLOCKED - no',
  'and no proxy**',
  '```',
  '```json',
  '```orchestrator-message',
  '  ~~~',
  '⎿ 3 files',
  '  └ a branch',
  '│ a row in a box │',
  '│ {',
  '● {',
];
const COLS = 40;
const rowOf = fc
  .tuple(fc.constantFrom(...TEXTS), fc.boolean())
  .map(([text, isSoft]): PlainRow => plainRow({ text, isSoft: isSoft && text.startsWith(' ') }));
/** One change: replaces rows, with the place counted from the end, and limits how many rows may be read. */
const change = fc.record({
  back: fc.nat({ max: 30 }),
  gone: fc.nat({ max: 30 }),
  come: fc.array(rowOf, { maxLength: 12 }),
  hidden: fc.nat({ max: 6 }),
});

it('counts long rows as several, so that their cost is limited', () => {
  const charsRead = (width: number): number => {
    const rows = Array.from({ length: 400 }, () => plainRow({ text: `{${' '.repeat(width - 1)}`, isSoft: false }));
    const { openings } = new CandidateReader().read(rows, 0, rows.length, rules());
    return openings.reduce((sum, { chars }) => sum + chars, 0);
  };
  expect(charsRead(20)).toBeGreaterThan(0);
  for (const width of [120, 500, 1000]) expect(charsRead(width)).toBeLessThan(2 * MAX_OBJECT_ROWS * OBJECT_ROW_CHARS);
});

const rules = (): ReadingRules => ({
  cols: COLS,
  fences: 'swallowed',
  isBoxed: false,
  isKnown: false,
  typed: [],
  memo: new ObjectMemo(),
  fenceEnds: new Map(),
  base: 0,
});

it('an incremental reading finds the same as a new one', () => {
  fc.assert(
    fc.property(
      fc.array(rowOf, { maxLength: 120 }),
      fc.array(change, { minLength: 1, maxLength: 12 }),
      (start, changes) => {
        const rows: (PlainRow | undefined)[] = [...start];
        const reader = new CandidateReader();
        const kept = rules();
        reader.read(rows, 0, rows.length, kept);
        for (const { back, gone, come, hidden } of changes) {
          rows.splice(Math.max(0, rows.length - back), gone, ...come);
          const to = Math.max(0, rows.length - hidden);
          expect(reader.read(rows, 0, to, kept)).toEqual(new CandidateReader().read(rows, 0, to, rules()));
        }
      },
    ),
    tries(300),
  );
});

it('limits the reading of nested objects that never end', () => {
  const rows = Array.from({ length: 1200 }, (_, at) => plainRow({ text: `{"a${at}":`, isSoft: false }));
  const { openings } = new CandidateReader().read(rows, 0, rows.length, rules());
  expect(openings.length).toBeGreaterThan(0);
  expect(openings.length).toBeLessThan(50);
});

it('takes no tildes for the end of a fence of backticks', () => {
  const rows = ['```', '~~~', ':ORCHESTRATOR: TASK COMPLETE', '~~~', ''];
  const read = rows.map((text) => plainRow({ text, isSoft: false }));
  expect(new CandidateReader().read(read, 0, rows.length, rules()).candidates).toEqual([]);
});

it('knows where the block began that ends directly above an object or a marker', () => {
  const rows = ['text', '```', 'code', '```', '{"type":"ERROR","data":{}}', '', ':ORCHESTRATOR: TASK COMPLETE'];
  const read = rows.map((text) => plainRow({ text, isSoft: false }));
  const { candidates } = new CandidateReader().read(read, 0, rows.length, rules());
  expect(candidates.map(({ row, fencedFrom }) => [row, fencedFrom])).toEqual([
    [4, 1],
    [6, undefined],
  ]);
});

const SAID = '{"type":"ERROR","data":{}}';
const saidAt = (row: number) =>
  ({ form: 'fence', row, end: row + 1, isExact: true, hasGap: false, text: SAID, isSure: true }) as const;

it.each([
  ['between fences of which either may be a beginning', ['~~~', 'const a = 1;', SAID, '~~~'], true],
  ['below a label', ['```', 'orchestrator-message', SAID, '```'], false],
  ['above a fence, with none above', [SAID, '```', 'text'], true],
  ['some rows above a fence, with none above', [SAID, 'text', '```', 'text'], false],
  ['in a block with a name', ['```json', SAID, '```'], true],
  ['below a block with a name', ['```json', '1', '```', SAID, '```'], false],
  ['above a block with a name', ['```', SAID, '```json'], false],
  ['below all fences', ['```', '1', '```', SAID, 'text'], false],
  ['between fences of other signs', ['```', SAID, '~~~'], false],
])('a text %s may stand in a block (%#)', (_where, texts, isExpected) => {
  const rows = texts.map((text) => plainRow({ text, isSoft: false }));
  expect(mayBeFenced(rows, saidAt(texts.indexOf(SAID)), 0, rows.length, false)).toBe(isExpected);
});

it('the fences of a text are certain below a prompt', () => {
  const rows = ['```', '1', '```', SAID, '```'].map((text) => plainRow({ text, isSoft: false }));
  expect(mayBeFenced(rows, saidAt(3), 0, rows.length, true)).toBe(false);
  expect(mayBeFenced(rows, saidAt(3), 0, rows.length, false)).toBe(true);
  expect(mayBeFenced(rows.slice(3), saidAt(0), 0, 2, true)).toBe(false);
});

it.each(['│ ⎿  # Notes', '│⎿  # Notes'])(
  'shows a message below the branch glyph in %j as the output of a tool',
  (row) => {
    const rows = ['│ Read(notes.md)', row, `│   ${SAID}`].map((text) => plainRow({ text, isSoft: false }));
    expect(new CandidateReader().read(rows, 0, rows.length, rules()).candidates).toEqual([]);
  },
);
