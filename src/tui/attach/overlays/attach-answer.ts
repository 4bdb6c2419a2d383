/**
 * The overlay that answers a session's question while the session is attached.
 *
 * A digit sends that option. Enter or `a` starts a text, `x` declines after `y`, and Escape goes back. Keys are ignored
 * until the overlay has been visible for SEEING_MS, so that keys typed ahead do not answer. Only a text field takes
 * text at once, because Enter must send it. Ctrl-C leaves. A text that was not sent is kept as the draft of the item.
 */
import { ITEM_BADGES, type Item, type Size, takesText } from '../../../protocol/index.js';
import { OPTION_LETTERS, optionKey } from '../../acts/item-acts.js';
import { editorRows } from '../../input/editor-rows.js';
import { spell } from '../../input/key-names.js';
import type { Key } from '../../input/key-reader.js';
import { editText, type Line, lineOf, newline, textOf } from '../../input/line-editor.js';
import { declineQuestion, defaultOf, optionsOf } from '../../model/items/item-words.js';
import { SEEING_MS } from '../../model/timing.js';
import { age } from '../../paint/ages.js';
import type { Paint } from '../../paint/paint.js';
import { box, padded } from '../../paint/rows.js';
import { fill, plainLine } from '../../paint/text.js';
import { askedRows } from '../../rows/item-view.js';
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
  /** The text that was begun earlier; '' without one. */
  readonly draft: string;
  /** Keeps the text that was begun; '' once it is sent. */
  readonly keep: (text: string) => void;
  /** @returns  The error text; null on success. */
  readonly send: (request: AnswerRequest) => Promise<string | null>;
}

/** Minimum number of rows for the question if the answer is long. */
const MIN_TEXT_ROWS = 2;
/** Maximum number of rows for an answer that is being typed. */
const MAX_TYPED_ROWS = 5;
/** Keys that start a new line, as in the TUI. */
const NEWLINE_KEYS: readonly (string | null)[] = ['M-Enter', 'S-Enter', 'C-j'];

export const createAnswer = (ports: AnswerPorts): Overlay => new AnswerOverlay(ports);

type Phase =
  | { readonly kind: 'choosing' | 'declining' }
  /** `option`: the number of the option that the text belongs to; 0 for a text without an option. */
  | { readonly kind: 'typing'; readonly option: number }
  /** `option`: that of the text that is being sent; null for an answer without a text. */
  | { readonly kind: 'sending'; readonly option: number | null };

const CHOOSING: Phase = { kind: 'choosing' };

class AnswerOverlay implements Overlay {
  readonly #ports: AnswerPorts;
  readonly #since: number;
  readonly #options: ReturnType<typeof optionsOf>;
  readonly #takesText: boolean;
  #phase: Phase;
  #line: Line;
  /** The option that ↑ and ↓ have selected, from 1. */
  #selected: number | null = null;
  #problem: string | null = null;

  constructor(ports: AnswerPorts) {
    this.#ports = ports;
    this.#since = ports.now();
    this.#line = lineOf(ports.draft);
    this.#options = optionsOf(ports.item);
    this.#takesText = takesText(ports.item);
    this.#phase = this.#options.length === 0 && this.#takesText ? { kind: 'typing', option: 0 } : CHOOSING;
  }

  rows({ cols, rows }: Size): readonly string[] {
    const { paint, item, now } = this.#ports;
    const width = cols - 4;
    const foot = this.#footRows(width);
    const room = rows - 2 - foot.length;
    const choices = this.#choiceRows(width, Math.max(0, room - MIN_TEXT_ROWS));
    const text = this.#textRows(width, Math.max(1, room - choices.length));
    const body = [...text, ...choices, ...foot].map((row) => ` ${row} `);
    const { word } = ITEM_BADGES[item.type];
    return box(paint, body, {
      width: cols,
      height: Math.min(rows, body.length + 2),
      title: `${word.charAt(0).toUpperCase()}${word.slice(1)} from ${plainLine(item.session_name)}`,
      note: `${age(item.opened_at, now())} ago`,
      foot: this.#foot(),
      isFocused: true,
    });
  }

  #foot(): string {
    if (this.#typedOption !== null) return 'Enter sends · Alt-Enter new line · Esc goes back';
    return keysOf(this.#options.length, this.#takesText, textOf(this.#line) !== '');
  }

  /** The option of the text in the field; null if there is no field. */
  get #typedOption(): number | null {
    return 'option' in this.#phase ? this.#phase.option : null;
  }

  press(key: Key): void {
    const phase = this.#phase;
    if (phase.kind === 'sending') return;
    if (spell(key) === 'C-c') {
      this.#ports.close();
      return;
    }
    const char = key.kind === 'char' ? key.text : '';
    const isSeen = this.#ports.now() - this.#since >= SEEING_MS;
    if (phase.kind === 'declining') this.#confirm(char === 'y');
    else if (phase.kind === 'typing') this.#type(key, phase.option, isSeen);
    else if ((key.kind === 'named' && key.name === 'escape') || char === 'q') this.#ports.close();
    else if (isSeen) this.#browse(char, key.kind === 'named' ? key.name : '');
  }

  #browse(char: string, name: string): void {
    const count = this.#options.length;
    const chosen = name === 'enter' ? (this.#selected ?? 0) : optionOf(char);
    if (chosen > 0) {
      this.#choose(chosen);
      return;
    }
    if ((name === 'up' || name === 'down') && count > 0) {
      const from = this.#selected ?? (name === 'down' ? 0 : count + 1);
      this.#selected = Math.max(1, Math.min(count, from + (name === 'down' ? 1 : -1)));
    } else if (this.#takesText && (name === 'enter' || char === 'a')) this.#phase = { kind: 'typing', option: 0 };
    else if (char === 'x') this.#phase = { kind: 'declining' };
    else return;
    this.#ports.redraw();
  }

  #choose(number: number): void {
    const option = this.#options[number - 1];
    if (!option) return;
    if (!option.wantsText) {
      void this.#send({ option: number });
      return;
    }
    this.#phase = { kind: 'typing', option: number };
    this.#ports.redraw();
  }

  #type(key: Key, option: number, isSeen: boolean): void {
    const { redraw, keep } = this.#ports;
    const name = spell(key);
    if (name === 'Escape') this.#phase = CHOOSING;
    else if (name === 'Enter') {
      if (isSeen) this.#submit(option);
    } else {
      const line = NEWLINE_KEYS.includes(name) ? newline(this.#line) : editText(this.#line, key);
      if (line === null) return;
      this.#line = line;
      this.#problem = null;
      keep(textOf(line));
    }
    redraw();
  }

  #submit(option: number): void {
    const text = textOf(this.#line);
    if (text.trim() === '') this.#problem = 'an empty answer is not sent';
    else void this.#send(option === 0 ? { text } : { option, text });
  }

  #confirm(isYes: boolean): void {
    this.#phase = CHOOSING;
    if (isYes) void this.#send({ decline: true });
    else this.#ports.redraw();
  }

  async #send(request: AnswerRequest): Promise<void> {
    const { item, send, redraw, close, keep } = this.#ports;
    const before = this.#phase;
    this.#phase = { kind: 'sending', option: this.#typedOption };
    redraw();
    this.#problem = await send(request);
    this.#phase = before;
    if (this.#problem === null) {
      keep('');
      close(`${request.decline ? declined(item) : 'answered'} ${plainLine(item.session_name)}`);
    } else redraw();
  }

  #textRows(width: number, count: number): readonly string[] {
    const { paint, item } = this.#ports;
    const text = askedRows(paint, { entry: { item } }, width).map((row) => padded(row, width));
    if (text.length <= count) return text;
    const rest = `… ${text.length - count + 1} more lines; the inbox has them`;
    return [...text.slice(0, count - 1), paint('dim', fill(rest, width))];
  }

  /** The selected option stays in sight. */
  #choiceRows(width: number, count: number): readonly string[] {
    const { paint } = this.#ports;
    const selected = this.#selected;
    const rows = this.#options.map(
      ({ label }, i) =>
        paint(['bold', 'cyan'], `${selected === i + 1 ? '›' : ' '}${optionKey(i + 1)} `) +
        paint(selected === i + 1 ? 'inverse' : [], fill(` ${label}`, width - 3)),
    );
    const first = Math.max(0, Math.min(rows.length - count, (selected ?? 1) - Math.max(1, count)));
    return rows.slice(first, first + count);
  }

  #footRows(width: number): readonly string[] {
    const { paint, item } = this.#ports;
    if (this.#phase.kind === 'sending') return [paint('dim', fill('sending the answer …', width))];
    if (this.#phase.kind === 'declining') return [paint(['bold', 'yellow'], fill(declineQuestion(item), width))];
    const problem = this.#problem === null ? [] : [paint(['bold', 'red'], fill(this.#problem, width))];
    const option = this.#typedOption;
    if (option !== null) {
      const label = this.#options[option - 1]?.label.replace(/(?<!\s)\s*…$/, '') ?? 'answer:';
      const typed = editorRows(paint, `${label} `, this.#line, width, MAX_TYPED_ROWS);
      return [...problem, ...typed.map((row) => padded(row, width))];
    }
    const suggested = defaultOf(item);
    if (suggested === null) return problem;
    return [...problem, paint('dim', fill(`the agent suggests “${suggested}”`, width))];
  }
}

/** Returns the number of the option that a key chooses; 0 for none. */
function optionOf(char: string): number {
  if (/^[1-9]$/.test(char)) return Number(char);
  return OPTION_LETTERS.includes(char) ? OPTION_LETTERS.indexOf(char) + 10 : 0;
}

/** Declining an item that accepts no text only hides it: the agent is not informed. */
const declined = (item: Item): string => (takesText(item) ? 'declined' : 'put away; still asked by');

function keysOf(options: number, hasText: boolean, hasDraft: boolean): string {
  const digits = options === 0 ? [] : [options === 1 ? '1 chooses' : `1-${Math.min(9, options)} chooses`];
  const text = hasText
    ? [hasDraft ? 'Enter goes on with your draft' : 'Enter types an answer', 'x declines']
    : ['x puts it away'];
  return [...digits, ...text, 'Esc closes'].join(' · ');
}
