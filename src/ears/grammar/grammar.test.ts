import { describe, expect, it } from 'vitest';
import { MAX_BLOCK_CHARS, MAX_ENVELOPE_CHARS, MAX_FOREIGN_LINES, MAX_SKIPPED_CHARS } from '../bounds.js';
import { Grammar, readText, type Utterance } from './grammar.js';

const BLOCK = '```orchestrator-message\n{}\n```\n';
const forms = (text: string): string[] =>
  readText(text).map((utterance) => (utterance.form === 'broken' ? utterance.reason : utterance.form));
const row = (text: string): { text: string; from: number; to: number; line: number } => ({
  text,
  from: 0,
  to: 0,
  line: 1,
});

describe('text over a size limit is rejected once, and later messages are found', () => {
  const filler = (chars: number): string => `${'x'.repeat(999)}\n`.repeat(chars / 1000);

  it.each([
    ['a little', MAX_BLOCK_CHARS + 2000],
    ['a lot', 8 * MAX_BLOCK_CHARS],
  ])('a block that is %s too long', (_, chars) => {
    expect(forms(`\`\`\`orchestrator-message\n${filler(chars)}\`\`\`\n${BLOCK}`)).toEqual(['oversized', 'fence']);
  });
  it('a block that is too long and never closed, before another block', () => {
    expect(forms(`\`\`\`orchestrator-message\n${filler(300_000)}${BLOCK}`)).toEqual(['oversized', 'fence']);
  });
  it('a block that is never closed, before a marker', () => {
    const text = `\`\`\`orchestrator-message\n${filler(MAX_SKIPPED_CHARS + 300_000)}:ORCHESTRATOR: TASK COMPLETE\n`;
    expect(forms(text)).toEqual(['oversized', 'marker']);
  });
  it('an envelope, even inside code of its human part', () => {
    const text = `<output>\n{}\n---\n${filler(MAX_ENVELOPE_CHARS - 1000)}\`\`\`\n${filler(4000)}\n${BLOCK}</output>\n${BLOCK}`;
    expect(forms(text)).toEqual(['oversized', 'fence']);
  });
  it('a truncated row, in a block and as its opening', () => {
    const grammar = new Grammar();
    const heard: Utterance[] = [];
    const read = (text: string, isCut = false): unknown => heard.push(...grammar.readRow({ ...row(text), isCut }));
    read('```orchestrator-message');
    read('{"x": "', true);
    read('```');
    read('```orchestrator-message', true);
    read('```');
    read(':ORCHESTRATOR: QUESTION - cut', true);
    expect(heard.map((utterance) => 'reason' in utterance && utterance.reason)).toEqual(['oversized', 'oversized']);
    expect(grammar.isAtRest()).toBe(true);
  });
});

describe('the differences from CommonMark', () => {
  it('an opener without an end is dropped after MAX_FOREIGN_LINES', () => {
    const lines = (count: number): string => 'x\n'.repeat(count);
    for (const opener of ['```js\n', '~~~\n', '<!-- x\n', '<script>\n', '<div>\n']) {
      expect(forms(opener + lines(MAX_FOREIGN_LINES + 1) + BLOCK)).toEqual(['fence']);
      expect(forms(opener + lines(MAX_FOREIGN_LINES - 10) + BLOCK)).toEqual([]);
    }
  });
  it('an unclosed block is not a message', () => {
    expect(forms('```orchestrator-message\n{}\n')).toEqual(['unclosed']);
    expect(forms('- ```orchestrator-message\n  {}\n\ntext\n')).toEqual(['unclosed']);
  });
  it('an envelope takes precedence over HTML, and interrupts a paragraph', () => {
    expect(forms('text\n<output>\n{}\n</output>\n')).toEqual(['envelope']);
    expect(forms(`<output>\n{}\n---\n\n${BLOCK}</output>\n`)).toEqual(['envelope']);
    expect(forms(`</output>\n${BLOCK}`)).toEqual(['fence']);
  });
  it('the info string is compared literally', () => {
    expect(forms('```orchestrator&#45;message\n{}\n```\n')).toEqual([]);
    expect(forms('```orchestrator\\-message\n{}\n```\n')).toEqual([]);
  });
  it('any number starts a list outside a paragraph, as in CommonMark but not in micromark', () => {
    expect(forms('    code\n2. ```orchestrator-message\n   {}\n   ```\n')).toEqual(['fence']);
    expect(forms('text\n- 10) ```orchestrator-message\n      {}\n      ```\n')).toEqual(['fence']);
    expect(forms('text\n2. ```orchestrator-message\n   {}\n')).toEqual([]);
  });
});

describe('documents', () => {
  it('reject open blocks at their end, and drop other fences', () => {
    const grammar = new Grammar();
    grammar.readRow(row('```js'));
    expect(grammar.endDocument()).toEqual([]);
    grammar.readRow(row('```orchestrator-message'));
    expect(grammar.isAtRest()).toBe(false);
    expect(grammar.endDocument()).toMatchObject([{ form: 'broken', reason: 'unclosed' }]);
    expect(grammar.isAtRest()).toBe(true);
  });
  it('report nothing when they are dropped', () => {
    const grammar = new Grammar();
    grammar.readRow(row('```orchestrator-message'));
    grammar.dropDocument();
    expect(grammar.endDocument()).toEqual([]);
  });
});

describe('couldEnd', () => {
  it('is true only for an incomplete row that could complete a message', () => {
    const grammar = new Grammar();
    expect(grammar.couldEnd('```')).toBe(false);
    expect(grammar.couldEnd(':ORCHESTRATOR: QUESTION - x')).toBe(true);
    expect(grammar.couldEnd(':ORCHESTRATOR: QUESTION - <question>')).toBe(false);
    expect(grammar.couldEnd('<output>{}</output>')).toBe(true);
    grammar.readRow(row('````orchestrator-message'));
    expect(grammar.couldEnd('```')).toBe(false);
    expect(grammar.couldEnd('````` ')).toBe(true);
    expect(grammar.couldEnd(':ORCHESTRATOR: TASK COMPLETE')).toBe(false);
  });
});
