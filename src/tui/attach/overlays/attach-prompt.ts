/** A prompt over an attached session: a line to type on, or a question that `y` confirms. */
import { spell } from '../../input/key-names.js';
import { edit, type Line, lineOf, textOf } from '../../input/line-editor.js';
import type { Paint } from '../../paint/paint.js';
import { box } from '../../paint/rows.js';
import { cut, fill, widthOf } from '../../paint/text.js';
import type { Overlay, OverlayPorts } from './attach-overlay.js';

interface PromptPorts extends OverlayPorts {
  readonly paint: Paint;
  readonly title: string;
  /** The text at the beginning, to be changed. */
  readonly initial?: string;
  /** The text that Enter submits if nothing was typed, shown dim until then. */
  readonly fallback?: string;
  /** Called with the text after Enter. Without a fallback, an empty text closes the prompt. */
  readonly submit: (text: string) => void;
}

export function createPrompt(ports: PromptPorts): Overlay {
  const { paint, title, initial = '', fallback = '', submit, redraw, close } = ports;
  let line: Line = lineOf(initial);
  return {
    rows({ cols, rows }) {
      const room = cols - 4;
      const { pieces, at } = line;
      const before = tail(pieces.slice(0, at).join(''), room - 1);
      const after = cut(pieces.slice(at + 1).join(''), Math.max(0, room - widthOf(before) - 1));
      const hint = pieces.length === 0 ? cut(fallback, Math.max(0, room - 1)) : '';
      const shown = `${before}${paint('inverse', pieces[at] ?? ' ')}${after}${paint('dim', hint)}`;
      const used = widthOf(before) + widthOf(pieces[at] ?? ' ') + widthOf(after) + widthOf(hint);
      const blank = ' '.repeat(Math.max(0, room - used));
      return box(paint, [` ${shown}${blank} `], {
        width: cols,
        height: Math.min(rows, 3),
        title,
        foot: 'Enter does it · Esc does not',
        isFocused: true,
      });
    },
    press(key) {
      const name = spell(key);
      if (name === 'Escape' || name === 'C-c') close();
      else if (name === 'Enter') {
        const text = textOf(line).trim() || fallback;
        close();
        if (text !== '') submit(text);
      } else {
        line = edit(line, key) ?? line;
        redraw();
      }
    },
  };
}

/** Returns the end of a text that is too long for its columns. */
function tail(text: string, columns: number): string {
  const chars = [...text];
  while (chars.length > 0 && widthOf(chars.join('')) > columns) chars.shift();
  return chars.join('');
}

interface QuestionPorts extends OverlayPorts {
  readonly paint: Paint;
  readonly question: string;
  readonly yes: () => void;
}

/** `y` confirms; every other key closes the question. */
export function createQuestion({ paint, question, yes, close }: QuestionPorts): Overlay {
  return {
    rows({ cols, rows }) {
      const text = paint(['bold', 'yellow'], fill(` ${question}`, cols - 2));
      const height = Math.min(rows, 3);
      return box(paint, [text], {
        width: cols,
        height,
        title: 'Sure?',
        foot: 'y: yes · any other key: no',
        isFocused: true,
      });
    },
    press(key) {
      close();
      if (spell(key) === 'y') yes();
    },
  };
}
