import { expect, test } from 'vitest';
import { mergeConfig } from './config.js';
import { ATTACH_SEGMENTS, LINE_SEGMENTS, segmentProblem, segmentsOf } from './status-segments.js';

test('reads the segments on the left and right of | in order', () => {
  expect(segmentsOf('state, name | keys open', ATTACH_SEGMENTS)).toEqual({
    left: ['state', 'name'],
    right: ['keys', 'open'],
  });
  expect(segmentsOf('', ATTACH_SEGMENTS)).toEqual({ left: [], right: [] });
});

test.each([
  ['name | open', null],
  ['', null],
  ['nam | open', "'name' in place of 'nam'"],
  ['a | b | c', 'names of name,'],
  ['name | open | keys', 'segments with at most one |'],
])('checks %j: %s', (text, problem) => {
  const found = segmentProblem(text, ATTACH_SEGMENTS);
  if (problem === null) expect(found).toBeNull();
  else expect(found).toContain(problem);
});

test('refuses an unknown segment in the configuration and suggests the right one', () => {
  const source = { name: 'config.toml', values: { status: { line: 'sesions open' } } };
  expect(() => mergeConfig([source])).toThrow(
    /status\.line is "sesions open", but must be 'sessions' in place of 'sesions'/,
  );
});

test('accepts the defaults', () => {
  const { status } = mergeConfig([]);
  expect(segmentProblem(status.line, LINE_SEGMENTS)).toBeNull();
  expect(segmentProblem(status.attach, ATTACH_SEGMENTS)).toBeNull();
});
