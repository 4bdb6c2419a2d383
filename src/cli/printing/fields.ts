/** Formats one object for people: short facts in rows, then longer texts, each with a title. */
import { displayText } from '../../protocol/index.js';
import type { Paint } from './paint.js';

/** @param facts  Names and values that are safe to display. */
export function fields(paint: Paint, facts: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts.map(([name, value]) => `${paint('dim', name.padEnd(width))}  ${value}\n`).join('');
}

/** Returns '' if the body is empty. */
export const block = (paint: Paint, title: string, body: string): string =>
  body === '' ? '' : rowsBlock(paint, title, displayText(body).split('\n'));

/** @param rows  Rows that are safe to display; '' is returned if there are none. */
export const rowsBlock = (paint: Paint, title: string, rows: readonly string[]): string =>
  rows.length === 0
    ? ''
    : `\n${paint('dim', title)}\n${rows.map((row) => `${row === '' ? '' : '  '}${row}\n`).join('')}`;
