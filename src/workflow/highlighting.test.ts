/** protocol/agentfile.tmLanguage.json colours the words of the language. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CLAUSES_OF, INSTRUCTION_WORDS, RESERVED, TYPES } from './syntax/words.js';

const FILE = join(import.meta.dirname, '../../protocol/agentfile.tmLanguage.json');

interface Rule {
  readonly name?: string;
  readonly match?: string;
  readonly captures?: Readonly<Record<string, { readonly name: string }>>;
}
const grammar = JSON.parse(readFileSync(FILE, 'utf8')) as { patterns: Rule[] };

/** Returns the scope of the first rule that matches the word alone or as a capture. */
function scopeOf(line: string, word: string): string | undefined {
  for (const { match, captures, name } of grammar.patterns) {
    const found = match === undefined ? null : new RegExp(match, 'm').exec(line);
    const group = found?.findIndex((text, index) => index > 0 && text === word) ?? -1;
    if (captures && group > 0) return captures[String(group)]?.name;
    if (!captures && found?.[0] === word) return name;
  }
  return undefined;
}

test('gives every word of the language its scope', () => {
  for (const word of INSTRUCTION_WORDS) expect(scopeOf(`${word} x`, word), word).toBe('keyword.control.agentfile');
  const instructions: ReadonlySet<string> = new Set(INSTRUCTION_WORDS);
  const clauses = new Set<string>([...Object.values(CLAUSES_OF).flat(), ...RESERVED, 'IN']);
  for (const word of clauses) {
    if (word === 'prompt' || word === '->' || instructions.has(word)) continue;
    expect(scopeOf(`x ${word} "y"`, word), word).toBe('keyword.other.agentfile');
  }
  for (const type of TYPES) expect(scopeOf(`-> x: ${type}`, type), type).toBe('storage.type.agentfile');
  expect(scopeOf('GOAL assess "x"', 'assess')).toBe('entity.name.function.agentfile');
  expect(scopeOf('FROM a/b.md', 'a/b.md')).toBe('string.unquoted.path.agentfile');
  expect(scopeOf('TIMEOUT 5m', '5m')).toBe('constant.numeric.agentfile');
});
