/**
 * Defines a bench: a value with a name, a description and a function that runs it. run.ts lists the benches and prints
 * their figures.
 *
 * A figure is one number with its unit, its limit if there is one, and its reference: another system or method measured
 * in the same run, alternating with it. Absolute times depend on the machine, so compare a figure with its reference.
 */
export interface Bench {
  readonly name: string;
  readonly summary: string;
  run(options: BenchOptions): Promise<readonly Figure[]> | readonly Figure[];
}

export interface BenchOptions {
  /** The seed of everything that is generated or chosen. It is printed, so that a run can be repeated. */
  readonly seed: number;
  /** True for a short run that only shows that the bench works. Its figures are less reliable. */
  readonly quick: boolean;
  /** Prints on standard error what is being measured. */
  progress(text: string): void;
}

export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: 'ms' | 's' | 'MB' | 'MB/s' | 'us' | '/s' | 'x' | '%' | '';
  /** The maximum that it should have, in the same unit. */
  readonly goal?: number;
  /** The minimum that it should have, for a figure that is better the higher it is. */
  readonly least?: number;
  readonly note?: string;
}

/** Returns the value that `share` of the values do not exceed; NaN if there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** Returns two rows, the median and the tail of times in ms. The limit applies to the tail. */
export function tail(what: string, times: readonly number[], goal?: number): Figure[] {
  const note = `${times.length} times, most ${format(Math.max(...times))} ms`;
  return [
    { what: `${what}, p50`, value: median(times), unit: 'ms' },
    { what: `${what}, p99`, value: percentile(times, 0.99), unit: 'ms', ...(goal !== undefined && { goal }), note },
  ];
}

/**
 * Returns two rows: orchd's value, and its ratio to tmux's value of the same round. Both are medians of the rounds.
 *
 * @param theirs  One value for each of `own`; empty if tmux is not installed.
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
