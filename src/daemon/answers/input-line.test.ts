/** Tests when a person's keys hold back an answer. */
import { expect, it } from 'vitest';
import type { SessionEntry } from '../registry/index.js';
import { holdsDraft, worksForPerson } from './input-line.js';

const edited = (agoMs: number): SessionEntry => {
  const draft = { text: '', isPasting: false, isSent: false, removed: null, isOnAlternate: false };
  const at = -agoMs;
  return { draft: { ...draft, at, editedAt: at }, keeper: null, monotonicNow: () => 0 } as unknown as SessionEntry;
};

it('holds an answer back while a person deletes, even if the input line is empty already', () => {
  expect(holdsDraft(edited(0), 'agent', true)).toBe(true);
  expect(holdsDraft(edited(900), 'keys', true)).toBe(true);
  expect(holdsDraft(edited(1_100), 'agent', true)).toBe(false);
});

it('does not hold back what a person sends, nor a line that the kernel collects', () => {
  expect(holdsDraft(edited(0), 'agent', false)).toBe(false);
  expect(holdsDraft(edited(0), 'lines', true)).toBe(false);
});

const submitted = (submittedAt: number, state: string): SessionEntry =>
  ({ draft: { submittedAt }, aggregate: { standing: { state } }, monotonicNow: () => 0 }) as unknown as SessionEntry;

it.each([
  ['keys', 999, 'waiting', true, 'agent_busy'],
  ['keys', 1_000, 'waiting', true, null],
  ['keys', 1_000, 'waiting', null, null],
  ['keys', 59_999, 'waiting', false, 'not_reading'],
  ['keys', 59_999, 'working', true, 'agent_busy'],
  ['keys', 60_000, 'working', false, null],
  ['keys', Number.POSITIVE_INFINITY, 'working', true, null],
  ['agent', 0, 'working', true, null],
  ['lines', 0, 'working', true, null],
] as const)('%s: %d ms after the Enter of a person, %s, reads: %s, the answer waits for: %s', (...row) => {
  const [manner, agoMs, state, reads, waits] = row;
  expect(worksForPerson(submitted(-agoMs, state), manner, () => reads)).toBe(waits);
});
