/** Tests that records survive encoding and decoding, and that the decoder reports all invalid bytes as damage. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyEntry } from '../../../test/harness/journal-entries.js';
import { tries } from '../../../test/harness/tries.js';
import { decodeRecord, encodeRecord, HEADER_BYTES, OUT_HEADER_BYTES } from './record-codec.js';

describe('record codec', () => {
  it('decodes every encoded record, at any offset', () => {
    fc.assert(
      fc.property(anyEntry, fc.nat(2 ** 40), fc.nat(2 ** 45), fc.nat(40), (entry, position, time, offset) => {
        const encoded = encodeRecord(entry, time);
        const decoded = decodeRecord(Buffer.concat([Buffer.alloc(offset), encoded, Buffer.alloc(3)]), offset, position);
        const plain: object = entry.kind === 'out' ? entry : JSON.parse(JSON.stringify(entry));
        const place = { position, end: position + encoded.length, time };
        const bytesPosition = entry.kind === 'out' ? { bytesPosition: position + OUT_HEADER_BYTES } : {};
        expect(decoded.state).toBe('record');
        if (decoded.state !== 'record' || !decoded.record) return;
        const { record } = decoded;
        const own = record.kind === 'out' ? { ...record, bytes: Uint8Array.from(record.bytes) } : record;
        expect(own).toEqual({ ...plain, ...place, ...bytesPosition });
      }),
      tries(100),
    );
  });

  it('reports the number of bytes that a truncated record needs', () => {
    const encoded = encodeRecord({ kind: 'note', name: 'adapter', data: { name: 'shell' } }, 1);
    for (let cut = 0; cut < encoded.length; cut++) {
      const needed = cut < HEADER_BYTES ? HEADER_BYTES : encoded.length;
      expect(decodeRecord(encoded.subarray(0, cut), 0, 0)).toEqual({ state: 'short', bytes: needed });
    }
  });

  it('never accepts a record with a changed byte', () => {
    const encoded = encodeRecord({ kind: 'out', bytes: Buffer.from('hello') }, 1_700_000_000_000);
    fc.assert(
      fc.property(fc.nat(encoded.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const damaged = Buffer.from(encoded);
        damaged[at] = (damaged[at] ?? 0) ^ change;
        expect(decodeRecord(damaged, 0, 0).state).not.toBe('record');
      }),
      tries(100),
    );
  });

  it('never throws, whatever the bytes', () => {
    const any = fc.uint8Array({ maxLength: 100 });
    fc.assert(
      fc.property(any, (bytes) => void decodeRecord(Buffer.from(bytes), 0, 0)),
      tries(100),
    );
  });
});
