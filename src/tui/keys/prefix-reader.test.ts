import { describe, expect, it } from 'vitest';
import { createPrefixReader } from './prefix-reader.js';

/** Returns the bytes sent to the program and the commands, in order. */
function read(prefix: string, ...chunks: string[]): string {
  const reader = createPrefixReader(prefix);
  const readOne = (chunk: Buffer): string =>
    reader
      .push(chunk)
      .map((step) =>
        step.kind === 'send' ? step.bytes.toString('latin1') : `<${step.key || 'unknown'}>${readOne(step.rest)}`,
      )
      .join('');
  return chunks.map((chunk) => readOne(Buffer.from(chunk, 'latin1'))).join('');
}

describe('the prefix reader', () => {
  it('sends every byte to the program, however the input is split', () => {
    const bytes = Buffer.from([...Array(256).keys()].filter((byte) => byte !== 0x1d));
    const reader = createPrefixReader('C-]');
    const sent = [...bytes].flatMap((byte) => reader.push(Buffer.from([byte])));
    expect(Buffer.concat(sent.map((step) => (step.kind === 'send' ? step.bytes : Buffer.from('?'))))).toEqual(bytes);
  });

  it('returns a command for a key after the prefix, in one read or two', () => {
    expect(read('C-]', 'ab\x1dd')).toBe('ab<d>');
    expect(read('C-]', 'ab\x1d', 'd')).toBe('ab<d>');
  });

  it('sends the prefix once if it is typed twice', () => {
    expect(read('C-]', 'a\x1d\x1db')).toBe('a\x1db');
    expect(read('C-a', '\x01', '\x01')).toBe('\x01');
  });

  it('returns the input after a command separately', () => {
    const reader = createPrefixReader('C-]');
    expect(reader.push(Buffer.from('a\x1d['))).toMatchObject([{ kind: 'send' }, { key: '[', rest: Buffer.alloc(0) }]);
    expect(reader.push(Buffer.from('\x1d?x\x1dd'))).toEqual([
      { kind: 'command', key: '?', rest: Buffer.from('x\x1dd') },
    ]);
    expect(read('C-]', '\x1d\tx')).toBe('<Tab>x');
    expect(read('C-]', '\x1d\x1b[Ax')).toBe('<Up>x');
    expect(read('C-]', '\x1d\x1bODx')).toBe('<Left>x');
    expect(read('C-]', '\x1d\x1b[5~x')).toBe('<PageUp>x');
    expect(read('C-]', '\x1d\x1b[Hx')).toBe('<unknown>x');
  });

  it('isWaiting is true while it waits for a key', () => {
    const reader = createPrefixReader('C-]');
    expect(reader.isWaiting).toBe(false);
    reader.push(Buffer.from('\x1d'));
    expect(reader.isWaiting).toBe(true);
    reader.push(Buffer.from('d'));
    expect(reader.isWaiting).toBe(false);
  });

  it('ignores the prefix within a bracketed paste, however the paste is split', () => {
    const text = 'x\x1b[200~a\x1ddb\x1b[201~y';
    expect(read('C-]', text)).toBe(text);
    expect(read('C-]', ...text)).toBe(text);
    expect(read('C-]', text, '\x1dd')).toBe(`${text}<d>`);
  });

  it('recognizes the prefix in the kitty protocol and modifyOtherKeys', () => {
    expect(read('C-]', '\x1b[93;5u', 'd')).toBe('<d>');
    expect(read('C-]', '\x1b[93;5:1u\x1b[93;5:3u', '\x1b[100u')).toBe('<d>');
    expect(read('C-]', '\x1b[27;5;93~d')).toBe('<d>');
    expect(read('C-]', '\x1b[93;5u\x1b[93;5u')).toBe('\x1b[93;5u');
  });

  it('passes mouse reports and other keys through', () => {
    const keys = '\x1b[<35;93;5M\x1b[A\x1bOP\x1b[1;5C\x1b[99;5u';
    expect(read('C-]', keys)).toBe(keys);
  });
});
