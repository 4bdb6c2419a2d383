import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tries } from '../../test/harness/tries.js';
import { createOutputFilter } from './queries.js';

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
  '\x1b[?996n',
  '\x1b[?4m',
  '\x1b[?1;1;0S',
  '\x1b[14;2t',
  '\x1b]4;1;#fff;2;?\x07',
  '\x1b]21;foreground=?\x1b\\',
  '\x1b]1337;ReportCellSize\x07',
  '\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\',
  '\x1bP+q544e\x1b\\',
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
  '\x1b]4;1;#fff\x07',
  '\x1b]8;;https://example.org/?a=b;c\x1b\\',
  '\x1b[>4;2m',
  '\x1b[>1u',
  '\x1b[2S',
  '\x1b_Gf=100,a=T;AAAA\x1b\\',
  '\x1b]1337;File=inline=1:AAAA\x07',
  '\x1bPq#0;2;0;0;0~~\x1b\\',
  '§°',
];

/** Pieces of output, and the places at which they are cut into chunks. */
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

test('removes queries and clipboard access however the stream is split, and nothing else', () => {
  fc.assert(
    fc.property(stream, ([pieces, sizes]) => {
      const filter = createOutputFilter();
      const passed = [...cut(Buffer.from(pieces.join('')), sizes)].map((chunk) => filter(chunk));
      expect(Buffer.concat(passed).toString()).toBe(pieces.filter((piece) => KEPT.includes(piece)).join(''));
    }),
    tries(500),
  );
});

test('passes bytes without control sequences unchanged', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 50 })), (chunks) => {
      const filter = createOutputFilter();
      // C2 is the first byte of a C1 control, and is held until the second byte arrives.
      const clean = chunks.map((chunk) => Buffer.from(chunk.filter((byte) => byte !== 0x1b && byte !== 0xc2)));
      expect(Buffer.concat(clean.map((chunk) => filter(chunk)))).toEqual(Buffer.concat(clean));
    }),
    tries(100),
  );
});

test('reports complete clipboard writes, and no clipboard reads', () => {
  const written: string[] = [];
  const filter = createOutputFilter((data) => written.push(data));
  filter(Buffer.from('\x1b]52;c;aGVs'));
  filter(Buffer.from('bG8=\x07a\x1b]52;c;?\x07\x1b]52;;\x07\x1b]52;p;eA==\x1b\\'));
  expect(written).toEqual(['aGVsbG8=', 'eA==']);
});

test('removes oversized clipboard access and queries as C1 controls, however they are split', () => {
  const written: string[] = [];
  const filter = createOutputFilter((data) => written.push(data));
  const long = Buffer.from(`a\x1b]52;c;${'QUJD'.repeat(60_000)}\x07b\u009b6nc\u009d11;?\x07d`);
  const passed = [...cut(long, [1000, 1, 3])].map((chunk) => filter(chunk));
  expect(Buffer.concat(passed).toString()).toBe('abcd');
  expect(written).toEqual([]);
});

test('passes on a sequence that never ends after a limit', () => {
  const filter = createOutputFilter();
  let passed = filter(Buffer.from('\x1b]0;')).length;
  for (let i = 0; i < 300; i++) passed += filter(Buffer.alloc(1024, 'x')).length;
  expect(passed).toBeGreaterThan(150 * 1024);
});
