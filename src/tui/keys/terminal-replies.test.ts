import { expect, test } from 'vitest';
import { createReplyFilter } from './terminal-replies.js';

const REPLIES = [
  '\x1b[?62;22;52c',
  '\x1b[>41;354;0c',
  '\x1b[?2026;2$y',
  '\x1b[?1u',
  '\x1b[4;600;800t',
  '\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\',
  '\x1b]10;rgb:ff/ff/ff\x07',
  '\x1bP>|XTerm(390)\x1b\\',
  '\x1b_Gi=31;OK\x1b\\',
];
const TYPED = [
  'text ä漢',
  '\x1b',
  '\x1b[A',
  '\x1bOP',
  '\x1b[1;5R', // Ctrl-F3 or a cursor report, which cannot be distinguished
  '\x1b[97;5u',
  '\x1b[<0;5;7M',
  '\x1b[I',
  '\x1b[?997;1n',
  '\x1b[200~pasted\x1b[201~',
  '\x1bP',
  '\x1b]',
];

test('removes replies of the terminal, and nothing else', () => {
  const filter = createReplyFilter(() => {});
  for (const reply of REPLIES) expect(filter(Buffer.from(`a${reply}b`)).toString()).toBe('ab');
  for (const typed of TYPED) expect(filter(Buffer.from(typed)).toString()).toBe(typed);
});

test('removes replies however they are split, unless the first part may be a key', () => {
  for (const reply of REPLIES) {
    for (let at = 3; at < reply.length; at++) {
      const filter = createReplyFilter(() => {});
      const parts = [filter(Buffer.from(`a${reply.slice(0, at)}`)), filter(Buffer.from(`${reply.slice(at)}b`))];
      const isKey = /^\x1b(?:\[\d[\d;]*|P.?|_)$/.test(reply.slice(0, at));
      if (!isKey) expect(Buffer.concat(parts).toString(), JSON.stringify(reply.slice(0, at))).toBe('ab');
    }
  }
});

test('reports the colours of the terminal', () => {
  const reported: object[] = [];
  const filter = createReplyFilter((colours) => reported.push(colours));
  filter(Buffer.from('\x1b]10;rgb:ff/ff/ff\x07\x1b]11;rgb:1e1e/1e1e'));
  filter(Buffer.from('/2e2e\x1b\\\x1b]12;rgb:0/0/0\x07\x1b]11;red\x07'));
  expect(reported).toEqual([{ foreground: 'rgb:ff/ff/ff' }, { background: 'rgb:1e1e/1e1e/2e2e' }]);
});
