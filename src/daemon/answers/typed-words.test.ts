/**
 * Compares the typed input for a text with what the real agents received: fixtures/adapters/<name>/input.json holds
 * texts, what was typed for each, and what the agent's model received.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asWords, withoutTypedBlanks } from '../../lifecycle/index.js';
import { ADAPTERS } from '../../session/adapters/index.js';

interface RecordedInput {
  readonly text: string;
  readonly typed: string;
  readonly received: string;
}

const FIXTURES = join(import.meta.dirname, '../../../fixtures/adapters');
const fileOf = (name: string): string => join(FIXTURES, name, 'input.json');

const RECORDED = ADAPTERS.filter(({ name }) => existsSync(fileOf(name)));

test('finds the recorded input of more than six adapters', () => expect(RECORDED.length).toBeGreaterThan(6));

describe.each(RECORDED)('$name', ({ name, input }) => {
  const recorded = JSON.parse(readFileSync(fileOf(name), 'utf8')) as RecordedInput[];

  test.each(recorded)('types $text as its model received it', ({ text, typed, received }) => {
    expect(asWords(text, input)).toBe(typed);
    // The agent may append a file that the text names.
    expect(withoutTypedBlanks(received).slice(0, withoutTypedBlanks(typed).length)).toBe(withoutTypedBlanks(typed));
  });
});
