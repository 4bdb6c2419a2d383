/** The first line of the terminal: counts, and the connection to the daemon. */

import { isAlive, type Model, openItems } from '../model/model.js';
import type { Paint, Style } from '../paint/paint.js';
import { Rows } from '../paint/rows-view.js';
import { cut, widthOf } from '../paint/text.js';
import { isOver } from '../workflow/workflow-model.js';

interface StatusLineProps {
  readonly paint: Paint;
  readonly columns: number;
  readonly model: Model;
  readonly version: string;
  /** A hint for what the layout hides. */
  readonly left: string;
  /** The key that starts the daemon. */
  readonly startKey: string;
}

export function StatusLine({ paint, columns, model, version, left, startKey }: StatusLineProps) {
  const living = model.sessions.filter(isAlive).length;
  const open = openItems(model).length;
  const isNarrow = columns < NARROW_COLS;
  const running = model.workflows.filter((one) => !isOver(one)).length;
  const workflows = running === 0 ? [] : [plural(running, 'workflow')];
  const isLoaded = model.connection.kind !== 'connecting';
  const counts = !isLoaded
    ? ''
    : [...(isNarrow ? [] : [plural(living, 'session'), ...workflows]), `${open} open`].join(' · ');
  const { mark, words, style } = connectionWords(model, startKey);
  const isWell = model.connection.kind === 'connected' && style === 'green';
  const right = isNarrow && isWell ? mark : `${mark} ${words}`;
  const name = isNarrow ? 'orchd' : `orchd ${version} `;
  const room = columns - widthOf(name) - widthOf(right) - 3;
  const middle = cut(left === '' ? counts : `${counts} · ${left}`, room);
  const gap = ' '.repeat(Math.max(1, columns - widthOf(name) - widthOf(middle) - widthOf(right) - 3));
  const line = ` ${paint('bold', name)} ${open > 0 ? paint('yellow', middle) : middle}${gap}${paint(style, right)} `;
  return <Rows rows={[line]} />;
}

const NARROW_COLS = 60;

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

function connectionWords(
  { connection, daemon, health }: Model,
  startKey: string,
): { readonly mark: string; readonly words: string; readonly style: Style } {
  switch (connection.kind) {
    case 'connecting':
      return { mark: '○', words: 'connecting …', style: 'dim' };
    case 'connected': {
      const [first] = health;
      if (first) return { mark: '●', words: first.brief, style: first.state === 'problem' ? 'red' : 'yellow' };
      return { mark: '●', words: daemon === null ? 'connected' : `daemon ${daemon.pid}`, style: 'green' };
    }
    case 'away':
      return { mark: '○', words: startKey === '' ? 'no daemon …' : `no daemon: ${startKey} starts it`, style: 'red' };
  }
}
