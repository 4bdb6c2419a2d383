/**
 * Questions for tests with emoji clusters (ZWJ families, flags, skin tones, keycaps), painted by a program that wraps
 * its rows and counts each cluster as two columns, as terminals with grapheme support do.
 */
import fc from 'fast-check';
import { hearCast } from '../../src/session/recordings/parse.js';
import { type Step, toCast } from './scripted-screen.js';

const WORDS = 'which of these avatars shall the team take for its page: one, two, or none of them'.split(' ');
const CLUSTERS = ['👨‍👩‍👧‍👦', '👩‍💻', '🏳️‍🌈', '🇩🇪', '🇯🇵', '👍🏽', '👩🏽‍🚀', '❤️', '1️⃣', '😀', '漢字'];

export interface ClusteredQuestion {
  readonly question: string;
  readonly isPretty: boolean;
  readonly cols: number;
  readonly rows: number;
  readonly isErased: boolean;
  readonly isSynced: boolean;
}

export const clusteredQuestion: fc.Arbitrary<ClusteredQuestion> = fc.record({
  question: fc
    .array(fc.oneof(fc.constantFrom(...WORDS), fc.constantFrom(...CLUSTERS)), { minLength: 3, maxLength: 40 })
    .map((words) => `${words.join(' ')}?`),
  isPretty: fc.boolean(),
  cols: fc.integer({ min: 40, max: 120 }),
  rows: fc.integer({ min: 24, max: 40 }),
  isErased: fc.boolean(),
  isSynced: fc.boolean(),
});

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

function widthOf(text: string): number {
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += /^[ -~]$/.test(segment) ? 1 : 2;
  return width;
}

/** True if a terminal without grapheme support computes more columns for a row than the screen has. */
export const isOverlong = (said: ClusteredQuestion): boolean =>
  rowsOf(said).some((row) => Array.from(row).reduce((sum, char) => sum + (char > '~' ? 2 : 1), 0) > said.cols);

/** Wraps at blanks, and cuts words that fit no row between two clusters. */
function wrap(line: string, cols: number): string[] {
  const rows: string[] = [];
  let row = '';
  for (const word of line.split(/(?<= )/)) {
    if (widthOf(row) + widthOf(word.trimEnd()) > cols && row.trim() !== '') {
      rows.push(row.trimEnd());
      row = '  ';
    }
    for (const { segment } of segmenter.segment(word)) {
      if (widthOf(row) + widthOf(segment) > cols) {
        rows.push(row);
        row = '  ';
      }
      row += segment;
    }
  }
  return [...rows, row];
}

function rowsOf({ question, isPretty, cols, rows }: ClusteredQuestion): string[] {
  const json = JSON.stringify({ type: 'QUESTION', data: { question, options: ['yes', 'no'] } }, null, isPretty ? 2 : 0);
  const lines = ['Let me ask.', '', ...json.split('\n'), '', 'I will wait.'];
  return lines.flatMap((line) => wrap(line === '' ? '' : `  ${line}`, cols - 2)).slice(-rows + 3);
}

/** Returns the questions that are heard if the program paints its question twice. */
export function heardOf(said: ClusteredQuestion): { question: string; exact: boolean }[] {
  const { cols, rows, isErased, isSynced } = said;
  const shown = rowsOf(said);
  const picture = [...shown, '', '─'.repeat(20), '> ']
    .map((row, y) => `\x1b[${y + 1};1H${isErased ? `\x1b[2K${row}` : `${row}\x1b[K`}`)
    .join('');
  const data = isSynced ? `\x1b[?2026h${picture}\x1b[?2026l` : picture;
  const steps: Step[] = [
    { kind: 'o', data: '\x1b[?1049h\x1b[H\x1b[2J\x1b[1;1HAgent v1.0\x1b[3;1H> ' },
    { kind: 'i', data: 'Which one?\r' },
    { kind: 'o', data },
    { kind: 'o', data },
  ];
  const parsing = hearCast(toCast({ steps }, { cols, rows }, 600));
  if (!parsing.ok) throw new Error(parsing.message);
  return parsing.events.map((event) => {
    if (event.event_type !== 'message') return { question: JSON.stringify(event), exact: true };
    return { question: (event.message.data as { question: string }).question, exact: event.exact !== false };
  });
}
