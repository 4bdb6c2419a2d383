/** Charts of the page of the system: a line over time, and bars. Drawn as SVG, without a library. */
import { type PointerEvent, useState } from 'react';
import type { Bar, Point } from './samples.js';

interface LineChartProps {
  readonly title: string;
  readonly points: readonly Point[];
  readonly format: (value: number) => string;
  /** Minimum value at the top of the chart, so that noise does not look like load. */
  readonly leastTop: number;
}

const WIDTH = 400;
const HEIGHT = 96;

export function LineChart({ title, points, format, leastTop }: LineChartProps) {
  const [at, setAt] = useState<number | null>(null);
  const values = points.flatMap(({ value }) => (value === null ? [] : [value]));
  const top = Math.max(leastTop, ...values) * 1.1;
  const last = values.at(-1);
  const xOf = (index: number): number => (points.length < 2 ? WIDTH : (index / (points.length - 1)) * WIDTH);
  const yOf = (value: number): number => HEIGHT - (value / top) * HEIGHT;
  const pointed = at === null ? undefined : points[at];
  const shown = pointed?.value ?? last;
  const onMove = ({ clientX, currentTarget }: PointerEvent<SVGSVGElement>): void => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setAt(Math.min(points.length - 1, Math.max(0, Math.round(((clientX - left) / width) * (points.length - 1)))));
  };
  const words =
    last === undefined
      ? `${title}: no value yet`
      : `${title}: ${format(last)} now, at most ${format(Math.max(...values))} while this page was open`;
  return (
    <figure className="chart">
      <figcaption>
        <span className="muted cut grow">{title}</span>
        {pointed && <span className="chart-time muted">{new Date(pointed.at).toLocaleTimeString()}</span>}
        <strong className="chart-value">{shown === undefined ? '–' : format(shown)}</strong>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words}
        onPointerMove={onMove}
        onPointerLeave={() => setAt(null)}
      >
        {[0.25, 0.5, 0.75].map((part) => (
          <line key={part} className="chart-grid" x1="0" x2={WIDTH} y1={HEIGHT * part} y2={HEIGHT * part} />
        ))}
        {runsOf(points).map((run) => {
          const line = run.map(([index, value]) => `${xOf(index)},${yOf(value)}`).join(' ');
          const [first, end] = [run[0]?.[0] ?? 0, run.at(-1)?.[0] ?? 0];
          return (
            <g key={first}>
              <polygon className="chart-area" points={`${xOf(first)},${HEIGHT} ${line} ${xOf(end)},${HEIGHT}`} />
              <polyline className="chart-line" points={line} />
            </g>
          );
        })}
        {at !== null && <line className="chart-cursor" x1={xOf(at)} x2={xOf(at)} y1="0" y2={HEIGHT} />}
      </svg>
      <span className="chart-top muted" aria-hidden="true">
        {format(top)}
      </span>
    </figure>
  );
}

/** Returns the parts between gaps. */
function runsOf(points: readonly Point[]): (readonly [index: number, value: number])[][] {
  const runs: (readonly [number, number])[][] = [[]];
  for (const [index, { value }] of points.entries()) {
    if (value === null) runs.push([]);
    else runs.at(-1)?.push([index, value]);
  }
  return runs.filter((run) => run.length > 0);
}

export function BarChart({
  title,
  bars,
  empty,
}: {
  readonly title: string;
  readonly bars: readonly Bar[];
  readonly empty: string;
}) {
  const most = Math.max(0, ...bars.map(({ count }) => count));
  return (
    <section className="chart bars">
      <h2 className="muted">{title}</h2>
      {most === 0 ? (
        <p className="muted">{empty}</p>
      ) : (
        <ul>
          {bars.map(({ label, count }) => (
            <li key={label}>
              <span className="bar-label">{label}</span>
              <span className="bar-track" aria-hidden="true">
                <span className="bar" style={{ width: `${(count / most) * 100}%` }} />
              </span>
              <span className="bar-count">{count}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
