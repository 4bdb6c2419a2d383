/** One thing for people: short facts under one another, then longer ones, each with a title. */
import { displayText } from '../protocol/index.js';
import type { Paint } from './paint.js';

/** @param facts  Fit to be shown. */
export function fields(paint: Paint, facts: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts.map(([name, value]) => `${paint('dim', name.padEnd(width))}  ${value}\n`).join('');
}

/** Nothing where there is nothing to be said. */
export const block = (paint: Paint, title: string, body: string): string =>
  body === '' ? '' : `\n${paint('dim', title)}\n${displayText(body).replaceAll(/^(?=.)/gm, '  ')}\n`;
