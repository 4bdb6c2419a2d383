import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tries } from '../../../test/harness/tries.js';
import { echoOf, splitEcho } from './terminal-echo.js';

const text = (output: string, typed: string, spread: 'anywhere' | 'one_run' = 'anywhere') =>
  splitEcho(output, { typed, spread }).pieces.join('');

test('echoes Enter as CR LF, and a control character as two characters', () => {
  expect(echoOf('a\r\rb\tc\x1b[200~\r')).toBe('a\r\n\r\nb\tc^[[200~\r\n');
});

test('treats blank lines as echo only beside other echo', () => {
  expect(text('a\r\n\r\nb\r\nout\r\n\r\nmore\r\n', 'a\r\rb\r')).toBe('out\r\n\r\nmore\r\n');
  expect(text('\r\nout\r\n', 'a\r')).toBe('\r\nout\r\n');
});

test('finds an echo in pieces if the program interrupts a long line', () => {
  const long = 'second line, which is long';
  expect(text(`one\r\nsecond line, whiOUT\r\nch is long\r\n`, `one\r${long}\r`)).toBe('OUT\r\n');
});

test.each([
  ['{"a": 1}', '{"b": 2}'],
  ['  }', '  ]'],
  ['日本', '日曜'],
])('keeps output that starts like the next line of the echo, %j: %j', (line, own) => {
  const bytes = (words: string) => Buffer.from(words).toString('latin1');
  const typed = bytes(`one\r${line}\r`);
  expect(text(bytes(`one\r\n${own}\r\n${line}\r\n`), typed)).toBe(bytes(`${own}\r\n`));
  expect(text(bytes(`one\r\n${own}\r\n`), typed, 'one_run')).toBe(bytes(`${own}\r\n`));
});

test('finds a line of the echo in pieces, even if the program also prints that line', () => {
  expect(text('one\r\ntwOUT\r\no\r\ntwo\r\n', 'one\rtwo\r')).toBe('OUT\r\ntwo\r\n');
});

test('accepts blanks as the echo of a tab', () => {
  expect(text('a       b\r\nout\r\n', 'a\tb\r')).toBe('out\r\n');
});

test('treats only one run as echo after the echo was turned off', () => {
  expect(text('a b c\r\na b c\r\nd\r\n', 'a b c\rd\r', 'one_run')).toBe('a b c\r\nd\r\n');
});

const line = fc.constantFrom('', 'x', '{"a": 1}', '```json', 'one two', '日本', '  }');
const typedText = fc.array(line, { minLength: 1, maxLength: 8 });
const printed = fc.array(fc.constantFrom('OUT 1', 'OUT 2', '', '{"b": 2}'), { maxLength: 6 });

test('keeps all output between complete lines of the echo', () => {
  fc.assert(
    fc.property(typedText, printed, fc.nat(), (lines, out, seed) => {
      const bytes = (words: string) => Buffer.from(words).toString('latin1');
      const typed = bytes(lines.map((words) => `${words}\r`).join(''));
      const echo = lines.map((words) => bytes(`${words}\r\n`));
      // The program answers after a line that is not blank, as line-based programs do.
      const at = seed % echo.length;
      const isInk = (lines[at] ?? '').trim() !== '';
      const own = out.map((words) => `${words}\r\n`).join('');
      const output = isInk ? [...echo.slice(0, at + 1), own, ...echo.slice(at + 1)].join('') : echo.join('') + own;
      const { pieces, isWhole } = splitEcho(output, { typed, spread: 'anywhere' });
      expect(isWhole).toBe(true);
      if (lines.some((words) => words !== '')) expect(pieces.join('').trim()).toBe(own.trim());
    }),
    tries(300),
  );
});

const echoed = fc.array(fc.constantFrom('x', '> quoted', 'long '.repeat(12).trim(), '日本', ''), {
  minLength: 1,
  maxLength: 8,
});

test('a prompt that is printed in the middle of the echo, again and again, belongs to the echo', () => {
  fc.assert(
    fc.property(echoed, fc.array(fc.nat(), { maxLength: 8 }), (lines, places) => {
      const typed = Buffer.from([...lines, 'END'].map((words) => `${words}\r`).join('')).toString('latin1');
      const echo = echoOf(typed);
      // The program ends its prompts before it answers, and has read END by then.
      const ends = places.map((place) => place % (echo.length - 'END\r\n'.length)).sort((a, b) => b - a);
      const output = ends.reduce((text, at) => `${text.slice(0, at)}> ${text.slice(at)}`, echo);
      const { pieces, isWhole } = splitEcho(`${output}OUT\r\n`, { typed, prompt: '> ', spread: 'anywhere' });
      expect(isWhole).toBe(true);
      expect(pieces.join('').replaceAll('> ', '')).toBe('OUT\r\n');
    }),
    tries(300),
  );
});
