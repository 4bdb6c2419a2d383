import { describe, expect, it } from 'vitest';
import { createKeyReader, type Key } from './key-reader.js';

const shown = (keys: readonly Key[]): string =>
  keys
    .map((key) =>
      key.kind === 'named'
        ? `<${key.with ? `${key.with}-` : ''}${key.name}>`
        : key.kind === 'ctrl'
          ? `<C-${key.letter}>`
          : key.kind === 'alt'
            ? `<M-${key.text}>`
            : key.kind === 'paste'
              ? `[${key.text}]`
              : key.kind === 'mouse'
                ? `(${key.what} ${key.x},${key.y})`
                : key.text,
    )
    .join('');

const read = (...chunks: (string | Buffer)[]): string => {
  const reader = createKeyReader();
  const keys = chunks.flatMap((chunk) => reader.push(Buffer.from(chunk as string)));
  return shown([...keys, ...reader.flush()]);
};

describe('the key reader', () => {
  it('reads the keys of a chunk one by one', () => {
    expect(read('jj\x1b[A1\r')).toBe('jj<up>1<enter>');
  });

  it('reads whole keys, however the input is split', () => {
    const text = 'a\x1b[A\x1bOB\x1b[5~é日👍\x7f\x15\x1b[3~\x1b[Z';
    const bytes = Buffer.from(text);
    expect(read(text)).toBe(read(...Array.from(bytes, (byte) => Buffer.from([byte]))));
    expect(read(text)).toBe('a<up><down><pageup>é日👍<backspace><C-u><delete><backtab>');
  });

  it('returns Escape as a key once nothing follows', () => {
    const reader = createKeyReader();
    expect(reader.push(Buffer.from('\x1b'))).toEqual([]);
    expect(reader.isWaiting).toBe(true);
    expect(shown(reader.flush())).toBe('<escape>');
  });

  it('tells Escape and a key with Ctrl apart if they arrive together', () => {
    expect(read('\x1b\x03')).toBe('<escape><C-c>');
    expect(read('\x1b\x0cx')).toBe('<escape><C-l>x');
    expect(read('\x1b\r')).toBe('<alt-enter>');
  });

  it('reads a paste with its newlines as one key', () => {
    expect(read('a\x1b[200~1\r2\x1b[201~b')).toBe('a[1\r2]b');
    expect(read('\x1b[200~1', '\r2\x1b[20', '1~b')).toBe('[1\r2]b');
  });

  it('ignores sequences without a meaning', () => {
    expect(read('a\x1b[<0;1;1m\x1b[<32;1;1M\x1b[<2;1;1M\x1b[I\x1b[57441;2u\x1b[97;1:3ub')).toBe('ab');
  });

  it('distinguishes Enter from a newline, and reads Shift and Alt in every encoding', () => {
    expect(read('\r\n')).toBe('<enter><C-j>');
    expect(read('\x1b\r\x1b[13;3u\x1b[27;3;13~')).toBe('<alt-enter><alt-enter><alt-enter>');
    expect(read('\x1b[13;2u\x1b[27;2;13~\x1b[13;66u')).toBe('<shift-enter><shift-enter><shift-enter>');
  });

  it('reads two Escapes that arrive together as two keys, also before a sequence', () => {
    expect(read('\x1b\x1bq')).toBe('<escape><M-q>');
    expect(read('\x1b\x1b[A')).toBe('<escape><up>');
    const reader = createKeyReader();
    expect(shown(reader.push(Buffer.from('\x1b\x1b')))).toBe('<escape>');
    expect(shown(reader.flush())).toBe('<escape>');
  });

  it('reads the encodings of the kitty protocol and of modified keys as the same keys', () => {
    expect(read('\x1b[27u\x1b[9;2u\x1b[101;5u\x1b[120;3u\x1bx\x1b[1;5D\x1bOP\x1b[15~')).toBe(
      '<escape><backtab><C-e><M-x><M-x><ctrl-left><f1><f5>',
    );
  });

  it('reads clicks and wheel events with their position, from 0', () => {
    expect(read('\x1b[<0;5;3M\x1b[<64;1;1M\x1b[<65;100;40M')).toBe('(click 4,2)(wheelup 0,0)(wheeldown 99,39)');
  });
});
