/** A small picture of a living session's screen, drawn anew at most once a second. */
import { useEffect, useRef } from 'react';
import { type Theme, useTheme } from '../browser/theme.js';
import { useLive } from '../live/live.js';
import { type CanvasColours, partOf } from './ansi-runs.js';
import { TERMINAL_FONT } from './font.js';
import { paintRows } from './paint-rows.js';
import { ansiColours, TERMINAL_THEMES } from './terminal-theme.js';

const PAUSE_MS = 1_000;

interface Shown {
  rows: string[];
  size: { readonly cols: number; readonly rows: number };
}

export function Thumbnail({ session, label }: { readonly session: string; readonly label: string }) {
  const { channels } = useLive();
  const theme = useTheme();
  const canvas = useRef<HTMLCanvasElement>(null);
  const shown = useRef<Shown | null>(null);
  const latest = useRef(theme);
  latest.current = theme;

  useEffect(() => {
    const draw = (): void => {
      if (canvas.current && shown.current) paint(canvas.current, shown.current, latest.current);
    };
    const channel = channels.open(session, () => `mode=view&read_only=true&pause_ms=${PAUSE_MS}`, {
      onBegin: () => {
        shown.current = null;
      },
      onMessage: (message) => {
        if (message.type !== 'screen') return;
        const { size, rows: changed } = message;
        const rows = shown.current?.rows ?? [];
        rows.length = size.rows;
        for (const [y, row] of Object.entries(changed)) rows[Number(y)] = row;
        shown.current = { rows, size };
        draw();
      },
    });
    const watcher = new ResizeObserver(draw);
    if (canvas.current) watcher.observe(canvas.current);
    return () => {
      watcher.disconnect();
      channel.close();
    };
  }, [channels, session]);

  useEffect(() => {
    if (canvas.current && shown.current) paint(canvas.current, shown.current, theme);
  }, [theme]);

  return <canvas ref={canvas} className="thumbnail" role="img" aria-label={`Screen of ${label}`} />;
}

function paint(canvas: HTMLCanvasElement, { rows, size }: Shown, theme: Theme): void {
  const [width, height] = [canvas.clientWidth * devicePixelRatio, canvas.clientHeight * devicePixelRatio];
  if (width === 0 || height === 0) return;
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const { foreground, background } = TERMINAL_THEMES[theme];
  const colours: CanvasColours = { foreground, background, ansi: ansiColours(TERMINAL_THEMES[theme]) };
  const filled = Array.from(rows, (row: string | undefined) => row ?? '');
  const { first, size: part } = partOf(filled, size);
  paintRows(canvas, filled.slice(first), part, colours, TERMINAL_FONT);
}
