import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../../test/harness/tries.js';
import { canonical, readJson } from './json.js';

const said = (text: string): string | null => {
  const reading = readJson(text);
  return reading.ok ? null : reading.error.message;
};

describe('readJson', () => {
  it.each([
    ['', 'Expecting a value, found the end: line 1 column 1'],
    ['{', "Expecting a property name in double quotes or '}', found the end: line 1 column 2"],
    ['{"a" 1}', "Expecting ':', found '1': line 1 column 6"],
    ['{"a": 1\n "b": 2}', "Expecting ',' or '}', found '\"': line 2 column 2"],
    ['[1 2]', "Expecting ',' or ']', found '2': line 1 column 4"],
    ['[1,]', "Expecting a value, found ']': line 1 column 4"],
    ['{"a": 01}', "Expecting ',' or '}', found '1': line 1 column 8"],
    ['{"a": tru}', "Expecting a value, found 't': line 1 column 7"],
    ['"\\u12"', "Invalid escape in a string, found 'u': line 1 column 2"],
    ['\u00a0{}', 'Expecting a value, found U+00A0: line 1 column 1'],
    ['{} 🚀', "Expecting nothing more, found '🚀': line 1 column 4"],
    ['-', "Expecting a value, found '-': line 1 column 1"],
    ['[1e999]', 'Number out of range: line 1 column 2'],
  ])('%j: %s', (text, message) => expect(said(text)).toBe(message));

  it('refuses integers that would lose digits, if asked to', () => {
    const message = 'Integer with too many digits: write it as a string: line 1 column 8';
    expect(readJson('{"id": 1234567890123456789}', true)).toEqual({ ok: false, error: { path: '$', message } });
    for (const text of ['1234567890123456789', '[9007199254740993]']) {
      expect(readJson(text).ok).toBe(true);
      expect(readJson(text, true).ok).toBe(false);
    }
    for (const text of ['[9007199254740992, -1152921504606846976, 1e30, 0.12345678901234567]', '"12345678901234567"'])
      expect(readJson(text, true), text).toEqual({ ok: true, value: JSON.parse(text) });
  });

  it('accepts exactly what JSON.parse accepts', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '\\',
      '\\u00e9',
      '1',
      '-',
      '0',
      '.5',
      'e3',
      'true',
      'null',
      ' ',
      '\n',
      '\t',
      '\u0001',
      'é',
    );
    const mutated = fc
      .tuple(fc.json(), fc.nat(), fc.nat(3), pieces)
      .map(
        ([json, at, cut, piece]) =>
          json.slice(0, at % (json.length + 1)) + piece + json.slice((at % (json.length + 1)) + cut),
      );
    fc.assert(
      fc.property(
        fc.oneof(
          mutated,
          fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
        ),
        (text) => {
          let isJson = true;
          try {
            JSON.parse(text);
          } catch {
            isJson = false;
          }
          const message = said(text);
          if (isJson) expect(message === null || message.startsWith('Number')).toBe(true);
          else expect(message).not.toBe(null);
          expect(message ?? '').not.toMatch(/^Expecting JSON/);
        },
      ),
      tries(3000),
    );
  });

  it('limits the nesting depth', () => {
    expect(said('['.repeat(1_000_000))).toMatch(/^Nested deeper/);
    expect(said('['.repeat(200_000) + ']'.repeat(200_000))).toMatch(/^Nested deeper/);
    expect(said('['.repeat(100) + ']'.repeat(100))).toBe(null);
  });
});

describe('canonical', () => {
  it('returns the same text for equal values, whatever the order of their keys', () => {
    expect(canonical(JSON.parse('{"b": [1, {"d": null, "c": "x"}], "a": -0, "__proto__": 1}'))).toBe(
      canonical(JSON.parse('{"__proto__": 1, "a": 0, "b": [1.0, {"c": "\\u0078", "d": null}]}')),
    );
  });
});
