/**
 * Tests that the text of a Codex dialog contains no rows of the conversation above it, for every colour that a terminal
 * may report.
 */
import { describe, expect, it } from 'vitest';
import type { Dialog, ViewRow } from '../adapter.js';
import { codex } from '../codex.js';

const SURFACE = 7;
const CHOICES = ['› 1. Yes', '  2. No', '', '  enter select · esc back'];
const WORDS = ['', '  Where should it run?', '', ''];

/** @param surface  How many of the rows, counted from the first choice upwards, have a background. */
function read(rows: readonly string[], surface = 0): Dialog | null {
  const choice = rows.indexOf(CHOICES[0] ?? '');
  const seen = rows.map((text, at): ViewRow => {
    const isLit = at < choice && at >= choice - surface;
    return { text, bright: text, ground: () => (isLit ? SURFACE : 0) };
  });
  return codex.signals?.dialog({ rows: seen, title: '', cursor: null }) ?? null;
}

const CONVERSATIONS: Readonly<Record<string, readonly string[]>> = {
  'a list and a question': ['• One of these:', '', '  1. Keep it', '  2. Remove it', '', '  Which one?', ''],
  'rows whose beginning has scrolled away': ['  the end of a reply', '', '  Which one?', ''],
  'code with empty rows': ['• Like this:', '', '    a()', '', '', '    b()', '', '  Shall I?', ''],
};

describe('a dialog of Codex', () => {
  it.each(Object.entries(CONVERSATIONS))(
    'below %s, with a background, has only its own text and choices',
    (_, conversation) => {
      const dialog = read([...conversation, ...WORDS, ...CHOICES], WORDS.length);
      expect(dialog?.text).toBe('Where should it run?');
      expect(dialog?.choices.map(({ keys }) => keys)).toEqual(['1', '2']);
    },
  );

  it.each(Object.entries(CONVERSATIONS))(
    'below %s, without a known background, cannot be chosen',
    (_, conversation) => {
      const dialog = read([...conversation, ...WORDS, ...CHOICES]);
      expect(dialog?.text).toBe('…\nWhere should it run?');
      expect(dialog?.choices.map(({ keys }) => keys)).toEqual([null, null]);
    },
  );

  it('below the last words of the conversation can be chosen without a background', () => {
    const dialog = read(['• Running a command', '', ...WORDS, ...CHOICES]);
    expect(dialog?.text).toBe('Where should it run?');
    expect(dialog?.choices.map(({ keys }) => keys)).toEqual(['1', '2']);
  });

  it('shows a command with empty rows completely, or cannot be chosen', () => {
    const command = ['', '  Would you like to run this?', '', '  $ cat > a.py <<E', '', '', '  main()', '  E', '', ''];
    const rows = ['• Running cat', '', ...command, ...CHOICES];
    expect(read(rows, command.length)?.text).toBe('Would you like to run this?\n$ cat > a.py <<E\nmain()\nE');
    expect(read(rows, command.length)?.choices[0]?.keys).toBe('1');
    expect(read(rows)?.text).toBe('…\nmain()\nE');
    expect(read(rows)?.choices[0]?.keys).toBeNull();
  });

  it('without a list contains no rows above it', () => {
    const question = ['', '  Stay here?', '', '  Enter to stay · Esc to cancel'];
    const rows = ['• Which one?', '', '  1. Keep it', '', '', ...question];
    const seen = rows.map((text): ViewRow => ({ text, bright: text, ground: () => 0 }));
    expect(codex.signals?.dialog({ rows: seen, title: '', cursor: null })?.text).toBe('…\nStay here?');
  });
});
