/**
 * Defines a bench: a value with a name, a description and a function that runs it. run.ts lists the benches and prints
 * their figures.
 *
 * A figure is one number with its unit, the most it should be if there is such a goal, and what it stands beside:
 * another system or way measured in the same run, alternating with it. Absolute times say as much of the machine as
 * of orchd; look at what is beside.
 */
export interface Bench {
  readonly name: string;
  readonly summary: string;
  run(options: BenchOptions): Promise<readonly Figure[]> | readonly Figure[];
}

export interface BenchOptions {
  /** Of all that is generated or chosen; printed, so that a run can be repeated. */
  readonly seed: number;
  /** Shorter, to see that it works: the figures say less. */
  readonly quick: boolean;
  /** Says on standard error what is being measured. */
  progress(text: string): void;
}

export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: 'ms' | 's' | 'MB' | 'MB/s' | 'us' | '/s' | 'x' | '%' | '';
  /** The most it should be, in the same unit. */
  readonly goal?: number;
  /** The least it should be, of what is the better the more it is. */
  readonly least?: number;
  readonly note?: string;
}

/** The value that `share` of them do not exceed; NaN of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** Two rows: the middle and the tail of times in ms. The goal is the tail's. */
export function tail(what: string, times: readonly number[], goal?: number): Figure[] {
  const note = `${times.length} times, most ${format(Math.max(...times))} ms`;
  return [
    { what: `${what}, p50`, value: median(times), unit: 'ms' },
    { what: `${what}, p99`, value: percentile(times, 0.99), unit: 'ms', ...(goal !== undefined && { goal }), note },
  ];
}

/**
 * Two rows: a value of orchd's, and the ratio to tmux's value of the same round. Medians of the rounds.
 *
 * @param theirs  One value for each of `own`; empty where tmux is not installed.
 */
export function beside(
  what: string,
  unit: Figure['unit'],
  { own, theirs, goal, note }: { own: readonly number[]; theirs: readonly number[]; goal?: number; note?: string },
): Figure[] {
  const value: Figure = { what, value: median(own), unit, ...(note !== undefined && { note }) };
  if (theirs.length === 0) return [value];
  const ratio = median(own.map((one, round) => one / (theirs[round] ?? Number.NaN)));
  const tmux = `tmux ${format(median(theirs))} ${unit}`.trimEnd();
  return [value, { what: "  of tmux's", value: ratio, unit: 'x', ...(goal !== undefined && { goal }), note: tmux }];
}

/** Three significant digits, thousands apart. */
export const format = (value: number): string =>
  Number.isNaN(value) ? '-' : Number(value.toPrecision(3)).toLocaleString('en');

export function toTable(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.what,
    `${format(figure.value)} ${figure.unit}`.trimEnd(),
    judge(figure),
    figure.note ?? '',
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .join('\n');
}

function judge({ value, goal, least }: Figure): string {
  if (goal !== undefined) return `${value <= goal ? 'within' : 'OVER'} ${format(goal)}`;
  return least === undefined ? '' : `${value >= least ? 'above' : 'BELOW'} ${format(least)}`;
}
