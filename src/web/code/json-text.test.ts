import { describe, expect, test } from 'vitest';
import { placeOf, prettify, readJsonText, segmentsOf } from './json-text.js';

const messages = (text: string): string[] => {
  const reading = readJsonText(text);
  return reading.ok ? [] : reading.problems.map(({ message }) => message);
};

describe('readJsonText', () => {
  test('returns the value of valid JSON and the position of an error', () => {
    expect(readJsonText('{"a": [1, true]}')).toEqual({ ok: true, value: { a: [1, true] }, warnings: [] });
    for (const text of ['', ' ', '{"a": }', '{"a": 1,}', '{a: 1}', '[1 2]', '{} {}', '"\\q"', '// no\n1', '{"a": "b'])
      expect(messages(text), text).not.toEqual([]);
    const reading = readJsonText('{"a": nul}');
    expect(reading.ok ? null : reading.problems[0]).toMatchObject({ from: 6, to: 9, severity: 'error' });
  });

  test('warns of a name that occurs twice in one object, but not in two objects', () => {
    const twice = readJsonText('{"a": 1, "b": {"a": 2}, "a": 3}');
    expect(twice).toMatchObject({
      ok: true,
      warnings: [{ from: 24, to: 27, message: expect.stringContaining("'a'") }],
    });
  });

  test('refuses very deep nesting without a stack overflow', () => {
    expect(messages('['.repeat(100_000))).toEqual(['It is nested too deep.']);
    expect(messages(JSON.stringify('['.repeat(10_000)))).toEqual([]);
  });
});

describe('prettify', () => {
  test('changes only blanks, and keeps order, numbers and escapes', () => {
    const text = '{"z":1.0,"2":{},"1":[1e3,{"b":"\\u0041"}],"big":12345678901234567890}';
    const pretty = prettify(text);
    expect(pretty.replaceAll(/\s/g, '')).toBe(text);
    expect(pretty.split('\n').length).toBeGreaterThan(5);
    expect(prettify(pretty)).toBe(pretty);
  });

  test('does not change invalid JSON', () => {
    expect(prettify('{"a": ')).toBe('{"a": ');
  });
});

describe('placeOf', () => {
  const text = '{"properties": {"a b": {"type": "strin"}, "it\'s": {"items": [{"type": 1}]}, "0": {"type": 2}}}';
  const at = (path: string): string => text.slice(placeOf(text, path).from, placeOf(text, path).to);

  test.each([
    ["$.properties['a b'].type", '"strin"'],
    ['$.properties["it\'s"].items[0].type', '1'],
    ["$.properties['a b']", '"a b"'],
    ['$.properties[0].type', '2'],
    ['$.properties.gone.type', '"properties"'],
    ['$', '{'],
  ])('finds for %s the text %s', (path, found) => {
    expect(at(path)).toBe(found);
  });

  test('splits a path into names and numbers', () => {
    expect(segmentsOf("$.a['b c'][0].$ref")).toEqual(['a', 'b c', 0, '$ref']);
  });
});
