/** Checks that no row of a frame is too wide, and that every row of its boxes has the right width. */
import { expect } from 'vitest';
import { widthOf } from '../../src/tui/paint/text.js';

export function expectStraight(text: string, columns: number): void {
  for (const line of text.split('\n')) {
    expect(widthOf(line), line).toBeLessThanOrEqual(columns);
    if (/^[╭│╰]/.test(line)) expect(widthOf(line), line).toBe(columns);
  }
}
