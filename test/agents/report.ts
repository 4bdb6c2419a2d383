/**
 * Writes the rows of a run into a markdown file, so that several runs fill one table.
 *
 * In:   a file with a table between BEGIN and END; rows of a run.
 * Out:  the file. A row of the same program, version, mode and size is replaced; other rows are added in order.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { PROGRAM_NODE } from './program-node.js';
import { type Row, wordsOfProblems } from './table.js';

const BEGIN = '<!-- results: begin -->';
const END = '<!-- results: end -->';
const HEAD = [
  'program',
  'version',
  'Node',
  'tried',
  'size',
  'heard exactly',
  'marked',
  'own',
  'answers received',
  'refused',
  'held back',
  'problems',
  'date',
];
const KEY_CELLS = 5;

/** @throws {Error} if the file has no BEGIN and END. */
export function writeReport(file: string, rows: readonly Row[], now: Date): void {
  const text = readFileSync(file, 'utf8');
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`${file} has no lines "${BEGIN}" and "${END}"`);
  const table = mergeTable(text.slice(begin + BEGIN.length, end), rows, now);
  writeFileSync(file, `${text.slice(0, begin)}${BEGIN}\n${table}${text.slice(end)}`);
}

export function mergeTable(before: string, rows: readonly Row[], now: Date): string {
  const kept = new Map<string, string[]>();
  const key = (cells: readonly string[]): string => cells.slice(0, KEY_CELLS).join('|');
  for (const line of before.split('\n').slice(2)) {
    const cells = cellsOf(line);
    if (cells.length === HEAD.length && !/^-+$/.test(cells[0] ?? '') && cells[0] !== HEAD[0])
      kept.set(key(cells), cells);
  }
  for (const row of rows) {
    const cells = toCells(row, now);
    if (cells) kept.set(key(cells), cells);
  }
  const lines = [...kept.values()].sort((one, other) => (key(one) < key(other) ? -1 : 1)).map(toLine);
  return [toLine(HEAD), toLine(HEAD.map(() => '---')), ...lines, ''].join('\n');
}

const toLine = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const cellsOf = (line: string): string[] =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());

/** Returns null for a row of another mode. */
function toCells({ agent, version, mode, size = '', tally, skipped, problems = [] }: Row, now: Date): string[] | null {
  const date = now.toISOString().slice(0, 10);
  const about = [agent, version, PROGRAM_NODE.version];
  if (skipped !== undefined) return [...about, 'left out', '', '', '', '', '', '', '', escaped(skipped), date];
  if (mode === undefined) return null;
  const wrong = escaped(wordsOfProblems(problems));
  if (!tally) return [...about, mode, size, '', '', '', '', '', '', wrong, date];
  const { asked, exact, marked, own, given, received, refused, stalled } = tally;
  const counts = [
    `${exact} of ${asked}`,
    String(marked),
    String(own),
    `${received} of ${given}`,
    String(refused),
    String(stalled),
  ];
  return [...about, mode, size, ...counts, wrong, date];
}

const escaped = (text: string): string => text.replace(/\|/g, '\\|').replace(/\s+/g, ' ');
