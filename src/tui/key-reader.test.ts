import { describe, expect, it } from 'vitest';
import { createKeyReader, type Key } from './key-reader.js';

const shown = (keys: readonly Key[]): string =>
  keys
    .map((key) =>
      key.kind === 'named'
        ? `<${key.name}>`
        : key.kind === 'ctrl'
          ? `<C-${key.letter}>`
          : key.kind === 'paste'
            ? `[${key.text}]`
            : key.text,
    )
    .join('');

const read = (...chunks: (string | Buffer)[]): string => {
  const reader = createKeyReader();
  const keys = chunks.flatMap((chunk) => reader.push(Buffer.from(chunk as string)));
  return shown([...keys, ...reader.flush()]);
};

describe('keys', () => {
  it('are read one by one from a chunk', () => {
    expect(read('jj\x1b[A1\r')).toBe('jj<up>1<enter>');
  });

  it('are whole, wherever a read cuts them', () => {
    const text = 'a\x1b[A\x1bOB\x1b[5~é日👍\x7f\x15\x1b[3~\x1b[Z';
    const bytes = Buffer.from(text);
    expect(read(text)).toBe(read(...Array.from(bytes, (byte) => Buffer.from([byte]))));
    expect(read(text)).toBe('a<up><down><pageup>é日👍<backspace><C-u><delete><backtab>');
  });

  it('an Escape alone is a key once nothing follows', () => {
    const reader = createKeyReader();
    expect(reader.push(Buffer.from('\x1b'))).toEqual([]);
    expect(reader.isWaiting).toBe(true);
    expect(shown(reader.flush())).toBe('<escape>');
  });

  it('a paste is one key, its newlines included', () => {
    expect(read('a\x1b[200~1\r2\x1b[201~b')).toBe('a[1\r2]b');
    expect(read('\x1b[200~1', '\r2\x1b[20', '1~b')).toBe('[1\r2]b');
  });

  it('what means nothing here is left out', () => {
    expect(read('a\x1b[<0;1;1M\x1b[I\x1bxb')).toBe('ab');
  });
});
