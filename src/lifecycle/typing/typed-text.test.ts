import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { InputRules } from '../../protocol/index.js';
import { withoutTypedBlanks } from '../answers/answer-text.js';
import { asSent, asWords, namedAnswer } from './typed-text.js';

const AGENT: InputRules = {
  actions: ['exit', ':q'],
  commands: '/!',
  marks: '#@&$',
  endings: '@$\\',
  afterBackslash: ' ',
  changes: [],
};

test.each(['#note', '&', '$HOME is set'])('types a blank before %s, so that it is text', (text) => {
  expect(asWords(text, AGENT)).toBe(` ${text}`);
});

test.each(['/clear', '!rm -rf build', ' /clear', '\n!ls', 'exit', ' Exit \n', ':q'])(
  'types %j with an invisible first character for an agent that trims',
  (text) => {
    expect(asWords(text, AGENT)).toBe(`\u2800${text}`);
  },
);

test.each(['see @README', '@', '日本語 @x', 'a\nb @x', 'C:\\temp\\', '\\\\', 'see @my\\ file', 'pay in $'])(
  'types %j with a blank at the end, so that no completion takes Enter',
  (text) => {
    expect(asWords(text, AGENT).trimStart()).toBe(`${text} `);
    expect(asWords(`${text}\n\n`, AGENT)).toBe(asWords(text, AGENT));
    expect(asWords(`${text} `, AGENT)).toBe(asWords(text, AGENT));
  },
);

test.each(['C:\\temp\\', 'C:\\temp\\ \n', '\\\\', 'a\nsee @my\\'])(
  'types %j with an invisible last character for a program that trims before it reads a backslash',
  (text) => {
    const rules = { ...AGENT, afterBackslash: '\u2800' };
    expect(asWords(text, rules)).toBe(`${text.trimEnd()}\u2800`);
    expect(asSent(text, rules)).toBe(`${text.trimEnd()}\u2800`);
    expect(asWords('see @README', rules)).toBe('see @README ');
  },
);

test.each([
  'use / for the root, and 100 % of it!',
  'exit.',
  'see @README first',
  'x @x said\nyes',
  'a\\b c \n',
  '',
  ' ',
])('types %j unchanged', (text) => {
  expect(asWords(text, AGENT)).toBe(text);
});

test('types characters that the agent replaces as their replacements', () => {
  const rules: InputRules = {
    ...AGENT,
    changes: [
      [/\t/g, '    '],
      [/\u200b/g, ''],
    ],
  };
  expect(asWords('all:\n\tnode\u200b x', rules)).toBe('all:\n    node x');
  expect(asSent('see\u200b', rules)).toBe('see');
});

test.each(['\u200bexit', '\u200b/clear', 'ex\u200bit', ' \u200b!ls', '\u200b#note', '/\u200b'])(
  'types %j as words for an agent that removes its invisible characters',
  (text) => {
    const rules: InputRules = { ...AGENT, changes: [[/\u200b/g, '']] };
    expect(asWords(text, rules)).toMatch(/^(?:\u2800 ?(?:exit|[/!])| #)/);
    expect(asSent(text, rules)).toBe(text);
    // A program that is not known to remove them may do so.
    expect(asWords(text, AGENT).replaceAll('\u200b', '')).toBe(asWords(text, rules));
    expect(asSent(text, AGENT)).toBe(text);
  },
);

test.each(['/compact', '!ls @src', '#note', 'exit', ' :q'])('keeps %j as a command if a user sends it', (text) => {
  expect(asSent(text, AGENT)).toBe(text);
});

test.each(['see @README', 'C:\\temp\\'])('adds a blank to %j if a user sends it, so that Enter submits it', (text) => {
  expect(asSent(text, AGENT)).toBe(`${text} `);
});

test('never types an action, a command or a word to complete, whatever the text', () => {
  const part = fc.constantFrom('exit', ':q', '/x', '!', '@', '#', '$', '\\', 'word', ' ', '\n', '\t', '　', '日本');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const text = parts.join('');
      const typed = asWords(text, AGENT);
      expect(withoutTypedBlanks(typed)).toBe(withoutTypedBlanks(text));
      expect(AGENT.actions).not.toContain(typed.trim());
      expect(typed.trim()).not.toMatch(/^[/!]/);
      expect(typed).not.toMatch(/^[#@&$]/);
      expect(typed).not.toMatch(/[@$\\]\S*$/);
    }),
  );
});

test('namedAnswer prefixes an answer with the letters and digits of its question', () => {
  const named = (data: object, text = 'redis') => namedAnswer({ data: { ...data } }, text);
  expect(named({ question: 'Which *database*?' })).toBe('Which database: redis');
  expect(named({ reason: ':ORCHESTRATOR: no {"key"}' })).toBe('ORCHESTRATOR no key: redis');
  expect(named({ description: 'src/__init__.py' }, 'approve')).toBe('src init py: approve');
  expect(named({ question: 'हिन्दी या 日本語？' })).toBe('हिन्दी या 日本語: redis');
  expect(named({ question: 'Which?' }, '- a\n- b')).toBe('Which:\n- a\n- b');
  expect(named({ question: '???' })).toBe('redis');
});

test('namedAnswer shortens the question to 60 characters without cutting one', () => {
  expect(namedAnswer({ data: { question: '𠮷'.repeat(99) } }, 'x')).toBe(`${'𠮷'.repeat(60)}: x`);
  expect(namedAnswer({ data: { question: `${'a'.repeat(59)} b` } }, 'x')).toBe(`${'a'.repeat(59)}: x`);
});
