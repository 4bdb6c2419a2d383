/**
 * A random full-screen program for tests: size, layout, way of painting, texts and resizes follow from a seed.
 *
 *     header          0 to 2 rows
 *     ┌────┬───────┐  plain, in a box, nested boxes, side panels at the left or right, a scrollbar
 *     │    │ words │  wrapped at blanks or cut, indented, after a bullet, coloured
 *     └────┴───────┘
 *     > composer      below or above; a spinner, footer rows
 *
 * Out:  the steps of a recording, and the messages that the program has said, in order.
 */
import { createRandom, type Random } from './random.js';
import { fenceOf, type Noise, noiseOf, proseOf, type Said, saidOf } from './random-texts.js';
import type { Step } from './scripted-screen.js';

type Frame = 'plain' | 'box' | 'nested' | 'right' | 'left' | 'both' | 'divided' | 'curses' | 'shaded';

interface Style {
  readonly frame: Frame;
  readonly screen: 'alternate' | 'main';
  readonly paints: 'whole' | 'changed' | 'cells' | 'scrolled';
  readonly order: 'down' | 'up' | 'shuffled';
  readonly isSynced: boolean;
  readonly parksCursor: boolean;
  readonly hidesCursor: boolean;
  readonly erasesRows: boolean;
  /** `terminal`: the program prints whole lines, and the terminal wraps them. Only for the frame `plain`. */
  readonly wrap: 'words' | 'cut' | 'terminal';
  /** The rows that have a background colour. */
  readonly ground: 'none' | 'screen' | 'prompts' | 'words' | 'stripes';
  /** True if the program prints fences around what it only shows. */
  readonly showsFences: boolean;
  readonly indent: number;
  readonly bullet: string;
  readonly glyph: string;
  readonly header: number;
  readonly footer: number;
  readonly composer: 'below' | 'above';
  readonly hasScrollbar: boolean;
  readonly hasClock: boolean;
  readonly isColoured: boolean;
  readonly isNewestFirst: boolean;
  readonly leavesScreen: boolean;
  readonly panelCols: number;
  readonly streams: 'whole' | 'lines' | 'characters';
  readonly stepMs: number;
}

export interface RandomConversation {
  readonly style: Style;
  readonly steps: readonly (Step & { readonly afterMs: number })[];
  readonly size: readonly [cols: number, rows: number];
  readonly said: readonly Said[];
  /** The turn in which each was said, from 0. */
  readonly turns: readonly number[];
}

export interface PainterOptions {
  /** Fixes parts of the style. */
  readonly style?: Partial<Style>;
  readonly resizes?: boolean;
  /** Leaves characters out whose width programs and terminals count differently. */
  readonly isPlain?: boolean;
}

const one = <T>(random: Random, choices: readonly T[]): T => choices[random.below(choices.length)] as T; // not empty
const oneIn = (random: Random, count: number): boolean => random.below(count) === 0;

function styleOf(random: Random): Style {
  const isSynced = oneIn(random, 2);
  const streams = one(random, ['whole', 'lines', 'lines', 'characters'] as const);
  // Without synchronized updates, only the silence shows where a frame in no order ends.
  const order = one(random, ['down', 'down', 'down', 'up', isSynced ? 'shuffled' : 'down'] as const);
  return {
    frame: one(random, ['plain', 'plain', 'box', 'nested', 'right', 'left', 'both', 'divided', 'curses'] as const),
    screen: one(random, ['alternate', 'alternate', 'main'] as const),
    paints: one(random, ['whole', 'changed', 'changed', 'cells', 'scrolled'] as const),
    order,
    isSynced,
    parksCursor: oneIn(random, 2),
    hidesCursor: oneIn(random, 2),
    erasesRows: oneIn(random, 2),
    ground: 'none',
    showsFences: false,
    wrap: one(random, ['words', 'words', 'cut'] as const),
    indent: one(random, [0, 0, 1, 2, 4]),
    bullet: one(random, ['', '', '● ', '• ', '✦ ', '◆ ', 'bot: ']),
    glyph: one(random, ['> ', '❯ ', '› ', 'you: ', '']),
    header: random.below(3),
    footer: random.below(3),
    composer: one(random, ['below', 'below', 'below', 'above'] as const),
    hasScrollbar: oneIn(random, 4),
    hasClock: oneIn(random, 4),
    isColoured: oneIn(random, 2),
    isNewestFirst: oneIn(random, 10),
    leavesScreen: oneIn(random, 8),
    panelCols: 12 + random.below(14),
    streams,
    // A marker is complete after 400 ms without more of it.
    stepMs: one(random, [0, 7, 30, 120, streams === 'whole' ? 450 : 250]),
  };
}

/** Rows with words that must have moved, so that a program scrolls them. */
const MIN_SCROLLED = 5;
/** Begins a row that continues the line above, so that the terminal can wrap it. */
const CONTINUED = '\u0001';
const GROUND = '\x1b[48;5;236m';
const SPINNER = ['⠋', '⠙', '⠹', '⠸'];
const PROMPTS = [
  'Please begin the review of the parser.',
  'go on',
  'Use the second one, please.',
  'yes',
  'Fine, next.',
];

/** @returns A conversation of two to five turns with a random program. */
export function randomConversation(seed: number, options: PainterOptions = {}): RandomConversation {
  const random = createRandom(seed);
  const style = { ...styleOf(random), ...options.style };
  const painter = new RandomPainter(random, style);
  const turns = 2 + random.below(4);
  const said: Said[] = [];
  const saidIn: number[] = [];
  painter.begin();
  for (let turn = 0; turn < turns; turn++) {
    painter.submit(PROMPTS[turn] ?? '');
    painter.say(proseOf(random));
    for (let count = one(random, [0, 1, 1, 1, 2]); count > 0; count--) {
      const before = said.at(-1);
      const next = before && oneIn(random, 8) ? before : saidOf(random, said.length, options.isPlain === true);
      said.push(next);
      saidIn.push(turn);
      painter.say(next.text);
      if (oneIn(random, 3)) painter.say(proseOf(random));
    }
    if (style.showsFences && oneIn(random, 2)) painter.show(fenceOf(random));
    if (oneIn(random, 5)) painter.show(noiseOf(random));
    if (options.resizes && oneIn(random, 3)) painter.resize();
    painter.rest();
    for (let count = random.below(3); count > 0; count--) painter.idle();
  }
  return { style, steps: painter.steps, size: painter.firstSize, said, turns: saidIn };
}

interface Paragraph {
  readonly text: string;
  readonly kind: 'said' | 'prompt' | Noise['kind'];
}

class RandomPainter {
  readonly steps: (Step & { readonly afterMs: number })[] = [];
  readonly firstSize: readonly [cols: number, rows: number];
  readonly #random: Random;
  readonly #style: Style;
  #cols: number;
  #rows: number;
  #paragraphs: Paragraph[] = [];
  #shown: string[] = [];
  #isWorking = false;
  #frames = 0;

  constructor(random: Random, style: Style) {
    this.#random = random;
    this.#style = style;
    this.#cols = 60 + random.below(100);
    this.#rows = 24 + random.below(40);
    this.firstSize = [this.#cols, this.#rows];
  }

  begin(): void {
    this.#write(this.#style.screen === 'alternate' ? '\x1b[?1049h\x1b[2J\x1b[H' : '\x1b[2J\x1b[3J\x1b[H', 100);
    this.#paragraphs.push({ text: 'Agent v2.1\nAsk a question, or let it edit files.', kind: 'said' });
    this.#paint();
    this.#paint();
  }

  submit(text: string): void {
    this.steps.push({ kind: 'i', data: `${text}\r`, afterMs: 1500 });
    this.#paragraphs.push({ text: `${this.#style.glyph}${text}`, kind: 'prompt' });
    this.#isWorking = true;
    this.#paint();
  }

  say(text: string): void {
    const at = this.#paragraphs.length;
    const lines = text.split('\n');
    const { streams } = this.#style;
    const parts =
      streams === 'whole'
        ? [text]
        : streams === 'lines'
          ? lines.map((_, index) => lines.slice(0, index + 1).join('\n'))
          : Array.from({ length: Math.ceil(text.length / 23) }, (_, index) => cutAt(text, 23 * (index + 1)));
    for (const part of parts) {
      this.#paragraphs[at] = { text: part, kind: 'said' };
      this.#paint();
    }
  }

  show({ text, kind }: Noise): void {
    this.#paragraphs.push({ text, kind });
    this.#paint();
  }

  rest(): void {
    this.#isWorking = false;
    this.#paint();
  }

  /** Paints without a new text. */
  idle(): void {
    const { leavesScreen, screen } = this.#style;
    if (leavesScreen && screen === 'alternate') {
      this.#write('\x1b[?1049l', 30);
      this.#write('\x1b[?1049h\x1b[2J', 50);
      this.#shown = [];
    } else if (oneIn(this.#random, 4)) this.#shown = [];
    this.#paint();
  }

  resize(): void {
    this.#cols = 60 + this.#random.below(100);
    this.#rows = 24 + this.#random.below(40);
    this.steps.push({ kind: 'r', cols: this.#cols, rows: this.#rows, afterMs: 300 });
    this.#shown = [];
    this.#write('\x1b[2J', 0);
    this.#paint();
  }

  // ── layout ────────────────────────────────────────────────────────────────────────────────────────────────────────

  #paint(): void {
    this.#frames++;
    this.#put(this.#screen());
  }

  #screen(): string[] {
    const { header, footer, composer, hasClock } = this.#style;
    const clock = hasClock ? ` ${this.#frames}s` : '';
    const above = ['  Agent 2.1 · some-model', '  ~/project (main)'].slice(0, header).map((row) => row + clock);
    const below = ['  ? for help', '  12% of context'].slice(0, footer).map((row) => row + clock);
    const status = this.#isWorking ? `${SPINNER[this.#frames % SPINNER.length] ?? ''} Working…${clock}` : '';
    const typing = ['─'.repeat(this.#cols), '> ', '─'.repeat(this.#cols)];
    const room = this.#rows - above.length - below.length - typing.length - 1;
    const middle = this.#framed(room);
    return composer === 'below'
      ? [...above, ...middle, status, ...typing, ...below]
      : [...above, ...typing, ...middle, status, ...below];
  }

  /** The rows between header and composer. */
  #framed(height: number): string[] {
    const { frame, panelCols, hasScrollbar } = this.#style;
    const cols = this.#cols;
    const box = (inside: readonly string[], width: number, title = ''): string[] => [
      `┌${title}${'─'.repeat(Math.max(0, width - 2 - title.length))}┐`,
      ...inside.map((row) => `│ ${pad(row, width - 4)} │`),
      `└${'─'.repeat(width - 2)}┘`,
    ];
    const beside = (left: readonly string[], right: readonly string[]): string[] =>
      left.map((row, y) => row + (right[y] ?? ''));
    const bar = (rows: readonly string[], width: number): string[] => {
      if (!hasScrollbar) return [...rows];
      const at = Math.floor(rows.length * 0.6);
      return rows.map((row, y) => `${pad(row, width)} ${y >= at && y < at + 5 ? '█' : '│'}`);
    };
    const words = (width: number, count: number): string[] => {
      const inner = hasScrollbar ? width - 2 : width;
      return bar(this.#words(inner, count), inner).map((row) => pad(row, width));
    };
    const panel = (width: number, count: number): string[] =>
      Array.from({ length: count }, (_, y) =>
        pad(y % 3 === 2 ? '' : `${['Files', 'Cost', 'Plan'][y % 3]} ${y}`, width),
      );
    const narrow = box(panel(panelCols - 4, height - 2), panelCols);
    if (frame === 'box') return box(words(cols - 4, height - 2), cols, ' Chat ');
    if (frame === 'nested') return box(box(words(cols - 8, height - 4), cols - 4), cols);
    if (frame === 'right') return beside(box(words(cols - panelCols - 4, height - 2), cols - panelCols), narrow);
    if (frame === 'left') return beside(narrow, box(words(cols - panelCols - 4, height - 2), cols - panelCols));
    if (frame === 'both') {
      const width = cols - 2 * panelCols;
      return beside(beside(narrow, box(words(width - 4, height - 2), width)), narrow);
    }
    if (frame === 'shaded') {
      const width = cols - panelCols;
      return beside(
        words(width - 1, height).map((row) => `${row} `),
        panel(panelCols, height),
      );
    }
    if (frame === 'divided') {
      const width = cols - panelCols;
      return beside(
        words(width - 1, height).map((row) => `${row} `),
        panel(panelCols - 2, height).map((row) => `│ ${row}`),
      );
    }
    if (frame === 'curses') {
      const left = words(cols - panelCols - 3, height - 2);
      const right = panel(panelCols - 2, height - 2);
      return [
        `┌${'─'.repeat(cols - panelCols - 1)}┬${'─'.repeat(panelCols - 2)}┐`,
        ...left.map((row, y) => `│ ${row}│${pad(right[y] ?? '', panelCols - 2)}│`),
        `└${'─'.repeat(cols - panelCols - 1)}┴${'─'.repeat(panelCols - 2)}┘`,
      ];
    }
    return words(cols, height);
  }

  /** The last rows of the conversation. */
  #words(width: number, height: number): string[] {
    const { isNewestFirst } = this.#style;
    const blocks = this.#paragraphs.map((paragraph) => [...this.#rowsOf(paragraph, width), '']);
    const rows = (isNewestFirst ? blocks.reverse() : blocks).flat();
    const visible = isNewestFirst ? rows.slice(0, height) : rows.slice(-height);
    return [...visible, ...new Array<string>(height - visible.length).fill('')];
  }

  #rowsOf({ text, kind }: Paragraph, width: number): string[] {
    const { indent, bullet, wrap } = this.#style;
    if (wrap === 'terminal' && kind !== 'box' && kind !== 'tool') {
      const lines = bullet === '' || kind === 'prompt' ? text : `${bullet}${text}`;
      return lines
        .split('\n')
        .flatMap((line) => wrapLine(line, this.#cols, 'cut').map((row, y) => (y ? CONTINUED + row : row)));
    }
    const wrapped = (inner: number): string[] => text.split('\n').flatMap((line) => wrapLine(line, inner, wrap));
    if (kind === 'prompt') return wrapped(width - 1);
    if (kind === 'box') {
      const inner = Math.min(width - 4, 50);
      return [
        `╭${'─'.repeat(inner + 2)}╮`,
        ...wrapped(inner).map((row) => `│ ${pad(row, inner)} │`),
        `╰${'─'.repeat(inner + 2)}╯`,
      ];
    }
    if (kind === 'tool')
      return ['Read(notes.md)', ...wrapped(width - 5).map((row, y) => (y ? `   ${row}` : `⎿  ${row}`))];
    const lead = Math.max(indent, columnsOf(bullet));
    const rows = wrapped(width - lead - 1).map((row) => (row === '' ? '' : ' '.repeat(lead) + row));
    const [first = '', ...rest] = rows;
    // A bullet stands beside words. Before an object it would be on the row above.
    if (bullet === '' || /^\s*(?:\{|:ORCH)/.test(first)) return bullet === '' ? rows : [bullet.trim(), ...rows];
    return [bullet + first.trimStart(), ...rest];
  }

  // ── painting ──────────────────────────────────────────────────────────────────────────────────────────────────────

  #put(next: readonly string[]): void {
    const { paints, order, isSynced, parksCursor, hidesCursor, erasesRows, isColoured, stepMs } = this.#style;
    const { ground, frame, panelCols } = this.#style;
    const before = this.#shown;
    let text = hidesCursor ? '\x1b[?25l' : '';
    if (paints === 'scrolled' && before.length > 0) text += this.#scroll(next);
    const rows = next.flatMap((row, y) => (paints !== 'whole' && this.#shown[y] === row ? [] : [y]));
    if (order === 'up') rows.reverse();
    if (order === 'shuffled') {
      for (let at = rows.length - 1; at > 0; at--) {
        const other = this.#random.below(at + 1);
        [rows[at], rows[other]] = [rows[other] as number, rows[at] as number]; // within bounds
      }
    }
    let painted = -1;
    for (const y of rows) {
      const marked = next[y] ?? '';
      const row = marked.replace(CONTINUED, '');
      const above = next[y - 1]?.replace(CONTINUED, '') ?? '';
      if (marked !== row && columnsOf(above) === this.#cols && painted === y - 1 && order === 'down') {
        text += row + (columnsOf(row) >= this.#cols ? '' : '\x1b[K');
        painted = y;
        continue;
      }
      painted = y;
      const old = this.#shown[y]?.replace(CONTINUED, '');
      const from = paints === 'cells' && old !== undefined ? commonStart(old, row) : 0;
      const isWords = row.trim() !== '' && y > 1 && y < next.indexOf('> ');
      const isPrompt = PROMPTS.some((prompt) => row.includes(prompt));
      const isShaded =
        ground === 'screen' ||
        (ground === 'prompts' && isPrompt) ||
        (ground === 'words' && isWords && !isPrompt) ||
        (ground === 'stripes' && y % 2 === 0);
      const ink = (isColoured && row.trim() !== '' ? `\x1b[3${y % 7}m` : '') + (isShaded ? GROUND : '');
      const at = columnsOf(row.slice(0, from)) + 1;
      const tail = columnsOf(row) >= this.#cols ? '' : '\x1b[K';
      const shown = frame === 'shaded' ? shadeEnd(row, from, this.#cols - panelCols) : row.slice(from);
      text += `\x1b[${y + 1};${at}H${erasesRows && from === 0 ? '\x1b[2K' : ''}${ink}${shown}${isShaded ? tail : ''}${ink && '\x1b[m'}${isShaded ? '' : tail}`;
    }
    this.#shown = [...next];
    if (parksCursor) text += `\x1b[${next.indexOf('> ') + 1};3H`;
    if (hidesCursor) text += '\x1b[?25h';
    this.#write(isSynced ? `\x1b[?2026h${text}\x1b[?2026l` : text, stepMs);
  }

  /** Scrolls the rows between header and composer, if they have moved up. */
  #scroll(next: readonly string[]): string {
    const { frame, header, composer } = this.#style;
    if (frame !== 'plain' || composer === 'above') return '';
    const top = header;
    const bottom = next.indexOf('> ') - 2;
    for (let by = 1; by < bottom - top; by++) {
      const rows = this.#shown.slice(top + by, bottom);
      const words = rows.filter((row) => row.trim() !== '').length;
      if (words < MIN_SCROLLED || !rows.every((row, y) => row === next[top + y] || row.trim() === '')) continue;
      this.#shown.splice(top, by);
      this.#shown.splice(bottom - by, 0, ...new Array<string>(by).fill(''));
      return `\x1b[${top + 1};${bottom}r\x1b[${bottom};1H${'\n'.repeat(by)}\x1b[r`;
    }
    return '';
  }

  #write(data: string, afterMs: number): void {
    this.steps.push({ kind: 'o', data, afterMs });
  }
}

// ── text ────────────────────────────────────────────────────────────────────────────────────────────────────────────

const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' });
const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);
/** The painter asks for the same few rows again and again, and the segmenter takes most of its time. */
const known = new Map<string, readonly string[]>();

function clustersOf(text: string): readonly string[] {
  if (isAscii(text)) return text.split('');
  const found = known.get(text) ?? Array.from(clusters.segment(text), ({ segment }) => segment);
  known.set(text, found);
  return found;
}

function columnsOf(text: string): number {
  if (isAscii(text)) return text.length;
  let width = 0;
  for (const cluster of clustersOf(text)) width += widthOf(cluster);
  return width;
}

function widthOf(cluster: string): number {
  if (/^[\p{Cf}\p{M}]+$/u.test(cluster)) return 0;
  return /\p{Emoji_Presentation}|\ufe0f|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/u.test(
    cluster,
  )
    ? 2
    : 1;
}

/** Cuts or fills a row to a number of columns. */
function pad(row: string, width: number): string {
  let text = row;
  while (columnsOf(text) > width) text = clustersOf(text).slice(0, -1).join('');
  return text + ' '.repeat(Math.max(0, width - columnsOf(text)));
}

/** A row from a character on, with a background from a column on. */
function shadeEnd(row: string, from: number, column: number): string {
  let at = 0;
  let width = 0;
  for (const cluster of clustersOf(row)) {
    if (width >= column) break;
    width += widthOf(cluster);
    at += cluster.length;
  }
  return width < column || from >= at ? row.slice(from) : `${row.slice(from, at)}${GROUND}${row.slice(at)}\x1b[49m`;
}

function cutAt(text: string, length: number): string {
  const end = /[\udc00-\udfff]/.test(text[length] ?? '') ? length + 1 : length;
  return text.slice(0, end);
}

function commonStart(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return /^[\p{ASCII}─│┌┐└┘]*$/u.test(one.slice(0, at)) ? at : 0;
}

function wrapLine(line: string, width: number, wrap: Style['wrap']): string[] {
  const indent = wrap === 'words' ? (/^ */.exec(line)?.[0] ?? '') : '';
  const rows: string[] = [];
  let row = '';
  const parts = wrap === 'words' ? line.split(/(?<= )(?=[^ ])/) : clustersOf(line);
  for (const part of parts) {
    if (columnsOf(row) + columnsOf(part.trimEnd()) <= width) {
      row += part;
      continue;
    }
    if (row.trim() !== '') rows.push(wrap === 'words' ? row.trimEnd() : row);
    row = row.trim() === '' ? row : indent;
    for (const cluster of clustersOf(part)) {
      if (columnsOf(row) + widthOf(cluster) > width) {
        rows.push(row);
        row = indent;
      }
      row += cluster;
    }
  }
  return [...rows, wrap === 'words' ? row.trimEnd() : row];
}
