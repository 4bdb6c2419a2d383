/**
 * Output of full-screen programs that does not repeat: scenes of several shapes follow each other, on the alternate
 * screen and on the main screen. A scene ends as it began: cursor shown, no scrolling region, main screen.
 */
import { PIECES, sgrLine, style } from './texts.js';
import type { Vocabulary } from './vocabulary.js';

interface Canvas {
  readonly v: Vocabulary;
  readonly cols: number;
  readonly rows: number;
}
type Scene = (canvas: Canvas) => Generator<string>;

const CSI = '\x1b[';
const SPINNERS = ['⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏', '·✢✳✶✻✽', '|/-\\', '◐◓◑◒', '⣾⣽⣻⢿⡿⣟⣯⣷'];
const at = (row: number, col = 1): string => `${CSI}${row};${col}H`;

/** A frame in a synchronized update, which three programs of four send. */
const synchronized = (v: Vocabulary, frame: string): string => (v.once(4) ? frame : `${CSI}?2026h${frame}${CSI}?2026l`);

/** Text of exactly `width` columns, ASCII, cut or filled up. */
const fitted = (v: Vocabulary, width: number): string =>
  v
    .words(Math.max(1, Math.ceil(width / v.between(6, 12))))
    .slice(0, width)
    .padEnd(width);

/** Returns a row of a conversation with some coloured words, not wider than the screen. */
function row({ v, cols }: Canvas): string {
  const text = v
    .pick([
      () => `${v.pick(['● ', '> ', '  ⎿ ', '│ ', '  ', '  '])}${v.sentence(4, 14)}`,
      () => `  ${v.below(2000)} ${v.code()}`,
      () => `  ${v.path()} ${v.figure()}`,
      () => `${v.pick(PIECES)(v)} ${v.words(v.between(2, 6))}`,
    ])()
    .slice(0, Math.floor(cols * 0.7));
  return v.once(3)
    ? text
    : `${style(v)}${text.slice(0, 8)}${CSI}0m${text.slice(8, 20)}${style(v)}${text.slice(20)}${CSI}0m`;
}

/** Number of the spinner's turn, a clock and a counter, which make each of its frames another. */
const working = (v: Vocabulary, turn: number, spinner: string): string =>
  `${style(v)}${[...spinner][turn % [...spinner].length]}${CSI}0m ${v.word()}… (${turn}s · ↑ ${v.figure()} ` +
  'tokens · esc to interrupt)';

const composer = ({ v, cols }: Canvas): string =>
  `╭${'─'.repeat(cols - 2)}╮\r\n│ > ${fitted(v, cols - 6)} │\r\n╰${'─'.repeat(cols - 2)}╯`;

const SCENES: readonly Scene[] = [
  /** Paints the whole screen with every frame. The conversation moves up by some rows. */
  function* fullFrames(canvas) {
    const { v, cols, rows } = canvas;
    yield `${CSI}?1049h${CSI}?25l${CSI}2J`;
    const shown = Array.from({ length: rows - 5 }, () => row(canvas));
    for (let turn = 0, turns = v.between(4, 25); turn < turns; turn++) {
      for (let fresh = v.between(1, 6); fresh > 0; fresh--) shown.push(row(canvas));
      shown.splice(0, shown.length - (rows - 5));
      const head = `${CSI}7m${fitted(v, cols)}${CSI}0m`;
      const body = shown.map((text) => `${text}${CSI}K`).join('\r\n');
      yield synchronized(
        v,
        `${CSI}H${head}\r\n${body}\r\n${composer(canvas)}${at(rows)}${working(v, turn, SPINNERS[0] ?? '')}${CSI}K`,
      );
    }
    yield `${CSI}?25h${CSI}?1049l`;
  },

  /** Erases some rows in one of four ways, and paints them again at their places. */
  function* partialRows(canvas) {
    const { v, cols, rows } = canvas;
    yield `${CSI}?1049h${CSI}?25l${CSI}2J`;
    for (let frames = v.between(20, 150); frames > 0; frames--) {
      let frame = '';
      for (let changes = v.between(1, 10); changes > 0; changes--) {
        const place = at(v.between(1, rows), v.once(3) ? v.between(1, cols - 20) : 1);
        frame += v.pick([
          () => `${place}${CSI}2K${row(canvas)}`,
          () => `${place}${row(canvas)}${CSI}K`,
          () => `${place}${CSI}${v.between(4, 40)}X${v.words(2)}`,
          () =>
            `${place}${style(v)}${fitted(v, v.between(4, 18))}${CSI}0m${CSI}${v.between(10, cols - 10)}G${v.figure()}`,
        ])();
      }
      yield synchronized(v, `${frame}${at(rows, 3)}`);
    }
    yield `${CSI}?25h${CSI}?1049l`;
  },

  /** Scrolls a region above a status line: lines enter from below and from above, are inserted and deleted. */
  function* scrollingRegion(canvas) {
    const { v, rows } = canvas;
    const isAlternate = v.once(2);
    const [top, bottom] = [v.between(1, 4), rows - v.between(1, 5)];
    yield `${isAlternate ? `${CSI}?1049h` : ''}${CSI}${top};${bottom}r`;
    for (let steps = v.between(20, 120); steps > 0; steps--) {
      const middle = v.between(top, bottom);
      yield v.pick([
        () => `${at(bottom)}\n${row(canvas)}`,
        () => `${at(bottom)}${Array.from({ length: v.between(1, 6) }, () => `\r\n${row(canvas)}`).join('')}`,
        () => `${at(top)}\x1bM${row(canvas)}`,
        () => `${at(middle)}${CSI}${v.between(1, 3)}L${row(canvas)}`,
        () => `${at(middle)}${CSI}${v.between(1, 3)}M${at(bottom)}${row(canvas)}`,
        () => `${CSI}${v.between(1, 3)}S${at(bottom)}${row(canvas)}`,
        () => `${CSI}${v.between(1, 2)}T${at(top)}${row(canvas)}`,
        () => `\x1b7${at(rows)}${style(v)}${v.words(4)} ${v.figure()}${CSI}0m${CSI}K\x1b8`,
      ])();
    }
    yield `${CSI}r${isAlternate ? `${CSI}?1049l` : at(rows)}`;
  },

  /** Paints only a spinner with its clock, always at the same place. */
  function* spinnerOnly({ v, rows }) {
    const spinner = v.pick(SPINNERS);
    const [row, col] = [v.between(2, rows - 1), v.between(1, 8)];
    const [before, after] = v.pick([
      ['\x1b7', '\x1b8'],
      ['\r', ''],
      [`${CSI}?25l`, `${CSI}?25h`],
    ] as const);
    const place = before === '\r' ? '' : at(row, col);
    let turn = v.below(1000);
    for (let frames = v.between(20, 200); frames > 0; frames--) {
      turn++;
      yield `${before}${place}${working(v, turn, spinner)}${CSI}K${after}`;
    }
    yield '\r\n';
  },

  /**
   * Lets lines scroll into the scrollback of the main screen. Below them, some rows are erased and painted again with
   * every frame.
   */
  function* liveRegion(canvas) {
    const { v, cols, rows } = canvas;
    let height = 0;
    const spinner = v.pick(SPINNERS);
    for (let turn = 0, frames = v.between(10, 100); turn < frames; turn++) {
      const erase = `${CSI}2K${`${CSI}1A${CSI}2K`.repeat(height)}${CSI}G`;
      const fixed = v.once(4) ? Array.from({ length: v.between(1, 8) }, () => `${row(canvas)}\r\n`).join('') : '';
      const live = [
        working(v, turn, spinner),
        ...Array.from({ length: v.between(0, rows >> 1) }, () => row(canvas)),
        `${style(v)}${'─'.repeat(cols)}${CSI}0m`,
        ...(v.once(2) ? [fitted(v, cols - 1)] : []),
      ];
      height = live.length - 1;
      yield synchronized(v, `${erase}${fixed}${live.join('\r\n')}`);
    }
    yield '\r\n';
  },

  /** An editor: numbered lines of code, of which characters are inserted, deleted and erased; pages turn. */
  function* editor(canvas) {
    const { v, cols, rows } = canvas;
    yield `${CSI}?1049h${CSI}?1h\x1b=`;
    for (let pages = v.between(1, 5); pages > 0; pages--) {
      const first = v.below(5000);
      yield `${CSI}H${Array.from({ length: rows - 2 }, (_, n) => `${CSI}33m${String(first + n).padStart(4)} ${CSI}m${v.code().slice(0, cols - 6)}${CSI}K`).join('\r\n')}`;
      for (let edits = v.between(10, 80); edits > 0; edits--) {
        const place = at(v.between(1, rows - 2), v.between(6, cols - 20));
        const text = v.word();
        yield v.pick([
          () => `${place}${CSI}${text.length}@${text}`,
          () => `${place}${CSI}${v.between(1, 8)}P`,
          () => `${place}${CSI}${v.between(1, 8)}X`,
          () => `${place}${CSI}4h${text}${CSI}4l`,
          () => `${place}${style(v)}${text}${CSI}0m`,
          () => `${at(rows)}${CSI}7m${fitted(v, cols - 12)}${v.below(9999)},${v.below(200)}${CSI}0m`,
        ])();
      }
    }
    yield `${CSI}?1l\x1b>${CSI}?1049l`;
  },

  /** Progress of several downloads on the main screen. */
  function* progress({ v, cols }) {
    const bars = v.between(1, 6);
    const names = Array.from({ length: bars }, () => v.name().slice(0, 20).padEnd(20));
    const done = names.map(() => 0);
    yield '\r\n'.repeat(bars);
    while (done.some((share) => share < 100)) {
      const n = v.below(bars);
      done[n] = Math.min(100, (done[n] ?? 0) + v.between(1, 12));
      const width = cols - 50;
      const full = Math.floor(((done[n] ?? 0) * width) / 100);
      const bar = `${style(v)}${'█'.repeat(full)}${CSI}0m${'░'.repeat(width - full)}`;
      yield `${CSI}${bars - n}A\r${names[n]} ${bar} ${done[n]}% ${v.figure()}${CSI}K${CSI}${bars - n}B\r`;
    }
  },

  /** Prints a reply in small writes of a word or two, with coloured tool output between paragraphs. */
  function* streaming({ v }) {
    for (let paragraphs = v.between(2, 12); paragraphs > 0; paragraphs--) {
      for (let left = v.between(10, 80); left > 0; left--)
        yield v.once(12) ? `${style(v)}${v.name()}${CSI}0m ` : `${v.word()} `;
      yield `\r\n${sgrLine(v).trimEnd()}\r\n`;
    }
  },

  /** Paints boxes side by side with tables, graphs and borders. */
  function* dashboard({ v, cols, rows }) {
    const middle = v.between(20, cols - 20);
    yield `${CSI}?1049h${CSI}?25l${CSI}2J`;
    for (let frames = v.between(5, 40); frames > 0; frames--) {
      let frame = '';
      for (const [left, width] of [
        [1, middle],
        [middle + 1, cols - middle],
      ] as const) {
        frame += `${at(1, left)}┌${`${v.words(2)}`.slice(0, width - 4).padEnd(width - 2, '─')}┐`;
        for (let line = 2; line < rows; line++) {
          if (v.once(3)) frame += `${at(line, left)}│${style(v)}${fitted(v, width - 2)}${CSI}0m│`;
          else if (v.once(6)) {
            const graph = Array.from({ length: width - 2 }, () => v.between(0x2801, 0x28ff));
            frame += `${at(line, left)}│${String.fromCodePoint(...graph)}│`;
          }
        }
        frame += `${at(rows, left)}└${'─'.repeat(width - 2)}┘`;
      }
      yield synchronized(v, frame);
    }
    yield `${CSI}0m${CSI}?25h${CSI}?1049l`;
  },
];

/**
 * Yields frames without end: one scene after another, in an order that the seed determines. The screen must have 60x12
 * or more.
 */
export function* paint(canvas: Canvas): Generator<string> {
  for (;;) yield* canvas.v.pick(SCENES)(canvas);
}
