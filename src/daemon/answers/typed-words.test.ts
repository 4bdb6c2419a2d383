/**
 * Compares the typed input for a text with what the real agents received: fixtures/adapters/<name>/input.json holds texts,
 * what was typed for each, and what the agent's model received.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asWords, withoutBlanks } from '../../lifecycle/index.js';
import { ADAPTERS } from '../../session/adapters/index.js';

interface Tried {
  readonly text: string;
  readonly typed: string;
  readonly received: string;
}

const FIXTURES = join(import.meta.dirname, '../../../fixtures/adapters');
const fileOf = (name: string): string => join(FIXTURES, name, 'input.json');

const TRIED = ADAPTERS.filter(({ name }) => existsSync(fileOf(name)));

test('the agents that were tried are found', () => expect(TRIED.length).toBeGreaterThan(6));

describe.each(TRIED)('$name', ({ name, input }) => {
  const tried = JSON.parse(readFileSync(fileOf(name), 'utf8')) as Tried[];

  test.each(tried)('is typed $text as words, which its model received', ({ text, typed, received }) => {
    expect(asWords(text, input)).toBe(typed);
    // It may add a file that the text names.
    expect(withoutBlanks(received).slice(0, withoutBlanks(text).length)).toBe(withoutBlanks(text));
  });
});
