/**
 * Copy mode of an attached session: a frozen view of its screen and scrollback, in which lines are searched, marked and
 * copied.
 *
 * In:   rows with SGR sequences, the newest last; keys.
 * Out:  rows to show, with a status row below them, and the lines to copy.
 * Output that arrives meanwhile is not shown here. It is shown after copy mode is closed.
 */
import type { Size } from '../../../../protocol/index.js';
import type { Key, KeyName } from '../../../input/key-reader.js';
import { EMPTY_LINE, edit, textOf } from '../../../input/line-editor.js';
import type { Paint } from '../../../paint/paint.js';
import type { Overlay, OverlayPorts } from '../attach-overlay.js';
import { CopyCursor, type Move } from './copy-cursor.js';
import { type CopyChoice, footRow, type Prompt, shownRow } from './copy-rows.js';

/** Maximum number of scrollback lines in copy mode. */
export const MAX_SCROLLBACK = 20_000;

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

export const createCopy = (ports: CopyPorts): Overlay => new CopyMode(ports);

class CopyMode implements Overlay {
  readonly #ports: CopyPorts;
  /** The rows without SGR sequences. */
  readonly #plain: readonly string[];
  readonly #cursor: CopyCursor;
  #prompt: Prompt | null = null;
  /** The text and the direction of the last search. */
  #searched = '';
  #wasBackward = false;
  #notice: string | null = null;

  constructor(ports: CopyPorts) {
    const { rows, startsAtTop = false, isByWheel = false } = ports;
    this.#ports = ports;
    this.#plain = rows.map(withoutSgr);
    this.#cursor = new CopyCursor({ rows: this.#plain, startsAtTop, isByWheel });
  }

  rows({ cols, rows: height }: Size): readonly string[] {
    const { paint, rows, title = '', keys = KEYS } = this.#ports;
    const [cursor, plain, searched] = [this.#cursor, this.#plain, this.#searched];
    const bodyRows = Math.max(1, height - 1);
    const top = cursor.fit(bodyRows);
    const shown = { paint, cursor, rows, plain, searched };
    const foot = { paint, cursor, rowCount: rows.length, title, keys, prompt: this.#prompt, notice: this.#notice };
    return [...Array.from({ length: bodyRows }, (_, y) => shownRow(shown, top + y, cols)), footRow(foot, cols)];
  }

  press(key: Key): void {
    if (key.kind === 'mouse') {
      if (key.what !== 'click') this.#turnWheel(key.what === 'wheelup' ? -1 : 1);
      return;
    }
    this.#notice = null;
    if (this.#handle(key)) this.#ports.close();
    else this.#ports.redraw();
  }

  #turnWheel(direction: 1 | -1): void {
    const { isByWheel = false, close, redraw } = this.#ports;
    if (isByWheel && direction > 0 && this.#cursor.isAtEnd && this.#cursor.marked === null) {
      close();
      return;
    }
    this.#cursor.turnWheel(direction);
    redraw();
  }

  /** Returns true if the key closes copy mode. */
  #handle(key: Key): boolean {
    switch (this.#prompt?.kind) {
      case 'choice':
        return this.#answerChoice(key, this.#prompt);
      case 'search':
        this.#typeSearch(key, this.#prompt);
        return false;
      default:
        return this.#browse(key);
    }
  }

  #browse(key: Key): boolean {
    const { stops = [], choices = [], copy } = this.#ports;
    const char = key.kind === 'char' ? key.text : '';
    const isLeaving = char === 'q' || isNamed(key, 'escape') || (key.kind === 'ctrl' && key.letter === 'c');
    const move = moveOf(key);
    const choice = choices.find((one) => one.key === char);
    if (move) this.#cursor.move(move);
    else if (char === '/' || char === '?') {
      this.#prompt = { kind: 'search', line: EMPTY_LINE, isBackward: char === '?' };
    } else if (char === 'n' || char === 'N') this.#search(this.#wasBackward !== (char === 'N'));
    else if (stops.length > 0 && (char === ']' || char === '[')) this.#jump(stops, char === '[');
    else if (choice) this.#prompt = { kind: 'choice', line: EMPTY_LINE, choice };
    else if (char === 'v' || char === ' ') this.#cursor.toggleMark();
    else if (char === 'y' || isNamed(key, 'enter')) {
      this.#notice = copy(this.#cursor.selectedText());
      this.#cursor.unmark();
    } else if (isLeaving) {
      if (this.#cursor.marked === null) return true;
      this.#cursor.unmark();
    }
    return false;
  }

  /** Goes to the next or previous stop, and shows what follows it. */
  #jump(stops: readonly number[], isBackward: boolean): void {
    const { at } = this.#cursor;
    const next = isBackward ? stops.findLast((y) => y < at) : stops.find((y) => y > at);
    if (next === undefined) this.#notice = isBackward ? 'this is the first file' : 'this is the last file';
    else this.#cursor.goTo(next);
  }

  #search(isBackward: boolean): void {
    const text = this.#searched;
    if (text !== '' && !this.#cursor.search(text, isBackward)) this.#notice = `“${text}” is nowhere here`;
  }

  #typeSearch(key: Key, prompt: Extract<Prompt, { kind: 'search' }>): void {
    const { line, isBackward } = prompt;
    if (isNamed(key, 'escape')) this.#prompt = null;
    else if (isNamed(key, 'enter')) {
      this.#prompt = null;
      this.#searched = textOf(line) || this.#searched;
      this.#wasBackward = isBackward;
      this.#search(isBackward);
    } else this.#prompt = { ...prompt, line: edit(line, key) ?? line };
  }

  /** Returns true if the person has chosen. */
  #answerChoice(key: Key, prompt: Extract<Prompt, { kind: 'choice' }>): boolean {
    const { choice, line } = prompt;
    const isEnter = isNamed(key, 'enter');
    if (choice.takesText && !isEnter && !isNamed(key, 'escape')) {
      this.#prompt = { ...prompt, line: edit(line, key) ?? line };
      return false;
    }
    this.#prompt = null;
    const text = textOf(line).trim();
    const isYes = key.kind === 'char' && key.text === 'y';
    if (choice.takesText ? !isEnter || text === '' : !isYes) {
      this.#notice = 'nothing was done';
      return false;
    }
    this.#ports.choose?.({ key: choice.key, text: choice.takesText ? text : '' });
    return true;
  }
}

const isNamed = (key: Key, name: KeyName): boolean => key.kind === 'named' && key.name === name;

function moveOf(key: Key): Move | undefined {
  if (key.kind === 'named') return NAMED[key.name];
  if (key.kind === 'ctrl') return CTRL[key.letter];
  return key.kind === 'char' ? CHARS[key.text] : undefined;
}

const withoutSgr = (row: string): string => row.replaceAll(/\x1b\[[0-9;]*m/g, '');
