import { describe, expect, it } from 'vitest';
import { readKeyLegend } from './key-legend.js';

describe('a key legend', () => {
  it('lists a choice for each key that decides', () => {
    expect(readKeyLegend('  Enter to stay · shift+Tab to leave · ↑/↓ to navigate · Esc to cancel')).toEqual([
      { label: 'stay', keys: '\r' },
      { label: 'leave', keys: '\x1b[Z' },
      { label: 'cancel', keys: '\x1b' },
    ]);
    expect(readKeyLegend('Press enter to confirm · y to accept · ctrl+e to edit')).toEqual([
      { label: 'confirm', keys: '\r' },
      { label: 'accept', keys: 'y' },
      { label: 'edit', keys: '\x05' },
    ]);
  });

  it.each([
    'Esc to close · ↑/↓ to scroll',
    'Enter to continue',
    'I went to the shop · and then to bed',
    '? for shortcuts · Enter to send · Esc to cancel',
    '',
  ])('does not exist in: %s', (row) => {
    expect(readKeyLegend(row)).toBeNull();
  });
});
