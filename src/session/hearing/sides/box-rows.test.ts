import { expect, it } from 'vitest';
import { joinWrapped, readBoxRow } from './box-rows.js';

it.each([
  ['┌────────┐', 'begin'],
  ['╭── 🤖 Answer ──╮', 'begin'],
  ['┌────┬────┐', 'outside'],
  ['┌ not a box', 'outside'],
  ['│ text │', 'outside'],
])('outside of a box, %j is: %s', (row, kind) => expect(readBoxRow(row, false).kind).toBe(kind));

it.each([
  ['│   ```json      │', { kind: 'inside', text: '```json' }],
  ['│       "a": 1   │', { kind: 'inside', text: '    "a": 1' }],
  ['└────────────────┘', { kind: 'end' }],
  ['$ ls', { kind: 'after' }],
])('inside of a box, %j is %j', (row, read) => expect(readBoxRow(row, true)).toEqual(read));

const fence = (text: string) => joinWrapped({ form: 'fence', from: 0, to: 1, line: 1, text });

it('joins a string that the box has wrapped, and says that it is not exact', () => {
  expect(fence('{"a": "one\n two \\"x\\"",\n"b": 1}\n')).toMatchObject({
    text: '{"a": "one two \\"x\\"",\n"b": 1}\n',
    exact: false,
  });
  expect(fence('{"a": "one"}\n')).not.toHaveProperty('exact');
  expect(fence('{"a": "one\n')).toMatchObject({ text: '{"a": "one\n' });
});
