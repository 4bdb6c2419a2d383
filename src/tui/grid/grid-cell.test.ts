/** Tests the title of a screen of the grid while its session is not listed yet, and after it was removed. */
import { expect, it } from 'vitest';
import { createPaint } from '../paint/paint.js';
import { drawCell } from './grid-cell.js';

const TILE = { x: 0, y: 0, width: 30, height: 4 };

function drawn(isRemoved: boolean): string {
  const cell = { number: 2, name: 'build', view: null, open: 0, isFocused: false, isMarked: false, isTyped: false };
  const { rows } = drawCell(createPaint({ NO_COLOR: '1' }), TILE, { ...cell, session: undefined, isRemoved });
  return rows.join('\n');
}

it('a session that the list does not have yet is shown by its name', () => {
  expect(drawn(false)).toContain('  2 … build ─');
  expect(drawn(false)).not.toContain('removed');
});

it('a removed session is shown as removed', () => {
  expect(drawn(true)).toContain('  2 removed ─');
  expect(drawn(true)).toContain('The session was removed.');
});
