/**
 * The overlay that answers a session's question while the session is attached.
 *
 * A digit sends that option. Enter or `a` starts a text, `x` declines after `y`, and Escape goes back. Keys are ignored
 * until the overlay has been visible for SEEING_MS, so that keys typed ahead do not answer.
 */
import { ITEM_BADGES, type Item, takesText } from '../../../protocol/index.js';
import type { Key } from '../../input/key-reader.js';
import { EMPTY_LINE, edit, type Line, textOf } from '../../input/line-editor.js';
import { OPTION_LETTERS, optionKey } from '../../model/acts/item-acts.js';
import { askedRows } from '../../model/items/item-view.js';
import { declineQuestion, defaultOf, optionsOf } from '../../model/items/item-words.js';
import { age } from '../../paint/ages.js';
import type { Paint } from '../../paint/paint.js';
import { box, padded } from '../../paint/rows.js';
import { cut, fill, plainLine, steadyText, widthOf } from '../../paint/text.js';
import { SEEING_MS } from '../../timing.js';
import type { Overlay, OverlayPorts } from './attach-overlay.js';

export interface AnswerRequest {
  readonly option?: number;
  readonly text?: string;
  readonly decline?: true;
}

interface AnswerPorts extends OverlayPorts {
  readonly paint: Paint;
  readonly item: Item;
  readonly now: () => number;
  /** @returns  The error text; null on success. */
  readonly send: (request: AnswerRequest) => Promise<string | null>;
}

/** Minimum number of rows for the question if the answer is long. */
const LEAST_TEXT_ROWS = 2;

export function createAnswer({ paint, item, now, send, redraw, close }: AnswerPorts): Overlay {
  const since = now();
  const options = optionsOf(item);
  /**
   * The number of the option that the typed text belongs to; 0 for a text without an option; null while no text is
   * typed.
   */
  let typing: number | null = options.length === 0 && takesText(item) ? 0 : null;
  let line: Line = EMPTY_LINE;
  /** The option that ↑ and ↓ have selected, from 1. */
  let selected: number | null = null;
  let isDeclining = false;
  let isSending = false;
  let problem: string | null = null;

  async function answer(request: AnswerRequest): Promise<void> {
    isSending = true;
    redraw();
    problem = await send(request);
    isSending = false;
    if (problem === null) close(`${request.decline ? declined(item) : 'answered'} ${plainLine(item.session_name)}`);
    else redraw();
  }

  function choose(digit: number): void {
    const option = options[digit - 1];
    if (!option) return;
    if (option.wantsText) {
      typing = digit;
      redraw();
    } else void answer({ option: digit });
  }

  function type(key: Key, option: number): void {
    const isNamed = key.kind === 'named';
    if (isNamed && key.name === 'escape') typing = null;
    else if (isNamed && key.name === 'enter') submit(option);
    else {
      line = edit(line, key) ?? line;
      problem = null;
    }
    redraw();
  }

  function confirm(isYes: boolean): void {
    isDeclining = false;
    if (isYes) void answer({ decline: true });
    else redraw();
  }

  function submit(option: number): void {
    const text = textOf(line);
    if (text.trim() === '') problem = 'an empty answer is not sent';
    else void answer(option === 0 ? { text } : { option, text });
  }

  function foot(width: number): string[] {
    if (isSending) return [paint('dim', fill('sending the answer …', width))];
    if (isDeclining) return [paint(['bold', 'yellow'], fill(declineQuestion(item), width))];
    const said = problem === null ? [] : [paint(['bold', 'red'], fill(problem, width))];
    if (typing !== null) {
      const label = options[typing - 1]?.label.replace(/(?<!\s)\s*…$/, '') ?? 'answer:';
      return [...said, inputRow(paint, `${label} `, line, width)];
    }
    const fallback = defaultOf(item);
    return fallback === null ? said : [...said, paint('dim', fill(`the agent suggests “${fallback}”`, width))];
  }

  return {
    rows({ cols, rows }) {
      const width = cols - 4;
      const bottom = foot(width);
      const choices = options.map(
        ({ label }, i) =>
          paint(['bold', 'cyan'], `${selected === i + 1 ? '›' : ' '}${optionKey(i + 1)} `) +
          paint(selected === i + 1 ? 'inverse' : [], fill(` ${label}`, width - 3)),
      );
      const text = askedRows(paint, { entry: { item } }, width).map((row) => padded(row, width));
      const room = rows - 2 - bottom.length;
      const most = Math.max(0, room - LEAST_TEXT_ROWS);
      // The selected option stays in sight.
      const first = Math.max(0, Math.min(choices.length - most, (selected ?? 1) - Math.max(1, most)));
      const shownChoices = choices.slice(first, first + most);
      const textRows = Math.max(1, room - shownChoices.length);
      const isCut = text.length > textRows;
      const shownText = isCut ? text.slice(0, textRows - 1) : text;
      if (isCut)
        shownText.push(paint('dim', fill(`… ${text.length - textRows + 1} more lines; the inbox has them`, width)));
      const body = [...shownText, ...shownChoices, ...bottom].map((row) => ` ${row} `);
      const word = ITEM_BADGES[item.type].word;
      const title = `${word.charAt(0).toUpperCase()}${word.slice(1)} from ${plainLine(item.session_name)}`;
      const keys = typing !== null ? 'Enter sends · Esc goes back' : keysOf(options.length, takesText(item));
      return box(paint, body, {
        width: cols,
        height: Math.min(rows, body.length + 2),
        title,
        note: `${age(item.opened_at, now())} ago`,
        foot: keys,
        isFocused: true,
      });
    },
    press(key) {
      if (isSending) return;
      const char = key.kind === 'char' ? key.text : '';
      const name = key.kind === 'named' ? key.name : '';
      const isSeen = now() - since >= SEEING_MS;
      if (isDeclining) confirm(char === 'y');
      else if (typing !== null && isSeen) type(key, typing);
      else if (name === 'escape' || (typing === null && char === 'q')) close();
      else if (isSeen && (name === 'up' || name === 'down') && options.length > 0) {
        const from = selected ?? (name === 'down' ? 0 : options.length + 1);
        selected = Math.max(1, Math.min(options.length, from + (name === 'down' ? 1 : -1)));
        redraw();
      } else if (isSeen && name === 'enter' && selected !== null) choose(selected);
      else if (isSeen && optionOf(char) > 0) choose(optionOf(char));
      else if (isSeen && takesText(item) && (name === 'enter' || char === 'a')) {
        typing = 0;
        redraw();
      } else if (isSeen && char === 'x') {
        isDeclining = true;
        redraw();
      }
    },
  };
}

/** Returns the number of the option that a key chooses; 0 for none. */
function optionOf(char: string): number {
  if (/^[1-9]$/.test(char)) return Number(char);
  return OPTION_LETTERS.includes(char) ? OPTION_LETTERS.indexOf(char) + 10 : 0;
}

/** Declining an item that accepts no text only hides it: the agent is not informed. */
const declined = (item: Item): string => (takesText(item) ? 'declined' : 'put away; still asked by');

function keysOf(options: number, hasText: boolean): string {
  const digits = options === 0 ? [] : [options === 1 ? '1 chooses' : `1-${Math.min(9, options)} chooses`];
  const text = hasText ? ['Enter types an answer', 'x declines'] : ['x puts it away'];
  return [...digits, ...text, 'Esc closes'].join(' · ');
}

/** Renders the line being typed, scrolled so that its end is visible, with an inverted cursor. */
function inputRow(paint: Paint, label: string, { pieces, at }: Line, width: number): string {
  const shownLabel = cut(label, Math.floor(width / 2));
  const room = width - widthOf(shownLabel) - 1;
  const shown = pieces.map(steadyText);
  let from = at;
  for (let used = 0; from > 0; from--) {
    used += widthOf(shown[from - 1] ?? '');
    if (used > room) break;
  }
  const before = shown.slice(from, at).join('');
  const under = shown[at] ?? ' ';
  const after = cut(shown.slice(at + 1).join(''), Math.max(0, room - widthOf(before) - widthOf(under) + 1));
  const blanks = Math.max(0, width - widthOf(shownLabel) - widthOf(before) - widthOf(under) - widthOf(after));
  return `${paint(['bold', 'cyan'], shownLabel)}${before}${paint('inverse', under)}${after}${' '.repeat(blanks)}`;
}
