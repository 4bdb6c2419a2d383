/**
 * Checks that the parser and protocol/agentfile.ebnf accept the same files: files generated from the grammar, and the
 * same with a mistake.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readGrammar } from '../../test/harness/grammar.js';
import { createRandom, givenSeed, type Random } from '../../test/harness/random.js';
import { tries } from '../../test/harness/tries.js';
import { parseTree } from './syntax/parser.js';

const grammar = readGrammar(readFileSync(join(import.meta.dirname, '../../protocol/agentfile.ebnf'), 'utf8'));
const isRead = (text: string): boolean => parseTree(text).drafts.length === 0;
const PIECES = Array.from(' \n\t#"$->,:|[]=<.\\é日').concat([
  '"""',
  'GOAL',
  'USING',
  'IN',
  'ASK',
  '->',
  '\n-> ',
  ' # x\n',
  '\r\n',
]);

/** Inserts, removes or replaces one to three pieces. */
function mutate(text: string, random: Random): string {
  let chars = Array.from(text);
  for (let left = 1 + random.below(3); left > 0; left--) {
    const at = random.below(chars.length + 1);
    const taken = random.below(3) === 0 ? 0 : random.below(4);
    const put = random.below(3) === 0 ? '' : (PIECES[random.below(PIECES.length)] ?? '');
    chars = Array.from([...chars.slice(0, at), put, ...chars.slice(at + taken)].join(''));
  }
  return chars.join('');
}

test('the parser accepts every file that the grammar generates', () => {
  const random = createRandom(givenSeed());
  for (let left = tries(1_500).numRuns; left > 0; left--) {
    const text = grammar.sentence('agentfile', random);
    expect(parseTree(text).drafts, text).toEqual([]);
  }
});

test('the parser and the grammar agree on files with mistakes', () => {
  const random = createRandom(givenSeed() + 1);
  const seen = { right: 0, wrong: 0 };
  for (let left = tries(600).numRuns; left > 0; left--) {
    const text = mutate(grammar.sentence('agentfile', random), random);
    const isRight = grammar.accepts('agentfile', text);
    expect(isRead(text), JSON.stringify(text)).toBe(isRight);
    seen[isRight ? 'right' : 'wrong']++;
  }
  // Both kinds must occur, otherwise nothing is compared.
  expect(seen.right).toBeGreaterThan(50);
  expect(seen.wrong).toBeGreaterThan(50);
});
