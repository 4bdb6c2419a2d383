/**
 * Compares rows that are skipped as bytes with the same rows read as lines: the state is equal, and no message is
 * missed.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../../../test/harness/tries.js';
import { MAX_FOREIGN_LINES } from '../bounds.js';
import { createStructure, readLine, type Structure } from './blocks.js';
import { readText } from './grammar.js';
import { isOpen, passHead, passRow } from './open-rows.js';

const begin = fc.constantFrom('', '', '', '', ' ', '  ', '   ', '    ', '     ', '\t', ' \t', '        ');
const word = fc.constantFrom(
  '```',
  '````',
  '``',
  '~~~',
  '~~~~~',
  '~~',
  '```ts',
  '``` a`b',
  '~~~ a`b',
  'orchestrator-message',
  'x',
  'é',
  '{',
  '{"type": "QUESTION", "data": {}}',
  '{ "type" : "q',
  '"type":"BLOCKED",',
  '"',
  '*',
  '**',
  '-',
  '--',
  '_',
  '__',
  '+',
  '=',
  '==',
  '#',
  '##',
  '#######',
  ':',
  ':O',
  ':ORCHESTRATOR: TASK COMPLETE',
  '1',
  '1.',
  '12)',
  '***',
  '- - -',
  '1234567890',
  '123456789.',
  '<',
  '<output>',
  '<b>',
  '<!--',
  '>',
  '\ufeff',
  '\uff0c',
  '•',
  '✅ ',
  '• :ORCHESTRATOR: QUESTION - x',
  '# :ORCHESTRATOR: QUESTION - x',
  '| :O',
  '|',
  '\\',
  ' ',
  '\t',
);
const row = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(begin, fc.array(word, { maxLength: 4 })).map(([blanks, words]) => blanks + words.join('')),
  },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(...'`~<>#-+*_=: 1.2)aÄ{"\\[\t') }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('text', 'text', '', '```', '```ts', '    code', '```orchestrator-message', '{}'),
  },
);

const encoder = new TextEncoder();

/**
 * @param head  Number of characters that arrive first, alone.
 * @returns True if the row was skipped.
 */
function read(structure: Structure, text: string, head = Number.POSITIVE_INFINITY): boolean {
  const characters = [...text];
  if (head < characters.length && isOpen(structure)) {
    if (passHead(structure, encoder.encode(characters.slice(0, head).join('')))) return true;
  }
  const bytes = encoder.encode(text);
  if (isOpen(structure) && passRow(structure, bytes, 0, bytes.length)) return true;
  readLine(structure, text);
  return false;
}

describe('rows that are skipped as bytes', () => {
  it('leave the same state as lines, and contain no message', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 20 }), fc.nat({ max: 8 }), (rows, head) => {
        const [asBytes, asLines] = [createStructure(), createStructure()];
        for (const text of rows) {
          const heardAlone = readText(text.slice(text.charCodeAt(0) === 0xfeff ? 1 : 0));
          const wasPassed = read(asBytes, text, head);
          readLine(asLines, text);
          expect(asBytes, JSON.stringify(text)).toEqual(asLines);
          if (wasPassed && asLines.leaf.kind !== 'fence') expect(heardAlone).toEqual([]);
        }
      }),
      tries(2000),
    );
  });

  it('are most rows of ordinary output', () => {
    const passed = (...rows: string[]): boolean[] => {
      const structure = createStructure();
      return rows.map((text) => read(structure, text));
    };
    expect(
      passed(
        'text',
        '',
        '# head',
        '| a | 10:30 |',
        '**bold** text',
        '    - code',
        '2026-01-01',
        '--flag',
        'x:',
        '---',
        '* * *',
      ),
    ).not.toContain(false);
    expect(passed('{}', '{"a": 1}', '{"type": 1}', '{"type": "text"}', '{"types": "A"}')).not.toContain(false);
    expect(passed('```ts', 'const x = `1`;', '', '\tindented', '```', '~~~ `', 'x', '~~~~')).not.toContain(false);
    for (const text of [
      '- item',
      '1. x',
      '> x',
      '<b>',
      '==',
      '\ufefftext',
      '```orchestrator-message',
      ':ORCHESTRATOR: x',
      '• :ORCHESTRATOR: x',
      '✅  :orchestrator: x',
      '## :ORCHESTRATOR: x',
      '# **:orchestrator: x**',
      '| a | :ORCHESTRATOR: x |',
      '{ ',
      ' {"type" : "QUESTION", "data": {}}',
    ]) {
      expect(passed(text)).toEqual([false]);
    }
  });

  it('are recognized by their first characters', () => {
    const passesBy = (text: string): boolean => passHead(createStructure(), encoder.encode(text));
    expect(['text', '  é', '• text', '•text', '1 a', ':x', '`a`', '{"a', '{"type":"t'].map(passesBy)).not.toContain(
      false,
    );
    for (const text of [
      '',
      '   ',
      '-',
      '1',
      '```',
      '```t',
      '#',
      '# ',
      '# text',
      '| text',
      '>',
      ':',
      '•',
      '• ',
      '• :',
      '{',
      '{"',
      '{"type": "',
      '{"type": "Q',
    ])
      expect(passesBy(text), text).toBe(false);
  });

  it('end when a foreign fence exceeds MAX_FOREIGN_LINES', () => {
    const structure = createStructure();
    read(structure, '```ts');
    const passed = Array.from({ length: MAX_FOREIGN_LINES + 1 }, () => read(structure, 'x'));
    expect(passed.indexOf(false)).toBe(MAX_FOREIGN_LINES);
    expect(structure.leaf.kind).toBe('paragraph');
  });
});
