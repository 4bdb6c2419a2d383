import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createQueryFilter } from './queries.js';

const QUERIES = [
  '\x1b[c',
  '\x1b[>c',
  '\x1b[6n',
  '\x1b[?6n',
  '\x1b]11;?\x07',
  '\x1b]10;?\x1b\\',
  '\x1b[?2026$p',
  '\x1b[>q',
  '\x1b[?u',
];
const CLIPBOARD = ['\x1b]52;c;aGVsbG8=\x07', '\x1b]52;c;?\x1b\\'];
const KEPT = [
  '\x1b[31m',
  '\x1b[2J',
  '\x1b]0;title\x07',
  '\x1b[?1049h',
  'text',
  'ä漢🙂',
  '\r\n',
  '\x1b7',
  '\x1b(B',
  '\x1b[6;1H',
  '\x1b]11;#fff\x07',
];

/** Pieces, whole, and where they are cut into chunks. */
const stream = fc.tuple(
  fc.array(fc.constantFrom(...QUERIES, ...CLIPBOARD, ...KEPT), { maxLength: 40 }),
  fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 60 }),
);

function* cut(bytes: Buffer, sizes: readonly number[]): Generator<Buffer> {
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

test('however a stream is cut, queries and clipboard access are taken out, and nothing else', () => {
  fc.assert(
    fc.property(stream, ([pieces, sizes]) => {
      const filter = createQueryFilter();
      const passed = [...cut(Buffer.from(pieces.join('')), sizes)].map((chunk) => filter(chunk));
      expect(Buffer.concat(passed).toString()).toBe(pieces.filter((piece) => KEPT.includes(piece)).join(''));
    }),
    { numRuns: 500 },
  );
});

test('bytes without ESC pass as they are', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 50 })), (chunks) => {
      const filter = createQueryFilter();
      const clean = chunks.map((chunk) => Buffer.from(chunk.filter((byte) => byte !== 0x1b)));
      expect(Buffer.concat(clean.map((chunk) => filter(chunk)))).toEqual(Buffer.concat(clean));
    }),
  );
});

test('a sequence that never ends is not kept for ever', () => {
  const filter = createQueryFilter();
  let passed = filter(Buffer.from('\x1b]0;')).length;
  for (let i = 0; i < 300; i++) passed += filter(Buffer.alloc(1024, 'x')).length;
  expect(passed).toBeGreaterThan(150 * 1024);
});
