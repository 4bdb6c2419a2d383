/** Tests the rows of a message and its sections. */
import { expect, test } from 'vitest';
import { messageRows } from './message-text.js';

test('a list stands below its title, also if it has one entry, and a short text beside it', () => {
  const issues = [{ type: 'gap', description: 'no email', impact: 'low', blocking: true }];
  const data = { status: 'partial', summary: 'Half of it', issues };
  const rows = messageRows({ type: 'OUTPUT', data, human: '' }, { paint: (_, text) => text, columns: 80 });
  expect(rows).toEqual(['Half of it', '', 'Status: partial', '', 'Issues', '  - gap (low, blocking): no email']);
});
