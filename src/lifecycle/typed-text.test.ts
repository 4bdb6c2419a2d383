import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutBlanks } from './answer-text.js';
import { asSent, asWords, type InputRules, namedAnswer } from './typed-text.js';

const AGENT: InputRules = {
  actions: ['exit', ':q'],
  commands: '/!',
  marks: '#@&$',
  endings: '@$\\',
  afterBackslash: ' ',
  tab: '\t',
};

test.each(['#note', '&', '$HOME is set'])('a blank before %s makes words of it', (text) => {
  expect(asWords(text, AGENT)).toBe(` ${text}`);
});

test.each(['/clear', '!rm -rf build', ' /clear', '\n!ls', 'exit', ' Exit \n', ':q'])(
  '%j stays words for an agent that trims',
  (text) => {
    expect(asWords(text, AGENT)).toBe(`\u2800${text}`);
  },
);

test.each(['see @README', '@', '日本語 @x', 'a\nb @x', 'C:\\temp\\', '\\\\', 'see @my\\ file', 'pay in $'])(
  '%j ends in a blank: no list of completions takes its Enter',
  (text) => {
    expect(asWords(text, AGENT).trimStart()).toBe(`${text} `);
    expect(asWords(`${text}\n\n`, AGENT)).toBe(asWords(text, AGENT));
    expect(asWords(`${text} `, AGENT)).toBe(asWords(text, AGENT));
  },
);

test.each(['C:\\temp\\', 'C:\\temp\\ \n', '\\\\', 'a\nsee @my\\'])(
  '%j does not end in a backslash for a program that trims before it looks for one',
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
])('%j stays as it is', (text) => {
  expect(asWords(text, AGENT)).toBe(text);
});

test('tabs are typed as what the agent makes of them', () => {
  expect(asWords('all:\n\tnode x', { ...AGENT, tab: '    ' })).toBe('all:\n    node x');
});

test.each(['/compact', '!ls @src', '#note', 'exit', ' :q'])('%j that a person sends stays a command', (text) => {
  expect(asSent(text, AGENT)).toBe(text);
});

test.each(['see @README', 'C:\\temp\\'])('%j that a person sends is sent by Enter', (text) => {
  expect(asSent(text, AGENT)).toBe(`${text} `);
});

test('whatever is typed, an agent that trims finds no action, no command, and no word to complete', () => {
  const part = fc.constantFrom('exit', ':q', '/x', '!', '@', '#', '$', '\\', 'word', ' ', '\n', '\t', '　', '日本');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const text = parts.join('');
      const typed = asWords(text, AGENT);
      expect(withoutBlanks(typed)).toBe(withoutBlanks(text));
      expect(AGENT.actions).not.toContain(typed.trim());
      expect(typed.trim()).not.toMatch(/^[/!]/);
      expect(typed).not.toMatch(/^[#@&$]/);
      expect(typed).not.toMatch(/[@$\\]\S*$/);
    }),
  );
});

test('an answer is named by the letters and digits of its question', () => {
  const named = (data: object, text = 'redis') => namedAnswer({ data: { ...data } }, text);
  expect(named({ question: 'Which *database*?' })).toBe('Which database: redis');
  expect(named({ reason: ':ORCHESTRATOR: no {"key"}' })).toBe('ORCHESTRATOR no key: redis');
  expect(named({ description: 'src/__init__.py' }, 'approve')).toBe('src init py: approve');
  expect(named({ question: 'हिन्दी या 日本語？' })).toBe('हिन्दी या 日本語: redis');
  expect(named({ question: 'Which?' }, '- a\n- b')).toBe('Which:\n- a\n- b');
  expect(named({ question: '???' })).toBe('redis');
});

test('a name has at most 60 characters, none of which is cut', () => {
  expect(namedAnswer({ data: { question: '𠮷'.repeat(99) } }, 'x')).toBe(`${'𠮷'.repeat(60)}: x`);
  expect(namedAnswer({ data: { question: `${'a'.repeat(59)} b` } }, 'x')).toBe(`${'a'.repeat(59)}: x`);
});
