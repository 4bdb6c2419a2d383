/** The table that `npm run test:agents` prints: one row per agent and size, or per agent. */
import { median } from '../bench/bench.js';
import type { Result } from './drive.js';
import type { Problem } from './host-agent.js';
import type { RoundsResult } from './rounds.js';
import type { RunsResult } from './runs.js';

export interface Row extends Partial<Result>, Partial<RunsResult>, Partial<RoundsResult> {
  /** The name of the test, in the modes that check every statement. */
  readonly mode?: string;
  readonly agent: string;
  readonly version: string;
  readonly size?: string;
  readonly crashes?: number;
  /** The machine's load average over the last minute. */
  readonly load?: number;
  /** Why the agent was skipped. */
  readonly skipped?: string;
}

/** Returns `none`, or the number of problems and the first one. */
export function wordsOfProblems(problems: readonly Problem[]): string {
  const [first] = problems;
  if (!first) return 'none';
  const line = first.what.replace(/\s+/g, ' ');
  return `${problems.length}: ${line.length > MAX_REASON_CHARS ? `${line.slice(0, MAX_REASON_CHARS)}…` : line}`;
}

const MAX_REASON_CHARS = 100;

const HEAD = [
  'agent',
  'version',
  'size',
  'heard',
  'exact',
  'by',
  'received',
  'acknowledged',
  'p50 (own, record)',
  'worst (own, record)',
  'load',
  'crashes',
  'time',
  'problems',
];

const ROUNDS_HEAD = [
  'agent',
  'version',
  'tried',
  'size',
  'asked',
  'exact',
  'marked',
  'own',
  'changed',
  'missed',
  'repeated',
  'given',
  'received',
  'acknowledged',
  'refused',
  'stalled',
  'load',
  'time',
  'problems',
];

const RUNS_HEAD = ['agent', 'version', 'runs', 'valid', 'retried', 'doubled', 'p50', 'load', 'time', 'problems'];

export const toTable = (rows: readonly Row[]): string => aligned(HEAD, rows.map(toCells));

/** For `--texts` and the other modes of modes.ts. */
export const toRoundsTable = (rows: readonly Row[]): string => aligned(ROUNDS_HEAD, rows.map(toRoundsCells));

/** For `--runs`. */
export const toRunsTable = (rows: readonly Row[]): string => aligned(RUNS_HEAD, rows.map(toRunsCells));

function aligned(head: readonly string[], rows: readonly string[][]): string {
  const cells = [head, ...rows];
  // The last cell of a row, such as the reason for skipping a program, needs no column.
  const widths = head.map((_, column) =>
    Math.max(...cells.map((row) => (column < row.length - 1 ? (row[column]?.length ?? 0) : 0))),
  );
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function toCells({
  agent,
  version,
  size = '',
  skipped,
  heard = [],
  received = 0,
  acknowledged = {},
  load = 0,
  problems = [],
  seconds = 0,
  crashes = 0,
}: Row): string[] {
  if (skipped !== undefined) return [agent, version, `skipped: ${skipped}`];
  const times = heard.map(({ latencyMs }) => latencyMs);
  const own = heard.map(({ ownMs }) => ownMs);
  const record = heard.flatMap(({ recordMs }) => recordMs ?? []);
  const ms = (of: (list: number[]) => number): string =>
    heard.length === 0
      ? ''
      : `${of(times)} (${[own, record].map((list) => (list.length === 0 ? '-' : of(list))).join(', ')}) ms`;
  const count = (as: string): number => heard.filter((message) => message.as === as).length;
  const exact = [
    `${count('exact')}`,
    ...(['corrected', 'blanks', 'other'] as const).flatMap((as) => (count(as) > 0 ? [`${count(as)} ${as}`] : [])),
  ];
  return [
    agent,
    version,
    size,
    String(heard.length),
    exact.join(', '),
    [...new Set(heard.map(({ ear }) => ear))].join(', '),
    String(received),
    String(Object.values(acknowledged).reduce((sum, count) => sum + count, 0)),
    ms(median),
    ms((list) => Math.max(...list)),
    load.toFixed(1),
    String(crashes),
    `${Math.round(seconds)} s`,
    wordsOfProblems(problems),
  ];
}

function toRunsCells({ agent, version, skipped, problems = [], seconds = 0, load = 0, ...counts }: Row): string[] {
  if (skipped !== undefined) return [agent, version, `skipped: ${skipped}`];
  const { runs = 0, valid = 0, retried = 0, doubled = 0, medianSeconds = 0 } = counts;
  return [
    agent,
    version,
    ...[runs, valid, retried, doubled].map(String),
    `${medianSeconds.toFixed(1)} s`,
    load.toFixed(1),
    `${Math.round(seconds)} s`,
    wordsOfProblems(problems),
  ];
}

function toRoundsCells({ agent, version, skipped, mode = '', size = '', tally, ...more }: Row): string[] {
  if (skipped !== undefined) return [agent, version, `left out: ${skipped}`];
  const { problems = [], seconds = 0, load = 0 } = more;
  if (!tally) return [agent, version, mode, size, `failed: ${wordsOfProblems(problems)}`];
  const { asked, exact, marked, own, changed, missed, repeated, given, received, acknowledged, refused, stalled } =
    tally;
  return [
    agent,
    version,
    mode,
    size,
    ...[asked, exact, marked, own, changed, missed, repeated, given, received, acknowledged, refused, stalled].map(
      String,
    ),
    load.toFixed(1),
    `${Math.round(seconds)} s`,
    wordsOfProblems(problems),
  ];
}
