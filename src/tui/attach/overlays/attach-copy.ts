/**
 * Copy mode of an attached session: a frozen view of its screen and scrollback, in which lines are searched, marked and
 * copied.
 *
 * In:   rows with SGR sequences, the newest last.
 * Out:  rows to show, with a status row below them, and the lines to copy.
 * Output that arrives meanwhile is not shown here. It is shown after copy mode is closed.
 */

import type { Key, KeyName } from '../../input/key-reader.js';
import { EMPTY_LINE, edit, type Line, textOf } from '../../input/line-editor.js';
import { cropRow } from '../../paint/ansi-row.js';
import type { Paint } from '../../paint/paint.js';
import { cut, fill, widthOf } from '../../paint/text.js';
import type { Overlay, OverlayPorts } from './attach-overlay.js';

/** Maximum number of scrollback lines in copy mode. */
export const MAX_SCROLLBACK = 20_000;
/** Number of rows per step of the wheel. */
const WHEEL_ROWS = 3;

/** Something that the person may choose by a key. It asks first: for `y`, or for a text. */
export interface CopyChoice {
  readonly key: string;
  readonly question: string;
  /** True if a text is asked for. Without a text, nothing is chosen. */
  readonly takesText: boolean;
}

export interface Chosen {
  readonly key: string;
  /** '' if no text was asked for. */
  readonly text: string;
}

interface CopyPorts extends OverlayPorts {
  readonly paint: Paint;
  /** The name of the session, if the terminal does not show it elsewhere. */
  readonly title?: string;
  /** True if the wheel opened copy mode: the view then begins higher up, and the wheel at the end closes it. */
  readonly isByWheel?: boolean;
  /** True to begin with the first row. Default: the last row with text. */
  readonly startsAtTop?: boolean;
  readonly rows: readonly string[];
  /** Rows to which `]` and `[` go, such as the first row of each file. */
  readonly stops?: readonly number[];
  /** The keys that the foot row names. */
  readonly keys?: string;
  readonly choices?: readonly CopyChoice[];
  /** Called with what the person has chosen, before it closes. */
  readonly choose?: (chosen: Chosen) => void;
  /** @returns  The notice to show. */
  readonly copy: (text: string) => string;
}

type Move = 'up' | 'down' | 'pageup' | 'pagedown' | 'halfup' | 'halfdown' | 'first' | 'last';

const SCROLLING: readonly Move[] = ['pageup', 'pagedown', 'halfup', 'halfdown'];

const NAMED: Readonly<Partial<Record<KeyName, Move>>> = {
  up: 'up',
  down: 'down',
  pageup: 'pageup',
  pagedown: 'pagedown',
  home: 'first',
  end: 'last',
};
const CHARS: Readonly<Record<string, Move>> = { k: 'up', j: 'down', g: 'first', G: 'last', b: 'pageup', f: 'pagedown' };
const CTRL: Readonly<Record<string, Move>> = {
  u: 'halfup',
  d: 'halfdown',
  b: 'pageup',
  f: 'pagedown',
  p: 'up',
  n: 'down',
};
const KEYS = 'PgUp PgDn g G  / searches  v marks  y copies  q leaves';

export function createCopy({
  paint,
  title = '',
  isByWheel = false,
  startsAtTop = false,
  rows,
  stops = [],
  keys = KEYS,
  choices = [],
  choose = () => {},
  copy,
  redraw,
  close,
}: CopyPorts): Overlay {
  const plain = rows.map(withoutSgr);
  /** The view starts at the end of the used rows. */
  let height = 1;
  let at = startsAtTop ? 0 : Math.max(0, lastUsed(plain));
  let top: number | null = null;
  /** True until the first rows are shown. The wheel that opened copy mode then scrolls. */
  let isFirst = isByWheel;
  let mark: number | null = null;
  let prompt: { readonly line: Line; readonly isBackward: boolean } | null = null;
  let asked: { readonly choice: CopyChoice; readonly line: Line } | null = null;
  let sought = '';
  let wasBackward = false;
  let said: string | null = null;

  function move(how: Move): void {
    const steps: Readonly<Record<Move, number>> = {
      up: -1,
      down: 1,
      pageup: -height,
      pagedown: height,
      halfup: -Math.ceil(height / 2),
      halfdown: Math.ceil(height / 2),
      first: -rows.length,
      last: rows.length,
    };
    const step = steps[how];
    // Pages scroll the view, and the cursor keeps its place in it. Otherwise the first page would show nothing new.
    if (SCROLLING.includes(how)) {
      const lowest = Math.max(0, rows.length - height);
      top = Math.min(lowest, Math.max(0, (top ?? lowest) + step));
    }
    at = Math.min(rows.length - 1, Math.max(0, at + step));
  }

  /** Goes to the next or previous stop, and shows what follows it. */
  function jump(isBackward: boolean): void {
    const next = isBackward ? stops.findLast((y) => y < at) : stops.find((y) => y > at);
    if (next === undefined) said = isBackward ? 'this is the first file' : 'this is the last file';
    else {
      at = next;
      top = next;
    }
  }

  /** Searches from the next line on and wraps around at the end. */
  function seek(isBackward: boolean): void {
    if (sought === '') return;
    for (let step = 1; step <= rows.length; step++) {
      const y = (at + (isBackward ? -step : step) + rows.length * 2) % rows.length;
      if (findIn(plain[y] ?? '', sought) < 0) continue;
      at = y;
      return;
    }
    said = `“${sought}” is nowhere here`;
  }

  /** The wheel scrolls the view; the cursor stays inside it. */
  function wheel(step: 1 | -1): void {
    const lowest = Math.max(0, rows.length - height);
    if (isByWheel && step > 0 && (top ?? lowest) >= lowest && mark === null) {
      close();
      return;
    }
    top = Math.min(lowest, Math.max(0, (top ?? lowest) + step * WHEEL_ROWS));
    at = Math.min(top + height - 1, Math.max(top, at + step * WHEEL_ROWS), rows.length - 1);
    redraw();
  }

  function ask(key: Key, { line, isBackward }: NonNullable<typeof prompt>): void {
    if (key.kind === 'named' && key.name === 'escape') prompt = null;
    else if (key.kind === 'named' && key.name === 'enter') {
      prompt = null;
      sought = textOf(line) || sought;
      wasBackward = isBackward;
      seek(isBackward);
    } else prompt = { line: edit(line, key) ?? line, isBackward };
  }

  function begin(char: string): void {
    const choice = choices.find(({ key }) => key === char);
    if (choice) asked = { choice, line: EMPTY_LINE };
  }

  /** Returns true if the person has chosen. */
  function decide(key: Key, { choice, line }: NonNullable<typeof asked>): boolean {
    const isEnter = key.kind === 'named' && key.name === 'enter';
    const isYes = key.kind === 'char' && key.text === 'y';
    if (choice.takesText && !isEnter && !(key.kind === 'named' && key.name === 'escape')) {
      asked = { choice, line: edit(line, key) ?? line };
      return false;
    }
    asked = null;
    const text = textOf(line).trim();
    if (choice.takesText ? !isEnter || text === '' : !isYes) {
      said = 'nothing was done';
      return false;
    }
    choose({ key: choice.key, text: choice.takesText ? text : '' });
    return true;
  }

  function yank(): void {
    const from = Math.min(mark ?? at, at);
    const to = Math.max(mark ?? at, at);
    said = copy(
      plain
        .slice(from, to + 1)
        .map((row) => row.trimEnd())
        .join('\n'),
    );
    mark = null;
  }

  function shownRow(y: number, columns: number): string {
    const row = rows[y];
    if (row === undefined) return ' '.repeat(columns);
    const isMarked = mark !== null && y >= Math.min(mark, at) && y <= Math.max(mark, at);
    if (isMarked) return paint('inverse', cropRow(plain[y] ?? '', { columns, hasColour: false }));
    const found = sought === '' ? -1 : findIn(plain[y] ?? '', sought);
    if (found >= 0) {
      const text = plain[y] ?? '';
      const end = found + sought.length;
      const lit = `${text.slice(0, found)}\x1b[7m${text.slice(found, end)}\x1b[0m${text.slice(end)}`;
      return cropRow(lit, { columns, hasColour: false, ...(y === at && { cursorX: 0 }) });
    }
    return cropRow(row, { columns, hasColour: paint.hasColour, ...(y === at && { cursorX: 0 }) });
  }

  function footRow(columns: number): string {
    if (prompt) return paint('inverse', fill(` ${prompt.isBackward ? '?' : '/'}${textOf(prompt.line)}█`, columns));
    if (asked) {
      const { choice, line } = asked;
      const answer = choice.takesText ? ` ${textOf(line)}█` : '  y: yes, any other key: no';
      return paint('inverse', fill(` ${choice.question}${answer}`, columns));
    }
    const place = ` ${title === '' ? '' : `${title} · `}${at + 1} of ${rows.length} `;
    const marked = mark === null ? 0 : Math.abs(at - mark) + 1;
    const words =
      said ?? (marked === 0 ? keys : `${marked} line${marked === 1 ? '' : 's'} marked  y copies  v unmarks`);
    return paint('inverse', fill(` ${words}`, Math.max(0, columns - widthOf(place))) + cut(place, columns));
  }

  return {
    rows(size) {
      height = Math.max(1, size.rows - 1);
      const lowest = Math.max(0, rows.length - height);
      top ??= lowest;
      if (isFirst) {
        isFirst = false;
        top = Math.max(0, top - WHEEL_ROWS);
        at = Math.min(at, top + height - 1);
      }
      top = Math.min(lowest, Math.max(0, Math.min(Math.max(top, at - height + 1), at)));
      const from = top;
      const body = Array.from({ length: height }, (_, y) => shownRow(from + y, size.cols));
      return [...body, footRow(size.cols)];
    },
    press(key) {
      if (key.kind === 'mouse') {
        if (key.what !== 'click') wheel(key.what === 'wheelup' ? -1 : 1);
        return;
      }
      said = null;
      if (asked) {
        if (decide(key, asked)) {
          close();
          return;
        }
      } else if (prompt) ask(key, prompt);
      else {
        const char = key.kind === 'char' ? key.text : '';
        const how = key.kind === 'named' ? NAMED[key.name] : key.kind === 'ctrl' ? CTRL[key.letter] : CHARS[char];
        if (how) move(how);
        else if (char === '/' || char === '?') prompt = { line: EMPTY_LINE, isBackward: char === '?' };
        else if (char === 'n' || char === 'N') seek(wasBackward !== (char === 'N'));
        else if (stops.length > 0 && (char === ']' || char === '[')) jump(char === '[');
        else if (choices.some(({ key: one }) => one === char)) begin(char);
        else if (char === 'v' || char === ' ') mark = mark === null ? at : null;
        else if (char === 'y' || (key.kind === 'named' && key.name === 'enter')) yank();
        else if (
          char === 'q' ||
          (key.kind === 'named' && key.name === 'escape') ||
          (key.kind === 'ctrl' && key.letter === 'c')
        ) {
          if (mark === null) {
            close();
            return;
          }
          mark = null;
        }
      }
      redraw();
    },
  };
}

const withoutSgr = (row: string): string => row.replaceAll(/\x1b\[[0-9;]*m/g, '');

function lastUsed(rows: readonly string[]): number {
  let last = rows.length - 1;
  while (last > 0 && rows[last] === '') last--;
  return last;
}

/** The search is case-sensitive if the searched text contains capitals. */
function findIn(row: string, sought: string): number {
  return sought === sought.toLowerCase() ? row.toLowerCase().indexOf(sought) : row.indexOf(sought);
}
