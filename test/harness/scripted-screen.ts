/**
 * A scripted agent's screen for tests of behaviour that no recording contains. It keeps a transcript and paints the
 * part of it that fits, above a composer, in one of the ways that real programs paint.
 *
 *     synced     the alternate screen, changed rows only, in synchronized updates
 *     bare       the same without them, row after row
 *     inline     the main screen: everything is erased row by row and printed again; rows that do not fit scroll out
 *                permanently
 */
export type Style = 'synced' | 'bare' | 'inline';
export type Step =
  | { readonly kind: 'o' | 'i'; readonly data: string }
  | { readonly kind: 'r'; readonly cols: number; readonly rows: number };

const COMPOSER = ['────────────────────', '> ', '  ? for shortcuts'];

export class Painter {
  readonly style: Style;
  cols = 80;
  rows = 24;
  readonly steps: Step[] = [];
  /** The conversation, one row each. */
  lines: string[] = [];
  /** Number of rows that the user has scrolled back. */
  back = 0;
  /** Rows painted over the lowest rows of the conversation. */
  dialog: readonly string[] = [];
  #shown: string[] = [];
  /** For the inline style: number of rows of the last frame, and of lines that were printed permanently. */
  #frame = 0;
  #printed = 0;

  constructor(style: Style) {
    this.style = style;
    this.#out(style === 'inline' ? '' : '\x1b[?1049h\x1b[H\x1b[2J');
  }

  /** Adds a text to the conversation and paints after every `rowsAtOnce` rows. */
  say(text: string, rowsAtOnce = 1): void {
    const added = text.split('\n').map((line) => (line === '' ? '' : `  ${line}`));
    for (let at = 0; at < added.length; at += rowsAtOnce) {
      this.lines.push(...added.slice(at, at + rowsAtOnce));
      this.paint();
    }
  }

  /** The user types and presses Enter. The program then shows the input. */
  submit(text: string): void {
    this.steps.push({ kind: 'i', data: text }, { kind: 'i', data: '\r' });
    if (text === '') return;
    this.lines.push('', `❯ ${text}`, '');
    this.paint();
  }

  resize(cols: number, rows: number): void {
    this.steps.push({ kind: 'r', cols, rows });
    this.cols = cols;
    this.rows = rows;
    this.#shown = [];
    if (this.style !== 'inline') this.#out('\x1b[2J');
    this.paint();
  }

  /** In inline mode: does what Ink does when a frame is taller than the screen, or on `/clear`. */
  clear(withScrollback: boolean): void {
    this.#out(`\x1b[2J${withScrollback ? '\x1b[3J' : ''}\x1b[H`);
    this.forget();
  }

  /** The next frame is painted as if the screen were empty. */
  forget(): void {
    this.#shown = [];
    this.#frame = 0;
    this.#printed = 0;
  }

  scroll(rows: number): void {
    const room = this.rows - COMPOSER.length;
    this.back = Math.max(0, Math.min(this.lines.length - room, this.back + rows));
    this.paint();
  }

  paint(): void {
    if (this.style === 'inline') this.#paintInline();
    else this.#paintScreen();
  }

  #paintScreen(): void {
    const room = this.rows - COMPOSER.length;
    const end = this.lines.length - this.back;
    const visible = this.lines.slice(Math.max(0, end - room), end);
    while (visible.length < room) visible.push('');
    for (const [index, row] of this.dialog.entries()) visible[room - this.dialog.length + index] = row;
    const next = [...visible, ...COMPOSER];
    let text = '';
    next.forEach((row, y) => {
      if (this.#shown[y] !== row) text += `\x1b[${y + 1};1H${row}\x1b[K`;
    });
    this.#shown = next;
    text += `\x1b[${this.rows - 1};3H`;
    this.#out(this.style === 'synced' ? `\x1b[?2026h${text}\x1b[?2026l` : text);
  }

  #paintInline(): void {
    const room = this.rows - COMPOSER.length - 1;
    const erased = '\x1b[2K\x1b[1A'.repeat(Math.max(0, this.#frame - 1));
    const done = Math.max(this.#printed, this.lines.length - room);
    const printed = this.lines.slice(this.#printed, done);
    const frame = [...this.lines.slice(done), ...this.dialog, ...COMPOSER];
    this.#printed = done;
    this.#frame = frame.length;
    this.#out(`${erased}\x1b[2K\x1b[G${[...printed, ...frame].join('\r\n')}`);
  }

  #out(data: string): void {
    if (data !== '') this.steps.push({ kind: 'o', data });
  }
}

/** Returns the painted steps as a recording, with `stepMs` between two steps. */
export function toCast(painter: Pick<Painter, 'steps'>, size: { cols: number; rows: number }, stepMs: number): string {
  const lines: unknown[] = [{ version: 2, width: size.cols, height: size.rows }];
  painter.steps.forEach((step, index) => {
    const data = step.kind === 'r' ? `${step.cols}x${step.rows}` : step.data;
    lines.push([((index + 1) * stepMs) / 1000, step.kind, data]);
  });
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
}
