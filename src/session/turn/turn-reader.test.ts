/** The last turn of a journal is what the agent has written down, and printed, since it took what was typed last. */
import { expect, test } from 'vitest';
import type { JournalRecord } from '../../host/contract.js';
import { TurnReader } from './turn-reader.js';

const record = (fields: object): JournalRecord => ({ position: 0, end: 0, time: 0, ...fields }) as JournalRecord; // what is read of it
const typed = (writeId: string, text: string) => [
  record({ kind: 'input', phase: 'begin', writeId, text, length: text.length, submits: text.endsWith('\r') }),
  record({ kind: 'input', phase: 'end', writeId, text: null, length: 0, submits: false }),
];
const wrote = (...items: object[]) => record({ kind: 'note', name: 'transcript', data: { items } });
const printed = (text: string) => record({ kind: 'out', bytes: Buffer.from(text) });
const [words, prompt, idle] = [
  (text: string) => ({ kind: 'text', text }),
  { kind: 'prompt', text: 'x' },
  { kind: 'idle' },
];

function read(...records: readonly (JournalRecord | readonly JournalRecord[])[]): TurnReader {
  const reader = new TurnReader('wri_2');
  for (const one of records.flat()) reader.push(one);
  return reader;
}

test('it is over when the agent has said its last words and so', () => {
  const reader = read(
    typed('wri_2', '\x1b[200~Count.\x1b[201~\r'),
    wrote(prompt),
    wrote(words('One.'), words('Two.'), idle),
  );
  expect(reader.turn()).toEqual({ isTyped: true, isTaken: true, text: 'Two.', isOver: true });
});

test('words that go on take back that it was over', () => {
  expect(read(typed('wri_2', 'a\r'), wrote(prompt, words('One.'), idle, words('Two.'))).turn()).toMatchObject({
    isOver: false,
  });
});

test('what is written down late of the turn before is not its own', () => {
  const reader = read(typed('wri_1', 'a\r'), wrote(prompt), typed('wri_2', 'b\r'), wrote(words('Old.'), idle));
  expect(reader.turn()).toMatchObject({ isTyped: true, isTaken: false });
  reader.push(wrote(prompt));
  expect(reader.turn()).toEqual({ isTyped: true, isTaken: true, text: null, isOver: false });
});

test('a key that chooses in a dialog begins no turn, and nothing is typed before the write has ended', () => {
  const [begin] = typed('wri_2', 'a\r');
  const reader = read(begin ?? [], wrote(prompt, words('One.')), typed('wri_9', '\x1b[C\r'));
  expect(reader.turn()).toEqual({ isTyped: false, isTaken: true, text: 'One.', isOver: false });
});

test('what a program prints is its own, without what the terminal echoed', () => {
  const [begin, end] = typed('wri_2', 'one\rtwo\r');
  const reader = read(
    printed('Name? '),
    begin ?? [],
    printed('Name? one\r\ntwo\r\n'),
    end ?? [],
    printed('\x1b[1mfo\x1b[0mur\r\n'),
  );
  expect(reader.printed()).toMatchObject({ text: 'four\n', isExact: true });
});
