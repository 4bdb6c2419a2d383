import { describe, expect, test } from 'vitest';
import { proposalsAt } from './schema-words.js';

/** The labels at the place of `|`. */
function labels(marked: string): string[] {
  const at = marked.indexOf('|');
  return (proposalsAt(marked.replace('|', ''), at)?.list ?? []).map(({ label }) => label);
}

/** The text after taking a proposal at the place of `|`. */
function accept(marked: string, label: string): string {
  const at = marked.indexOf('|');
  const text = marked.replace('|', '');
  const found = proposalsAt(text, at);
  const chosen = found?.list.find((one) => one.label === label);
  return found && chosen ? text.slice(0, found.from) + chosen.text + text.slice(found.to) : 'not proposed';
}

describe('the completion of a JSON Schema', () => {
  test('proposes the missing keywords where a keyword is allowed', () => {
    expect(labels('{"type": "object", |}')).toContain('properties');
    expect(labels('{"type": "object", |}')).not.toContain('type');
    expect(labels('{"properties": {"a": {|}}}')).toContain('enum');
    expect(labels('{"items": {"anyOf": [{"|"}]}}')).toContain('const');
  });

  test('proposes no keywords where any name is allowed', () => {
    expect(labels('{"properties": {|}}')).toEqual([]);
    expect(labels('{"$defs": {"|"}}')).toEqual([]);
    expect(labels('{"examples": [{|}]}')).toEqual([]);
  });

  test('proposes types, booleans, properties and references as values', () => {
    expect(labels('{"type": "|"}')).toEqual(expect.arrayContaining(['object', 'string', 'null']));
    expect(labels('{"type": ["|"]}')).toContain('null');
    expect(labels('{"additionalProperties": |}')).toEqual(['true', 'false']);
    expect(labels('{"required": ["a", "|"], "properties": {"a": {}, "b": {}}}')).toEqual(['b']);
    expect(labels('{"$defs": {"one": {}}, "items": {"$ref": "|"}}')).toEqual(['#/$defs/one']);
  });

  test('inserts valid JSON, also over a partly typed word', () => {
    expect(accept('{"type": "o|"}', 'object')).toBe('{"type": "object"}');
    expect(accept('{|}', 'type')).toBe('{"type": ""}');
    expect(accept('{"re|": []}', 'required')).toBe('{"required": []}');
    expect(accept('{"ty|"}', 'type')).toBe('{"type": ""}');
  });
});
