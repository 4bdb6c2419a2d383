import { describe, expect, it } from 'vitest';
import { MAX_MARKDOWN_CHARS, markdownRows } from './markdown.js';
import { createPaint } from './paint.js';
import { widthOf } from './text.js';

const bare = createPaint({ NO_COLOR: '1' });
const SGR = /\x1b\[[0-9;]*m/g;
const rows = (text: string, columns = 40): string[] =>
  markdownRows(bare, text, columns).map((row) => row.replaceAll(SGR, ''));

describe('markdown', () => {
  it('renders headings, lists, code, quotes and rules with their indentation', () => {
    const text = '# Plan\n\n1. one\n2. two\n   - deep\n\n> said\n\n```sh\nmake  x\n```\n\n---\nend';
    const plan = ['Plan', '', '1. one', '2. two', '   • deep', '', '> said', '', '│ make  x', ''];
    expect(rows(text)).toEqual([...plan, '─'.repeat(20), '', 'end']);
  });

  it('renders strong text bold, and keeps the backticks of code', () => {
    expect(markdownRows(bare, 'a **b** `c_d`', 40)).toEqual(['a \x1b[1mb\x1b[22m `c_d`']);
  });

  it('keeps line breaks, and shows the targets of links', () => {
    expect(rows('one\ntwo [docs](https://a.example/x) <https://b.example>', 60)).toEqual([
      'one',
      'two docs (https://a.example/x) https://b.example',
    ]);
  });

  it('does not change unknown markup', () => {
    expect(rows('| a | b |\n|---|---|\n\n<b>x</b> [r][1]\n\n[1]: https://x.example')).toEqual([
      '| a | b |',
      '|---|---|',
      '',
      '<b>x</b> [r][1]',
      '',
      '[1]: https://x.example',
    ]);
  });

  it('wraps at blanks, and counts two columns for wide characters', () => {
    const shown = rows('日本語のテキスト and **some words** that go on', 12);
    expect(shown.join('|')).toBe('日本語のテキ|スト and|some words|that go on');
    for (const row of shown) expect(widthOf(row)).toBeLessThanOrEqual(12);
  });

  it('removes control characters, also from entities', () => {
    const text = 'a&#x202e;b&#27;[2J \x1b[31mc `\u202ed` [e](https://x&#x2066;y)';
    expect(rows(text).join('')).not.toMatch(/[\x00-\x1f\u202a-\u202e\u2066-\u2069]/);
  });

  it('shows a text that is too long for markdown as it was written', () => {
    const text = '*'.repeat(MAX_MARKDOWN_CHARS + 1);
    expect(rows(text, 80).join('')).toBe(text);
  });
});
