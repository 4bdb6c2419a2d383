/** The table that `npm run test:agents` prints: one row per agent and size. */
import { median } from '../bench/bench.js';
import type { Result } from './drive.js';

export interface Row extends Partial<Result> {
  readonly agent: string;
  readonly version: string;
  readonly size?: string;
  readonly crashes?: number;
  /** Why it was not tried. */
  readonly skipped?: string;
}

const HEAD = [
  'agent',
  'version',
  'size',
  'heard',
  'exact',
  'by',
  'received',
  'p50 (own)',
  'worst (own)',
  'crashes',
  'time',
  'problems',
];

export function toTable(rows: readonly Row[]): string {
  const cells = [HEAD, ...rows.map(toCells)];
  const widths = HEAD.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
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
  problems = [],
  seconds = 0,
  crashes = 0,
}: Row): string[] {
  if (skipped !== undefined) return [agent, version, `skipped: ${skipped}`];
  const times = heard.map(({ latencyMs }) => latencyMs);
  const own = heard.map(({ ownMs }) => ownMs);
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
    heard.length === 0 ? '' : `${median(times)} (${median(own)}) ms`,
    heard.length === 0 ? '' : `${Math.max(...times)} (${Math.max(...own)}) ms`,
    String(crashes),
    `${Math.round(seconds)} s`,
    problems.length === 0 ? 'none' : String(problems.length),
  ];
}
