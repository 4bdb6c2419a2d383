/** Tests which transcript text and which output belong to the last turn of a journal. */
import { expect, test } from 'vitest';
import type { JournalRecord } from '../../host/contract.js';
import { TurnReader } from './turn-reader.js';

// the fields that TurnReader reads
const record = (fields: object): JournalRecord => ({ position: 0, end: 0, time: 0, ...fields }) as JournalRecord;
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

test('the turn is over when the transcript has the last text and the end', () => {
  const reader = read(
    typed('wri_2', '\x1b[200~Count.\x1b[201~\r'),
    wrote(prompt),
    wrote(words('One.'), words('Two.'), idle),
  );
  expect(reader.turn()).toEqual({ phase: 'over', text: 'Two.', isBack: false });
});

test('the turn is not over if more text follows', () => {
  expect(read(typed('wri_2', 'a\r'), wrote(prompt, words('One.'), idle, words('Two.'))).turn()).toMatchObject({
    phase: 'accepted',
  });
});

test('ignores transcript text of the previous turn that arrives late', () => {
  const reader = read(typed('wri_1', 'a\r'), wrote(prompt), typed('wri_2', 'b\r'), wrote(words('Old.'), idle));
  expect(reader.turn()).toMatchObject({ phase: 'typed' });
  reader.push(wrote(prompt));
  expect(reader.turn()).toEqual({ phase: 'accepted', text: null, isBack: false });
});

test('a key in a dialog starts no turn, and the prompt is not typed before its write ends', () => {
  const [begin] = typed('wri_2', 'a\r');
  const reader = read(begin ?? [], wrote(prompt, words('One.')), typed('wri_9', '\x1b[C\r'));
  expect(reader.turn()).toEqual({ phase: 'untyped', text: 'One.', isBack: false });
});

test('returns the output of the program without the echo of the terminal', () => {
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

test('keeps an answer that ends with the typed text, after the echo of a pasted line', () => {
  const [begin, end] = typed('wri_2', '\x1b[200~hi\x1b[201~\r');
  const modes = { write_id: 'wri_2', when: 'before', echo: false, canonical: false };
  const reader = read(
    printed('\x1b[?2004hask> '),
    record({ kind: 'note', name: 'terminal', data: modes }),
    begin ?? [],
    printed('\x1b[7mhi\x1b[27m'),
    end ?? [],
    printed('\b\bhi\r\n\x1b[?2004l\rgot: hi\r\n'),
  );
  expect(reader.printed()).toMatchObject({ text: 'got: hi\n', isExact: true });
});

test.each([
  ['「1」→ ', 'a\r\n42\r\n「2」→ ', '42\n'],
  ['sum-9→ ', 'a\r\n42sum-10→ ', '42'],
  ['sum> ', 'a\r\n42sum> ', '42'],
  ['sum> sum> sum> ', 'a\r\n42\r\nsum> ', '42\n'],
  ['sum[9]> sum[10]> ', 'a\r\n42\r\nsum[11]> sum[12]> sum[13]> ', '42\n'],
  ['→ ', 'a\r\n42→ ', '42→ '],
])('returns what a program printed that showed %j and then %j', (prompt, output, text) => {
  const [begin, end] = typed('wri_2', 'a\r');
  expect(read(printed(`hello\r\n${prompt}`), begin ?? [], printed(output), end ?? []).printed().text).toBe(text);
});

test.each([
  ['> ', 'a\r\nyes\r\n> ', true],
  ['> ', 'a\r\n\x1b[?2004h\x1b[1G\x1b[0J> \x1b[3G', true],
  ['say> ', 'a\r\nyes\r\nsay> say> say> ', true],
  ['> ', 'a\r\nContinue? [y/n] ', false],
  ['> ', 'a\r\n>> ', false],
  ['say> say> say> ', 'a\r\nyes\r\nsay> ', true],
  ['y> say> say> ', 'a\r\nyes\r\nsay> say> ', true],
  ['> > ', 'a\r\nyes\r\n> ', true],
  ['>>> ', 'a\r\n> ', false],
  ['irb:009:0> ', 'a\r\n=> 1\r\nirb:010:0> ', true],
  ['[1]> ', 'a\r\n[y/n]> ', false],
  ['sum> ', 'a\r\n42sum> ', true],
  ['sum-1> ', 'a\r\n42sum-2> ', true],
  ['> ', 'a\r\n42> ', false],
  ['> ', 'a\r\n', false],
  ['', 'a\r\nyes\r\n', true],
  ['', 'a\r\nName: ', false],
  ['', 'a\r\nWhich file?\r\n\r\n', false],
  ['', 'a\r\nDelete 3 files (y/n)\r\n', false],
])('a program that showed %j and then %j is back at its prompt: %s', (prompt, output, isBack) => {
  const [begin, end] = typed('wri_2', 'a\r');
  expect(read(printed(`hello\r\n${prompt}`), begin ?? [], printed(output), end ?? []).turn()).toMatchObject({ isBack });
});
