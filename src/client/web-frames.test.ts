import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Frame, FrameReader, frameOf, OPCODE } from './web-frames.js';

/** Encodes a frame as a server does: without a mask. */
function served({ opcode, isLast = true, payload }: Partial<Frame> & Pick<Frame, 'opcode' | 'payload'>): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65536 ? 4 : 10);
  head[0] = (isLast ? 0x80 : 0) | opcode;
  head[1] = length < 126 ? length : length < 65536 ? 126 : 127;
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}

function framesOf(chunks: readonly Buffer[]): Frame[] {
  const [rest = Buffer.alloc(0), ...more] = chunks;
  const reader = new FrameReader(rest);
  const frames: Frame[] = [];
  const drain = (): void => {
    for (let frame = reader.next(); frame; frame = reader.next()) frames.push(frame);
  };
  drain();
  for (const chunk of more) {
    reader.push(chunk);
    drain();
  }
  return frames;
}

describe('frames of a WebSocket', () => {
  test('are the same wherever what comes is cut, and of every length', () => {
    const length = fc.constantFrom(0, 1, 125, 126, 127, 65_535, 65_536, 70_000);
    const frame = fc.record({ opcode: fc.constantFrom(0, 1, 2), isLast: fc.boolean(), length });
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 4 }), fc.array(fc.nat(200_000), { maxLength: 8 }), (wanted, cuts) => {
        const frames = wanted.map(({ length: size, ...rest }, n) => ({ ...rest, payload: Buffer.alloc(size, n + 1) }));
        const all = Buffer.concat(frames.map(served));
        const ends = [...cuts.filter((at) => at <= all.length).sort((a, b) => a - b), all.length];
        const chunks = ends.map((end, n) => all.subarray(ends[n - 1] ?? 0, end));
        const got = framesOf(chunks);
        expect(got.map(({ opcode, isLast }) => [opcode, isLast])).toEqual(
          frames.map(({ opcode, isLast }) => [opcode, isLast]),
        );
        expect(got.every(({ payload }, n) => payload.equals(frames[n]?.payload ?? Buffer.alloc(0)))).toBe(true);
      }),
    );
  });

  test('come byte by byte', () => {
    const frames = [
      { opcode: OPCODE.binary, isLast: true, payload: Buffer.alloc(300, 'x') },
      { opcode: OPCODE.ping, isLast: true, payload: Buffer.alloc(0) },
    ];
    const all = Buffer.concat(frames.map(served));
    expect(framesOf(Array.from(all, (byte) => Buffer.of(byte)))).toEqual(frames);
  });

  test.each([0, 125, 126, 65_535, 65_536])(
    'to the daemon are masked with 0 and say that they have %i bytes',
    (size) => {
      const payload = Buffer.alloc(size, 'é');
      const frame = frameOf(OPCODE.text, payload);
      expect((frame[1] ?? 0) & 0x80).toBe(0x80);
      expect(frame.subarray(frame.length - size - 4).equals(Buffer.concat([Buffer.alloc(4), payload]))).toBe(true);
      const unmasked = Buffer.concat([frame.subarray(0, frame.length - size - 4), payload]);
      unmasked[1] = (unmasked[1] ?? 0) & 0x7f;
      const [read] = framesOf([unmasked]);
      expect(read?.opcode).toBe(OPCODE.text);
      expect(read?.payload.equals(payload)).toBe(true);
    },
  );

  test.each([
    ['an extension that was not asked for', Buffer.of(0xc1, 0)],
    ['a masked frame', Buffer.of(0x82, 0x80, 0, 0, 0, 0)],
    ['a control frame that is too long, or in pieces', Buffer.of(0x89, 126, 0, 126)],
    ['a control frame that is too long, or in pieces', Buffer.of(0x09, 0)],
    ['a message of more than', Buffer.of(0x82, 127, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)],
    ['a message of more than', Buffer.of(0x02, 1, 0, 0x89, 0, 0x80, 127, 0, 0, 0, 0, 4, 0, 0, 0)],
  ])('refuse %s', (words, bytes) => {
    expect(() => framesOf([bytes])).toThrow(words);
  });
});
