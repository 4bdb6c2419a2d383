/** Tests that a note in the journal stays short, even if the agent's lines are long. */
import { expect, test } from 'vitest';
import type { TranscriptItem } from '../../session/index.js';
import { packLines } from './transcript-note.js';

const HUGE = 'x'.repeat(3 * 1024 * 1024);
const LONG = 'x'.repeat(100 * 1024);
const KINDS: [string, (words: string) => TranscriptItem][] = [
  ['a text', (text) => ({ kind: 'text', text })],
  ['an end of a turn', (after) => ({ kind: 'idle', by: 'hook', after })],
  ['a conversation', (agentSessionId) => ({ kind: 'session', agentSessionId, path: null, isOld: false })],
  ['a file', (path) => ({ kind: 'session', agentSessionId: 'a', path, isOld: false })],
];

test.each(KINDS)('packLines refuses %s that is too long, and puts two long ones into two notes', (_what, make) => {
  const refused: number[] = [];
  const lines = [HUGE, LONG, LONG].map((words, at) => ({ items: [make(words)], end: at }));
  const notes = packLines(lines, (chars) => refused.push(chars));
  expect({ refused: refused.length, ends: notes.map(({ end }) => end) }).toEqual({ refused: 1, ends: [1, 2] });
});
