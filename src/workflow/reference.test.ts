/** Parses every example in protocol/agentfile.md: each has exactly the problems shown below it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { format, parse } from './index.js';

const PAGE = readFileSync(join(import.meta.dirname, '../../protocol/agentfile.md'), 'utf8');
const BLOCK = /^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm;

const blocks = [...PAGE.matchAll(BLOCK)].map(([, kind = '', path, text = '']) => ({ kind, path, text }));
const files = new Map(blocks.filter(({ kind }) => kind === 'text').map(({ path, text }) => [path, text]));
const readFile = (path: string) => {
  const text = files.get(path);
  return text === undefined ? { problem: 'there is no such file' } : { text };
};

const examples = blocks.flatMap(({ kind, text }, index) => {
  if (kind !== 'agentfile') return [];
  const next = blocks[index + 1];
  return [
    { title: text.split('\n').slice(0, 2).join('; '), text, expected: next?.kind === 'problems' ? next.text : '' },
  ];
});

describe('the language reference', () => {
  test('has an example in each section about the language', () => {
    expect(examples.length).toBeGreaterThan(20);
    const sections = PAGE.split(/^## /m).slice(1);
    expect(
      sections.filter((section) => !section.includes('```agentfile')).map((section) => section.split('\n')[0]),
    ).toEqual([]);
  });

  test.each(examples)('$title', ({ text, expected }) => {
    const { problems } = parse(text, { readFile });
    const reported = problems.map(
      ({ line, column, severity, message, accepted }) => `${line}:${column} ${severity}: ${message} (${accepted})\n`,
    );
    expect(reported.join('')).toBe(expected);
  });

  test.each(examples.filter(({ text }) => format(text).ok))('formatting changes only blanks: $title', ({ text }) => {
    const formatting = format(text);
    if (!formatting.ok) throw new Error('it was read before');
    const without = ({ workflow }: ReturnType<typeof parse>) => JSON.stringify(workflow);
    expect(without(parse(formatting.text, { readFile }))).toBe(without(parse(text, { readFile })));
  });
});
