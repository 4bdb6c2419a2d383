/** Paints runs of a screen on a canvas: nothing of the text becomes an element of the page. */
import { type CanvasColours, runsOf, type Size } from './ansi-runs.js';

const DIM = 0.6;

/** Paints rows into a canvas and fills it. */
export function paintRows(
  canvas: HTMLCanvasElement,
  rows: readonly string[],
  size: Size,
  colours: CanvasColours,
  font: string,
): void {
  const context = canvas.getContext('2d', { alpha: false });
  if (!context) return;
  const cell = { width: canvas.width / size.cols, height: canvas.height / size.rows };
  context.fillStyle = colours.background;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.textBaseline = 'middle';
  const px = Math.min(cell.height * 0.86, cell.width * 1.66);
  for (const [y, row] of rows.slice(0, size.rows).entries()) {
    for (const { text, x, columns, foreground, background, isBold, isDim } of runsOf(row, colours)) {
      if (background !== null) {
        context.fillStyle = background;
        context.fillRect(x * cell.width, y * cell.height, columns * cell.width, cell.height);
      }
      if (text.trim() === '') continue;
      context.font = `${isBold ? 'bold ' : ''}${px}px ${font}`;
      context.fillStyle = foreground ?? colours.foreground;
      context.globalAlpha = isDim ? DIM : 1;
      // The width is set explicitly, so that columns are aligned with the terminal's in every font.
      context.fillText(text, x * cell.width, (y + 0.5) * cell.height, columns * cell.width);
      context.globalAlpha = 1;
    }
  }
}
